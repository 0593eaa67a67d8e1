import type { Meaning, Strength } from "./fingerprints/types.ts";
import type { SignalKind } from "./signals.ts";

/**
 * Every number of the judgement, with its reason. They are chances, read as "of a hundred such proofs, so many are
 * right"; `bun run eval detection` shows what a change does.
 */

/** What one rule proves by itself. */
export const STRENGTH: Record<Strength, number> = {
  /** A hint: two of different families are needed to pass the threshold. */
  weak: 0.4,
  /** Enough alone; left-over tags of a tool that was dropped are the usual mistake. */
  strong: 0.8,
  /** In operation now, and no other explanation: a mail exchange, a signing key's target. */
  certain: 0.97,
};

/** By how much a kind of signal weakens what the rule proves. Kinds that stand for themselves have no entry. */
export const RELIABILITY: Partial<Record<SignalKind, number>> = {
  /** A selector's name is shared by unrelated senders; where it points is what counts. */
  "dns.dkim-selector": 0.7,
  /** A permission to issue, given once, often for all authorities in use somewhere. */
  "dns.caa": 0.75,
  "dns.soa": 0.9,
  "dns.ptr": 0.9,
  /** The network may be the vendor's that serves the company's vendor. */
  "net.asn": 0.8,
  /** Shared certificates carry strangers' names. */
  "tls.san": 0.8,
  /** Pixels outlive contracts. */
  "html.image": 0.9,
  /** An address in code may sit in a branch that never runs. */
  "html.inline-host": 0.85,
  /** Prepared, not loaded: below the threshold alone. */
  "html.hint": 0.5,
  /** Anyone may link. */
  "html.anchor": 0.8,
  /** Allowed is not loaded, but somebody had a reason to allow it. */
  "http.policy-host": 0.7,
  /** Libraries name hosts that their user never calls. */
  "js.bundle-host": 0.6,
  "gtm.host": 0.8,
  /** Sellers' lists are copied whole from partners. */
  "file.ads": 0.8,
  "board.posting": 0.6,
  "page.disclosure": 0.8,
};

/** The most that evidence of one meaning can prove, however much of it there is. */
export const CEILING: Record<Meaning, number> = {
  runs: 0.99,
  /** A sender that is allowed may have been left in the record. */
  "sends-as": 0.9,
  /** Proves a day in the past, by somebody, for some use. */
  "verified-once": 0.6,
  /** Below every allowed threshold: a mention never suffices. */
  mentions: 0.45,
};

/** An implied tool is a little less sure than the tool that implies it. */
export const IMPLIED = 0.9;

/** Tools below it are not told. */
export const THRESHOLD = 0.5;
/** No configuration may go lower, or mentions alone would be told. */
export const LOWEST_THRESHOLD = 0.46;

/** Which meaning speaks for a tool that has several, best first. */
export const MEANINGS: readonly Meaning[] = ["runs", "sends-as", "verified-once", "mentions"];
