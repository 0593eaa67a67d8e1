import { normaliseName, wordsIn } from "../../core/text.ts";
import type { Industry, Outcome } from "../types.ts";

/**
 * The words of a phrase in the form in which they are compared: without case, accents, punctuation and English plurals.
 * "Financial Services" and "financial-service" give the same words.
 */
function phraseWords(text: string): string[] {
  const plain = normaliseName(text.slice(0, MAX_CHARS)).replace(/&/g, " and ").replace(/['’]/g, "");
  return wordsIn(plain).map(singular);
}

/** {@link phraseWords} joined by spaces: the key of a phrase. */
export const normalisePhrase = (text: string): string => phraseWords(text).join(" ");

/** Longer than any industry's name or outcome's sentence. */
const MAX_CHARS = 1_000;

function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is|ics)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** An occurrence of a phrase. */
interface PhraseHit<T> {
  readonly value: T;
  /** Position and length in words. */
  readonly at: number;
  readonly length: number;
}

/**
 * The phrases in `words`. At each position the longest phrase wins, and phrases do not overlap.
 *
 * @param phrases by {@link normalisePhrase} key
 */
function findPhrases<T>(words: readonly string[], phrases: ReadonlyMap<string, T>, longest: number) {
  const hits: PhraseHit<T>[] = [];
  for (let at = 0; at < words.length; ) {
    const hit = longestAt(words, at, phrases, longest);
    if (hit) hits.push(hit);
    at += hit?.length ?? 1;
  }
  return hits;
}

function longestAt<T>(words: readonly string[], at: number, phrases: ReadonlyMap<string, T>, longest: number) {
  for (let length = Math.min(longest, words.length - at); length > 0; length--) {
    const value = phrases.get(words.slice(at, at + length).join(" "));
    if (value !== undefined) return { value, at, length };
  }
  return undefined;
}

/** Number of words of the longest key. */
const longestPhrase = (phrases: ReadonlyMap<string, unknown>): number =>
  Math.max(0, ...[...phrases.keys()].map((phrase) => phrase.split(" ").length));

/** One row of `data/industries.yaml`. */
interface IndustryRow {
  readonly slug: string;
  readonly name: string;
  readonly synonyms: readonly string[];
  /** Further words that indicate the industry in prose, but not in a filter. */
  readonly cues?: readonly string[];
  /** Names in other languages, which labels and filters may have. */
  readonly translations?: readonly string[];
  /** Counts only when no other industry is mentioned. */
  readonly generic?: boolean;
}

export interface Industries {
  /** Classifies an industry as a source writes it; `slug` is null when it is not in the taxonomy. */
  readonly resolve: (raw: string) => Industry;
  /** The slugs of a filter: a name, slug or synonym. Null when unknown; then the raw value is compared. */
  readonly slugsFor: (filter: string) => readonly string[] | null;
  /** In the order of the taxonomy. */
  readonly nameBySlug: ReadonlyMap<string, string>;
  /** The industries that a text mentions. */
  readonly mentions: (text: string) => readonly IndustryMention[];
  /** Whether nearly every vendor has clients in this industry, so that any other counts more. */
  readonly isGeneric: (slug: string) => boolean;
  /** Slug to name and synonyms as one text, for embeddings. */
  readonly descriptions: ReadonlyMap<string, string>;
}

interface IndustryMention {
  readonly slugs: readonly string[];
  /** The {@link normalisePhrase} key. */
  readonly phrase: string;
  /** Whether it is a name or synonym, and not a cue. */
  readonly isSynonym: boolean;
}

/** Words without meaning that filters and sources add to an industry's name. */
const FILLERS = new Set(["industry", "sector", "company", "vertical", "business", "market", "firm"]);

/** @param rows checked when they were packed */
export function createIndustries(rows: readonly IndustryRow[]): Industries {
  const slugsOf = new Map<string, string[]>();
  for (const row of rows) {
    for (const phrase of new Set([row.name, row.slug, ...row.synonyms].map(normalisePhrase))) {
      slugsOf.set(phrase, [...(slugsOf.get(phrase) ?? []), row.slug]);
    }
  }
  const generic = new Set(rows.filter((row) => row.generic).map((row) => row.slug));
  const inProse = new Map([...slugsOf].map(([phrase, slugs]) => [phrase, { slugs, phrase, isSynonym: true }]));
  for (const row of rows) {
    for (const phrase of new Set((row.cues ?? []).map(normalisePhrase))) {
      const known = inProse.get(phrase);
      if (known) inProse.set(phrase, { ...known, slugs: [...new Set([...known.slugs, row.slug])] });
      else inProse.set(phrase, { slugs: [row.slug], phrase, isSynonym: false });
    }
  }
  // Without its capitals, IT is a pronoun.
  inProse.delete("it");
  const longestInProse = longestPhrase(inProse);
  for (const { slug, translations = [] } of rows)
    for (const phrase of translations.map(normalisePhrase)) if (!slugsOf.has(phrase)) slugsOf.set(phrase, [slug]);

  const longest = longestPhrase(slugsOf);

  const exact = (text: string): readonly string[] | undefined => {
    const words = phraseWords(text);
    return (
      slugsOf.get(words.join(" ")) ?? slugsOf.get(words.filter((word) => !FILLERS.has(word)).join(" ")) ?? undefined
    );
  };

  /** "Retail & Fashion": the industries of all parts, if each part is one. */
  const everyPart = (text: string): readonly string[] | null => {
    const named = text
      .slice(0, 200)
      .split(/[,/;&+()|]|\band\b/i)
      .filter((part) => part.trim() !== "")
      .map(exact);
    const known = named.filter((slugs) => slugs !== undefined);
    return known.length > 0 && known.length === named.length ? [...new Set(known.flat())] : null;
  };

  /** The industry that is mentioned most often, the first of several; a generic one only when there is no other. */
  const mostMentioned = (text: string): string | null => {
    const times = new Map<string, number>();
    for (const { value } of findPhrases(phraseWords(text), slugsOf, longest)) {
      const slug = value[0];
      if (slug !== undefined) times.set(slug, (times.get(slug) ?? 0) + 1);
    }
    const found = [...times].filter(([slug]) => !generic.has(slug));
    const best = (found.length > 0 ? found : [...times]).reduce<readonly [string, number] | null>(
      (most, each) => (most === null || each[1] > most[1] ? each : most),
      null,
    );
    return best?.[0] ?? null;
  };

  return {
    resolve: (raw) => ({ raw, slug: exact(raw)?.[0] ?? mostMentioned(raw) }),
    slugsFor: (filter) => exact(filter) ?? everyPart(filter),
    nameBySlug: new Map(rows.map((row) => [row.slug, row.name])),
    mentions: (text) => findPhrases(phraseWords(text), inProse, longestInProse).map(({ value }) => value),
    isGeneric: (slug) => generic.has(slug),
    descriptions: new Map(rows.map((row) => [row.slug, [row.name, ...row.synonyms].join(", ")])),
  };
}

/** `data/outcome-metrics.yaml`. */
interface OutcomeMetricRows {
  readonly metrics: readonly {
    readonly slug: string;
    readonly name: string;
    readonly cues: readonly string[];
    /** Its usual units, the most frequent first. */
    readonly units: readonly string[];
  }[];
  /** Canonical unit to its other spellings. */
  readonly units: Readonly<Record<string, readonly string[]>>;
}

export interface OutcomeMetrics {
  /**
   * What an outcome measures: the slug of the source's word, else of the longest cue in the sentence, else the source's
   * word, else `other`.
   */
  readonly resolveMetric: (raw: string | null, text: string) => string;
  /** The cues in a text with their position and length in words, without overlaps; and the text's number of words. */
  readonly findCues: (text: string) => { readonly cues: readonly MetricCue[]; readonly words: number };
  /** `percent` → `%`, `hrs` → `hours`, `$` → `USD`. An unknown unit does not change, except that it is cut to 20 characters. */
  readonly normaliseUnit: (raw: string | null) => string | null;
  readonly nameBySlug: ReadonlyMap<string, string>;
}

interface MetricCue {
  readonly slug: string;
  readonly at: number;
  readonly length: number;
}

const MAX_UNIT = 20;
const MAX_METRIC = 60;

/** @param rows checked when they were packed */
export function createOutcomeMetrics(rows: OutcomeMetricRows): OutcomeMetrics {
  const cues = new Map<string, string>();
  for (const { slug, name, cues: metricCues } of rows.metrics) {
    for (const phrase of [slug, name, ...metricCues].map(normalisePhrase))
      if (!cues.has(phrase)) cues.set(phrase, slug);
  }
  const units = new Map<string, string>();
  for (const [unit, spellings] of Object.entries(rows.units)) {
    for (const spelling of [unit, ...spellings]) units.set(normaliseUnitSpelling(spelling), unit);
  }
  const longest = longestPhrase(cues);

  const cueIn = (text: string): string | undefined =>
    findPhrases(phraseWords(text), cues, longest).reduce<{ value: string; length: number } | undefined>(
      (best, hit) => (best === undefined || hit.length > best.length ? hit : best),
      undefined,
    )?.value;

  return {
    resolveMetric(raw, text) {
      const word = raw?.trim() ?? "";
      return (word && cueIn(word)) || cueIn(text) || word.slice(0, MAX_METRIC) || "other";
    },
    findCues(text) {
      const words = phraseWords(text);
      const hits = findPhrases(words, cues, longest);
      return { cues: hits.map(({ value, at, length }) => ({ slug: value, at, length })), words: words.length };
    },
    normaliseUnit(raw) {
      const unit = raw?.trim() ?? "";
      if (unit === "") return null;
      return (
        units.get(normaliseUnitSpelling(unit)) ??
        (/^[a-z]{3}$/i.test(unit) && isCurrency(unit) ? unit.toUpperCase() : cut(unit))
      );
    },
    nameBySlug: new Map(rows.metrics.map(({ slug, name }) => [slug, name])),
  };
}

const normaliseUnitSpelling = (unit: string) => unit.trim().toLowerCase().replace(/\s+/g, " ").replace(/\.$/, "");
const cut = (unit: string) => unit.slice(0, MAX_UNIT).trim();

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const isCurrency = (unit: string) => CURRENCIES.has(unit.toUpperCase());

const DECREASE =
  /\b(reduc\w{0,6}|decreas\w{0,4}|lower\w{0,4}|cut(s|ting)?|sav(e|ed|es|ing|ings)|drop\w{0,5}|fewer|less|shorten\w{0,3}|declin\w{0,4}|halv\w{0,3}|eliminat\w{0,5}|shr[aiu]nk\w{0,3}|fell|down (from|to|by)|minimi[sz]\w{0,3})\b/i;
const INCREASE =
  /\b(increas\w{0,4}|improv\w{0,6}|grew|grow\w{0,4}|rais\w{0,3}|higher|more|doubl\w{0,3}|tripl\w{0,3}|boost\w{0,3}|faster|gain\w{0,3}|rose|ris(e|en|es|ing)|up (from|to|by)|accelerat\w{0,4}|uplift|quicker)\b/i;

/**
 * The direction of an outcome: from the source's word (`up`, `reduction`, …), else from the first verb of change in the
 * sentence. `absolute` without one.
 *
 * Starter records and outcome labels follow the same rule. With a figure, the direction is that of the counted value:
 * it rose, fell, or is a level ("99.9% uptime", "zero downtime": `absolute`); "5x faster" is a `decrease` of `time` and
 * `latency`. Without a figure, it is that of the metric: less manual work is an increase of `productivity`, fewer
 * defects of `quality`, fewer resources of `performance`; better security is a decrease of `risk`.
 *
 * @param metric slug of what is measured
 */
export function resolveDirection(raw: string | null, text: string, metric?: string): Outcome["direction"] {
  const word = raw?.trim().toLowerCase() ?? "";
  if (word === "absolute") return "absolute";
  for (const source of [word, text.slice(0, MAX_TEXT)]) {
    if (source === "up" || source === "+") return "increase";
    if (source === "down" || source === "-") return "decrease";
    const down = source.search(DECREASE);
    const up = source.search(INCREASE);
    if (down >= 0 && (up < 0 || down < up)) return "decrease";
    if (up >= 0) return takesTime(metric) && FASTER.test(source.slice(up)) ? "decrease" : "increase";
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

/** Parses `40%`, `$1.2 million`, `3,500 users`. Null for text that is not exactly one figure. */
export function parseAmount(text: string): { readonly value: number; readonly unit: string | null } | null {
  const found = AMOUNT.exec(text.trim());
  if (!found) return null;
  const [, before = "", sign = "", whole = "", fraction = "", scale = "", after = ""] = found;
  const value = Number(`${sign === "-" ? "-" : ""}${whole.replace(/,/g, "")}${fraction}`);
  const unit = before.trim() || after.trim();
  // Rounded, because 1.1 * 1e6 is 1100000.0000000001 in binary floating point.
  const scaled = Number((value * (SCALES[scale.toLowerCase()] ?? 1)).toPrecision(12));
  return { value: scaled, unit: unit || null };
}
