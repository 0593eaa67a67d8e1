import { isAnonymousDescription, isCommon, isNameWord, nameWords, organisationKey } from "../names.ts";
import { wordSet } from "../word-lists.ts";

/** Evidence in a page that a name is the client's. `find-client.ts` has the weights. */
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
  /** Each way in which the page writes the name, with its number of occurrences. */
  readonly spellings: Map<string, number>;
  /** Occurrences of each cue, and the sentence of the first. */
  readonly cues: Map<Cue, { count: number; readonly sentence: string | null }>;
  /** Occurrences in the text. */
  mentions: number;
  /** Occurrences in the position of a person: "says Ann Lee". */
  personMentions: number;
}

const MAX_CANDIDATES = 1_500;
const MAX_NAME = 80;
/** Cues that are strong enough to accept a common word as a name ("Remote", "Box", "Community"). */
const NAMING_CUES: ReadonlySet<Cue> = new Set<Cue>([
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
  /** Adds a cue for a name as the page writes it. Text that cannot be a name is ignored. */
  addCue(spelling: string, cue: Cue, sentence: string | null): void;
  /** Counts an occurrence without a cue. */
  addMention(spelling: string): void;
  addPersonMention(spelling: string): void;
  readonly all: ReadonlyMap<string, Candidate>;
}

export function createCandidates(isExcluded: (key: string, words: readonly string[]) => boolean): Candidates {
  const all = new Map<string, Candidate>();

  const findOrAdd = (
    spelling: string,
    mayBegin: (words: readonly string[]) => boolean,
  ): readonly [Candidate, string] | null => {
    const name = trimName(spelling);
    if (name === "" || name.length > MAX_NAME) return null;
    const key = organisationKey(name);
    const known = all.get(key);
    if (known) return [known, name];
    const words = nameWords(name);
    if (
      isAnonymousDescription(words) ||
      words.every((word) => OPENING_WORDS.has(word)) ||
      /^(?:industry|sector)$/.test(words.at(-1) ?? "")
    )
      return null;
    if (key.length < 2 || !/\p{L}/u.test(key) || all.size >= MAX_CANDIDATES) return null;
    if (!mayBegin(words) || isExcluded(key, words)) return null;
    const made: Candidate = { key, words, spellings: new Map(), cues: new Map(), mentions: 0, personMentions: 0 };
    all.set(key, made);
    return [made, name];
  };

  return {
    all,
    addCue(spelling, cue, sentence) {
      const found = findOrAdd(spelling, (words) => NAMING_CUES.has(cue) || !isCommon(words));
      if (!found) return;
      const [candidate, name] = found;
      const seen = candidate.cues.get(cue);
      if (seen) seen.count += 1;
      else candidate.cues.set(cue, { count: 1, sentence });
      if (!candidate.spellings.has(name)) candidate.spellings.set(name, 0);
    },
    addMention(spelling) {
      const found = findOrAdd(spelling, (words) => !isCommon(words));
      if (!found) return;
      const [candidate, name] = found;
      candidate.mentions += 1;
      candidate.spellings.set(name, (candidate.spellings.get(name) ?? 0) + 1);
    },
    addPersonMention(spelling) {
      const found = findOrAdd(spelling, (words) => !isCommon(words));
      if (found) found[0].personMentions += 1;
    },
  };
}

/** Removes what surrounds a name: quotes, punctuation, and opening words as in "Today Acme". */
function trimName(spelling: string): string {
  const name = spelling
    .replace(/[®™©]/g, "")
    .replace(/(?<=\S)\s?\([^()]{0,60}\)?$/, "")
    .replace(/^[\s"'“”‘’([{*_`.,;:–—-]+|[\s"'“”‘’)\]}*_`,;:–—-]+$/gu, "")
    .replace(/\s(?:case stud(?:y|ies)|(?:user|customer|success) stor(?:y|ies))$/iu, "")
    .replace(/['’]s$/u, "");
  const words = name.split(/\s+/);
  // Only openers without a comma get here: "Today Acme", "When Acme".
  while (words.length > 1 && OPENING_WORDS.has((words[0] ?? "").toLowerCase()) && isNameWord(words[1] ?? ""))
    words.shift();
  while (words.length > 1 && /^(?:teams?|customers?|users|employees|engineers|developers)$/i.test(words.at(-1) ?? ""))
    words.pop();
  return words.join(" ");
}

const OPENING_WORDS = wordSet(`
  after also although and as at before both but by despite during for from given how if in initially like meanwhile of
  on our once since so that the their then there these they this through thus to today until we what when where which
  while who why with your is does did a an another each every one some many has have can was were are be meet because
  using currently recently previously originally founded i it he she you us me my your our him her who someone anyone
  everyone today now then here there yes no not
`);
