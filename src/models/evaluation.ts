import type { PassageHit } from "../casestudies/index/passage-table.ts";
import { createSearch, type SearchBackend, type UseBackend } from "../casestudies/search/search.ts";
import { passageContext } from "../casestudies/text/passages.ts";
import type { SearchMode } from "../casestudies/types.ts";
import { Failure, type Problem } from "../core/errors.ts";
import type { Encoder } from "../embedding/encoder.ts";
import type { Store } from "../store.ts";

/** How well a ranking answers one question, or several on average; each 0–1. */
export interface RankingFigures {
  readonly ndcg_10: number;
  readonly mrr: number;
  readonly recall_5: number;
  readonly recall_10: number;
}

const DEPTH = 10;

/** Of one ranking. Binary relevance: nDCG with gains of 1 and the ideal order of as many as are relevant, at most ten. */
export function figuresOf(found: readonly string[], relevant: readonly string[]): RankingFigures {
  const wanted = new Set(relevant);
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const dcg = found.slice(0, DEPTH).reduce((sum, id, rank) => sum + (wanted.has(id) ? gain(rank) : 0), 0);
  const ideal = Array.from({ length: Math.min(wanted.size, DEPTH) }, (_, rank) => gain(rank)).reduce(
    (sum, one) => sum + one,
    0,
  );
  const first = found.findIndex((id) => wanted.has(id));
  const recall = (depth: number) =>
    found.slice(0, depth).filter((id) => wanted.has(id)).length / Math.max(1, wanted.size);
  return {
    ndcg_10: ideal === 0 ? 0 : dcg / ideal,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    recall_5: recall(5),
    recall_10: recall(10),
  };
}

/** The mean of each figure; zeros of none. */
export function meanOf(all: readonly RankingFigures[]): RankingFigures {
  const of = (key: keyof RankingFigures) =>
    all.reduce((sum, figures) => sum + figures[key], 0) / Math.max(1, all.length);
  return { ndcg_10: of("ndcg_10"), mrr: of("mrr"), recall_5: of("recall_5"), recall_10: of("recall_10") };
}

/** How well searches answer the questions, in each mode. */
interface Measured {
  readonly questions: number;
  /** Ids that the questions name and that are not there; they can never be found. */
  readonly unknown: readonly string[];
  readonly modes: Readonly<Record<SearchMode, RankingFigures>>;
}

export interface Evaluation extends Measured {
  /** Name of the model that was measured. */
  readonly model: string;
  /** Changes whenever its vectors would. */
  readonly model_id: string;
}

export interface EvaluationWork {
  readonly signal?: AbortSignal;
  /** Told what is counted. */
  readonly onProgress?: (done: number, what: "embedded" | "asked") => void;
}

const MODES = ["keyword", "semantic", "hybrid"] as const;
const EVALUATION_DEPTH = 10;
/** Questions that are embedded together. */
const AT_ONCE = 32;
/** In memory, with 384 dimensions, these take 800 MB. */
const MOST_PASSAGES = 500_000;

/** Asks every question in each mode. */
export async function evaluate(
  store: Pick<Store, "caseStudies">,
  use: UseBackend,
  questions: readonly JudgedQuestion[],
  { signal, onProgress }: EvaluationWork,
): Promise<Measured> {
  const search = createSearch({ caseStudies: store.caseStudies, use });
  const ids = [...new Set(questions.flatMap(({ relevant }) => relevant))];
  const there = new Set((await store.caseStudies.byIds(ids)).map(({ id }) => id));
  let asked = 0;
  const ofMode = async (mode: SearchMode): Promise<RankingFigures> => {
    const figures: RankingFigures[] = [];
    for (let at = 0; at < questions.length; at += AT_ONCE) {
      signal?.throwIfAborted();
      const some = questions.slice(at, at + AT_ONCE);
      const answers = await search(
        some.map(({ query }) => ({ query, limit: EVALUATION_DEPTH, mode, filter: {} })),
        signal,
      );
      for (const [place, { relevant }] of some.entries()) {
        const found = answers[place]?.map(({ study }) => study.id) ?? [];
        figures.push(figuresOf(found, relevant));
      }
      asked += some.length;
      onProgress?.(asked, "asked");
    }
    return meanOf(figures);
  };
  const modes: Partial<Record<SearchMode, RankingFigures>> = {};
  for (const mode of MODES) modes[mode] = await ofMode(mode);
  const { keyword = meanOf([]), semantic = meanOf([]), hybrid = meanOf([]) } = modes;
  return {
    questions: questions.length,
    unknown: ids.filter((id) => !there.has(id)),
    modes: { keyword, semantic, hybrid },
  };
}

