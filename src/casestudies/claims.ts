/**
 * What the stored scans of a client say about the vendor's claim that it uses the product.
 *
 * - `corroborated`   the newest stored report has confirmed evidence that the client set up the tool of the vendor
 * - `replaced`       every source able to see it was checked without seeing it, and a tool of the same category is seen
 * - `not_seen`       the same, without a tool of the same category: no proof that it is not used
 * - `cannot_be_seen` no fingerprint of the product has a rule that proves use, or the product has no fingerprint
 * - `not_checked`    no stored report, a source able to see it was not checked, the product is not known, or what is seen
 *                    does not prove that the client itself uses it
 */
export const CLAIM_STATUSES = ["corroborated", "replaced", "not_seen", "cannot_be_seen", "not_checked"] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

export interface ClaimEvidence {
  /** The tool that is seen: the vendor's, or with `replaced` the one of its category. */
  readonly tool: string;
  readonly category: string;
  /** What the evidence means, such as `runs` or `verified-once`. */
  readonly means: string;
  readonly signal: string;
  readonly value: string;
  readonly location: string;
  /**
   * The case study names a product that the catalogue does not distinguish from other ones of the vendor, so that this does
   * not show which of them is used.
   */
  readonly spans_products: boolean;
}

export interface Claim {
  readonly status: ClaimStatus;
  /** ISO 8601 UTC: when this installation first saw the tool in `evidence` at the client; null without one. */
  readonly since: string | null;
  readonly evidence: ClaimEvidence | null;
  /** ISO 8601 UTC: when the report was made; null without one. */
  readonly checked_at: string | null;
}

/** What of a case study a claim depends on. */
export interface ClaimedStudy {
  readonly id: string;
  readonly company: { readonly slug: string };
  readonly client: { readonly domain: string | null };
  readonly products: readonly string[];
}

/** Checks claims against stored reports; starts no scan. */
export interface ClaimReader {
  /** By the id of the case study; without those whose client's domain is unknown. */
  of(studies: readonly ClaimedStudy[]): Promise<ReadonlyMap<string, Claim>>;
}

/** How many clients of a vendor have each status; a client with several case studies counts once, by its best status. */
export interface ClaimCounts extends Readonly<Record<ClaimStatus, number>> {
  /** Clients whose domain is known. */
  readonly clients: number;
}

/** Counts the clients of a vendor by the status of its claim about them. */
export function countClaims(studies: readonly ClaimedStudy[], claims: ReadonlyMap<string, Claim>): ClaimCounts {
  const best = new Map<string, number>();
  for (const { id, client } of studies) {
    const claim = claims.get(id);
    if (!claim || client.domain === null) continue;
    const rank = CLAIM_STATUSES.indexOf(claim.status);
    best.set(client.domain, Math.min(rank, best.get(client.domain) ?? rank));
  }
  const count = (status: ClaimStatus) => [...best.values()].filter((rank) => CLAIM_STATUSES[rank] === status).length;
  return {
    clients: best.size,
    corroborated: count("corroborated"),
    replaced: count("replaced"),
    not_seen: count("not_seen"),
    cannot_be_seen: count("cannot_be_seen"),
    not_checked: count("not_checked"),
  };
}
