import type { ClaimStatus } from "./claims.ts";

/** A vendor's published customer story. Unknown fields are null. */
export interface CaseStudy {
  /** Stable, words with dashes: from the import file, else derived from company, client and address. */
  readonly id: string;
  readonly title: string;
  /** Address of the original. */
  readonly url: string;
  readonly company: { readonly name: string; readonly slug: string };
  readonly client: { readonly name: string | null; readonly domain: string | null };
  /** Name in the taxonomy of `data/industries.yaml`; the source's text when the taxonomy does not have it. */
  readonly industry: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string | null;
  readonly summary: string | null;
  readonly challenge: string | null;
  readonly solution: string | null;
  readonly outcomes: readonly Outcome[];
  readonly products: readonly string[];
  readonly tools: readonly string[];
  readonly quote: Quote | null;
  /** ISO date: `2024-03-05`. */
  readonly published_at: string | null;
  /** BCP 47. */
  readonly language: string | null;
  /** ISO 8601 UTC; null until it is in the search index. */
  readonly indexed_at: string | null;
  readonly origin: Origin;
}

export const OUTCOME_KINDS = ["change", "level", "qualitative"] as const;
/** By how much something changed ("costs fell by 40%"), how much it is ("200 deployments a day"), or no figure at all. */
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

export interface Outcome {
  /** Slug of the taxonomy of `data/outcome-metrics.yaml`, such as `cost`; the source's text when unknown. */
  readonly metric: string;
  /** Amount of the change or the level reached; null without a figure. */
  readonly value: number | null;
  /** `%`, `x`, a currency code, or a unit of time or count; null when it has none. */
  readonly unit: string | null;
  readonly direction: "increase" | "decrease" | "absolute";
  /** What the source states, in one sentence. */
  readonly text: string;
  /** What was measured, in the words of the source or a readable form of them: `outage time`. `metric` groups it. */
  readonly noun: string | null;
  /** Null when it is unknown: a record may not say whether a figure is the change or what it led to. */
  readonly kind: OutcomeKind | null;
  /** The figures before and after, in `unit`, where the source states them. */
  readonly from: number | null;
  readonly to: number | null;
  /** Whether it is good for the client; null when it is unknown. */
  readonly better: boolean | null;
  /** The source's own words; null when `text` is not copied from the source and none are known. */
  readonly sentence: string | null;
}

/** The fields of an outcome that every record has. */
export type PlainOutcome = Pick<Outcome, "metric" | "value" | "unit" | "direction" | "text">;

/** An outcome whose absent fields are null. */
export const completeOutcome = ({
  metric,
  value,
  unit,
  direction,
  text,
  noun = null,
  kind = null,
  from = null,
  to = null,
  better = null,
  sentence = null,
}: PlainOutcome & Partial<Outcome>): Outcome => ({
  ...{ metric, value, unit, direction, text },
  ...{ noun, kind, from, to, better, sentence },
});

/** At least one field is set: a record whose licence forbids the text may still name the speaker. */
export interface Quote {
  readonly text: string | null;
  readonly person: string | null;
  readonly role: string | null;
}

export const ORIGINS = ["starter", "submitted", "imported"] as const;
/** How a case study was added. */
export type Origin = (typeof ORIGINS)[number];

/** A case study to be saved: the record and the data of the search index. */
export interface NewCaseStudy extends Omit<CaseStudy, "company" | "indexed_at" | "industry"> {
  readonly company: NewCompany;
  readonly industry: Industry | null;
  /** Licence of the source's text, if known. */
  readonly licence: string | null;
  /** Full text with Markdown headings. */
  readonly body: string | null;
  /** The searched text, in order. */
  readonly passages: readonly Passage[];
  /** 64-bit similarity hash of the text, 16 hex digits; near-duplicates differ in few bits. */
  readonly fingerprint: string;
}

export interface NewCompany {
  readonly name: string;
  readonly slug: string;
  readonly domain: string | null;
  readonly industry: Industry | null;
  readonly logo_url: string | null;
}

/** An industry as the source wrote it, and its entry in the taxonomy. */
export interface Industry {
  readonly raw: string;
  /** Slug of the taxonomy; null when the taxonomy does not have it. */
  readonly slug: string | null;
}

/** A window of a case study's text, about 120 to 200 tokens. */
export interface Passage {
  /** The heading above the passage, or null. */
  readonly heading: string | null;
  readonly text: string;
}

/** A vendor that publishes case studies. */
export interface Company {
  readonly name: string;
  readonly slug: string;
  readonly domain: string | null;
  readonly industry: string | null;
  readonly logo_url: string | null;
  readonly total_case_studies: number;
}

/** Filter of a list or a search; all given conditions must match. */
export interface StudyFilter {
  /** Company slug. */
  readonly company?: string | undefined;
  /** Name, slug or synonym of an industry, any case. */
  readonly industry?: string | undefined;
  /** Client's name or domain, any case. */
  readonly client?: string | undefined;
  /** ISO 3166-1 alpha-2 code or English name, any case. */
  readonly country?: string | undefined;
  /** ISO dates, inclusive. */
  readonly publishedAfter?: string | undefined;
  readonly publishedBefore?: string | undefined;
  /** A tool that the case study names, any case. */
  readonly tool?: string | undefined;
  /** Only case studies with an outcome that has a figure. */
  readonly figures?: boolean | undefined;
}

