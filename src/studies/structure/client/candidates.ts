import { GENERIC, isDescription, ORGANISATION } from "./lexicon.ts";
import { foldName, isNameWord, nameWords } from "./names.ts";

/** The signs by which a name may be the client's; `weights.ts` says how much each counts. */
export type Cue =
  | "label"
  | "json-ld"
  | "logo"
  | "title-label"
  | "title-subject"
  | "title-at"
  | "title-owner"
  | "title-piece"
  | "title-after"
  | "title"
  | "description"
  | "heading"
  | "about"
  | "attribution"
  | "role-at"
  | "work-at"
  | "at-opening"
  | "at"
  | "defines"
  | "apposition"
  | "does"
  | "owns"
  | "team"
  | "uses-vendor"
  | "helped"
  | "linked"
  | "opens-story"
  | "also-called";

export interface Candidate {
  readonly key: string;
  readonly words: readonly string[];
  /** Ways in which it is written, with how often. */
  readonly forms: Map<string, number>;
  /** How often each sign was seen, and the sentence of the first. */
  readonly cues: Map<Cue, { count: number; readonly sentence: string | null }>;
  /** Times it stands in the text. */
  mentions: number;
  /** Times it stands where a person would: "says Ann Lee". */
  asPerson: number;
}

const MAX_CANDIDATES = 1_500;
const MAX_NAME = 80;
/** Signs that make a candidate of a word that names nothing by itself ("Remote", "Box", "Community"). */
const TELLING: ReadonlySet<Cue> = new Set<Cue>([
  "label",
  "json-ld",
  "logo",
  "title-label",
  "title-subject",
  "title-at",
  "title-piece",
  "attribution",
  "linked",
  "about",
  "defines",
]);

export interface Candidates {
  /** Notes a sign for a name; `shown` is its surface as the page writes it. Names that cannot be one are dropped. */
  note(shown: string, cue: Cue, sentence: string | null): void;
  /** Counts a mention that says nothing more. */
  mention(shown: string): void;
  person(shown: string): void;
  readonly all: ReadonlyMap<string, Candidate>;
}

export function createCandidates(isExcluded: (key: string, words: readonly string[]) => boolean): Candidates {
  const all = new Map<string, Candidate>();

  const find = (
    shown: string,
    mayBegin: (words: readonly string[]) => boolean,
  ): readonly [Candidate, string] | null => {
    const name = trimName(shown);
    if (name === "" || name.length > MAX_NAME) return null;
    const key = foldName(name);
    const known = all.get(key);
    if (known) return [known, name];
    const words = nameWords(name);
    if (
      isDescription(words) ||
      words.every((word) => OPENERS.has(word)) ||
      /^(?:industry|sector)$/.test(words.at(-1) ?? "")
    )
      return null;
    if (key.length < 2 || !/\p{L}/u.test(key) || all.size >= MAX_CANDIDATES) return null;
    if (!mayBegin(words) || isExcluded(key, words)) return null;
    const made: Candidate = { key, words, forms: new Map(), cues: new Map(), mentions: 0, asPerson: 0 };
    all.set(key, made);
    return [made, name];
  };

  return {
    all,
    note(shown, cue, sentence) {
      const found = find(shown, (words) => TELLING.has(cue) || !isGeneric(words));
      if (!found) return;
      const [candidate, name] = found;
      const seen = candidate.cues.get(cue);
      if (seen) seen.count += 1;
      else candidate.cues.set(cue, { count: 1, sentence });
      if (!candidate.forms.has(name)) candidate.forms.set(name, 0);
    },
    mention(shown) {
      const found = find(shown, (words) => !isGeneric(words));
      if (!found) return;
      const [candidate, name] = found;
      candidate.mentions += 1;
      candidate.forms.set(name, (candidate.forms.get(name) ?? 0) + 1);
    },
    person(shown) {
      const found = find(shown, (words) => !isGeneric(words));
      if (found) found[0].asPerson += 1;
    },
  };
}

/** None of its words names anything. */
export const isGeneric = (words: readonly string[]): boolean =>
  words.every((word) => GENERIC.has(word) || /^\d+$/.test(word) || (word.length > 2 && ORGANISATION.test(word)));

/** Without what stands around a name: "The", marks, and openers such as "Today Acme". */
export function trimName(shown: string): string {
  const name = shown
    .replace(/[®™©]/g, "")
    .replace(/(?<=\S)\s?\([^()]{0,60}\)?$/, "")
    .replace(/^[\s"'“”‘’([{*_`.,;:–—-]+|[\s"'“”‘’)\]}*_`,;:–—-]+$/gu, "")
    .replace(/\s(?:case stud(?:y|ies)|(?:user|customer|success) stor(?:y|ies))$/iu, "")
    .replace(/['’]s$/u, "");
  const words = name.split(/\s+/);
  // "However, Acme" never reaches here; "Today Acme" and "When Acme" do.
  while (words.length > 1 && OPENERS.has((words[0] ?? "").toLowerCase()) && isNameWord(words[1] ?? "")) words.shift();
  while (words.length > 1 && /^(?:teams?|customers?|users|employees|engineers|developers)$/i.test(words.at(-1) ?? ""))
    words.pop();
  return words.join(" ");
}

const OPENERS: ReadonlySet<string> = new Set(
  (
    "after also although and as at before both but by despite during for from given how if in initially like meanwhile " +
    "of on our once since so that the their then there these they this through thus to today until we what when where which while who why with your is does did " +
    "a an another each every one some many has have can was were are be meet because using currently recently previously originally founded " +
    "i it he she you us me my your our him her who someone anyone everyone today now then here there yes no not"
  ).split(" "),
);
