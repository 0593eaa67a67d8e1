import type { JsonService, ServiceAnswer } from "../../../net/json-service.ts";
import type { Budget } from "./budget.ts";
import type { Question } from "./prompt.ts";

/** A model's text, or in one sentence why there is none. */
export type ModelAnswer = { readonly text: string } | { readonly refused: string };

/** Asks a model. Rejects only when `signal` aborts. */
export type AskModel = (question: Question, signal: AbortSignal) => Promise<ModelAnswer>;

/** How strictly the answer's shape is asked for, best first; what an endpoint does not know, it refuses. */
const FORMATS = ["json_schema", "json_object", "text"] as const;

/** What endpoints differ in, learnt from their refusals. */
interface Dialect {
  readonly format: number;
  readonly limit: "max_tokens" | "max_completion_tokens";
  readonly temperature: boolean;
}

const MAX_TOKENS = 4_096;
const CHARS_PER_TOKEN = 4;

/** An OpenAI-compatible endpoint: Ollama, vLLM, llama.cpp, a cloud. */
export function createAskModel(service: JsonService, model: string | null, budget: Budget): AskModel {
  let known: Dialect = { format: 0, limit: "max_tokens", temperature: true };

  return async (question, signal) => {
    for (let dialect: Dialect | undefined = known; dialect !== undefined; ) {
      const refused = budget.refusal();
      if (refused !== null) return { refused };
      budget.asked();
      const body = bodyOf(question, model, dialect);
      const answer = await service.post("chat/completions", body, signal);
      if (answer.status === "answered" && answer.code >= 200 && answer.code < 300) {
        known = dialect;
        budget.ended(true);
        budget.used(tokensIn(answer.value) ?? Math.ceil(JSON.stringify(body).length / CHARS_PER_TOKEN));
        const text = textIn(answer.value);
        return text === undefined ? { refused: "The language model gave no answer." } : { text };
      }
      dialect = isAboutTheQuestion(answer) ? simpler(dialect, answer) : undefined;
      if (dialect === undefined) {
        budget.ended(false);
        return { refused: whyNot(answer) };
      }
    }
    return { refused: "The language model was not asked." };
  };
}

function bodyOf({ rules, page, schema }: Question, model: string | null, dialect: Dialect) {
  const format = FORMATS[dialect.format];
  const spelled = `${rules}\nThe object follows this JSON Schema:\n${JSON.stringify(schema)}`;
  return {
    ...(model === null ? {} : { model }),
    messages: [
      { role: "system", content: format === "json_schema" ? rules : spelled },
      { role: "user", content: page },
    ],
    ...(dialect.temperature ? { temperature: 0 } : {}),
    [dialect.limit]: MAX_TOKENS,
    stream: false,
    ...(format === "json_schema"
      ? { response_format: { type: "json_schema", json_schema: { name: "case_study", strict: true, schema } } }
      : {}),
    ...(format === "json_object" ? { response_format: { type: "json_object" } } : {}),
  };
}

/** A refusal of the question's form, which another form may escape. */
const isAboutTheQuestion = (answer: ServiceAnswer) =>
  answer.status === "answered" && [400, 415, 422, 501].includes(answer.code);

/** The next way to ask: without what the refusal names, else with a simpler format. */
function simpler(dialect: Dialect, answer: ServiceAnswer): Dialect | undefined {
  const words = answer.status === "answered" ? (JSON.stringify(answer.value) ?? "").slice(0, 4_000) : "";
  if (dialect.limit === "max_tokens" && words.includes("max_completion_tokens")) {
    return { ...dialect, limit: "max_completion_tokens" };
  }
  if (dialect.temperature && words.includes("temperature")) return { ...dialect, temperature: false };
  return dialect.format + 1 < FORMATS.length ? { ...dialect, format: dialect.format + 1 } : undefined;
}

function whyNot(answer: ServiceAnswer): string {
  if (answer.status !== "answered") return `The language model ${answer.reason}.`;
  const { code } = answer;
  if (code === 401 || code === 403) return `The language model did not accept the key (${code}).`;
  if (code === 404) return "The language model does not exist at this address (404).";
  if (code === 429) return "The language model has too much to do (429).";
  return code >= 500 ? `The language model failed (${code}).` : `The language model refused the question (${code}).`;
}

const field = (value: unknown, name: string | number): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Text of the first choice; of its parts, when it comes in parts. */
function textIn(value: unknown): string | undefined {
  const content = field(field(field(field(value, "choices"), 0), "message"), "content");
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .map((part: unknown) => field(part, "text"))
    .filter((text) => typeof text === "string")
    .join("");
}

function tokensIn(value: unknown): number | undefined {
  const total = field(field(value, "usage"), "total_tokens");
  return typeof total === "number" && total >= 0 && Number.isFinite(total) ? total : undefined;
}
