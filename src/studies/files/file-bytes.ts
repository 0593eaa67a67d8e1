import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";

/** Far past a hundred thousand records; a small file that unpacks to more is meant to fill a disk. */
export const MAX_FILE_BYTES = 8 * 1024 ** 3;

/** Why a file could not be read to its end; what came before counts. */
export class UnreadableFile extends Error {}

/**
 * The bytes of a file, unpacked when its first bytes say gzip or zstd, without a UTF-8 mark at the start. Pulls only as
 * fast as it is read.
 *
 * @throws UnreadableFile when the packing is broken or what it holds is over {@link MAX_FILE_BYTES}
 */
export async function* unpacked(
  source: AsyncIterable<Uint8Array>,
  maxBytes = MAX_FILE_BYTES,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const head = await takeHead(chunks);
  const whole = resumed(head, chunks);
  const unpack = unpackerFor(head);
  let bytes = 0;
  for await (const chunk of withoutMark(unpack === null ? whole : throughUnpacker(whole, unpack))) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new UnreadableFile("The file holds too much; divide it into smaller ones.");
    yield chunk;
  }
}

const HEAD = 4;

async function takeHead(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const head: Uint8Array[] = [];
  for (let length = 0; length < HEAD; ) {
    const next = await chunks.next();
    if (next.done) break;
    head.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(head);
}

async function* resumed(head: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

function unpackerFor(head: Buffer) {
  if (head[0] === 0x1f && head[1] === 0x8b) return createGunzip();
  if (head.length >= HEAD && head.readUInt32LE(0) === 0xfd2fb528) return createZstdDecompress();
  return null;
}

async function* throughUnpacker(
  packed: AsyncIterable<Uint8Array>,
  unpack: NonNullable<ReturnType<typeof unpackerFor>>,
): AsyncGenerator<Uint8Array> {
  const out = new PassThrough();
  const done = pipeline(Readable.from(packed), unpack, out).catch((error: unknown) => error);
  try {
    for await (const chunk of out) yield chunk;
  } catch {
    throw new UnreadableFile("The file's compression is broken or ends too early.");
  } finally {
    out.destroy();
  }
  if ((await done) instanceof Error) throw new UnreadableFile("The file's compression is broken or ends too early.");
}

async function* withoutMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const mark = [0xef, 0xbb, 0xbf];
  let pending: Uint8Array | null = new Uint8Array();
  for await (const chunk of chunks) {
    if (pending === null) {
      yield chunk;
      continue;
    }
    const start: Uint8Array = Buffer.concat([pending, chunk]);
    if (start.length < mark.length && mark.slice(0, start.length).every((byte, at) => start[at] === byte)) {
      pending = start;
      continue;
    }
    pending = null;
    yield mark.every((byte, at) => start[at] === byte) ? start.subarray(mark.length) : start;
  }
  if (pending !== null && pending.length > 0) yield pending;
}
