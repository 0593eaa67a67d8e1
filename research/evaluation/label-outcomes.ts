import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { CorpusRecord } from "./structure/corpus.ts";
import { type LabelledRecord, labelText, type OutcomeLabel } from "./structure/outcome-labels.ts";

/**
 * Turns labels written as quotes into labels by place, so that the repository holds figures and no source's text:
 * `npx bun research/evaluation/label-outcomes.ts --corpus DIR --from DIR`. Reads `<id>.yaml`, writes
 * `test/evaluation/outcome-labels/<vendor>.json`; refuses a quote that its record does not have,
 * or a short one that it has more than once. The formatter brings the files into shape.
 */

interface QuotedLabel extends Omit<OutcomeLabel, "start" | "end" | "also"> {
  readonly quote: string;
  /** Quotes of other places with the same statement. */
  readonly also?: readonly string[];
}

/** Minimum length, in characters, of a quote that is the same statement wherever it occurs. */
const TELLING = 15;

const { values } = parseArgs({ options: { corpus: { type: "string" }, from: { type: "string" } } });
const { corpus, from } = values;
if (corpus === undefined || from === undefined) {
  console.error("usage: npx bun research/evaluation/label-outcomes.ts --corpus DIR --from DIR");
  process.exit(2);
}
const lines = (await Bun.file(join(corpus, "case-studies.jsonl")).text()).split("\n").filter(Boolean);
const records = new Map(lines.map((line) => JSON.parse(line) as CorpusRecord).map((record) => [record.id, record]));
const byVendor = new Map<string, Record<string, LabelledRecord>>();
const faults: string[] = [];

for (const file of [...new Bun.Glob("*.yaml").scanSync({ cwd: from })].sort()) {
  const id = basename(file, ".yaml");
  const record = records.get(id);
  if (record === undefined) {
    faults.push(`${id}: no record of the corpus`);
    continue;
  }
  const quoted = (Bun.YAML.parse(await Bun.file(join(from, file)).text()) ?? []) as QuotedLabel[];
  const vendor = byVendor.get(record.vendor_slug) ?? {};
  byVendor.set(record.vendor_slug, vendor);
  vendor[id] = quoted.flatMap((label) => placed(id, labelText(record), label) ?? []);
}
for (const [vendor, labelled] of byVendor) {
  const path = join(import.meta.dir, `../../test/evaluation/outcome-labels/${vendor}.json`);
  const rows = Object.entries(labelled).map(
    ([id, labels]) =>
      `  ${JSON.stringify(id)}: [${labels.map((label) => `\n    ${JSON.stringify(label)}`).join(",")}${labels.length > 0 ? "\n  " : ""}]`,
  );
  await Bun.write(path, `{\n${rows.join(",\n")}\n}\n`);
}
for (const fault of faults) console.log(fault);
console.log(
  `${[...byVendor.values()].reduce((sum, labelled) => sum + Object.keys(labelled).length, 0)} records, ${faults.length} refused`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

function placed(id: string, text: string, label: QuotedLabel): OutcomeLabel | undefined {
  const { quote, also = [], metric, value, unit, direction } = label;
  const [first, ...again] = placesOf(id, text, quote);
  if (first === undefined) return undefined;
  const others = [...again, ...also.flatMap((other) => placesOf(id, text, other))];
  const told = { metric, value, unit, direction, start: first[0], end: first[1] };
  return others.length > 0 ? { ...told, also: others } : told;
}

/** A long quote that occurs twice is the same statement, as in a pull quote; a short one is ambiguous. */
function placesOf(id: string, text: string, quote: string): (readonly [number, number])[] {
  const places: (readonly [number, number])[] = [];
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) places.push([at, at + quote.length]);
  if (places.length === 0) faults.push(`${id}: nowhere: ${quote}`);
  if (places.length <= 1 || quote.length >= TELLING) return places;
  faults.push(`${id}: ${places.length} times: ${quote}`);
  return [];
}
