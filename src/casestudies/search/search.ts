import { passageContext } from "../text/passages.ts";
import type { CaseStudy, SearchMode, StudyHit } from "../types.ts";
import { passageMarker } from "./highlight.ts";

/** What each side counts for; together 1. */
interface Shares {
  /** Words in common, by BM25. */
  readonly keyword: number;
  /** The vectors' cosine. */
  readonly semantic: number;
  /** Late interaction: the question's tokens against the passage's. */
  readonly interaction: number;
}

export interface Ranking {
  /** What the second, third … best passage of a case study adds to its best one on a side, of its own score. */
  readonly further: Readonly<Record<keyof Shares, readonly number[]>>;
  /** With a model that gives vectors only. */
  readonly plain: Readonly<Record<SearchMode, Shares>>;
  /** With one that compares token by token as well. */
  readonly compared: Readonly<Record<SearchMode, Shares>>;
}

/**
 * Set on 1,443 development questions about 397 case studies, asked of a model that had read none of them (`bun run train
 * --blind`), and on two sets of another kind (`bun run eval embedding`): nDCG@10 of 1,383 questions that we wrote
 * (`data/training/questions`) is 0.509 by words and 0.608 by all sides, of the sixty of `bun run eval search` 0.767 and
 * 0.904. Around these shares it is flat: 0.05 more or less changes them by 0.01. Less for words serves questions about
 * case studies a little better, more serves long technical ones (Cranfield) and names.
 */
const RANKING: Ranking = {
  further: {
    /** A story that says the words in several places is more about them. */
    keyword: [0.2, 0.1],
    /** A second passage that is a little like the question says nothing: counting it made every figure worse. */
    semantic: [],
    interaction: [0.1],
  },
  plain: {
    keyword: { keyword: 1, semantic: 0, interaction: 0 },
    semantic: { keyword: 0, semantic: 1, interaction: 0 },
    hybrid: { keyword: 0.6, semantic: 0.4, interaction: 0 },
  },
  compared: {
    keyword: { keyword: 1, semantic: 0, interaction: 0 },
    semantic: { keyword: 0, semantic: 0.2, interaction: 0.8 },
    hybrid: { keyword: 0.25, semantic: 0.2, interaction: 0.55 },
  },
};

/** Passages asked of each side: fewer lose case studies, more cost time. */
const CANDIDATES = { perResult: 6, least: 60, most: 600 } as const;

/**
 * Of the best of both sides so many are compared token by token, at 0.08 ms each where there are 100,000 case studies:
 * to read them, to find their tokens and to compare. Half as many again find hardly more, a quarter less loses 0.005.
 */
const COMPARED = { perResult: 4, least: 40, most: 200 } as const;

/** A passage that one side found; higher is better. */
export interface FoundPassage {
  readonly passage: number;
  readonly study: string;
  readonly score: number;
}

interface RankedStudy {
  readonly study: string;
  /** 0–1. */
  readonly score: number;
  /** The passage that speaks for it. */
  readonly passage: number;
}

/** What one side found, and what it counts for. */
interface Side {
  readonly found: readonly FoundPassage[];
  /** 0–1; of all sides together 1. */
  readonly share: number;
  /** What the second, third … passage of a case study adds to its best, of its own score. */
  readonly further: readonly number[];
}

interface Candidate {
  readonly scores: number[];
  readonly passage: number;
}

/**
 * Ranks case studies by what the sides found. Each side's scores are brought to 0–1 by its own best and worst
 * candidate and then weighed; ranks are not used, since they make a weak side's tail as good as a strong side's.
 *
 * @returns best first; equal scores in the order of their names, so that the same question has the same answer
 */
export function fuse(sides: readonly Side[]): RankedStudy[] {
  const ranked = new Map<string, { score: number; passage: number; best: number }>();
  for (const { found, share, further } of sides) {
    const most = 1 + further.reduce((sum, one) => sum + one, 0);
    for (const [study, { scores, passage }] of byStudy(normalised(found))) {
      const part = (share * withFurther(scores, further)) / most;
      const known = ranked.get(study);
      if (!known) ranked.set(study, { score: part, passage, best: part });
      else {
        known.score += part;
        if (part > known.best) Object.assign(known, { passage, best: part });
      }
    }
  }
  return [...ranked]
    .map(([study, { score, passage }]) => ({ study, passage, score: Math.min(1, Math.max(0, score)) }))
    .sort((a, b) => b.score - a.score || (a.study < b.study ? -1 : 1));
}

