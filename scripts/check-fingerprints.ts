import { Failure, type Problem } from "../src/core/errors.ts";
import { loadCatalogue } from "../src/detection/fingerprints/catalogue.ts";
import { exampleFaults } from "../src/detection/fingerprints/examples.ts";
import { readCatalogueFiles } from "../src/detection/fingerprints/pack.ts";
import { isProblems, readRecord } from "../src/detection/fingerprints/record.ts";

/** Checks the catalogue in `data/`: schema, references, and the examples of each rule. `npx bun scripts/check-fingerprints.ts [ID…]` */

const only = new Set(process.argv.slice(2));
const source = readCatalogueFiles(`${import.meta.dir}/../data`);
const problems: Problem[] = [];
try {
  loadCatalogue(source);
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  problems.push(...(error.details.problems ?? []));
}
let tools = 0;
let rules = 0;
for (const [id, raw] of Object.entries(source.records)) {
  const record = readRecord(id, raw);
  if (isProblems(record)) continue;
  tools += 1;
  rules += record.rules.length;
  try {
    problems.push(...exampleFaults(record));
  } catch (error) {
    problems.push({ pointer: id, detail: String(error) });
  }
}
const shown = problems.filter(({ pointer }) => only.size === 0 || only.has(pointer.split("/")[0] ?? ""));
for (const { pointer, detail } of shown) console.log(`${pointer}: ${detail}`);
console.log(`${tools} tools, ${rules} rules, ${shown.length} problem(s)`);
process.exitCode = shown.length > 0 ? 1 : 0;
