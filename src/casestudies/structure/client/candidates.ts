import type { PageText, Vendor } from "../../types.ts";
import { neighboursOf, type Token, tokensOf } from "../context.ts";
import { type ExternalLink, externalLinks, hostFitsName, slugWords } from "../links.ts";
import {
  COMMON_WORDS,
  createVendorNames,
  isAnonymousDescription,
  isCommon,
  isNameWord,
  type NameRun,
  nameRuns,
  nameWords,
  ORGANISATION,
  organisationKey,
  PERSON_ROLE,
  TITLE_VERBS,
  UNNAMED_CLIENT,
  type VendorNames,
} from "../names.ts";
import { factLines, labelledValues, type StorySentence } from "../story.ts";
import { wordSet } from "../word-lists.ts";

/** A name of the page that may be the client's, with its features and their values. */
export interface Candidate {
  readonly key: string;
  readonly words: readonly string[];
  /** Each way in which the page writes the name, with its number of occurrences. */
  readonly spellings: Map<string, number>;
  /** Occurrences of each feature; `client/weights.json` has the weights. */
  readonly features: Map<string, number>;
  /** Sentences by the feature that they were found with. */
  readonly sentences: Map<string, string>;
  mentions: number;
}

export interface NameKnowledge {
  readonly isTool: (name: string) => boolean;
  /** Countries and cities, lower case. */
  readonly isPlace: (name: string) => boolean;
  /** A well-known organisation. */
  readonly isOrganisation: (name: string) => boolean;
}

const MAX_CANDIDATES = 1_500;
const MAX_NAME = 80;
const MAX_TITLE = 300;
const OPENING = 3;
const EARLY = 12;

/**
 * Every name of a page that may be the client's. A feature says where a name occurs (`title-first`, `slug`, `linked`), which
 * words surround it (`after:is a`), or what it looks like (`place`, `legal-form`).
 */
export function findCandidates(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  knowledge: NameKnowledge,
): readonly Candidate[] {
  const vendorNames = createVendorNames(vendor, page.site_name);
  const publisher = publisherKeys(page.url);
  const slug = slugNameWords(page.url, vendorNames.words);
  const links = externalLinks(page, vendor.domain);
  const all = new Map<string, Candidate>();

  const add = (spelling: string, sentence: string | null, features: readonly string[], isNamed = false) => {
    const name = trimName(spelling);
    const key = organisationKey(name);
    let candidate = all.get(key);
    if (candidate === undefined) {
      if (name === "" || name.length > MAX_NAME || key.length < 2 || !/\p{L}/u.test(key)) return undefined;
      const words = nameWords(name);
      if (
        all.size >= MAX_CANDIDATES ||
        (!isNamed && isCommon(words)) ||
        isAnonymousDescription(words) ||
        words.every((word) => OPENING_WORDS.has(word) || LEGAL_FORMS.has(word)) ||
        publisher.has(key) ||
        knowledge.isPlace(words.join(" ")) ||
        vendorNames.isVendorOrProduct(key, words)
      )
        return undefined;
      candidate = { key, words, spellings: new Map(), features: new Map(), sentences: new Map(), mentions: 0 };
      all.set(key, candidate);
    }
    if (!candidate.spellings.has(name)) candidate.spellings.set(name, 0);
    for (const feature of features) {
      candidate.features.set(feature, (candidate.features.get(feature) ?? 0) + 1);
      if (sentence !== null && !candidate.sentences.has(feature)) candidate.sentences.set(feature, sentence);
    }
    return { candidate, name };
  };

  addTitle(page.title ?? "", slug, vendorNames, add);
  addPageFacts(page, story, links, add);
  let position = 0;
  const facts = new Set(factLines(story));
  for (const sentence of story) {
    const { text, place, isTile } = sentence;
    if (place === "title") continue;
    // Tiles and lists of facts before the story do not count.
    if (place === "body" && !facts.has(sentence) && !isTile) position += 1;
    const region =
      place === "body"
        ? position > 0 && position <= OPENING
          ? "opening"
          : position <= EARLY
            ? "early"
            : "late"
        : place;
    const attribution = place === "body" ? addAttribution(text, add) : false;
    const tokens = attribution ? [] : tokensOf(text);
    for (const [index, run] of nameRuns(text).entries()) {
      const features = attribution ? ["in-attribution"] : contextOf(tokens, run, text, region, vendorNames.pattern);
      if (region === "opening" && position === 1 && index === 0 && !attribution) features.push("first-name");
      if (place === "heading" && organisationKey(text) === organisationKey(run.text)) features.push("heading-only");
      const added = add(run.text, text, features);
      if (added === undefined) continue;
      if (place === "body") added.candidate.mentions += 1;
      added.candidate.spellings.set(added.name, (added.candidate.spellings.get(added.name) ?? 0) + 1);
    }
    addAcronyms(text, add);
  }
  const candidates = [...all.values()];
  const isAnonymous = (page.title ?? "")
    .slice(0, MAX_TITLE)
    .split(SEPARATOR)
    .some((piece) => isUnnamed(piece.trim()));
  addShapes(candidates, { page, story, slug, knowledge, isAnonymous });
  return candidates;
}

