import type { FoundPassages, PassageFilter, PassageRows } from "./passage-memory.ts";

/** A part of a message to the thread, which handles one at a time. */
export type SearchRequest =
  | { readonly type: "terms"; readonly texts: readonly string[] }
  | { readonly type: "open"; readonly memory: number; readonly dimensions: number }
  | { readonly type: "add"; readonly memory: number; readonly rows: PassageRows }
  | { readonly type: "remove"; readonly memory: number; readonly studies: readonly string[] }
  | {
      readonly type: "keepOnly";
      readonly memory: number;
      readonly passages: Float64Array;
      readonly writes: Float64Array;
    }
  | { readonly type: "counts"; readonly memory: number }
  | ({ readonly type: "nearest"; readonly memory: number; readonly vector: Float32Array } & Limits)
  | ({ readonly type: "keyword"; readonly memory: number; readonly query: string } & Limits)
  | { readonly type: "close"; readonly memory: number };

interface Limits {
  readonly limit: number;
  readonly filter: PassageFilter;
}

/** What the thread returns, by the type of the request. */
interface Results {
  readonly terms: Pick<PassageRows, "terms" | "offsets">;
  readonly open: undefined;
  readonly add: undefined;
  readonly remove: undefined;
  readonly keepOnly: readonly number[];
  readonly counts: { readonly passages: number; readonly removed: number };
  readonly nearest: FoundPassages;
  readonly keyword: FoundPassages;
  readonly close: undefined;
}

export type NumberedRequest = SearchRequest & { readonly id: number };

export type SearchResponse = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string });

/** The thread in which the passages of an index are searched, so that searches do not block the main thread. */
export interface SearchThread {
  readonly hasEnded: boolean;
  /**
   * @param moved buffers of the request that are moved to the thread in place of being copied
   * @throws Error when the request failed or the thread has ended
   */
  send<R extends SearchRequest>(request: R, moved?: ArrayBuffer[]): Promise<Results[R["type"]]>;
  end(): void;
}

/** The executable holds each entry point at its path within `src`, and the program as one bundle at the root. */
const IN_EXECUTABLE = /^file:\/\/\/(\$bunfs|[A-Z]:\/~BUN)\//.test(import.meta.url);
const ENTRY = new URL(IN_EXECUTABLE ? "./casestudies/index/search-thread.ts" : "./search-thread.ts", import.meta.url)
  .href;

export function startSearchThread(): SearchThread {
  const worker = new Worker(ENTRY);
  const waiting = new Map<number, { resolve(result: never): void; reject(reason: Error): void }>();
  let sent = 0;
  let hasEnded = false;
  /** Requests of the current turn of the event loop, such as the two of one search: they are sent as one message. */
  let unsent: { requests: NumberedRequest[]; moved: ArrayBuffer[] } = { requests: [], moved: [] };

  const flush = () => {
    const { requests, moved } = unsent;
    unsent = { requests: [], moved: [] };
    if (hasEnded) return;
    try {
      worker.postMessage(requests, moved);
    } catch (error) {
      for (const { id } of requests) {
        waiting.get(id)?.reject(error instanceof Error ? error : new Error(String(error)));
        waiting.delete(id);
      }
    }
  };

  worker.onmessage = ({ data }: MessageEvent<readonly SearchResponse[]>) => {
    for (const response of data) {
      const caller = waiting.get(response.id);
      waiting.delete(response.id);
      if ("error" in response) caller?.reject(new Error(response.error));
      else caller?.resolve(response.result as never);
    }
    if (waiting.size === 0) worker.unref();
  };
  const fail = () => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(new Error("The thread that searches has ended."));
    waiting.clear();
  };
  worker.addEventListener("error", fail);
  worker.addEventListener("close", fail);
  // An idle thread does not keep the process alive; a pending request does.
  worker.unref();

  return {
    get hasEnded() {
      return hasEnded;
    },
    send(request, moved = []) {
      if (hasEnded) return Promise.reject(new Error("The thread that searches has ended."));
      const id = sent;
      sent += 1;
      if (waiting.size === 0) worker.ref();
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        if (unsent.requests.length === 0) queueMicrotask(flush);
        unsent.requests.push({ id, ...request });
        unsent.moved.push(...moved);
      });
    },
    end() {
      fail();
      worker.terminate();
    },
  };
}
