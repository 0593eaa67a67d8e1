import { splitList } from "../core/csv.ts";
import { findWrittenDate, isoDay } from "../core/dates.ts";
import { editDistance, findClosest } from "../core/text.ts";

const MAX_URL = 2_048;

/** The normalised URL; null unless it is http or https, without credentials, with a host name that has a dot. */
export function parseHttpUrl(text: string | null): string | null {
  if (text === null || text.length > MAX_URL) return null;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  return url.href.length <= MAX_URL && url.hostname.includes(".") ? url.href : null;
}

/** The ASCII host name of a host or URL, without `www.`; null for an IP address or a single label. */
export function parseHost(text: string | null): string | null {
  if (text === null || text.length > MAX_URL) return null;
  const url = URL.parse(/^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(text) ? text : `http://${text}`);
  const host = url?.hostname.replace(/\.$/, "").replace(/^www\.(?=[^.]+\.)/, "") ?? "";
  const isName =
    host.length <= 253 && /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(host);
  return isName ? host : null;
}

/**
 * `YYYY-MM-DD` of an ISO date or time stamp, or of a date as people write it. Null for a text with anything else in it,
 * a month without a day, and an ambiguous order of day and month (`03/05/2024`).
 */
export function parseDate(text: string | null): string | null {
  if (text === null) return null;
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:.{0,30})?$/.exec(text);
  if (iso) return isoDay(Number(iso[1]), Number(iso[2]), Number(iso[3])) ?? null;
  const written = findWrittenDate(text);
  return written?.text === text ? written.day : null;
}

/** The canonical BCP 47 tag; null for other text and for tags that mean an unknown language. */
export function parseLanguageTag(text: string | null): string | null {
  if (text === null || text.length > 35) return null;
  try {
    const tag = Intl.getCanonicalLocales(text.replace(/_/g, "-"))[0] ?? null;
    return tag === null || /^(und|mul|zxx)\b/.test(tag) || !/^[a-z]{2,3}(-|$)/.test(tag) ? null : tag;
  } catch {
    return null;
  }
}

/** @returns a function from an ISO 3166-1 alpha-2 code or an English country name to the code; null when unknown */
export function createCountryParser(): (text: string | null) => string | null {
  const codes = countryCodes();
  return (text) =>
    codes.get(
      text
        ?.toLowerCase()
        .replace(/\./g, "")
        .replace(/^the\s/, "") ?? "",
    ) ?? null;
}

/** The English name of the country that a misspelt name probably means. */
export function closestCountry(text: string): string | undefined {
  const codes = countryCodes();
  const meant = findClosest(
    text,
    [...codes.keys()].filter((name) => name.length > 2),
  );
  return meant && countryName(codes.get(meant) ?? meant);
}

const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region" });

/** The English name of an ISO 3166-1 alpha-2 code. */
export const countryName = (code: string): string => COUNTRY_NAMES.of(code) ?? code;

/** ISO 3166-1 alpha-2 codes by lower-case code and English name. */
function countryCodes(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    // Reserved codes (EU, UK), former ones (DD, SU), and codes for private use (XA, ZZ).
    if (/^(Q[M-Z]|X[A-JL-Z]|ZZ|AA|E[UZ]|U[KN]|AN|BU|CS|D[DY]|FX|HV|NH|RH|SU|TP|[VY]D|YU|ZR)$/.test(code)) continue;
    const canonical = Intl.getCanonicalLocales(`und-${code}`)[0]?.slice(4);
    const name = names.of(code);
    if (name === undefined || canonical !== code) continue;
    codes.set(code.toLowerCase(), code);
    codes.set(name.toLowerCase(), code);
  }
  for (const [name, code] of Object.entries(OTHER_NAMES)) codes.set(name, code);
  return codes;
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

/** A field that was given but not used. */
export interface IgnoredField {
  /** The name as written; for a nested field with the object's name: `client.nmae`. */
  readonly field: string;
  /** What to give instead, in one sentence. */
  readonly reason: string;
}

