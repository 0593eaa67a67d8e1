import { siteOf } from "../../core/domain.ts";
import { hostOf, isUnder, parentOf, segmentsOf } from "./address.ts";
import type { PageFacts } from "./page-facts.ts";

/** The words that tell a customer's story from the other pages of a company, in the languages vendors write in most. */

/** Sections and slugs that hold stories. */
export const STORY_SECTION =
  /^(?:(?:our-)?(?:case|cases|caselets?)|(?:client-|customer-)?case-?stud(?:y|ies)|case_stud(?:y|ies)|(?:our-)?customers?|our-(?:clients|work)|clients?|(?:customer|client|success|user|member|partner|impact)s?-?(?:success-?)?(?:stor(?:y|ies)|spotlights?|highlights?|wins|success)|customer-?(?:references|examples|case-studies)|stories|success|references?|referenzen|testimonials?|user-?cases?|adopters|portfolio|who-uses-\w+|built-with|showcase|in-action|kunden(?:stimmen|referenzen|geschichten)?|erfolgsgeschichten|fallstudien|anwenderberichte|clientes|casos?(?:-de-(?:exito|éxito|estudio|uso|sucesso))?|historias-de-(?:exito|éxito|clientes)|etudes?-de-cas|études?-de-cas|temoignages?|témoignages?|cas-clients?|nos-clients|casi-(?:di-)?studio|storie-di-successo|klantverhalen|klanten|jirei|case)$/;
/** Sections that hold stories among other things. */
export const MIXED_SECTION =
  /^(?:resources?|resource-(?:center|library)|library|insights|use-?cases?|learn|content|assets?|work|projects?)$/;
export const STORY_SLUG =
  /(?:^|[-_])(?:case-?study|case-?studies|success-?story|customer-?story|customer-?success|client-?story|user-?story|user-?case|usercase|customer-?spotlight|kundenreferenz|fallstudie|anwenderbericht|caso-de-(?:exito|éxito|estudio)|etude-de-cas|cas-client|testimonial)(?:[-_.]|$)/;
