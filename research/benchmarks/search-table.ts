import { CANDIDATES } from "./search-engine.ts";
import type { Growth } from "./search-growth.ts";
import type { Latency } from "./search-latency.ts";
import { type Asked, BETWEEN, type Filled } from "./search-process.ts";

/** The result of one engine at one size, or the reason why there is none. */
export type Row = { readonly engine: string; readonly studies: number } & (
  | { readonly filled: Filled; readonly asked: Asked }
  | { readonly refused: { readonly reason: string } }
);

export interface BenchFigures {
  readonly material: {
    readonly source: string;
    readonly studies: number;
    readonly passages: number;
    readonly dimensions: number;
    readonly questions: number;
    readonly industryShare: number;
    readonly companyStudies: number;
    readonly embedSeconds: number;
  };
  readonly machine: {
    readonly cores: number;
    readonly processor: string;
    readonly memoryGib: number;
    /** Of the last minute, before the run. */
    readonly load: number;
    readonly platform: string;
    readonly bun: string;
  };
  readonly rows: readonly Row[];
}

const NAMES: Readonly<Record<string, string>> = {
  casefile: "Casefile",
  orama: "Orama",
  "sqlite-vec": "sqlite-vec + FTS5",
  chroma: "Chroma",
};
const REMARKS: Readonly<Record<string, string>> = {
  casefile: "embeds, splits and stores whole records itself; answers with records and marked sentences",
  orama:
    "exact, in memory only, nothing kept on disk; takes all vectors above cosine 0.3, having no other bound; with stemming",
  "sqlite-vec": "exact, one file, one thread: callers wait for each other; lists joined by rank",
  chroma: "vectors only: no ranking by words, so this is not hybrid; server and client together",
};

/** The whole report, with tables as the formatter wants them. */
export const markdownOf = (figures: BenchFigures): string =>
  reportOf(figures).replace(/(?:^\|.*\n)+/gm, (rows) => aligned(rows.trimEnd().split("\n")));

function reportOf({ material, machine, rows }: BenchFigures): string {
  const { studies, passages, source, questions, industryShare, companyStudies, embedSeconds, dimensions } = material;
  const done = rows.flatMap((row) => ("filled" in row ? [row] : []));
  const refused = rows.flatMap((row) => ("refused" in row ? [row] : []));
  const label = ({ engine, studies }: Row) => `${NAMES[engine] ?? engine} | ${whole(studies)}`;
  return `# Search, measured

Written by \`npm run bench -- search --save\`. ${whole(studies)} generated case studies (${source}), ${whole(passages)} passages, ${dimensions} dimensions,
${questions} questions, medians of up to three repetitions after a warm-up. Every engine was given the same passages, questions and vectors in the
same run, each in a process of its own, on ${machine.cores} cores (${machine.processor}), ${machine.memoryGib.toFixed(0)} GiB, ${machine.platform}, Bun ${machine.bun}.
Before the run the load of the machine was ${machine.load.toFixed(1)}: with more than 0 others worked on it too.
Milliseconds from the text of a question to its ten case studies; embedding the question is part of it for every engine.
Embedding the passages took ${embedSeconds.toFixed(0)} s and is counted for every engine in "studies/s".

## Taking in

| Engine | Studies | Passages | Version | Studies/s | Taking in, s | Index, s | Disk, MB | Peak memory, MiB |
|---|--:|--:|---|--:|--:|--:|--:|--:|
${table(done, (row) => {
  const { filled } = row;
  const embedding = filled.embedsItself ? 0 : embedSeconds * (filled.passages / passages);
  const seconds = filled.ingestSeconds + (filled.buildSeconds ?? 0) + embedding;
  return [
    label(row),
    whole(filled.passages),
    filled.version,
    whole(row.studies / seconds),
    whole(filled.ingestSeconds),
    filled.buildSeconds === null ? "–" : whole(filled.buildSeconds),
    whole(filled.diskMb),
    whole(filled.peakMb),
  ];
})}

## One caller

| Engine | Studies | p50 | p95 | p99 | industry (${(industryShare * 100).toFixed(1)}%) p50 | p95 | company (${companyStudies.toFixed(0)} studies) p50 | p95 | Memory, MiB | recall@10 | of ${CANDIDATES} |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${table(done, (row) => {
  const { none, industry, company } = row.asked.alone;
  return [
    label(row),
    ...three(none),
    ...two(industry),
    ...two(company),
    whole(row.asked.residentMb),
    row.asked.recall.ofTen.toFixed(3),
    row.asked.recall.asSearched.toFixed(3),
  ];
})}

recall@10: share of the ten nearest passages by cosine that the vector side finds, 200 questions, against every stored
vector; when ten are asked for, and among the first ten when ${CANDIDATES} are asked for, as a search does.

## Several callers

Milliseconds (p50 / p95) and answers a second, without a filter.

| Engine | Studies | 2 callers | 4 callers | 8 callers | 16 callers |
|---|--:|--:|--:|--:|--:|
${table(done, (row) => {
  const { between, together } = row.asked;
  const each = between && together ? [...BETWEEN.map((callers) => between[callers]), together.none] : [];
  return [label(row), ...Array.from({ length: BETWEEN.length + 1 }, (_, at) => shortly(each[at]))];
})}

## Sixteen callers

| Engine | Studies | p50 | p95 | Answers/s | industry p50 | p95 | Answers/s | company p50 | p95 | Answers/s |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
${table(done, (row) => {
  if (row.asked.together === null) return [label(row), ...Array.from({ length: 9 }, () => "–")];
  const { none, industry, company } = row.asked.together;
  return [label(row), ...[none, industry, company].flatMap((one) => [...two(one), whole(one.perSecond)])];
})}

## What is not comparable

${[...new Set(done.map(({ engine }) => engine))].map((engine) => `- ${NAMES[engine] ?? engine}: ${REMARKS[engine] ?? ""}.`).join("\n")}
${refused.map((row) => `- ${NAMES[row.engine] ?? row.engine} with ${whole(row.studies)} case studies: ${row.refused.reason}.`).join("\n")}
${done
  .filter(({ asked }) => asked.alone.none.repetitions < 3)
  .map(
    (row) =>
      `- ${NAMES[row.engine] ?? row.engine} with ${whole(row.studies)} case studies, in the time that a measurement has: ${row.asked.alone.none.questions} questions alone, ${row.asked.alone.none.repetitions} repetitions.`,
  )
  .join("\n")}
`
    .replace(/\n{3,}/g, "\n\n")
    .replace(/\n+$/, "\n");
}

