import type { Outcome } from "./api-types.ts";

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });
const PLAIN = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });

/** `9%`, `$1.2M` or `3 weeks`, as a sentence writes it. */
const LEVEL =
  "[$€£¥₹]?\\d[\\d.,]{0,15}(?:\\s?%|\\s?(?:per ?cent|[kmb]n?|thousand|million|billion|(?:milli)?seconds?|secs?|ms|minutes?|mins?|hours?|days?|weeks?|months?|years?)\\b)?";
const QUALIFIER = "(?:(?:about|around|roughly|nearly|almost|over|under|just|only|less than|more than|up|down)\\s){0,2}";
const LEVELS = new RegExp(`\\bfrom\\s${QUALIFIER}(${LEVEL})\\s${QUALIFIER}to\\s${QUALIFIER}(${LEVEL})`, "gi");
const FROM_TO = /\bfrom\b.{1,60}\bto\b/i;
const SCALES: Readonly<Record<string, number>> = { k: 1e3, t: 1e3, m: 1e6, b: 1e9 };
const SIGNS: Readonly<Record<string, readonly [string, string]>> = { increase: ["+", "↑ "], decrease: ["−", "↓ "] };
/** Symbols written before the number. */
const MONEY: Readonly<Record<string, string>> = { USD: "$", EUR: "€", GBP: "£", JPY: "¥", INR: "₹" };

type Figure = Pick<Outcome, "value" | "unit" | "text"> & { readonly direction: string };

/**
 * `−40%`, `9% → 4%`, `↓ 5 minutes`, `3×`, `$2M` or `10K`; null when the outcome has no number. Both levels are shown when
 * the sentence states them. Otherwise only a percentage is surely a change: a source may give a time or a sum as the
 * level that was reached, so an arrow shows the direction and nothing more.
 */
export function formatOutcome({ value, unit, direction, text }: Figure): string | null {
  if (value === null) return null;
  const levels = findLevels(value, text);
  if (levels) return levels;
  const size = Math.abs(value);
  const number = size >= 10_000 ? COMPACT.format(size) : PLAIN.format(size);
  const [sign, arrow] = SIGNS[direction] ?? ["", ""];
  if (unit === "%") return `${FROM_TO.test(text) ? arrow : sign}${number}%`;
  if (unit === "x") return `${direction === "decrease" ? arrow : ""}${number}×`;
  if (unit && unit in MONEY) return `${arrow}${MONEY[unit]}${number}`;
  if (unit === null || unit === "count") return `${arrow}${number}`;
  return `${arrow}${number} ${size === 1 ? unit.replace(/s$/, "") : unit}`;
}

/** `9% → 4%` when the sentence says that `value` is the level reached; null otherwise. */
function findLevels(value: number, text: string): string | null {
  const match = [...text.matchAll(LEVELS)].find(([, , to = ""]) => matchesValue(to, value));
  return match ? `${formatLevel(match[1])} → ${formatLevel(match[2])}` : null;
}

function matchesValue(level: string, value: number): boolean {
  const [, digits = "", scale = ""] = /([\d.,]*\d)\s?(thousand|[kmb](?:n|illion)?)?\b/i.exec(level) ?? [];
  const number = Number(digits.replaceAll(",", ""));
  return number === value || number * (SCALES[scale.charAt(0).toLowerCase()] ?? 1) === value;
}

const formatLevel = (level = "") => level.replace(/\s%/, "%").replace(/[.,]$/, "");
