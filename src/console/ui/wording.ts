import type { Outcome } from "./api-types.ts";
import { levelsOf } from "./levels.ts";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const MINUTE = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "UTC" },
});
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const PLAIN = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });
const REGIONS = new Intl.DisplayNames("en-GB", { type: "region" });
const LANGUAGES = new Intl.DisplayNames("en-GB", { type: "language" });

/** `5 Mar 2024`. */
export const dayOf = (iso: string): string => DAY.format(new Date(iso));
/** `5 Mar 2024, 09:00 UTC`. */
export const minuteOf = (iso: string): string => `${MINUTE.format(new Date(iso))} UTC`;
export const numberOf = (value: number): string => PLAIN.format(value);
export const percentOf = (share: number): string => `${Math.round(share * 100)} %`;
export const secondsOf = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;

/** `1 tool`, `2 tools`. */
export const withQuota = (count: number, one: string, many = `${one}s`): string =>
  `${PLAIN.format(count)} ${count === 1 ? one : many}`;

/** `certificate-logs` → `Certificate logs`, `mail-dns` → `Mail DNS`. */
export function worded(id: string): string {
  const words = id.replace(/[-_]+/g, " ").replace(/\b(?:dns|dkim|spf|mx)\b/g, (name) => name.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const countryOf = (code: string): string => named(REGIONS, code);
export const languageOf = (tag: string): string => named(LANGUAGES, tag);

function named(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

const SIGNS: Readonly<Record<string, readonly [string, string]>> = { increase: ["+", "↑ "], decrease: ["−", "↓ "] };

const FROM_TO = /\bfrom\b.{1,60}\bto\b/i;

/** Signs that stand before their number. */
const MONEY: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹" };

/**
 * `−40 %`, `9 % → 4 %`, `↓ 5 minutes`, `3×`, `$2M`, `10K`; null when there is no figure. Where the sentence tells from
 * what to what it went, so do we. Else only a percentage is surely a change: of a time or a sum a source may tell what
 * it fell to, so an arrow says the direction and no more.
 */
export function figureOf({
  value,
  unit,
  direction,
  text,
}: Pick<Outcome, "value" | "unit" | "text"> & { readonly direction: string }): string | null {
  if (value === null) return null;
  const levels = levelsOf(value, text);
  if (levels) return levels;
  const size = Math.abs(value);
  const number = size >= 10_000 ? COMPACT.format(size) : PLAIN.format(size);
  const [sign, arrow] = SIGNS[direction] ?? ["", ""];
  if (unit === "%") return `${FROM_TO.test(text) ? arrow : sign}${number} %`;
  if (unit === "x") return `${direction === "decrease" ? arrow : ""}${number}×`;
  if (unit && unit in MONEY) return `${arrow}${MONEY[unit]}${number}`;
  if (unit === null || unit === "count") return `${arrow}${number}`;
  return `${arrow}${number} ${size === 1 ? unit.replace(/s$/, "") : unit}`;
}

/** `3 days`, `5 hours`, `40 seconds`. */
export function spanOf(seconds: number): string {
  if (seconds >= 172_800) return withQuota(Math.round(seconds / 86_400), "day");
  if (seconds >= 7_200) return withQuota(Math.round(seconds / 3_600), "hour");
  if (seconds >= 120) return withQuota(Math.round(seconds / 60), "minute");
  return withQuota(Math.max(1, Math.round(seconds)), "second");
}
