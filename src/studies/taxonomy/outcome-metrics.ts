import type { Outcome } from "../../vocabulary/case-study.ts";
import { findPhrases, folded, foldWords, longestPhrase } from "./folded.ts";

/** `data/outcome-metrics.yaml`. */
export interface OutcomeMetricRows {
  readonly metrics: readonly {
    readonly slug: string;
    readonly name: string;
    readonly cues: readonly string[];
    /** Units in which it is normally told, most usual first. */
    readonly units: readonly string[];
  }[];
  /** Canonical unit to its other spellings. */
  readonly units: Readonly<Record<string, readonly string[]>>;
}

export interface OutcomeMetrics {
  /**
   * What an outcome measures: the slug of the source's own word, else of the longest cue in its sentence, else the
   * source's word as it stands, else `other`.
   */
  readonly resolveMetric: (raw: string | null, text: string) => string;
  /** Every cue of a text, none inside another, with its place and length in words; and how many words the text has. */
  readonly findCues: (text: string) => { readonly cues: readonly MetricCue[]; readonly words: number };
  /** `percent` → `%`, `hrs` → `hours`, `$` → `USD`; a unit that is not known stays as it is, cut to 20 characters. */
  readonly normaliseUnit: (raw: string | null) => string | null;
  readonly names: ReadonlyMap<string, string>;
}

export interface MetricCue {
  readonly slug: string;
  readonly at: number;
  readonly length: number;
}

const MAX_UNIT = 20;
const MAX_METRIC = 60;

/** Compiles the rows; they were checked when they were packed. */
export function createOutcomeMetrics(rows: OutcomeMetricRows): OutcomeMetrics {
  const cues = new Map<string, string>();
  for (const { slug, name, cues: own } of rows.metrics) {
    for (const phrase of [slug, name, ...own].map(folded)) if (!cues.has(phrase)) cues.set(phrase, slug);
  }
  const units = new Map<string, string>();
  for (const [unit, spellings] of Object.entries(rows.units)) {
    for (const spelling of [unit, ...spellings]) units.set(unitKey(spelling), unit);
  }
  const longest = longestPhrase(cues);

  const cueIn = (text: string): string | undefined =>
    findPhrases(foldWords(text), cues, longest).reduce<{ value: string; length: number } | undefined>(
      (best, hit) => (best === undefined || hit.length > best.length ? hit : best),
      undefined,
    )?.value;

  return {
    resolveMetric(raw, text) {
      const word = raw?.trim() ?? "";
      return (word && cueIn(word)) || cueIn(text) || word.slice(0, MAX_METRIC) || "other";
    },
    findCues(text) {
      const words = foldWords(text);
      const hits = findPhrases(words, cues, longest);
      return { cues: hits.map(({ value, at, length }) => ({ slug: value, at, length })), words: words.length };
    },
    normaliseUnit(raw) {
      const unit = raw?.trim() ?? "";
      if (unit === "") return null;
      return (
        units.get(unitKey(unit)) ?? (/^[a-z]{3}$/i.test(unit) && isCurrency(unit) ? unit.toUpperCase() : cut(unit))
      );
    },
    names: new Map(rows.metrics.map(({ slug, name }) => [slug, name])),
  };
}

const unitKey = (unit: string) => unit.trim().toLowerCase().replace(/\s+/g, " ").replace(/\.$/, "");
const cut = (unit: string) => unit.slice(0, MAX_UNIT).trim();

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const isCurrency = (unit: string) => CURRENCIES.has(unit.toUpperCase());

const DOWN =
  /\b(reduc\w{0,6}|decreas\w{0,4}|lower\w{0,4}|cut(s|ting)?|sav(e|ed|es|ing|ings)|drop\w{0,5}|fewer|less|shorten\w{0,3}|declin\w{0,4}|halv\w{0,3}|eliminat\w{0,5}|shr[aiu]nk\w{0,3}|fell|down (from|to|by)|minimi[sz]\w{0,3})\b/i;
const UP =
  /\b(increas\w{0,4}|improv\w{0,6}|grew|grow\w{0,4}|rais\w{0,3}|higher|more|doubl\w{0,3}|tripl\w{0,3}|boost\w{0,3}|faster|gain\w{0,3}|rose|ris(e|en|es|ing)|up (from|to|by)|accelerat\w{0,4}|uplift|quicker)\b/i;

/**
 * Which way an outcome went: as the source says (`up`, `reduction`, …), else by the first verb of its sentence.
 * A bare figure is `absolute`.
 *
 * Starter records and labels of outcomes follow one rule. With a figure: what it counts rose, fell, or was only
 * reached ("99.9 % uptime", "zero downtime": `absolute`), and of `time` and `latency` "5x faster" is a `decrease`.
 * Without one: the metric rose or fell, so less manual work is more `productivity`, fewer defects more `quality`,
 * better security less `risk`; `performance` falls where fewer resources are used.
 *
 * @param metric slug of what is measured; what becomes faster takes less `time`
 */
export function resolveDirection(raw: string | null, text: string, metric?: string): Outcome["direction"] {
  const word = raw?.trim().toLowerCase() ?? "";
  if (word === "absolute") return "absolute";
  for (const said of [word, text.slice(0, MAX_TEXT)]) {
    if (said === "up" || said === "+") return "increase";
    if (said === "down" || said === "-") return "decrease";
    const down = said.search(DOWN);
    const up = said.search(UP);
    if (down >= 0 && (up < 0 || down < up)) return "decrease";
    if (up >= 0) return takesTime(metric) && FASTER.test(said.slice(up)) ? "decrease" : "increase";
  }
  return "absolute";
}

const FASTER = /^(faster|quicker|accelerat\w{0,4})/i;
const takesTime = (metric: string | undefined) => metric === "time" || metric === "latency";

const MAX_TEXT = 1_000;

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};
const AMOUNT =
  /^([^\d\s+-]{0,4})\s{0,3}([+-]?)\s{0,3}(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(\.\d{1,6})?(?!\d)\s{0,3}(?:(thousand|million|billion|mn|bn|k|m|b)(?![a-z]))?\s{0,3}(.{0,30})$/i;

/** Reads a figure as sources write it: `40%`, `$1.2 million`, `3,500 users`. Null when it is no one figure. */
export function readAmount(text: string): { readonly value: number; readonly unit: string | null } | null {
  const found = AMOUNT.exec(text.trim());
  if (!found) return null;
  const [, before = "", sign = "", whole = "", fraction = "", scale = "", after = ""] = found;
  const value = Number(`${sign === "-" ? "-" : ""}${whole.replace(/,/g, "")}${fraction}`);
  const unit = before.trim() || after.trim();
  // Rounded, or 1.1 million would be told with the dust of binary fractions.
  const scaled = Number((value * (SCALES[scale.toLowerCase()] ?? 1)).toPrecision(12));
  return { value: scaled, unit: unit || null };
}
