import { Failure } from "../../core/errors.ts";
import type { Encoder } from "../../embedding/encoder.ts";
import type { PassageIndex } from "../index/passage-index.ts";
import type { PassageFilter } from "../index/passage-table.ts";
import type { CaseStudy, SearchMode, StudyHit } from "../types.ts";
import { passageMarker } from "./highlight.ts";
import { bestOfBoth, type FoundPassage, fuse, RANKING, type RankedStudy, type Ranking } from "./ranking.ts";
import { createTermStatistics, type PassageInContext, textInContext } from "./term-statistics.ts";

/** The index that currently answers searches, and the model of its vectors. */
export interface SearchBackend {
  readonly index: Pick<PassageIndex, "state" | "nearest" | "keyword">;
  /** Opens the model when it is first needed. @throws Failure `model.*` when it cannot be used */
  readonly encoder: () => Promise<Pick<Encoder, "encode" | "interact" | "observe">>;
}

/** Keeps a backend open while `work` runs, even if another model replaces it meanwhile. */
export type UseBackend = <T>(work: (backend: SearchBackend) => Promise<T>) => Promise<T>;

interface StudySource {
  byIds(ids: readonly string[]): Promise<readonly CaseStudy[]>;
  passages(ids: readonly number[]): Promise<readonly PassageInContext[]>;
  newestPassage(): Promise<number>;
  sample(most: number): Promise<readonly PassageInContext[]>;
}

export interface SearchOptions {
  readonly caseStudies: StudySource;
  readonly use: UseBackend;
  readonly ranking?: Ranking | undefined;
}

export interface SearchQuery {
  readonly query: string;
  /** 1–50. */
  readonly limit: number;
  readonly mode: SearchMode;
  readonly filter: PassageFilter;
}

/** Returns one list of hits for each query, in order. The queries are embedded together. */
export type Search = (queries: readonly SearchQuery[], signal?: AbortSignal) => Promise<StudyHit[][]>;

/** Candidate passages requested from each ranking: fewer miss case studies, more cost time. */
const CANDIDATES = { perResult: 6, least: 60, most: 600 } as const;
const MAX_CANDIDATES = 10_000;

/**
 * Candidates compared token by token, at 0.08 ms each with 100,000 case studies: reading, tokenising and comparing.
 * Half as many again hardly find more; a quarter less loses 0.005 nDCG.
 */
const COMPARED = { perResult: 4, least: 40, most: 200 } as const;

/** Hits ranked beyond the limit, in place of case studies that were removed since they were indexed. */
const SPARE = 5;

/** Another model may replace the index twice during one search; more often is a fault. */
const ATTEMPTS = 3;

/**
 * Searches case studies: embeds the queries, retrieves passages by words and by vectors (filtered before ranking),
 * compares the best token by token, and fuses the rankings into case studies. When the model cannot be used, hybrid
 * queries are answered by words alone and semantic queries are refused.
 */
