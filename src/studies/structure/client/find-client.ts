import type { PageText } from "../../../vocabulary/page.ts";
import type { Vendor } from "../../../vocabulary/structured-study.ts";
import { labelledValues } from "../labelled.ts";
import type { StorySentence } from "../story.ts";
import { noteStory } from "./body-cues.ts";
import { type Candidate, createCandidates } from "./candidates.ts";
import { featuresOf, type Scored } from "./features.ts";
import { foldName, nameRuns } from "./names.ts";
import { fitsName, noteLabelled, notePage, type OutsideLink, outsideLinks, slugWords } from "./page-cues.ts";
import { noteTitle, tellsOfNobody } from "./title-cues.ts";
import { createVendorNames } from "./vendor-names.ts";
import { WEIGHTS } from "./weights.ts";

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

export interface ClientKnowledge {
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
export function clientFeatures(
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
  const isUnnamed = page.title !== null && tellsOfNobody(page.title);
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
      if (isFollowed && nameRuns(word).length === 0 && foldName(piece) === slug)
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
  const named = fitting.find(({ text }) => foldName(text) === candidate.key);
  const root = fitting.find(({ isRoot }) => isRoot);
  const [link, confidence] = named ? [named, 0.95] : root ? [root, 0.9] : [fitting[0], 0.75];
  return link === undefined ? null : { domain: link.domain, confidence };
}
