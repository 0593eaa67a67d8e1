/**
 * The words by which a case study differs from the other pages of a vendor's site, in the languages that vendors publish
 * in most. Patterns for addresses match whole path segments, because many of their words (`work`, `learn`, `case`) are
 * common inside other names. `score.test.ts` measures all of them on labelled pages.
 */

/** Path segments of sections that hold case studies and little else. */
export const STORY_SECTION =
  /^(?:(?:our-)?(?:case|cases|caselets?)|(?:client-|customer-)?case-?stud(?:y|ies)|case_stud(?:y|ies)|(?:our-)?customers?|our-(?:clients|work)|clients?|(?:customer|client|success|user|member|partner|impact)s?-?(?:success-?)?(?:stor(?:y|ies)|spotlights?|highlights?|wins|success)|customer-?(?:references|examples|case-studies)|stories|success|references?|referenzen|testimonials?|user-?cases?|adopters|portfolio|who-uses-\w+|built-with|showcase|in-action|kunden(?:stimmen|referenzen|geschichten)?|erfolgsgeschichten|fallstudien|anwenderberichte|clientes|casos?(?:-de-(?:exito|éxito|estudio|uso|sucesso))?|historias-de-(?:exito|éxito|clientes)|etudes?-de-cas|études?-de-cas|temoignages?|témoignages?|cas-clients?|nos-clients|casi-(?:di-)?studio|storie-di-successo|klantverhalen|klanten|jirei|case)$/;
/** Sections that hold case studies among other things. */
export const MIXED_SECTION =
  /^(?:resources?|resource-(?:center|library)|library|insights|use-?cases?|learn|content|assets?|work|projects?)$/;
/** The last segment names the kind of page: `acme-case-study`. */
export const STORY_SLUG =
  /(?:^|[-_])(?:case-?study|case-?studies|success-?story|customer-?story|customer-?success|client-?story|user-?story|user-?case|usercase|customer-?spotlight|kundenreferenz|fallstudie|anwenderbericht|caso-de-(?:exito|éxito|estudio)|etude-de-cas|cas-client|testimonial)(?:[-_.]|$)/;
/**
 * Headlines in which somebody does something: `How Acme cut …`, `Acme saves … with …`. Pronouns and `how to` are excluded,
 * because guides start with them.
 */
