/** What a section is for. `opening` stands before the first heading; `other` under headings that do not say. */
export type SectionKind = "opening" | "background" | "challenge" | "solution" | "results" | "outlook" | "other";

/** Words of headings, the more telling kinds first. */
const KINDS: readonly (readonly [SectionKind, RegExp])[] = [
  [
    "outlook",
    /\b(future|next steps?|roadmap|looking (ahead|forward)|what(['’]?s| is| comes)? next|outlook|plans?|going forward|on the horizon|to come)\b/i,
  ],
  [
    "results",
    /\b(results?|impacts?|benefits?|outcomes?|improve(d|ments?)|gains?|gained|achieve(d|ments?)|success(es)?|wins?|value|returns?|roi|performance|payoff|savings?|effects?|advantages?|by the numbers|at a glance|key (metrics|figures|facts)|scale|after|today|in production|adoption|lessons|conclusions?|summary|takeaways?)\b/i,
  ],
  [
    "challenge",
    /\b(challenges?|problems?|pain|issues?|difficult(y|ies)|obstacles?|needs?|before|pre-\w{1,20}|situation|goals?|objectives?|requirements?|motivation|bottlenecks?|struggl(e|es|ing)|limitations?|the ask)\b/i,
  ],
  [
    "solution",
    /\b(solutions?|approach(es)?|how|implement(ation|ing)|architecture|why|choos(e|ing)|chose|adopt(ing)?|using|use|deploy(ing|ment)|migrat(e|ing|ion)|integrat(e|ing|ion)|transition(ing)?|switch(ed|ing)?|turn(ed|ing)? to|design|discover(y|ing)|getting started|setup|rollout|evaluat(ion|ing)|journey|moving to)\b/i,
  ],
  [
    "background",
    /\b(background|about|overview|introduc(tion|ing)|company|who (is|are)|context|profile|history|team|customers?|partner|story|organi[sz]ation|tell us about yourself)\b/i,
  ],
];
const MAX_HEADING = 120;

/** Null when the heading does not say, as when it is a sentence of the story. */
export function sectionKindOf(heading: string): SectionKind | null {
  const text = heading.slice(0, MAX_HEADING);
  // The word that stands first decides: "Benefits of our solution", "How we solved the problem".
  let best: { kind: SectionKind; at: number } | null = null;
  for (const [kind, words] of KINDS) {
    const at = text.search(words);
    if (at >= 0 && (best === null || at < best.at)) best = { kind, at };
  }
  return best?.kind ?? null;
}
