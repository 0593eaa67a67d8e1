import type { PdfText } from "./pdf.ts";

export interface PdfLimits {
  readonly timeoutMs: number;
  /** Bytes that the program may grow by while a file is read. */
  readonly memory: number;
}

export const PDF_LIMITS: PdfLimits = { timeoutMs: 20_000, memory: 1_073_741_824 };
const MAX_BYTES = 8 * 1_048_576;
const LOOK_MS = 100;

/** An executable holds each entry point under its place in `src`; its program is one bundle at the root. */
const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);
const ENTRY = new URL(IN_EXECUTABLE ? "./casestudies/extract/pdf-thread.ts" : "./pdf-thread.ts", import.meta.url).href;

/**
 * Reads the text of a PDF in a thread that is ended when it takes too long or too much. Null for what is no PDF, is
 * encrypted or broken, has more than 8 MiB, or met a limit.
 */
export async function readPdfInThread(
  bytes: Uint8Array,
  { timeoutMs, memory }: PdfLimits = PDF_LIMITS,
): Promise<PdfText | null> {
  // Readers look for the mark in the first kilobyte; what has none is not worth a thread.
  if (bytes.length > MAX_BYTES || Buffer.from(bytes.subarray(0, 1_024)).indexOf("%PDF-") < 0) return null;
  const worker = new Worker(ENTRY);
  const before = process.memoryUsage.rss();
  const { promise, resolve } = Promise.withResolvers<PdfText | null>();
  worker.onmessage = ({ data }: MessageEvent<PdfText | null>) => resolve(data);
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    resolve(null);
  });
  worker.addEventListener("close", () => resolve(null));
  const end = setTimeout(() => resolve(null), timeoutMs);
  const look = setInterval(() => {
    if (process.memoryUsage.rss() > before + memory) resolve(null);
  }, LOOK_MS);
  try {
    // Its own copy: pdf.js takes the bytes for itself.
    worker.postMessage(bytes.slice());
    return await promise;
  } finally {
    clearTimeout(end);
    clearInterval(look);
    worker.terminate();
  }
}
