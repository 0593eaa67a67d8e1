import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../../scripts/random.ts";
import type { SearchMode } from "../../src/casestudies/types.ts";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { figuresOf, type RankingFigures } from "../../src/models/evaluation.ts";

export interface Judged {
  readonly id: string;
  readonly query: string;
  readonly relevant: readonly string[];
  readonly low_overlap: boolean;
}

export interface Interval extends RankingFigures {
  /** 95% of 2,000 bootstrap samples of the queries: nDCG@10 from, to. */
  readonly ndcg_10_interval: readonly [number, number];
}

export type SearchFigures = {
  readonly queries: number;
  readonly low_overlap_queries: number;
  readonly records: number;
} & Record<SearchMode, { readonly overall: Interval; readonly low_overlap: Interval }>;

const MODES = ["keyword", "semantic", "hybrid"] as const;
const DEPTH = 10;

export interface SearchTrial {
  /** A folder with a model that replaces the built-in one. */
  readonly model?: string | undefined;
  /** A folder of `*.tsv` with `record id`, `question` and `kind`, as in `data/training`, in place of `queries.jsonl`. */
  readonly questions?: string | undefined;
}

/**
 * Imports `case-studies.jsonl` of a folder into a separate store and runs the queries of its `queries.jsonl`
 * (`{query, relevant: [id], low_overlap}`) in each mode.
 */
export async function evaluateSearch(corpus: string, trial: SearchTrial = {}): Promise<SearchFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), "casefile-eval-"));
  const app = await openServices({
    config: loadConfig({ flags: { "data-dir": dataDir }, env: {}, readFile: () => undefined }),
    version: "eval",
    log: { scannerFailed: console.error, taskFailed: console.error },
  });
  try {
    if (trial.model !== undefined) {
      await app.models.add({ dir: trial.model, name: "trial" });
      await app.models.use("trial");
    }
    const path = join(corpus, "case-studies.jsonl");
    const { read, added } = await app.caseStudies.importFile({
      name: "case-studies.jsonl",
      content: Bun.file(path).stream(),
    });
    await app.index.indexNow();
    const questions =
      trial.questions === undefined
        ? await judgedIn(join(corpus, "queries.jsonl"))
        : await ownQuestions(trial.questions, await recordIds(corpus));
    console.log(`${read} records read, ${added} indexed; ${questions.length} questions`);
    const figures = {
      queries: questions.length,
      low_overlap_queries: questions.filter((one) => one.low_overlap).length,
      records: added,
    };
    const modes = await Promise.all(
      MODES.map(async (mode) => [mode, await evaluateMode(app, mode, questions)] as const),
    );
    print(modes);
    return {
      ...figures,
      ...(Object.fromEntries(modes) as Record<SearchMode, { overall: Interval; low_overlap: Interval }>),
    };
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const linesOf = async (path: string) => (await Bun.file(path).text()).split("\n").filter((line) => line.trim() !== "");
export const judgedIn = async (path: string) => (await linesOf(path)).map((line): Judged => JSON.parse(line));
/** Ids of a corpus' case studies. */
export const recordIds = async (corpus: string) =>
  new Set((await linesOf(join(corpus, "case-studies.jsonl"))).map((line): string => JSON.parse(line).id));

/** Those about records that are there; in the table, "low overlap" are the questions in other words than the record's. */
export async function ownQuestions(folder: string, there: ReadonlySet<string>): Promise<Judged[]> {
  const found: Judged[] = [];
  for (const file of [...new Bun.Glob("*.tsv").scanSync(folder)].sort())
    for (const line of await linesOf(join(folder, file))) {
      const [id = "", query = "", kind] = line.split("\t");
      if (there.has(id)) found.push({ id, query, relevant: [id], low_overlap: kind === "reworded" || kind === "need" });
    }
  return found;
}

async function evaluateMode(app: Services, mode: SearchMode, questions: readonly Judged[]) {
  const scored = [];
  for (const question of questions) {
    const [answer] = await app.caseStudies.search([{ query: question.query, limit: DEPTH, mode }]);
    scored.push({
      question,
      figures: figuresOf(
        (answer?.hits ?? []).map(({ study }) => study.id),
        question.relevant,
      ),
    });
  }
  return {
    overall: averaged(scored.map(({ figures }) => figures)),
    low_overlap: averaged(scored.filter(({ question }) => question.low_overlap).map(({ figures }) => figures)),
  };
}

export function averaged(all: readonly RankingFigures[]): Interval {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const of = (key: keyof RankingFigures) => round(mean(all.map((figures) => figures[key])));
  const next = createRandom(7);
  const samples = Array.from({ length: 2_000 }, () =>
    mean(all.map(() => all[Math.floor(next() * all.length)]?.ndcg_10 ?? 0)),
  ).sort((a, b) => a - b);
  return {
    ndcg_10: of("ndcg_10"),
    ndcg_10_interval: [round(samples[50] ?? 0), round(samples[1_949] ?? 0)],
    mrr: of("mrr"),
    recall_5: of("recall_5"),
    recall_10: of("recall_10"),
  };
}

function print(modes: readonly (readonly [SearchMode, Record<"overall" | "low_overlap", Interval>])[]): void {
  for (const part of ["overall", "low_overlap"] as const) {
    console.log(`\n${part.padEnd(12)} nDCG@10  95% interval     MRR    recall@5  recall@10`);
    for (const [mode, figures] of modes) {
      const { ndcg_10, ndcg_10_interval, mrr, recall_5, recall_10 } = figures[part];
      const [low, high] = ndcg_10_interval.map((value) => value.toFixed(3));
      console.log(
        `${mode.padEnd(12)} ${ndcg_10.toFixed(3)}    ${low} to ${high}   ${mrr.toFixed(3)}  ${recall_5.toFixed(3)}     ${recall_10.toFixed(3)}`,
      );
    }
  }
}

const round = (value: number) => Math.round(value * 10_000) / 10_000;
