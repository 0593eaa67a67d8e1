import { raceAbort } from "../core/async.ts";

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

/** `message` is null on success. */
export type CopyResult = { readonly message: null } | { readonly message: string; readonly code: string };

/** An executable has each worker under its path in `src`, while the program is one bundle at the root. */
const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);
const ENTRY = new URL(IN_EXECUTABLE ? "./db/copy-thread.ts" : "./copy-thread.ts", import.meta.url).href;

/**
 * Writes a complete, consistent copy of a database file in a thread, while this process and others keep writing to it.
 *
 * @throws Error with the `code` of SQLite or of the system; the signal's reason
 */
export async function copyInThread(request: CopyRequest, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const worker = new Worker(ENTRY);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.onmessage = ({ data }: MessageEvent<CopyResult>) =>
    data.message === null ? resolve() : reject(Object.assign(new Error(data.message), { code: data.code }));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    reject(new Error(`The copy thread failed: ${event.message}`));
  });
  worker.addEventListener("close", () => reject(new Error("The copy thread ended.")));
  try {
    worker.postMessage(request);
    await raceAbort(promise, signal);
  } finally {
    worker.terminate();
  }
}
