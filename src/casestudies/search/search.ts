import { createSingleFlight, createTurns } from "../../core/async.ts";
import { Failure } from "../../core/errors.ts";
import { normaliseName } from "../../core/text.ts";
import type { Encoder } from "../../embedding/encoder.ts";
import type { PassageIndex } from "../index/passage-index.ts";
import type { PassageFilter } from "../index/passage-memory.ts";
import { areNearDuplicates } from "../text/near-duplicates.ts";
import { wordSharer } from "../text/stem.ts";
import type { CaseStudy, Relevance, SearchMode, StudyAddress, StudyHit } from "../types.ts";
import { passageMarker } from "./highlight.ts";
import { bestOfBoth, type FoundPassage, fuse, RANKING, type RankedStudy, type Ranking } from "./ranking.ts";
import { createFeatures, type RankedEvidence, RELEVANCE, type RelevanceModel } from "./relevance.ts";
import type { StoredWords } from "./stored-words.ts";
import { createTermStatistics, type PassageInContext, textInContext } from "./term-statistics.ts";

/** The index that currently answers searches, and the model of its vectors. */
export interface SearchBackend {
  readonly index: Pick<PassageIndex, "state" | "nearest" | "keyword">;
  /** Opens the model when it is first needed. @throws Failure `model.*` when it cannot be used */
  readonly encoder: () => Promise<Pick<Encoder, "id" | "encode" | "interact" | "observe">>;
}

/** Keeps a backend open while `work` runs, even if another model replaces it meanwhile. */
export type UseBackend = <T>(work: (backend: SearchBackend) => Promise<T>) => Promise<T>;

interface FoundStudy {
  readonly study: CaseStudy;
  readonly fingerprint: string | null;
}

interface StudySource {
  /** Each with the similarity hash of its whole text, null where it is unknown. */
  withFingerprints(ids: readonly string[]): Promise<readonly FoundStudy[]>;
  passages(ids: readonly number[]): Promise<readonly PassageInContext[]>;
  newestPassage(): Promise<number>;
  sample(most: number): Promise<readonly PassageInContext[]>;
}

/** Answers searches while the index cannot be read or is being built. */
export interface SearchFallback {
  readonly storedWords: StoredWords;
  /** Number of case studies that wait for the index. */
  readonly pending: () => Promise<number>;
  /** A search begins; what it returns is called with each error of the index. */
  readonly watchSearch: () => OnIndexError;
}

type OnIndexError = (error: unknown) => void;

export interface SearchOptions {
  readonly caseStudies: StudySource;
  readonly use: UseBackend;
  readonly ranking?: Ranking | undefined;
  readonly relevance?: RelevanceModel | undefined;
  /** Without it, errors of the index are thrown. */
  readonly fallback?: SearchFallback | undefined;
}

export interface SearchQuery {
  readonly query: string;
  /** 1–50. */
  readonly limit: number;
  readonly mode: SearchMode;
  readonly filter: PassageFilter;
}

/** The answer to one query. */
export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly StudyHit[];
  /** Whether the results were rated, and none is good. */
  readonly noGoodMatch: boolean;
  /** Why the query was answered in another way than its mode says, in one sentence; null when it was not. */
  readonly degraded: string | null;
}

/** Returns one answer for each query, in order. The queries are embedded together. Equal calls in flight share one. */
export type Search = (queries: readonly SearchQuery[], signal?: AbortSignal) => Promise<readonly SearchAnswer[]>;

const NO_MODEL = "The model cannot be used: these results match by keyword only.";
const NO_INDEX = "The search index cannot be read: these results match by keyword only.";
const NO_VECTORS = "The vectors of the search index cannot be read: these results match by keyword only.";
const NO_WORDS = "The words of the search index cannot be read: these results match by meaning only.";
const UNFINISHED = "The search index is being built: these results match by keyword only.";

/** Candidate passages requested from each ranking: fewer miss case studies, more cost time. */
const CANDIDATES = { perResult: 6, least: 60, most: 600 } as const;
const MAX_CANDIDATES = 10_000;

/**
 * Candidates compared token by token, at 0.08 ms each with 100,000 case studies: reading, tokenising and comparing.
 * Half as many again hardly find more; a quarter less loses 0.005 nDCG.
 */
const COMPARED = { perResult: 4, least: 40, most: 200 } as const;

