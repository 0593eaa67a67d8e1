import { codingFor } from "./content-coding.ts";

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
