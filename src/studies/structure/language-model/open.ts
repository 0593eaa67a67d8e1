import { openJsonService, type Pauses } from "../../../net/json-service.ts";
import type { StructureEngine } from "../engine.ts";
import { createAskModel } from "./ask.ts";
import { createBudget } from "./budget.ts";
import { createLanguageModelEngine } from "./engine.ts";
import type { FieldTools } from "./supported-fields.ts";

export interface LanguageModelSettings {
  /** Address of an OpenAI-compatible endpoint, up to and with its version: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string | null;
  readonly apiKey: string | null;
  /** Milliseconds for one answer. */
  readonly timeoutMs: number;
  readonly maxPerHour: number;
  /** Tokens in an hour; absent or null for no limit but that of `maxPerHour`. */
  readonly maxTokensPerHour?: number | null;
  readonly userAgent: string;
  readonly proxy: string | null;
  readonly extraCa: string | null;
}

export interface LanguageModelSurroundings {
  readonly local: StructureEngine;
  readonly tools: FieldTools;
  readonly onNote: (note: string) => void;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
  readonly pauses?: Pauses;
}

const MAX_ANSWER_BYTES = 1_048_576;
/** Some 8,000 tokens: more than nearly every case study, and what a small model can hold. */
const MAX_INPUT_CHARS = 30_000;

/**
 * The engine over the endpoint that the operator named.
 *
 * @throws Failure `config.invalid` for an address or a key that cannot be used
 */
export function openLanguageModel(
  settings: LanguageModelSettings,
  { local, tools, onNote, now = () => performance.now(), pauses }: LanguageModelSurroundings,
): { readonly engine: StructureEngine; readonly close: () => void } {
  const service = openJsonService(
    {
      url: settings.url,
      key: settings.apiKey,
      timeoutMs: settings.timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      userAgent: settings.userAgent,
      proxy: settings.proxy,
      extraCa: settings.extraCa,
    },
    pauses,
  );
  const budget = createBudget(
    { maxRequestsPerHour: settings.maxPerHour, maxTokensPerHour: settings.maxTokensPerHour ?? null },
    now,
  );
  const ask = createAskModel(service, settings.model, budget);
  return {
    engine: createLanguageModelEngine({ ask, local, tools, maxInputChars: MAX_INPUT_CHARS, onNote }),
    close: service.close,
  };
}
