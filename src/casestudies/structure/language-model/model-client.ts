import type { JsonService, ServiceAnswer } from "../../../net/json-service.ts";
import type { AnswerSchema } from "./answer-schema.ts";

/** One request to a model. */
export interface Prompt {
  readonly instructions: string;
  /** The page, between two marker lines. */
  readonly page: string;
  readonly schema: AnswerSchema;
}

/** The model's text, or one sentence that says why there is none. */
type ModelAnswer = { readonly text: string } | { readonly refused: string };

/** Sends a prompt to a model. Rejects only when `signal` aborts. */
export type AskModel = (prompt: Prompt, signal: AbortSignal) => Promise<ModelAnswer>;

interface BudgetLimits {
  readonly maxRequestsPerHour: number;
  /** Tokens of prompts and answers together; null for no limit. */
  readonly maxTokensPerHour: number | null;
}

const HOUR_MS = 3_600_000;
/** Without a pause, a model that is down would cost every page the full timeout. */
const FAILURES_BEFORE_PAUSE = 3;
const PAUSE_MS = 300_000;

type Budget = ReturnType<typeof createBudget>;

/**
 * Limits requests and tokens per hour, and pauses after repeated failures. In memory only: a restart resets it.
 *
 * @param now monotonic milliseconds
 */
export function createBudget(limits: BudgetLimits, now: () => number) {
  const requests: number[] = [];
  let usage: { readonly at: number; readonly tokens: number }[] = [];
  let failures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  return {
    /** Why no request may be sent now, in one sentence; null when one may. */
    refusal(): string | null {
      const hourAgo = now() - HOUR_MS;
      while (requests[0] !== undefined && requests[0] <= hourAgo) requests.shift();
      usage = usage.filter(({ at }) => at > hourAgo);
      if (requests.length >= limits.maxRequestsPerHour) {
        return "The language model's limit of requests per hour is reached.";
      }
      const tokens = usage.reduce((sum, each) => sum + each.tokens, 0);
      if (limits.maxTokensPerHour !== null && tokens >= limits.maxTokensPerHour) {
        return "The language model's limit of tokens per hour is reached.";
      }
      return now() < pausedUntil ? "The language model failed several times; requests are paused for 5 minutes." : null;
    },
    countRequest: () => void requests.push(now()),
    countTokens: (tokens: number) => void usage.push({ at: now(), tokens }),
    recordSuccess() {
      failures = 0;
    },
    recordFailure() {
      failures += 1;
      if (failures < FAILURES_BEFORE_PAUSE) return;
      pausedUntil = now() + PAUSE_MS;
      // After a pause, a single failure starts the next one.
      failures = FAILURES_BEFORE_PAUSE - 1;
    },
  };
}

/** How strictly the answer's shape is requested, best first. An endpoint refuses a format that it does not support. */
const FORMATS = ["json_schema", "json_object", "text"] as const;

/** How endpoints differ; learnt from their refusals. */
interface Dialect {
  /** Index in {@link FORMATS}. */
  readonly format: number;
  readonly limit: "max_tokens" | "max_completion_tokens";
  readonly temperature: boolean;
}

const MAX_TOKENS = 4_096;
const CHARS_PER_TOKEN = 4;

/** A client of an OpenAI-compatible endpoint: Ollama, vLLM, llama.cpp, or a hosted service. */
export function createAskModel(service: JsonService, model: string | null, budget: Budget): AskModel {
  let working: Dialect = { format: 0, limit: "max_tokens", temperature: true };

  return async (prompt, signal) => {
    for (let dialect: Dialect | undefined = working; dialect !== undefined; ) {
      const refused = budget.refusal();
      if (refused !== null) return { refused };
      budget.countRequest();
      const body = requestBody(prompt, model, dialect);
      const answer = await service.post("chat/completions", body, signal);
      if (answer.status === "answered" && answer.code >= 200 && answer.code < 300) {
        working = dialect;
        budget.recordSuccess();
        budget.countTokens(tokensUsed(answer.value) ?? Math.ceil(JSON.stringify(body).length / CHARS_PER_TOKEN));
        const text = answerText(answer.value);
        return text === undefined ? { refused: "The language model gave no answer." } : { text };
      }
      dialect = isRequestRejected(answer) ? simplerDialect(dialect, answer) : undefined;
      if (dialect === undefined) {
        budget.recordFailure();
        return { refused: failureSentence(answer) };
      }
    }
    return { refused: "The language model was not called." };
  };
}

function requestBody({ instructions, page, schema }: Prompt, model: string | null, dialect: Dialect) {
  const format = FORMATS[dialect.format];
  const withSchema = `${instructions}\nThe object follows this JSON Schema:\n${JSON.stringify(schema)}`;
  return {
    ...(model === null ? {} : { model }),
    messages: [
      { role: "system", content: format === "json_schema" ? instructions : withSchema },
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

/** Status codes with which endpoints reject parameters that they do not support. */
const isRequestRejected = (answer: ServiceAnswer) =>
  answer.status === "answered" && [400, 415, 422, 501].includes(answer.code);

/** The next dialect to try: without the parameter that the refusal names, else with a simpler answer format. */
function simplerDialect(dialect: Dialect, answer: ServiceAnswer): Dialect | undefined {
  const refusal = answer.status === "answered" ? (JSON.stringify(answer.value) ?? "").slice(0, 4_000) : "";
  if (dialect.limit === "max_tokens" && refusal.includes("max_completion_tokens")) {
    return { ...dialect, limit: "max_completion_tokens" };
  }
  if (dialect.temperature && refusal.includes("temperature")) return { ...dialect, temperature: false };
  return dialect.format + 1 < FORMATS.length ? { ...dialect, format: dialect.format + 1 } : undefined;
}

function failureSentence(answer: ServiceAnswer): string {
  if (answer.status !== "answered") return `The language model ${answer.reason}.`;
  const { code } = answer;
  if (code === 401 || code === 403) return `The language model rejected the API key (${code}).`;
  if (code === 404) return "There is no language model at this address (404).";
  if (code === 429) return "The language model is overloaded or over its rate limit (429).";
  return code >= 500 ? `The language model failed (${code}).` : `The language model rejected the request (${code}).`;
}

const property = (value: unknown, name: string | number): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** Text of the first choice, which may come as a string or as a list of parts. */
function answerText(value: unknown): string | undefined {
  const content = property(property(property(property(value, "choices"), 0), "message"), "content");
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .map((part: unknown) => property(part, "text"))
    .filter((text) => typeof text === "string")
    .join("");
}

function tokensUsed(value: unknown): number | undefined {
  const total = property(property(value, "usage"), "total_tokens");
  return typeof total === "number" && total >= 0 && Number.isFinite(total) ? total : undefined;
}
