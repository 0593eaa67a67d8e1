/** A vendor's published customer story, as the index keeps and tells it. Absent knowledge is null. */
export interface CaseStudy {
  /** Stable, words with dashes: what the file gave, else made from company, client and address. */
  readonly id: string;
  readonly title: string;
  /** Address of the original. */
  readonly url: string;
  readonly company: { readonly name: string; readonly slug: string };
  readonly client: { readonly name: string | null; readonly domain: string | null };
  /** Name in the taxonomy of `data/industries.yaml`; the source's own word when the taxonomy does not know it. */
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
  /** ISO 8601 UTC; null until it can be found by meaning. */
  readonly indexed_at: string | null;
  readonly origin: Origin;
}

export interface Outcome {
  /** Slug of the taxonomy of `data/outcome-metrics.yaml`, such as `cost`; the source's own word when unknown. */
  readonly metric: string;
  readonly value: number | null;
  /** `%`, `x`, a currency code, or a unit of time or count; null when it has none. */
  readonly unit: string | null;
  readonly direction: "increase" | "decrease" | "absolute";
  /** What the source states, in one sentence. */
  readonly text: string;
}

/** Something of it is known: a record that may not repeat the words still tells who is quoted. */
export interface Quote {
  readonly text: string | null;
  readonly person: string | null;
  readonly role: string | null;
}

export const ORIGINS = ["starter", "submitted", "imported"] as const;
/** How a record came into the index. */
export type Origin = (typeof ORIGINS)[number];

/** A case study as it is given to the store: its record, and what only the index needs. */
export interface NewCaseStudy extends Omit<CaseStudy, "company" | "indexed_at" | "industry"> {
  readonly company: NewCompany;
  readonly industry: Industry | null;
  /** Licence of the source's text, when it is known. */
  readonly licence: string | null;
  /** Text of the whole story, for passages; Markdown headings are kept. */
  readonly body: string | null;
  /** Passages in order; together they are what is searched. */
  readonly passages: readonly Passage[];
  /** 64-bit similarity hash of the text, 16 hex digits; equal or near for near-duplicates. */
  readonly fingerprint: string;
}

export interface NewCompany {
  readonly name: string;
  readonly slug: string;
  readonly domain: string | null;
  readonly industry: Industry | null;
  readonly logo_url: string | null;
}

/** An industry as the source wrote it, and where the taxonomy files it. */
export interface Industry {
  readonly raw: string;
  /** Slug of the taxonomy; null when the taxonomy does not know the raw value. */
  readonly slug: string | null;
}

/** A window of a case study's text, about 120 to 200 tokens. */
export interface Passage {
  /** The heading that it stands under, or null. */
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

/** What narrows a list or a search. Several narrow together. */
export interface StudyFilter {
  /** Company slug. */
  readonly company?: string;
  /** Name, slug or synonym of an industry, any case. */
  readonly industry?: string;
  /** Client's name or domain, any case. */
  readonly client?: string;
  /** ISO 3166-1 alpha-2, any case. */
  readonly country?: string;
  /** ISO dates, inclusive. */
  readonly publishedAfter?: string;
  readonly publishedBefore?: string;
}

export type SearchMode = "hybrid" | "semantic" | "keyword";

/** One hit of a search. */
export interface StudyHit {
  readonly study: CaseStudy;
  /** 0–1. */
  readonly score: number;
  readonly passage: MatchedPassage;
}

/** The sentences that match best. */
export interface MatchedPassage {
  readonly text: string;
  /** Where the query's terms stand in `text`: start and end in UTF-16 code units, ascending, apart from each other. */
  readonly highlights: readonly (readonly [number, number])[];
}

/** `least-sure`: what an engine was least sure of first, and last what no engine read. `newest`: what came last. */
export const REVIEW_ORDERS = ["least-sure", "newest"] as const;
export type ReviewOrder = (typeof REVIEW_ORDERS)[number];

/** What a crawl brought home of one address, ready to be read. */
export interface FetchedPage {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly kind: "html" | "pdf";
  /** Decoded text of an HTML page; the bytes of a PDF. */
  readonly content: string | Uint8Array;
  /** Value of `Content-Language`, when the server told it. */
  readonly language: string | null;
  /** Value of `Last-Modified` as an ISO 8601 instant. */
  readonly last_modified: string | null;
}

/** A page's own text and what it says about itself, with menus, banners and footers left out. Unknown is null. */
export interface PageText {
  readonly url: string;
  /** Address that the page calls its own (`rel=canonical`), on the same site; else null. */
  readonly canonical: string | null;
  /** The page's own heading, without the site's name. */
  readonly title: string | null;
  /** Name that the site gives itself (`og:site_name`, JSON-LD publisher). */
  readonly site_name: string | null;
  readonly description: string | null;
  /** BCP 47. */
  readonly language: string | null;
  /** ISO date of publication; `published_from` says which sign told it. */
  readonly published_at: string | null;
  readonly published_from: "json-ld" | "meta" | "time" | "text" | "address" | "pdf" | null;
  /** The story as Markdown: headings, paragraphs, lists, `>` quotes, tables as lines. */
  readonly markdown: string;
  /** Pictures inside the story or its header, with their alternative text: a client's logo is often one. */
  readonly images: readonly { readonly src: string; readonly alt: string }[];
  /** Links inside the story, resolved. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
  /** Terms that the page files itself under, with their label where it has one ("Industry: Retail"). */
  readonly labels: readonly { readonly name: string | null; readonly value: string }[];
  /** Objects of JSON-LD, bounded, as they were parsed. */
  readonly json_ld: readonly Readonly<Record<string, unknown>>[];
}

/** Who told a field: our own reading, a language model, or a person who corrected it. */
export const ENGINES = ["local", "language-model", "operator"] as const;
export type Engine = (typeof ENGINES)[number];

/** Why a field says what it says. */
export interface Provenance {
  /** JSON pointer into the case study: `/client/name`, `/outcomes/0`. */
  readonly pointer: string;
  readonly engine: Engine;
  /** The sentence or piece of the page that carries it; null where the page as a whole does. */
  readonly sentence: string | null;
  /** 0–1. */
  readonly confidence: number;
}

/** The fields that an engine reads from a page; company, address and id are known before. Unknown is null. */
export interface StudyFields extends Omit<CaseStudy, "id" | "url" | "company" | "industry" | "origin" | "indexed_at"> {
  /** Slug of the taxonomy of `data/industries.yaml`. */
  readonly industry: string | null;
}

export interface StructuredStudy {
  readonly fields: StudyFields;
  readonly provenance: readonly Provenance[];
  /** Why the engine that was asked for was not the one that answered; null when it was. */
  readonly fallback: string | null;
}

/** Whose story it is, which every page of a site shares. */
export interface Vendor {
  readonly name: string;
  readonly slug: string;
  readonly domain: string | null;
}