/** `how-acme-cut-…`, `acme-saves-…`, `why-acme-chose-…` */
export const STORY_HEADLINE =
  /\b(?:(?:how|why)\s+(?!to\b|do\b|does\b|we\b|you\b|our\b|your\b|i\b|is\b|are\b|it\b|much\b|many\b)[\p{L}\p{N}&.' ]{2,60}?\s(?:uses?|used|built|builds?|cuts?|saves?|saved|reduce[sd]?|grew|grows?|scale[sd]?|boost(?:s|ed)?|increase[sd]?|improve[sd]?|moved?|moves|chose|chooses|switched|migrated|runs?|automate[sd]?|transform(?:s|ed)?|doubled?|tripled?|delivers?|delivered|won|wins|got|made|makes|kept|keeps|turn(?:s|ed)|achieve[sd]?|unified|unifies|gained?|replaced?|rolled|modernised|modernized|trains?|closed?|closes|finds?|found|serves?|streamline[sd]?|secure[sd]?|ship(?:s|ped)?|brings?|brought|accelerate[sd]?)\b|(?:uses?|chose|chooses|switch(?:es|ed)\s+to|migrates?\s+to|cuts?|saves?|reduces?|boosts?|doubles?|triples?|increases?)\s.{0,60}\bwith\b)/iu;
export const SAYS_STORY =
  /\b(?:case stud(?:y|ies)|(?:customer|client|success|user|member|partner)s? (?:success )?stor(?:y|ies)|customer spotlight|success stor(?:y|ies)|fallstudie|kundenreferenz|anwenderbericht|erfolgsgeschichte|caso de (?:éxito|estudio|uso)|étude de cas|témoignage client|cas client|storia di successo|klantverhaal)\b|客户案例|用户案例|导入事例|導入事例|お客様事例/iu;

/** Sections of other things, with what to call their pages. The first that a segment matches counts. */
export const OTHER_SECTIONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:blog|blogs|posts?|articles?|magazine|journal|weblog|engineering|changelog|release-?notes|releases)$/,
    "a blog post",
  ],
  [
    /^(?:press|press-?releases?|news|newsroom|media|announcements?|presse|aktuelles|prensa|actualites|noticias)$/,
    "press or news",
  ],
  [
    /^(?:products?|features?|platform|pricing|plans|integrations?|solutions|solution|industries|industry|services?|compare|comparison|vs|alternatives?|demo|tour|download|downloads|get-started|trial|produkte?|preise|productos|produits)$/,
    "a product page",
  ],
  [
    /^(?:docs?|documentation|help|support|guides?|tutorials?|api|reference-docs|faq|academy|knowledge-?base|community|forum|glossary|templates?|manual|wiki)$/,
    "documentation",
  ],
  [
    /^(?:events?|webinars?|conference|summit|workshops?|on-demand|podcasts?|videos?|veranstaltungen)$/,
    "an event or a recording",
  ],
  [
    /^(?:e-?books?|white-?papers?|reports?|datasheets?|brochures?|infographics?|research|newsletter|checklists?)$/,
    "a download for marketing",
  ],
  [
    /^(?:about|about-us|company|team|leadership|contact|contact-us|partners?|investors?|awards|unternehmen|ueber-uns|kontakt)$/,
    "a page about the company",
  ],
];
/** Pages that are never read: nothing they say can make them a story. */
export const NEVER: readonly (readonly [RegExp, string])[] = [
  [/^(?:careers?|jobs?|stellenangebote|karriere|vacancies|hiring)$/, "a page about jobs"],
  [
    /^(?:legal|privacy|privacy-policy|terms|terms-of-(?:service|use)|cookies?|cookie-policy|imprint|impressum|datenschutz|gdpr|dpa|security-policy|accessibility|sitemap)$/,
    "a legal page",
  ],
  [
    /^(?:login|log-in|signin|sign-in|signup|sign-up|register|logout|account|auth|sso|oauth|wp-login\.php|wp-admin|password|dashboard|admin|my-account|cart|checkout|unsubscribe)$/,
    "a login or account page",
  ],
  [
    /^(?:tags?|category|categories|authors?|archives?|topics?|search|feed|rss|amp|print|share|filter|keyword|wp-json|cdn-cgi)$/,
    "a tag, category, author or search page",
  ],
];

