import { createKeyedSemaphore } from "../core/async.ts";
import { isWriteFault } from "../db/faults.ts";
import type { Usage } from "./repository.ts";

/** Usage that is counted in memory while it cannot be written. */
interface UnwrittenUsage extends Usage {
  /** Writes what was counted meanwhile. @throws while the disk is still full */
  flush(): Promise<void>;
}

/**
 * Counts in memory while the disk is full or read-only, so that requests that only read are answered, and writes the
 * counts as soon as it can. The calls for one key take turns: this process never grants more than the limit. A process
 * that is killed meanwhile loses its counts.
 */
export function withUnwrittenUsage(stored: Usage): UnwrittenUsage {
  const unwritten = new Map<string, { readonly keyId: string; readonly month: string; units: number }>();
  const turns = createKeyedSemaphore(1);
  const never = new AbortController().signal;

  const nameOf = (keyId: string, month: string) => `${month} ${keyId}`;
  const inTurn = async <T>(keyId: string, work: () => Promise<T>): Promise<T> => {
    const release = await turns(keyId, never);
    try {
      return await work();
    } finally {
      release();
    }
  };
  const waiting = (keyId: string, month: string) => unwritten.get(nameOf(keyId, month))?.units ?? 0;
  const count = (keyId: string, month: string, units: number) => {
    unwritten.set(nameOf(keyId, month), { keyId, month, units: waiting(keyId, month) + units });
  };
  /** Runs in the turn of the key. */
  const write = async (keyId: string, month: string): Promise<void> => {
    const units = waiting(keyId, month);
    if (units > 0) await stored.spend(keyId, month, units, Number.MAX_SAFE_INTEGER);
    if (units < 0) await stored.refund(keyId, month, -units);
    unwritten.delete(nameOf(keyId, month));
  };
  const flush = async () => {
    for (const { keyId, month } of [...unwritten.values()]) await inTurn(keyId, () => write(keyId, month));
  };
  const used = async (keyId: string, month: string) =>
    Math.max(0, (await stored.used(keyId, month)) + waiting(keyId, month));

  return {
    flush,
    used,

    async spend(keyId, month, units, limit) {
      const spent = await inTurn(keyId, async () => {
        try {
          await write(keyId, month);
          return { ...(await stored.spend(keyId, month, units, limit)), isWritten: true };
        } catch (error) {
          if (!isWriteFault(error)) throw error;
          const before = await used(keyId, month);
          if (before + units > limit) return { granted: false, used: before, isWritten: false };
          count(keyId, month, units);
          return { granted: true, used: before + units, isWritten: false };
        }
      });
      // The disk has room again. Counts that still cannot be written stay in memory.
      if (spent.isWritten && unwritten.size > 0)
        await flush().catch((error) => {
          if (!isWriteFault(error)) throw error;
        });
      return { granted: spent.granted, used: spent.used };
    },

    refund: (keyId, month, units) =>
      inTurn(keyId, async () => {
        try {
          await write(keyId, month);
          return await stored.refund(keyId, month, units);
        } catch (error) {
          if (!isWriteFault(error)) throw error;
          count(keyId, month, -units);
          return await used(keyId, month);
        }
      }),
  };
}
