import { promisify } from "node:util";
import { gzip } from "node:zlib";

export type Coding = "zstd" | "gzip";

/**
 * The offered coding that the client prefers (RFC 9110, 12.5.3), the first one if equal; undefined if it accepts none.
 */
export function codingFor(request: Request, offered: readonly Coding[]): Coding | undefined {
  const weights = new Map(
    (request.headers.get("accept-encoding") ?? "")
      .slice(0, 500)
      .toLowerCase()
      .split(",")
      .map((item): [string, number] => {
        const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith("q="));
        return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
      }),
  );
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get("*") ?? 0;
  return offered.filter((coding) => weightOf(coding) > 0).sort((one, other) => weightOf(other) - weightOf(one))[0];
}

/** A file for browsers, plain and compressed. */
export interface BrowserFile {
  /** The `content-type`. */
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  /** Undefined for content that is compressed already. */
  readonly gzipped: Uint8Array<ArrayBuffer> | undefined;
}

export function browserFile(text: string, type: string): BrowserFile {
  const plain = new TextEncoder().encode(text);
  return { type, plain, gzipped: Bun.gzipSync(plain, { level: 9 }) };
}

/** A file whose content is compressed already, such as a font. */
export const binaryFile = (plain: Uint8Array<ArrayBuffer>, type: string): BrowserFile => ({
  type,
  plain,
  gzipped: undefined,
});

/** Returns a file, compressed if the client accepts gzip; `headers` say how long it may be cached. */
export function answerFile(
  request: Request,
  { type, plain, gzipped }: BrowserFile,
  headers: Readonly<Record<string, string>>,
): Response {
  const packed = codingFor(request, ["gzip"]) === undefined ? undefined : gzipped;
  return new Response(packed ?? plain, {
    headers: {
      "content-type": type,
      vary: "accept-encoding",
      ...(packed ? { "content-encoding": "gzip" } : {}),
      ...headers,
    },
  });
}

/** Shorter responses fit into one packet. */
const MIN_BYTES = 1_400;
/** Not event streams and tables, which are sent while they are written, and not archives, which are compressed already. */
const TEXTS = /^(?:application\/json|text\/(?!event-stream|csv))/;
const OFFERED: readonly Coding[] = ["zstd", "gzip"];
/** Both run on another thread. */
const COMPRESS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  zstd: (bytes) => Bun.zstdCompress(bytes),
  gzip: promisify(gzip),
};

/**
 * Compresses long text responses.
 *
 * This is safe from BREACH, where a foreign page makes a browser send guesses and reads the compressed length: browsers
 * send no credentials for foreign pages. The API key and the operator token are headers that a page must know, and the
 * console's cookie is same-site and needs a custom header. Secrets are only in responses that are too short to compress.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { status } = response;
  const headers = new Headers(response.headers);
  const isText = status === 200 && TEXTS.test(headers.get("content-type") ?? "");
  // A response with `vary` was compressed before.
  if (!(isText || status === 304) || headers.has("vary")) return response;
  headers.set("vary", "accept-encoding");
  if (status === 304) return new Response(null, { status, headers });
  const bytes = await response.bytes();
  const coding = bytes.length < MIN_BYTES ? undefined : codingFor(request, OFFERED);
  if (coding === undefined) return new Response(bytes, { status, headers });
  headers.set("content-encoding", coding);
  return new Response(new Uint8Array(await COMPRESS[coding](bytes)), { status, headers });
}