/** A filter of a list whose conditions are not all in the records. */
export interface ListFilter extends StudyFilter {
  /** Only case studies whose claim has this status. */
  readonly claim?: ClaimStatus | undefined;
}

export type SearchMode = "hybrid" | "semantic" | "keyword";

/** How likely a case study answers the query: `strong` very likely, `good` likely, `weak` hardly. */
type RelevanceLevel = "strong" | "good" | "weak";

export interface Relevance {
  readonly level: RelevanceLevel;
  /** 0–1: of results with this value, about this share answers the query. See docs/search-and-models.md. */
  readonly probability: number;
}

/** A search result. */
export interface StudyHit {
  readonly study: CaseStudy;
  /** 0–1. Orders the results of one query. */
  readonly score: number;
  /** Null where the results were not compared with the query token by token. */
  readonly relevance: Relevance | null;
  readonly passage: MatchedPassage;
  /** Case studies with nearly the same text, which are not results themselves. */
  readonly also_in: readonly StudyAddress[];
}

export type StudyAddress = Pick<CaseStudy, "id" | "url">;

/** The answer to one query. */
export interface StudyResults {
  /** The trimmed query. */
  readonly query: string;
  readonly hits: readonly StudyHit[];
  /** Whether the results were rated, and none is good. */
  readonly noGoodMatch: boolean;
  /** Why the query was answered in another way than its mode says, in one sentence; null when it was not. */
  readonly degraded: string | null;
  /** Number of case studies that are not in the search index yet, so that results may be missing. */
  readonly pending: number;
}

/** The best-matching sentences. */
export interface MatchedPassage {
  readonly text: string;
  /** Ranges of the query's terms in `text`: start and end in UTF-16 code units, ascending, not overlapping. */
  readonly highlights: readonly (readonly [number, number])[];
}

/** `least-sure`: lowest confidence first, case studies without confidence last. `newest`: last added first. */
export const REVIEW_ORDERS = ["least-sure", "newest"] as const;
export type ReviewOrder = (typeof REVIEW_ORDERS)[number];

/** A page fetched by a crawl. */
export interface FetchedPage {
  /** Address after redirects. */
  readonly url: string;
  readonly kind: "html" | "pdf";
  /** Decoded text of an HTML page; the bytes of a PDF. */
  readonly content: string | Uint8Array;
  /** Value of `Content-Language`, if sent. */
  readonly language: string | null;
  /** Value of `Last-Modified` as an ISO 8601 instant. */
  readonly last_modified: string | null;
}

/** Main text and metadata of a page, without menus, banners and footers. Unknown fields are null. */
export interface PageText {
  readonly url: string;
  /** Canonical address (`rel=canonical`) if it is on the same site; else null. */
  readonly canonical: string | null;
  /** The page's heading, without the name of the site. */
  readonly title: string | null;
  /** Name of the site (`og:site_name`, JSON-LD publisher). */
  readonly site_name: string | null;
  readonly description: string | null;
  /** BCP 47. */
  readonly language: string | null;
  /** ISO date of publication; `published_from` names its source. */
  readonly published_at: string | null;
  readonly published_from: "json-ld" | "meta" | "time" | "text" | "address" | "pdf" | null;
  /** The story as Markdown: headings, paragraphs, lists, `>` quotes, tables as lines. */
  readonly markdown: string;
  /** Images in the story or its header with their alternative text, often including the client's logo. */
  readonly images: readonly { readonly src: string; readonly alt: string }[];
  /** Links inside the story, resolved. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
  /** Tags of the page, with a label if there is one ("Industry: Retail"). */
  readonly labels: readonly { readonly name: string | null; readonly value: string }[];
  /** Parsed JSON-LD objects, bounded in number and size. */
  readonly json_ld: readonly Readonly<Record<string, unknown>>[];
}

/** Origin of a field's value: the built-in extraction, a language model, or a correction. */
export const ENGINES = ["local", "language-model", "operator"] as const;
export type Engine = (typeof ENGINES)[number];

/** Source of a field's value. */
export interface Provenance {
  /** JSON pointer into the case study: `/client/name`, `/outcomes/0`. */
  readonly pointer: string;
  readonly engine: Engine;
  /** The sentence or fragment of the page that states it; null when the whole page does. */
  readonly sentence: string | null;
  /** 0–1. */
  readonly confidence: number;
}

/** The fields that an engine extracts from a page. Unknown fields are null. */
export interface StudyFields extends Omit<CaseStudy, "id" | "url" | "company" | "industry" | "origin" | "indexed_at"> {
  /** Slug of the taxonomy of `data/industries.yaml`. */
  readonly industry: string | null;
}

export interface StructuredStudy {
  readonly fields: StudyFields;
  readonly provenance: readonly Provenance[];
  /** Why another engine than the configured one was used; null otherwise. */
  readonly fallback: string | null;
}

/** The company that publishes the case studies of a site. */
export interface Vendor {
  readonly name: string;
  readonly slug: string;
  readonly domain: string | null;
}

/** A request for one page of a list. */
export interface PageOptions {
  /** 1–100, by default 20. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}
