import { Failure } from "../vocabulary/failure.ts";
import type { Manifest, ModelFile } from "./manifest.ts";

/** A model's files: each its bytes, or the path of a file. */
export interface ModelFiles {
  readonly model: Uint8Array | string;
  readonly tokenizer: Uint8Array | string;
}

/**
 * Reads both files and holds them against the manifest before anything looks into them.
 *
 * @throws Failure `model.unavailable` when a file cannot be read, `model.invalid` when it is not the one meant
 */
export async function readModelFiles(
  manifest: Manifest,
  files: ModelFiles,
): Promise<{ readonly model: Uint8Array; readonly tokenizer: string }> {
  const model = await readChecked(manifest, "model.onnx", files.model);
  const tokenizer = await readChecked(manifest, "tokenizer.json", files.tokenizer);
  return { model, tokenizer: new TextDecoder().decode(tokenizer) };
}

async function readChecked(manifest: Manifest, name: string, given: Uint8Array | string): Promise<Uint8Array> {
  const expected = manifest.files.find((file) => file.name === name);
  if (!expected) throw new Failure("model.invalid", `The model's manifest does not list ${name}.`);
  // The size is looked at before reading: a wrong path may lead to something without an end.
  const size = typeof given === "string" ? Bun.file(given).size : given.length;
  if (typeof given === "string" && !(await Bun.file(given).exists()))
    throw new Failure("model.unavailable", `The model's ${name} cannot be read; check where it was put.`);
  if (size !== expected.bytes) throw wrong(name);
  const content = typeof given === "string" ? await Bun.file(given).bytes() : given;
  if (sha256(content) !== expected.sha256) throw wrong(name);
  return content;
}

/** Lower-case hex. */
export function sha256(content: Uint8Array): ModelFile["sha256"] {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

const wrong = (name: string) =>
  new Failure("model.invalid", `The model's ${name} is not the file that its manifest names; fetch it again.`);
