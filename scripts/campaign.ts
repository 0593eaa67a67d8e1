import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readArguments } from "./arguments.ts";
import { type CampaignResult, runPart } from "./campaign/part.ts";
import { PARTS } from "./campaign/parts.ts";

/**
 * Attacks a running Casefile and checks that nothing is lost, stuck or silent.
 * `npx bun scripts/campaign.ts [PART...] [--short] [--seed N] [--save]`; without a part, all run. Exit status 1 when an
 * invariant was violated (the last line names the parts), 2 for an unknown argument. `--save` writes the figures to
 * `test/evaluation/campaign.json`.
 */
const FIGURES = resolve(import.meta.dir, "../test/evaluation/campaign.json");

const parts = PARTS.map(({ name, about }) => `  ${name.padEnd(20)}${about}`).join("\n");
const usage = `npx bun scripts/campaign.ts [PART...] [--short] [--seed N] [--save]\nParts:\n${parts}`;
const { values, positionals, refuse } = readArguments(usage, {
  allowPositionals: true,
  options: {
    short: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
  },
});

const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) refuse(`Unknown part ${unknown.join(", ")}.`);
if (!/^\d+$/.test(values.seed)) refuse(`Unknown seed ${values.seed}: use a whole number.`);

const chosen = PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const results: Record<string, CampaignResult> = {};
for (const part of chosen) {
  const started = performance.now();
  console.log(`${part.name}: ${part.about}`);
  const result = await runPart(part, {
    short: values.short,
    seed: Number(values.seed),
    onProgress: (line) => console.log(`  ${line}`),
  });
  results[part.name] = result;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  if (result.skipped !== null) console.log(`  skipped: ${result.skipped}`);
  else console.log(`  ${JSON.stringify(result.figures)} in ${seconds} s, ${result.faults.length} faults`);
  for (const fault of result.faults) console.error(`  FAULT ${fault}`);
}

if (values.save) {
  const stored = (await Bun.file(FIGURES).exists()) ? ((await Bun.file(FIGURES).json()) as object) : {};
  const measured = Object.fromEntries(
    Object.entries(results)
      .filter(([, { skipped }]) => skipped === null)
      .map(([name, { figures, faults }]) => [name, { ...figures, faults: faults.length }]),
  );
  await writeFile(FIGURES, `${JSON.stringify({ ...stored, ...measured }, null, 2)}\n`);
}
const failed = Object.keys(results).filter((name) => (results[name]?.faults.length ?? 0) > 0);
if (failed.length > 0) console.error(`Parts with faults: ${failed.join(" ")}`);
process.exit(failed.length > 0 ? 1 : 0);
