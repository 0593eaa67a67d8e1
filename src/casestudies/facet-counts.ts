import { createTurns } from "../core/async.ts";
import { CLAIM_STATUSES, type ClaimReader, type ClaimStatus } from "./claims.ts";
import type { CaseStudyRepository, Facets, ResolvedFilter } from "./repository.ts";

/** How many case studies have each status of their claim. */
export interface ClaimFacet {
  readonly values: readonly { readonly value: ClaimStatus; readonly count: number }[];
  /** Case studies that were counted: those whose client's domain is known, the newest 500 at most. */
  readonly counted: number;
  /** Whether these are all. */
  readonly complete: boolean;
}

export interface CountedFacets extends Facets {
  /** Null where claims are not counted. */
  readonly claims: ClaimFacet | null;
}

/** Each may need the report of another client. */
const MAX_CLAIMS = 500;
/** Claims that are checked together; other requests are answered between two batches. */
const CLAIM_BATCH = 20;
const KEPT_MS = 60_000;
const MAX_KEPT = 200;

interface FacetCounterParts {
  readonly caseStudies: Pick<CaseStudyRepository, "facets" | "claimed" | "version">;
  readonly claims: ClaimReader;
}

interface Kept {
  readonly until: number;
  readonly version: string;
  readonly facets: Promise<CountedFacets>;
}

/** Counts facets. The counts of a filter are kept for a minute, or until a case study changes. */
export function createFacetCounter({ caseStudies, claims }: FacetCounterParts, now = () => performance.now()) {
  const kept = new Map<string, Kept>();
  const turn = createTurns();

  const countClaims = async (filter: ResolvedFilter): Promise<ClaimFacet> => {
    const found = await caseStudies.claimed(filter, MAX_CLAIMS + 1);
    const studies = found.slice(0, MAX_CLAIMS);
    const counts = new Map<ClaimStatus, number>();
    for (let start = 0; start < studies.length; start += CLAIM_BATCH) {
      for (const { status } of (await claims.of(studies.slice(start, start + CLAIM_BATCH))).values())
        counts.set(status, (counts.get(status) ?? 0) + 1);
      await turn();
    }
    return {
      values: CLAIM_STATUSES.flatMap((value) => {
        const count = counts.get(value);
        return count === undefined ? [] : [{ value, count }];
      }),
      counted: studies.length,
      complete: found.length <= MAX_CLAIMS,
    };
  };

  const count = async (filter: ResolvedFilter, version: string, withClaims: boolean): Promise<CountedFacets> => ({
    ...(await caseStudies.facets(filter, version)),
    claims: withClaims ? await countClaims(filter) : null,
  });

  /**
   * @param key names the filter
   * @param resolve reads the filter, after the version
   * @throws what `resolve` throws
   */
  return async (
    key: string,
    resolve: (version: string) => Promise<ResolvedFilter>,
    withClaims: boolean,
  ): Promise<CountedFacets> => {
    const name = `${withClaims} ${key}`;
    const version = await caseStudies.version();
    const before = kept.get(name);
    if (before && before.version === version && before.until > now()) return before.facets;
    if (kept.size >= MAX_KEPT) kept.clear();
    const facets = resolve(version).then((filter) => count(filter, version, withClaims));
    const entry = { until: now() + KEPT_MS, version, facets };
    kept.set(name, entry);
    facets.catch(() => {
      if (kept.get(name) === entry) kept.delete(name);
    });
    return facets;
  };
}
