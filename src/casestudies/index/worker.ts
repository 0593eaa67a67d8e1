import type { Indexer, IndexWork } from "./indexer.ts";

export interface IndexWorker {
  /** Looks for changes now. */
  wake(): void;
  /** Resolves when the running work has ended. */
  stop(): Promise<void>;
}

interface IndexWorkerOptions extends Pick<Indexer, "optimise"> {
  readonly drain: (work?: IndexWork) => Promise<number>;
  /** Milliseconds between two checks for changes of other processes. */
  readonly pollMs: number;
  /** Milliseconds after which a changed index is compacted. */
  readonly optimiseEveryMs: number;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Changed case studies after which the index is compacted. Searches do not read its files, but a compaction writes all of
 * them again: 250 MB with 421,000 passages.
 */
export const MANY_CHANGES = 1_000;

/** Keeps the index up to date while a service runs: LanceDB never compacts by itself. */
export function startIndexWorker({
  drain,
  optimise,
  pollMs,
  optimiseEveryMs,
  onError,
}: IndexWorkerOptions): IndexWorker {
  const stopping = new AbortController();
  let changed = 0;
  let optimisedAt = performance.now();
  let running: Promise<void> = Promise.resolve();
  let idle = true;

  const update = async () => {
    try {
      changed += await drain({ signal: stopping.signal });
      const due = performance.now() - optimisedAt >= optimiseEveryMs;
      if (changed === 0 || !(due || changed >= MANY_CHANGES)) return;
      await optimise();
      changed = 0;
      optimisedAt = performance.now();
    } catch (error) {
      if (!stopping.signal.aborted) onError("maintaining the index", error);
    } finally {
      idle = true;
    }
  };
  const wake = () => {
    if (!idle || stopping.signal.aborted) return;
    idle = false;
    running = update();
  };
  const timer = setInterval(wake, pollMs);
  wake();

  return {
    wake,
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error("the service is stopping"));
      await running;
    },
  };
}
