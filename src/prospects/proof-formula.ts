/**
 * How convincing a case study is for a company, in one formula:
 *
 *   score = (points of all reasons) × (substance of the case study) ÷ FULL, at most 1
 *
 * A reason is a fact that company and case study share. `same_industry` and `related_industry` exclude each other. The
 * points of a tool are multiplied by how rare it is among the case studies: a tool that half of them name says little.
 * The substance multiplies, because a story without a client's name or a result convinces nobody, whatever it shares.
 * The weights were chosen on half of the labelled companies of `npm run eval -- proof`; the other half measures them.
 */
export const POINTS = {
  same_industry: 50,
  related_industry: 15,
  /** For each tool, times its rarity. */
  same_tool: 12,
  /** For each tool. */
  migrated_from: 20,
  same_outcome: 15,
  /** Times the probability that the case study answers the question. */
  answers_question: 40,
  same_country: 6,
} as const;

export type ReasonKind = keyof typeof POINTS;

/** The most that all tools of a kind count together. */
export const MOST_POINTS = { same_tool: 24, migrated_from: 30 } as const;

/** The points of a tool are multiplied by this where only a verification record shows it, which may be years old. */
export const VERIFIED_ONCE = 0.5;

/** Points that give the score 1. */
const FULL = 100;

/** What of a case study makes it worth sending. */
export interface Substance {
  readonly isNamed: boolean;
  readonly hasOutcome: boolean;
  readonly hasQuote: boolean;
}

export const substanceOf = ({ isNamed, hasOutcome, hasQuote }: Substance): number =>
  0.6 + (isNamed ? 0.2 : 0) + (hasOutcome ? 0.1 : 0) + (hasQuote ? 0.1 : 0);

/** 1 for a tool that one case study names, 0 for one that all of them name. */
export const rarityOf = (naming: number, all: number): number =>
  all <= 1 ? 1 : Math.max(0, 1 - Math.log(Math.max(1, naming)) / Math.log(all));

/** 0–1, rounded to three decimals. */
export function scoreOf(
  reasons: readonly { readonly kind: ReasonKind; readonly points: number }[],
  substance: Substance,
) {
  const sumOf = (kind: ReasonKind) =>
    reasons.filter((reason) => reason.kind === kind).reduce((sum, { points }) => sum + points, 0);
  const points = Object.keys(POINTS).reduce((sum, name) => {
    const kind = name as ReasonKind;
    const most = kind === "same_tool" || kind === "migrated_from" ? MOST_POINTS[kind] : Number.POSITIVE_INFINITY;
    return sum + Math.min(most, sumOf(kind));
  }, 0);
  return Math.round(Math.min(1, (points * substanceOf(substance)) / FULL) * 1_000) / 1_000;
}

/** Industries whose companies face alike problems, by slug. A story from one of a group counts a little for the others. */
export const RELATED_INDUSTRIES: readonly (readonly string[])[] = [
  ["media", "social-media", "marketing-and-advertising", "sports"],
  ["media", "gaming", "gambling"],
  ["financial-services", "insurance", "crypto"],
  ["retail", "fashion", "consumer-goods", "consumer-electronics", "food-and-beverage"],
  [
    "software",
    "cloud-and-hosting",
    "information-technology",
    "artificial-intelligence",
    "cybersecurity",
    "open-source",
  ],
  ["software", "human-resources", "marketing-and-advertising"],
  ["information-technology", "consulting", "telecommunications"],
  ["healthcare", "life-sciences", "insurance"],
  ["education", "research", "non-profit", "government"],
  ["manufacturing", "automotive", "aerospace-and-defence", "robotics", "semiconductors", "mining", "construction"],
  ["consumer-electronics", "semiconductors", "internet-of-things", "telecommunications"],
  ["energy", "mining", "internet-of-things"],
  ["travel", "hospitality", "transport-and-logistics"],
  ["retail", "transport-and-logistics"],
  ["agriculture", "food-and-beverage"],
  ["real-estate", "construction"],
];

export const areRelated = (one: string, other: string): boolean =>
  one !== other && RELATED_INDUSTRIES.some((group) => group.includes(one) && group.includes(other));
