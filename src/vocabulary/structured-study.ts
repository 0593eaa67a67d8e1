import type { Outcome, Quote } from "./case-study.ts";

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
export interface StudyFields {
  readonly title: string;
  readonly client: { readonly name: string | null; readonly domain: string | null };
  /** Slug of the taxonomy of `data/industries.yaml`. */
  readonly industry: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly summary: string | null;
  readonly challenge: string | null;
  readonly solution: string | null;
  readonly outcomes: readonly Outcome[];
  readonly products: readonly string[];
  readonly tools: readonly string[];
  readonly quote: Quote | null;
  /** ISO date. */
  readonly published_at: string | null;
  /** BCP 47. */
  readonly language: string | null;
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
