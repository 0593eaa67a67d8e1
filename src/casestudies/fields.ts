import { editDistance } from "../core/text.ts";

/** @returns the address as the URL standard writes it; null unless it is http(s), without credentials, at most 2,048 */
export function readAddress(text: string | null): string | null {
  if (text === null || text.length > 2_048) return null;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  return url.href.length <= 2_048 && url.hostname.includes(".") ? url.href : null;
}

/** A host name in ASCII without `www.`, from a name or an address; null for an IP address or a single label. */
export function readHost(text: string | null): string | null {
  if (text === null || text.length > 2_048) return null;
  const url = URL.parse(/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(text) ? text : `http://${text}`);
  const host = url?.hostname.replace(/\.$/, "").replace(/^www\.(?=[^.]+\.)/, "") ?? "";
  const isName =
    host.length <= 253 && /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(host);
  return isName ? host : null;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A day, from an ISO date or instant or a date with the month in English words. Null for anything else: `03/05/2024`
 * is two days, and a month alone is none.
 */
export function readDay(text: string | null): string | null {
  if (text === null) return null;
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:.{0,30})?$/.exec(text);
  if (iso) return day(iso[1], iso[2], iso[3]);
  const american = /^([a-z]{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})$/i.exec(text);
  if (american) return day(american[3], monthOf(american[1]), american[2]);
  const european = /^(\d{1,2})(?:st|nd|rd|th)?\.?\s([a-z]{3,9})\.?,?\s(\d{4})$/i.exec(text);
  return european ? day(european[3], monthOf(european[2]), european[1]) : null;
}

const monthOf = (word = "") => String(MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1);

function day(year = "", month = "", date = ""): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
  const time = new Date(`${text}T00:00:00Z`);
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
  return isReal && year >= "1990" && year < "2100" ? text : null;
}

/** BCP 47 in its canonical form; null for what is no tag or says that the language is not known. */
export function readLanguage(text: string | null): string | null {
  if (text === null || text.length > 35) return null;
  try {
    const tag = Intl.getCanonicalLocales(text.replace(/_/g, "-"))[0] ?? null;
    return tag === null || /^(und|mul|zxx)\b/.test(tag) || !/^[a-z]{2,3}(-|$)/.test(tag) ? null : tag;
  } catch {
    return null;
  }
}

/** @returns reads an ISO 3166-1 alpha-2 code, or a country's English name, as the code */
export function createCountries(): (text: string | null) => string | null {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    // Codes that the standard keeps for others (EU, UN) or that name no country (XA, ZZ).
    if (/^(Q[M-Z]|X[A-JL-Z]|ZZ|AA|E[UZ]|UN)$/.test(code)) continue;
    const canonical = Intl.getCanonicalLocales(`und-${code}`)[0]?.slice(4);
    const name = names.of(code);
    if (name === undefined || canonical !== code) continue;
    codes.set(code.toLowerCase(), code);
    codes.set(name.toLowerCase(), code);
  }
  for (const [name, code] of Object.entries(OTHER_NAMES)) codes.set(name, code);
  return (text) =>
    codes.get(
      text
        ?.toLowerCase()
        .replace(/\./g, "")
        .replace(/^the\s/, "") ?? "",
    ) ?? null;
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: "US",
  "united states of america": "US",
  uk: "GB",
  "great britain": "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  uae: "AE",
  holland: "NL",
  "south korea": "KR",
  "republic of korea": "KR",
  "czech republic": "CZ",
  turkey: "TR",
  "hong kong": "HK",
  macau: "MO",
};

/** A field that was given and not kept. */
export interface LeftOut {
  /** As it was written; of an object with the object's name before it: `client.nmae`. */
  readonly field: string;
  /** What to give instead, in one sentence. */
  readonly reason: string;
}

/** The fields of one record of a file, read tolerantly: what is absent, empty or not understood is null. */
export interface RawFields {
  readonly text: (names: readonly string[], max: number) => string | null;
  /** Like `text`, with line breaks kept. */
  readonly prose: (names: readonly string[], max: number) => string | null;
  /** The first text that is understood. `advice` is what who gave only others is told. */
  readonly value: <T>(
    names: readonly string[],
    max: number,
    understand: (text: string) => T | null,
    advice: string,
  ) => T | null;
  /** A list, or a text of names apart by `;`, `|` or line breaks, or where none of them stands by `,`; each once. */
  readonly list: (names: readonly string[], maxItems: number, maxChars: number) => string[];
  /** Like `list`, of sentences: a comma is part of one. */
  readonly sentences: (names: readonly string[], maxItems: number, maxChars: number) => string[];
  readonly number: (names: readonly string[]) => number | null;
  /** The fields of an object, or of an object in JSON; empty fields where there is none. */
  readonly object: (names: readonly string[]) => RawFields;
  /** Items of an array, or of an array in JSON. */
  readonly items: (names: readonly string[], maxItems: number) => unknown[];
  /** What is given and was used by no reading so far, whether its name was asked for or not; `ignored` names are none. */
  readonly leftOut: (ignored?: readonly string[]) => LeftOut[];
  readonly isEmpty: boolean;
}

