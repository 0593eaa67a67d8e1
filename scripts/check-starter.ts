/**
 * Checks `data/starter`: schema, taxonomies, and, where the corpus is at hand, each record against its source.
 * `bun scripts/check-starter.ts [--corpus DIR] [VENDOR[/NAME]…]`
 */
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../src/studies/taxonomy/packed.ts";
import { figureFaults } from "./starter/figures.ts";
import { findSharedRun } from "./starter/overlap.ts";
import { recordFaults, type StarterRecord } from "./starter/record.ts";

/** A run of so many words that stands in the source too is the source's sentence, not ours. */
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

const { values, positionals } = parseArgs({ allowPositionals: true, options: { corpus: { type: "string" } } });
const folder = join(import.meta.dir, "../data/starter");
const industries = loadBuiltInIndustries().names;
const metrics = loadBuiltInOutcomeMetrics().names;
const sources = values.corpus === undefined ? undefined : await loadSources(values.corpus);

let records = 0;
let faulty = 0;
for (const path of [...new Bun.Glob("*/*.yaml").scanSync({ cwd: folder })].sort()) {
  const id = `${dirname(path)}--${basename(path, ".yaml")}`;
  if (positionals.length > 0 && !positionals.some((wanted) => path.startsWith(wanted))) continue;
  records += 1;
  const faults = await faultsOf(id, join(folder, path));
  if (faults.length > 0) faulty += 1;
  for (const fault of faults) console.log(`${path}: ${fault}`);
}
console.log(
  `${records} records, ${faulty} with faults${sources ? "" : " (not compared with their sources: no --corpus)"}`,
);
process.exitCode = faulty > 0 ? 1 : 0;

async function faultsOf(id: string, path: string): Promise<string[]> {
  let raw: unknown;
  try {
    raw = Bun.YAML.parse(await Bun.file(path).text());
  } catch (error) {
    return [`no YAML: ${error}`];
  }
  const faults = recordFaults(raw);
  if (faults.length > 0) return faults;
  const record = raw as StarterRecord;
  if (record.industry !== null && !industries.has(record.industry)) faults.push(`unknown industry ${record.industry}`);
  for (const { metric } of record.outcomes) if (!metrics.has(metric)) faults.push(`unknown metric ${metric}`);
  const source = sources?.get(id);
  if (sources && !source) faults.push("no source in the corpus has this id");
  return source ? [...faults, ...sourceFaults(record, source)] : faults;
}

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
