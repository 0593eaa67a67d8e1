import type { CaseStudy, SearchMode, StudyHit } from "../../vocabulary/case-study.ts";
import { passageMarker } from "../text/highlight.ts";
import { passageContext } from "../text/passages.ts";
import { bestOfBoth, type FoundPassage, fuse, type RankedStudy } from "./fusion.ts";
import { CANDIDATES, COMPARED, RANKING, type Ranking } from "./weights.ts";

/** A question whose filter is in the form that the index takes. */
export interface Question<Filter> {
  readonly query: string;
  /** 1–50. */
  readonly limit: number;
  readonly mode: SearchMode;
  readonly filter: Filter;
}

export interface SearchParts<Filter> {
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