/** Hits read beyond the limit, in place of duplicates and of case studies that were removed since they were indexed. */
const SPARE = 5;

/** Another model may replace the index twice during one search; more often is a fault. */
const ATTEMPTS = 3;

/**
 * Searches case studies: embeds the queries, retrieves passages by words and by vectors (filtered before ranking),
 * compares the best token by token, and fuses the rankings into case studies. When the model cannot be used, hybrid
 * queries are answered by words alone and semantic queries are refused. When the index cannot be read, the part that can
 * be read answers, or the words in the database.
 */
export function createSearch({
  caseStudies,
  use,
  ranking = RANKING,
  relevance = RELEVANCE,
  fallback,
}: SearchOptions): Search {
  const updateTermStatistics = createTermStatistics(caseStudies);
  /** A changed case study gets new passages, so an id always has the same text. */
  const collection = crypto.randomUUID();

  const ownTurn = createTurns();
  const flights = createSingleFlight<readonly SearchAnswer[]>();
  return (queries, signal = new AbortController().signal) =>
    flights.join(JSON.stringify(queries), signal, (shared) => answer(queries, shared));

  async function answer(queries: readonly SearchQuery[], signal: AbortSignal): Promise<readonly SearchAnswer[]> {
    for (let attempt = 1; ; attempt += 1) {
      let isOpen = false;
      try {
        const answers = await use(async (backend) => {
          isOpen = true;
          try {
            return await searchWith(backend, queries, signal);
          } catch (error) {
            // Another model replaced the index after the queries were embedded: search again with that model.
            if (attempt < ATTEMPTS && backend.index.state === "other model") return undefined;
            throw error;
          }
        });
        if (answers) return answers;
      } catch (error) {
        if (isOpen || !fallback) throw error;
        const byKeyword = queries.map((query) => ({ ...query, mode: "keyword" as const }));
        return await searchWith(unreadable(error), byKeyword, signal);
      }
    }
  }

  async function searchWith(
    backend: SearchBackend,
    queries: readonly SearchQuery[],
    signal: AbortSignal | undefined,
  ): Promise<SearchAnswer[]> {
    const onIndexError = fallback?.watchSearch();
    const { usable, reason } = await withoutUnusableModel(backend, queries);
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
    const ranked = await Promise.all(
      usable.map((query) => rank(backend, query, vectors.get(query), passages, onIndexError, signal)),
    );
    signal?.throwIfAborted();
    return await Promise.all(
      usable.map(async (query, at) => {
        const hits = await present(query, ranked[at]?.studies ?? [], passages);
        return {
          hits,
          noGoodMatch: hits.length > 0 && hits.every((hit) => hit.relevance?.level === "weak"),
          degraded: ranked[at]?.degraded ?? (queries[at]?.mode === "keyword" ? null : reason),
        };
      }),
    );
  }

  /** Requests more passages until there are enough case studies or no more passages. */
  async function rank(
    backend: SearchBackend,
    query: SearchQuery,
    vector: Float32Array | undefined,
    passages: ReadPassages,
    onIndexError: OnIndexError | undefined,
    signal: AbortSignal | undefined,
  ): Promise<RankedQuery> {
    const { limit, filter } = query;
    const mostCompared = bounded(limit, COMPARED);
    const retrieve = createRetrieval(backend, query, vector, onIndexError, signal);
    for (let wanted = bounded(limit, CANDIDATES); ; wanted = Math.min(MAX_CANDIDATES, wanted * 4)) {
      const { keyword, semantic, degraded, mode } = await retrieve({ limit: wanted, filter });
      const comparison =
        vector === undefined
          ? undefined
          : await compare(backend, query.query, bestOfBoth(keyword, semantic, mostCompared), passages, signal);
      const compared = comparison?.compared;
      const weights = ranking[compared ? "compared" : "plain"][mode];
      const weighted = (name: keyof typeof weights, found: readonly FoundPassage[]) => ({
        found,
        weight: weights[name],
        further: ranking.further[name],
      });
      const studies = fuse([
        weighted("keyword", keyword),
        weighted("semantic", semantic),
        weighted("interaction", compared ?? []),
      ]);
      const exhausted = keyword.length < wanted && semantic.length < wanted;
      if (studies.length >= limit || exhausted || wanted >= MAX_CANDIDATES)
        return { studies: weakLast(studies, comparison, { keyword, semantic }), degraded };
    }
  }

  /** Retrieves the candidates of a query by its mode, or in another way where the index cannot be read. */
  function createRetrieval(
    { index }: SearchBackend,
    { query, mode }: SearchQuery,
    vector: Float32Array | undefined,
    onIndexError: OnIndexError | undefined,
    signal: AbortSignal | undefined,
  ) {
    const unreadableSides = new Set<"keyword" | "nearest">();
    const read = async (side: "keyword" | "nearest", search: () => Promise<readonly FoundPassage[]>) => {
      if (unreadableSides.has(side)) return [];
      try {
        return await search();
      } catch (error) {
        if (!onIndexError || signal?.aborted || index.state === "other model") throw error;
        onIndexError(error);
        unreadableSides.add(side);
        return [];
      }
    };
    return async (options: { readonly limit: number; readonly filter: PassageFilter }): Promise<Retrieved> => {
      const byWords = () => read("keyword", () => index.keyword(query, options));
      const [asked, semantic] = await Promise.all([
        mode === "semantic" ? [] : byWords(),
        vector === undefined ? [] : read("nearest", () => index.nearest(vector, options)),
      ]);
      const isWithoutVectors = vector !== undefined && unreadableSides.has("nearest");
      const indexed = mode === "semantic" && isWithoutVectors ? await byWords() : asked;
      const isWithoutWords = unreadableSides.has("keyword");
      const byStoredWords = async (degraded: string): Promise<Retrieved> => ({
        keyword: (await fallback?.storedWords(query, options, signal)) ?? [],
        semantic: [],
        degraded,
        mode: mode === "semantic" ? "hybrid" : mode,
      });
      if (isWithoutWords && (isWithoutVectors || vector === undefined)) return await byStoredWords(NO_INDEX);
      if (indexed.length + semantic.length === 0 && fallback && (await fallback.pending()) > 0)
        return await byStoredWords(UNFINISHED);
      if (isWithoutVectors)
        return { keyword: indexed, semantic, degraded: NO_VECTORS, mode: mode === "semantic" ? "hybrid" : mode };
      return { keyword: indexed, semantic, degraded: isWithoutWords ? NO_WORDS : null, mode };
    };
  }

  /** Scores passages token by token; undefined when the model cannot compare. */
  async function compare(
    backend: SearchBackend,
    query: string,
    candidates: readonly FoundPassage[],
    passages: ReadPassages,
    signal: AbortSignal | undefined,
  ): Promise<Comparison | undefined> {
    const encoder = await backend.encoder();
    if (!encoder.interact) return undefined;
    const numbers = candidates.map(({ passage }) => passage);
    const read = async (ids: readonly number[]) =>
      new Map((await passages(ids)).map((passage) => [passage.id, textInContext(passage)]));
    const { weights, ...found } = await encoder.interact(query, { collection, numbers, read }, signal);
    const compared = candidates.map((candidate, at) => ({
      ...candidate,
      score: found.scores[at] ?? 0,
      matches: found.matches[at] ?? [],
      nearest: found.nearest[at] ?? [],
    }));
    return { model: encoder.id, weights, compared };
  }

  /** Rates case studies, as many as are read, with those that hardly answer the query behind the others. */
  function* weakLast(
    studies: readonly RankedStudy[],
    comparison: Comparison | undefined,
    found: Pick<RankedEvidence, "keyword" | "semantic">,
  ): Generator<RatedStudy> {
    if (comparison?.model !== relevance.model) {
      for (const study of studies) yield { ...study, relevance: null };
      return;
    }
    const featuresOf = createFeatures({ ...comparison, ...found });
    const weak: RatedStudy[] = [];
    for (const study of studies) {
      const rated = { ...study, relevance: relevance.rate(featuresOf(study.study)) };
      if (rated.relevance.level === "weak") weak.push(rated);
      else yield rated;
    }
    yield* weak;
  }

  /**
   * Reads the best case studies, folds near-duplicates into the best of them, and marks the matching sentences; skips what
   * was removed since it was indexed.
   */
  async function present(
    { query, limit, mode }: SearchQuery,
    ranked: Iterable<RatedStudy>,
    passages: ReadPassages,
  ): Promise<StudyHit[]> {
    const mark = passageMarker(query);
    const sharesWord = wordSharer(query);
    const shown: FingerprintedHit[] = [];
    const waiting = Iterator.from(ranked);
    const next = (): RatedStudy[] => {
      const batch: RatedStudy[] = [];
      for (let read = waiting.next(); !read.done; read = waiting.next()) {
        if (batch.push(read.value) === limit + SPARE) break;
      }
      return batch;
    };
    let least = 1;
    while (shown.length < limit) {
      // Answers from other threads come in batches; presenting a whole batch would take tens of milliseconds.
      await ownTurn();
      const best = next();
      if (best.length === 0) break;
      const [studies, texts] = await Promise.all([
        caseStudies.withFingerprints(best.map(({ study }) => study)),
        passages(best.map(({ passage }) => passage)),
      ]);
      const studyOf = new Map(studies.map((found) => [found.study.id, found]));
      const passageOf = new Map(texts.map((each) => [each.id, each]));
      for (const { study: id, score, passage, relevance } of best) {
        // Scores descend, also over those that were moved.
        least = Math.min(least, score);
        const { study, fingerprint = null } = studyOf.get(id) ?? {};
        const found = passageOf.get(passage);
        if (!study || !found) continue;
        // The index holds hashes of words, and two words may have the same.
        const indexed = [study.title, study.company.name, study.client.name, found.heading, found.text];
        if (mode === "keyword" && !sharesWord(indexed.join("\n"))) continue;
        const better = shown.find((hit) => isSameStory(hit, { study, fingerprint }));
        if (better) better.also_in.push({ id, url: study.url });
        else if (shown.length < limit)
          shown.push({ study, score: least, relevance, passage: mark(found.text), also_in: [], fingerprint });
      }
    }
    return shown.map(({ fingerprint: _, ...hit }) => hit);
  }
}

