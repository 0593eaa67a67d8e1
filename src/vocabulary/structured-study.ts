import type { CaseStudy } from "./case-study.ts";

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
