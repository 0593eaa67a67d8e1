import type { Outcome, Study } from "../../api-types.ts";

/** Fields that can be corrected, in the order shown. */
export const FIELDS = [
  "title",
  "client",
  "industry",
  "country",
  "published_at",
  "language",
  "summary",
  "challenge",
  "solution",
  "outcomes",
  "products",
  "tools",
  "quote",
] as const;
export type FieldName = (typeof FIELDS)[number];

/** An outcome while it is edited: the number stays text until it is saved. */
export interface OutcomeDraft {
  readonly metric: string;
  readonly value: string;
  readonly unit: string;
  readonly direction: Outcome["direction"];
  readonly text: string;
  readonly noun: string;
  readonly kind: NonNullable<Outcome["kind"]> | "";
  readonly from: string;
  readonly to: string;
  readonly better: "" | "true" | "false";
  readonly sentence: string | null;
  /** Its index in the stored case study, to which the provenance points; null for a new outcome. */
  readonly index: number | null;
}

/** A field while it is edited: one text, several named texts, or outcomes. */
export interface Draft {
  readonly texts: Readonly<Record<string, string>>;
  readonly outcomes: readonly OutcomeDraft[];
}

/** Name of the text in fields that have only one. */
export const WHOLE = "";

const LISTS = new Set<FieldName>(["products", "tools"]);

export function toDraft(study: Study, name: FieldName): Draft {
  const none = { texts: {}, outcomes: [] };
  if (name === "outcomes") {
    const outcomes = study.outcomes.map(({ value, unit, noun, kind, from, to, better, ...outcome }, index) => ({
      ...outcome,
      ...{ value: toText(value), from: toText(from), to: toText(to) },
      ...({ better: better === null ? "" : better ? "true" : "false" } as const),
      ...({ unit: unit ?? "", noun: noun ?? "", kind: kind ?? "", index } as const),
    }));
    return { ...none, outcomes };
  }
  if (name === "client") return { ...none, texts: toTexts(study.client) };
  if (name === "quote") return { ...none, texts: toTexts(study.quote ?? { text: null, person: null, role: null }) };
  const value = study[name];
  return { ...none, texts: { [WHOLE]: typeof value === "string" ? value : (value?.join("\n") ?? "") } };
}

const toText = (value: number | null) => (value === null ? "" : String(value));

const toTexts = (parts: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, text ?? ""]));

export const isSame = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The value to save; null means unknown. An invalid number is sent as text, so that the service reports the error. */
export function fromDraft({ texts, outcomes }: Draft, name: FieldName): unknown {
  if (name === "outcomes") {
    return outcomes.map(({ metric, value, unit, direction, text, noun, kind, from, to, better, sentence }) => ({
      ...{ metric: metric.trim(), value: parseNumber(value), unit: orNull(unit), direction, text: text.trim() },
      ...{ noun: orNull(noun), kind: orNull(kind), from: parseNumber(from), to: parseNumber(to), sentence },
      better: better === "" ? null : better === "true",
    }));
  }
  if (name === "client" || name === "quote") {
    const parts = Object.entries(texts).map(([part, text]) => [part, orNull(text)] as const);
    return parts.every(([, text]) => text === null) ? null : Object.fromEntries(parts);
  }
  const text = texts[WHOLE] ?? "";
  if (!LISTS.has(name)) return orNull(text);
  const items = text.split("\n").map((line) => line.trim());
  return items.filter((item) => item !== "");
}

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());

function parseNumber(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const number = Number(trimmed.replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, ""));
  return Number.isFinite(number) ? number : trimmed;
}
