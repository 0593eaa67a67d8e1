import { tmpdir } from "node:os";
import { join } from "node:path";
import { YAML } from "bun";
import { FEATURES, type RelevanceWeights, rateWith } from "../../src/casestudies/search/relevance.ts";
import { createSearch } from "../../src/casestudies/search/search.ts";
import type { Relevance } from "../../src/casestudies/types.ts";
import { openBuiltInEncoder } from "../../src/embedding/built-in.ts";
import { openCorpusSearch } from "./corpus-search.ts";
import { type Choice, fitSoftmax } from "./structure/softmax.ts";

const LABELS = join(import.meta.dir, "../labels");
const OWN = join(import.meta.dir, "../../data/training/questions");
const STARTER = join(import.meta.dir, "../../test/evaluation/starter-questions.yaml");
const WEIGHTS = join(import.meta.dir, "../../src/casestudies/search/relevance-weights.json");

/** Rated results of a question, best first, as its reader sees them. */
const DEPTH = 10;
/** Wrong results of a question without an answer that the model learns from. */
const LEARNED = 5;
/** The encoder was trained on our own questions, so they count less. */
const OWN_WEIGHT = 0.2;
const RIDGE = 2;
const FOLDS = 10;

interface Question {
  readonly query: string;
  /** Empty where no record answers it. */
  readonly relevant: readonly string[];
  readonly kind: "judged" | "own" | "unanswerable";
  readonly fold: number;
}

interface Rated {
  readonly question: Question;
  readonly results: readonly { readonly isRight: boolean; readonly features: readonly number[] }[];
}

interface Figures {
  /** Questions with a right result among the first ten, and the share whose best one is rated weak. */
  readonly judged: { readonly questions: number; readonly lost: number };
  readonly own: { readonly questions: number; readonly lost: number };
  /** Share of the questions without an answer all of whose results are weak. */
  readonly unanswerable: { readonly questions: number; readonly recognised: number };
  /** Of the first ten results with a probability from, to: how many there are, and the share that is right. */
  readonly calibration: readonly {
    readonly from: number;
    readonly to: number;
    readonly results: number;
    readonly right: number;
  }[];
}

/**
 * Fits the relevance of search results and measures it on vendors that it was not fitted to: each question is rated by a
 * model that saw no question about its vendor, and each question without an answer by one that did not see it.
 *
 * @param save writes the model that was fitted to everything
 */
export async function evaluateRelevance(corpus: string, { save }: { readonly save: boolean }): Promise<Figures> {
  const rated = await rate(corpus);
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    fit(rated.filter(({ question }) => question.fold !== fold)),
  );
  const calibrated = models.map((model, fold) => {
    const others = rated.filter(({ question }) => question.fold !== fold);
    return { ...model, calibration: calibrate(others, ({ question }) => models[question.fold]!) };
  });
  const figures = measure(rated, ({ question }) => calibrated[question.fold]!);
  console.log("Each rated by a model that did not see its vendor:");
  console.log(
    `  judged questions whose right answer is weak: ${percent(figures.judged.lost)} of ${figures.judged.questions}`,
  );
  console.log(`  our own questions: ${percent(figures.own.lost)} of ${figures.own.questions}`);
  console.log(
    `  questions without an answer, all results weak: ${percent(figures.unanswerable.recognised)} of ${figures.unanswerable.questions}`,
  );
  for (const { from, to, results, right } of figures.calibration)
    console.log(`  probability ${from.toFixed(1)} to ${to.toFixed(1)}: ${percent(right)} of ${results} right`);
  if (save) {
    const encoder = await openBuiltInEncoder({ unpackDir: tmpdir() });
    const fitted = { ...fit(rated), calibration: calibrate(rated, ({ question }) => models[question.fold]!) };
    await Bun.write(WEIGHTS, `${JSON.stringify({ model: encoder.id, ...fitted })}\n`);
    await Bun.$`bunx biome format --write ${WEIGHTS}`.quiet();
    await encoder.close();
  }
  return figures;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

async function rate(corpus: string): Promise<Rated[]> {
  const { caseStudies, use, model, close } = await openCorpusSearch(corpus);
  try {
    const rated: Rated[] = [];
    for (const question of await questionsOf(corpus)) {
      const features: (readonly number[])[] = [];
      // Each result is rated with its place in the list of features, from 1; none is weak, so none is moved.
      const search = createSearch({
        caseStudies,
        use,
        relevance: { model, rate: (found) => ({ level: "strong", probability: features.push(found) }) },
      });
      const [answer] = await search([{ query: question.query, limit: DEPTH, mode: "hybrid", filter: {} }]);
      rated.push({
        question,
        results: (answer?.hits ?? []).flatMap(({ study, relevance }) => {
          const found = features[(relevance?.probability ?? 0) - 1];
          return found ? [{ isRight: question.relevant.includes(study.id), features: found }] : [];
        }),
      });
    }
    return rated;
  } finally {
    await close();
  }
}

