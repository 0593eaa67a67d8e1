import type { Industry, Outcome } from "../types.ts";

/**
 * Words as they are compared: without case, accents, punctuation and English plurals.
 * "Financial Services" and "financial-service" fold to the same.
 */
function phraseWords(text: string): string[] {
  const plain = text
    .slice(0, MAX_CHARS)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/['’]/g, "");
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(singular);
}

/** {@link phraseWords} in one string: the key of an exact match. */
export const normalisePhrase = (text: string): string => phraseWords(text).join(" ");

/** Far past any name of an industry or sentence of an outcome. */
const MAX_CHARS = 1_000;

function singular(word: string): string {
  if (word.length < 4 || /(ss|us|is|ics)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Where a phrase of `phrases` stands in a run of words. */
interface PhraseHit<T> {
  readonly value: T;
  /** Place and length in words. */
  readonly at: number;
  readonly length: number;
}

/**
 * The phrases that stand in `words`, longest first at each place and none inside another.
 *
 * @param phrases keys as {@link normalisePhrase} makes them
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

/** Words of the longest key. */
const longestPhrase = (phrases: ReadonlyMap<string, unknown>): number =>
  Math.max(0, ...[...phrases.keys()].map((phrase) => phrase.split(" ").length));

/** One row of `data/industries.yaml`. */
interface IndustryRow {
  readonly slug: string;
  readonly name: string;
  readonly synonyms: readonly string[];
  /** Words of prose about such a client, beside the synonyms; never of a filter. */
  readonly cues?: readonly string[];
  /** Counts only where no other industry is named beside it. */
  readonly generic?: boolean;
}

export interface Industries {
  /** Files a source's own string; `slug` is null when the taxonomy knows none of its words. */
  readonly resolve: (raw: string) => Industry;
  /**
   * Slugs that a filter stands for: a name, slug or synonym in any case.
   * Null when unknown, so that the raw value is what is compared.
   */
  readonly slugsFor: (filter: string) => readonly string[] | null;
  /** Slug to name, in the order of the taxonomy. */
  readonly nameBySlug: ReadonlyMap<string, string>;
  /** Where the words of industries stand in prose. */
  readonly mentions: (text: string) => readonly IndustryMention[];
  /** Of nearly every vendor's clients, so that another one counts for more. */
  readonly isGeneric: (slug: string) => boolean;
  /** Name and synonyms as one text, for meaning. */
  readonly descriptions: ReadonlyMap<string, string>;
}

interface IndustryMention {
  readonly slugs: readonly string[];
  /** As it is compared: {@link normalisePhrase}. */
  readonly phrase: string;
  /** Told by a synonym or the name, not by a cue. */
  readonly isSynonym: boolean;
}

/** Words that a filter or a source adds to an industry's name without meaning. */
const FILLERS = new Set(["industry", "sector", "company", "vertical", "business", "market", "firm"]);

/** Compiles the rows; they were checked when they were packed. */
export function createIndustries(rows: readonly IndustryRow[]): Industries {
  const slugsOf = new Map<string, string[]>();
  for (const row of rows) {
    for (const phrase of new Set([row.name, row.slug, ...row.synonyms].map(normalisePhrase))) {
      const slugs = slugsOf.get(phrase);
      if (slugs) slugs.push(row.slug);
      else slugsOf.set(phrase, [row.slug]);
    }
  }
  const generic = new Set(rows.filter((row) => row.generic).map((row) => row.slug));
  const longest = longestPhrase(slugsOf);
  const inProse = new Map([...slugsOf].map(([phrase, slugs]) => [phrase, { slugs, phrase, isSynonym: true }]));
  for (const row of rows) {
    for (const phrase of new Set((row.cues ?? []).map(normalisePhrase))) {
      const known = inProse.get(phrase);
      if (known) inProse.set(phrase, { ...known, slugs: [...new Set([...known.slugs, row.slug])] });
      else inProse.set(phrase, { slugs: [row.slug], phrase, isSynonym: false });
    }
  }
  // Without its capitals it is a pronoun.
  inProse.delete("it");
  const longestInProse = longestPhrase(inProse);

  const exact = (text: string): readonly string[] | undefined => {
    const words = phraseWords(text);
    return (
      slugsOf.get(words.join(" ")) ?? slugsOf.get(words.filter((word) => !FILLERS.has(word)).join(" ")) ?? undefined
    );
  };

  /** "Retail & Fashion": every industry that it names, when each part of it is one. */
  const parts = (text: string): readonly string[] | null => {
    const named = text
      .slice(0, 200)
      .split(/[,/;&+()|]|\band\b/i)
      .filter((part) => part.trim() !== "")
      .map(exact);
    const known = named.filter((slugs) => slugs !== undefined);
    return known.length > 0 && known.length === named.length ? [...new Set(known.flat())] : null;
  };

  /** The industry that is named most often; the first wins a tie, a generic one counts only where it stands alone. */
  const byWords = (text: string): string | null => {
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
    resolve: (raw) => ({ raw, slug: exact(raw)?.[0] ?? byWords(raw) }),
    slugsFor: (filter) => exact(filter) ?? parts(filter),
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
  readonly nameBySlug: ReadonlyMap<string, string>;
}

interface MetricCue {
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
    for (const phrase of [slug, name, ...own].map(normalisePhrase)) if (!cues.has(phrase)) cues.set(phrase, slug);
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
export function parseAmount(text: string): { readonly value: number; readonly unit: string | null } | null {
  const found = AMOUNT.exec(text.trim());
  if (!found) return null;
  const [, before = "", sign = "", whole = "", fraction = "", scale = "", after = ""] = found;
  const value = Number(`${sign === "-" ? "-" : ""}${whole.replace(/,/g, "")}${fraction}`);
  const unit = before.trim() || after.trim();
  // Rounded, or 1.1 million would be told with the dust of binary fractions.
  const scaled = Number((value * (SCALES[scale.toLowerCase()] ?? 1)).toPrecision(12));
  return { value: scaled, unit: unit || null };
}