/** Adds a name with features; undefined for text that cannot be the client's name. */
type Add = (
  spelling: string,
  sentence: string | null,
  features: readonly string[],
  /** The page presents it as a name, so it may be a common word. */
  isNamed?: boolean,
) => { readonly candidate: Candidate; readonly name: string } | undefined;

const GENERIC_LABELS = wordSet(`
  www blog docs doc stories customers news architecture site com org io net co ac edu gov dev en de fr app web old archive
`);
const CODE_HOSTS = wordSet("github.com gitlab.com codeberg.org bitbucket.org");

/** Keys of the site that publishes the page: `streampark` and `apache` of streampark.apache.org, the owner on GitHub. */
function publisherKeys(address: string): ReadonlySet<string> {
  const url = URL.parse(address);
  const host = url?.hostname.replace(/^www\./, "") ?? "";
  const parts = CODE_HOSTS.has(host) ? (url?.pathname.split("/", 3) ?? []) : [];
  return new Set(
    [...host.split(".").slice(0, -1), ...parts].map(organisationKey).filter((key) => !GENERIC_LABELS.has(key)),
  );
}

/** The words of the address that may be the client's name: those before a verb ("trip com" of `how-trip-com-uses-cilium`). */
function slugNameWords(address: string, vendorWords: ReadonlySet<string>): string[] {
  const words = slugWords(address, vendorWords);
  const verb = words.findIndex((word, at) => at > 0 && TITLE_VERBS.has(word));
  return verb < 0 ? words : words.slice(0, verb);
}

const STORY_KIND =
  "(?:case|customer|user|success|client|adopter|end[- ]user|community|partner|case-|use)[ -](?:stud(?:y|ies)|stor(?:y|ies)|case|interview|spotlight|success|profile)s?(?: stor(?:y|ies))?";
const ONLY_KIND = new RegExp(
  `^(?:a |the |our )?(?:${STORY_KIND}|interview|spotlight|testimonial|q&a|customers?|blog|story)s?$`,
  "iu",
);
const KIND_LAST = new RegExp(`^(.{1,80}?)(?:['’]s?)?,? (?:${STORY_KIND})$`, "i");
const KIND_FIRST = new RegExp(
  `^(?:an? )?(?:${STORY_KIND}|(?:(?:an? )?(?:interview|conversation|chat|talk|q&a) with)|customer|spotlight(?: on)?|meet|introducing)[ :–—-]{1,4}(.{1,80})$`,
  "i",
);
const SEPARATOR = /\s[|｜·•»>]\s|｜|\s?[–—]\s?|\s-{1,3}\s?|:\s|\s::\s/;
const QUESTION = /^(?:how|why|when|what|where|inside|see how|learn how)\s+(?:(?:do|does|did|is|are|can)\s+)?/i;