async function questionsOf(corpus: string): Promise<Question[]> {
  const records = new Set(
    (await linesOf(join(corpus, "case-studies.jsonl"))).map((line): string => JSON.parse(line).id),
  );
  const foldOf = (text: string) => Number(BigInt(Bun.hash(text)) % BigInt(FOLDS));
  const vendorOf = (id = "") => id.split("--")[0] ?? "";
  const answered = (query: string, relevant: readonly string[], kind: "judged" | "own"): Question[] =>
    relevant.some((id) => records.has(id)) ? [{ query, relevant, kind, fold: foldOf(vendorOf(relevant[0])) }] : [];
  const judged = (await linesOf(join(corpus, "queries.jsonl"))).map((line) => JSON.parse(line));
  const starter = YAML.parse(await Bun.file(STARTER).text()) as { question: string; fitting: string[] }[];
  const own: string[][] = [];
  for (const file of [...new Bun.Glob("*.tsv").scanSync(OWN)].sort())
    for (const line of await linesOf(join(OWN, file))) own.push(line.split("\t"));
  const unanswerable = await linesOf(join(LABELS, "unanswerable-questions.txt"));
  return [
    ...judged.flatMap(({ query, relevant }) => answered(query, relevant, "judged")),
    ...starter.flatMap(({ question, fitting }) => answered(question, fitting, "judged")),
    ...own.flatMap(([id = "", query = ""]) => answered(query, [id], "own")),
    ...unanswerable.map((query): Question => ({ query, relevant: [], kind: "unanswerable", fold: foldOf(query) })),
  ];
}

const linesOf = async (path: string) => (await Bun.file(path).text()).split("\n").filter((line) => line.trim() !== "");

/** A logistic regression: right results against the first ones of questions without an answer. */
function fit(rated: readonly Rated[]): RelevanceWeights {
  const examples = rated.flatMap(({ question, results }) =>
    question.kind === "unanswerable"
      ? results.slice(0, LEARNED).map(({ features }) => ({ features, isRight: false, weight: 0.5 }))
      : results
          .filter(({ isRight }) => isRight)
          .map(({ features }) => ({ features, isRight: true, weight: question.kind === "own" ? OWN_WEIGHT : 1 })),
  );
  const scales = FEATURES.map((_, at) => {
    const values = examples.map(({ features }) => features[at] ?? 0);
    const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
    const deviation = Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / values.length);
    return { mean, deviation: Math.max(deviation, 1e-9) };
  });
  const choices = examples.map(
    ({ features, isRight, weight }): Choice => ({
      weight,
      isNone: !isRight,
      options: [
        {
          isRight,
          features: new Map(
            FEATURES.map((name, at) => {
              const { mean, deviation } = scales[at]!;
              return [name, ((features[at] ?? 0) - mean) / deviation] as const;
            }),
          ),
        },
      ],
    }),
  );
  const model = fitSoftmax(choices, { ridge: RIDGE, features: FEATURES });
  // Back to the features' own scales.
  const weights = FEATURES.map((name, at) => (model.weights[name] ?? 0) / scales[at]!.deviation);
  const bias = model.bias - weights.reduce((sum, weight, at) => sum + weight * scales[at]!.mean, 0);
  return { bias: round(bias), weights: weights.map(round), calibration: { slope: 1, offset: 0 } };
}

/** Fits the probability of a shown result to the scores that models gave which did not see its vendor. */
function calibrate(
  rated: readonly Rated[],
  modelOf: (one: Rated) => RelevanceWeights,
): RelevanceWeights["calibration"] {
  const choices = rated
    .filter(({ question }) => question.kind !== "own")
    .flatMap((one) => {
      const { bias, weights } = modelOf(one);
      return one.results.map(({ isRight, features }): Choice => {
        const score = features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
        return { weight: 1, isNone: !isRight, options: [{ isRight, features: new Map([["score", score]]) }] };
      });
    });
  const { bias, weights } = fitSoftmax(choices, { ridge: 0.01, features: ["score"] });
  return { slope: weights.score ?? 0, offset: bias };
}

function measure(rated: readonly Rated[], modelOf: (one: Rated) => RelevanceWeights): Figures {
  const scored = rated.map((one) => {
    const weights = modelOf(one);
    const results = one.results.map(({ isRight, features }) => ({ isRight, ...rateWith(weights, features) }));
    return { kind: one.question.kind, results };
  });
  const isWeak = ({ level }: Relevance) => level === "weak";
  const lostOf = (kind: "judged" | "own") => {
    const found = scored.filter((one) => one.kind === kind && one.results.some(({ isRight }) => isRight));
    const lost = found.filter(({ results }) => results.filter(({ isRight }) => isRight).every(isWeak));
    return { questions: found.length, lost: round(lost.length / found.length) };
  };
  const unanswerable = scored.filter(({ kind }) => kind === "unanswerable");
  const shown = scored.filter(({ kind }) => kind !== "own").flatMap(({ results }) => results);
  return {
    judged: lostOf("judged"),
    own: lostOf("own"),
    unanswerable: {
      questions: unanswerable.length,
      recognised: round(unanswerable.filter(({ results }) => results.every(isWeak)).length / unanswerable.length),
    },
    calibration: [0, 0.2, 0.4, 0.6, 0.8].map((from) => {
      const to = Math.round((from + 0.2) * 10) / 10;
      const results = shown.filter(({ probability }) => probability >= from && probability < to + (to === 1 ? 1 : 0));
      const right = results.filter(({ isRight }) => isRight).length;
      return { from, to, results: results.length, right: round(right / Math.max(1, results.length)) };
    }),
  };
}

const round = (value: number) => Math.round(value * 10_000) / 10_000;