const MAX_FIELDS = 200;
const MAX_JSON = 200_000;
const LIST_ADVICE = "Give a list, or texts apart by semicolons.";

/** What people write into a cell that they have nothing for. */
const NOTHING = /^(n\/?a|null|none|nil|undefined|unknown|not (available|specified|applicable)|tbd|-+|—|\?)$/i;

/**
 * Field names compare as words: `Company Name`, `companyName` and `company_name` are one.
 *
 * @param path what stands before the names of what is left out
 */
export function readFields(raw: unknown, path = ""): RawFields {
  const entries =
    typeof raw === "object" && raw !== null && !Array.isArray(raw) ? Object.entries(raw).slice(0, MAX_FIELDS) : [];
  const fields = new Map<string, unknown>();
  const written = new Map<string, string>();
  for (const [name, value] of entries) {
    const key = fieldName(name);
    if (fields.has(key)) continue;
    fields.set(key, value);
    written.set(key, name);
  }
  const used = new Set<string>();
  const advices = new Map<string, string>();
  const objects = new Map<string, RawFields>();
  const first = <T>(
    names: readonly string[],
    advice: string,
    read: (value: unknown, name: string) => T | null,
  ): T | null => {
    let found: T | null = null;
    for (const name of names) {
      advices.set(name, advice);
      const value = fields.get(name);
      // Another name for what is found already.
      if (found !== null) used.add(name);
      else if (value !== undefined && value !== null) {
        found = read(value, name);
        if (found !== null) used.add(name);
      }
    }
    return found;
  };
  const childOf = (name: string, value: Record<string, unknown>): RawFields => {
    const child = objects.get(name) ?? readFields(value, `${path}${shown(written.get(name) ?? name)}.`);
    objects.set(name, child);
    return child;
  };
  return {
    text: (names, max) => first(names, "Give a text.", (value) => cleanText(value, max)),
    prose: (names, max) => first(names, "Give a text.", (value) => cleanProse(value, max)),
    value: (names, max, understand, advice) =>
      first(names, advice, (value) => {
        const text = cleanText(value, max);
        return text === null ? null : understand(text);
      }),
    list: (names, maxItems, maxChars) =>
      first(names, LIST_ADVICE, (value) => readList(value, maxItems, maxChars, ",")) ?? [],
    sentences: (names, maxItems, maxChars) =>
      first(names, LIST_ADVICE, (value) => readList(value, maxItems, maxChars)) ?? [],
    number: (names) => first(names, "Give a number.", readNumber),
    object: (names) =>
      first(names, "Give a text.", (value, name) => {
        const object = readJson(value, isRecord);
        return object === null ? null : childOf(name, object);
      }) ?? readFields(null),
    items: (names, maxItems) =>
      first(names, LIST_ADVICE, (value) => readJson(value, Array.isArray))?.slice(0, maxItems) ?? [],
    leftOut: (ignored = []) => {
      const unused = entries.flatMap(([name, value]) => {
        const key = fieldName(name);
        if (used.has(key) || ignored.includes(key) || name.trim() === "" || !isGiven(value)) return [];
        const reason = advices.get(key) ?? unknownName(key, [...advices.keys()]);
        return [{ field: `${path}${shown(name)}`, reason }];
      });
      return [...unused, ...[...objects.values()].flatMap((child) => child.leftOut())];
    },
    isEmpty: fields.size === 0,
  };
}

const MAX_SHOWN = 60;
const shown = (name: string) => (cleanText(name, MAX_SHOWN) ?? "?").replace(/`/g, "");

/** Neither absent nor a word for nothing. */
function isGiven(value: unknown): boolean {
  if (typeof value === "string") return cleanText(value, MAX_SHOWN) !== null;
  if (Array.isArray(value)) return value.some(isGiven);
  return isRecord(value) ? Object.keys(value).length > 0 : value !== null && value !== undefined;
}

function unknownName(key: string, known: readonly string[]): string {
  const most = key.length < 4 ? 0 : key.length < 6 ? 1 : 2;
  const near = known
    .map((name) => ({ name, far: editDistance(key, name, most) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)[0];
  return `No field has this name${near ? `; did you mean ${near.name}?` : "."}`;
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

function readList(value: unknown, maxItems: number, maxChars: number, lastMark?: string): string[] | null {
  const listed = readJson(value, Array.isArray);
  const text = listed === null ? scalar(value, maxItems * maxChars) : null;
  const marks = lastMark === undefined || /[;|\n]/.test(text ?? "") ? /[;|\n]/ : lastMark;
  const items = listed ?? text?.split(marks) ?? [];
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
