import { dirname, join } from "node:path";
import { Failure, type Problem } from "../core/errors.ts";

/** What must be known of a sentence encoder to run it: `manifest.json` beside its files. */
export interface Manifest {
  /** Changes whenever the vectors change: vectors of two ids are never compared. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `static`: the graph gives the text's vector; `transformer`: it gives one vector per token. For people to read. */
  readonly kind: "static" | "transformer";
  /** The graph's inputs by name. */
  readonly inputs: {
    readonly ids: string;
    readonly mask: string | null;
    readonly types: string | null;
  };
  /** The graph's output that is read. */
  readonly output: string;
  /** `none` when the output is batch × dimensions already, else how batch × tokens × dimensions becomes that. */
  readonly pooling: "none" | "mean" | "cls";
  /** Whether vectors are brought to length 1 after the graph. */
  readonly normalise: boolean;
  readonly query_prefix: string;
  readonly passage_prefix: string;
  readonly dimensions: number;
  /** Longer texts are cut, special tokens counted. */
  readonly max_tokens: number;
  /**
   * Whether the graph compares tokens one by one too: inputs `query_tokens` and `passage_tokens` (int64, any number),
   * outputs `likeness` (float, query × passage tokens, cosines) and `weight` (float, query tokens).
   */
  readonly late_interaction: boolean;
  /** `model.onnx`, `tokenizer.json` and what the graph keeps beside itself, with what their bytes must be. */
  readonly files: readonly ModelFile[];
  readonly licence: string;
  readonly source: string;
}

export interface ModelFile {
  readonly name: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A plain name: what lies beside the manifest, and nowhere else. */
export const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/;
const MAX_DIMENSIONS = 8_192;
const MAX_TOKENS = 32_768;

/**
 * Reads a manifest. `inputs` is written as the list of the graph's input names; which is which follows from their
 * usual names, such as `input_ids`, `attention_mask`, `token_type_ids`.
 *
 * @throws Failure `model.invalid` that lists every problem
 */
export function parseManifest(raw: unknown): Manifest {
  const given = isObject(raw) ? raw : {};
  const problems: Problem[] = [];
  const want = <T>(key: string, holds: (value: unknown) => value is T, detail: string, fallback: T): T => {
    const value = given[key];
    if (holds(value)) return value;
    problems.push({ pointer: `/${key}`, detail });
    return fallback;
  };
  const word = (key: string, fallback?: string) =>
    fallback !== undefined && given[key] === undefined ? fallback : want(key, isText, "must be a text", "");
  const size = (key: string, most: number) => want(key, isSize(most), `must be a whole number from 1 to ${most}`, 1);
  const manifest: Manifest = {
    id: want("id", isId, "must be words of a–z and digits with dashes or dots, at most 64 characters", ""),
    name: word("name"),
    description: word("description", ""),
    kind: want("kind", isOneOf("static", "transformer"), "must be static or transformer", "static"),
    inputs: inputsOf(want("inputs", isNames, "must list the names of the graph's inputs", [])),
    output: word("output"),
    pooling: want("pooling", isOneOf("none", "mean", "cls"), "must be none, mean or cls", "none"),
    normalise: want("normalise", isBoolean, "must be true or false", true),
    query_prefix: word("query_prefix", ""),
    passage_prefix: word("passage_prefix", ""),
    dimensions: size("dimensions", MAX_DIMENSIONS),
    max_tokens: size("max_tokens", MAX_TOKENS),
    late_interaction:
      given.late_interaction !== undefined && want("late_interaction", isBoolean, "must be true or false", false),
    files: want("files", isFiles, "must list {name, bytes, sha256} of model.onnx and tokenizer.json", []),
    licence: word("licence"),
    source: word("source"),
  };
  if (manifest.inputs.ids === "" && problems.every(({ pointer }) => pointer !== "/inputs"))
    problems.push({ pointer: "/inputs", detail: "must name the input of token ids, such as input_ids" });
  if (problems.length > 0)
    throw new Failure("model.invalid", "The model's manifest is not valid; correct what is listed.", { problems });
  return manifest;
}

function inputsOf(names: readonly string[]): Manifest["inputs"] {
  const find = (pattern: RegExp) => names.find((name) => pattern.test(name)) ?? null;
  return { mask: find(/mask/i), types: find(/type|segment/i), ids: find(/^(?!.*(mask|type|segment)).*ids?$/i) ?? "" };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 2_000;
const isBoolean = (value: unknown): value is boolean => typeof value === "boolean";
const isId = (value: unknown): value is string => typeof value === "string" && /^[a-z0-9][a-z0-9.-]{0,63}$/.test(value);
const isSize =
  (most: number) =>
  (value: unknown): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
const isOneOf =
  <T extends string>(...allowed: readonly T[]) =>
  (value: unknown): value is T =>
    allowed.some((one) => one === value);
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.length <= 3 && value.every(isText);
const isFiles = (value: unknown): value is ModelFile[] =>
  Array.isArray(value) &&
  value.every(
    (file: unknown) =>
      isObject(file) &&
      isText(file.name) &&
      FILE_NAME.test(file.name) &&
      isSize(Number.MAX_SAFE_INTEGER)(file.bytes) &&
      typeof file.sha256 === "string" &&
      /^[0-9a-f]{64}$/.test(file.sha256),
  ) &&
  ["model.onnx", "tokenizer.json"].every((name) => value.some((file: ModelFile) => file.name === name));

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
