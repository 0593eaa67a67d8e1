import type { SignalKind } from "./signals.ts";

/** The phases of a scan, in the order in which they normally end. */
export const PHASES = ["identity", "website", "hosting", "subdomains", "hiring", "disclosures"] as const;
export type Phase = (typeof PHASES)[number];

export type SourceStatus = "ok" | "empty" | "timeout" | "failed" | "skipped";

/**
 * How one scanner fared. `empty` means that it looked and saw nothing; it never hides a failure. One that `failed` may
 * have seen something nevertheless, such as the head of a page that keeps bots out.
 */
export interface SourceOutcome {
  readonly source: string;
  readonly status: SourceStatus;
  readonly duration_ms: number;
  /** One sentence when there is something to say, else null. */
  readonly detail: string | null;
}

/** One proof that a tool is used. */
export interface Evidence {
  /** The scanner that saw it, or `catalogue` for an implied tool. */
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
  /** What the best evidence says of the company. */
  readonly means: "runs" | "sends-as" | "verified-once" | "mentions";
  readonly evidence: readonly Evidence[];
}

/** The result of one scan, before it is stored. */
export interface Report {
  readonly domain: string;
  /** Sorted by category label, then name; a tool stands once. */
  readonly detections: readonly Detection[];
  readonly sources: readonly SourceOutcome[];
  /** ISO 8601 UTC. */
  readonly scanned_at: string;
  readonly duration_ms: number;
}

/**
 * What a scan saw and no rule knows: `verification` by the start of its TXT record, `script` and `alias` (a CNAME's
 * target) by the domain that is registered.
 */
export const UNMATCHED_KINDS = ["verification", "script", "alias"] as const;
export type UnmatchedKind = (typeof UNMATCHED_KINDS)[number];

export interface UnmatchedSignal {
  readonly kind: UnmatchedKind;
  /** `vendor-verification=`, or a registered domain. */
  readonly value: string;
  /** The host that was seen; the value again for a verification, whose rest is a secret. */
  readonly example: string;
}

/** One entry of the discovery queue. */
export interface UnmatchedCount extends UnmatchedSignal {
  /** Companies whose newest scan saw it. */
  readonly companies: number;
  /** One of them. */
  readonly domain: string;
  /** ISO 8601 UTC. */
  readonly last_seen: string;
}

/** The operator's word that a tool which was told of a domain is not there. */
export interface FalsePositive {
  readonly domain: string;
  readonly tool_id: string;
  /** Its name when it was reported. */
  readonly tool: string;
  /** `TOOL-ID/RULE-ID`: what told it, and tells it no more of this domain. */
  readonly rules: readonly string[];
  readonly note: string | null;
  /** ISO 8601 UTC. */
  readonly reported_at: string;
}