export const NOT_STORY_TITLE: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:\d{1,3}|top \d{1,3}|ten|five|seven)\s(?:\w+\s){0,4}?(?:ways|tips|reasons|things|steps|best|tools|trends|ideas|examples|lessons|mistakes|questions|strategies|practices)\b/i,
    "a blog post",
  ],
  [
    /^(?:what (?:is|are)|how to|why you|when to|a (?:complete |beginner'?s )?guide|the (?:ultimate|complete|definitive|beginner'?s)|introduction to|getting started|understanding|best practices|wie man|was ist|cómo |qué es|comment |qu'est-ce)/i,
    "a blog post",
  ],
  [
    /\b(?:buyer'?s guide|cheat sheet|checklist|explained|tutorial|step[- ]by[- ]step|comparison|vs\.?)\b/i,
    "a blog post",
  ],
  [
    /\b(?:announces?|announcing|announced|introducing|launch(?:es|ed|ing)|raises|acquires?|acquired|appoints?|named a|recogni[sz]ed as|wins? award|press release|partners with|partnership with|now available|generally available|series [a-e]\b)/i,
    "press or news",
  ],
  [/\b(?:release notes|what'?s new|changelog|version \d|v\d+\.\d+|\d+\.\d+\.\d+ release)/i, "a blog post"],
  [
    /\b(?:webinar|register (?:now|today)|podcast|episode \d|on[- ]demand|fireside chat|meet us at)\b/i,
    "an event or a recording",
  ],
  [/\b(?:white ?paper|e-?book|datasheet|data sheet|brochure|report 20\d\d|state of)\b/i, "a download for marketing"],
  [
    /\b(?:pricing|plans and pricing|compare plans|sign in|log ?in|careers|privacy policy|terms of|cookie)\b/i,
    "a product page",
  ],
];
/** What a vendor writes of itself to everybody. */
export const ANNOUNCES =
  /\b(?:we(?:'re| are) (?:excited|thrilled|proud|pleased|happy|delighted) to|today we|in this (?:post|article|guide|tutorial|blog)|read on to|forward-looking statements|for immediate release|media contact|register (?:now|for)|save your seat|join us|let'?s dive|subscribe to our (?:blog|newsletter))\b/giu;

/** The parts of a story. */
export const PARTS: readonly RegExp[] = [
  /\b(?:challenges?|problems?|before|pain points?|situation|background|the need|why change|herausforderung(?:en)?|ausgangslage|d[ée]fis?|problématique|desaf[ií]os?|retos?|sfid[ae]|uitdaging(?:en)?)\b|挑战|痛点|背景|课题|課題|业务(?:现状|场景)/iu,
  /\b(?:solutions?|approach|implementation|how (?:it|they)|why [\p{L}\p{N}]+|lösung(?:en)?|umsetzung|solución|solucion|soluzione|oplossing|démarche|mise en place)\b|方案|实践|解决|導入|导入|解決/iu,
  /\b(?:results?|outcomes?|impact|benefits?|achievements?|the future|looking ahead|what'?s next|ergebnis(?:se)?|nutzen|résultats?|bénéfices?|resultados?|beneficios|risultati|resultaten)\b|收益|成果|效果|价值|未来|规划/iu,
];
export const FACT_LABEL =
  /^(?:industry|company size|employees|headquarters|hq|location|region|country|customer since|use ?cases?|products?(?: used)?|solutions?(?: used)?|company|customer|client|sector|founded|website|tech(?: stack)?|integrations?|branche|mitarbeiter|standort|secteur|industria|sector|ubicación)\s*:?$/i;
/** Percentages, multiples, money and spans of time that something gained or lost. */
export const FIGURES =
  /\d[\d.,]{0,12}\s?(?:%|percent|prozent|per cent)|\b\d{1,4}(?:\.\d)?\s?x\b|[$€£]\s?\d|\b\d[\d.,]{0,8}\s(?:million|billion|hours?|minutes?|days?|weeks?|months?|fewer|times|users|customers|transactions|tb|terabytes|nodes|engineers)\b/giu;
export const NARRATIVE =
  /\b(?:needed|struggled|wanted|faced|decided|chose|turned to|switched|adopted|implemented|deployed|migrated|rolled out|replaced|selected|evaluated|reduced|cut|saved|improved|increased|achieved|gained|grew|helped|enabled|built|moved|worked with|allowed|used to|led to|brauchte|führte|entschied|choisi|eligió|implementó|mis en place)\b|采用|引入|提升|降低|实现|选择|减少/giu;
export const MISSING_PAGE =
  /^(?:error )?404\b|\b(?:page|seite|página|pagina)\s(?:(?:was|could|is|does|wurde|no)\s)?(?:not|nicht|no|non|be)?\s?(?:be )?(?:found|gefunden|encontrada|trovata|exist)|\bnot found\b|page introuvable|page doesn'?t exist|no longer (?:available|exists)/i;
export const READ_STORY =
  /\b(?:read|view|see|explore|discover|watch|learn)\b.{0,30}\b(?:story|case study|customer story|success story|how)\b|mehr erfahren.{0,20}(?:referenz|geschichte)|\bcase study\b|\bcustomer story\b/i;

/** Whether an address and the links to it are of a customer's story: named clues, each with a weight, added up. */

/** Points for or against; a page whose sum is 0 is as likely a case study as not. */
export const WEIGHTS = {
  bias: -3,
  "a folder of stories in the address": 3,
  "a folder that may hold stories in the address": 0.5,
  "a story's name in the address": 2,
  "under the listing": 1.5,
  "beside other stories of the listing": 1,
  "on a card of the listing": 1.5,
  "only in a menu or footer": -1.5,
  "the link promises a story": 1,
  "another section in the address": -3,
  "the link names something else": -2.5,
  "was a case study before": 1,
  "title of a story": 1.5,
  "the vendor beside somebody in the title": 1,
  "says that it is a case study": 2,
  "title of something else": -3,
  "challenge, solution or result among the headings": 1,
  "two or more parts of a story": 2.5,
  "facts about the client": 1.5,
  "a quote": 0.7,
  "figures of an outcome": 0.8,
  "tells what somebody did": 0.8,
  "the client in its text": 1,
  "long enough": 0.7,
  "nothing in its text tells of a client": -5,
  "little text": -1.5,
  "hardly any text": -8,
  "announces or teaches": -1.2,
  "a press release or event by its data": -3,
  "a blog post by its data": -0.5,
  "a product by its data": -2,
  "a list of other pages": -4,
} as const;
type Clue = Exclude<keyof typeof WEIGHTS, "bias">;

/** Where an address was met. */
export type Place = "card" | "text" | "menu" | "sitemap" | "feed" | "data" | "known";

export interface Candidate {
  readonly url: string;
  /** What is written on the links to it. */
  readonly text: string;
  readonly place: Place;
}

export interface Verdict {
  readonly score: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly clues: readonly Clue[];
  /** What it is instead, such as "a blog post"; null when nothing says so. */
  readonly instead: string | null;
  /** Nothing that the page says could make it a story. */
  readonly never: boolean;
}

/** From this on a page counts as a case study. */
export const ACCEPTED = 0;
/** From this on an address is worth a request. */
export const WORTH_READING = -3.5;

/** What is known of the list that a link stands in. */
export interface Listing {
  readonly url: string;
  /** It lists other things too, as a blog or a home page does: to stand in it says nothing. */
  readonly mixed: boolean;
  /** Folders in which its cards have at least three pages. */
  readonly siblings: ReadonlySet<string>;
}

/** Whether a list at this address holds more than stories. */
export function isMixed(url: string): boolean {
  const segments = segmentsOf(url);
  if (segments.some((segment) => STORY_SECTION.test(segment) || STORY_SLUG.test(segment))) return false;
  return segments.length === 0 || segments.some((segment) => OTHER_SECTIONS.some(([pattern]) => pattern.test(segment)));
}

/** Whether the address itself is one of a list of stories, such as `/customers`. */
export function isStoryList(url: string): boolean {
  const segments = segmentsOf(url);
  return segments.length <= 3 && STORY_SECTION.test(segments.at(-1) ?? "");
}

export function judgeLink({ url, text, place }: Candidate, listing: Listing): Verdict {
  const clues: Clue[] = [];
  const segments = segmentsOf(url);
  const slug = segments.at(-1) ?? "";
  const above = segments.slice(0, -1);
  const shared = new Set(segmentsOf(listing.url));
  const inside = above.filter((segment) => !shared.has(segment));
  const never = NEVER.find(([pattern]) => segments.some((segment) => !shared.has(segment) && pattern.test(segment)));
  const other = OTHER_SECTIONS.find(
    ([pattern]) => inside.some((segment) => pattern.test(segment)) || (segments.length === 1 && pattern.test(slug)),
  );
  const named = NOT_STORY_TITLE.find(([pattern]) => pattern.test(text.slice(0, 160)));
  const story = above.some((segment) => STORY_SECTION.test(segment));
  if (story) clues.push("a folder of stories in the address");
  else if (above.some((segment) => MIXED_SECTION.test(segment)))
    clues.push("a folder that may hold stories in the address");
  if (STORY_SLUG.test(slug)) clues.push("a story's name in the address");
  if (!listing.mixed) {
    if (isUnder(url, listing.url)) clues.push("under the listing");
    if (listing.siblings.has(parentOf(url))) clues.push("beside other stories of the listing");
    if (place === "card") clues.push("on a card of the listing");
  }
  if (place === "menu") clues.push("only in a menu or footer");
  if (place === "known") clues.push("was a case study before");
  if (promises(text)) clues.push("the link promises a story");
  if (other) clues.push("another section in the address");
  if (named && !SAYS_STORY.test(text)) clues.push("the link names something else");
  return verdictOf(
    clues,
    (never ?? other ?? (clues.includes("the link names something else") ? named : undefined))?.[1],
    never !== undefined || segments.length === 0,
  );
}

/** Adds the clues up. */
function verdictOf(clues: readonly Clue[], instead: string | undefined, never: boolean): Verdict {
  const score = clues.reduce<number>((sum, clue) => sum + WEIGHTS[clue], WEIGHTS.bias);
  return {
    score,
    confidence: never ? 0 : Math.round(1_000 / (1 + Math.exp(-score))) / 1_000,
    clues,
    instead: instead ?? null,
    never,
  };
}

function promises(text: string): boolean {
  return READ_STORY.test(text) || SAYS_STORY.test(text) || STORY_HEADLINE.test(text);
}

/** Whether a page that was read is a customer's story, by its structure and its text. */

/**
 * @param link what the address and the links to it said
 * @param types of the page's own data, lower case
 */
export function judgePage(
  link: Verdict,
  facts: PageFacts,
  types: readonly string[],
  url: string,
  linkText: string,
): Verdict {
  const clues = link.clues.filter((clue) => clue !== "the link names something else");
  const title = facts.heading ?? facts.title ?? "";
  const titles = `${title} · ${facts.title ?? ""}`;
  const { prose } = facts;
  const amount = wordsIn(prose);
  const labelled = facts.labels.filter((label) => SAYS_STORY.test(label) && label.length < 40).length > 0;
  const says = SAYS_STORY.test(titles) || labelled || SAYS_STORY.test(prose.slice(0, 200));
  const named = NOT_STORY_TITLE.find(
    ([pattern]) => pattern.test(title) || pattern.test((facts.title ?? "").slice(0, 160)),
  );
  if (says) clues.push("says that it is a case study");
  if (STORY_HEADLINE.test(title) || STORY_HEADLINE.test(linkText)) clues.push("title of a story");
  else if (named && !says) clues.push("title of something else");
  const parts = PARTS.filter((pattern) =>
    facts.headings.some((heading) => heading.length < 90 && pattern.test(heading)),
  );
  if (parts.length >= 2) clues.push("two or more parts of a story");
  else if (parts.length === 1) clues.push("challenge, solution or result among the headings");
  if (facts.labels.filter((label) => FACT_LABEL.test(label)).length >= 2) clues.push("facts about the client");
  if (facts.quotes > 0 || /[“«„][^”»“]{40,600}[”»“]/.test(prose.slice(0, 60_000))) clues.push("a quote");
  if (count(prose, FIGURES) >= 2) clues.push("figures of an outcome");
  if (count(prose, NARRATIVE) >= 3) clues.push("tells what somebody did");
  if (namesClient(url, title, prose)) clues.push("the client in its text");
  if (vendorNames(url, facts.siteName).some((vendor) => isPair(titles, vendor)))
    clues.push("the vendor beside somebody in the title");
  if (amount >= 40 && /^(?:en\b|$)/.test(facts.language ?? "") && !clues.some((clue) => TELLS.has(clue)))
    clues.push("nothing in its text tells of a client");
  if (amount < 40) clues.push("hardly any text");
  else if (amount < 120) clues.push("little text");
  else if (amount >= 250) clues.push("long enough");
  if (count(prose, ANNOUNCES) >= 1) clues.push("announces or teaches");
  if (
    types.some((type) =>
      /^(?:newsarticle|pressrelease|event|jobposting|course|webinar|broadcastevent|podcastepisode|educationevent|businessevent)$/.test(
        type,
      ),
    )
  )
    clues.push("a press release or event by its data");
  else if (types.includes("blogposting")) clues.push("a blog post by its data");
  else if (types.some((type) => /^(?:product|softwareapplication|offer|howto|techarticle|faqpage)$/.test(type)))
    clues.push("a product by its data");
  if (isList(facts, amount)) clues.push("a list of other pages");
  const instead = insteadOf(clues, link.instead ?? undefined, named?.[1]);
  return verdictOf(clues, instead, link.never);
}

/** Mostly links, or many cards of one kind over little text. */
export function isList(facts: PageFacts, amount = wordsIn(facts.prose)): boolean {
  const shapes = new Map<string, Set<string>>();
  for (const { shape, url, inMain } of facts.links) {
    // Links inside a sentence belong to the story, however many they are.
    if (!inMain || shape.includes(">p.")) continue;
    const urls = shapes.get(shape) ?? new Set<string>();
    shapes.set(shape, urls.add(url));
  }
  const largest = Math.max(0, ...[...shapes.values()].map(({ size }) => size));
  const dense = facts.linkedCharacters > facts.prose.length;
  return (largest >= 8 && amount < largest * 40) || (dense && largest >= 4 && amount < 200);
}

export function wordsIn(prose: string): number {
  const ideographs = count(prose, /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/gu);
  return Math.round(prose.split(" ").filter(Boolean).length + ideographs / 2);
}

function insteadOf(clues: readonly Clue[], section: string | undefined, title: string | undefined): string | undefined {
  if (clues.includes("a list of other pages")) return "a list of other pages";
  if (clues.includes("another section in the address")) return section;
  if (clues.includes("title of something else")) return title;
  if (clues.includes("a press release or event by its data")) return "press or news";
  if (clues.includes("a product by its data")) return "a product page";
  return clues.includes("hardly any text") ? "a page with hardly any text" : undefined;
}

/** The vendor's names, as its address and its pages write them, in lower case. */
function vendorNames(url: string, siteName: string | null): string[] {
  const host = hostOf(url);
  const label = siteOf(host).split(".", 1)[0] ?? "";
  const [first = ""] = host.split(".");
  const names = [label, label.split("-", 1)[0] ?? "", first, siteName?.toLowerCase() ?? ""];
  return [...new Set(names)].filter((name) => name.length >= 3 && !/^(?:www|blog|docs|stories|the)$/.test(name));
}

/** What only the text of a story has. */
const TELLS: ReadonlySet<Clue> = new Set<Clue>([
  "says that it is a case study",
  "title of a story",
  "the vendor beside somebody in the title",
  "challenge, solution or result among the headings",
  "two or more parts of a story",
  "facts about the client",
  "a quote",
  "figures of an outcome",
  "tells what somebody did",
  "the client in its text",
]);

/** "Search at Acme with VENDOR", "VENDOR helps Acme". */
function isPair(title: string, vendor: string): boolean {
  const lower = title.toLowerCase();
  const at = vendor.length < 2 ? -1 : lower.indexOf(vendor);
  if (at < 0) return false;
  const after = title.slice(at + vendor.length, at + vendor.length + 60);
  const before = title.slice(Math.max(0, at - 60), at);
  return (
    /^[^·|]{0,40}?\b(?:at|helps?|powers?|brings?|in production at|by)\s+(?:the\s+)?\p{Lu}/u.test(after) ||
    /\p{Lu}[\p{L}\p{N}]+[^·|]{0,40}?\b(?:with|on|using|uses?|chooses?|chose|and|adopts?|through|via)\s+(?:Apache\s+|the\s+)?$/u.test(
      before,
    )
  );
}

/** Whether the name that address and title speak of is what the text is about. */
function namesClient(url: string, title: string, prose: string): boolean {
  const heads = new Set(title.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const names = (segmentsOf(url).at(-1) ?? "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3 && !COMMON.test(word));
  const inTitle = names.filter((name) => heads.has(name) || heads.size === 0);
  return inTitle.slice(0, 4).some((name) => {
    let seen = 0;
    for (const word of prose.slice(0, 60_000).matchAll(/\b\p{Lu}[\p{L}\p{N}]{2,}/gu)) {
      if (word[0].toLowerCase() === name) seen += 1;
      if (seen >= 3) return true;
    }
    return false;
  });
}

const COMMON =
  /^(?:case|study|studies|customer|customers|story|stories|success|how|with|and|the|for|from|uses|html|php|pdf|blog|usercase)$/;

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) if (++found >= 50_000) break;
  return found;
}
