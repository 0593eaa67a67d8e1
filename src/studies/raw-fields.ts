/** The fields of one record of a file, read tolerantly: what is absent, empty or not understood is null. */
export interface RawFields {
  readonly text: (names: readonly string[], max: number) => string | null;
  /** Like `text`, with line breaks kept. */
  readonly prose: (names: readonly string[], max: number) => string | null;
  /** A list, or a text of values apart by `;`, `|` or `,`; each once. */
  readonly list: (names: readonly string[], maxItems: number, maxChars: number) => string[];
  readonly number: (names: readonly string[]) => number | null;
  /** The fields of an object, or of an object in JSON; empty fields where there is none. */
  readonly object: (names: readonly string[]) => RawFields;
  /** Items of an array, or of an array in JSON. */
  readonly items: (names: readonly string[], maxItems: number) => unknown[];
  readonly isEmpty: boolean;
}

const MAX_FIELDS = 200;
const MAX_JSON = 200_000;

/** What people write into a cell that they have nothing for. */
const NOTHING = /^(n\/?a|null|none|nil|undefined|unknown|not (available|specified|applicable)|tbd|-+|—|\?)$/i;

/** Field names compare as words: `Company Name`, `companyName` and `company_name` are one. */
export function readFields(raw: unknown): RawFields {
  const fields = new Map<string, unknown>();
  if (typeof raw === "object" && raw !== null && !Array.isArray(raw)) {
    for (const [name, value] of Object.entries(raw).slice(0, MAX_FIELDS)) {
      const key = fieldName(name);
      if (!fields.has(key)) fields.set(key, value);
    }
  }
  const first = <T>(names: readonly string[], read: (value: unknown) => T | null): T | null => {
    for (const name of names) {
      const value = fields.get(name);
      const found = value === undefined || value === null ? null : read(value);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    text: (names, max) => first(names, (value) => cleanText(value, max)),
    prose: (names, max) => first(names, (value) => cleanProse(value, max)),
    list: (names, maxItems, maxChars) => first(names, (value) => readList(value, maxItems, maxChars)) ?? [],
    number: (names) => first(names, readNumber),
    object: (names) => readFields(first(names, (value) => readJson(value, isRecord))),
    items: (names, maxItems) => first(names, (value) => readJson(value, Array.isArray))?.slice(0, maxItems) ?? [],
    isEmpty: fields.size === 0,
  };
}

const fieldName = (name: string) =>
  name
    .slice(0, 100)
    .trim()
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");

/** One line without control characters and invisible marks; null when nothing is left. */
export function cleanText(value: unknown, max: number): string | null {
  const text = scalar(value, max);
  return text === null ? null : presentable(text.replace(/\s+/g, " "), max);
}

function cleanProse(value: unknown, max: number): string | null {
  const text = scalar(value, max);
  return text === null ? null : presentable(text.replace(/\r\n?/g, "\n"), max);
}

function scalar(value: unknown, max: number): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  // Twice the length: white space that goes away may stand before what is kept.
  return typeof value === "string" ? value.slice(0, max * 2 + 100) : null;
}

function presentable(text: string, max: number): string | null {
  const clean = text
    .toWellFormed()
    // Controls but for the tab and the line break, and marks that hide or turn text round.
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g, "")
    .trim();
  return clean === "" || NOTHING.test(clean) ? null : cut(clean, max);
}

/** Cuts at a word and marks the cut; cutting again changes nothing. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const space = head.search(/\s\S*$/);
  return `${(space > max - 100 ? head.slice(0, space) : head).toWellFormed().trimEnd()}…`;
}

function readList(value: unknown, maxItems: number, maxChars: number): string[] | null {
  const listed = readJson(value, Array.isArray);
  const text = listed === null ? scalar(value, maxItems * maxChars) : null;
  const items = listed ?? text?.split(/[;|\n]/.test(text) ? /[;|\n]/ : ",") ?? [];
  const clean = items.slice(0, maxItems * 2).flatMap((item) => cleanText(item, maxChars) ?? []);
  const seen = new Set<string>();
  const once = clean.filter((item) => !seen.has(item.toLowerCase()) && seen.add(item.toLowerCase()));
  return once.length > 0 ? once.slice(0, maxItems) : null;
}

function readNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value.replace(/,/g, "")) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readJson<T>(value: unknown, is: (value: unknown) => value is T): T | null {
  if (is(value)) return value;
  if (typeof value !== "string" || value.length > MAX_JSON || !/^\s*[[{]/.test(value)) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return is(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
