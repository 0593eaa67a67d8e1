import { pipeline, Readable } from "node:stream";
import { constants, crc32, createGunzip, inflateRawSync } from "node:zlib";
import { errorCode } from "../core/errors.ts";

/** The end of the header of a gzip member (RFC 1952); undefined when the bytes are no whole header. */
export function memberHeader(bytes: Uint8Array): number | undefined {
  if (!isGzip(bytes) || bytes[2] !== 8 || bytes.length < 10) return undefined;
  const flags = bytes[3] ?? 0;
  if ((flags & 0xe0) !== 0) return undefined;
  let at = 10;
  if (flags & 4) at += 2 + ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if (flags & 2) at += 2;
  return at < bytes.length ? at : undefined;
}

export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** There is no memory to decompress a record, which says nothing about the record: another process reads it. */
export class MemoryShort extends Error {}

/** Errors of the content have a code of zlib, brotli or zstd. */
const isMemoryShort = (error: unknown): boolean => {
  const code = errorCode(error);
  return code === "" || code === "Z_MEM_ERROR" || code.includes("MEMORY") || code.includes("INITIALIZATION");
};

/**
 * Decompresses; when memory is short, once more after a collection of garbage, which does not count what is outside its heap.
 *
 * @throws MemoryShort, and what `decompress` throws for its content
 */
export function withMemory(decompress: () => Uint8Array): Uint8Array {
  try {
    return decompress();
  } catch (error) {
    if (!isMemoryShort(error)) throw error;
  }
  Bun.gc(true);
  try {
    return decompress();
  } catch (error) {
    throw isMemoryShort(error) ? new MemoryShort("out of memory", { cause: error }) : error;
  }
}

export type Member =
  | { readonly kind: "member"; readonly content: Uint8Array; readonly size: number; readonly intact: boolean }
  | { readonly kind: "incomplete" | "corrupt" | "too-large" };

/** Node's answer with `info: true`, which its types lack. */
interface Inflated {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

/** Pieces of the decompressed content, which are joined: a page has a few of these, and ten of the default size. */
const CHUNK = 65_536;

/** Decompresses one gzip member at the start of the bytes, to at most `limit` bytes. `size` is that of the member. */
export function readMember(bytes: Uint8Array, limit: number): Member {
  const start = memberHeader(bytes);
  if (start === undefined) return { kind: bytes.length < 10 ? "incomplete" : "corrupt" };
  try {
    let size = 0;
    const buffer = withMemory(() => {
      const inflated = inflateRawSync(bytes.subarray(start), {
        info: true,
        maxOutputLength: limit,
        chunkSize: CHUNK,
      });
      const { buffer: content, engine } = inflated as unknown as Inflated;
      size = engine.bytesWritten;
      return content;
    });
    const end = start + size;
    const trailer = bytes.subarray(end, end + 8);
    if (trailer.length < 8) return { kind: "incomplete" };
    const view = new DataView(trailer.buffer, trailer.byteOffset, 8);
    const intact = view.getUint32(0, true) === crc32(buffer) && view.getUint32(4, true) === buffer.length;
    return { kind: "member", content: buffer, size: end + 8, intact };
  } catch (error) {
    if (error instanceof MemoryShort) throw error;
    const code = errorCode(error);
    if (code === "ERR_BUFFER_TOO_LARGE") return { kind: "too-large" };
    return { kind: code === "Z_BUF_ERROR" ? "incomplete" : "corrupt" };
  }
}

const MIB = 1_048_576;

/** The first decompressed bytes of a gzip stream; empty when it is damaged. */
export function startOfGzip(bytes: Uint8Array): Uint8Array {
  const start = memberHeader(bytes);
  if (start === undefined) return new Uint8Array(0);
  try {
    // As much input as surely fits into the limit: deflate expands 1,032 times at most.
    const input = bytes.subarray(start, start + 16_384);
    const flags = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 32 * MIB };
    return withMemory(() => inflateRawSync(input, flags)).subarray(0, MIB);
  } catch (error) {
    if (error instanceof MemoryShort) throw error;
    return new Uint8Array(0);
  }
}

/** A gzip stream expands to more than this many times its size only when somebody wants it to. */
export const MAX_RATIO = 500;
const RATIO_FROM = 64 * 1_048_576;

export class Bomb extends Error {}

/**
 * Decompresses a whole gzip stream of any number of members.
 *
 * @throws Bomb, and what zlib throws for a damaged or cut stream
 */
export async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let read = 0;
  let written = 0;
  const counted = async function* () {
    for await (const chunk of source) {
      read += chunk.length;
      yield chunk;
    }
  };
  const stream = createGunzip({ chunkSize: 262_144 });
  // The loop below gets the errors.
  pipeline(Readable.from(counted(), { objectMode: false }), stream, () => {});
  for await (const chunk of stream) {
    written += chunk.length;
    if (written > RATIO_FROM && written > read * MAX_RATIO) {
      stream.destroy();
      throw new Bomb();
    }
    yield chunk;
  }
}
