/**
 * Makes the built-in encoder from text pairs:
 * `bun run train --pairs FILE.tsv[.zst] [--pairs FILE2 …] --out models/casefile-static [--epochs 2]`.
 * The same pairs and seed give the same model on one machine. `--epochs 0` stops after the decomposition.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { contextMatrix } from "./cooccurrence.ts";
import { truncatedRows } from "./decomposition.ts";
import { readPairs } from "./pair-files.ts";
import { createRandom } from "./random.ts";
import { weighRows } from "./sentence-weights.ts";
import { quantise, staticEncoderModel } from "./static-graph.ts";
import { tokenise } from "./tokens.ts";
import { tokenizerJson } from "./vocabulary.ts";

const SEED = 20_261_121;
const DIMENSIONS = 256;
const VOCABULARY = { size: 28_000, wholeWords: 22_000 };
const MAX_TOKENS = 512;

const { values } = parseArgs({
  options: { pairs: { type: "string", multiple: true }, out: { type: "string" }, epochs: { type: "string" } },
});
if (values.pairs === undefined || values.out === undefined) {
  console.error("usage: bun run train --pairs FILE [--pairs FILE …] --out FOLDER [--epochs NUMBER]");
  process.exit(2);
}
const epochs = Number(values.epochs ?? "2");
const began = performance.now();
const say = (what: string) => console.log(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${what}`);

const read = await readPairs(values.pairs, SEED);
say(`${read.count} pairs, ${read.text.length} words, ${read.words.length} distinct`);
const pairs = tokenise(read, VOCABULARY);
say(`${pairs.vocabulary.length} tokens in the vocabulary, ${pairs.text.length} in the text`);
const matrix = contextMatrix(pairs, createRandom(SEED));
say(`${matrix.value.length} entries of positive information`);
const rows = truncatedRows(matrix, DIMENSIONS, createRandom(SEED));
say("decomposed");
const table = weighRows(rows, pairs.frequency, DIMENSIONS);
await save(table, values.out);
say(`saved in ${values.out}`);

async function save(vectors: Float32Array, folder: string): Promise<void> {
  const files: [string, Uint8Array][] = [
    ["model.onnx", staticEncoderModel(quantise(vectors, DIMENSIONS))],
    ["tokenizer.json", new TextEncoder().encode(tokenizerJson(pairs.vocabulary))],
  ];
  await mkdir(folder, { recursive: true });
  for (const [name, content] of files) await Bun.write(join(folder, name), content);
  const manifest = {
    id: "casefile-static-1",
    name: "Casefile static",
    description: "One vector per token, summed and brought to length 1; trained from scratch on open text.",
    kind: "static",
    inputs: ["input_ids", "attention_mask"],
    output: "embedding",
    pooling: "none",
    normalise: false,
    query_prefix: "",
    passage_prefix: "",
    dimensions: DIMENSIONS,
    max_tokens: MAX_TOKENS,
    files: files.map(([name, content]) => ({
      name,
      bytes: content.length,
      sha256: new Bun.CryptoHasher("sha256").update(content).digest("hex"),
    })),
    licence: "Apache-2.0",
    source: "models/casefile-static/README.md",
  };
  await Bun.write(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