/** "How a top bank cut …", "Why this company …": the title describes the client without its name. */
const isUnnamed = (piece: string) => {
  const [first = "", ...others] = piece.replace(QUESTION, "").split(" ", 7);
  return QUESTION.test(piece) && /^(?:an?|one|this|these|some)$/i.test(first) && ORGANISATION.test(others.join(" "));
};

function addTitle(title: string, slug: readonly string[], vendorNames: VendorNames, add: Add): void {
  const text = title
    .slice(0, MAX_TITLE)
    .replace(/[®™©]/g, "")
    .replace(/\s?\([^()]{1,60}\)/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const pieces = text.split(SEPARATOR).map((piece) => piece.trim());
  const named = pieces.filter((piece) => piece !== "" && !ONLY_KIND.test(piece));
  const isKind = named.length < pieces.length;
  for (const piece of named) {
    // "Acme x Vendor", "Vendor + Acme".
    const sides = piece.split(/\s(?:[x×+&]|and|und|et|y)\s/, 3).map((side) => side.trim());
    const other = sides.length === 2 ? sides.filter((side) => !vendorNames.isVendor(side)) : [];
    if (other.length === 1 && isShortName(other[0] ?? "")) add(other[0] ?? "", text, ["title-paired"], true);
  }
  const slugNames: ReadonlySet<string> = new Set(slug.length <= 3 ? slug : []);
  const isInSlug = (piece: string) => nameWords(piece).every((word) => slugNames.has(word));
  for (const [index, piece] of named.entries()) {
    const labelled = (KIND_LAST.exec(piece) ?? KIND_FIRST.exec(piece))?.[1];
    if (labelled !== undefined && isShortName(labelled)) add(labelled, text, ["title-labelled"], true);
    if (isShortName(piece) && !UNNAMED_CLIENT.test(piece) && !vendorNames.pattern?.test(piece)) {
      const where = isKind || named.length === 1 ? "only" : index === 0 ? "first" : "last";
      if (where === "only" || piece.split(" ").length <= 4)
        add(piece, text, [`title-piece-${where}`], isKind || isInSlug(piece));
    }
    const rest = piece.replace(QUESTION, "");
    const from = piece.length - rest.length;
    const words = rest.split(" ", 12);
    const verb = words.findIndex((word, at) => at > 0 && TITLE_VERBS.has(word.toLowerCase().replace(/[,.]$/, "")));
    const subject = verb > 0 && verb <= 7 && !UNNAMED_CLIENT.test(rest) ? words.slice(0, verb).join(" ") : "";
    const namesVendor = vendorNames.pattern?.test(words.slice(verb).join(" ")) ?? false;
    if (subject !== "")
      add(
        subject.replace(/^the /i, ""),
        text,
        ["title-subject", ...(namesVendor ? ["title-subject-with-vendor"] : [])],
        isInSlug(subject),
      );
    const tokens = tokensOf(piece);
    for (const run of nameRuns(piece))
      for (const part of namePartsOf(run, slugNames)) {
        const features = contextOf(tokens, part, piece, "title", null);
        if (subject !== "" && part.end <= from + subject.length) features.push("title-in-subject");
        add(part.text, text, features);
      }
  }
  addSlugNames(text, slug.join(""), add);
}

/** Titles capitalise every word, so verbs and common words end a name. */
function* namePartsOf(run: NameRun, slugNames: ReadonlySet<string>): Generator<NameRun> {
  const words = [...run.text.matchAll(/\S+/g)];
  let from = 0;
  for (let at = 0; at <= words.length; at++) {
    const word = words[at]?.[0].toLowerCase();
    if (
      word !== undefined &&
      !(TITLE_VERBS.has(word) && at > from) &&
      !(COMMON_WORDS.has(word) && at === from && !slugNames.has(word)) &&
      !(at === 0 && words.length > 1 && /^\p{L}{3,}ing$/u.test(word))
    )
      continue;
    const [first, last] = [words[from], words[at - 1]];
    if (first && last && at > from) {
      const text = run.text.slice(first.index, last.index + last[0].length);
      yield { text, start: run.start + first.index, end: run.start + first.index + text.length };
    }
    from = at + 1;
  }
}

/** A lower-case name ("adidas Case Study") is found by comparing the title's words with the URL. */
function addSlugNames(title: string, slug: string, add: Add): void {
  if (slug.length < 3) return;
  const words = title.split(" ");
  for (const at of words.keys())
    for (const length of [1, 2, 3]) {
      const piece = words.slice(at, at + length).join(" ");
      // Several words in lower case are a phrase of the title.
      if (length > 1 && !/\p{Lu}/u.test(piece)) continue;
      if (organisationKey(piece.replace(/['’]s$/, "")) !== slug) continue;
      add(piece, title, ["title-slug"], true);
      // "Acme Bikes" at /customers/acme.
      const next = words[at + length] ?? "";
      if (/^\p{Lu}/u.test(next) && !TITLE_VERBS.has(next.toLowerCase()) && !COMMON_WORDS.has(next.toLowerCase()))
        add(`${piece} ${next}`, title, ["title-slug"]);
    }
}

/** Whether a piece may consist of a name alone. */
function isShortName(piece: string): boolean {
  const words = piece.split(" ");
  if (words.length > 6 || piece.length > 60 || organisationKey(piece).length < 2) return false;
  if (words.some((word, at) => at > 0 && TITLE_VERBS.has(word.toLowerCase()))) return false;
  return (
    words.length === 1 || words.every((word) => isNameWord(word) || /^(?:of|and|the|de|&|\d{1,4}|for)$/.test(word))
  );
}

const CLIENT_LABEL =
  /^(?:the )?(?:client|customer|company|organi[sz]ation|organi[sz]ation name|company name|customer name|client name|end user|user|partner|firm|brand|account|agency)s?$/i;
const LOGO =
  /^(.{2,60}?)(?:['’]s)?\s?[-–|,:]?\s?(?:company |customer |brand |client )?(?:logo(?:type|mark)?|brand mark|icon)\b|\blogo (?:of|for) (?:the )?(.{2,60}?)$/i;
const MAX_IMAGES = 200;

function addPageFacts(page: PageText, story: readonly StorySentence[], links: readonly ExternalLink[], add: Add): void {
  for (const { alt } of page.images.slice(0, MAX_IMAGES)) {
    const text = alt.slice(0, 200).trim();
    const found = LOGO.exec(text);
    if (found) add(found[1] ?? found[2] ?? "", text, ["logo"], true);
    else if (text !== "" && text.split(" ").length <= 4 && isShortName(text)) add(text, text, ["picture"]);
  }
  for (const name of jsonLdNames(page.json_ld)) add(name, null, ["json-ld"], true);
  for (const { name, value, text } of labelledValues(page, story)) {
    if (!CLIENT_LABEL.test(name)) continue;
    const shown = value.split(/[;|]|, (?!inc|ltd|llc|gmbh|co\b|corp|s\.?a)/i, 1)[0]?.trim() ?? "";
    const length = shown.split(" ").length;
    if (length <= 2 || (length <= 8 && nameRuns(shown)[0]?.start === 0)) add(shown, text, ["label"], true);
  }
  for (const { isShared, label, text, isRoot } of links) {
    if (isShared || !hostFitsName(label, text)) continue;
    const isName = text.split(" ").length <= 5;
    add(text, null, isRoot ? ["linked", "linked-root"] : ["linked"], isName);
  }
}

/** Names of organisations that the page's JSON-LD is about, mentions or reviews. */
function jsonLdNames(objects: PageText["json_ld"]): string[] {
  const names: string[] = [];
  const addNames = (value: unknown): void => {
    for (const item of Array.isArray(value) ? value.slice(0, 20) : [value]) {
      if (typeof item !== "object" || item === null) continue;
      const name: unknown = Reflect.get(item, "name");
      const type = String(Reflect.get(item, "@type"));
      if (typeof name === "string" && /Organi[sz]ation|Corporation|Business|Brand/i.test(type))
        names.push(name.slice(0, 100));
    }
  };
  const visit = (value: unknown, depth: number): void => {
    if (depth > 4 || names.length >= 20 || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) visit(item, depth + 1);
      return;
    }
    for (const key of ["about", "mentions", "itemReviewed", "sourceOrganization", "customer"])
      addNames(Reflect.get(value, key));
    const author: unknown = Reflect.get(value, "author");
    if (String(Reflect.get(value, "@type")).includes("Review") && typeof author === "object" && author !== null)
      for (const key of ["worksFor", "affiliation"]) addNames(Reflect.get(author, key));
    for (const key of ["@graph", "review", "mainEntity", "hasPart"]) visit(Reflect.get(value, key), depth + 1);
  };
  for (const object of objects.slice(0, 20)) visit(object, 0);
  return names;
}

/** Characters around a name in which its context is searched. */
const NEAR = 60;
const IS_A =
  /^(?:,? ?\([^)]{1,60}\))?,? (?:(?:is|are|was|has been|serves as|operates as) (?:currently |now |also )?|(?=(?:a|an|the|one) ))(?:a|an|the|one|our|part|based|among|headquartered|\p{Lu}\p{L}{1,20}['’]s)\b/iu;

/** "Ann Lee, CTO at", "Ann Lee is an engineer", "Ann Lee says": the name before is a person. */
const isPerson = (tail: string) =>
  /^,? (?:(?:is|was|works as) )?(?:(?:an?|the|our|their) )?(?:[\p{L}-]{2,20} ){0,2}$/u.test(
    /^(.{0,50}?)(?<![\p{L}])(?:engineer|developer|manager|director|architect|officer|co-?founder|ceo|cto|cio|ciso|coo|vp|president|head of|analyst|consultant|administrator|scientist|professor|maintainer)s?\b/iu.exec(
      tail,
    )?.[1] ?? "-",
  );

/** The words around a name as features. */
function contextOf(
  tokens: readonly Token[],
  { start, end }: NameRun,
  text: string,
  region: string,
  vendor: RegExp | null,
): string[] {
  const { first, left1, left2, right1, right2 } = neighboursOf(tokens, { start, end });
  const tail = text.slice(end, end + 2 * NEAR);
  const features = [`in:${region}`];
  const place = region === "title" || region === "heading" ? `${region}-` : "";
  features.push(`${place}before:${left1}`, `${place}after:${right1}`);
  if (place === "") {
    features.push(`before:${left2} ${left1}`, `after:${right1} ${right2}`);
    if (region !== "late") features.push(`${region}-before:${left1}`, `${region}-after:${right1}`);
    if (IS_A.test(tail) && ORGANISATION.test(tail))
      features.push("defined", ...(region === "late" ? [] : ["defined-early"]));
    if (
      /^(?:at|of|for|from|@|,|with)$/.test(left1) &&
      tokens.slice(Math.max(0, first - 6), first).some((token) => PERSON_ROLE.test(token.text))
    )
      features.push("employer");
    if (isPerson(tail) || left1 === "<says>" || (right1 === "<says>" && text.slice(start, end).includes(" ")))
      features.push("person");
    const vendorAt = vendor ? text.search(vendor) : -1;
    if (vendorAt > end && vendorAt - end < 2 * NEAR) features.push("vendor-after");
    if (vendorAt >= 0 && vendorAt < start && start - vendorAt < 2 * NEAR) features.push("vendor-before");
    if (/\b(?:we|our)\b/i.test(text)) features.push("with-we");
  } else if (region === "title" && vendor === null && TITLE_VERBS.has(right1)) features.push("title-after:<verb>");
  return features;
}

/** "VP of Engineering, Acme Health", "Ann Lee, CTO at Acme": a line of its own below a quote. */
const EMPLOYER_LINE = new RegExp(
  `^[^.!?;:]{0,60}?${PERSON_ROLE.source}[^.!?;:,]{0,40}?(?:,| at| @| \\|) (\\p{Lu}[^,;:|]{1,60})$`,
  "iu",
);

/** "— Ann Lee, Head of Platform, Acme Ltd": the speaker of a quote and their employer. */
function addAttribution(text: string, add: Add): boolean {
  if (text.length > 400) return false;
  const employer = text.length <= 100 && !/[.!?:"”]$/.test(text) ? EMPLOYER_LINE.exec(text)?.[1] : undefined;
  if (employer !== undefined && nameRuns(employer)[0]?.start === 0 && isShortName(employer)) {
    add(employer, text, ["attribution"], true);
    return true;
  }
  const lead = /^["”]?\s?(?:[—–]|-{1,3})\s?(?=\S)/.exec(text)?.[0];
  const line = lead === undefined ? /["”]\s{0,2}[—–-]{1,2}\s(.{1,200})$/.exec(text)?.[1] : text.slice(lead.length);
  if (line === undefined || line.length > 200) return false;
  const pieces = line
    .replace(/\.$/, "")
    .replace(/,\s(?=(?:inc|ltd|llc|gmbh|corp|co|s\.?a)\b)/i, " ")
    .split(/,|\s[|/–—-]\s|\s(?:at|@)\s/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
  const last = pieces.at(-1) ?? "";
  const hasRole = pieces.slice(0, -1).some((piece) => PERSON_ROLE.test(piece));
  if (pieces.length > 1 && !PERSON_ROLE.test(last) && nameRuns(last)[0]?.start === 0)
    add(last, text, [hasRole ? "attribution" : "attribution-without-role"], hasRole);
  else {
    const of = /\b(?:of|for|from|to) (?:the )?(.{2,80})$/.exec(last)?.[1];
    if (of !== undefined && PERSON_ROLE.test(last) && nameRuns(of)[0]?.start === 0) add(of, text, ["employer"]);
  }
  const speaker = nameRuns(pieces[0] ?? "")[0];
  if (speaker !== undefined && pieces.length > 1) add(speaker.text, text, ["speaker"]);
  return true;
}

/** "World Meteorological Organization (WMO)": the name and its acronym. */
function addAcronyms(text: string, add: Add): void {
  if (!text.includes("(")) return;
  const runs = nameRuns(text);
  for (const [index, run] of runs.entries()) {
    const short = /^ ?\((?:or |a\.?k\.?a\.? )?["“]?([\p{Lu}][\p{L}\d&.-]{1,20})["”]?\)/u.exec(
      text.slice(run.end, run.end + 40),
    )?.[1];
    if (short === undefined) continue;
    if (run.text.includes(" ")) add(run.text, text, ["acronym"]);
    const before = runs[index - 1];
    if (before === undefined || text.slice(before.end, run.start) !== " and ") continue;
    // "Paloma Irrigation and Drainage District (PIDD)": the acronym shows that "and" is part of the name.
    const joint = text.slice(before.start, run.end);
    if (initialsOf(nameWords(joint)) === short.toLowerCase()) add(joint, text, ["acronym"]);
  }
}

interface PageFacts {
  readonly page: PageText;
  readonly story: readonly StorySentence[];
  readonly slug: readonly string[];
  readonly knowledge: NameKnowledge;
  /** The title describes the client without its name. */
  readonly isAnonymous: boolean;
}

const LEGAL_FORMS = wordSet("co ltd inc llc gmbh corp limited plc ag se sa company");
const LEGAL = /(?:^|[\s,])(?:inc|ltd|limited|llc|gmbh|plc|corp|corporation|co|ag|se|s\.?a\.?|b\.?v\.?)\.?$/i;
const PART =
  /^(?:platform|service|services|team|cloud|product|app|engine|system|division|department|lab|labs|studio|portal|suite|api|kubernetes)$/;
const INHERITED =
  /^(?:in:|before:|after:|opening-|early-|description-|heading-|defined|employer|vendor-|with-we|linked|logo|first-name|picture)/;

/** Adds what the name itself shows, and what a longer name inherits from its short forms. */
function addShapes(candidates: readonly Candidate[], { page, story, slug, knowledge, isAnonymous }: PageFacts): void {
  const lower = lowercaseWords(story);
  const joined = slug.join("");
  const byFirst = Map.groupBy(candidates, ({ words }) => relatedKey(words));
  const byKey = new Map(candidates.map((one) => [one.key, one]));
  const own = new Map(candidates.map((one) => [one, new Map(one.features)]));
  const most = Math.max(1, ...candidates.map(({ mentions }) => mentions));
  const title = ` ${nameWords(page.title ?? "").join(" ")} `;
  const speakers = new Set(
    candidates.flatMap(({ words, features }) =>
      (features.has("speaker") || features.has("before:by")) && words.length > 1 ? [words[0], words.at(-1)] : [],
    ),
  );
  const attributed = candidates.filter(({ features }) => features.has("attribution")).length;
  for (const candidate of candidates) {
    const { key, words, features, spellings, mentions: alone } = candidate;
    const related = (byFirst.get(relatedKey(words)) ?? []).slice(0, 20).filter((one) => one !== candidate);
    const shorter = related.filter((one) => isShorter(one.words, words));
    const initials = byKey.get(initialsOf(words));
    if (initials && initials !== candidate) shorter.push(initials);
    for (const short of shorter)
      for (const [feature, count] of own.get(short) ?? [])
        if (INHERITED.test(feature)) features.set(feature, Math.max(features.get(feature) ?? 0, count));
    const count = alone + shorter.reduce((sum, one) => sum + one.mentions, 0);
    const set = (feature: string, value = 1) => {
      if (value !== 0) features.set(feature, value);
    };
    const total = (prefix: RegExp) =>
      [...(own.get(candidate) ?? [])].reduce((sum, [name, times]) => (prefix.test(name) ? sum + times : sum), 0);
    // The capital of a sentence's first word says nothing.
    const onlyStarts = words.length === 1 && total(/^(?:title-|heading-)?before:\^$/) >= total(/^in:/);
    const inTitle = title.includes(` ${words.join(" ")} `);
    for (const [feature, times] of features) features.set(feature, Math.log2(1 + Math.min(times, 7)));
    set("mentions", Math.log2(1 + Math.min(count, 31)));
    set("share", Math.min(1, count / most));
    if (count >= most && candidates.length > 1) set("most-mentioned");
    if (inTitle) set("in-title");
    else if (shorter.some((one) => title.includes(` ${one.words.join(" ")} `))) set("short-in-title");
    if (joined !== "" && key === joined) set("slug");
    else if (joined.length >= 4 && key.startsWith(joined)) set("slug-part", joined.length / key.length);
    else if (key.length >= 3 && ` ${slug.join(" ")} `.includes(` ${words.join(" ")} `))
      set("in-slug", key.length / joined.length);
    if ([...spellings.keys()].some(knowledge.isTool)) set(inTitle || features.has("slug") ? "tool-in-title" : "tool");
    if ([...spellings.keys()].some(knowledge.isOrganisation)) set("known-organisation");
    if (attributed === 1 && features.has("attribution")) set("only-attribution");
    if (isAnonymous) set("title-anonymous");
    if (onlyStarts) set("only-starts-sentences");
    if (speakers.has(key)) set("part-of-speaker");
    if (isCommon(words)) set("common-words");
    if ([...spellings.keys()].some((name) => LEGAL.test(name))) set("legal-form");
    if (words.length > 1 && ORGANISATION.test(words.join(" "))) set("organisation-word");
    set(`words:${Math.min(words.length, 4)}`);
    if (/^\p{Lu}{2,6}$/u.test([...spellings.keys()][0] ?? "")) set("capitals");
    if (/^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u.test([...spellings.keys()][0] ?? "")) set("two-capitalised");
    const longer = related.filter((one) => isShorter(words, one.words));
    if (longer.some((one) => one.mentions * 2 >= alone)) set("has-longer");
    if (shorter.length > 0) set("has-shorter");
    // "Acme Platform", "Acme Kubernetes Service": a product or a part of Acme.
    const rest = words.slice(
      Math.max(0, ...shorter.map((one) => (isShorter(one.words, words) ? one.words.length : 0))),
    );
    if (rest.length < words.length && !LEGAL_FORMS.has(rest.at(-1) ?? ""))
      set(rest.every((each) => COMMON_WORDS.has(each) || PART.test(each)) ? "short-and-common" : "short-and-name");
    const word = words.length === 1 ? (words[0] ?? "") : "";
    if ((lower.get(word) ?? 0) >= Math.max(1, alone) && !spellings.has(word)) set("common-word");
  }
}

/** Occurrences of each word in lower case. */
function lowercaseWords(story: readonly StorySentence[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of story)
    for (const [word] of text.matchAll(/(?<![\p{L}\p{N}/.@_-])\p{Ll}{3,20}(?![\p{L}\p{N}])/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The first significant word, which a name shares with its short forms. */
const relatedKey = (words: readonly string[]): string => (words[0] === "apache" ? words[1] : words[0]) ?? "";

/** "Acme" is a short form of "Acme Networks". */
function isShorter(short: readonly string[], long: readonly string[]): boolean {
  const from = long[0] === "apache" && short[0] !== "apache" ? 1 : 0;
  return short.length < long.length && short.every((word, at) => word === long[at + from]);
}

/** Whether two names are a name and its short form or acronym, or the same name. */
export const areRelated = (one: readonly string[], other: readonly string[]): boolean =>
  one === other ||
  isPlaceOf(one, other) ||
  isPlaceOf(other, one) ||
  isShorter(one, other) ||
  isShorter(other, one) ||
  (one.length === 1 && one[0] === initialsOf(other)) ||
  (other.length === 1 && other[0] === initialsOf(one));

/** "Varenholm" is a short form of "Municipality of Varenholm". */
const isPlaceOf = (short: readonly string[], long: readonly string[]): boolean =>
  long.length > short.length + 1 &&
  /^(?:of|de|von|di)$/.test(long[long.length - short.length - 1] ?? "") &&
  short.every((word, at) => word === long[long.length - short.length + at]);

/** "pidd" for "Paloma Irrigation and Drainage District". */
const initialsOf = (words: readonly string[]): string =>
  words.length < 2
    ? ""
    : words
        .filter((word) => !/^(?:of|and|the|de|for)$/.test(word))
        .map((word) => word[0])
        .join("");

/** Removes what surrounds a name: quotes, punctuation, and opening words as in "Today Acme". */
function trimName(spelling: string): string {
  const name = spelling
    .replace(/[®™©]/g, "")
    .replace(/(?<=\S)\s?\([^()]{0,60}\)?$/, "")
    .replace(/^[\s"'“”‘’([{*_`.,;:–—-]+|[\s"'“”‘’)\]}*_`,;:–—-]+$/gu, "")
    .replace(/\s(?:case stud(?:y|ies)|(?:user|customer|success) stor(?:y|ies))$/iu, "")
    .replace(/['’]s$/u, "");
  const words = name.split(/\s+/);
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
