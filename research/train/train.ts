import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../../scripts/random.ts";
import { contrast } from "./contrast.ts";
import { contextMatrix } from "./cooccurrence.ts";
import { truncatedRows } from "./decomposition.ts";
import { evenOut } from "./directions.ts";
import { ownPairs } from "./own-pairs.ts";
import { pairsOfFile, readPairs } from "./pair-files.ts";
import { parseRepeats } from "./repeats.ts";
import { saveModel } from "./save-model.ts";
import { sharesOf, softenLengths, weighRows } from "./sentence-weights.ts";
import { thesaurusPairs } from "./thesaurus.ts";
import { tokenise } from "./tokens.ts";
import { drawTogether, wordForms } from "./word-forms.ts";

/**
 * Makes the built-in encoder from text pairs:
 * `npm run train -- --pairs FILE.tsv[.zst] [--pairs FILE2 …] --thesaurus FILE --out models/casefile-static`.
 * Our own pairs (`data/training`, or `--own FOLDER`) are read with them; without `--thesaurus` none is. The same pairs and seed give the same model on
 * one machine. `--epochs` is how often all is read, 0 for not at all; `--repeat ORIGIN=TIMES` reads pairs of that origin
 * so often each time. `--blind` leaves out the questions about case studies: such a model shows what a search finds among
 * case studies of which it knows nothing (`npm run eval -- search --model FOLDER`).
 */

const SEED = 20_261_121;
const DIMENSIONS = 256;
const VOCABULARY = { size: 28_000, wholeWords: 22_000 };
const COURSE = { batch: 1_024, rate: 0.01, dimensions: DIMENSIONS };
/** In which order pairs are read decides a hundredth of what a search finds: the mean of three orders leaves less to it. */
const ORDERS = [7, 8, 9];
/** The project's own pairs are few, and only the dictionary covers everyday life: both are read more often. */
const REPEATS = ["lexicon=3", "lexicon:paraphrase=5", "question=10", "wn=2"];
const DATA = join(import.meta.dir, "../../data");

const { values } = parseArgs({
  options: {
    pairs: { type: "string", multiple: true },
    thesaurus: { type: "string" },
    own: { type: "string" },
    blind: { type: "boolean" },
    out: { type: "string" },
    epochs: { type: "string" },
    repeat: { type: "string", multiple: true },
  },
});
if (values.pairs === undefined || values.out === undefined) {
  console.error(
    "usage: npm run train -- --pairs FILE [--pairs FILE …] --out FOLDER [--thesaurus FILE] [--own FOLDER] [--blind] [--epochs NUMBER] [--repeat ORIGIN=TIMES …]",
  );
  process.exit(2);
}
const began = performance.now();
const say = (what: string) => console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${what}`);

const own = values.own ?? join(DATA, "training");
const sources = [
  ...values.pairs.map((file) => pairsOfFile(file)),
  ...(values.thesaurus === undefined ? [] : [thesaurusPairs(values.thesaurus)]),
  ownPairs(own, values.blind ? undefined : join(DATA, "starter")),
];
const read = await readPairs(sources, SEED);
say(`${read.count} pairs, ${read.text.length} words, ${read.words.length} distinct`);
const pairs = tokenise(read, VOCABULARY);
say(`${pairs.vocabulary.length} tokens in the vocabulary, ${pairs.text.length} in the text`);
const matrix = contextMatrix(pairs, createRandom(SEED));
say(`${matrix.value.length} entries of positive information`);
const rows = truncatedRows(matrix, DIMENSIONS, createRandom(SEED));
say("decomposed");
const start = weighRows(rows, pairs.frequency, DIMENSIONS);
const repeats = parseRepeats([...REPEATS, ...(values.repeat ?? [])]);
const epochs = Number(values.epochs ?? "1.5");
const table = new Float32Array(start.length);
for (const seed of ORDERS) {
  const one = start.slice();
  await contrast(one, pairs, { ...COURSE, seed, epochs, repeats, report: say });
  for (const [index, value] of one.entries()) table[index]! += value / ORDERS.length;
}
const irregular = (await Bun.file(join(own, "irregular-forms.txt")).text()).trim().split("\n");
const forms = wordForms(
  pairs.vocabulary,
  irregular.map((line) => line.split(" ")),
);
const drawn = drawTogether(table, forms, pairs.frequency, DIMENSIONS);
say(`forms of ${forms.inflected.size} words drawn together`);
const made = softenLengths(evenOut(drawn, pairs, DIMENSIONS), DIMENSIONS);
await saveModel(values.out, made, sharesOf(pairs, pairs.vocabulary.length), pairs.vocabulary, DIMENSIONS);
say(`saved in ${values.out}`);
