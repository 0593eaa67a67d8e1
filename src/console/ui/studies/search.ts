import { request, requestWithKey } from "../api-client.ts";
import type { Industries, Result, Results, Study, StudyList } from "../api-types.ts";
import type { Page } from "../components/status.tsx";
import { countryName, countStudies } from "../format.ts";
import { urlFor } from "../router.ts";

export const MODES = ["hybrid", "semantic", "keyword"] as const;
type Mode = (typeof MODES)[number];
/** What the check of a claim can find, as the API names it. */
export const CLAIMS = ["corroborated", "replaced", "not_seen", "cannot_be_seen", "not_checked"] as const;

export const FILTERS = ["industry", "company", "client", "country", "year", "tool", "claim"] as const;
export type FilterName = (typeof FILTERS)[number];

/** A search, as the address bar holds it; empty texts are not set. */
export type Search = {
  readonly q: string;
  readonly mode: Mode;
  /** What a question shows: the case studies, or the passages that answer it. */
  readonly view: "results" | "answer";
  /** Only with a figure. */
  readonly figures: boolean;
} & {
  readonly [name in FilterName]: string;
};

export function parseSearch(query: URLSearchParams): Search {
  const text = (name: string) => query.get(name)?.slice(0, 1_000) ?? "";
  return {
    q: text("q"),
    mode: MODES.find((mode) => mode === query.get("mode")) ?? "hybrid",
    view: query.get("view") === "answer" ? "answer" : "results",
    industry: text("industry"),
    company: text("company"),
    client: text("client"),
    country: text("country"),
    year: /^\d{4}$/.exec(text("year"))?.[0] ?? "",
    tool: text("tool"),
    claim: CLAIMS.find((claim) => claim === query.get("claim")) ?? "",
    figures: query.get("figures") === "1",
  };
}

export const searchUrl = ({ mode, view, figures, ...rest }: Search): string =>
  urlFor("/studies", {
    ...rest,
    mode: mode === "hybrid" ? undefined : mode,
    view: view === "answer" ? view : undefined,
    figures: figures ? "1" : undefined,
  });

export interface FacetOption {
  readonly value: string;
  readonly label: string;
  /** Missing where it is not known. */
  readonly count?: number;
}

export interface Facets {
  readonly vendors: readonly FacetOption[];
  readonly industries: readonly FacetOption[];
  readonly countries: readonly FacetOption[];
  readonly years: readonly FacetOption[];
  readonly clients: readonly FacetOption[];
  readonly tools: readonly FacetOption[];
  /** Case studies with a figure; missing where it is not known. */
  readonly figures?: number;
  /** Missing or null where they are not counted. */
  readonly claims?: {
    readonly values: readonly { readonly value: string; readonly count: number }[];
    readonly counted: number;
    readonly complete: boolean;
  } | null;
}

export interface StudyResults extends Page<Study | Result> {
  /** Sentences on why the results may be incomplete. */
  readonly notices: readonly string[];
  readonly noGoodMatch: boolean;
  readonly facets: Facets;
}

/** The most that one search returns. */
const MAX_RESULTS = 50;
/** Answers of this tab by what was asked: a repeated search is not sent again, because each counts as a request. */
const cache = new Map<string, Promise<Results>>();
const MAX_CACHED = 60;

/** Searches when there is a query; otherwise lists the case studies, newest first. */
export async function findStudies(search: Search, signal: AbortSignal): Promise<StudyResults> {
  if (search.q.trim() !== "") return await searchStudies(search);
  const [page, facets] = await Promise.all([
    listStudies(search, undefined, signal),
    requestWithKey<Partial<Facets>>(urlFor("/console/facets", listFilters(search)), { signal }),
  ]);
  // An older node counts fewer fields.
  return { ...page, notices: [], noGoodMatch: false, facets: { ...NO_FACETS, ...facets } };
}

const NO_FACETS: Facets = { vendors: [], industries: [], countries: [], years: [], clients: [], tools: [] };

