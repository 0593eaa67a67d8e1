import { dirname, join } from "node:path";
import { Failure, type Problem } from "../core/errors.ts";

/** How to run a sentence encoder: `manifest.json` in the folder of its files. */
export interface Manifest {
  /** Changes whenever the vectors change: vectors of different ids must not be compared. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** `static`: the graph returns one vector per text; `transformer`: one per token. Informational. */
  readonly kind: "static" | "transformer";
  /** Names of the graph's inputs. */
  readonly inputs: {
    readonly ids: string;
    readonly mask: string | null;
    readonly types: string | null;
  };
  /** Name of the graph's output to use. */
  readonly output: string;
  /** How batch × tokens × dimensions becomes batch × dimensions; `none` when the output is that already. */
  readonly pooling: "none" | "mean" | "cls";
  /** Whether vectors are scaled to length 1. */
  readonly normalise: boolean;
  readonly query_prefix: string;
  readonly passage_prefix: string;
  readonly dimensions: number;
  /** Including special tokens; longer texts are cut. */
  readonly max_tokens: number;
  /**
   * Whether the graph also compares single tokens: inputs `query_tokens` and `passage_tokens` (int64, any number), outputs
   * `likeness` (float, query × passage tokens, cosines), `share` and `length` (float, query tokens).
   */
  readonly late_interaction: boolean;
  /** `model.onnx`, `tokenizer.json` and further files with weights of the graph. */
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

/** A plain file name: all files are in the folder of the manifest. */
export const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/;
const MAX_DIMENSIONS = 8_192;
const MAX_TOKENS = 32_768;

/**
 * Parses a manifest. `inputs` is the list of the graph's input names, recognised by their usual names `input_ids`,
 * `attention_mask` and `token_type_ids`.
 *
 * @throws Failure `model.invalid` with every problem
 */
export function parseManifest(raw: unknown): Manifest {
  const given = isObject(raw) ? raw : {};
  const problems: Problem[] = [];
  const read = <T>(key: string, isValid: (value: unknown) => value is T, detail: string, fallback: T): T => {
    const value = given[key];
    if (isValid(value)) return value;
    problems.push({ pointer: `/${key}`, detail });
    return fallback;
  };
  const text = (key: string, fallback?: string) =>
    fallback !== undefined && given[key] === undefined ? fallback : read(key, isText, "must be a string", "");
  const size = (key: string, most: number) => read(key, isSize(most), `must be a whole number from 1 to ${most}`, 1);
  const manifest: Manifest = {
    id: read("id", isId, "must consist of a–z, digits, dashes and dots, at most 64 characters", ""),
    name: text("name"),
    description: text("description", ""),
    kind: read("kind", isOneOf("static", "transformer"), "must be static or transformer", "static"),
    inputs: inputsOf(read("inputs", isNames, "must list the names of the graph's inputs", [])),
    output: text("output"),
    pooling: read("pooling", isOneOf("none", "mean", "cls"), "must be none, mean or cls", "none"),
    normalise: read("normalise", isBoolean, "must be true or false", true),
    query_prefix: text("query_prefix", ""),
    passage_prefix: text("passage_prefix", ""),
    dimensions: size("dimensions", MAX_DIMENSIONS),
    max_tokens: size("max_tokens", MAX_TOKENS),
    late_interaction:
      given.late_interaction !== undefined && read("late_interaction", isBoolean, "must be true or false", false),
    files: read("files", isFiles, "must list {name, bytes, sha256} of model.onnx and tokenizer.json", []),
    licence: text("licence"),
    source: text("source"),
  };
  if (manifest.inputs.ids === "" && problems.every(({ pointer }) => pointer !== "/inputs"))
    problems.push({ pointer: "/inputs", detail: "must name the input of token ids, such as input_ids" });
  if (problems.length > 0)
    throw new Failure("model.invalid", "The manifest of the model is invalid; correct the fields listed.", {
      problems,
    });
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

/** The files of a model, each as bytes or as a path. */
export interface ModelFiles {
  /** A path if the graph keeps weights in further files, which are in the same folder. */
  readonly model: Uint8Array | string;
  readonly tokenizer: Uint8Array | string;
}

/**
 * Reads all files and verifies their hashes before anything parses them.
 *
 * @returns the graph as a path if it has further files, else as bytes
 * @throws Failure `model.unavailable` when a file cannot be read, `model.invalid` when its hash is wrong
 */
export async function readModelFiles(
  manifest: Manifest,
  files: ModelFiles,
): Promise<{ readonly model: Uint8Array | string; readonly tokenizer: string }> {
  const model = await readVerified(expectedIn(manifest, "model.onnx"), files.model);
  const tokenizer = await readVerified(expectedIn(manifest, "tokenizer.json"), files.tokenizer);
  const further = manifest.files.filter(({ name }) => name !== "model.onnx" && name !== "tokenizer.json");
  const path = typeof files.model === "string" ? files.model : undefined;
  for (const file of further) if (path !== undefined) await verifyFile(file, join(dirname(path), file.name));
  return {
    model: further.length > 0 && path !== undefined ? path : model,
    tokenizer: new TextDecoder().decode(tokenizer),
  };
}

/** Verifies the files of a folder without keeping them in memory. @throws Failure as `readModelFiles` does */
export async function checkModelFiles(manifest: Manifest, dir: string): Promise<void> {
  for (const file of manifest.files) await verifyFile(file, join(dir, file.name));
}

function expectedIn(manifest: Manifest, name: string): ModelFile {
  const expected = manifest.files.find((file) => file.name === name);
  if (!expected) throw new Failure("model.invalid", `The model's manifest does not list ${name}.`);
  return expected;
}

async function readVerified(expected: ModelFile, given: Uint8Array | string): Promise<Uint8Array> {
  // Size first: a wrong path may lead to an endless file.
  const size = typeof given === "string" ? await sizeOf(expected.name, given) : given.length;
  if (size !== expected.bytes) throw mismatch(expected.name);
  const content = typeof given === "string" ? await Bun.file(given).bytes() : given;
  if (sha256(content) !== expected.sha256) throw mismatch(expected.name);
  return content;
}

async function verifyFile(expected: ModelFile, path: string): Promise<void> {
  if ((await sizeOf(expected.name, path)) !== expected.bytes) throw mismatch(expected.name);
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
  if (hash.digest("hex") !== expected.sha256) throw mismatch(expected.name);
}

async function sizeOf(name: string, path: string): Promise<number> {
  const file = Bun.file(path);
  if (await file.exists()) return file.size;
  throw new Failure("model.unavailable", `The model's ${name} cannot be read; check its path.`);
}

/** Lower-case hex. */
export function sha256(content: Uint8Array): ModelFile["sha256"] {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

const mismatch = (name: string) =>
  new Failure("model.invalid", `The model's ${name} does not match its manifest; download it again.`);
