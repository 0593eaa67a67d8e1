import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../core/errors.ts";
import { quoted } from "../../core/text.ts";
import { fieldsOf, notOnnx, textOf } from "../onnx-file.ts";

/** Maximum total size of a model's files. */
export const MAX_BYTES = 2 * 1_024 ** 3;
export const MAX_TOKENIZER_BYTES = 64 * 1_024 ** 2;
const MAX_SETTINGS_BYTES = 1_024 ** 2;
const MAX_ENTRIES = 1_000;
const QUANTISED = /quant|q?u?int8|[_-]q8|q4/i;

/**
 * Chooses the graph of a folder: the named one, the only one, or the only quantised one. Exports are in the folder itself
 * or in its subfolder `onnx`.
 *
 * @param wanted file name, with or without `onnx/`
 * @returns path within the folder
 * @throws Failure `model.invalid` that lists the graphs found
 */
export async function findGraph(dir: string, wanted: string | undefined): Promise<string> {
  const here = await namesIn(dir);
  if (here === undefined)
    throw new Failure("model.invalid", `Cannot read ${quoted(dir)}: no such folder. Give the folder of the model.`);
  const below = ((await namesIn(join(dir, "onnx"))) ?? []).map((name) => `onnx/${name}`);
  const graphs = [...here, ...below].filter((name) => name.endsWith(".onnx")).sort();
  if (wanted !== undefined) {
    const found = graphs.find((name) => name === wanted) ?? graphs.find((name) => name === `onnx/${wanted}`);
    if (found !== undefined) return found;
    throw invalid(`The folder has no ${wanted.slice(0, 100)}; choose one of the files listed.`, graphs);
  }
  const [only, ...others] = graphs;
  if (only === undefined) throw invalid("The folder has no .onnx file; export the model to ONNX.", []);
  if (others.length === 0) return only;
  const [quantised, ...further] = graphs.filter((name) => QUANTISED.test(name));
  if (quantised !== undefined && further.length === 0) return quantised;
  throw invalid("The folder has several .onnx files; choose one with --file.", graphs);
}

const invalid = (message: string, graphs: readonly string[]) =>
  new Failure("model.invalid", message, {
    problems: graphs.slice(0, 20).map((name) => ({ pointer: "", detail: name })),
  });

async function namesIn(dir: string): Promise<string[] | undefined> {
  try {
    return (await readdir(dir)).slice(0, MAX_ENTRIES);
  } catch {
    return undefined;
  }
}

/**
 * Returns the size of a regular file.
 *
 * @throws Failure `model.invalid` when it is missing or a link, which may lead anywhere
 */
export async function regularFileSize(dir: string, name: string): Promise<number> {
  const found = await lstat(join(dir, name)).catch(() => undefined);
  if (found?.isSymbolicLink())
    throw new Failure("model.invalid", `${name} is a symbolic link; copy the folder with the linked files (cp -rL).`);
  if (!found?.isFile())
    throw new Failure("model.invalid", `The model's folder has no ${name}; download all its files.`);
  return found.size;
}

/**
 * Reads a small JSON file of a model.
 *
 * @returns undefined when it is absent
 * @throws Failure `model.invalid` when it is not a JSON object, or not a small regular file
 */
async function findSettings(dir: string, name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await findText(dir, name);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return { ...value };
  } catch {
    // Reported below, as any other invalid content.
  }
  throw new Failure("model.invalid", `The model's ${name} is not a JSON object; download it again, or remove it.`);
}

/** As `findSettings`, for any text. */
async function findText(dir: string, name: string): Promise<string | undefined> {
  const path = join(dir, name);
  if (!(await lstat(path).catch(() => undefined))) return undefined;
  if ((await regularFileSize(dir, name)) > MAX_SETTINGS_BYTES)
    throw new Failure("model.invalid", `The model's ${name} is larger than 1 MiB; download it again, or remove it.`);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_SETTINGS_BYTES), 0, MAX_SETTINGS_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Protobuf fields under which weights may be stored, with the message type they hold: numbers of `onnx.proto3`. */
