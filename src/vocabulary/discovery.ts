/**
 * What a scan saw and no rule knows: `verification` by the start of its TXT record, `script` and `alias` (a CNAME's
 * target) by the domain that is registered.
 */
export const UNKNOWN_KINDS = ["verification", "script", "alias"] as const;
export type UnknownKind = (typeof UNKNOWN_KINDS)[number];

export interface Unknown {
  readonly kind: UnknownKind;
  /** `vendor-verification=`, or a registered domain. */
  readonly value: string;
  /** The host that was seen; the value again for a verification, whose rest is a secret. */
  readonly example: string;
}

/** One entry of the discovery queue. */
export interface UnknownCount extends Unknown {
  /** Companies whose newest scan saw it. */
  readonly companies: number;
  /** One of them. */
  readonly domain: string;
  /** ISO 8601 UTC. */
  readonly last_seen: string;
}

/** The operator's word that a tool which was told of a domain is not there. */
export interface FalseReport {
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