/**
 * Tolerant access to the fields of one record. Each reader takes the names under which a field may be given, and returns
 * null (or nothing) for a value that is absent, empty or not understood.
 */
export interface RawFields {
  /** One line of text. */
  readonly text: (names: readonly string[], max: number) => string | null;
  /** Text with its line breaks. */
  readonly prose: (names: readonly string[], max: number) => string | null;
  /** The first text that `parse` understands. `hint` is reported for a text that it does not. */
  readonly value: <T>(
    names: readonly string[],
    max: number,
    parse: (text: string) => T | null,
    hint: string,
  ) => T | null;
  /** A list, or a text of items separated by `;`, `|` or line breaks, or else by commas. Without duplicates. */
  readonly list: (names: readonly string[], maxItems: number, maxChars: number) => string[];
  /** Like `list`, but commas do not separate items. */
  readonly sentences: (names: readonly string[], maxItems: number, maxChars: number) => string[];
  readonly number: (names: readonly string[]) => number | null;
  /** `true` and `false`, also as text, `yes` and `no`, or 1 and 0. */
  readonly boolean: (names: readonly string[]) => boolean | null;
  /** The fields of an object, which may be given as JSON text; no fields where there is none. */
  readonly object: (names: readonly string[]) => RawFields;
  /** The items of an array, which may be given as JSON text. */
  readonly items: (names: readonly string[], maxItems: number) => unknown[];
  /** Fields with a value that no reader has used so far, except those named in `allowed`. */
  readonly ignoredFields: (allowed?: readonly string[]) => IgnoredField[];
  readonly isEmpty: boolean;
}

const MAX_FIELDS = 200;
const MAX_JSON = 200_000;
const LIST_ADVICE = "Give a list, or text separated by semicolons.";

/** What people write into a cell without a value. */
const PLACEHOLDER = /^(n\/?a|null|none|nil|undefined|unknown|not (available|specified|applicable)|tbd|-+|—|\?)$/i;

/**
 * Field names are compared by their words: `Company Name`, `companyName` and `company_name` are equal.
 *
 * @param path prefix for the names of ignored fields
 */
export function readFields(raw: unknown, path = ""): RawFields {
  const entries =
    typeof raw === "object" && raw !== null && !Array.isArray(raw) ? Object.entries(raw).slice(0, MAX_FIELDS) : [];
  const fields = new Map<string, unknown>();
  const givenNames = new Map<string, string>();
  for (const [name, value] of entries) {
    const key = fieldName(name);
    if (fields.has(key)) continue;
    fields.set(key, value);
    givenNames.set(key, name);
  }
  const used = new Set<string>();
  const hints = new Map<string, string>();
  const objects = new Map<string, RawFields>();
  const first = <T>(
    names: readonly string[],
    hint: string,
    read: (value: unknown, name: string) => T | null,
  ): T | null => {
    let found: T | null = null;
    for (const name of names) {
      hints.set(name, hint);
      const value = fields.get(name);
      // A second name of a field that was found already counts as used.
      if (found !== null) used.add(name);
      else if (value !== undefined && value !== null) {
        found = read(value, name);
        if (found !== null) used.add(name);
      }
    }
    return found;
  };
  const childOf = (name: string, value: Record<string, unknown>): RawFields => {
    const child = objects.get(name) ?? readFields(value, `${path}${printable(givenNames.get(name) ?? name)}.`);
    objects.set(name, child);
    return child;
  };
  return {
    text: (names, max) => first(names, "Give a text.", (value) => cleanText(value, max)),
    prose: (names, max) => first(names, "Give a text.", (value) => cleanProse(value, max)),
    value: (names, max, parse, hint) =>
      first(names, hint, (value) => {
        const text = cleanText(value, max);
        return text === null ? null : parse(text);
      }),
    list: (names, maxItems, maxChars) =>
      first(names, LIST_ADVICE, (value) => readList(value, maxItems, maxChars, ",")) ?? [],
    sentences: (names, maxItems, maxChars) =>
      first(names, LIST_ADVICE, (value) => readList(value, maxItems, maxChars)) ?? [],
    number: (names) => first(names, "Give a number.", readNumber),
    boolean: (names) => first(names, "Give true or false.", readBoolean),
    object: (names) =>
      first(names, "Give a text.", (value, name) => {
        const object = readJson(value, isRecord);
        return object === null ? null : childOf(name, object);
      }) ?? readFields(null),
    items: (names, maxItems) =>
      first(names, LIST_ADVICE, (value) => readJson(value, Array.isArray))?.slice(0, maxItems) ?? [],
    ignoredFields: (allowed = []) => {
      const unused = entries.flatMap(([name, value]) => {
        const key = fieldName(name);
        if (used.has(key) || allowed.includes(key) || name.trim() === "" || !isGiven(value)) return [];
        const reason = hints.get(key) ?? unknownName(key, [...hints.keys()]);
        return [{ field: `${path}${printable(name)}`, reason }];
      });
      return [...unused, ...[...objects.values()].flatMap((child) => child.ignoredFields())];
    },
    isEmpty: fields.size === 0,
  };
}

