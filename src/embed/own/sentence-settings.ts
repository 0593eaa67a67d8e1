import { Failure } from "../../vocabulary/failure.ts";
import { findSettings, findText } from "./folder.ts";

/** What the small files beside a graph say of it. */
export interface SentenceSettings {
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
