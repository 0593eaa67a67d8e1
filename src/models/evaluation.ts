import type { PassageHit } from "../casestudies/index/passage-table.ts";
import type { CaseStudyRepository } from "../casestudies/repository.ts";
import { createSearch, type SearchBackend, type UseBackend } from "../casestudies/search/search.ts";
import { passageContext } from "../casestudies/text/passages.ts";
import type { SearchMode } from "../casestudies/types.ts";
import { Failure, type Problem } from "../core/errors.ts";
import type { Encoder } from "../embedding/encoder.ts";

/** Quality of the ranking for one query, or the mean of several; each 0–1. */
export interface RankingFigures {
  readonly ndcg_10: number;
  readonly mrr: number;
  readonly recall_5: number;
  readonly recall_10: number;
}

const DEPTH = 10;

/** Figures of one ranking with binary relevance; nDCG with gain 1 and the ideal ranking of all relevant ids, at most ten. */
export function figuresOf(found: readonly string[], relevant: readonly string[]): RankingFigures {
  const wanted = new Set(relevant);
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const dcg = found.slice(0, DEPTH).reduce((sum, id, rank) => sum + (wanted.has(id) ? gain(rank) : 0), 0);
  const ideal = Array.from({ length: Math.min(wanted.size, DEPTH) }, (_, rank) => gain(rank)).reduce(
    (sum, value) => sum + value,
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

/** The mean of each figure; 0 without rankings. */
export function meanOf(all: readonly RankingFigures[]): RankingFigures {
  const of = (key: keyof RankingFigures) =>
    all.reduce((sum, figures) => sum + figures[key], 0) / Math.max(1, all.length);
  return { ndcg_10: of("ndcg_10"), mrr: of("mrr"), recall_5: of("recall_5"), recall_10: of("recall_10") };
}

/** Search quality in each mode. */
interface Measured {
  readonly questions: number;
  /** Relevant ids that do not exist and therefore cannot be found. */
  readonly unknown: readonly string[];
  readonly modes: Readonly<Record<SearchMode, RankingFigures>>;
}

export interface Evaluation extends Measured {
  /** Name of the evaluated model. */
  readonly model: string;
  /** Changes whenever the vectors change. */
  readonly model_id: string;
}

export interface EvaluationWork {
  readonly signal?: AbortSignal | undefined;
  /** Called with a number of embedded case studies or of evaluated queries. */
  readonly onProgress?: ((done: number, what: "embedded" | "evaluated") => void) | undefined;
}

const MODES = ["keyword", "semantic", "hybrid"] as const;
const EVALUATION_DEPTH = 10;
/** Queries embedded together. */
const BATCH = 32;
/** With 384 dimensions these take 800 MB of memory. */
const MAX_PASSAGES = 500_000;

/** Runs every query in each mode. */
export async function evaluate(
  caseStudies: CaseStudyRepository,
  use: UseBackend,
  questions: readonly JudgedQuestion[],
  { signal, onProgress }: EvaluationWork,
): Promise<Measured> {
  const search = createSearch({ caseStudies, use });
  const ids = [...new Set(questions.flatMap(({ relevant }) => relevant))];
  const existing = new Set((await caseStudies.byIds(ids)).map(({ id }) => id));
  let evaluated = 0;
  const evaluateMode = async (mode: SearchMode): Promise<RankingFigures> => {
    const figures: RankingFigures[] = [];
    for (let at = 0; at < questions.length; at += BATCH) {
      signal?.throwIfAborted();
      const batch = questions.slice(at, at + BATCH);
      const answers = await search(
        batch.map(({ query }) => ({ query, limit: EVALUATION_DEPTH, mode, filter: {} })),
        signal,
      );
      for (const [place, { relevant }] of batch.entries()) {
        const found = answers[place]?.hits.map(({ study }) => study.id) ?? [];
        figures.push(figuresOf(found, relevant));
      }
      evaluated += batch.length;
      onProgress?.(evaluated, "evaluated");
    }
    return meanOf(figures);
  };
  const modes: Partial<Record<SearchMode, RankingFigures>> = {};
  for (const mode of MODES) modes[mode] = await evaluateMode(mode);
  const { keyword = meanOf([]), semantic = meanOf([]), hybrid = meanOf([]) } = modes;
  return {
    questions: questions.length,
    unknown: ids.filter((id) => !existing.has(id)),
    modes: { keyword, semantic, hybrid },
  };
}

/**
 * Builds an index in memory with another model. Keyword searches use the index on disk.
 *
 * @throws Failure `query.invalid` when there are too many passages
 */
export async function inMemoryIndex(
  caseStudies: CaseStudyRepository,
  encoder: Pick<Encoder, "encode" | "dimensions">,
  keyword: SearchBackend["index"]["keyword"],
  { signal, onProgress }: EvaluationWork,
): Promise<SearchBackend["index"]> {
  const vectors: Float32Array[] = [];
  const rows: Omit<PassageHit, "score">[] = [];
  let studies = 0;
  for await (const batch of caseStudies.each()) {
    signal?.throwIfAborted();
    const studyOf = new Map(batch.map(({ study }) => [study.id, study]));
    const passages = (await caseStudies.passagesOf([...studyOf.keys()])).flatMap((passage) => {
      const study = studyOf.get(passage.case_study_id);
      return study ? [{ passage, study }] : [];
    });
    if (rows.length + passages.length > MAX_PASSAGES)
      throw new Failure(
        "query.invalid",
        "There are too many passages for an index in memory; use the model first, then evaluate it.",
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

/** A query with its relevant case studies. */
interface JudgedQuestion {
  readonly query: string;
  /** At least one id. */
  readonly relevant: readonly string[];
}

const MAX_QUESTIONS = 10_000;
const MAX_RELEVANT = 1_000;
const MAX_QUERY = 1_000;
const MAX_ID = 200;
const MAX_PROBLEMS = 20;

/**
 * Parses judged queries from JSON lines: `{"query": "…", "relevant": ["id", …]}`; other fields are ignored.
 *
 * @throws Failure `query.invalid` with the invalid lines
 */
export function parseQuestions(text: string): JudgedQuestion[] {
  const lines = text.split("\n").map((line, at) => ({ line, number: at + 1 }));
  const filled = lines.filter(({ line }) => line.trim() !== "");
  if (filled.length === 0 || filled.length > MAX_QUESTIONS)
    throw new Failure("query.invalid", `Give 1 to ${MAX_QUESTIONS} questions, one JSON object per line.`);
  const problems: Problem[] = [];
  const questions = filled.flatMap(({ line, number }) => {
    const question = questionOf(line);
    if (typeof question !== "string") return [question];
    problems.push({ pointer: `line ${number}`, detail: question });
    return [];
  });
  if (problems.length > 0)
    throw new Failure("query.invalid", "The questions file has invalid lines; correct them.", {
      problems: problems.slice(0, MAX_PROBLEMS),
    });
  return questions;
}

function questionOf(line: string): JudgedQuestion | string {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return "It is not JSON.";
  }
  const { query, relevant }: { query?: unknown; relevant?: unknown } =
    typeof given === "object" && given !== null ? given : {};
  if (typeof query !== "string" || query.trim() === "" || query.trim().length > MAX_QUERY)
    return "`query` must have 1 to 1,000 characters.";
  const isList = Array.isArray(relevant) && relevant.length >= 1 && relevant.length <= MAX_RELEVANT;
  if (!isList || !relevant.every((id) => typeof id === "string" && id !== "" && id.length <= MAX_ID))
    return "`relevant` must list the ids of 1 to 1,000 case studies.";
  return { query: query.trim(), relevant: relevant.map(String) };
}
