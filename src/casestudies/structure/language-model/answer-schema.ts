import { type RawFields, readFields } from "../../fields.ts";
import { OUTCOME_KINDS } from "../../types.ts";

const text = (description: string) => ({ type: ["string", "null"], description });
const list = (description: string) => ({ type: "array", items: { type: "string" }, description });
const object = (properties: Readonly<Record<string, unknown>>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** JSON Schema of a model's answer, limited to what all endpoints with strict schemas support. */
export function answerSchema(industries: readonly string[], metrics: readonly string[]) {
  return object({
    client: object({
      name: text(
        "The client that the story is about, as the page spells it; never the vendor; null when it is not named.",
      ),
      domain: text("The client's web domain, when the page shows it."),
    }),
    industry: { type: ["string", "null"], enum: [...industries, null], description: "The client's industry." },
    country: object({
      code: text("ISO 3166-1 alpha-2 code of the client's country."),
      words: text("The page's own words that state it."),
    }),
    summary: text("What was done for whom, with what result; one to three sentences in the page's language."),
    challenge: text("The client's problem, in one to four sentences."),
    solution: text("What the vendor did about it, in one to four sentences."),
    outcomes: {
      type: "array",
      description: "Results that the page states.",
      items: object({
        metric: { type: "string", enum: [...new Set([...metrics, "other"])] },
        noun: text("What was measured, in two to six words of the sentence, such as: outage time."),
        kind: {
          type: "string",
          enum: [...OUTCOME_KINDS],
          description: "change: by how much it changed. level: how much it is. qualitative: no figure.",
        },
        value: { type: ["number", "null"], description: "The figure as the sentence states it; null without one." },
        unit: text("%, x, a currency code, or a unit of time or count."),
        from: { type: ["number", "null"], description: "The figure before, in the same unit, when it is stated." },
        to: { type: ["number", "null"], description: "The figure after, in the same unit, when it is stated." },
        direction: {
          type: "string",
          enum: ["increase", "decrease", "absolute"],
          description: "Whether what was measured rose or fell; absolute for a level without a change.",
        },
        better: { type: ["boolean", "null"], description: "Whether it is good for the client." },
        sentence: { type: "string", description: "The page's sentence that states it, copied letter for letter." },
      }),
    },
    products: list("The vendor's products that the client uses, as the page spells them."),
    tools: list("Other software and services that the client uses, as the page spells them; not those only mentioned."),
    quote: object({
      text: text("The client's most expressive quotation, copied letter for letter."),
      person: text("Who said it."),
      role: text("That person's role, as the page spells it."),
    }),
    published_at: text("Date of publication, YYYY-MM-DD, when the page states it."),
    language: text("BCP 47 tag of the page's language."),
  });
}

export type AnswerSchema = ReturnType<typeof answerSchema>;

/** A model's answer with checked types and sizes. Its content is not verified yet. */
export interface Claims {
  readonly client: { readonly name: string | null; readonly domain: string | null };
  readonly industry: string | null;
  readonly country: { readonly code: string | null; readonly words: string | null };
  readonly summary: string | null;
  readonly challenge: string | null;
  readonly solution: string | null;
  readonly outcomes: readonly ClaimedOutcome[];
  readonly products: readonly string[];
  readonly tools: readonly string[];
  readonly quote: { readonly text: string | null; readonly person: string | null; readonly role: string | null };
  readonly published_at: string | null;
  readonly language: string | null;
}

export interface ClaimedOutcome {
  readonly metric: string | null;
  readonly value: number | null;
  readonly unit: string | null;
  readonly direction: string | null;
  readonly noun: string | null;
  readonly kind: string | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly better: boolean | null;
  readonly sentence: string | null;
}

const REASONING_END = "</think>";
const MAX_OUTCOMES = 30;
const MAX_ITEMS = 50;

/** Parses a model's answer; the JSON object may follow reasoning or be in a code fence. Undefined when there is none. */
export function readClaims(answer: string): Claims | undefined {
  const parsed = lastObject(answer.slice(answer.lastIndexOf(REASONING_END) + 1));
  if (parsed === undefined) return undefined;
  const fields = readFields(parsed);
  if (fields.isEmpty) return undefined;
  const client = fields.object(["client"]);
  const country = fields.object(["country"]);
  const quote = fields.object(["quote"]);
  return {
    client: { name: client.text(["name"], 200) ?? plainText(fields, "client"), domain: client.text(["domain"], 300) },
    industry: fields.text(["industry"], 100),
    country: { code: country.text(["code"], 60), words: country.text(["words"], 300) },
    summary: fields.text(["summary"], 2_000),
    challenge: fields.text(["challenge"], 4_000),
    solution: fields.text(["solution"], 4_000),
    outcomes: fields.items(["outcomes"], MAX_OUTCOMES).map((item) => readOutcome(readFields(item))),
    products: fields.list(["products"], MAX_ITEMS, 120),
    tools: fields.list(["tools"], MAX_ITEMS, 120),
    quote: {
      text: quote.text(["text"], 4_000) ?? plainText(fields, "quote"),
      person: quote.text(["person"], 200),
      role: quote.text(["role"], 200),
    },
    published_at: fields.text(["published_at"], 40),
    language: fields.text(["language"], 40),
  };
}

/** Small models may give a text instead of an object. */
function plainText(fields: RawFields, name: string): string | null {
  const text = fields.text([name], 4_000);
  return text?.startsWith("{") ? null : text;
}

const readOutcome = (fields: RawFields): ClaimedOutcome => ({
  metric: fields.text(["metric"], 100),
  value: fields.number(["value"]),
  unit: fields.text(["unit"], 60),
  direction: fields.text(["direction"], 20),
  noun: fields.text(["noun"], 120),
  kind: fields.text(["kind"], 20),
  from: fields.number(["from"]),
  to: fields.number(["to"]),
  better: fields.boolean(["better"]),
  sentence: fields.text(["sentence", "text"], 1_000),
});

function lastObject(text: string): unknown {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return undefined;
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined;
  }
}
