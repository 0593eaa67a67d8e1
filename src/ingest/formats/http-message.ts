import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { errorCode } from "../../core/errors.ts";
import { boundedBody, HEADER_LIMITS } from "../../detection/captures/web.ts";
import { decodeText, recordHeaders } from "../../net/exchange.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import { indexOfBytes, latin1 } from "../byte-window.ts";
import { MemoryShort, withMemory } from "../gzip.ts";
import type { RefusalReason, SkipReason } from "../outcomes.ts";

/** Decompressed bytes of one body; a page is cut at 3 MiB. */
const MAX_BODY = 16 * 1_048_576;
const MAX_HEAD = 65_536;
const MAX_CODINGS = 2;
const MAX_CHUNKS = 100_000;
/** No body is compressed this well unless somebody wants it to expand. */
const MAX_RATIO = 200;

export type MessageFault = { readonly skipped: SkipReason } | { readonly refused: RefusalReason };

/** Media types that detection reads. */
const TEXT = /^(?:text\/|application\/(?:[\w.+-]{0,60}(?:json|xml|javascript|ecmascript)|manifest)|$)/i;

/** Reads an HTTP response with its body as it was sent: chunked, compressed, in any charset. */
export function readMessage(message: Uint8Array, url: string): HttpExchange | MessageFault {
  const head = latin1(message.subarray(0, MAX_HEAD));
  const start = /^HTTP\/[\d.]{1,4} {1,3}(\d{3})/.exec(head);
  if (!start) return { refused: "corrupt" };
  const gap = /\r?\n\r?\n/.exec(head);
  if (!gap && message.length > MAX_HEAD) return { refused: "line_too_long" };
  const lines = head.slice(0, gap?.index).split(/\r?\n/, HEADER_LIMITS.headerCount + 1);
  const pairs = lines.slice(1).flatMap((line) => {
    const colon = line.indexOf(":");
    return colon > 0 ? [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] : [];
  });
  const body = gap ? message.subarray(gap.index + gap[0].length) : new Uint8Array(0);
  return exchangeOf(url, Number(start[1]), pairs, body);
}

/** @param pairs names and values in turn */
export function exchangeOf(
  url: string,
  code: number,
  pairs: readonly string[],
  raw: Uint8Array,
): HttpExchange | MessageFault {
  const headerOf = (name: string) => {
    for (let at = 0; at < pairs.length; at += 2) if (pairs[at]?.toLowerCase() === name) return pairs[at + 1];
    return undefined;
  };
  const type = headerOf("content-type") ?? "";
  // The headers of an error page are signals, the rest of its content is not.
  if (!TEXT.test(type)) return { skipped: "not_text" };
  const whole = /chunked/i.test(headerOf("transfer-encoding") ?? "") ? unchunked(raw) : raw;
  const decoded = decompressed(whole, headerOf("content-encoding") ?? "");
  if ("refused" in decoded) return decoded;
  const { list } = recordHeaders([...pairs], HEADER_LIMITS);
  const text = decodeText(Buffer.from(decoded.bytes), type);
  return { method: "GET", url, status: "ok", code, headers: list, ...boundedBody(text) };
}

/** The content of a chunked body; crawlers write the header also with a body that they have joined, which stays as it is. */
function unchunked(body: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (let count = 0; count < MAX_CHUNKS; count++) {
    const end = indexOfBytes(body.subarray(0, at + 64), "\n", at);
    const size =
      end < 0 ? undefined : /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n]{0,40})?\r?$/i.exec(latin1(body.subarray(at, end)))?.[1];
    if (size === undefined) return count === 0 ? body : Buffer.concat(parts);
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    parts.push(body.subarray(end + 1, end + 1 + length));
    at = end + 1 + length;
    if (body[at] === 13) at += 1;
    if (body[at] === 10) at += 1;
    if (at >= body.length) break;
  }
  return Buffer.concat(parts);
}

type Decoded = { readonly bytes: Uint8Array } | { readonly refused: RefusalReason };

function decompressed(body: Uint8Array, encoding: string): Decoded {
  const codings = encoding
    .toLowerCase()
    .split(",", MAX_CODINGS + 2)
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) return { refused: "too_deep" };
  let bytes = body;
  for (const coding of codings.toReversed()) {
    const decode = CODINGS[coding];
    if (!decode || bytes.length === 0) return { bytes };
    try {
      const coded = bytes;
      bytes = withMemory(() => decode(coded, { maxOutputLength: MAX_BODY }));
    } catch (error) {
      if (error instanceof MemoryShort) throw error;
      if (errorCode(error) === "ERR_BUFFER_TOO_LARGE")
        return { refused: bytes.length * MAX_RATIO < MAX_BODY ? "bomb" : "too_large" };
      // Crawlers keep the header of a body that they have decompressed.
      return looksLikeText(bytes) ? { bytes } : { refused: "corrupt" };
    }
  }
  return { bytes };
}

type Decode = (bytes: Uint8Array, limit: { readonly maxOutputLength: number }) => Uint8Array;

const CODINGS: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  deflate(bytes, limit) {
    try {
      return inflateSync(bytes, limit);
    } catch (error) {
      if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") throw error;
      return inflateRawSync(bytes, limit);
    }
  },
};

const looksLikeText = (bytes: Uint8Array): boolean =>
  !bytes.subarray(0, 512).includes(0) && /^\s*[<{["\w/]/.test(latin1(bytes.subarray(0, 64)));
