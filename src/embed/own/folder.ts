import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../vocabulary/failure.ts";

/** A model's files together; more would not fit beside the rest of a machine. */
export const MOST_BYTES = 2 * 1_024 ** 3;
/** Files that describe a model are small, also those of the largest vocabularies. */
export const MOST_TOKENIZER_BYTES = 64 * 1_024 ** 2;
const MOST_SETTINGS_BYTES = 1_024 ** 2;
const MOST_ENTRIES = 1_000;
const QUANTISED = /quant|q?u?int8|[_-]q8|q4/i;

/**
 * Chooses the graph of a folder: the one that is named, the only one, or the only quantised one. Exports lie in the
 * folder itself or in its `onnx`.
 *
 * @param wanted its name, with or without `onnx/`
 * @returns its path within the folder
 * @throws Failure `model.invalid` that lists what is there
 */
export async function findGraph(dir: string, wanted: string | undefined): Promise<string> {
  const here = await namesIn(dir);
  if (here === undefined)
    throw new Failure("model.invalid", "There is no such folder; give the one the model lies in.");
  const below = ((await namesIn(join(dir, "onnx"))) ?? []).map((name) => `onnx/${name}`);
  const graphs = [...here, ...below].filter((name) => name.endsWith(".onnx")).sort();
  if (wanted !== undefined) {
    const found = graphs.find((name) => name === wanted) ?? graphs.find((name) => name === `onnx/${wanted}`);
    if (found !== undefined) return found;
    throw refused(`The folder has no ${wanted.slice(0, 100)}; name one of those that are there.`, graphs);
  }
  const [only, ...others] = graphs;
  if (only === undefined) throw refused("The folder has no .onnx file; export the model to ONNX.", []);
  if (others.length === 0) return only;
  const [quantised, ...further] = graphs.filter((name) => QUANTISED.test(name));
  if (quantised !== undefined && further.length === 0) return quantised;
  throw refused("The folder has several .onnx files; choose one with --file.", graphs);
}

const refused = (advice: string, graphs: readonly string[]) =>
  new Failure("model.invalid", advice, {
    problems: graphs.slice(0, 20).map((name) => ({ pointer: "", detail: name })),
  });

async function namesIn(dir: string): Promise<string[] | undefined> {
  try {
    return (await readdir(dir)).slice(0, MOST_ENTRIES);
  } catch {
    return undefined;
  }
}

/**
 * The size of a plain file.
 *
 * @throws Failure `model.invalid` when there is none of this name, or a link: it may lead anywhere
 */
export async function plainSize(dir: string, name: string): Promise<number> {
  const found = await lstat(join(dir, name)).catch(() => undefined);
  if (found?.isSymbolicLink())
    throw new Failure("model.invalid", `${name} is a link; copy the folder with what its links lead to (cp -rL).`);
  if (!found?.isFile()) throw new Failure("model.invalid", `The model's folder has no ${name}; fetch it whole.`);
  return found.size;
}

/**
 * Reads one of a model's small JSON files.
 *
 * @returns undefined when it is absent
 * @throws Failure `model.invalid` when it is no JSON object, or no plain or small file
 */
export async function findSettings(dir: string, name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await findText(dir, name);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch {
    // Said below, as for any other wrong content.
  }
  throw new Failure("model.invalid", `The model's ${name} cannot be read; fetch it again, or remove it.`);
}

/** As `findSettings`, for any text. */
export async function findText(dir: string, name: string): Promise<string | undefined> {
  const path = join(dir, name);
  if (!(await lstat(path).catch(() => undefined))) return undefined;
  if ((await plainSize(dir, name)) > MOST_SETTINGS_BYTES)
    throw new Failure("model.invalid", `The model's ${name} is larger than 1 MiB; fetch it again, or remove it.`);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_SETTINGS_BYTES), 0, MOST_SETTINGS_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