/** The passages that two sides speak for most, each brought to 0–1 and both worth the same; best first. */
export function bestOfBoth(
  keyword: readonly FoundPassage[],
  semantic: readonly FoundPassage[],
  limit: number,
): FoundPassage[] {
  const best = new Map<number, FoundPassage>();
  for (const found of [...normalised(keyword), ...normalised(semantic)]) {
    const known = best.get(found.passage);
    best.set(found.passage, known ? { ...known, score: known.score + found.score } : found);
  }
  return [...best.values()].sort((a, b) => b.score - a.score || a.passage - b.passage).slice(0, limit);
}

/** The worst candidate still counts for a little: it was found among all. */
const FLOOR = 0.02;

function normalised(found: readonly FoundPassage[]): FoundPassage[] {
  const scores = found.map(({ score }) => score);
  const best = Math.max(...scores);
  const worst = Math.min(...scores);
  const span = best - worst;
  return found.map((each) => ({ ...each, score: span > 0 ? FLOOR + ((each.score - worst) / span) * (1 - FLOOR) : 1 }));
}

function byStudy(found: readonly FoundPassage[]): Map<string, Candidate> {
  const studies = new Map<string, Candidate>();
  for (const { study, passage, score } of found.toSorted((a, b) => b.score - a.score || a.passage - b.passage)) {
    const known = studies.get(study);
    if (known) known.scores.push(score);
    else studies.set(study, { scores: [score], passage });
  }
  return studies;
}

const withFurther = ([best = 0, ...rest]: readonly number[], further: readonly number[]): number =>
  further.reduce((sum, share, index) => sum + share * (rest[index] ?? 0), best);

/** A question whose filter is in the form that the index takes. */
export interface Question<Filter> {
  readonly query: string;
  /** 1–50. */
  readonly limit: number;
  readonly mode: SearchMode;
  readonly filter: Filter;
}

interface SearchParts<Filter> {
  /** One vector for each query, in order. */
  readonly embed: (queries: readonly string[], signal: AbortSignal | undefined) => Promise<readonly Float32Array[]>;
  readonly nearest: (
    vector: Float32Array,
    options: { limit: number; filter: Filter },
  ) => Promise<readonly FoundPassage[]>;
  readonly keyword: (query: string, options: { limit: number; filter: Filter }) => Promise<readonly FoundPassage[]>;
  readonly studies: (ids: readonly string[]) => Promise<readonly CaseStudy[]>;
  /** How much of the question each passage says, 0–1; nothing where the model cannot compare. */
  readonly interact: (
    query: string,
    passages: readonly string[],
    signal: AbortSignal | undefined,
  ) => Promise<readonly number[] | undefined>;
  readonly passages: (ids: readonly number[]) => Promise<readonly PassageOfStudy[]>;
  readonly ranking?: Ranking;
}

/** A passage with what its case study is about. */
export interface PassageOfStudy {
  readonly id: number;
  readonly heading: string | null;
  readonly text: string;
  readonly title: string;
  readonly client: string | null;
  readonly industry: string | null;
  readonly summary: string | null;
}

/**
 * Answers questions: both sides are asked with the filter, so that it narrows before anything is ranked; passages are
 * brought together into case studies; what SQLite no longer has is left out.
 */
