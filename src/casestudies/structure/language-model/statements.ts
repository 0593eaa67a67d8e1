import { createHash } from "node:crypto";
import { wordsIn } from "../../../core/text.ts";
import { splitSentences } from "../../text/markdown.ts";
import type { PageText } from "../../types.ts";
import type { AskModel } from "./model-client.ts";
import { isPromptInjection, normaliseForMatch, readPageEvidence } from "./page-evidence.ts";
import { whyUnsupported } from "./supported-fields.ts";

/** What a statement rests on: a stored sentence or record, as it is stored. */
export interface StatementSource {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

export interface Statement {
  readonly text: string;
  /** Copied letter for letter from one of the sources; null without one. */
  readonly quote: string | null;
  /** Numbers of its sources. */
  readonly sources: readonly number[];
}

const FIGURE = /\d+(?:[.,:'’/-]\d+)*/g;
const QUOTED = /[“„«"]([^“”„«»"]{1,2000})[”“»"]/g;

/**
 * Why a statement says more than its sources, as a clause; null when it does not. Each quote must be in one of the sources
 * letter for letter, and each figure and quoted word in one of them as it is written.
 */
export function whyUnverified(
  { text, quote, sources: numbers }: Statement,
  sources: ReadonlyMap<number, StatementSource>,
): string | null {
  const cited = numbers.map((number) => sources.get(number));
  if (cited.length === 0) return "it names no source";
  const texts = cited.flatMap((source) => source?.text ?? []);
  if (texts.length < cited.length) return "it names a source that does not exist";
  if (quote !== null && !texts.some((source) => source.includes(quote))) return "its quote is in none of its sources";
  const known = new Set(texts.flatMap((source) => source.match(FIGURE) ?? []));
  if ((text.match(FIGURE) ?? []).some((figure) => !known.has(figure))) return "its figure is in none of its sources";
  const normalised = texts.map(normaliseForMatch);
  const isQuoted = ([, words = ""]: RegExpMatchArray) =>
    normalised.some((source) => source.includes(normaliseForMatch(words)));
  return [...text.matchAll(QUOTED)].every(isQuoted) ? null : "its quoted words are in none of its sources";
}

/** What makes the same digits another figure. Longer words first. */
const UNIT =
  /(\d+(?:[.,:'’/-]\d+)*)[\s\u00a0\u202f-]{0,2}(%|per ?cent|percentage points|times|fold|x(?![\p{L}\p{N}])|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|thousand|million|billion|trillion)/giu;
const MONEY = /([$€£¥])[\s\u00a0]?(\d+(?:[.,:'’/-]\d+)*)/g;

/** Figures with their unit: `42 %`, `3 hour`. */
function measuresIn(text: string): string[] {
  const unitOf = (unit: string) =>
    unit
      .toLowerCase()
      .replace(/^per ?cent$/, "%")
      .replace(/^(times|fold)$/, "x")
      .replace(/s$/, "");
  return [
    ...[...text.matchAll(UNIT)].map(([, figure, unit = ""]) => `${figure} ${unitOf(unit)}`),
    ...[...text.matchAll(MONEY)].map(([, sign, figure]) => `${figure} ${sign}`),
  ];
}

/** The same for a statement in a model's words, whose units, names and most of whose words must be in its sources too. */
export function whyInvented(statement: Statement, sources: ReadonlyMap<number, StatementSource>): string | null {
  const reason = whyUnverified(statement, sources);
  if (reason !== null) return reason;
  const markdown = statement.sources.map((number) => sources.get(number)?.text ?? "").join("\n\n");
  const measures = new Set(measuresIn(markdown));
  if (measuresIn(statement.text).some((measure) => !measures.has(measure)))
    return "its figure has another unit in its sources";
  const evidence = readPageEvidence({ ...NO_PAGE, markdown });
  // Sentence by sentence: a short invented one would pass together with a long supported one.
  for (const sentence of splitSentences(statement.text)) {
    const unsupported = whyUnsupported(sentence, evidence);
    if (unsupported !== null) return unsupported;
  }
  const isStated = wordsIn(normaliseForMatch(statement.text)).some(
    (word) => word.length > 2 && evidence.words.has(word),
  );
  return isStated ? null : "it has no word of its sources";
}

const NO_PAGE: PageText = {
  ...{ url: "", canonical: null, title: null, site_name: null, description: null, language: null },
  ...{ published_at: null, published_from: null, markdown: "", images: [], links: [], labels: [], json_ld: [] },
};

const MAX_INPUT = 24_000;
const MAX_STATEMENT = 400;

interface StatementRequest {
  readonly instructions: string;
  /** What the model gets, made of the sources that it may be sent. */
  prompt(sources: readonly StatementSource[]): string;
  readonly sources: readonly StatementSource[];
  /** Description of the parts to which sentences belong; absent where there is one. */
  readonly part?: string;
  readonly most: number;
}

interface WrittenStatements {
  readonly kept: readonly { readonly part: string; readonly statement: Statement }[];
  /** Why each of the other sentences was dropped, as clauses without the model's words. */
  readonly dropped: readonly string[];
  /** Why not all of the model's answer is used, in one sentence; null otherwise. */
  readonly fallback: string | null;
}

/**
 * Lets a model write sentences about numbered sources, and keeps those that the sources that they name support. Sources
 * with instructions to a model are not sent. Rejects only when `signal` aborts.
 */
export async function writeStatements(
  ask: AskModel,
  { instructions, prompt, sources, part, most }: StatementRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<WrittenStatements> {
  const sent = sources.filter(({ text }) => !isPromptInjection(text));
  const text = prompt(sent).slice(0, MAX_INPUT).toWellFormed();
  // A text cannot contain its own hash, so it cannot end the block early.
  const marker = `sources-${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
  const page = `${marker}\n${text}\n${marker}`;
  const answer = await ask({ instructions, page, schema: schemaOf(part) }, signal);
  if ("refused" in answer) return { kept: [], dropped: [], fallback: answer.refused };
  const sentences = readSentences(answer.text, most);
  if (sentences === undefined)
    return { kept: [], dropped: [], fallback: "The language model's answer was not the requested JSON." };
  const bySource = new Map(sent.map((source) => [source.number, source]));
  const checked = sentences.map((each) => ({ ...each, reason: whyInvented(each.statement, bySource) }));
  const dropped = checked.flatMap(({ reason }) => reason ?? []);
  return {
    kept: checked.filter(({ reason }) => reason === null),
    dropped,
    fallback:
      dropped.length === 0
        ? null
        : `${dropped.length} of ${sentences.length} sentences of the language model were dropped, because their sources do not support them.`,
  };
}

const schemaOf = (part: string | undefined) => ({
  type: "object",
  properties: {
    sentences: {
      type: "array",
      items: {
        type: "object",
        properties: {
          ...(part === undefined ? {} : { part: { type: "string", description: part } }),
          text: { type: "string" },
          sources: { type: "array", items: { type: "integer" } },
        },
        required: [...(part === undefined ? [] : ["part"]), "text", "sources"],
        additionalProperties: false,
      },
    },
  },
  required: ["sentences"],
  additionalProperties: false,
});

function readSentences(answer: string, most: number): WrittenStatements["kept"] | undefined {
  try {
    const { sentences } = Object(JSON.parse(answer.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, "")));
    if (!Array.isArray(sentences)) return undefined;
    return sentences.slice(0, most).flatMap((each: unknown) => {
      const { part = "", text, sources } = Object(each);
      const isUsable =
        typeof text === "string" && text.trim() !== "" && text.length <= MAX_STATEMENT && Array.isArray(sources);
      if (!isUsable) return [];
      const numbers = [...new Set(sources.filter((number: unknown): number is number => Number.isInteger(number)))];
      return {
        part: String(part),
        statement: { text: text.replace(/\s+/g, " ").trim(), quote: null, sources: numbers },
      };
    });
  } catch {
    return undefined;
  }
}
