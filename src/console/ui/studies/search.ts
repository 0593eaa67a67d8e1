import { request } from "../api-client.ts";
import type { Industries, Result, Results, Study, StudyList } from "../api-types.ts";
import type { Page } from "../components/status.tsx";
import { countStudies } from "../format.ts";
import { urlFor } from "../router.ts";

export const MODES = ["hybrid", "semantic", "keyword"] as const;
type Mode = (typeof MODES)[number];

export const FILTERS = ["industry", "company", "client", "country", "after", "before"] as const;

/** A search, as the address bar holds it; empty texts are not set. */
export type Search = { readonly q: string; readonly mode: Mode } & {
  readonly [name in (typeof FILTERS)[number]]: string;
};

export function parseSearch(query: URLSearchParams): Search {
  const text = (name: string) => query.get(name)?.slice(0, 1_000) ?? "";
  return {
    q: text("q"),
    mode: MODES.find((mode) => mode === query.get("mode")) ?? "hybrid",
    industry: text("industry"),
    company: text("company"),
    client: text("client"),
    country: text("country"),
    after: text("after"),
    before: text("before"),
  };
}

export const searchUrl = ({ mode, ...rest }: Search): string =>
  urlFor("/studies", { ...rest, mode: mode === "hybrid" ? undefined : mode });

export interface StudyResults extends Page<Study | Result> {
  /** Sentences on why the results may be incomplete. */
  readonly notices: readonly string[];
}

const MAX_RESULTS = 20;
/** Results of this tab by search: a repeated search is not sent again, because each counts as a request. */
const cache = new Map<string, StudyResults>();
const MAX_CACHED = 60;

/** Searches when there is a query; otherwise lists the case studies, newest first. */
export async function findStudies(search: Search, signal: AbortSignal): Promise<StudyResults> {
  const url = searchUrl(search);
  const cached = cache.get(url);
  if (cached) return cached;
  const page =
    search.q.trim() === "" ? await listStudies(search, undefined, signal) : await searchStudies(search, signal);
  if (page.notices.length > 0) return page;
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(url, page);
  return page;
}

async function searchStudies({ q, mode, industry, company }: Search, signal: AbortSignal): Promise<StudyResults> {
  const { results, no_good_match, degraded, index } = await request<Results>("/v1/casestudies/semantic", {
    json: { query: q, limit: MAX_RESULTS, mode, industry: industry || undefined, company: company || undefined },
    signal,
  });
  const pending = index?.pending ?? 0;
  const notices = [
    ...(no_good_match ? ["No good match: these results hardly answer the question."] : []),
    ...(degraded ? [degraded.reason] : []),
    ...(pending > 0 ? [`${countStudies(pending)} not in the search index yet: results may be missing.`] : []),
  ];
  return { items: results, next: null, notices };
}

export async function listStudies(
  { industry, company, client, country, after, before }: Search,
  cursor?: string,
  signal?: AbortSignal,
): Promise<StudyResults> {
  const filters = { industry, company, client, country, published_after: after, published_before: before };
  const page = await request<StudyList>(urlFor("/v1/casestudies", { ...filters, cursor }), { signal });
  return { items: page.case_studies, total: page.total, next: page.next_cursor, notices: [] };
}

let industries: Promise<Industries["industries"]> | undefined;

/** Requested once per tab, because it counts as a request. */
export function loadIndustries(): Promise<Industries["industries"]> {
  industries ??= request<Industries>("/v1/industries").then(
    (response) => response.industries,
    (error) => {
      industries = undefined;
      throw error;
    },
  );
  return industries;
}
