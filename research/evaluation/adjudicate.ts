import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { plain } from "../../src/cli/table.ts";
import { detect } from "../../src/detection/engine.ts";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import { LEAST, LEVELS, type Level } from "../../src/detection/levels.ts";
import { SCANNERS } from "../../src/detection/scanners/registry.ts";
import type { Detection } from "../../src/detection/types.ts";
import { replayVisit } from "../../src/detection/visit/replay-visit.ts";
import { BINS } from "./calibration.ts";
import { snapshotOf } from "./pages.ts";

/**
 * Precision by reading: a random sample of reports is written to a file, a reader marks each, and the marks are counted.
 *
 *     npx bun research/evaluation/adjudicate.ts sample --pages DIR --list FILE --out FILE [--count 200] [--level likely] [--seed TEXT]
 *     npx bun research/evaluation/adjudicate.ts score FILE [--json]
 *
 * `--list` names one file of DIR per line. In the written file, `[ ]` becomes `[x]` where the page uses the tool, `[-]` where
 * it does not, and `[?]` where the page cannot show it.
 */

export interface Report {
  readonly page: string;
  readonly detection: Pick<Detection, "tool" | "category" | "confidence" | "evidence">;
}

export interface Precision {
  readonly right: number;
  readonly wrong: number;
  readonly undecided: number;
  readonly unmarked: number;
  /** Of the decided ones; null without any. */
  readonly precision: number | null;
  /** 95% interval after Wilson. */
  readonly interval: readonly [number, number] | null;
  readonly by_confidence: Readonly<Record<string, { readonly right: number; readonly of: number }>>;
}

const SHOWN_EVIDENCE = 3;
const SHOWN_LENGTH = 240;

/** A sample that depends only on the reports and the seed. */
export function sampleOf(reports: readonly Report[], count: number, seed: string): Report[] {
  const key = ({ page, detection }: Report) =>
    createHash("sha256").update(`${seed} ${page} ${detection.tool}`).digest("hex");
  return reports
    .map((report) => ({ report, key: key(report) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ report }) => report);
}

/** The file for the reader, by page. */
export function sheetOf(sample: readonly Report[]): string {
  const pages = [...Map.groupBy(sample, ({ page }) => page)].sort(([a], [b]) => (a < b ? -1 : 1));
  const blocks = pages.map(([page, reports]) => [`# ${plain(page)}`, ...reports.map(blockOf)].join("\n"));
  return `${HELP}\n\n${blocks.join("\n\n")}\n`;
}

const HELP = "Mark each line: [x] the page uses the tool, [-] it does not, [?] the page cannot show it.";

function blockOf({ detection: { tool, category, confidence, evidence } }: Report): string {
  const lines = evidence
    .slice(0, SHOWN_EVIDENCE)
    .map(({ signal, value, rule }) => `      ${signal} ${oneLine(value)} (${rule})`);
  return [`[ ] ${confidence.toFixed(2)} ${plain(tool)} (${plain(category)})`, ...lines].join("\n");
}

const oneLine = (text: string) => plain(text).replace(/\s+/g, " ").slice(0, SHOWN_LENGTH);

const MARKED = /^\[([ x?-])\] (\d\.\d\d) /;

/** @throws Error for a line with another mark */
export function scoreOf(sheet: string): Precision {
  const counts = { x: 0, "-": 0, "?": 0, " ": 0 };
  const bins = new Map(BINS.map(([name]) => [name, { right: 0, of: 0 }]));
  for (const line of sheet.split("\n")) {
    if (!line.startsWith("[")) continue;
    const [, mark, confidence] = MARKED.exec(line) ?? [];
    if (mark !== "x" && mark !== "-" && mark !== "?" && mark !== " ")
      throw new Error(`unknown mark: ${line.slice(0, 80)}`);
    counts[mark] += 1;
    if (mark !== "x" && mark !== "-") continue;
    const bin = bins.get(BINS.find(([, least]) => Number(confidence) >= least)?.[0] ?? "0–0.3");
    if (!bin) continue;
    bin.of += 1;
    if (mark === "x") bin.right += 1;
  }
  const decided = counts.x + counts["-"];
  return {
    right: counts.x,
    wrong: counts["-"],
    undecided: counts["?"],
    unmarked: counts[" "],
    precision: decided === 0 ? null : rounded(counts.x / decided),
    interval: decided === 0 ? null : wilson(counts.x, decided),
    by_confidence: Object.fromEntries([...bins].filter(([, { of }]) => of > 0)),
  };
}

/** The 95% interval of a share. */
export function wilson(right: number, of: number): [number, number] {
  const z = 1.96;
  const share = right / of;
  const middle = share + (z * z) / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return [rounded((middle - half) / scale), rounded((middle + half) / scale)];
}

const rounded = (share: number) => Math.round(share * 1_000) / 1_000;

async function reportsOf(folder: string, files: readonly string[], least: number): Promise<Report[]> {
  const catalogue = loadBuiltInCatalogue();
  const reports: Report[] = [];
  for (const page of files) {
    const snapshot = await snapshotOf(`${folder}/${page}`, page.replace(/\.html?$/, ""));
    const { detections, possible = [] } = await detect(replayVisit(snapshot), SCANNERS, catalogue, {
      deadlineMs: 60_000,
      now: () => 0,
    });
    for (const detection of [...detections, ...possible])
      if (detection.confidence >= least) reports.push({ page, detection });
  }
  return reports;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      pages: { type: "string" },
      list: { type: "string" },
      out: { type: "string" },
      count: { type: "string", default: "200" },
      level: { type: "string", default: "likely" },
      seed: { type: "string", default: "adjudication" },
      json: { type: "boolean", default: false },
    },
  });
  const [command, file] = positionals;
  const level: Level | undefined = LEVELS.find((each) => each === values.level);
  if (command === "sample" && values.pages && values.list && values.out && level && /^\d{1,5}$/.test(values.count)) {
    const files = (await Bun.file(values.list).text()).split("\n").map((line) => line.trim());
    const reports = await reportsOf(values.pages, files.filter(Boolean), LEAST[level]);
    const sample = sampleOf(reports, Number(values.count), values.seed);
    await Bun.write(values.out, sheetOf(sample));
    console.log(`${sample.length} of ${reports.length} reports written to ${values.out}`);
  } else if (command === "score" && file) {
    const score = scoreOf(await Bun.file(file).text());
    const { right, wrong, undecided, unmarked, precision, interval, by_confidence } = score;
    if (values.json) console.log(JSON.stringify(score, null, 2));
    else {
      console.log(`${right} right, ${wrong} wrong, ${undecided} undecided, ${unmarked} unmarked`);
      if (interval) console.log(`precision ${precision} (95%: ${interval[0]} to ${interval[1]})`);
      for (const [bin, { right: known, of }] of Object.entries(by_confidence))
        console.log(`  ${bin}: ${known} of ${of}`);
    }
    if (unmarked > 0) process.exitCode = 1;
  } else {
    console.error(
      "usage: npx bun research/evaluation/adjudicate.ts sample --pages DIR --list FILE --out FILE [--count N] [--level LEVEL] [--seed TEXT]",
    );
    console.error("       npx bun research/evaluation/adjudicate.ts score FILE [--json]");
    process.exitCode = 2;
  }
}

if (import.meta.main) await main();
