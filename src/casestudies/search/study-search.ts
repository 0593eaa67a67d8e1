import { Failure } from "../../core/errors.ts";
import type { Encoder } from "../../embedding/encoder.ts";
import type { Store } from "../../store.ts";
import type { PassageIndex } from "../index/passage-index.ts";
import type { PassageFilter } from "../index/passage-table.ts";
import type { CaseStudyRepository } from "../repository.ts";
import type { StudyHit } from "../types.ts";
import { createSearch, inContext, type Question, type Ranking } from "./search.ts";

/** Ranks as well as all of three thousand passages; counted in a twentieth of a second. */
const SAMPLE = 1_000;

/**
 * Lets encoders know how common words are in what is searched. The first search with an encoder waits for it; when there
 * are twice as many passages, they are counted anew beside the searches.
 */
export function refreshTermStatistics(studies: Pick<CaseStudyRepository, "newestPassage" | "sample">) {
  const counted = new WeakMap<object, { readonly newest: number; readonly first: Promise<void> }>();
  return async (encoder: Pick<Encoder, "observe">): Promise<void> => {
    const { observe } = encoder;
    if (!observe) return;
    const newest = await studies.newestPassage();
    const known = counted.get(encoder);
    if (!known || newest > known.newest * 2) {
      const counting = studies
        .sample(SAMPLE)
        .then((passages) => observe(passages.map(inContext)))
        // The search that waits meets the same store and the same model, and tells what is wrong with them; the next
        // one counts again.
        .catch(() => void counted.delete(encoder));
      counted.set(encoder, { newest, first: known?.first ?? counting });
    }
    await counted.get(encoder)?.first;
  };
}

export interface Lent {
  readonly index: Pick<PassageIndex, "state" | "nearest" | "keyword">;
  readonly encoder: () => Promise<Pick<Encoder, "encode" | "interact" | "observe">>;
}

export interface StudySearchParts {
  readonly store: Pick<Store, "caseStudies">;
  readonly lend: <T>(work: (lent: Lent) => Promise<T>) => Promise<T>;
  readonly ranking?: Ranking;
}

/** Another model may take over twice in a search; more often is a fault. */
const ATTEMPTS = 3;

/**
 * Asks the index that answers just now. Without a usable model a hybrid question is answered by words alone; one by
 * meaning alone is refused.
 *
 * @returns one list of hits for each question, in order
 */
export function createStudySearch({ store, lend, ranking }: StudySearchParts) {
  const getFamiliar = refreshTermStatistics(store.caseStudies);

  const askOf = async (lent: Lent, questions: readonly Question<PassageFilter>[], signal: AbortSignal | undefined) => {
    const { encoder, asked } = await usable(lent, questions);
    if (asked.some(({ mode }) => mode !== "keyword")) await getFamiliar(await encoder());
    const search = createSearch<PassageFilter>({
      embed: async (queries, stop) => (await encoder()).encode(queries, "query", stop),
      nearest: (vector, options) => lent.index.nearest(vector, options),
      keyword: (query, options) => lent.index.keyword(query, options),
      interact: async (query, passages, stop) => await (await encoder()).interact?.(query, passages, stop),
      studies: (ids) => store.caseStudies.byIds(ids),
      passages: (ids) => store.caseStudies.passages(ids),
      ...(ranking ? { ranking } : {}),
    });
    return await search.ask(asked, signal);
  };

  return async (questions: readonly Question<PassageFilter>[], signal?: AbortSignal): Promise<StudyHit[][]> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await lend(async (lent) => {
        try {
          return await askOf(lent, questions, signal);
        } catch (error) {
          // Another model took over between the question's vector and its search: asked again there.
          if (attempt < ATTEMPTS && lent.index.state === "other model") return undefined;
          throw error;
        }
      });
      if (answer) return answer;
    }
  };
}

async function usable(lent: Lent, questions: readonly Question<PassageFilter>[]) {
  const { encoder } = lent;
  if (questions.every(({ mode }) => mode === "keyword")) return { encoder, asked: questions };
  try {
    await encoder();
    return { encoder, asked: questions };
  } catch (error) {
    const isModels = error instanceof Failure && error.code.startsWith("model.");
    if (!isModels || questions.some(({ mode }) => mode === "semantic")) throw error;
    return { encoder, asked: questions.map((question) => ({ ...question, mode: "keyword" as const })) };
  }
}
