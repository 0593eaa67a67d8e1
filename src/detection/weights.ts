import type { Meaning, Strength } from "./fingerprints/types.ts";
import type { SignalKind } from "./signals.ts";

/**
 * Every number of the confidence score, with its reason. They are probabilities that a match is right; `npm run eval --
 * detection` measures the effect of a change.
 */

/** Confidence in one rule by itself. */
export const STRENGTH: Record<Strength, number> = {
  /** A hint: it takes two of different families to reach the minimum. */
  weak: 0.4,
  /** Enough alone; the usual mistake is a leftover tag of a tool that is no longer used. */
  strong: 0.8,
  /** In operation now, without another explanation: a mail exchange, the target of a DKIM key. */
  certain: 0.97,
};

/** Factor for kinds of signals that are less reliable than the rule; 1 for kinds without an entry. */
export const RELIABILITY: Partial<Record<SignalKind, number>> = {
  /** Unrelated senders share selector names; the CNAME target is what counts. */
  "dns.dkim-selector": 0.7,
  /** A permission to issue, set up once, often for every authority in use somewhere. */
  "dns.caa": 0.75,
  "dns.soa": 0.9,
  "dns.ptr": 0.9,
  /** The network may belong to a supplier of the company's vendor. */
  "net.asn": 0.8,
  /** Shared certificates contain names of unrelated companies. */
  "tls.san": 0.8,
  /** Tracking pixels outlive contracts. */
  "html.image": 0.9,
  /** The code with the address may never run. */
  "html.inline-host": 0.85,
  "html.inline-url": 0.9,
  /** A hint loads nothing: below the minimum alone. */
  "html.hint": 0.5,
  /** Anyone can link. */
  "html.anchor": 0.8,
  /** Allowed is not loaded, but someone had a reason to allow it. */
  "http.policy-host": 0.7,
  /** Libraries contain hosts that their users never call. */
  "js.bundle-host": 0.6,
  "gtm.host": 0.8,
  /** Lists of sellers are copied from partners. */
  "file.ads": 0.8,
  "board.posting": 0.6,
  "page.disclosure": 0.8,
};

/** Maximum confidence by the best meaning of the evidence, however much evidence there is. */
export const CEILING: Record<Meaning, number> = {
  runs: 0.99,
  /** An allowed sender may be a leftover in the record. */
  "sends-as": 0.9,
  /** Someone verified the domain once, for some purpose. */
  "verified-once": 0.6,
  /** Consent lists are longer than what a site uses: below every allowed minimum alone. */
  declares: 0.45,
  /** Below every allowed minimum: mentions alone never suffice. */
  mentions: 0.45,
};

/** Most that code counts for a tool that the settings of the page switch off: as much as a hint. */
export const SWITCHED_OFF = 0.4;

/** Most that a link counts whose account has a name unlike the site's: as much as a hint. */
export const OTHER_ACCOUNT = 0.4;

/** Most that the classes of an extension count on a page that another system made: as much as a hint. */
export const OTHER_PLATFORM = 0.4;

/** Most that an extension counts that a company wrote for its own sites: as much as a hint. */
export const OWN_EXTENSION = 0.4;

/** Factor for the confidence of an implied tool. */
export const IMPLIED = 0.9;

/** Default of `scan.min_confidence`. */
export const DEFAULT_MIN_CONFIDENCE = 0.5;
/** Lowest effective `scan.min_confidence`, so that mentions alone are never reported. */
export const LOWEST_MIN_CONFIDENCE = 0.46;

/** Best first: the meaning of a tool with several is the first of these. */
export const MEANINGS: readonly Meaning[] = ["runs", "sends-as", "verified-once", "declares", "mentions"];
