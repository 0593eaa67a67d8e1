import { readPdf } from "./pdf.ts";

/** Reads one PDF. pdf.js cannot be interrupted within a page; a thread can be terminated. */

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<Uint8Array>) => {
  try {
    self.postMessage(await readPdf(data));
  } catch {
    // The file is not a PDF, encrypted or damaged.
    self.postMessage(null);
  }
};
