import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { quantise, staticEncoderModel } from "./static-graph.ts";
import { tokenizerJson } from "./vocabulary.ts";

/** Maximum number of tokens read of a text; the sum needs no limit, but later tokens say little about the whole. */
const MAX_TOKENS = 512;

/** Writes `model.onnx`, `tokenizer.json` and `manifest.json` into a folder. */
export async function saveModel(
  folder: string,
  table: Float32Array,
  shares: Float32Array,
  vocabulary: readonly string[],
  dimensions: number,
): Promise<void> {
  const files: [string, Uint8Array][] = [
    ["model.onnx", staticEncoderModel(quantise(table, shares, dimensions))],
    ["tokenizer.json", new TextEncoder().encode(tokenizerJson(vocabulary))],
  ];
  await mkdir(folder, { recursive: true });
  for (const [name, content] of files) await Bun.write(join(folder, name), content);
  const hashed = files.map(([name, content]) => ({
    name,
    bytes: content.length,
    sha256: new Bun.CryptoHasher("sha256").update(content).digest("hex"),
  }));
  const manifest = {
    // Vectors of two trainings are never compared: the id contains a hash of the model.
    id: `casefile-static-${hashed[0]!.sha256.slice(0, 8)}`,
    name: "Casefile static",
    description: "One vector per token, summed and brought to length 1; trained from scratch on open text.",
    kind: "static",
    inputs: ["input_ids", "attention_mask"],
    output: "embedding",
    pooling: "none",
    normalise: false,
    query_prefix: "",
    passage_prefix: "",
    dimensions,
    max_tokens: MAX_TOKENS,
    late_interaction: true,
    files: hashed,
    licence: "Apache-2.0",
    source: "models/casefile-static/README.md",
  };
  await Bun.write(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
