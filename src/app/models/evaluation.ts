import type { Encoder } from "../../embed/encoder.ts";
import type { PassageHit } from "../../store/passage-index.ts";
import type { Store } from "../../store/store.ts";
import { figuresOf, meanOf, type RankingFigures } from "../../studies/search/measures.ts";
import { passageContext } from "../../studies/text/passages.ts";
import type { SearchMode } from "../../vocabulary/case-study.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { createStudySearch, type Lent } from "../study-search.ts";
import type { JudgedQuestion } from "./questions.ts";

/** How well searches answer the questions, in each mode. */
export interface Measured {
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
const DEPTH = 10;
/** Questions that are embedded together. */
const AT_ONCE = 32;
/** In memory, with 384 dimensions, these take 800 MB. */
const MOST_PASSAGES = 500_000;

/** Asks every question in each mode. */
export async function evaluate(
  store: Pick<Store, "caseStudies">,
  lend: <T>(work: (lent: Lent) => Promise<T>) => Promise<T>,
  questions: readonly JudgedQuestion[],
  { signal, onProgress }: EvaluationWork,
): Promise<Measured> {
  const search = createStudySearch({ store, lend });
  const ids = [...new Set(questions.flatMap(({ relevant }) => relevant))];
  const there = new Set((await store.caseStudies.byIds(ids)).map(({ id }) => id));
  let asked = 0;
  const ofMode = async (mode: SearchMode): Promise<RankingFigures> => {
    const figures: RankingFigures[] = [];
    for (let at = 0; at < questions.length; at += AT_ONCE) {
      signal?.throwIfAborted();
      const some = questions.slice(at, at + AT_ONCE);
      const answers = await search(
        some.map(({ query }) => ({ query, limit: DEPTH, mode, filter: {} })),
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
  keyword: Lent["index"]["keyword"],
  { signal, onProgress }: EvaluationWork,
): Promise<Lent["index"]> {
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
