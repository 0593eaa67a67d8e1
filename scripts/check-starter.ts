import { join } from "node:path";
import { createParseContext } from "../src/casestudies/record.ts";
import { readStarterFiles } from "../src/casestudies/starter/files.ts";
import { checkStarterRecords, hasFaults, type StarterRecord, starterId } from "../src/casestudies/starter/records.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../src/casestudies/taxonomy/packed.ts";
import { readArguments } from "./arguments.ts";
import { figureFaults } from "./starter/figures.ts";
import { findSharedRun } from "./starter/overlap.ts";

/**
 * Checks `data/starter`: schema, taxonomies, vendors, and, where the corpus is available, each record against its source.
 * `npx bun scripts/check-starter.ts [--corpus DIR] [VENDOR[/NAME]…]`
 */

/** A run of this many words that also occurs in the source counts as copied. */
const SHARED_WORDS = 8;

interface Source {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly summary: string | null;
  readonly body_markdown: string;
  readonly published_at: string | null;
  readonly licence: string;
}

const { values, positionals } = readArguments("npx bun scripts/check-starter.ts [--corpus DIR] [VENDOR[/NAME]...]", {
  allowPositionals: true,
  options: { corpus: { type: "string" } },
});
const files = readStarterFiles(join(import.meta.dir, "../data/starter"));
const tools = createParseContext({ industries: loadBuiltInIndustries(), outcomeMetrics: loadBuiltInOutcomeMetrics() });
const checked = checkStarterRecords(files, tools);
const sources = values.corpus === undefined ? undefined : await loadSources(values.corpus);
const isWanted = (file: string) =>
  positionals.length === 0 || file === "vendors" || positionals.some((wanted) => file.startsWith(wanted));

const faults = hasFaults(checked) ? [...checked] : [];
const broken = new Set(faults.map(({ file }) => file));
const names = [...files.records.keys()].filter(isWanted);
for (const file of sources ? names.filter((name) => !broken.has(name)) : []) {
  const source = sources?.get(starterId(file));
  // It was found to be one when nothing is wrong with it.
  const record = files.records.get(file) as StarterRecord;
  const found = source ? sourceFaults(record, source) : ["no source in the corpus has this id"];
  faults.push(...found.map((detail) => ({ file, detail })));
}
const told = faults.filter(({ file }) => isWanted(file));
for (const { file, detail } of told) console.log(`${file}.yaml: ${detail}`);
console.log(
  `${names.length} records, ${new Set(told.map(({ file }) => file)).size} files with faults${
    sources ? "" : " (not compared with their sources: no --corpus)"
  }`,
);
process.exitCode = told.length > 0 ? 1 : 0;

function sourceFaults(record: StarterRecord, source: Source): string[] {
  const whole = `${source.title}\n${source.summary ?? ""}\n${source.body_markdown}`;
  const own = {
    title: record.title,
    summary: record.summary,
    challenge: record.challenge ?? "",
    solution: record.solution ?? "",
    ...Object.fromEntries(record.outcomes.map(({ text }, at) => [`outcomes/${at}`, text])),
  };
  const faults = Object.entries(own).flatMap(([field, text]) => {
    const shared = findSharedRun(text, whole, SHARED_WORDS);
    return shared ? [`${field} shares ${shared.words} words with the source: "${shared.text}"`] : [];
  });
  if (record.url !== source.url) faults.push(`url differs from the source's ${source.url}`);
  if (record.licence !== source.licence) faults.push(`licence differs from the source's ${source.licence}`);
  if (source.published_at !== null && record.published_at !== source.published_at)
    faults.push(`published_at differs from the source's ${source.published_at}`);
  return [...faults, ...figureFaults(own, whole)];
}

async function loadSources(corpus: string): Promise<ReadonlyMap<string, Source>> {
  const lines = (await Bun.file(join(corpus, "case-studies.jsonl")).text()).split("\n").filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line) as Source).map((source) => [source.id, source]));
}