const FIELDS = {
  model: { 7: "graph", 20: "training", 25: "function" },
  training: { 1: "graph", 2: "graph" },
  graph: { 1: "node", 5: "tensor", 15: "sparse" },
  node: { 5: "attribute" },
  attribute: { 5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse" },
  function: { 7: "node", 11: "attribute" },
  sparse: { 1: "tensor", 2: "tensor" },
  tensor: { 13: "external" },
  external: {},
} as const satisfies Record<string, Readonly<Record<number, string>>>;

type Message = keyof typeof FIELDS;

/** Limit of nested graphs; real models have two or three levels. */
const MAX_DEPTH = 48;
const MAX_LOCATION_BYTES = 1_000;
const MAX_LOCATIONS = 64;

/**
 * Returns the names of the external files in which an ONNX file keeps weights. The names are untrusted.
 *
 * @throws Failure `model.invalid` when it is not an ONNX file
 */
export function externalFiles(content: Uint8Array): string[] {
  const found = new Set<string>();
  let graphs = 0;
  const walk = (message: Message, start: number, end: number, depth: number): void => {
    if (depth > MAX_DEPTH) throw notOnnx();
    const below: Readonly<Record<number, Message>> = FIELDS[message];
    let key = "";
    for (const { field, from, to } of fieldsOf(content, start, end)) {
      const kind = below[field];
      if (message === "external") {
        if (to - from > MAX_LOCATION_BYTES) throw notOnnx();
        if (field === 1) key = textOf(content, from, to);
        if (field === 2 && key === "location") found.add(textOf(content, from, to));
        if (found.size > MAX_LOCATIONS) throw notOnnx();
      } else if (kind !== undefined) {
        if (message === "model" && kind === "graph") graphs += 1;
        walk(kind, from, to, depth + 1);
      }
    }
  };
  walk("model", 0, content.length, 0);
  if (graphs !== 1) throw notOnnx();
  return [...found];
}

/** Settings from the small files next to a graph. */
interface SentenceSettings {
  /** Undefined when no file specifies it. */
  readonly pooling: "mean" | "cls" | undefined;
  /** Layers after pooling, which an exported transformer lacks. */
  readonly furtherLayers: readonly string[];
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly maxTokens: number;
  readonly licence: string;
  readonly source: string;
}

/** Passages have one to two hundred tokens; a higher limit costs time and improves nothing. */
const MAX_TOKENS = 512;
const MIN_TOKENS = 8;
/** These models number positions from 2. */
const SHIFTED = /roberta|camembert|mpnet/i;
const QUERY_NAMES = ["query", "search_query", "queries", "retrieval.query"];
const PASSAGE_NAMES = ["passage", "document", "search_document", "documents", "retrieval.passage"];

/** Reads the settings of sentence-transformers and of the transformer. @throws Failure `model.invalid` */
export async function readSentenceSettings(dir: string): Promise<SentenceSettings> {
  const pooling = await findSettings(dir, "1_Pooling/config.json");
  const modules = await findSettings(dir, "modules.json");
  const prompts = (await findSettings(dir, "config_sentence_transformers.json"))?.prompts;
  const sentence = await findSettings(dir, "sentence_bert_config.json");
  const config = (await findSettings(dir, "config.json")) ?? {};
  const tokenizer = (await findSettings(dir, "tokenizer_config.json")) ?? {};
  const positions = sizeOf(config.max_position_embeddings);
  const shift = SHIFTED.test(String(config.model_type)) ? 2 : 0;
  const limits = [
    MAX_TOKENS,
    sizeOf(sentence?.max_seq_length),
    sizeOf(tokenizer.model_max_length),
    positions === undefined ? undefined : positions - shift,
  ].filter((limit) => limit !== undefined);
  return {
    pooling: pooling && poolingOf(pooling),
    furtherLayers: Object.values(modules ?? {})
      .map((module) => lastWord(module))
      .filter((name) => !["Transformer", "Pooling", "Normalize"].includes(name)),
    queryPrefix: promptOf(prompts, QUERY_NAMES),
    passagePrefix: promptOf(prompts, PASSAGE_NAMES),
    maxTokens: Math.max(MIN_TOKENS, Math.min(...limits)),
    licence: licenceOf(await findText(dir, "README.md")),
    source: wordOf(config._name_or_path) ?? "added by its user",
  };
}

/** @throws Failure `model.invalid` for unsupported pooling */
function poolingOf(config: Readonly<Record<string, unknown>>): "mean" | "cls" {
  const modes = Object.entries(config)
    .filter(([key, on]) => key.startsWith("pooling_mode_") && on === true)
    .map(([key]) => key);
  const named = typeof config.pooling_mode === "string" ? config.pooling_mode : undefined;
  const only = modes.length === 1 ? modes[0] : undefined;
  if (only === "pooling_mode_mean_tokens" || (modes.length === 0 && named === "mean")) return "mean";
  if (only === "pooling_mode_cls_token" || (modes.length === 0 && named === "cls")) return "cls";
  throw new Failure("model.invalid", "The model uses an unsupported pooling; choose one with mean or CLS pooling.");
}

function promptOf(prompts: unknown, names: readonly string[]): string {
  if (typeof prompts !== "object" || prompts === null) return "";
  const known = new Map(Object.entries(prompts));
  for (const name of names) {
    const prompt: unknown = known.get(name);
    if (typeof prompt === "string" && prompt !== "") {
      if (prompt.length > 1_000) throw new Failure("model.invalid", "The model's prompts are too long; correct them.");
      return prompt;
    }
  }
  return "";
}

const sizeOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value <= 1_000_000 ? value : undefined;

const wordOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(value) ? value : undefined;

/** `sentence_transformers.models.Pooling` → `Pooling`. */
function lastWord(module: unknown): string {
  const type = typeof module === "object" && module !== null && "type" in module ? module.type : undefined;
  return typeof type === "string" ? (type.slice(0, 200).split(".").at(-1) ?? "") : "unknown";
}

/** The licence in the front matter of a model card. */
const licenceOf = (card: string | undefined): string =>
  /^licen[cs]e:[ \t]*["']?([\w.+ -]{1,60}?)["']?[ \t]*$/m.exec(card?.slice(0, 4_000) ?? "")?.[1] ?? "unknown";

/**
 * Returns the highest token id of a tokenizer: a graph without a row for it belongs to another tokenizer.
 *
 * @param json content of a `tokenizer.json`
 * @throws Failure `model.invalid` when it has no vocabulary
 */
export function highestIdOf(json: string): number {
  const { model, added_tokens: added } = objectOf(parsed(json));
  const { vocab } = objectOf(model);
  let highest = -1;
  const see = (id: unknown) => {
    if (typeof id === "number" && Number.isSafeInteger(id) && id > highest && id < 2 ** 31) highest = id;
  };
  // Unigram models list [token, score] pairs; the others map tokens to ids.
  if (Array.isArray(vocab)) see(vocab.length - 1);
  else for (const id of Object.values(objectOf(vocab))) see(id);
  if (Array.isArray(added)) for (const token of added) see(objectOf(token).id);
  if (highest < 1) throw unreadable();
  return highest;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw unreadable();
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const unreadable = () =>
  new Failure("model.invalid", "The model's tokenizer.json has no vocabulary; download it again.");
