import { join } from "node:path";
import { onnxModel } from "../../research/train/onnx.ts";
import { quantise, staticEncoderModel } from "../../research/train/static-graph.ts";
import { SPECIAL, tokenizerJson } from "../../research/train/vocabulary.ts";
import { type Manifest, parseManifest } from "../../src/embedding/manifest.ts";

export interface TinyModel {
  readonly manifest: Manifest;
  readonly files: { readonly model: Uint8Array; readonly tokenizer: Uint8Array };
}

const DIMENSIONS = 8;
const WORDS = "cut cost cloud spend bank nurse hire search site shop a query passage : un ##lock ##ed".split(" ");
export const TINY_TOKENS = [...SPECIAL, "[CLS]", "[SEP]", ...WORDS];

/** The vector of a token in the tiny models. */
export const tinyRow = (token: string): number[] => {
  const id = TINY_TOKENS.indexOf(token);
  return Array.from({ length: DIMENSIONS }, (_, index) => Math.fround(Math.sin(id * 7 + index * 3) * (1 + (id % 5))));
};

const table = () => Float32Array.from(TINY_TOKENS.flatMap(tinyRow));

/** Document frequency of each token in the texts of the tiny static model. */
export const TINY_SHARES = Float32Array.from(TINY_TOKENS, (_, id) => (id % 3) / 4);

/** As `table`, with zero vectors for the special tokens, as in the trained model. */
export const tableOfWords = () =>
  Float32Array.from(
    TINY_TOKENS.flatMap((token) => (token.startsWith("[") ? new Array(DIMENSIONS).fill(0) : tinyRow(token))),
  );

/** A static model like the built-in one: 8 dimensions, a small vocabulary. */
export function tinyStatic(changes: Record<string, unknown> = {}, rows = table()): TinyModel {
  const model = staticEncoderModel(quantise(rows, TINY_SHARES, DIMENSIONS));
  return pack(model, tokenizerJson(TINY_TOKENS), {
    kind: "static",
    inputs: ["input_ids", "attention_mask"],
    output: "embedding",
    pooling: "none",
    normalise: false,
    late_interaction: true,
    ...changes,
  });
}

/** As `tinyTransformer`, with other rows; fewer `tokens` simulate the graph of another tokenizer. */
export function tinyOther(dimensions: number, tokens = TINY_TOKENS.length, turn = 1): TinyModel {
  const data = Float32Array.from({ length: tokens * dimensions }, (_, at) => Math.sin(at * 1.7 * turn) + 0.1);
  return packTransformer(transformerOf(data, dimensions), { dimensions });
}

/** A model of a transformer's shape whose `last_hidden_state` is each token's own row, between `[CLS]` and `[SEP]`. */
export function tinyTransformer(changes: Record<string, unknown> = {}): TinyModel {
  return packTransformer(transformerOf(table(), DIMENSIONS), changes);
}

function transformerOf(data: Float32Array, dimensions: number): Uint8Array {
  const value = (name: string) => ({ name, type: "int64" as const, shape: ["batch", "tokens"] });
  return onnxModel({
    name: "tiny",
    inputs: [value("input_ids"), value("attention_mask"), value("token_type_ids")],
    outputs: [{ name: "last_hidden_state", type: "float", shape: ["batch", "tokens", dimensions] }],
    constants: [{ name: "table", shape: [data.length / dimensions, dimensions], data }],
    nodes: [{ op: "Gather", inputs: ["table", "input_ids"], outputs: ["last_hidden_state"], attributes: { axis: 0 } }],
  });
}

function packTransformer(model: Uint8Array, changes: Record<string, unknown>): TinyModel {
  const [cls, sep] = ["[CLS]", "[SEP]"].map((token) => [token, TINY_TOKENS.indexOf(token)]);
  const tokenizer = {
    ...JSON.parse(tokenizerJson(TINY_TOKENS)),
    post_processor: { type: "BertProcessing", cls, sep },
  };
  return pack(model, JSON.stringify(tokenizer), {
    kind: "transformer",
    inputs: ["input_ids", "attention_mask", "token_type_ids"],
    output: "last_hidden_state",
    pooling: "mean",
    normalise: true,
    ...changes,
  });
}

/** Writes a model in its publisher's file layout, with further files by name. */
export async function writeFolder(
  dir: string,
  { files }: TinyModel,
  further: Readonly<Record<string, unknown>> = {},
  graph = "model.onnx",
): Promise<string> {
  await Bun.write(join(dir, graph), files.model);
  await Bun.write(join(dir, "tokenizer.json"), files.tokenizer);
  for (const [name, content] of Object.entries(further))
    await Bun.write(join(dir, name), typeof content === "string" ? content : JSON.stringify(content));
  return dir;
}

function pack(model: Uint8Array, tokenizerText: string, given: Record<string, unknown>): TinyModel {
  const tokenizer = new TextEncoder().encode(tokenizerText);
  const file = (name: string, content: Uint8Array) => ({
    name,
    bytes: content.length,
    sha256: new Bun.CryptoHasher("sha256").update(content).digest("hex"),
  });
  const manifest = parseManifest({
    id: "tiny-1",
    name: "Tiny",
    dimensions: DIMENSIONS,
    max_tokens: 16,
    licence: "Apache-2.0",
    source: "made in a test",
    files: [file("model.onnx", model), file("tokenizer.json", tokenizer)],
    ...given,
  });
  return { manifest, files: { model, tokenizer } };
}
