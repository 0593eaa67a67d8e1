import type { PageText, Vendor } from "../../types.ts";
import { type ExternalLink, externalLinks, hostFitsName } from "../links.ts";
import { organisationKey } from "../names.ts";
import type { StorySentence } from "../story.ts";
import { areRelated, type Candidate, findCandidates, type NameKnowledge } from "./candidates.ts";
import fitted from "./weights.json" with { type: "json" };

export interface ClientModel {
  /** The score of a name is `bias` plus its weighted features; "no client" has the score 0. */
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

export interface FoundClient {
  readonly name: string;
  /** Registrable domain of a link whose host matches the name; null when there is none. */
  readonly domain: string | null;
  /** The sentence or text of the page with the strongest feature. */
  readonly sentence: string | null;
  /** 0–1: the probability of the name against all other names and no client. */
  readonly confidence: number;
  readonly domain_confidence: number;
  /** All ways in which the page writes the name. */
  readonly spellings: readonly string[];
}

/** A name that may be the client's, for the reviewer of a page whose client is not certain. */
export interface ClientCandidate {
  readonly name: string;
  readonly sentence: string | null;
  /** 0–1. */
  readonly confidence: number;
}

/** Least probability of a client; in the evaluation 1 of 35 pages has a wrong one. */
const MIN_PROBABILITY = 0.53;
/**
 * Of a name that is also a tool's, as a story is more often about such a tool than of its maker, and of a name that only
 * the text has, such as its author's.
 */
const MIN_DOUBTFUL_PROBABILITY = 0.7;
/** Features of a name that the page presents as the client's, and of one that title or address have. */
const PRESENTED = /^(?:label|json-ld|logo|attribution)$/;
const IN_TITLE = /^(?:(?:short-)?in-title|title-(?!anonymous)|slug|in-slug)/;
const MIN_CANDIDATE_PROBABILITY = 0.05;
const MAX_CANDIDATES = 5;

/** The client of a story; null, with the likeliest names, when no name is likely enough. */
export function findClient(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  knowledge: NameKnowledge,
  model: ClientModel = fitted,
): { readonly client: FoundClient | null; readonly candidates: readonly ClientCandidate[] } {
  const ranked = rankCandidates(findCandidates(page, vendor, story, knowledge), model);
  const [best] = ranked;
  if (best === undefined || !isCertain(best, knowledge)) {
    const likely = ranked
      .filter(({ probability }) => probability >= MIN_CANDIDATE_PROBABILITY)
      .slice(0, MAX_CANDIDATES);
    return {
      client: null,
      candidates: likely.map(({ candidate, probability }) => ({
        name: displayName(candidate),
        sentence: bestSentence(candidate, model),
        confidence: probability,
      })),
    };
  }
  const { variants, probability } = best;
  const candidate = fullestName(best);
  const domain = domainOf(candidate, externalLinks(page, vendor.domain));
  return {
    client: {
      name: displayName(candidate),
      sentence: bestSentence(candidate, model),
      confidence: probability,
      spellings: [...new Set([best.candidate, ...variants].flatMap(({ spellings }) => [...spellings.keys()]))],
      domain: domain?.domain ?? null,
      domain_confidence: domain?.confidence ?? 0,
    },
    candidates: [],
  };
}

function isCertain({ candidate, variants, probability }: RankedCandidate, { isTool }: NameKnowledge): boolean {
  const features = [candidate, ...variants].flatMap((one) => [...one.features.keys()]);
  const isPresented = features.some((feature) => PRESENTED.test(feature));
  // "How a leading bank …": a name of the text is hardly the bank's.
  if (!isPresented && candidate.features.has("title-anonymous")) return false;
  const isDoubtful =
    isTool(displayName(candidate)) || (!isPresented && !features.some((feature) => IN_TITLE.test(feature)));
  return probability >= (isDoubtful ? MIN_DOUBTFUL_PROBABILITY : MIN_PROBABILITY);
}

interface RankedCandidate {
  readonly candidate: Candidate;
  /** Other lengths of the same name. */
  readonly variants: readonly Candidate[];
  /** Of the candidate and its variants together. */
  readonly probability: number;
}

/** Variants are joined among this many of the likeliest names. */
const MAX_JOINED = 12;

/** Names with their probabilities, most likely first; the rest to 1 is the probability of no client. */
function rankCandidates(candidates: readonly Candidate[], { bias, weights }: ClientModel): RankedCandidate[] {
  const scored = candidates
    .map((candidate) => {
      let score = bias;
      for (const [feature, value] of candidate.features) score += (weights[feature] ?? 0) * value;
      return { candidate, score };
    })
    .sort((a, b) => b.score - a.score);
  const most = Math.max(0, scored[0]?.score ?? 0);
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - most), Math.exp(-most));
  const likely = scored
    .slice(0, MAX_JOINED)
    .map(({ candidate, score }) => ({ candidate, probability: Math.exp(score - most) / total }));
  const groups = likely.map(({ candidate }) => {
    const group = likely.filter((other) => areRelated(other.candidate.words, candidate.words));
    return { group, probability: group.reduce((sum, one) => sum + one.probability, 0) };
  });
  const joined = new Set<Candidate>();
  return groups
    .sort((a, b) => b.probability - a.probability)
    .flatMap(({ group }) => {
      const [first, ...variants] = group.filter(({ candidate }) => !joined.has(candidate));
      if (first === undefined) return [];
      for (const { candidate } of group) joined.add(candidate);
      const probability = variants.reduce((sum, one) => sum + one.probability, first.probability);
      return [{ candidate: first.candidate, variants: variants.map(({ candidate }) => candidate), probability }];
    })
    .sort((a, b) => b.probability - a.probability);
}

/** The variant that the page presents as the client's name, in a label or in its title; else the likeliest one. */
function fullestName({ candidate, variants }: RankedCandidate): Candidate {
  const all = [candidate, ...variants];
  const presented = all.find(({ features }) => features.has("label") || features.has("json-ld"));
  if (presented !== undefined) return presented;
  return (
    variants.find(
      ({ words, features, mentions }) =>
        words.length > candidate.words.length &&
        mentions > 0 &&
        features.has("in-title") &&
        !features.has("short-and-common"),
    ) ?? candidate
  );
}

/** The page's most frequent spelling; without an occurrence in the text, the first one. */
function displayName(candidate: Candidate): string {
  const [first = ["", 0] as const] = [...candidate.spellings].sort((a, b) => b[1] - a[1]);
  return first[0];
}

function bestSentence({ sentences }: Candidate, { weights }: ClientModel): string | null {
  let best: { readonly sentence: string; readonly weight: number } | null = null;
  for (const [feature, sentence] of sentences) {
    const weight = weights[feature] ?? 0;
    if (best === null || weight > best.weight) best = { sentence, weight };
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
