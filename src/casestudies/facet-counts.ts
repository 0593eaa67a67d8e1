import { createTurns } from "../core/async.ts";
import { CLAIM_STATUSES, type ClaimReader, type ClaimStatus } from "./claims.ts";
import type { CaseStudyRepository, Facets, ListedClaim, ResolvedFilter } from "./repository.ts";

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
  readonly caseStudies: Pick<CaseStudyRepository, "facets" | "claimed" | "setOf" | "version">;
  readonly claims: ClaimReader;
}

interface FacetOptions {
  /** Whether claims are counted. */
  readonly claims: boolean;
  /** Only case studies whose claim has this status; the claims are counted as without it. */
  readonly claim?: ClaimStatus | undefined;
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

  /** The status of each claim, in the same order. */
  const statusesOf = async (studies: readonly ListedClaim[]): Promise<(ClaimStatus | undefined)[]> => {
    const statuses: (ClaimStatus | undefined)[] = [];
    for (let start = 0; start < studies.length; start += CLAIM_BATCH) {
      const some = studies.slice(start, start + CLAIM_BATCH);
      const checked = await claims.of(some);
      statuses.push(...some.map(({ id }) => checked.get(id)?.status));
      await turn();
    }
    return statuses;
  };

  const withClaim = async (filter: ResolvedFilter, claim: ClaimStatus): Promise<ResolvedFilter> => {
    const studies = await caseStudies.claimed(filter);
    const statuses = await statusesOf(studies);
    const matches = studies.filter((_, at) => statuses[at] === claim);
    return { ...filter, among: caseStudies.setOf(matches.map(({ number }) => number)) };
  };

  const countClaims = async (filter: ResolvedFilter): Promise<ClaimFacet> => {
    const found = await caseStudies.claimed(filter, MAX_CLAIMS + 1);
    const studies = found.slice(0, MAX_CLAIMS);
    const counts = Map.groupBy(await statusesOf(studies), (status) => status);
    return {
      values: CLAIM_STATUSES.flatMap((value) => {
        const count = counts.get(value)?.length;
        return count === undefined ? [] : [{ value, count }];
      }),
      counted: studies.length,
      complete: found.length <= MAX_CLAIMS,
    };
  };

  const count = async (filter: ResolvedFilter, version: string, options: FacetOptions): Promise<CountedFacets> => ({
    ...(await caseStudies.facets(options.claim ? await withClaim(filter, options.claim) : filter, version)),
    claims: options.claims ? await countClaims(filter) : null,
  });

  /**
   * @param key names the filter, without the claim
   * @param resolve reads the filter, after the version
   * @throws what `resolve` throws
   */
  return async (
    key: string,
    resolve: (version: string) => Promise<ResolvedFilter>,
    options: FacetOptions,
  ): Promise<CountedFacets> => {
    const name = `${options.claims} ${options.claim ?? ""} ${key}`;
    const version = await caseStudies.version();
    const before = kept.get(name);
    if (before && before.version === version && before.until > now()) return before.facets;
    if (kept.size >= MAX_KEPT) kept.clear();
    const facets = resolve(version).then((filter) => count(filter, version, options));
    const entry = { until: now() + KEPT_MS, version, facets };
    kept.set(name, entry);
    facets.catch(() => {
      if (kept.get(name) === entry) kept.delete(name);
    });
    return facets;
  };
}