interface FingerprintedHit extends StudyHit {
  readonly also_in: StudyAddress[];
  readonly fingerprint: string | null;
}

/** Whether two case studies have nearly the same text, and not two clients: a template may differ in the client alone. */
function isSameStory(
  one: Pick<FingerprintedHit, "study" | "fingerprint">,
  other: Pick<FingerprintedHit, "study" | "fingerprint">,
): boolean {
  if (one.fingerprint === null || other.fingerprint === null) return false;
  if (!areNearDuplicates(one.fingerprint, other.fingerprint)) return false;
  const [client, otherClient] = [one.study.client, other.study.client];
  if (client.domain !== null && otherClient.domain !== null) return client.domain === otherClient.domain;
  if (client.name === null || otherClient.name === null) return true;
  return normaliseName(client.name) === normaliseName(otherClient.name);
}

const bounded = (limit: number, { perResult, least, most }: typeof CANDIDATES | typeof COMPARED) =>
  Math.min(most, Math.max(least, limit * perResult));

interface RankedQuery {
  readonly studies: Iterable<RatedStudy>;
  readonly degraded: string | null;
}

interface RatedStudy extends RankedStudy {
  readonly relevance: Relevance | null;
}

/** Passages that were compared token by token. */
interface Comparison extends Pick<RankedEvidence, "weights" | "compared"> {
  /** Id of the model. */
  readonly model: string;
}

interface Retrieved {
  readonly keyword: readonly FoundPassage[];
  readonly semantic: readonly FoundPassage[];
  /** As in the answer. */
  readonly degraded: string | null;
  /** The mode whose weights apply. */
  readonly mode: SearchMode;
}

/** In place of an index that cannot be opened. */
const unreadable = (error: unknown): SearchBackend => ({
  index: { state: "ready", nearest: () => Promise.reject(error), keyword: () => Promise.reject(error) },
  encoder: () => Promise.reject(error),
});

/** Turns hybrid queries into keyword queries when the model cannot be used. */
async function withoutUnusableModel(
  { encoder }: SearchBackend,
  queries: readonly SearchQuery[],
): Promise<{ readonly usable: readonly SearchQuery[]; readonly reason: string | null }> {
  if (queries.every(({ mode }) => mode === "keyword")) return { usable: queries, reason: null };
  try {
    await encoder();
    return { usable: queries, reason: null };
  } catch (error) {
    const isModelFailure = error instanceof Failure && error.code.startsWith("model.");
    if (!isModelFailure || queries.some(({ mode }) => mode === "semantic")) throw error;
    return { usable: queries.map((query) => ({ ...query, mode: "keyword" as const })), reason: NO_MODEL };
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
