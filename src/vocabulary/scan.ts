import type { SignalKind } from "./signal.ts";

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
