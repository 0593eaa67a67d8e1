import type { Indexer } from "./indexer.ts";

export interface Upkeep {
  /** Something was changed: look at the outbox now. */
  wake(): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

export interface UpkeepOptions {
  /** Milliseconds between two looks at the outbox; other processes write to it too. */
  readonly everyMs: number;
  /** Milliseconds after which an index that was changed is compacted. */
  readonly optimiseEveryMs: number;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * After so many changed case studies the index is brought up to date: measured at 400,000 passages, each hundred that
 * it does not know yet adds about 4 ms to a search by words, and a case study has about four.
 */
export const MANY_CHANGES = 75;

/** Keeps the index up to date while a service runs: LanceDB never compacts by itself. */
export function startUpkeep(indexer: Pick<Indexer, "drain" | "optimise">, options: UpkeepOptions): Upkeep {
  const stopping = new AbortController();
  let changed = 0;
  let optimised = performance.now();
  let running: Promise<void> = Promise.resolve();
  let idle = true;

  const look = async () => {
    try {
      changed += await indexer.drain({ signal: stopping.signal });
      const due = performance.now() - optimised >= options.optimiseEveryMs;
      if (changed === 0 || !(due || changed >= MANY_CHANGES)) return;
      await indexer.optimise();
      changed = 0;
      optimised = performance.now();
    } catch (error) {
      if (!stopping.signal.aborted) options.onError("upkeep of the index", error);
    } finally {
      idle = true;
    }
  };
  const wake = () => {
    if (!idle || stopping.signal.aborted) return;
    idle = false;
    running = look();
  };
  const timer = setInterval(wake, options.everyMs);
  wake();

  return {
    wake,
    async stop() {
      clearInterval(timer);
      stopping.abort(new Error("the service stops"));
      await running;
    },
  };
}
