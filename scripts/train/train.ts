/**
 * Makes the built-in encoder from text pairs:
 * `bun run train --pairs FILE.tsv[.zst] [--pairs FILE2 …] --out models/casefile-static`.
 * Our own pairs (`data/training`) are read at the end. The same pairs and seed give the same model on one machine.
 * `--epochs` and `--finish-epochs` are the lengths of both parts, 0 for none; `--repeat ORIGIN=TIMES` reads pairs of
 * that origin so often in an epoch.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../random.ts";
import { contrast } from "./contrast.ts";
import { contextMatrix } from "./cooccurrence.ts";
import { truncatedRows } from "./decomposition.ts";
import { ownPairs } from "./own-pairs.ts";
import { pairsOfFile, readPairs } from "./pair-files.ts";
import { parseRepeats } from "./repeats.ts";
import { saveModel } from "./save-model.ts";
import { weighRows } from "./sentence-weights.ts";
import { inTokens, tokenise } from "./tokens.ts";

const SEED = 20_261_121;
const DIMENSIONS = 256;
const VOCABULARY = { size: 28_000, wholeWords: 22_000 };
const COURSE = { batch: 1_024, rate: 0.01, seed: 7, dimensions: DIMENSIONS };
/** Our own pairs are few beside the rest: they are read last, often, and slowly, so that the rest is not forgotten. */
const FINISH = { ...COURSE, rate: 0.002, epochs: 0.5, repeats: ["lexicon=10", "question=5", "*=0.5"] };
const DATA = join(import.meta.dir, "../../data");

const { values } = parseArgs({
  options: {
    pairs: { type: "string", multiple: true },
    own: { type: "string" },
    out: { type: "string" },
    epochs: { type: "string" },
    "finish-epochs": { type: "string" },
    repeat: { type: "string", multiple: true },
  },
});
if (values.pairs === undefined || values.out === undefined) {
  console.error(
    "usage: bun run train --pairs FILE [--pairs FILE …] --out FOLDER [--own FOLDER] [--epochs NUMBER] [--finish-epochs NUMBER] [--repeat ORIGIN=TIMES …]",
  );
  process.exit(2);
}
const began = performance.now();
const say = (what: string) => console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${what}`);

const files = () => values.pairs?.map((file) => pairsOfFile(file)) ?? [];
const read = await readPairs(files(), SEED);
say(`${read.count} pairs, ${read.text.length} words, ${read.words.length} distinct`);
const pairs = tokenise(read, VOCABULARY);
say(`${pairs.vocabulary.length} tokens in the vocabulary, ${pairs.text.length} in the text`);
const matrix = contextMatrix(pairs, createRandom(SEED));
say(`${matrix.value.length} entries of positive information`);
const rows = truncatedRows(matrix, DIMENSIONS, createRandom(SEED));
say("decomposed");
const table = weighRows(rows, pairs.frequency, DIMENSIONS);
const repeats = parseRepeats(values.repeat ?? []);
await contrast(table, pairs, { ...COURSE, epochs: Number(values.epochs ?? "1.5"), repeats, report: say });

const own = ownPairs(values.own ?? join(DATA, "training"), join(DATA, "starter"));
const all = inTokens(await readPairs([...files(), own], SEED), pairs.vocabulary);
say(`${all.count - pairs.count} pairs of our own`);
await contrast(table, all, {
  ...FINISH,
  epochs: Number(values["finish-epochs"] ?? FINISH.epochs),
  repeats: parseRepeats([...FINISH.repeats, ...(values.repeat ?? [])]),
  report: say,
});
await saveModel(values.out, table, pairs.vocabulary, DIMENSIONS);
say(`saved in ${values.out}`);
