import type { PageText, Vendor } from "../../types.ts";
import { labelledValues, type StorySentence } from "../story.ts";
import {
  type Candidate,
  type Cue,
  createCandidates,
  createVendorNames,
  isGeneric,
  nameRuns,
  normaliseName,
} from "./candidates.ts";
import {
  fitsName,
  namesNobody,
  noteLabelled,
  notePage,
  noteStory,
  noteTitle,
  type OutsideLink,
  outsideLinks,
  slugWords,
} from "./cues.ts";

/** What is counted of a candidate beside its cues. */
type Feature =
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

interface PageFacts {
  readonly slug: readonly string[];
  readonly isTool: (name: string) => boolean;
  readonly isPlace: (name: string) => boolean;
  /** The title tells of "a bank": whoever is named may not be meant. */
  readonly isUnnamed: boolean;
  /** How often each word of the story stands without a capital. */
  readonly small: ReadonlyMap<string, number>;
}

interface Scored {
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
function featuresOf(candidates: readonly Candidate[], facts: PageFacts): Scored[] {
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

/**
 * What each sign counts for a name. A page's names and "nobody" (0) compete: the chance of a name is e^score over the
 * sum of all. `bias` is where every name begins.
 *
 * First guessed, then moved by the figures: the likelihood of 397 labelled pages of 24 vendors, each page weighted by one
 * over the root of its vendor's number, with a ridge that pulls towards the guess and signs kept. Weights of one half of
 * the vendors tell the names of the other half as well as its own do. `label`, `json-ld` and `logo`, which those pages
 * hardly show, are the guesses.
 */
const WEIGHTS: Readonly<Partial<Record<Feature, number>>> & { readonly bias: number } = {
  bias: -4.09,
  label: 4,
  "title-at": 3.4,
  slug: 3.21,
  "json-ld": 3,
  "title-label": 2.92,
  "slug-part": 2.57,
  attribution: 2.5,
  logo: 2.5,
  "title-subject": 2,
  "title-piece": 1.67,
  "title-owner": 1.61,
  "only-attribution": 1.29,
  linked: 1.25,
  defines: 1.24,
  helped: 1.23,
  about: 1.19,
  "in-slug": 1.06,
  does: 1.04,
  share: 0.98,
  "role-at": 0.88,
  at: 0.8,
  "uses-vendor": 0.64,
  "opens-story": 0.63,
  "work-at": 0.62,
  owns: 0.6,
  "two-words": 0.44,
  "at-opening": 0.43,
  title: 0.27,
  description: 0.25,
  "title-after": 0.25,
  apposition: 0.15,
  team: 0.05,
  "also-called": 0.01,
  shorter: -0.06,
  "unnamed-title": -0.61,
  person: -0.74,
  tool: -0.93,
  generic: -1.1,
  common: -1.75,
  "tool-untold": -1.96,
  place: -2.5,
};

export interface FoundClient {
  readonly name: string;
  /** Registrable domain of a link in the page whose host fits the name; null when there is none. */
  readonly domain: string | null;
  /** Sentence or piece of the page that tells the name best. */
  readonly sentence: string | null;
  /** 0–1: the share of the name among all that the page names and nobody at all. */
  readonly confidence: number;
  readonly domain_confidence: number;
  /** Other ways in which the page writes the name, for those who look for its sentences. */
  readonly forms: readonly string[];
}

interface ClientKnowledge {
  readonly isTool: (name: string) => boolean;
  /** Countries and cities, lower case. */
  readonly isPlace: (name: string) => boolean;
}

/**
 * A name is told when it is likelier than nobody and stands out from the next; one that is a little less likely must
 * stand out by more. Else nobody is the better answer.
 */
const LIKELY = { score: 0, ahead: 0.6 };
const ALONE = { score: -0.4, ahead: 1.5 };

/** Whose story a page tells; null where it names nobody plainly enough. */
export function findClient(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  knowledge: ClientKnowledge,
): FoundClient | null {
  const links = outsideLinks(page, vendor.domain);
  const scored = clientFeatures(page, vendor, story, knowledge, links).map((one) => ({ ...one, score: scoreOf(one) }));
  scored.sort((one, other) => other.score - one.score);
  const [best, next] = scored;
  if (best === undefined) return null;
  const ahead = best.score - (next?.score ?? Number.NEGATIVE_INFINITY);
  if (![LIKELY, ALONE].some((wanted) => best.score >= wanted.score && ahead >= wanted.ahead)) return null;
  const confidence =
    1 / (Math.exp(-best.score) + scored.reduce((sum, one) => sum + Math.exp(one.score - best.score), 0));
  const candidate = fullerName(best.candidate, scored) ?? best.candidate;
  const name = shownName(candidate);
  const domain = domainOf(candidate, links);
  return {
    name,
    sentence: tellingSentence(best.candidate),
    confidence,
    forms: [...new Set([...candidate.forms.keys(), ...best.candidate.forms.keys()])],
    domain: domain?.domain ?? null,
    domain_confidence: domain?.confidence ?? 0,
  };
}

/** Every name of the page that may be the client's, with what speaks for and against it. */
function clientFeatures(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  knowledge: ClientKnowledge,
  links: readonly OutsideLink[] = outsideLinks(page, vendor.domain),
): Scored[] {
  const names = createVendorNames(vendor, page.site_name);
  const candidates = createCandidates(names.isOwn);
  const slug = slugWords(page.url, names.words);
  notePage(page, candidates);
  if (page.title) noteTitle(page.title, candidates, names.isVendor, slug);
  noteSlug(slug.join(""), page.title ?? "", candidates);
  noteLabelled(labelledValues(page, story), candidates);
  for (const link of links)
    if (!link.isShared && fitsName(link.label, link.text)) candidates.note(link.text, "linked", null);
  noteStory(story, candidates, names.pattern);
  const isUnnamed = page.title !== null && namesNobody(page.title);
  return featuresOf([...candidates.all.values()], { slug, isUnnamed, small: smallWords(story), ...knowledge });
}

/** A name may be written small ("adidas Case Study"): then the address points at it in the title. */
function noteSlug(slug: string, title: string, candidates: ReturnType<typeof createCandidates>): void {
  if (slug.length < 3) return;
  const words = title.slice(0, 300).split(/\s+/);
  for (const [at, word] of words.entries()) {
    for (const length of [1, 2]) {
      const piece = words.slice(at, at + length).join(" ");
      const isFollowed = /^\p{Lu}/u.test(words[at + length] ?? "");
      if (isFollowed && nameRuns(word).length === 0 && normaliseName(piece) === slug)
        candidates.note(piece, "title-piece", title);
    }
  }
}

/** How often each word stands without a capital. */
function smallWords(story: readonly StorySentence[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of story) {
    for (const [word] of text.matchAll(/(?<![\p{L}\p{N}/.@_-])\p{Ll}{3,20}(?![\p{L}\p{N}])/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

const scoreOf = ({ features }: Scored): number => {
  let score = WEIGHTS.bias;
  for (const [feature, value] of features) score += (WEIGHTS[feature] ?? 0) * value;
  return score;
};

/** What a company's full name says more than its short one. */
const COMPANY_WORDS: ReadonlySet<string> = new Set(
  "group corporation corp it capital holding holdings industries inc ltd llc gmbh ag plc limited".split(" "),
);
const EMPLOYER = ["attribution", "role-at", "work-at", "at", "defines", "label", "uses-vendor"] as const;

/** "Acme Group" where a story says both: a longer name that says only what kind of company it is. */
function fullerName(short: Candidate, scored: readonly Scored[]): Candidate | undefined {
  return scored.find(({ candidate: { words, cues } }) => {
    const more = words.slice(short.words.length);
    const isLonger = more.length > 0 && short.words.every((word, at) => word === words[at]);
    const isCompany = more.every((word) => COMPANY_WORDS.has(word)) || LEGAL_END.test(words.at(-1) ?? "");
    return isLonger && isCompany && EMPLOYER.some((cue) => cues.has(cue));
  })?.candidate;
}

const LEGAL_END = /^(?:inc|ltd|llc|gmbh|plc)$/;

/** As the page writes it most; where it never stands in running text, as it is told. */
function shownName(candidate: Candidate): string {
  const [first = ["", 0] as const] = [...candidate.forms].sort((a, b) => b[1] - a[1]);
  return first[0];
}

function tellingSentence(candidate: Candidate): string | null {
  let best: { readonly sentence: string; readonly weight: number } | null = null;
  for (const [cue, { sentence }] of candidate.cues) {
    const weight = WEIGHTS[cue] ?? 0;
    if (sentence !== null && cue !== "also-called" && (best === null || weight > best.weight))
      best = { sentence, weight };
  }
  return best?.sentence ?? null;
}

/** The outside host that fits the name: a link whose text is the name first, then one to a root. */
function domainOf(
  candidate: Candidate,
  links: readonly OutsideLink[],
): { readonly domain: string; readonly confidence: number } | null {
  const names = [...candidate.forms.keys()];
  const fitting = links.filter(({ label }) => names.some((name) => fitsName(label, name)));
  const named = fitting.find(({ text }) => normaliseName(text) === candidate.key);
  const root = fitting.find(({ isRoot }) => isRoot);
  const [link, confidence] = named ? [named, 0.95] : root ? [root, 0.9] : [fitting[0], 0.75];
  return link === undefined ? null : { domain: link.domain, confidence };
}
