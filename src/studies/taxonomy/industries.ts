import type { Industry } from "../../vocabulary/case-study.ts";
import { findPhrases, folded, foldWords, longestPhrase } from "./folded.ts";

/** One row of `data/industries.yaml`. */
export interface IndustryRow {
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
  readonly names: ReadonlyMap<string, string>;
  /** Where the words of industries stand in prose. */
  readonly mentions: (text: string) => readonly IndustryMention[];
  /** Of nearly every vendor's clients, so that another one counts for more. */
  readonly isGeneric: (slug: string) => boolean;
  /** Name and synonyms as one text, for meaning. */
  readonly described: ReadonlyMap<string, string>;
}

export interface IndustryMention {
  readonly slugs: readonly string[];
  /** As it is compared: {@link folded}. */
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
    for (const phrase of new Set([row.name, row.slug, ...row.synonyms].map(folded))) {
      const slugs = slugsOf.get(phrase);
      if (slugs) slugs.push(row.slug);
      else slugsOf.set(phrase, [row.slug]);
    }
  }
  const generic = new Set(rows.filter((row) => row.generic).map((row) => row.slug));
  const longest = longestPhrase(slugsOf);
  const inProse = new Map([...slugsOf].map(([phrase, slugs]) => [phrase, { slugs, phrase, isSynonym: true }]));
  for (const row of rows) {
    for (const phrase of new Set((row.cues ?? []).map(folded))) {
      const known = inProse.get(phrase);
      if (known) inProse.set(phrase, { ...known, slugs: [...new Set([...known.slugs, row.slug])] });
      else inProse.set(phrase, { slugs: [row.slug], phrase, isSynonym: false });
    }
  }
  // Without its capitals it is a pronoun.
  inProse.delete("it");
  const longestInProse = longestPhrase(inProse);

  const exact = (text: string): readonly string[] | undefined => {
    const words = foldWords(text);
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
    for (const { value } of findPhrases(foldWords(text), slugsOf, longest)) {
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
    names: new Map(rows.map((row) => [row.slug, row.name])),
    mentions: (text) => findPhrases(foldWords(text), inProse, longestInProse).map(({ value }) => value),
    isGeneric: (slug) => generic.has(slug),
    described: new Map(rows.map((row) => [row.slug, [row.name, ...row.synonyms].join(", ")])),
  };
}
