import type { Accounts } from "../accounts/accounts.ts";
import type { ClientLimits } from "../accounts/client-limits.ts";
import type { Operator } from "../accounts/operator.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Store } from "../store/store.ts";
import type { Category } from "../vocabulary/fingerprint.ts";
import type { EnrichmentVerbs } from "./enrichment.ts";

export type { Account, IssuedKey, KeyEntry, QuotaState } from "../accounts/accounts.ts";
export type { Enrichment, EnrichOptions, SeenDetection, Step } from "./enrichment.ts";

/** Everything that Casefile does, however it is asked. Surfaces know nothing else. */
export interface App extends EnrichmentVerbs {
  readonly version: string;
  readonly categories: readonly Category[];
  readonly accounts: Accounts;
  readonly operator: Operator;
  readonly clientLimits: ClientLimits;
  stats(): Promise<ServiceStats>;
  /** Whether the store answers; the reason when it does not. */
  ready(): Promise<{ readonly ready: boolean; readonly reason: string | null }>;
  /** Ends scans, closes sockets and the store. */
  close(): Promise<void>;
}

export interface ServiceStats {
  readonly companies: number;
  readonly case_studies: number;
  readonly industries: number;
  readonly tools: number;
  readonly categories: number;
  readonly domains_enriched: number;
  /** ISO 8601 UTC of the newest change; null before the first. */
  readonly updated_at: string | null;
  readonly version: string;
}

export interface AppParts {
  readonly version: string;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly operator: Operator;
  readonly clientLimits: ClientLimits;
  readonly catalogue: Catalogue;
  readonly enrichment: EnrichmentVerbs;
  /** What else is to be closed, in order. */
  readonly closing: readonly (() => void | Promise<void>)[];
}

/** The verbs over parts that were built before. */
export function createApp(parts: AppParts): App {
  const { version, store, catalogue, enrichment } = parts;
  return {
    ...enrichment,
    version,
    categories: [...catalogue.categories.values()],
    accounts: parts.accounts,
    operator: parts.operator,
    clientLimits: parts.clientLimits,

    async stats() {
      const stored = await store.stats.read();
      return {
        tools: catalogue.tools.size,
        categories: new Set([...catalogue.tools.values()].map((tool) => tool.category)).size,
        ...stored,
        version,
      };
    },

    async ready() {
      try {
        await store.stats.read();
        return { ready: true, reason: null };
      } catch {
        return { ready: false, reason: "The store does not answer; check the data directory." };
      }
    },

    async close() {
      enrichment.stop();
      for (const close of parts.closing) await close();
      await store.close();
    },
  };
}
