import { measuredBy, outcomeFigure } from "../outcome-text.ts";
import type { Outcome, Relevance, StudyAddress, StudyHit, StudyResults } from "../types.ts";

/** Case studies searched for an answer; of each only the best passage is cited. */
export const MAX_CITATIONS = 8;

/** A passage that answers a question. */
export interface Citation {
  /** From 1, in the order of the groups. */
  readonly number: number;
  /** Verbatim, one to three sentences of the case study. */
  readonly sentence: string;
  readonly highlights: readonly (readonly [number, number])[];
  readonly id: string;
  readonly title: string;
  /** Of the original. */
  readonly url: string;
  readonly company: StudyHit["study"]["company"];
  readonly client: StudyHit["study"]["client"];
  readonly published_at: string | null;
  /** What the cited sentence states; null where it states no figure that was read. */
  readonly figure: { readonly text: string; readonly measured: string } | null;
  /** Null where results were not rated. */
  readonly relevance: "strong" | "good" | null;
  /** Other case studies with nearly the same sentence. */
  readonly also_in: readonly StudyAddress[];
}

/** Citations that claim the same. */
export interface ClaimGroup {
  /** What they measure, such as `cost`; null for those without an outcome. */
  readonly claim: string | null;
  readonly citations: readonly Citation[];
}

interface Answer {
  /** The group of the best citation first, and in a group the best first. */
  readonly groups: readonly ClaimGroup[];
  /** Whether no case study answers the question well. */
  readonly noAnswer: boolean;
}

/** An answer in a language model's words, as far as the cited passages support them. */
export interface ComposedAnswer {
  /** Each cites at least one passage; empty when the model wrote none that the passages support. */
  readonly sentences: readonly { readonly text: string; readonly citations: readonly number[] }[];
  /** Sentences that say more than the passages that they cite, and are omitted. */
  readonly dropped: number;
  /** Why the language model was not used, or not for everything, in one sentence; null otherwise. */
  readonly fallback: string | null;
}

/** An answer, and what its search reported. */
export interface StudyAnswer extends Answer, Pick<StudyResults, "query" | "degraded" | "pending"> {
  /** A language model's answer; null when none was requested, none is configured, or nothing is cited. */
  readonly composed: ComposedAnswer | null;
}

/**
 * Selects the passages that answer a question and groups them by what they claim. Composes no text: every sentence is the
 * source's. Results that hardly answer are omitted; where results could not be rated, the best are cited unrated.
 */
export function answerOf({ hits }: Pick<StudyResults, "hits">): Answer {
  const groups = new Map<string | null, Rated[]>();
  const cited: {
    readonly words: ReadonlySet<string>;
    readonly citation: { readonly also_in: StudyAddress[] };
  }[] = [];
  for (const { study, passage, relevance, also_in } of hits) {
    const level = relevance?.level ?? null;
    if (level === "weak" || passage.text === "") continue;
    const words = wordsOf(passage.text);
    const same = cited.find((one) => areNearlyEqual(one.words, words));
    if (same) {
      same.citation.also_in.push({ id: study.id, url: study.url }, ...also_in);
      continue;
    }
    const stated = study.outcomes.find((outcome) => isStatedIn(outcome, passage.text));
    const figure = stated ? outcomeFigure(stated) : null;
    const citation = {
      sentence: passage.text,
      highlights: passage.highlights,
      id: study.id,
      title: study.title,
      url: study.url,
      company: study.company,
      client: study.client,
      published_at: study.published_at,
      figure: stated && figure !== null ? { text: figure, measured: measuredBy(stated) } : null,
      relevance: level,
      also_in: [...also_in],
    };
    cited.push({ words, citation });
    const claim = stated?.metric ?? null;
    groups.set(claim, [...(groups.get(claim) ?? []), { citation, relevance }]);
  }
  let number = 0;
  // A search orders by score, which compares no two passages as well as relevance does. Sorting is stable.
  const ordered = [...groups]
    .map(([claim, rated]) => ({ claim, rated: rated.toSorted(byRelevance) }))
    .sort((one, other) => byRelevance(one.rated[0], other.rated[0]));
  return {
    groups: ordered.map(({ claim, rated }) => ({
      claim: claim?.replaceAll("-", " ") ?? null,
      citations: rated.map(({ citation }) => {
        number += 1;
        return { number, ...citation };
      }),
    })),
    noAnswer: cited.length === 0,
  };
}

interface Rated {
  readonly citation: Omit<Citation, "number">;
  readonly relevance: Relevance | null;
}

/** The most relevant first; unrated ones last, in their order. */
const byRelevance = (one: Rated | undefined, other: Rated | undefined): number =>
  rankOf(other) - rankOf(one) || probabilityOf(other) - probabilityOf(one);
const rankOf = (rated: Rated | undefined) => ["weak", "good", "strong"].indexOf(rated?.relevance?.level ?? "");
const probabilityOf = (rated: Rated | undefined) => rated?.relevance?.probability ?? 0;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Share of words that two sentences with the same content have in common. */
const SAME = 0.8;

function areNearlyEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared >= SAME * (one.size + other.size - shared);
}

/** Whether a sentence is the one from which an outcome was read: a figure of another sentence is no proof. */
function isStatedIn({ sentence, text }: Outcome, cited: string): boolean {
  const own = plain(sentence ?? text);
  return own !== "" && ` ${plain(cited)} `.includes(` ${own} `);
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%$€£]+/gu, " ")
    .trim();
