import type { DnsAnswer } from "../../vocabulary/snapshot.ts";

export interface AnswerCache {
  find(key: string): DnsAnswer | undefined;
  keep(key: string, answer: DnsAnswer): void;
}

export interface CacheSettings {
  /** Longest time that records are kept, whatever their TTL says. */
  readonly cacheSeconds: number;
  /** How long "no such name" and "no such record" are kept. */
  readonly negativeCacheSeconds: number;
  readonly maxEntries: number;
}

/** Answers by key, the least recently used forgotten first. Failures are never kept: the next caller tries again. */
export function createAnswerCache(settings: CacheSettings, clock: () => number): AnswerCache {
  const entries = new Map<string, { readonly answer: DnsAnswer; readonly until: number }>();

  function lifetime(answer: DnsAnswer): number {
    if (answer.status === "nxdomain") return settings.negativeCacheSeconds;
    if (answer.status !== "ok") return 0;
    if (answer.records.length === 0) return settings.negativeCacheSeconds;
    return Math.min(settings.cacheSeconds, ...answer.records.map((record) => record.ttl ?? 0));
  }

  return {
    find(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      if (entry.until <= clock()) return undefined;
      entries.set(key, entry);
      return entry.answer;
    },
    keep(key, answer) {
      const seconds = lifetime(answer);
      if (seconds <= 0) return;
      entries.delete(key);
      entries.set(key, { answer, until: clock() + seconds * 1_000 });
      for (const oldest of entries.keys()) {
        if (entries.size <= settings.maxEntries) break;
        entries.delete(oldest);
      }
    },
  };
}
