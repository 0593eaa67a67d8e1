import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../core/errors.ts";

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
export async function regularFileSize(dir: string, name: string): Promise<number> {
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
async function findSettings(dir: string, name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
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
async function findText(dir: string, name: string): Promise<string | undefined> {
  const path = join(dir, name);
  if (!(await lstat(path).catch(() => undefined))) return undefined;
  if ((await regularFileSize(dir, name)) > MOST_SETTINGS_BYTES)
    throw new Failure("model.invalid", `The model's ${name} is larger than 1 MiB; fetch it again, or remove it.`);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_SETTINGS_BYTES), 0, MOST_SETTINGS_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What a field of a message holds, where weights may lie below it: ONNX's own numbers, from `onnx.proto3`. */
const BELOW = {
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

type Message = keyof typeof BELOW;

/** Graphs within graphs; real ones have two or three. */
const MAX_DEPTH = 48;
const MAX_LOCATION_BYTES = 1_000;
const MAX_LOCATIONS = 64;

/**
 * The files that an ONNX file keeps weights in beside itself, as it names them: anything may stand there.
 *
 * @throws Failure `model.invalid` when it is no ONNX file
 */
export function externalFiles(content: Uint8Array): string[] {
  const found = new Set<string>();
  let graphs = 0;
  const walk = (message: Message, start: number, end: number, depth: number): void => {
    if (depth > MAX_DEPTH) throw notOnnx();
    const below: Readonly<Record<number, Message>> = BELOW[message];
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

interface Field {
  readonly field: number;
  readonly from: number;
  readonly to: number;
}

/** The fields of a protobuf message that hold bytes; numbers are passed over. */
function* fieldsOf(content: Uint8Array, start: number, end: number): Generator<Field> {
  let at = start;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 10; shift += 1) {
      const byte = content[at];
      if (byte === undefined || at >= end) throw notOnnx();
      at += 1;
      value += (byte & 127) * 2 ** (7 * shift);
      if (byte < 128) return value;
    }
    throw notOnnx();
  };
  while (at < end) {
    const tag = varint();
    const wire = tag % 8;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = varint();
      if (length > end - at) throw notOnnx();
      yield { field: Math.floor(tag / 8), from: at, to: at + length };
      at += length;
    } else throw notOnnx();
    if (at > end) throw notOnnx();
  }
}

const textOf = (content: Uint8Array, from: number, to: number) => new TextDecoder().decode(content.subarray(from, to));

const notOnnx = () => new Failure("model.invalid", "The model's file is no ONNX model; export or download it again.");

/** What the small files beside a graph say of it. */
interface SentenceSettings {
  /** Undefined when nothing says it. */
  readonly pooling: "mean" | "cls" | undefined;
  /** Layers that come after pooling and are no part of an exported transformer. */
  readonly furtherLayers: readonly string[];
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  readonly maxTokens: number;
  readonly licence: string;
  readonly source: string;
}

/** Passages have one to two hundred tokens; reading more than this of one costs time and finds nothing. */
const MOST_TOKENS = 512;
const LEAST_TOKENS = 8;
/** Models of this family number their places from 2. */
const SHIFTED = /roberta|camembert|mpnet/i;
const QUERY_NAMES = ["query", "search_query", "queries", "retrieval.query"];
const PASSAGE_NAMES = ["passage", "document", "search_document", "documents", "retrieval.passage"];

/** Reads the settings of sentence-transformers and of the transformer itself. @throws Failure `model.invalid` */
export async function readSentenceSettings(dir: string): Promise<SentenceSettings> {
  const pooling = await findSettings(dir, "1_Pooling/config.json");
  const modules = await findSettings(dir, "modules.json");
  const prompts = (await findSettings(dir, "config_sentence_transformers.json"))?.prompts;
  const sentence = await findSettings(dir, "sentence_bert_config.json");
  const config = (await findSettings(dir, "config.json")) ?? {};
  const tokenizer = (await findSettings(dir, "tokenizer_config.json")) ?? {};
  const places = sizeOf(config.max_position_embeddings);
  const shift = SHIFTED.test(String(config.model_type)) ? 2 : 0;
  const limits = [
    MOST_TOKENS,
    sizeOf(sentence?.max_seq_length),
    sizeOf(tokenizer.model_max_length),
    places === undefined ? undefined : places - shift,
  ].filter((limit) => limit !== undefined);
  return {
    pooling: pooling && poolingOf(pooling),
    furtherLayers: Object.values(modules ?? {})
      .map((module) => lastWord(module))
      .filter((name) => !["Transformer", "Pooling", "Normalize"].includes(name)),
    queryPrefix: promptOf(prompts, QUERY_NAMES),
    passagePrefix: promptOf(prompts, PASSAGE_NAMES),
    maxTokens: Math.max(LEAST_TOKENS, Math.min(...limits)),
    licence: licenceOf(await findText(dir, "README.md")),
    source: wordOf(config._name_or_path) ?? "added by its user",
  };
}

/** @throws Failure `model.invalid` for a way of pooling that is not known here */
function poolingOf(config: Readonly<Record<string, unknown>>): "mean" | "cls" {
  const modes = Object.entries(config)
    .filter(([key, on]) => key.startsWith("pooling_mode_") && on === true)
    .map(([key]) => key);
  const named = typeof config.pooling_mode === "string" ? config.pooling_mode : undefined;
  const only = modes.length === 1 ? modes[0] : undefined;
  if (only === "pooling_mode_mean_tokens" || (modes.length === 0 && named === "mean")) return "mean";
  if (only === "pooling_mode_cls_token" || (modes.length === 0 && named === "cls")) return "cls";
  throw new Failure(
    "model.invalid",
    "The model pools its tokens in a way that is not known here; choose one that takes their mean or the first token.",
  );
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

/** The line of a model card's head. */
const licenceOf = (card: string | undefined): string =>
  /^licen[cs]e:[ \t]*["']?([\w.+ -]{1,60}?)["']?[ \t]*$/m.exec(card?.slice(0, 4_000) ?? "")?.[1] ?? "unknown";

/**
 * The highest number that a tokenizer gives to a token: a graph that has no row for it belongs to another tokenizer.
 *
 * @param json the text of a `tokenizer.json`
 * @throws Failure `model.invalid` when it has no vocabulary
 */
export function highestIdOf(json: string): number {
  const { model, added_tokens: added } = objectOf(parsed(json));
  const { vocab } = objectOf(model);
  let highest = -1;
  const see = (id: unknown) => {
    if (typeof id === "number" && Number.isSafeInteger(id) && id > highest && id < 2 ** 31) highest = id;
  };
  // Unigram models list [token, score]; the others name each token's number.
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

const unreadable = () => new Failure("model.invalid", "The model's tokenizer.json has no vocabulary; fetch it again.");
