import type { Outcome } from "./types.ts";

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

type Figure = Pick<Outcome, "value" | "unit" | "text"> &
  Partial<Pick<Outcome, "kind" | "from" | "to">> & { readonly direction: string };

/**
 * The figure of an outcome; null when it has none. A change has a sign (`−40%`, `+3 hours`; five times less is `−80%`), a level has none
 * (`99.9%`, `200`), and levels before and after are both shown (`60 → 10 minutes`, `→ 10 minutes` without the earlier one).
 *
 * Without a kind only a percentage is surely a change: a source may give a time or a sum as the level that was reached, so
 * an arrow shows the direction and nothing more.
 */
export function outcomeFigure({
  value,
  unit,
  direction,
  text,
  kind = null,
  from = null,
  to = null,
}: Figure): string | null {
  if (value === null) return null;
  if (from !== null && to !== null) return beforeAndAfter(from, to, unit);
  if (kind === "change" && to !== null) return `→ ${amountText(to, unit)}`;
  if (kind === "change") return changeText(Math.abs(value), unit, direction);
  if (kind === "level") return amountText(value, unit);
  const levels = findLevels(value, text);
  if (levels) return levels;
  const size = Math.abs(value);
  const [sign, arrow] = SIGNS[direction] ?? ["", ""];
  if (unit === "%") return `${FROM_TO.test(text) ? arrow : sign}${amountText(size, unit)}`;
  if (unit === "x") return `${direction === "decrease" ? arrow : ""}${amountText(size, unit)}`;
  return `${arrow}${amountText(size, unit)}`;
}

function changeText(size: number, unit: string | null, direction: string): string {
  if (unit === "x" && direction === "decrease" && size > 1) return `−${fallText(size)}`;
  // "+5×" would be read as five times more than the text says.
  if (unit === "x") return amountText(size, unit);
  return `${SIGNS[direction]?.[0] ?? ""}${amountText(size, unit)}`;
}

/** What is so many times less, in percent: `98%` for 50. Cut and not rounded where that would give 100%. */
function fallText(times: number): string {
  const percent = 100 * (1 - 1 / times);
  return `${PLAIN.format(percent < 99 ? Math.round(percent) : Math.floor(percent * 100) / 100)}%`;
}

function beforeAndAfter(from: number, to: number, unit: string | null): string {
  const [before, after] = [inReadableUnit(from, unit), inReadableUnit(to, unit)];
  const isWord = unit !== null && unit !== "%" && unit !== "x" && unit !== "count" && !(unit in MONEY);
  const isSaidOnce = isWord && before.unit === after.unit;
  const first = isSaidOnce ? numberText(before.value) : amountText(before.value, before.unit);
  return `${first} → ${amountText(after.value, after.unit)}`;
}

/** Units of time, each with the number that makes one of the next. */
const TIMES = [
  ["seconds", 60],
  ["minutes", 60],
  ["hours", 24],
  ["days", Number.POSITIVE_INFINITY],
] as const;

/** 1,440 minutes are 24 hours, and half an hour is 30 minutes; a length that is not whole in the other unit stays. */
function inReadableUnit(value: number, unit: string | null): { readonly value: number; readonly unit: string | null } {
  const at = TIMES.findIndex(([name]) => name === unit);
  const [larger, smaller] = [TIMES[at + 1], TIMES[at - 1]];
  const many = TIMES[at]?.[1] ?? Number.POSITIVE_INFINITY;
  if (at !== -1 && larger && Math.abs(value) >= 2 * many && value % many === 0)
    return inReadableUnit(value / many, larger[0]);
  if (at !== -1 && smaller && Math.abs(value) < 1 && value !== 0 && Number.isInteger(value * smaller[1]))
    return { value: value * smaller[1], unit: smaller[0] };
  return { value, unit };
}

const numberText = (value: number) => (Math.abs(value) >= 10_000 ? COMPACT : PLAIN).format(value);

/** `40%`, `3×`, `$2M`, `10K` or `5 minutes`. */
function amountText(value: number, unit: string | null): string {
  const number = numberText(value);
  if (unit === "%") return `${number}%`;
  if (unit === "x") return `${number}×`;
  if (unit && unit in MONEY) return `${MONEY[unit]}${number}`;
  if (unit === null || unit === "count") return number;
  return `${number} ${Math.abs(value) === 1 ? unit.replace(/s$/, "") : unit}`;
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

/** What an outcome measures: `outage time`, else the metric's slug as words. */
export const measuredBy = ({ noun, metric }: Pick<Outcome, "metric"> & Partial<Pick<Outcome, "noun">>): string =>
  noun ?? metric.replaceAll("-", " ");

/**
 * `better` or `worse` for the client; null where that is unknown. Of a level that is compared with nothing, it is not
 * said: "200 a day" is no more.
 */
export const judgementOf = ({ better, kind, direction, from }: Judged): "better" | "worse" | null => {
  if (better === null || better === undefined) return null;
  const isCompared = kind !== "level" || direction !== "absolute" || (from !== null && from !== undefined);
  return isCompared ? (better ? "better" : "worse") : null;
};

type Judged = Partial<Pick<Outcome, "better" | "kind" | "from">> & { readonly direction: string };

/** `outage time −88% (better)` or `deployments per day: 200`; null for an outcome without a figure. */
export function outcomeLine(outcome: Figure & Judged & Parameters<typeof measuredBy>[0]): string | null {
  const figure = outcomeFigure(outcome);
  if (figure === null) return null;
  const judgement = judgementOf(outcome);
  const isChange = outcome.kind === "change";
  return `${measuredBy(outcome)}${isChange ? "" : ":"} ${figure}${judgement === null ? "" : ` (${judgement})`}`;
}

/** The figure as a reader understands it, then the sentence; only the sentence where nobody says what was measured. */
export function outcomeText(outcome: Outcome): string {
  const figure = outcome.noun === null ? null : outcomeLine(outcome);
  return figure === null ? outcome.text : `${figure}: ${outcome.text}`;
}
