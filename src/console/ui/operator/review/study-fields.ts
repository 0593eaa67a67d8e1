import type { Outcome, Study } from "../../api-types.ts";

/** Fields that can be corrected, in the order in which they are read. */
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

/** One row of the outcomes while it is written; everything is text until it is sent. */
export interface OutcomeDraft {
  readonly metric: string;
  readonly value: string;
  readonly unit: string;
  readonly direction: Outcome["direction"];
  readonly text: string;
  /** Where it stood when the case study was read, which is where its proof points; null for a new one. */
  readonly was: number | null;
}

/** What a field is while it is written: a text, named texts, or outcomes. */
export interface Draft {
  readonly texts: Readonly<Record<string, string>>;
  readonly outcomes: readonly OutcomeDraft[];
}

/** Fields of one text have it under this name. */
export const WHOLE = "";

const LISTS = new Set<FieldName>(["products", "tools"]);

export function draftOf(study: Study, name: FieldName): Draft {
  const none = { texts: {}, outcomes: [] };
  if (name === "outcomes") {
    const outcomes = study.outcomes.map(({ metric, value, unit, direction, text }, was) => ({
      ...{ metric, value: value === null ? "" : String(value), unit: unit ?? "", direction, text, was },
    }));
    return { ...none, outcomes };
  }
  if (name === "client") return { ...none, texts: textsOf(study.client) };
  if (name === "quote") return { ...none, texts: textsOf(study.quote ?? { text: null, person: null, role: null }) };
  const value = study[name];
  return { ...none, texts: { [WHOLE]: typeof value === "string" ? value : (value?.join("\n") ?? "") } };
}

const textsOf = (parts: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, text ?? ""]));

/** Two drafts that would be sent alike. */
export const isSame = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What is sent: null says that nothing is known. A number that is none is sent as it is, so that the service says so. */
export function sentOf({ texts, outcomes }: Draft, name: FieldName): unknown {
  if (name === "outcomes") {
    return outcomes.map(({ metric, value, unit, direction, text }) => ({
      ...{ metric: metric.trim(), value: numberIn(value), unit: orNull(unit), direction, text: text.trim() },
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

function numberIn(text: string): number | string | null {
  const given = text.trim();
  if (given === "") return null;
  const number = Number(given.replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, ""));
  return Number.isFinite(number) ? number : given;
}
