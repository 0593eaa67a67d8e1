import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../core/errors.ts";
import { type Encoder, openEncoder } from "../encoder.ts";
import { checkModelFiles, type Manifest, type ModelFiles, parseManifest } from "../manifest.ts";
import { MODEL_NAME } from "./add.ts";

/** A model of the user's own. */
export interface CustomModel {
  /** Its folder's name, which is what it is called. */
  readonly name: string;
  readonly manifest: Manifest;
  readonly files: ModelFiles;
}

const MANIFEST = "manifest.json";
const MOST_MANIFEST_BYTES = 64 * 1_024;
const MOST_MODELS = 100;

/** By name; one whose manifest cannot be read is told by name alone. */
export async function listModels(shelf: string): Promise<readonly (CustomModel | { readonly name: string })[]> {
  const names = (await readdir(shelf).catch(() => [])).filter((name) => MODEL_NAME.test(name)).sort();
  return await Promise.all(
    names.slice(0, MOST_MODELS).map(async (name) => {
      try {
        return await getModel(shelf, name);
      } catch {
        return { name };
      }
    }),
  );
}

/** @throws Failure `model.not_found`, or `model.invalid` when its manifest is damaged */
export async function getModel(shelf: string, name: string): Promise<CustomModel> {
  const dir = join(shelf, name);
  if (!MODEL_NAME.test(name) || !(await stat(dir).catch(() => undefined))?.isDirectory())
    throw new Failure("model.not_found", "There is no model of this name; list the models to find it.");
  const file = Bun.file(join(dir, MANIFEST));
  if (!(await file.exists()) || file.size > MOST_MANIFEST_BYTES) throw damaged(name);
  const raw: unknown = await file.json().catch(() => {
    throw damaged(name);
  });
  return {
    name,
    manifest: parseManifest(raw),
    files: { model: join(dir, "model.onnx"), tokenizer: join(dir, "tokenizer.json") },
  };
}

/**
 * Holds a model's files against the hashes of when it was added.
 *
 * @throws Failure `model.invalid` that names the remedy
 */
export async function checkModel(shelf: string, { name, manifest }: CustomModel): Promise<void> {
  try {
    await checkModelFiles(manifest, join(shelf, name));
  } catch (error) {
    throw error instanceof Failure ? damaged(name) : error;
  }
}

/**
 * Opens a model of the shelf.
 *
 * @throws Failure `model.invalid` that names the remedy when its files are not the ones that were added,
 *   `model.unavailable` when nothing can be run here
 */
export async function openCustomModel(shelf: string, model: CustomModel, unpackDir: string): Promise<Encoder> {
  try {
    return await openEncoder({ ...model, unpackDir });
  } catch (error) {
    await checkModel(shelf, model);
    throw error;
  }
}

/** Takes a model from the shelf, its files with it. */
export async function removeModel(shelf: string, name: string): Promise<void> {
  // Out of sight first: half a removal would look like a damaged model.
  const aside = join(shelf, `.removed-${crypto.randomUUID()}`);
  await rename(join(shelf, name), aside);
  await rm(aside, { recursive: true, force: true });
}

const damaged = (name: string) =>
  new Failure(
    "model.invalid",
    `The files of the model ${name} are not the ones that were added; use another (casefile model use built-in), then remove it and add it again.`,
  );
