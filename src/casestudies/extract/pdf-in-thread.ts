import type { PdfText } from "./pdf.ts";

export interface PdfLimits {
  readonly timeoutMs: number;
  /** Bytes by which the process may grow while a file is read. */
  readonly memory: number;
}

export const PDF_LIMITS: PdfLimits = { timeoutMs: 20_000, memory: 1_073_741_824 };
const MAX_BYTES = 8 * 1_048_576;
const MEMORY_CHECK_MS = 100;

/** The executable contains entry points under their path in `src`, and the rest as one bundle at its root. */
const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);
const ENTRY = new URL(IN_EXECUTABLE ? "./casestudies/extract/pdf-thread.ts" : "./pdf-thread.ts", import.meta.url).href;

/**
 * Reads the text of a PDF in a thread, which is terminated when it exceeds the limits of time or memory. Null for a file
 * that is not a PDF, is encrypted or damaged, is larger than 8 MiB, or exceeded a limit.
 */
export async function readPdfInThread(
  bytes: Uint8Array,
  { timeoutMs, memory }: PdfLimits = PDF_LIMITS,
): Promise<PdfText | null> {
  // PDF readers accept the header anywhere in the first kilobyte.
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
  const timeout = setTimeout(() => resolve(null), timeoutMs);
  const memoryCheck = setInterval(() => {
    if (process.memoryUsage.rss() > before + memory) resolve(null);
  }, MEMORY_CHECK_MS);
  try {
    // A copy, because pdf.js transfers the bytes.
    worker.postMessage(bytes.slice());
    return await promise;
  } finally {
    clearTimeout(timeout);
    clearInterval(memoryCheck);
    worker.terminate();
  }
}
