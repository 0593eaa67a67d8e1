import { expect, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import { parseManifest } from "../../src/embedding/manifest.ts";

const hash = "0".repeat(64);
const valid = {
  id: "some-model-1",
  name: "Some model",
  kind: "transformer",
  inputs: ["input_ids", "attention_mask", "token_type_ids"],
  output: "last_hidden_state",
  pooling: "mean",
  normalise: true,
  dimensions: 384,
  max_tokens: 256,
  files: [
    { name: "model.onnx", bytes: 5, sha256: hash },
    { name: "tokenizer.json", bytes: 5, sha256: hash },
  ],
  licence: "Apache-2.0",
  source: "https://models.example/some",
};

test("a manifest names its inputs, and has defaults for omitted fields", () => {
  const manifest = parseManifest(valid);
  expect(manifest.inputs).toEqual({ ids: "input_ids", mask: "attention_mask", types: "token_type_ids" });
  expect([manifest.query_prefix, manifest.passage_prefix, manifest.description]).toEqual(["", "", ""]);
  expect(parseManifest({ ...valid, inputs: ["ids"] }).inputs).toEqual({ ids: "ids", mask: null, types: null });
});

test.each([
  ["/id", { id: "Über" }],
  ["/kind", { kind: "magic" }],
  ["/inputs", { inputs: [] }],
  ["/inputs", { inputs: ["attention_mask"] }],
  ["/pooling", { pooling: "max" }],
  ["/normalise", { normalise: "yes" }],
  ["/dimensions", { dimensions: 0 }],
  ["/max_tokens", { max_tokens: 1e9 }],
  ["/files", { files: [] }],
  ["/files", { files: [{ name: "model.onnx", bytes: 1, sha256: "short" }] }],
])("an error is reported at %s", (pointer, change) => {
  try {
    parseManifest({ ...valid, ...change });
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe("model.invalid");
    expect(error.details.problems?.map((problem) => problem.pointer)).toEqual([pointer]);
  }
});

test.each([[null], [5], ["text"], [[]]])("%j is not a manifest", (raw) => {
  expect(() => parseManifest(raw)).toThrow(Failure);
});
