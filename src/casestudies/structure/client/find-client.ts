import type { PageText, Vendor } from "../../types.ts";
import { type ExternalLink, externalLinks, hostFitsName, slugWords } from "../links.ts";
import { createVendorNames, isCommon, nameRuns, organisationKey } from "../names.ts";
import { labelledValues, type StorySentence } from "../story.ts";
import { wordSet } from "../word-lists.ts";
import { type Candidate, type Cue, createCandidates } from "./candidates.ts";
import { addLabelCues, addPageCues, addStoryCues, addTitleCues, hasUnnamedClient } from "./cues.ts";

/** Features of a candidate: its cues, and properties of the name. */
type Feature =
  | Cue
  | "mentions"
  | "share"
  | "slug"
  | "slug-part"
  | "in-slug"
  | "tool"
  | "unconfirmed-tool"
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
  /** The title describes the client ("a bank") without its name, so no name may be the client's. */
  readonly isUnnamed: boolean;
  /** Occurrences of each word in lower case. */
  readonly lowercaseWords: ReadonlyMap<string, number>;
}

interface ScoredCandidate {
  readonly candidate: Candidate;
  readonly features: ReadonlyMap<Feature, number>;
}

/** Cues in the text that a longer name inherits from its short form. */
const INHERITED_CUES: ReadonlySet<Cue> = new Set<Cue>([
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

const logCount = (count: number) => Math.log2(1 + Math.min(count, 7));

/** Features of every candidate. Counts are logarithmic: one occurrence is 1, three are 2, seven or more are 3. */
function featuresOf(candidates: readonly Candidate[], facts: PageFacts): ScoredCandidate[] {
  const most = Math.max(1, ...candidates.map(({ mentions }) => mentions));
  const slug = facts.slug.join("");
  const byFirstWord = Map.groupBy(candidates, ({ words }) => relatedKey(words));
  const attributed = candidates.filter(({ cues }) => cues.has("attribution")).length;
  const byKey = new Map(candidates.map((one) => [one.key, one]));
  return candidates.map((candidate) => {
    const features = new Map<Feature, number>();
    const set = (name: Feature, value: number) => {
      if (value !== 0) features.set(name, value);
    };
    const related = (byFirstWord.get(relatedKey(candidate.words)) ?? []).slice(0, 20);
    const initials = byKey.get(initialsOf(candidate.words));
    const shorter = related.filter(
      (one) => one !== candidate && isShorter(one.words, candidate.words) && !isOnlyShortInTitle(one, candidate),
    );
    if (initials && initials !== candidate) shorter.push(initials);
    const longer = related.filter(
      (one) => one !== candidate && isShorter(candidate.words, one.words) && !isOnlyShortInTitle(candidate, one),
    );
    for (const [cue, { count }] of candidate.cues) set(cue, logCount(count));
    const inherits = isNamedOutright(candidate);
    for (const shortForm of inherits || candidate.mentions * 2 >= most ? shorter : [])
      for (const [cue, { count }] of shortForm.cues)
        if (INHERITED_CUES.has(cue)) set(cue, Math.max(features.get(cue) ?? 0, logCount(count)));
    const word = candidate.words.length === 1 ? (candidate.words[0] ?? "") : "";
    const lowercaseCount = facts.lowercaseWords.get(word) ?? 0;
    // Lower-case occurrences of a name such as "adidas" were not counted as mentions.
    const isWrittenLowercase = candidate.spellings.has(word);
    const others = inherits ? shorter.reduce((sum, one) => sum + one.mentions, 0) : 0;
    const mentions = candidate.mentions + others + (isWrittenLowercase ? lowercaseCount : 0);
    set("mentions", Math.log2(1 + Math.min(mentions, 31)));
    set("share", Math.min(1, mentions / most));
    if (slug !== "" && candidate.key === slug) set("slug", 1);
    else if (slug.length >= 4 && candidate.key.startsWith(slug)) set("slug-part", slug.length / candidate.key.length);
    else if (candidate.key.length >= 3 && containsWords(facts.slug, candidate.words))
      set("in-slug", candidate.key.length / slug.length);
    const isTool = [...candidate.spellings.keys()].some(facts.isTool);
    set(isTool && !inherits ? "unconfirmed-tool" : "tool", isTool ? 1 : 0);
    set("person", Math.min(2, candidate.personMentions));
    set("generic", isCommon(candidate.words) ? 1 : 0);
    set("place", facts.isPlace(candidate.words.join(" ")) ? 1 : 0);
    set("shorter", longer.some((one) => isNamedOutright(one) || one.mentions * 2 >= candidate.mentions) ? 1 : 0);
    set("two-words", candidate.words.length > 1 ? 1 : 0);
    set("only-attribution", attributed === 1 && candidate.cues.has("attribution") ? 1 : 0);
    set("common", !isWrittenLowercase && lowercaseCount > 0 && lowercaseCount >= candidate.mentions ? 1 : 0);
    set("unnamed-title", facts.isUnnamed ? 1 : 0);
    return { candidate, features };
  });
}

const NAMING_CUES = [
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

/** Whether the page presents the name as its subject, instead of only mentioning it. */
const isNamedOutright = ({ cues }: Candidate): boolean => NAMING_CUES.some((cue) => cues.has(cue));

const TITLE_CUES = ["title-label", "title-subject", "title-at", "title-owner", "title-piece"] as const;

/** The title has "Acme" and not "Acme Labs", so "Acme Labs" is another organisation. */
const isOnlyShortInTitle = (short: Candidate, long: Candidate): boolean =>
  TITLE_CUES.some((cue) => short.cues.has(cue)) && !TITLE_CUES.some((cue) => long.cues.has(cue));

/** The first significant word, which a name shares with its short forms. */
const relatedKey = (words: readonly string[]): string => (words[0] === "apache" ? words[1] : words[0]) ?? "";

const SUFFIX = /^(?:com|io|org|net|ch|de|ai|co)$/;

/** "Acme" is a short form of "Acme Networks", and "acme.com" counts as a short form of "Acme". */
function isShorter(short: readonly string[], long: readonly string[]): boolean {
  if (isHostOf(long, short)) return false;
  if (isHostOf(short, long)) return true;
  const from = long[0] === "apache" && short[0] !== "apache" ? 1 : 0;
  return short.length < long.length && short.every((word, at) => word === long[at + from]);
}

const isHostOf = (host: readonly string[], name: readonly string[]) =>
  host.length === name.length + 1 && SUFFIX.test(host.at(-1) ?? "") && name.every((word, at) => word === host[at]);

/** "pidd" for "Paloma Irrigation and Drainage District". */
const initialsOf = (words: readonly string[]): string =>
  words.length < 2
    ? ""
    : words
        .filter((word) => !/^(?:of|and|the|de|for)$/.test(word))
        .map((word) => word[0])
        .join("");

function containsWords(slug: readonly string[], words: readonly string[]): boolean {
  for (let at = 0; at + words.length <= slug.length; at++)
    if (words.every((word, index) => slug[at + index] === word)) return true;
  return words.length === 1 && slug.includes(words[0] ?? "");
}

/**
 * Weights of a multinomial logistic model. The score of a name is `bias` plus its weighted features; "no client" has the
 * score 0; the probability of a name is the softmax of the scores of all names of a page.
 *
 * Estimated by maximum likelihood from 397 labelled pages of 24 vendors, with each page weighted by one over the square
 * root of its vendor's number of pages, and a ridge penalty towards initial estimates whose signs are kept. Weights
 * fitted on one half of the vendors are as accurate on the other half as its own. `label`, `json-ld` and `logo`, which
 * are rare in those pages, are the initial estimates.
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
  "unconfirmed-tool": -1.96,
  place: -2.5,
};

export interface FoundClient {
  readonly name: string;
  /** Registrable domain of a link whose host matches the name; null when there is none. */
  readonly domain: string | null;
  /** The sentence or text of the page with the strongest cue. */
  readonly sentence: string | null;
  /** 0–1: the probability of the name against all other names and no client. */
  readonly confidence: number;
  readonly domain_confidence: number;
  /** All ways in which the page writes the name. */
  readonly spellings: readonly string[];
}

interface NameKnowledge {
  readonly isTool: (name: string) => boolean;
  /** Countries and cities, lower case. */
  readonly isPlace: (name: string) => boolean;
}

/** A name is accepted when it reaches the score of one of these thresholds and its margin over the second best name. */
const THRESHOLDS = [
  { score: 0, margin: 0.6 },
  { score: -0.4, margin: 1.5 },
];

/** The client of a story; null when no name is likely enough. */
export function findClient(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  knowledge: NameKnowledge,
): FoundClient | null {
  const links = externalLinks(page, vendor.domain);
  const scored = clientFeatures(page, vendor, story, knowledge, links).map((one) => ({ ...one, score: scoreOf(one) }));
  scored.sort((one, other) => other.score - one.score);
  const [best, next] = scored;
  if (best === undefined) return null;
  const margin = best.score - (next?.score ?? Number.NEGATIVE_INFINITY);
  if (!THRESHOLDS.some((least) => best.score >= least.score && margin >= least.margin)) return null;
  const confidence =
    1 / (Math.exp(-best.score) + scored.reduce((sum, one) => sum + Math.exp(one.score - best.score), 0));
  const candidate = findFullName(best.candidate, scored) ?? best.candidate;
  const name = displayName(candidate);
  const domain = domainOf(candidate, links);
  return {
    name,
    sentence: bestSentence(best.candidate),
    confidence,
    spellings: [...new Set([...candidate.spellings.keys(), ...best.candidate.spellings.keys()])],
    domain: domain?.domain ?? null,
    domain_confidence: domain?.confidence ?? 0,
  };
}

/** Every name of the page that may be the client's, with its features. */
function clientFeatures(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  knowledge: NameKnowledge,
  links: readonly ExternalLink[] = externalLinks(page, vendor.domain),
): ScoredCandidate[] {
  const names = createVendorNames(vendor, page.site_name);
  const candidates = createCandidates(names.isVendorOrProduct);
  const slug = slugWords(page.url, names.words);
  addPageCues(page, candidates);
  if (page.title) addTitleCues(page.title, candidates, names.isVendor, slug);
  addSlugCue(slug.join(""), page.title ?? "", candidates);
  addLabelCues(labelledValues(page, story), candidates);
  for (const link of links)
    if (!link.isShared && hostFitsName(link.label, link.text)) candidates.addCue(link.text, "linked", null);
  addStoryCues(story, candidates, names.pattern);
  const isClientUnnamed = page.title !== null && hasUnnamedClient(page.title);
  return featuresOf([...candidates.all.values()], {
    slug,
    isUnnamed: isClientUnnamed,
    lowercaseWords: countLowercaseWords(story),
    ...knowledge,
  });
}

/** A lower-case name ("adidas Case Study") is found by comparing the title's words with the URL. */
function addSlugCue(slug: string, title: string, candidates: ReturnType<typeof createCandidates>): void {
  if (slug.length < 3) return;
  const words = title.slice(0, 300).split(/\s+/);
  for (const [at, word] of words.entries()) {
    for (const length of [1, 2]) {
      const piece = words.slice(at, at + length).join(" ");
      const isFollowed = /^\p{Lu}/u.test(words[at + length] ?? "");
      if (isFollowed && nameRuns(word).length === 0 && organisationKey(piece) === slug)
        candidates.addCue(piece, "title-piece", title);
    }
  }
}

/** Occurrences of each word in lower case. */
function countLowercaseWords(story: readonly StorySentence[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of story) {
    for (const [word] of text.matchAll(/(?<![\p{L}\p{N}/.@_-])\p{Ll}{3,20}(?![\p{L}\p{N}])/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

const scoreOf = ({ features }: ScoredCandidate): number => {
  let score = WEIGHTS.bias;
  for (const [feature, value] of features) score += (WEIGHTS[feature] ?? 0) * value;
  return score;
};

/** Words that a company's full name adds to its short form. */
const COMPANY_WORDS = wordSet(`
  group corporation corp it capital holding holdings industries inc ltd llc gmbh ag plc limited
`);
const EMPLOYER_CUES = ["attribution", "role-at", "work-at", "at", "defines", "label", "uses-vendor"] as const;

/** "Acme Group" for "Acme": a longer name that only adds the kind of company. */
function findFullName(short: Candidate, scored: readonly ScoredCandidate[]): Candidate | undefined {
  return scored.find(({ candidate: { words, cues } }) => {
    const more = words.slice(short.words.length);
    const isLonger = more.length > 0 && short.words.every((word, at) => word === words[at]);
    const isCompany = more.every((word) => COMPANY_WORDS.has(word)) || LEGAL_FORM.test(words.at(-1) ?? "");
    return isLonger && isCompany && EMPLOYER_CUES.some((cue) => cues.has(cue));
  })?.candidate;
}

const LEGAL_FORM = /^(?:inc|ltd|llc|gmbh|plc)$/;

/** The page's most frequent spelling; without an occurrence in the text, the first one with a cue. */
function displayName(candidate: Candidate): string {
  const [first = ["", 0] as const] = [...candidate.spellings].sort((a, b) => b[1] - a[1]);
  return first[0];
}

function bestSentence(candidate: Candidate): string | null {
  let best: { readonly sentence: string; readonly weight: number } | null = null;
  for (const [cue, { sentence }] of candidate.cues) {
    const weight = WEIGHTS[cue] ?? 0;
    if (sentence !== null && cue !== "also-called" && (best === null || weight > best.weight))
      best = { sentence, weight };
  }
  return best?.sentence ?? null;
}

/** The external host that matches the name: preferably of a link with the name as its text, then of one to a root. */
function domainOf(
  candidate: Candidate,
  links: readonly ExternalLink[],
): { readonly domain: string; readonly confidence: number } | null {
  const names = [...candidate.spellings.keys()];
  const fitting = links.filter(({ label }) => names.some((name) => hostFitsName(label, name)));
  const named = fitting.find(({ text }) => organisationKey(text) === candidate.key);
  const root = fitting.find(({ isRoot }) => isRoot);
  const [link, confidence] = named ? [named, 0.95] : root ? [root, 0.9] : [fitting[0], 0.75];
  return link === undefined ? null : { domain: link.domain, confidence };
}
