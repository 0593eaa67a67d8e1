import { readPdf } from "./pdf.ts";

/** Reads one PDF and ends: pdf.js cannot be stopped in the middle of a page, a thread can. */

declare const self: Worker;

self.onmessage = async ({ data }: MessageEvent<Uint8Array>) => {
  try {
    self.postMessage(await readPdf(data));
  } catch {
    // Whatever is wrong with the file, it has no text for us.
    self.postMessage(null);
  }
};