export const STORY_HEADLINE =
  /\b(?:(?:how|why)\s+(?!to\b|do\b|does\b|we\b|you\b|our\b|your\b|i\b|is\b|are\b|it\b|much\b|many\b)[\p{L}\p{N}&.' ]{2,60}?\s(?:uses?|used|built|builds?|cuts?|saves?|saved|reduce[sd]?|grew|grows?|scale[sd]?|boost(?:s|ed)?|increase[sd]?|improve[sd]?|moved?|moves|chose|chooses|switched|migrated|runs?|automate[sd]?|transform(?:s|ed)?|doubled?|tripled?|delivers?|delivered|won|wins|got|made|makes|kept|keeps|turn(?:s|ed)|achieve[sd]?|unified|unifies|gained?|replaced?|rolled|modernised|modernized|trains?|closed?|closes|finds?|found|serves?|streamline[sd]?|secure[sd]?|ship(?:s|ped)?|brings?|brought|accelerate[sd]?)\b|(?:uses?|chose|chooses|switch(?:es|ed)\s+to|migrates?\s+to|cuts?|saves?|reduces?|boosts?|doubles?|triples?|increases?)\s.{0,60}\bwith\b)/iu;
/** Text that names the page a case study. */
export const SAYS_STORY =
  /\b(?:case stud(?:y|ies)|(?:customer|client|success|user|member|partner)s? (?:success )?stor(?:y|ies)|customer spotlight|success stor(?:y|ies)|fallstudie|kundenreferenz|anwenderbericht|erfolgsgeschichte|caso de (?:éxito|estudio|uso)|étude de cas|témoignage client|cas client|storia di successo|klantverhaal)\b|客户案例|用户案例|导入事例|導入事例|お客様事例/iu;

/** Sections of other kinds of page, and the name of the kind. The first match counts. */
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
/** Pages that are never requested: no content could make them a case study. */
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

/** Titles of other kinds of page, and the name of the kind. */
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
/** Phrases in which a vendor addresses its readers, as in announcements, guides and invitations. */
export const ANNOUNCES =
  /\b(?:we(?:'re| are) (?:excited|thrilled|proud|pleased|happy|delighted) to|today we|in this (?:post|article|guide|tutorial|blog)|read on to|forward-looking statements|for immediate release|media contact|register (?:now|for)|save your seat|join us|let'?s dive|subscribe to our (?:blog|newsletter))\b/giu;

/** Headings of the three parts of a case study: challenge, solution, results. */
export const PARTS: readonly RegExp[] = [
  /\b(?:challenges?|problems?|before|pain points?|situation|background|the need|why change|herausforderung(?:en)?|ausgangslage|d[ée]fis?|problématique|desaf[ií]os?|retos?|sfid[ae]|uitdaging(?:en)?)\b|挑战|痛点|背景|课题|課題|业务(?:现状|场景)/iu,
  /\b(?:solutions?|approach|implementation|how (?:it|they)|why [\p{L}\p{N}]+|lösung(?:en)?|umsetzung|solución|solucion|soluzione|oplossing|démarche|mise en place)\b|方案|实践|解决|導入|导入|解決/iu,
  /\b(?:results?|outcomes?|impact|benefits?|achievements?|the future|looking ahead|what'?s next|ergebnis(?:se)?|nutzen|résultats?|bénéfices?|resultados?|beneficios|risultati|resultaten)\b|收益|成果|效果|价值|未来|规划/iu,
];
/** Labels of facts about the client. */
export const FACT_LABEL =
  /^(?:industry|company size|employees|headquarters|hq|location|region|country|customer since|use ?cases?|products?(?: used)?|solutions?(?: used)?|company|customer|client|sector|founded|website|tech(?: stack)?|integrations?|branche|mitarbeiter|standort|secteur|industria|sector|ubicación)\s*:?$/i;
/** Percentages, multiples, amounts of money and durations. */
export const FIGURES =
  /\d[\d.,]{0,12}\s?(?:%|percent|prozent|per cent)|\b\d{1,4}(?:\.\d)?\s?x\b|[$€£]\s?\d|\b\d[\d.,]{0,8}\s(?:million|billion|hours?|minutes?|days?|weeks?|months?|fewer|times|users|customers|transactions|tb|terabytes|nodes|engineers)\b/giu;
/** Verbs for what a client did. */
export const NARRATIVE =
  /\b(?:needed|struggled|wanted|faced|decided|chose|turned to|switched|adopted|implemented|deployed|migrated|rolled out|replaced|selected|evaluated|reduced|cut|saved|improved|increased|achieved|gained|grew|helped|enabled|built|moved|worked with|allowed|used to|led to|brauchte|führte|entschied|choisi|eligió|implementó|mis en place)\b|采用|引入|提升|降低|实现|选择|减少/giu;
/** Titles of error pages that are sent with status 200. */
export const MISSING_PAGE =
  /^(?:error )?404\b|\b(?:page|seite|página|pagina)\s(?:(?:was|could|is|does|wurde|no)\s)?(?:not|nicht|no|non|be)?\s?(?:be )?(?:found|gefunden|encontrada|trovata|exist)|\bnot found\b|page introuvable|page doesn'?t exist|no longer (?:available|exists)/i;
/** Text of links to a case study. */
export const READ_STORY =
  /\b(?:read|view|see|explore|discover|watch|learn)\b.{0,30}\b(?:story|case study|customer story|success story|how)\b|mehr erfahren.{0,20}(?:referenz|geschichte)|\bcase study\b|\bcustomer story\b/i;
/** Words of a slug that name no client. */
export const COMMON_WORD =
  /^(?:case|study|studies|customer|customers|story|stories|success|how|with|and|the|for|from|uses|html|php|pdf|blog|usercase)$/;
/** Addresses of sitemaps and of scripts that list case studies. */
export const LISTS_STORIES = /case|customer|client|stor(?:y|ies)|testimonial|reference|success|kunden|referenz/i;

/** Words of a text; two ideographs count as one. */
export function wordsIn(text: string): number {
  const ideographs = countMatches(text, /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/gu);
  return Math.round(text.split(" ").filter(Boolean).length + ideographs / 2);
}

/** At most 50,000. */
export function countMatches(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) if (++found >= 50_000) break;
  return found;
}
