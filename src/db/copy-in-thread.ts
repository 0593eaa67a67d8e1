export interface CopyOrder {
  readonly from: string;
  readonly to: string;
}

/** `message` is null when it went well. */
export type CopyAnswer = { readonly message: null } | { readonly message: string; readonly code: string };

/** An executable holds each entry point under its place in `src`; its program is one bundle at the root. */
const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);
const ENTRY = new URL(IN_EXECUTABLE ? "./db/copy-thread.ts" : "./copy-thread.ts", import.meta.url).href;

/**
 * Writes a whole and consistent copy of a database file while this process goes on answering, and others write.
 *
 * @throws Error with the `code` of SQLite or of the system; the signal's reason
 */
export async function copyInThread(order: CopyOrder, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const worker = new Worker(ENTRY);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const aborted = () => reject(signal?.reason);
  signal?.addEventListener("abort", aborted, { once: true });
  worker.onmessage = ({ data }: MessageEvent<CopyAnswer>) =>
    data.message === null ? resolve() : reject(Object.assign(new Error(data.message), { code: data.code }));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    reject(new Error(`The thread that copies broke: ${event.message}`));
  });
  worker.addEventListener("close", () => reject(new Error("The thread that copies has ended.")));
  try {
    worker.postMessage(order);
    await promise;
  } finally {
    signal?.removeEventListener("abort", aborted);
    worker.terminate();
  }
}