/** The table of growth in `docs/benchmarks.md`. */
export const growthTableOf = (rows: readonly Growth[]): string =>
  aligned([
    "| case studies | passages | database; index, MB | import; index, processor seconds | a second of one core | most memory of import; index, MiB | load at start, s | memory, MiB | a question, p50; p95, ms | recall@10 |",
    `|${" --: |".repeat(10)}`,
    ...rows.map((row) => {
      const { studies, added, importSeconds, indexSeconds, processor } = row;
      const cells = [
        whole(studies),
        whole(row.passages),
        `${whole(row.databaseMb)}; ${whole(row.indexMb)}`,
        `${whole(importSeconds)}; ${whole(indexSeconds)}`,
        whole(added / (importSeconds + indexSeconds)),
        `${row.importPeakMb === null ? "–" : whole(row.importPeakMb)}; ${whole(row.indexPeakMb)}`,
        row.loadProcessorSeconds.toFixed(1),
        whole(row.residentMb),
        `${processor.p50.toFixed(1)}; ${processor.p95.toFixed(1)}`,
        row.recall.toFixed(3),
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  ]);

const table = <T>(rows: readonly T[], cells: (row: T) => readonly string[]) =>
  rows.map((row) => `| ${cells(row).join(" | ")} |`).join("\n");
const shortly = (latency: Latency | undefined) =>
  latency ? `${two(latency).join(" / ")}, ${whole(latency.perSecond)}` : "–";
const two = ({ p50, p95 }: Latency) => [p50, p95].map(milliseconds);
const three = ({ p50, p95, p99 }: Latency) => [p50, p95, p99].map(milliseconds);
const milliseconds = (value: number) => (value < 100 ? value.toFixed(1) : whole(value));
const whole = (value: number) => Math.round(value).toLocaleString("en-GB");

/** Cells of equal width; a column whose rule ends in a colon is set to the right. */
function aligned(lines: readonly string[]): string {
  const rows = lines.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
  const [head = [], rules = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(3, ...[head, ...body].map((row) => row[column]?.length ?? 0)));
  const isRight = rules.map((rule) => rule.endsWith(":"));
  const padded = (row: readonly string[]) =>
    row.map((cell, column) =>
      isRight[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
  const rule = widths.map((width, column) => (isRight[column] ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
  return [padded(head), rule, ...body.map(padded)].map((row) => `| ${row.join(" | ")} |\n`).join("");
}
