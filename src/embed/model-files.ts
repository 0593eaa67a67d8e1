import { dirname, join } from "node:path";
import { Failure } from "../vocabulary/failure.ts";
import type { Manifest, ModelFile } from "./manifest.ts";

/** A model's files: each its bytes, or the path of a file. */
export interface ModelFiles {
  /** A graph that keeps weights in further files is given by its path; they lie beside it. */
  readonly model: Uint8Array | string;
  readonly tokenizer: Uint8Array | string;
}

/**
 * Reads all files and holds them against the manifest before anything looks into them.
 *
 * @returns the graph as its path when it needs the files beside it, else its bytes
 * @throws Failure `model.unavailable` when a file cannot be read, `model.invalid` when it is not the one meant
 */
export async function readModelFiles(
  manifest: Manifest,
  files: ModelFiles,
): Promise<{ readonly model: Uint8Array | string; readonly tokenizer: string }> {
  const model = await readChecked(expectedIn(manifest, "model.onnx"), files.model);
  const tokenizer = await readChecked(expectedIn(manifest, "tokenizer.json"), files.tokenizer);
  const further = manifest.files.filter(({ name }) => name !== "model.onnx" && name !== "tokenizer.json");
  const beside = typeof files.model === "string" ? files.model : undefined;
  for (const file of further) if (beside !== undefined) await holdAgainst(file, join(dirname(beside), file.name));
  return {
    model: further.length > 0 && beside !== undefined ? beside : model,
    tokenizer: new TextDecoder().decode(tokenizer),
  };
}

/** Holds the files of a folder against the manifest, without keeping them. @throws Failure as `readModelFiles` does */
export async function checkModelFiles(manifest: Manifest, dir: string): Promise<void> {
  for (const file of manifest.files) await holdAgainst(file, join(dir, file.name));
}

function expectedIn(manifest: Manifest, name: string): ModelFile {
  const expected = manifest.files.find((file) => file.name === name);
  if (!expected) throw new Failure("model.invalid", `The model's manifest does not list ${name}.`);
  return expected;
}

async function readChecked(expected: ModelFile, given: Uint8Array | string): Promise<Uint8Array> {
  // The size is looked at before reading: a wrong path may lead to something without an end.
  const size = typeof given === "string" ? await sizeOf(expected.name, given) : given.length;
  if (size !== expected.bytes) throw wrong(expected.name);
  const content = typeof given === "string" ? await Bun.file(given).bytes() : given;
  if (sha256(content) !== expected.sha256) throw wrong(expected.name);
  return content;
}

async function holdAgainst(expected: ModelFile, path: string): Promise<void> {
  if ((await sizeOf(expected.name, path)) !== expected.bytes) throw wrong(expected.name);
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  if (hash.digest("hex") !== expected.sha256) throw wrong(expected.name);
}

async function sizeOf(name: string, path: string): Promise<number> {
  const file = Bun.file(path);
  if (await file.exists()) return file.size;
  throw new Failure("model.unavailable", `The model's ${name} cannot be read; check where it was put.`);
}

/** Lower-case hex. */
export function sha256(content: Uint8Array): ModelFile["sha256"] {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

const wrong = (name: string) =>
  new Failure("model.invalid", `The model's ${name} is not the file that its manifest names; fetch it again.`);
