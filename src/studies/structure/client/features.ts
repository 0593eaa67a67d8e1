import type { Candidate, Cue } from "./candidates.ts";
import { isGeneric } from "./candidates.ts";

/** What is counted of a candidate beside its cues. */
export type Feature =
  | Cue
  | "mentions"
  | "share"
  | "slug"
  | "slug-part"
  | "in-slug"
  | "tool"
  | "tool-untold"
  | "person"
  | "generic"
  | "place"
  | "shorter"
  | "two-words"
  | "unnamed-title"
  | "only-attribution"
  | "common";

export interface PageFacts {
  readonly slug: readonly string[];
  readonly isTool: (name: string) => boolean;
  readonly isPlace: (name: string) => boolean;
  /** The title tells of "a bank": whoever is named may not be meant. */
  readonly isUnnamed: boolean;
  /** How often each word of the story stands without a capital. */
  readonly small: ReadonlyMap<string, number>;
}

export interface Scored {
  readonly candidate: Candidate;
  readonly features: ReadonlyMap<Feature, number>;
}

/** Signs in the running text, which a longer name shares with its shorter one. */
const SHARED: ReadonlySet<Cue> = new Set<Cue>([
  "description",
  "role-at",
  "work-at",
  "at-opening",
  "at",
  "defines",
  "apposition",
  "does",
  "owns",
  "team",
  "uses-vendor",
  "helped",
  "opens-story",
  "heading",
  "linked",
  "logo",
  "about",
]);

const often = (count: number) => Math.log2(1 + Math.min(count, 7));

/** Features of every candidate. Numbers are counts on a scale that flattens: once is 1, three times 2, seven 3. */
export function featuresOf(candidates: readonly Candidate[], facts: PageFacts): Scored[] {
  const most = Math.max(1, ...candidates.map(({ mentions }) => mentions));
  const slug = facts.slug.join("");
  const byFirst = new Map<string, Candidate[]>();
  for (const one of candidates) {
    const first = kinWord(one.words);
    const others = byFirst.get(first);
    if (others) others.push(one);
    else byFirst.set(first, [one]);
  }
  const attributed = candidates.filter(({ cues }) => cues.has("attribution")).length;
  const byKey = new Map(candidates.map((one) => [one.key, one]));
  return candidates.map((candidate) => {
    const features = new Map<Feature, number>();
    const set = (name: Feature, value: number) => {
      if (value !== 0) features.set(name, value);
    };
    const kin = (byFirst.get(kinWord(candidate.words)) ?? []).slice(0, 20);
    const initials = byKey.get(initialsOf(candidate.words));
    const shorter = kin.filter(
      (one) => one !== candidate && isShorter(one.words, candidate.words) && !outranks(one, candidate),
    );
    if (initials && initials !== candidate) shorter.push(initials);
    const longer = kin.filter(
      (one) => one !== candidate && isShorter(candidate.words, one.words) && !outranks(candidate, one),
    );
    for (const [cue, { count }] of candidate.cues) set(cue, often(count));
    const inherits = isTold(candidate);
    for (const one of inherits || candidate.mentions * 2 >= most ? shorter : [])
      for (const [cue, { count }] of one.cues)
        if (SHARED.has(cue)) set(cue, Math.max(features.get(cue) ?? 0, often(count)));
    const word = candidate.words.length === 1 ? (candidate.words[0] ?? "") : "";
    const small = facts.small.get(word) ?? 0;
    // A name that is written small ("adidas") was not counted as one.
    const isSmall = candidate.forms.has(word);
    const others = inherits ? shorter.reduce((sum, one) => sum + one.mentions, 0) : 0;
    const mentions = candidate.mentions + others + (isSmall ? small : 0);
    set("mentions", Math.log2(1 + Math.min(mentions, 31)));
    set("share", Math.min(1, mentions / most));
    if (slug !== "" && candidate.key === slug) set("slug", 1);
    else if (slug.length >= 4 && candidate.key.startsWith(slug)) set("slug-part", slug.length / candidate.key.length);
    else if (candidate.key.length >= 3 && holds(facts.slug, candidate.words))
      set("in-slug", candidate.key.length / slug.length);
    const isTool = [...candidate.forms.keys()].some(facts.isTool);
    set(isTool && !inherits ? "tool-untold" : "tool", isTool ? 1 : 0);
    set("person", Math.min(2, candidate.asPerson));
    set("generic", isGeneric(candidate.words) ? 1 : 0);
    set("place", facts.isPlace(candidate.words.join(" ")) ? 1 : 0);
    set("shorter", longer.some((one) => isTold(one) || one.mentions * 2 >= candidate.mentions) ? 1 : 0);
    set("two-words", candidate.words.length > 1 ? 1 : 0);
    set("only-attribution", attributed === 1 && candidate.cues.has("attribution") ? 1 : 0);
    set("common", !isSmall && small > 0 && small >= candidate.mentions ? 1 : 0);
    set("unnamed-title", facts.isUnnamed ? 1 : 0);
    return { candidate, features };
  });
}

const OUTRIGHT = [
  "title-label",
  "title-subject",
  "title-at",
  "title-owner",
  "title-piece",
  "label",
  "attribution",
  "linked",
  "about",
  "logo",
  "also-called",
] as const;

/** The page says so somewhere, beyond using the name. */
const isTold = ({ cues }: Candidate): boolean => OUTRIGHT.some((cue) => cues.has(cue));

const TITLED = ["title-label", "title-subject", "title-at", "title-owner", "title-piece"] as const;

/** The title tells of "Acme", so "Acme Labs" is another. */
const outranks = (short: Candidate, long: Candidate): boolean =>
  TITLED.some((cue) => short.cues.has(cue)) && !TITLED.some((cue) => long.cues.has(cue));

/** The word that a name shares with its shorter forms. */
const kinWord = (words: readonly string[]): string => (words[0] === "apache" ? words[1] : words[0]) ?? "";

const SUFFIX = /^(?:com|io|org|net|ch|de|ai|co)$/;

/** "Acme" is short for "Acme Networks"; "acme.com" is another way to write it, and stands for less. */
function isShorter(short: readonly string[], long: readonly string[]): boolean {
  if (isHostOf(long, short)) return false;
  if (isHostOf(short, long)) return true;
  const from = long[0] === "apache" && short[0] !== "apache" ? 1 : 0;
  return short.length < long.length && short.every((word, at) => word === long[at + from]);
}

const isHostOf = (host: readonly string[], name: readonly string[]) =>
  host.length === name.length + 1 && SUFFIX.test(host.at(-1) ?? "") && name.every((word, at) => word === host[at]);

/** "pidd" of "Paloma Irrigation and Drainage District". */
const initialsOf = (words: readonly string[]): string =>
  words.length < 2
    ? ""
    : words
        .filter((word) => !/^(?:of|and|the|de|for)$/.test(word))
        .map((word) => word[0])
        .join("");

function holds(slug: readonly string[], words: readonly string[]): boolean {
  for (let at = 0; at + words.length <= slug.length; at++)
    if (words.every((word, index) => slug[at + index] === word)) return true;
  return words.length === 1 && slug.includes(words[0] ?? "");
}
