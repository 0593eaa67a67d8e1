import { promisify } from "node:util";
import { gzip, zstdCompress } from "node:zlib";

export type Coding = "zstd" | "gzip";

/**
 * The coding that a client would rather have (RFC 9110, 12.5.3), of equals the one that is offered first; undefined when
 * it takes none of them, or said nothing.
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

/** A text that browsers load, as it is and compressed. */
export interface BrowserFile {
  /** As `content-type` has it. */
  readonly type: string;
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
}

export function browserFile(text: string, type: string): BrowserFile {
  const plain = new TextEncoder().encode(text);
  return { type, plain, gzipped: Bun.gzipSync(plain, { level: 9 }) };
}

/** Answers with a file, compressed for who takes that; the headers say how long a browser may keep it. */
export function answerFile(
  request: Request,
  { type, plain, gzipped }: BrowserFile,
  headers: Readonly<Record<string, string>>,
): Response {
  const takes = codingFor(request, ["gzip"]) !== undefined;
  return new Response(takes ? gzipped : plain, {
    headers: {
      "content-type": type,
      vary: "accept-encoding",
      ...(takes ? { "content-encoding": "gzip" } : {}),
      ...headers,
    },
  });
}

/** It fits into one packet, and compressing it would win nothing. */
const LEAST_BYTES = 1_400;
/** Events are sent as they come, an archive is compressed already, and what a cache may not change we do not either. */
const TEXTS = /^(?:application\/json|text\/(?!event-stream))/;
const OFFERED: readonly Coding[] = ["zstd", "gzip"];
/** Both work on another thread. */
const COMPRESS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  zstd: promisify(zstdCompress),
  gzip: promisify(gzip),
};

/**
 * The answer in a coding that the client takes, when it is a long text.
 *
 * Compression beside a secret can be made to tell it (BREACH): a stranger's page has a browser ask again and again with
 * guesses, and the length says which was right. Here a browser brings no authority along for a stranger: the key and the
 * operator's token are headers that a page has to know, the console's cookie is kept to its own site and does nothing
 * without a header of its own. And what is secret, a key or a webhook's, is told once, in an answer that is too short.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  const { status } = response;
  const headers = new Headers(response.headers);
  const isText = status === 200 && TEXTS.test(headers.get("content-type") ?? "");
  // A file that says what it varies by was compressed beforehand.
  if (!(isText || status === 304) || headers.has("vary")) return response;
  headers.set("vary", "accept-encoding");
  if (status === 304) return new Response(null, { status, headers });
  const bytes = await response.bytes();
  const coding = bytes.length < LEAST_BYTES ? undefined : codingFor(request, OFFERED);
  if (coding === undefined) return new Response(bytes, { status, headers });
  headers.set("content-encoding", coding);
  return new Response(new Uint8Array(await COMPRESS[coding](bytes)), { status, headers });
}
