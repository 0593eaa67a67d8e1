import { normaliseForMatch, readPageEvidence } from "../casestudies/structure/language-model/page-evidence.ts";
import { whyUnsupported } from "../casestudies/structure/language-model/supported-fields.ts";
import type { PageText } from "../casestudies/types.ts";

/** What a statement of a brief rests on: a stored sentence or record, as it is stored. */
export interface BriefSource {
  /** From 1. */
  readonly number: number;
  readonly kind: "scan" | "history" | "case_study" | "request";
  readonly text: string;
  /** Address of the page, if there is one. */
  readonly url: string | null;
  /** JSON pointer into the case study, or the place at which a signal was seen. */
  readonly location: string | null;
  readonly case_study_id: string | null;
}

export interface Statement {
  readonly text: string;
  /** Copied letter for letter from one of the sources; null without one. */
  readonly quote: string | null;
  /** Numbers of its sources. */
  readonly sources: readonly number[];
}

export const BRIEF_SECTIONS = ["summary", "stack", "changes", "rivals", "proofs"] as const;
export type BriefSectionId = (typeof BRIEF_SECTIONS)[number];

export interface BriefGroup {
  /** An area of tools, or the case study. */
  readonly title: string;
  /** Address of the case study. */
  readonly url: string | null;
  readonly statements: readonly Statement[];
}

export interface BriefSection {
  readonly id: BriefSectionId;
  readonly title: string;
  readonly groups: readonly BriefGroup[];
}

const FIGURE = /\d+(?:[.,:'’/-]\d+)*/g;
const QUOTED = /[“„«"]([^“”„«»"]{1,2000})[”“»"]/g;

/**
 * Why a statement says more than its sources, as a clause; null when it does not. Each quote must be in one of the sources
 * letter for letter, and each figure and quoted word in one of them as it is written.
 */
export function whyUnverified(
  { text, quote, sources: numbers }: Statement,
  sources: ReadonlyMap<number, BriefSource>,
): string | null {
  const cited = numbers.map((number) => sources.get(number));
  if (cited.length === 0) return "it names no source";
  const texts = cited.flatMap((source) => source?.text ?? []);
  if (texts.length < cited.length) return "it names a source that does not exist";
  if (quote !== null && !texts.some((source) => source.includes(quote))) return "its quote is in none of its sources";
  const known = new Set(texts.flatMap((source) => source.match(FIGURE) ?? []));
  if ((text.match(FIGURE) ?? []).some((figure) => !known.has(figure))) return "its figure is in none of its sources";
  const normalised = texts.map(normaliseForMatch);
  const isQuoted = ([, words = ""]: RegExpMatchArray) =>
    normalised.some((source) => source.includes(normaliseForMatch(words)));
  return [...text.matchAll(QUOTED)].every(isQuoted) ? null : "its quoted words are in none of its sources";
}

/** The same for a statement in a model's words, whose names and most of whose words must be in its sources too. */
export function whyInvented(statement: Statement, sources: ReadonlyMap<number, BriefSource>): string | null {
  const reason = whyUnverified(statement, sources);
  if (reason !== null) return reason;
  const markdown = statement.sources.map((number) => sources.get(number)?.text ?? "").join("\n\n");
  return whyUnsupported(statement.text, readPageEvidence({ ...NO_PAGE, markdown }));
}

const NO_PAGE: PageText = {
  ...{ url: "", canonical: null, title: null, site_name: null, description: null, language: null },
  ...{ published_at: null, published_from: null, markdown: "", images: [], links: [], labels: [], json_ld: [] },
};
