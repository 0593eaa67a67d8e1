import type { DataSources } from "../../core/data-sources.ts";
import type { Domain } from "../../core/domain.ts";
import type { HttpOptions } from "../../net/exchange.ts";
import type { RecordType } from "../../net/snapshot.ts";
import type { Progress } from "../engine.ts";
import type { Report, SourceOutcome, UnmatchedSignal } from "../types.ts";
import type { Known } from "../visit/visit.ts";

/** Name of the task that `scan-child.ts` runs. */
export const SCAN_TASK = "scan";

/** What a process needs to run the scanners of one scan. */
export interface ScanRequest {
  readonly domain: Domain;
  readonly sources: DataSources;
  readonly known: Known;
  /** Whether the visit has a browser. */
  readonly browses: boolean;
  readonly minConfidence: number;
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly suppressed: readonly string[];
  /** Ids of the scanners to run; by default all. */
  readonly only?: readonly string[] | undefined;
  /** Whether somebody reads the progress; a message follows when somebody begins to. */
  readonly isWatched: boolean;
}

/** A lookup of a scanner, which only the parent can answer: the process opens no connection. */
export type Lookup =
  | { readonly kind: "dns"; readonly name: string; readonly type: RecordType }
  | { readonly kind: "http"; readonly url: string; readonly options: HttpOptions }
  | { readonly kind: "certificate"; readonly host: string }
  | { readonly kind: "browse"; readonly url: string };

/** A lookup of a scan, by its number. */
export interface AskedLookup {
  readonly scan: number;
  readonly lookup: number;
  readonly of: Lookup;
}

/** The answer to a lookup; none when the visit is over. */
export interface LookupAnswer {
  readonly scan: number;
  readonly lookup: number;
  readonly value?: unknown;
  /** Exchanges of the answer that were part of an earlier one; their bodies are not sent again. */
  readonly known?: readonly KnownExchange[];
}

/** The exchange at `hop` is that at `knownHop` of the answer to `knownLookup`. */
export interface KnownExchange {
  readonly hop: number;
  readonly knownLookup: number;
  readonly knownHop: number;
}

export type ToChild =
  /** First of all messages. */
  | { readonly type: "open"; readonly folders: readonly string[] }
  | { readonly type: "scan"; readonly scan: number; readonly request: ScanRequest }
  /** A piece of the bodies of the next answer to this lookup; the child acknowledges each. */
  | {
      readonly type: "piece";
      readonly scan: number;
      readonly lookup: number;
      readonly hop: number;
      readonly text: string;
    }
  | { readonly type: "answers"; readonly answers: readonly LookupAnswer[] }
  | { readonly type: "watch"; readonly scan: number }
  | { readonly type: "abort"; readonly scan: number }
  | { readonly type: "ping" };

export type FromChild =
  | { readonly type: "lookups"; readonly lookups: readonly AskedLookup[] }
  /** Only the phase when the lists are the same as in the message before. */
  | { readonly type: "progress"; readonly scan: number; readonly progress: Progress | Pick<Progress, "phase"> }
  | { readonly type: "outcome"; readonly scan: number; readonly outcome: SourceOutcome }
  | { readonly type: "bug"; readonly scan: number; readonly source: string; readonly message: string }
  | {
      readonly type: "done";
      readonly scan: number;
      readonly report: Report;
      readonly unmatched: readonly UnmatchedSignal[];
    }
  | { readonly type: "failed"; readonly scan: number; readonly message: string }
  | { readonly type: "taken" }
  | { readonly type: "pong" };
