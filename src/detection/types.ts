import type { MailRole } from "./fingerprints/types.ts";
import type { SignalKind } from "./signals.ts";

/** The phases of a scan, in the order in which they usually finish. */
export const PHASES = ["identity", "website", "hosting", "subdomains", "hiring", "disclosures"] as const;
export type Phase = (typeof PHASES)[number];

export type SourceStatus = "ok" | "empty" | "timeout" | "failed" | "skipped";

/**
 * The outcome of one scanner. `empty` means that it ran and found nothing; it never hides a failure. A scanner that
 * `failed` may still have emitted signals, such as the headers of a bot wall.
 */
export interface SourceOutcome {
  readonly source: string;
  readonly status: SourceStatus;
  readonly duration_ms: number;
  /** One sentence, or null. */
  readonly detail: string | null;
  /**
   * ISO 8601 UTC: the newest recording that this data source read. Only in a report on several recordings: elsewhere it
   * is `scanned_at`.
   */
  readonly observed_at?: string;
}

/** One piece of evidence that a tool is used. */
export interface Evidence {
  /** The id of the scanner, or `catalogue` for an implied tool. */
  readonly source: string;
  readonly signal: SignalKind | "implied";
  /** The matched value; secrets and tokens are cut to a recognisable prefix. */
  readonly value: string;
  readonly location: string;
  /** `TOOL-ID/RULE-ID`. */
  readonly rule: string;
  readonly strength: "weak" | "strong" | "certain";
}

/** One tool that the company uses. */
export interface Detection {
  /** Id of the fingerprint. */
  readonly id: string;
  readonly tool: string;
  /** Category label. */
  readonly category: string;
  readonly vendor: string;
  readonly website: string;
  readonly version: string | null;
  /** 0 to 1, rounded to two decimals. */
  readonly confidence: number;
  /** What the best evidence means. */
  readonly means: "runs" | "sends-as" | "verified-once" | "declares" | "mentions";
  readonly evidence: readonly Evidence[];
}

/** A third-party domain that belongs to no known tool. */
export interface ThirdParty {
  /** Registered domain. */
  readonly domain: string;
  /** Its hosts that were seen, five at most. */
  readonly hosts: readonly string[];
  /** The first place for each kind of signal, five kinds at most. */
  readonly seen: readonly { readonly signal: SignalKind; readonly location: string }[];
}

/** Signals by which companies can be searched, whether a rule matched them or not; 200 of each kind at most. */
export interface RawSignals {
  /** Hosts of other sites from which pages load scripts. */
  readonly scripts: readonly string[];
  /** Names of verification records, without the token: `vendor-verification=`. */
  readonly txt: readonly string[];
  /** Hosts of other sites for which the company's hosts are aliases. */
  readonly cnames: readonly string[];
}

/** The result of one scan, as it is stored. */
export interface Report {
  readonly domain: string;
  /** Sorted by category label, then name; each tool once. */
  readonly detections: readonly Detection[];
  /** Below the minimum confidence, in the same order. Reports of earlier releases have none. */
  readonly possible?: readonly Detection[];
  /** By domain, 300 at most. Reports of earlier releases have none. */
  readonly third_parties?: readonly ThirdParty[];
  /** Reports of earlier releases have none. */
  readonly raw_signals?: RawSignals;
  readonly sources: readonly SourceOutcome[];
  /** ISO 8601 UTC. */
  readonly scanned_at: string;
  readonly duration_ms: number;
  /** Digest of everything that decides which tools a scan detects: scans are compared only under the same rules. */
  readonly rules?: string;
  /** Ids of the scanners that ran; absent when all did. */
  readonly only?: readonly string[];
}

/** A detection with what this installation knows about the tool. */
export interface EnrichedDetection extends Detection {
  /** ISO 8601 UTC: the first and the last scan of this installation that detected the tool. */
  readonly first_seen: string;
  readonly last_seen: string;
  /** Name of the tool that this one is a part of. */
  readonly product_of: string | null;
  /** What the tool does with the company's email. */
  readonly roles: readonly MailRole[];
}

/** A report as callers get it: what has the minimum confidence that they asked for. */
export interface Enrichment extends Omit<Report, "detections" | "possible"> {
  readonly detections: readonly EnrichedDetection[];
  /** True for a stored result, false for a new scan. */
  readonly cached: boolean;
  /** Why an older stored result could not be renewed, in one sentence; absent when it is as new as requested. */
  readonly stale_reason?: string;
}

/** One step of a running scan; the last one carries the result. */
export type Step =
  | { readonly phase: Phase; readonly detections: readonly Detection[] }
  | { readonly phase: "complete"; readonly enrichment: Enrichment };

/**
 * Kinds of unmatched signals: `verification` by the prefix of a TXT record, `script` and `alias` (a CNAME target) by
 * the registered domain.
 */
export const UNMATCHED_KINDS = ["verification", "script", "alias"] as const;
export type UnmatchedKind = (typeof UNMATCHED_KINDS)[number];

/** A signal that no rule matched. */
export interface UnmatchedSignal {
  readonly kind: UnmatchedKind;
  /** `vendor-verification=`, or a registered domain. */
  readonly value: string;
  /** The host; for a verification the value again, because the rest of the record is a secret. */
  readonly example: string;
}

/** An unmatched signal, counted over companies. */
export interface UnmatchedCount extends UnmatchedSignal {
  /** Companies whose newest scan found it. */
  readonly companies: number;
  /** One of them. */
  readonly domain: string;
  /** ISO 8601 UTC. */
  readonly last_seen: string;
}

/** The operator's report that a tool was detected for a domain where it is not used. */
export interface FalsePositive {
  readonly domain: string;
  readonly tool_id: string;
  /** Its name when it was reported. */
  readonly tool: string;
  /** `TOOL-ID/RULE-ID` of the rules that matched; they are suppressed for this domain. */
  readonly rules: readonly string[];
  readonly note: string | null;
  /** ISO 8601 UTC. */
  readonly reported_at: string;
}