export function createSearch<Filter>(parts: SearchParts<Filter>) {
  const ranking = parts.ranking ?? RANKING;

  /** Asks for more passages until there are enough case studies, or no more passages. */
  const rank = async (
    question: Question<Filter>,
    vector: Float32Array | undefined,
    passages: Passages,
    signal: AbortSignal | undefined,
  ): Promise<RankedStudy[]> => {
    const { query, limit, filter } = question;
    const most = Math.min(COMPARED.most, Math.max(COMPARED.least, limit * COMPARED.perResult));
    let wanted = Math.min(CANDIDATES.most, Math.max(CANDIDATES.least, limit * CANDIDATES.perResult));
    for (;;) {
      const options = { limit: wanted, filter };
      const [keyword, semantic] = await Promise.all([
        question.mode === "semantic" ? [] : parts.keyword(query, options),
        vector === undefined ? [] : parts.nearest(vector, options),
      ]);
      const compared =
        vector === undefined
          ? undefined
          : await compare(question, bestOfBoth(keyword, semantic, most), passages, signal);
      const shares = ranking[compared ? "compared" : "plain"][question.mode];
      const side = (name: keyof typeof shares, found: readonly FoundPassage[]) => ({
        found,
        share: shares[name],
        further: ranking.further[name],
      });
      const ranked = fuse([side("keyword", keyword), side("semantic", semantic), side("interaction", compared ?? [])]);
      const exhausted = keyword.length < wanted && semantic.length < wanted;
      if (ranked.length >= limit || exhausted || wanted >= MOST_PASSAGES) return ranked;
      wanted = Math.min(MOST_PASSAGES, wanted * 4);
    }
  };

  /** The passages by what they say token by token. */
  const compare = async (
    { query }: Question<Filter>,
    best: readonly FoundPassage[],
    passages: Passages,
    signal: AbortSignal | undefined,
  ): Promise<FoundPassage[] | undefined> => {
    const texts = await passages(best.map(({ passage }) => passage));
    const scores = await parts.interact(query, texts.map(inContext), signal);
    const scoreOf = new Map(texts.map(({ id }, at) => [id, scores?.[at] ?? 0]));
    return scores && best.map((found) => ({ ...found, score: scoreOf.get(found.passage) ?? 0 }));
  };

  return {
    /** One list of hits for each question, in order; the queries are embedded together. */
    async ask(questions: readonly Question<Filter>[], signal?: AbortSignal): Promise<StudyHit[][]> {
      const passages = readOnce(parts.passages);
      const semantic = questions.filter(({ mode }) => mode !== "keyword");
      const vectors =
        semantic.length > 0
          ? await parts.embed(
              semantic.map(({ query }) => query),
              signal,
            )
          : [];
      const vectorOf = new Map(semantic.map((question, index) => [question, vectors[index]]));
      const ranked = await Promise.all(
        questions.map((question) => rank(question, vectorOf.get(question), passages, signal)),
      );
      signal?.throwIfAborted();
      return Promise.all(questions.map((question, index) => present(question, ranked[index] ?? [], passages)));
    },
  };

  async function present(
    { query, limit }: Question<Filter>,
    ranked: readonly RankedStudy[],
    passagesOf: Passages,
  ): Promise<StudyHit[]> {
    // A few more than asked for: some may have been removed since they were indexed.
    const best = ranked.slice(0, limit + SPARE);
    const [studies, passages] = await Promise.all([
      parts.studies(best.map(({ study }) => study)),
      passagesOf(best.map(({ passage }) => passage)),
    ]);
    const studyOf = new Map(studies.map((study) => [study.id, study]));
    const textOf = new Map(passages.map(({ id, text }) => [id, text]));
    const mark = passageMarker(query);
    return best
      .flatMap(({ study: id, score, passage }) => {
        const study = studyOf.get(id);
        const text = textOf.get(passage);
        return study && text !== undefined ? [{ study, score, text }] : [];
      })
      .slice(0, limit)
      .map(({ study, score, text }) => ({ study, score, passage: mark(text) }));
  }
}

type Passages = (ids: readonly number[]) => Promise<readonly PassageOfStudy[]>;

/** What was compared is often what is shown. */
function readOnce(read: Passages): Passages {
  const known = new Map<number, PassageOfStudy>();
  return async (ids) => {
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length > 0) for (const passage of await read(unknown)) known.set(passage.id, passage);
    return ids.flatMap((id) => known.get(id) ?? []);
  };
}

const SPARE = 5;
const MOST_PASSAGES = 10_000;

/** What is compared: a passage seldom says of what kind its client is, which a question often begins with. */
export const inContext = ({ title, client, heading, text, industry, summary }: PassageOfStudy) =>
  [passageContext({ title, client: { name: client } }, { heading, text }), industry, summary].filter(Boolean).join(" ");