/**
 * Embeds every passage with a model that has no index, in memory; the words are searched in the index that is there.
 *
 * @throws Failure `query.invalid` when there are too many for that
 */
export async function inMemoryIndex(
  store: Pick<Store, "caseStudies">,
  encoder: Pick<Encoder, "encode" | "dimensions">,
  keyword: SearchBackend["index"]["keyword"],
  { signal, onProgress }: EvaluationWork,
): Promise<SearchBackend["index"]> {
  const vectors: Float32Array[] = [];
  const rows: Omit<PassageHit, "score">[] = [];
  let studies = 0;
  for await (const batch of store.caseStudies.each()) {
    signal?.throwIfAborted();
    const studyOf = new Map(batch.map(({ study }) => [study.id, study]));
    const passages = (await store.caseStudies.passagesOf([...studyOf.keys()])).flatMap((passage) => {
      const study = studyOf.get(passage.case_study_id);
      return study ? [{ passage, study }] : [];
    });
    if (rows.length + passages.length > MOST_PASSAGES)
      throw new Failure(
        "query.invalid",
        "There is too much to embed for a comparison; take the model into use and ask then.",
      );
    vectors.push(
      ...(await encoder.encode(
        passages.map(({ passage, study }) => passageContext(study, passage)),
        "passage",
        signal,
      )),
    );
    rows.push(...passages.map(({ passage, study }) => ({ passage: passage.id, study: study.id })));
    studies += batch.length;
    onProgress?.(studies, "embedded");
  }
  return {
    state: "ready",
    keyword,
    async nearest(query, { limit }) {
      return rows
        .map((row, at) => ({ ...row, score: dot(query, vectors[at]) }))
        .sort((a, b) => b.score - a.score || a.passage - b.passage)
        .slice(0, limit);
    },
  };
}

function dot(a: Float32Array, b: Float32Array | undefined): number {
  let sum = 0;
  if (b) for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return Math.max(0, sum);
}

/** A question with the case studies that answer it. */
interface JudgedQuestion {
  readonly query: string;
  /** Ids of case studies; one at least. */
  readonly relevant: readonly string[];
}

const MOST_QUESTIONS = 10_000;
const MOST_RELEVANT = 1_000;
const MOST_QUERY = 1_000;
const MOST_ID = 200;
const SHOWN = 20;

/**
 * Reads questions as JSON lines: `{"query": "…", "relevant": ["id", …]}`; other fields are passed over.
 *
 * @throws Failure `query.invalid` that names the lines
 */
export function parseQuestions(text: string): JudgedQuestion[] {
  const lines = text.split("\n").map((line, at) => ({ line, number: at + 1 }));
  const filled = lines.filter(({ line }) => line.trim() !== "");
  if (filled.length === 0 || filled.length > MOST_QUESTIONS)
    throw new Failure("query.invalid", `Give 1 to ${MOST_QUESTIONS} questions, one JSON object a line.`);
  const problems: Problem[] = [];
  const questions = filled.flatMap(({ line, number }) => {
    const question = questionOf(line);
    if (typeof question !== "string") return [question];
    problems.push({ pointer: `line ${number}`, detail: question });
    return [];
  });
  if (problems.length > 0)
    throw new Failure("query.invalid", "The questions cannot be read; correct these lines.", {
      problems: problems.slice(0, SHOWN),
    });
  return questions;
}

function questionOf(line: string): JudgedQuestion | string {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return "It is no JSON.";
  }
  const { query, relevant }: { query?: unknown; relevant?: unknown } =
    typeof given === "object" && given !== null ? given : {};
  if (typeof query !== "string" || query.trim() === "" || query.trim().length > MOST_QUERY)
    return "`query` has 1 to 1,000 characters.";
  const isList = Array.isArray(relevant) && relevant.length >= 1 && relevant.length <= MOST_RELEVANT;
  if (!isList || !relevant.every((id) => typeof id === "string" && id !== "" && id.length <= MOST_ID))
    return "`relevant` lists the ids of 1 to 1,000 case studies.";
  return { query: query.trim(), relevant: relevant.map(String) };
}