/** Results are filtered by vendor, industry and claim in the service, which knows more of them, and by the rest here. */
async function searchStudies({ q, mode, industry, company, claim, ...rest }: Search): Promise<StudyResults> {
  const [all, narrowed] = await Promise.all([
    ask({ query: q, mode }),
    industry === "" && company === "" && claim === ""
      ? undefined
      : ask({
          ...{ query: q, mode, industry: industry || undefined, company: company || undefined },
          claim: claim || undefined,
        }),
  ]);
  const { results, no_good_match, degraded, index } = narrowed ?? all;
  const pending = index?.pending ?? 0;
  const items = results.filter((study) => holds(study, rest));
  return {
    items,
    total: items.length,
    next: null,
    noGoodMatch: no_good_match ?? false,
    notices: [
      ...(degraded ? [degraded.reason] : []),
      ...(pending > 0 ? [`${countStudies(pending)} not in the search index yet: results may be missing.`] : []),
    ],
    facets: facetsOf(all.results),
  };
}

function ask(json: {
  readonly query: string;
  readonly mode: Mode;
  readonly industry?: string | undefined;
  readonly company?: string | undefined;
  readonly claim?: string | undefined;
}): Promise<Results> {
  const name = JSON.stringify(json);
  const known = cache.get(name);
  if (known) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const answer = request<Results>("/v1/casestudies/semantic", { json: { ...json, limit: MAX_RESULTS } });
  cache.set(name, answer);
  const forget = () => cache.delete(name);
  // An answer of an incomplete index, or none, is asked for again.
  answer.then(({ degraded, index }) => (degraded || index?.pending) && forget(), forget);
  return answer;
}

type LocalFilters = Pick<Search, "client" | "country" | "year" | "tool" | "figures">;

const hasFigure = ({ outcomes }: Study): boolean => outcomes.some(({ value }) => value !== null);

const isSame = (one: string | null | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

const isIn = (study: Study, country: string): boolean =>
  study.country !== null && (isSame(study.country, country) || isSame(countryName(study.country), country));

const holds = (study: Study, { client, country, year, tool, figures }: LocalFilters): boolean =>
  (client === "" || isSame(study.client.name, client) || isSame(study.client.domain, client)) &&
  (country === "" || isIn(study, country)) &&
  (year === "" || study.published_at?.startsWith(year) === true) &&
  (tool === "" || study.tools.some((name) => isSame(name, tool))) &&
  (!figures || hasFigure(study));

/** Counts the values of results, most frequent first. */
function facetsOf(studies: readonly Study[]): Facets {
  const count = (pairs: readonly (readonly [value: string | null | undefined, label?: string])[]) => {
    const counts = new Map<string, { label: string; count: number }>();
    for (const [value, label = value] of pairs) {
      if (!value || !label) continue;
      const found = counts.get(value) ?? { label, count: 0 };
      counts.set(value, { label: found.label, count: found.count + 1 });
    }
    return [...counts]
      .map(([value, each]) => ({ value, ...each }))
      .toSorted((one, other) => other.count - one.count || one.label.localeCompare(other.label));
  };
  return {
    vendors: count(studies.map(({ company }) => [company.slug, company.name])),
    industries: count(studies.map(({ industry }) => [industry])),
    countries: count(studies.map(({ country }) => [country])),
    years: count(studies.map(({ published_at }) => [published_at?.slice(0, 4)])).toSorted((one, other) =>
      other.value.localeCompare(one.value),
    ),
    clients: count(studies.map(({ client }) => [client.name])),
    figures: studies.filter(hasFigure).length,
    tools: count(studies.flatMap(({ tools }) => [...new Set(tools)].map((tool) => [tool] as const))),
  };
}

const listFilters = ({ industry, company, client, country, year, tool, claim, figures }: Search) => ({
  claim,
  tool,
  figures: figures ? "true" : undefined,
  industry,
  company,
  client,
  country,
  after: year && `${year}-01-01`,
  before: year && `${year}-12-31`,
});

export async function listStudies(search: Search, cursor?: string, signal?: AbortSignal): Promise<Page<Study>> {
  const { after, before, ...filters } = listFilters(search);
  const url = urlFor("/v1/casestudies", {
    ...filters,
    published_after: after,
    published_before: before,
    limit: "50",
    cursor,
  });
  const page = await request<StudyList>(url, { signal });
  return { items: page.case_studies, total: page.total, next: page.next_cursor };
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
