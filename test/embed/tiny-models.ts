import { onnxModel } from "../../scripts/train/onnx.ts";
import { quantise, staticEncoderModel } from "../../scripts/train/static-graph.ts";
import { SPECIAL, tokenizerJson } from "../../scripts/train/vocabulary.ts";
import { type Manifest, parseManifest } from "../../src/embed/manifest.ts";

export interface TinyModel {
  readonly manifest: Manifest;
  readonly files: { readonly model: Uint8Array; readonly tokenizer: Uint8Array };
}

const DIMENSIONS = 8;
const WORDS = "cut cost cloud spend bank nurse hire search site shop a query passage : un ##lock ##ed".split(" ");
export const TINY_TOKENS = [...SPECIAL, "[CLS]", "[SEP]", ...WORDS];

/** The vector that the tiny models keep for a token. */
export const tinyRow = (token: string): number[] => {
  const id = TINY_TOKENS.indexOf(token);
  return Array.from({ length: DIMENSIONS }, (_, index) => Math.fround(Math.sin(id * 7 + index * 3) * (1 + (id % 5))));
};

const table = () => Float32Array.from(TINY_TOKENS.flatMap(tinyRow));

/** A model of the built-in kind: 8 dimensions, a score of words. */
export function tinyStatic(changes: Record<string, unknown> = {}): TinyModel {
  const model = staticEncoderModel(quantise(table(), DIMENSIONS));
  return pack(model, tokenizerJson(TINY_TOKENS), {
    kind: "static",
    inputs: ["input_ids", "attention_mask"],
    output: "embedding",
    pooling: "none",
    normalise: false,
    ...changes,
  });
}

/** A model of a transformer's shape whose `last_hidden_state` is each token's own row, between `[CLS]` and `[SEP]`. */
export function tinyTransformer(changes: Record<string, unknown> = {}): TinyModel {
  const value = (name: string) => ({ name, type: "int64" as const, shape: ["batch", "tokens"] });
  const model = onnxModel({
    name: "tiny",
    inputs: [value("input_ids"), value("attention_mask"), value("token_type_ids")],
    outputs: [{ name: "last_hidden_state", type: "float", shape: ["batch", "tokens", DIMENSIONS] }],
    constants: [{ name: "table", shape: [TINY_TOKENS.length, DIMENSIONS], data: table() }],
    nodes: [{ op: "Gather", inputs: ["table", "input_ids"], outputs: ["last_hidden_state"], attributes: { axis: 0 } }],
  });
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
