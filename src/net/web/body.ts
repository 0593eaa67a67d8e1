import { pipeline as chain, Duplex, Readable, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

export interface BodyLimits {
  /** Decompressed bytes that are kept. */
  readonly maxBytes: number;
  /** Bytes that are taken from the network, so that a stream which expands to nothing ends too. */
  readonly rawBytes: number;
}

export interface Body {
  readonly bytes: Buffer;
  /** Reached its end, within the limits and undamaged. */
  readonly complete: boolean;
  /** Why it is not complete. */
  readonly detail?: string;
}

const CUT_BY_TIME = "the body was cut off by the time limit";
const CUT_BY_NETWORK = "the connection ended inside the body";
const DAMAGED = "the compressed body is damaged";

/**
 * How an answer's body failed to come whole, though its head did; undefined for one that is whole or that we stopped
 * reading for its length. What is missing of half a page must not pass for something that the page does not have.
 */
export function cutOff({ detail = "" }: { readonly detail?: string }): "timeout" | "failed" | undefined {
  if (detail.includes(CUT_BY_TIME)) return "timeout";
  return detail.includes(CUT_BY_NETWORK) || detail.includes(DAMAGED) ? "failed" : undefined;
}

/** A stream that was cut off gives what it has instead of an error. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/** Nobody wraps a page more than twice, except to make a bomb. */
const MAX_CODINGS = 2;

/**
 * Reads a response's body and undoes its content codings. What came before a limit, an abort or damage is kept.
 * Rejects never.
 */
export async function readBody(
  source: Readable,
  contentEncoding: string | undefined,
  limits: BodyLimits,
  signal: AbortSignal,
): Promise<Body> {
  const stages = decodersFor(contentEncoding);
  if (typeof stages === "string") {
    source.destroy();
    return { bytes: Buffer.alloc(0), complete: false, detail: stages };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, next) {
      const kept = chunk.subarray(0, limits.maxBytes - size);
      chunks.push(kept);
      size += kept.length;
      next(kept.length < chunk.length ? new Full("the body is longer than the cap") : null);
    },
  });
  try {
    await pipeline([source, meter(limits.rawBytes), ...stages, sink], { signal });
    return { bytes: Buffer.concat(chunks), complete: true };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), complete: false, detail: reasonOf(error, signal) };
  }
}

class Full extends Error {}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return CUT_BY_TIME;
  if (error instanceof Full) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(Z_|ERR_BROTLI|ERR__?ERROR_FORMAT|ERR_BUFFER|ZSTD|ERR_ZSTD)/.test(code)) return DAMAGED;
  return CUT_BY_NETWORK;
}

function meter(max: number): Transform {
  let taken = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      taken += chunk.length;
      if (taken > max) next(new Full("the body is longer than the cap on received bytes"));
      else next(null, chunk);
    },
  });
}

function decodersFor(contentEncoding: string | undefined): Duplex[] | string {
  const codings = (contentEncoding ?? "")
    .slice(0, 200)
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) return "the body is wrapped in too many content codings";
  const stages: Duplex[] = [];
  // The last coding was applied last, so it is undone first.
  for (const coding of codings.reverse()) {
    const stage = decoderFor(coding);
    if (!stage) return `the content coding ${coding.slice(0, 40)} is not understood`;
    stages.push(stage);
  }
  return stages;
}

function decoderFor(coding: string): Duplex | undefined {
  if (coding === "gzip" || coding === "x-gzip") return createGunzip(LENIENT);
  if (coding === "deflate") return Duplex.from(inflateEither);
  if (coding === "br") return createBrotliDecompress();
  if (coding === "zstd") return createZstdDecompress();
  return undefined;
}

/** Servers mean either of two formats by `deflate`; the first byte tells a zlib header from a raw stream. */
async function* inflateEither(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const stage = ((first.value[0] ?? 0) & 0x0f) === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT);
  async function* all() {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  yield* chain(Readable.from(all()), stage, () => {});
}