const MAX_SHOWN = 60;
const printable = (name: string) => (cleanText(name, MAX_SHOWN) ?? "?").replace(/`/g, "");

/** Whether there is a value, and no placeholder such as "n/a". */
function isGiven(value: unknown): boolean {
  if (typeof value === "string") return cleanText(value, MAX_SHOWN) !== null;
  if (Array.isArray(value)) return value.some(isGiven);
  return isRecord(value) ? Object.keys(value).length > 0 : value !== null && value !== undefined;
}

function unknownName(key: string, known: readonly string[]): string {
  const max = key.length < 4 ? 0 : key.length < 6 ? 1 : 2;
  const closest = known
    .map((name) => ({ name, distance: editDistance(key, name, max) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance)[0];
  return `No field has this name${closest ? `; did you mean ${closest.name}?` : "."}`;
}

const fieldName = (name: string) =>
  name
    .slice(0, 100)
    .trim()
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");

/** One line without control and invisible characters; null when nothing remains. */
export function cleanText(value: unknown, max: number): string | null {
  const text = scalar(value, max);
  return text === null ? null : cleaned(text.replace(/\s+/g, " "), max);
}

function cleanProse(value: unknown, max: number): string | null {
  const text = scalar(value, max);
  return text === null ? null : cleaned(text.replace(/\r\n?/g, "\n"), max);
}

function scalar(value: unknown, max: number): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  // Twice the length, because white space that is removed later counts here.
  return typeof value === "string" ? value.slice(0, max * 2 + 100) : null;
}

function cleaned(text: string, max: number): string | null {
  const clean = text
    .toWellFormed()
    // Control characters except tab and line break, and characters that hide or reverse text.
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g, "")
    .trim();
  return clean === "" || PLACEHOLDER.test(clean) ? null : cut(clean, max);
}

/** Cuts at a word and appends an ellipsis. Idempotent. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const space = head.search(/\s\S*$/);
  return `${(space > max - 100 ? head.slice(0, space) : head).toWellFormed().trimEnd()}…`;
}

function readList(value: unknown, maxItems: number, maxChars: number, separator?: string): string[] | null {
  const listed = readJson(value, Array.isArray);
  const text = listed === null ? scalar(value, maxItems * maxChars) : null;
  const items = listed ?? (text === null ? [] : splitList(text, separator));
  const clean = items.slice(0, maxItems * 2).flatMap((item) => cleanText(item, maxChars) ?? []);
  const seen = new Set<string>();
  const unique = clean.filter((item) => !seen.has(item.toLowerCase()) && seen.add(item.toLowerCase()));
  return unique.length > 0 ? unique.slice(0, maxItems) : null;
}

function readBoolean(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  const text = String(scalar(value, 10) ?? "").trim();
  return /^(?:true|yes|1)$/i.test(text) ? true : /^(?:false|no|0)$/i.test(text) ? false : null;
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
