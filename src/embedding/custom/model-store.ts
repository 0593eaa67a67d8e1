import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../core/errors.ts";
import { quoted } from "../../core/text.ts";
import { type Encoder, openEncoder } from "../encoder.ts";
import { checkModelFiles, type Manifest, type ModelFiles, parseManifest } from "../manifest.ts";
import { MODEL_NAME } from "./add.ts";
import { newRemoval } from "./unfinished.ts";

/** A model that the user added. */
export interface CustomModel {
  /** Also the name of its folder. */
  readonly name: string;
  readonly manifest: Manifest;
  readonly files: ModelFiles;
}

const MANIFEST = "manifest.json";
const MAX_MANIFEST_BYTES = 64 * 1_024;
const MAX_MODELS = 100;

/** Names of all models that a folder has, damaged ones included, in order. */
export async function modelNames(store: string): Promise<readonly string[]> {
  return (await readdir(store).catch(() => [])).filter((name) => MODEL_NAME.test(name)).sort();
}

/** Sorted by name. A model with an unreadable manifest is listed by its name alone. */
export async function listModels(store: string): Promise<readonly (CustomModel | { readonly name: string })[]> {
  return await Promise.all(
    (await modelNames(store)).slice(0, MAX_MODELS).map(async (name) => {
      try {
        return await getModel(store, name);
      } catch {
        return { name };
      }
    }),
  );
}

/** @throws Failure `model.not_found`, or `model.invalid` when its manifest is damaged */
export async function getModel(store: string, name: string): Promise<CustomModel> {
  const dir = join(store, name);
  if (!MODEL_NAME.test(name) || !(await stat(dir).catch(() => undefined))?.isDirectory())
    throw new Failure("model.not_found", `No model has the name ${quoted(name)}: list the models to see their names.`);
  const file = Bun.file(join(dir, MANIFEST));
  if (!(await file.exists()) || file.size > MAX_MANIFEST_BYTES) throw damaged(name);
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
 * Verifies the files of a model against the hashes in its manifest.
 *
 * @throws Failure `model.invalid` that says what to do
 */
export async function checkModel(store: string, { name, manifest }: CustomModel): Promise<void> {
  try {
    await checkModelFiles(manifest, join(store, name));
  } catch (error) {
    throw error instanceof Failure ? damaged(name) : error;
  }
}

/**
 * @throws Failure `model.invalid` that says what to do when its files have changed, `model.unavailable` when ONNX Runtime
 *   cannot be loaded
 */
export async function openCustomModel(store: string, model: CustomModel, unpackDir: string): Promise<Encoder> {
  try {
    return await openEncoder({ ...model, unpackDir });
  } catch (error) {
    await checkModel(store, model);
    throw error;
  }
}

/** Removes a model and its files. */
export async function removeModel(store: string, name: string): Promise<void> {
  // Renamed first: an interrupted removal would leave a damaged model.
  const aside = newRemoval(store);
  await rename(join(store, name), aside);
  await rm(aside, { recursive: true, force: true });
}

const damaged = (name: string) =>
  new Failure(
    "model.invalid",
    `The files of the model ${name} have changed since it was added; use another (casefile model use built-in), then remove it and add it again.`,
  );
