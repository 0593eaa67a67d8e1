import type { Study } from "../api-types.ts";

/** How a field is written while it is corrected: words, a line an item, or JSON where it has parts. */
export interface StudyField {
  readonly name: keyof Study;
  readonly shape: "text" | "lines" | "json";
  readonly rows?: number;
  readonly hint?: string;
}

/** Those that can be corrected, in the order in which they are read. */
export const FIELDS: readonly StudyField[] = [
  { name: "title", shape: "text" },
  { name: "client", shape: "json", rows: 2, hint: '{"name": …, "domain": …}' },
  { name: "industry", shape: "text" },
  { name: "country", shape: "text", hint: "Two letters, such as DE" },
  { name: "published_at", shape: "text", hint: "YYYY-MM-DD" },
  { name: "language", shape: "text", hint: "Such as en" },
  { name: "summary", shape: "text", rows: 3 },
  { name: "challenge", shape: "text", rows: 3 },
  { name: "solution", shape: "text", rows: 3 },
  { name: "outcomes", shape: "json", rows: 8, hint: "metric, value, unit, direction and text of each" },
  { name: "products", shape: "lines", rows: 2, hint: "One a line" },
  { name: "tools", shape: "lines", rows: 3, hint: "One a line" },
  { name: "quote", shape: "json", rows: 4, hint: "text, person and role" },
];

export function textOf(study: Study, { name, shape }: StudyField): string {
  const value = study[name];
  if (value === null || value === undefined) return "";
  if (shape === "json") return JSON.stringify(value, null, 2);
  return Array.isArray(value) ? value.join("\n") : String(value);
}

/** What is sent: null for nothing; undefined when the text is no value. */
export function readValue(text: string, { shape }: StudyField): unknown {
  const given = text.trim();
  if (shape === "lines") {
    const lines = given.split("\n").map((line) => line.trim());
    return lines.filter((line) => line !== "");
  }
  if (given === "") return null;
  if (shape === "text") return given;
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}
