import { join } from "node:path";
import { type FoundPassage, fuse, RANKING } from "../../src/casestudies/search/ranking.ts";
import { createSearch, type SearchBackend } from "../../src/casestudies/search/search.ts";
import { figuresOf } from "../../src/models/evaluation.ts";
import { type CorpusSearch, openCorpusSearch } from "./corpus-search.ts";
import { averaged, type Interval, type Judged, judgedIn, ownQuestions, recordIds } from "./search.ts";

const OWN = join(import.meta.dir, "../../data/training/questions");
const FOLDS = 5;
const DEPTH = 10;

interface Shares {
  readonly keyword: number;
  readonly semantic: number;
  readonly interaction: number;
}

/** The passages that each ranking found for a question. */
interface Rankings {
  readonly keyword: readonly FoundPassage[];
  readonly semantic: readonly FoundPassage[];
  readonly interaction: readonly FoundPassage[];
}

interface Asked extends Judged {
  readonly isOwn: boolean;
  readonly fold: number;
  readonly rankings: Rankings;
}

interface Figures {
  readonly questions: number;
  readonly overall: Interval;
  readonly low_overlap_questions: number;
  readonly low_overlap: Interval;
}

interface PartFigures extends Figures {
  /** With the shares that every search has. */
  readonly shipped: Figures;
  readonly by_words: Figures;
}

export interface HeldOutFigures {
  /** The model, which was trained on no question about case studies. */
  readonly model: string;
  /** Chosen for the vendors of each fold on the questions about all others. */
  readonly shares: readonly Shares[];
  readonly judged: PartFigures;
  readonly own: PartFigures;
}

/**
 * Measures the hybrid search on vendors that neither the model nor the shares of the rankings were chosen with: the shares of
 * each fold are those that are best for questions about the vendors of the other folds. Near-duplicates are not folded.
 *
 * @param model folder of a model that `npm run train -- --blind` made
 */
export async function evaluateHeldOut(corpus: string, model: string): Promise<HeldOutFigures> {
  const opened = await openCorpusSearch(corpus, model);
  try {
    const there = await recordIds(corpus);
    const questions = [
      ...(await judgedIn(join(corpus, "queries.jsonl"))).map((one) => ({ ...one, isOwn: false })),
      ...(await ownQuestions(OWN, there)).map((one) => ({ ...one, isOwn: true })),
    ];
    const rankingsOf = createObserver(opened);
    const asked: Asked[] = [];
    for (const one of questions)
      asked.push({ ...one, fold: foldOf(vendorOf(one.relevant[0])), rankings: await rankingsOf(one.query) });
    const best = Array.from({ length: FOLDS }, (_, fold) => bestShares(asked.filter((one) => one.fold !== fold)));
    const all = (isOwn: boolean, sharesOf: (one: Asked) => Shares) =>
      figures(
        asked.filter((one) => one.isOwn === isOwn),
        sharesOf,
      );
    const part = (isOwn: boolean) => ({
      ...all(isOwn, ({ fold }) => best[fold]!),
      shipped: all(isOwn, () => RANKING.compared.hybrid),
      by_words: all(isOwn, () => ({ keyword: 1, semantic: 0, interaction: 0 })),
    });
    const found = { model: opened.model, shares: best, judged: part(false), own: part(true) };
    for (const name of ["judged", "own"] as const) {
      const { overall, low_overlap, questions: count, shipped, by_words } = found[name];
      console.log(
        `${name}, ${count} questions: nDCG@10 ${overall.ndcg_10} (${overall.ndcg_10_interval.join(" to ")}), shipped shares ${shipped.overall.ndcg_10}, by words ${by_words.overall.ndcg_10}; in other words nDCG@10 ${low_overlap.ndcg_10}, recall@10 ${low_overlap.recall_10}, by words ${by_words.low_overlap.recall_10}`,
      );
    }
    return found;
  } finally {
    await opened.close();
  }
}

const vendorOf = (id = "") => id.split("--")[0] ?? "";
const foldOf = (vendor: string) => Number(BigInt(Bun.hash(vendor)) % BigInt(FOLDS));

/** Asks one question after the other and keeps what each ranking found. */
function createObserver({ caseStudies, use }: CorpusSearch): (query: string) => Promise<Rankings> {
  let seen: { keyword: readonly FoundPassage[]; semantic: readonly FoundPassage[]; interaction: number[] };
  let numbers: readonly number[] = [];
  let studyOf = new Map<number, string>();
  const wrapped = new WeakMap<object, Awaited<ReturnType<SearchBackend["encoder"]>>>();
  const keep = <T extends FoundPassage>(found: T[]) => {
    for (const { passage, study } of found) studyOf.set(passage, study);
    return found;
  };
  const search = createSearch({
    caseStudies,
    use: (work) =>
      use((backend) =>
        work({
          index: {
            get state() {
              return backend.index.state;
            },
            nearest: async (...asked) => (seen.semantic = keep(await backend.index.nearest(...asked))),
            keyword: async (...asked) => (seen.keyword = keep(await backend.index.keyword(...asked))),
          },
          async encoder() {
            const encoder = await backend.encoder();
            const { interact } = encoder;
            const known = wrapped.get(encoder);
            if (known || !interact) return known ?? encoder;
            const watched: typeof encoder = {
              ...encoder,
              async interact(query, passages, signal) {
                const found = await interact(query, passages, signal);
                if ("numbers" in passages) numbers = passages.numbers;
                seen.interaction = Array.from(found.scores);
                return found;
              },
            };
            wrapped.set(encoder, watched);
            return watched;
          },
        }),
      ),
  });
  return async (query) => {
    seen = { keyword: [], semantic: [], interaction: [] };
    numbers = [];
    studyOf = new Map();
    await search([{ query, limit: DEPTH, mode: "hybrid", filter: {} }]);
    const { keyword, semantic, interaction } = seen;
    return {
      keyword,
      semantic,
      interaction: interaction.map((score, at) => {
        const passage = numbers[at] ?? 0;
        return { passage, study: studyOf.get(passage) ?? "", score };
      }),
    };
  };
}

const CANDIDATES: readonly Shares[] = [10, 15, 20, 25, 30, 35, 40, 50].flatMap((keyword) =>
  [0, 10, 20, 30, 40].flatMap((semantic) => {
    const interaction = 100 - keyword - semantic;
    return interaction < 20
      ? []
      : [{ keyword: keyword / 100, semantic: semantic / 100, interaction: interaction / 100 }];
  }),
);

const ranked = ({ rankings }: Asked, shares: Shares): string[] =>
  fuse(
    (["keyword", "semantic", "interaction"] as const).map((name) => ({
      found: rankings[name],
      weight: shares[name],
      further: RANKING.further[name],
    })),
  )
    .slice(0, DEPTH)
    .map(({ study }) => study);

function bestShares(asked: readonly Asked[]): Shares {
  const scored = CANDIDATES.map((shares) => ({
    shares,
    gain: asked.reduce((sum, one) => sum + figuresOf(ranked(one, shares), one.relevant).ndcg_10, 0),
  }));
  return scored.reduce((best, one) => (one.gain > best.gain ? one : best)).shares;
}

function figures(asked: readonly Asked[], sharesOf: (one: Asked) => Shares): Figures {
  const measured = asked.map((one) => ({ ...one, found: figuresOf(ranked(one, sharesOf(one)), one.relevant) }));
  const low = measured.filter((one) => one.low_overlap);
  return {
    questions: measured.length,
    overall: averaged(measured.map(({ found }) => found)),
    low_overlap_questions: low.length,
    low_overlap: averaged(low.map(({ found }) => found)),
  };
}