export function createSearch({ caseStudies, use, ranking = RANKING }: SearchOptions): Search {
  const updateTermStatistics = createTermStatistics(caseStudies);

  return async (queries, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const results = await use(async (backend) => {
        try {
          return await searchWith(backend, queries, signal);
        } catch (error) {
          // Another model replaced the index after the queries were embedded: search again with that model.
          if (attempt < ATTEMPTS && backend.index.state === "other model") return undefined;
          throw error;
        }
      });
      if (results) return results;
    }
  };

  async function searchWith(
    backend: SearchBackend,
    queries: readonly SearchQuery[],
    signal: AbortSignal | undefined,
  ): Promise<StudyHit[][]> {
    const usable = await withoutUnusableModel(backend, queries);
    const semantic = usable.filter(({ mode }) => mode !== "keyword");
    const vectors = new Map<SearchQuery, Float32Array | undefined>();
    if (semantic.length > 0) {
      const encoder = await backend.encoder();
      await updateTermStatistics(encoder);
      const encoded = await encoder.encode(
        semantic.map(({ query }) => query),
        "query",
        signal,
      );
      semantic.forEach((query, at) => void vectors.set(query, encoded[at]));
    }
    const passages = readOnce((ids) => caseStudies.passages(ids));
    const ranked = await Promise.all(usable.map((query) => rank(backend, query, vectors.get(query), passages, signal)));
    signal?.throwIfAborted();
    return await Promise.all(usable.map((query, at) => present(query, ranked[at] ?? [], passages)));
  }

  /** Requests more passages until there are enough case studies or no more passages. */
  async function rank(
    backend: SearchBackend,
    query: SearchQuery,
    vector: Float32Array | undefined,
    passages: ReadPassages,
    signal: AbortSignal | undefined,
  ): Promise<RankedStudy[]> {
    const { limit, filter, mode } = query;
    const mostCompared = bounded(limit, COMPARED);
    for (let wanted = bounded(limit, CANDIDATES); ; wanted = Math.min(MAX_CANDIDATES, wanted * 4)) {
      const options = { limit: wanted, filter };
      const [keyword, semantic] = await Promise.all([
        mode === "semantic" ? [] : backend.index.keyword(query.query, options),
        vector === undefined ? [] : backend.index.nearest(vector, options),
      ]);
      const compared =
        vector === undefined
          ? undefined
          : await compare(backend, query.query, bestOfBoth(keyword, semantic, mostCompared), passages, signal);
      const weights = ranking[compared ? "compared" : "plain"][mode];
      const weighted = (name: keyof typeof weights, found: readonly FoundPassage[]) => ({
        found,
        weight: weights[name],
        further: ranking.further[name],
      });
      const ranked = fuse([
        weighted("keyword", keyword),
        weighted("semantic", semantic),
        weighted("interaction", compared ?? []),
      ]);
      const exhausted = keyword.length < wanted && semantic.length < wanted;
      if (ranked.length >= limit || exhausted || wanted >= MAX_CANDIDATES) return ranked;
    }
  }

  /** Scores passages token by token; undefined when the model cannot compare. */
  async function compare(
    backend: SearchBackend,
    query: string,
    candidates: readonly FoundPassage[],
    passages: ReadPassages,
    signal: AbortSignal | undefined,
  ): Promise<FoundPassage[] | undefined> {
    const texts = await passages(candidates.map(({ passage }) => passage));
    const encoder = await backend.encoder();
    const scores = await encoder.interact?.(query, texts.map(textInContext), signal);
    const scoreOf = new Map(texts.map(({ id }, at) => [id, scores?.[at] ?? 0]));
    return scores && candidates.map((found) => ({ ...found, score: scoreOf.get(found.passage) ?? 0 }));
  }

  /** Reads the best case studies and marks the matching sentences; skips what was removed since it was indexed. */
  async function present(
    { query, limit }: SearchQuery,
    ranked: readonly RankedStudy[],
    passages: ReadPassages,
  ): Promise<StudyHit[]> {
    const best = ranked.slice(0, limit + SPARE);
    const [studies, texts] = await Promise.all([
      caseStudies.byIds(best.map(({ study }) => study)),
      passages(best.map(({ passage }) => passage)),
    ]);
    const studyOf = new Map(studies.map((study) => [study.id, study]));
    const textOf = new Map(texts.map(({ id, text }) => [id, text]));
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

const bounded = (limit: number, { perResult, least, most }: typeof CANDIDATES | typeof COMPARED) =>
  Math.min(most, Math.max(least, limit * perResult));

/** Turns hybrid queries into keyword queries when the model cannot be used. */
async function withoutUnusableModel(
  { encoder }: SearchBackend,
  queries: readonly SearchQuery[],
): Promise<readonly SearchQuery[]> {
  if (queries.every(({ mode }) => mode === "keyword")) return queries;
  try {
    await encoder();
    return queries;
  } catch (error) {
    const isModelFailure = error instanceof Failure && error.code.startsWith("model.");
    if (!isModelFailure || queries.some(({ mode }) => mode === "semantic")) throw error;
    return queries.map((query) => ({ ...query, mode: "keyword" as const }));
  }
}

type ReadPassages = (ids: readonly number[]) => Promise<readonly PassageInContext[]>;

/** Caches passages: those that are compared are often presented as well. */
function readOnce(read: ReadPassages): ReadPassages {
  const known = new Map<number, PassageInContext>();
  return async (ids) => {
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length > 0) for (const passage of await read(unknown)) known.set(passage.id, passage);
    return ids.flatMap((id) => known.get(id) ?? []);
  };
}
