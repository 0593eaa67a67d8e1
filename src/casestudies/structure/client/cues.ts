import type { PageText } from "../../types.ts";
import {
  COMMON_WORDS,
  isNameWord,
  type NameRun,
  nameRuns,
  ORGANISATION,
  organisationKey,
  PERSON_ROLE,
  ROLE,
  TITLE_VERBS,
  UNNAMED_CLIENT,
} from "../names.ts";
import type { LabelledValue, StorySentence } from "../story.ts";
import type { Candidates, Cue } from "./candidates.ts";

const MAX_TITLE = 300;
const STORY_KIND =
  "(?:case|customer|user|success|client|adopter|end[- ]user|community|partner|case-|use)[ -](?:stud(?:y|ies)|stor(?:y|ies)|case|interview|spotlight|success|profile)s?(?: stor(?:y|ies))?";
const STORY_KIND_ONLY = new RegExp(
  `^(?:a |the |our )?(?:${STORY_KIND}|interview|spotlight|testimonial|q&a|customers?|blog|story)s?$`,
  "iu",
);
const STORY_KIND_LAST = new RegExp(`^(.{1,80}?)(?:['’]s?)?,? (?:${STORY_KIND})$`, "i");
const STORY_KIND_FIRST = new RegExp(
  `^(?:an? )?(?:${STORY_KIND}|(?:(?:an? )?(?:interview|conversation|chat|talk|q&a|fireside chat) with)|customer|spotlight(?: on)?|meet|introducing)[ :–—-]{1,4}(.{1,80})$`,
  "i",
);
const SEPARATOR = /\s[|｜·•»>]\s|｜|\s?[–—]\s?|\s-{1,3}\s?|:\s|\s::\s/;

/** Adds the names in a title. `isVendor` recognises pieces that are the vendor's or the site's name. */
export function addTitleCues(
  title: string,
  candidates: Candidates,
  isVendor: (name: string) => boolean,
  slug: readonly string[],
): void {
  const fullTitle = title
    .slice(0, MAX_TITLE)
    .replace(/[®™©]/g, "")
    .replace(/\s?\([^()]{1,60}\)/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const pieces = fullTitle
    .split(SEPARATOR)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "" && !isVendor(piece));
  const named = pieces.filter(
    (piece) => !STORY_KIND_ONLY.test(piece) && !isVendor(STORY_KIND_LAST.exec(piece)?.[1] ?? ""),
  );
  // "Acme story: why this bank moved": Acme is not the bank, and the title does not name it.
  const isUnnamed = pieces.some(asksAboutUnnamed);
  // A short URL slug shows that a common word is a name here.
  const slugNames: ReadonlySet<string> = new Set(slug.length <= 3 ? slug : []);
  const hasStoryKind = named.length < pieces.length;
  const addCue = (name: string, cue: Cue) => candidates.addCue(name, cue, fullTitle);

  for (const [index, piece] of named.entries()) {
    if (isUnnamed) break;
    const labelled = (STORY_KIND_LAST.exec(piece) ?? STORY_KIND_FIRST.exec(piece))?.[1];
    if (labelled !== undefined) {
      const name = labelled.replace(/^the /i, "").trim();
      if (!isVendor(name) && !UNNAMED_CLIENT.test(name) && isShortName(name)) addCue(name, "title-label");
    }
    if (hasStoryKind && isShortName(piece) && !UNNAMED_CLIENT.test(piece)) addCue(piece, "title-label");
    else if (
      named.length > 1 &&
      isShortName(piece) &&
      (index === 0 || index === named.length - 1) &&
      !UNNAMED_CLIENT.test(piece)
    )
      addCue(piece, "title-piece");
    else if (named.length === 1 && isShortName(piece) && piece.split(" ").length <= 4 && !UNNAMED_CLIENT.test(piece))
      addCue(piece, "title-label");
    addSubjectCues(piece, addCue, slugNames);
    addPrepositionCues(piece, addCue, slugNames);
  }
  for (const run of nameRuns(fullTitle))
    for (const part of namePartsOf(run.text, slugNames)) candidates.addCue(part, "title", fullTitle);
}

const QUESTION_OPENING = /^(?:how|why|when|what|where|inside|see how|learn how)\s+(?:(?:do|does|did|is|are|can)\s+)?/i;

/** "How a top bank cut …", "Why this company …". */
export const hasUnnamedClient = (title: string): boolean =>
  title
    .slice(0, MAX_TITLE)
    .split(SEPARATOR)
    .some((piece) => asksAboutUnnamed(piece.trim()));
const asksAboutUnnamed = (piece: string) =>
  QUESTION_OPENING.test(piece) && UNNAMED_CLIENT.test(piece.replace(QUESTION_OPENING, ""));

/** "How Acme cut …", "Acme cuts …", "Why does Acme …". */
function addSubjectCues(piece: string, addCue: (name: string, cue: Cue) => void, slugNames: ReadonlySet<string>): void {
  const rest = piece.replace(QUESTION_OPENING, "");
  if (UNNAMED_CLIENT.test(rest)) return;
  const words = rest.split(" ", 12);
  const verb = words.findIndex((word, at) => at > 0 && TITLE_VERBS.has(word.toLowerCase().replace(/[,.]$/, "")));
  if (verb <= 0 || verb > 7) return;
  const subject = words.slice(0, verb).join(" ");
  addCue(subject.replace(/^the /i, ""), "title-subject");
  const owner = /^(.{2,60}?)['’]s?\s/.exec(subject)?.[1];
  if (owner !== undefined) addCue(owner.replace(/^the /i, ""), "title-owner");
  // "Game maker Outfit7 automates": the name is at the end of the subject.
  const last = nameRuns(subject).at(-1);
  if (last !== undefined) for (const part of namePartsOf(last.text, slugNames)) addCue(part, "title-after");
}

const PREPOSITION = /(?:^|\s)(at|@|for|with|in|by|from|into|of|helps?|empowers?)\s(?:the\s)?(?=\S)/gi;

/** "… at Acme", "… for Acme", and "Acme's …" anywhere. */
function addPrepositionCues(
  piece: string,
  addCue: (name: string, cue: Cue) => void,
  slugNames: ReadonlySet<string>,
): void {
  for (const found of piece.matchAll(PREPOSITION)) {
    const place = found.index + found[0].length;
    const run = nameRuns(piece.slice(place, place + 100))[0];
    if (run === undefined || run.start !== 0) continue;
    const word = (found[1] ?? "").toLowerCase();
    const isLast = /^[\s.!)]*$/.test(piece.slice(place + run.end));
    const isAt = word === "at" || word === "@" || (word === "by" && isLast);
    for (const part of namePartsOf(run.text, slugNames)) addCue(part, isAt ? "title-at" : "title-after");
  }
  for (const run of nameRuns(piece)) {
    if (/^['’]s?\s/.test(piece.slice(run.end, run.end + 3)))
      for (const part of namePartsOf(run.text, slugNames)) addCue(part, "title-owner");
  }
}

/** Titles capitalise every word, so verbs and common words end a name. */
function* namePartsOf(run: string, slugNames: ReadonlySet<string>): Generator<string> {
  const words = run.split(" ");
  let from = 0;
  for (let at = 0; at <= words.length; at++) {
    const word = words[at]?.toLowerCase();
    const isOpener = word !== undefined && at === 0 && words.length > 1 && /^\p{L}{3,}ing$/u.test(word);
    if (
      word !== undefined &&
      !isOpener &&
      !(TITLE_VERBS.has(word) && at > from) &&
      !(COMMON_WORDS.has(word) && at === from && !slugNames.has(word))
    )
      continue;
    if (at > from) yield words.slice(from, at).join(" ");
    from = at + 1;
  }
}

/** Whether a piece may consist of a name alone. */
const isShortName = (piece: string) => {
  const words = piece.split(" ");
  if (words.length > 6 || piece.length > 60 || organisationKey(piece).length < 2) return false;
  if (words.some((word, at) => at > 0 && TITLE_VERBS.has(word.toLowerCase()))) return false;
  return (
    words.length === 1 || words.every((word) => isNameWord(word) || /^(?:of|and|the|de|&|\d{1,4}|for)$/.test(word))
  );
};

/** Characters before a name that are searched for cues; after it, twice as many. */
const NEAR = 60;
const EARLY = 12;

const SAYING =
  "(?:says?|said|explains?|explained|adds?|added|notes?|noted|recalls?|recalled|shared?|shares|comments?|commented|remarks?|told|tells|continues|states|stated|concludes?|points out)";
const SAYS_BEFORE = new RegExp(`\\b${SAYING},? $`, "i");
const SAYS_AFTER = new RegExp(`^,? (?:who )?${SAYING}\\b`, "i");
const AT_BEFORE = /(?:^|[\s("“—–-])(?:at|@|here at|inside) (?:the )?$/i;
const WORK_BEFORE =
  /\b(?:(?:work(?:s|ed|ing)?|worked|employed|engineers?|team|interned|internship|job|jobs|career|working) (?:at|for|in|with)|join(?:ed|s|ing)?|i am from|we are|we're|i'm (?:with|from|at)|i am at|my (?:company|employer|firm|startup|organi[sz]ation|website|site)(?: is| called| named)?,?|our (?:company|customer|client|startup|organi[sz]ation),?|(?:company|startup|organi[sz]ation|firm|agency|customer|client|bank|business) (?:called|named)|founder of|(?:co-)?founded|created|behind|my website,?|(?:story|journey) of|users? (?:at|from)|customers?,? like) (?:the )?["“[]?$/i;
const ROLE_BEFORE = /\b(?:at|of|with|for|from|@|,) (?:the )?$/i;
const HELP_WORD = /\b(?:help(?:s|ed|ing)?|enabl(?:es|ed|ing)|allow(?:s|ed|ing)|empower(?:s|ed|ing)) (?:the )?$/i;
const IS_AFTER =
  /^(?:,? ?\([^)]{1,60}\))?,? (?:is|are|was|has been|serves as|stands as|operates as|ranks as) (?:currently |now |also )?(?:a|an|the|one|our|part|based|among|headquartered|known|located|Europe|Germany|\p{Lu}\p{L}{1,20}['’]s)\b/iu;
const APPOSED_AFTER =
  /^(?: ?\([^)]{1,60}\))?, (?:(?:a|an|the|one of|part of) |based in |founded in |headquartered in |\p{Lu}\p{L}{2,20}['’]s )/u;
const DOES_AFTER =
  /^(?:,? ?\([^)]{1,60}\))? (?:currently |now |also |primarily )?(?:provides?|offers?|delivers?|operates?|serves?|builds?|helps?|develops?|creates?|makes?|specializ?es|specialises|runs?|manages?|owns?|has (?:over|more|a|been|built|\d)|sells?|supports?|enables?|allows?|lets|connects?|produces?|employs?|processes|handles?|was (?:founded|born|created|started|launched|established)|began|started|launched|needed|wanted|faced|decided|chose|turned|looked|uses?|used|adopted|migrated|moved|deployed|relies|relied|leverages?|leveraged|employed|serves|uses|has|had|is|will|can)\b/i;
const OWNS_AFTER = /^['’]s? (?!\d)/;
const TEAM_AFTER =
  /^(?:['’]s)? (?:[\p{L}-]{2,20} ){0,2}(?:teams?|engineers?|developers?|staff|employees|customers|users|group|platform|platforms|website|app|infrastructure)\b/u;
const PLACE_BEFORE =
  /\b(?:based in|located in|headquartered in|offices? in|city of|country of|out of|born in|across|throughout) (?:the )?$/i;
const LEAD_WORD =
  /\b(?:company|startup|start-up|firm|bank|retailer|provider|giant|leader|maker|platform|agency|group|site|service|publisher|brand|university|insurer|operator|organization|organisation)s?,? $/i;

/** Adds the names in the sentences of a story, with the cues around them. */
export function addStoryCues(
  story: readonly StorySentence[],
  candidates: Candidates,
  vendorWords: RegExp | null,
): void {
  let bodySentences = 0;
  for (const { text, place } of story) {
    if (place === "title") continue;
    if (place === "body") bodySentences += 1;
    const runs = nameRuns(text);
    const attributed = place === "body" ? addAttributionCue(text, candidates) : false;
    if (place === "heading") addHeadingCue(text, candidates);
    const vendorAt = vendorWords ? text.search(vendorWords) : -1;
    for (const [index, run] of runs.entries()) {
      if (place === "body") candidates.addMention(run.text);
      if (place === "description") candidates.addCue(run.text, "description", text);
      if (place === "heading") candidates.addCue(run.text, "heading", text);
      if (bodySentences === 1 && index === 0 && place === "body" && !attributed)
        candidates.addCue(run.text, "opens-story", text);
      if (!attributed && place !== "heading")
        addContextCues(text, run, candidates, { early: bodySentences <= EARLY, vendorAt });
    }
    addAcronymCues(text, runs, candidates);
  }
}

function addContextCues(
  text: string,
  run: NameRun,
  candidates: Candidates,
  { early: isEarly, vendorAt }: { readonly early: boolean; readonly vendorAt: number },
): void {
  const before = text.slice(Math.max(0, run.start - NEAR), run.start);
  const after = text.slice(run.end, run.end + 2 * NEAR);
  const addCue = (cue: Cue) => candidates.addCue(run.text, cue, text);
  if (SAYS_BEFORE.test(before) || SAYS_AFTER.test(after) || isFollowedByRole(after))
    candidates.addPersonMention(run.text);
  if (PLACE_BEFORE.test(before)) return;
  if (AT_BEFORE.test(before)) {
    if (before.trim().length <= 8 && run.start <= 8) addCue("at-opening");
    else if (PERSON_ROLE.test(text.slice(Math.max(0, run.start - 90), run.start))) addCue("role-at");
    else addCue("at");
  } else if (ROLE_BEFORE.test(before) && isPrecededByRole(before)) addCue("role-at");
  if (WORK_BEFORE.test(before)) addCue("work-at");
  if (IS_AFTER.test(after) && ORGANISATION.test(after)) addCue("defines");
  if (APPOSED_AFTER.test(after) && ORGANISATION.test(after)) addCue("apposition");
  if (isEarly && LEAD_WORD.test(before)) addCue("apposition");
  if (isEarly && DOES_AFTER.test(after)) addCue("does");
  if (OWNS_AFTER.test(after)) addCue("owns");
  if (TEAM_AFTER.test(after)) addCue("team");
  if (vendorAt > run.end && vendorAt - run.end < 80 && DOES_AFTER.test(after)) addCue("uses-vendor");
  if (vendorAt >= 0 && vendorAt < run.start && HELP_WORD.test(before)) addCue("helped");
}

/** ", CTO at Acme": the name before is a person. */
const isFollowedByRole = (after: string) =>
  /^, /.test(after) && PERSON_ROLE.test(after.slice(2, 50).split(/[.;,]/, 1)[0] ?? "");
/** "the CTO of ", "lead architect for ": the words before the preposition are a role. */
const isPrecededByRole = (before: string) =>
  PERSON_ROLE.test(
    before
      .slice(-40)
      .split(/[.;:]/)
      .at(-1)
      ?.replace(/^.*\b(?:and|who|that)\b/i, "") ?? "",
  );

/** "— Ann Lee, Head of Platform, Acme Ltd": the speaker of a quote and their employer. */
function addAttributionCue(text: string, candidates: Candidates): boolean {
  const lead =
    /^["”]?\s?(?:[—–]|-{1,3})\s?(?=\S)/.exec(text)?.[0] ?? (/["”]\s{0,2}[—–-]{1,2}\s/.exec(text) ? null : undefined);
  if (lead === undefined || text.length > 400) return false;
  const line = lead === null ? (text.split(/["”]\s{0,2}[—–-]{1,2}\s/).at(-1) ?? "") : text.slice(lead.length);
  if (line.length > 200) return false;
  const at = /^(.{0,120}?)\s(?:at|@)\s(.{2,80})$/.exec(line);
  if (at?.[2] !== undefined && ROLE.test(at[1] ?? "")) {
    candidates.addCue(at[2].replace(/\.$/, ""), "attribution", text);
    addSpeaker(at[1] ?? "", candidates);
    return true;
  }
  const pieces = joinLegalForms(
    line
      .replace(/\.$/, "")
      .split(/,|\s[|/–—-]\s/)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== ""),
  );
  addSpeaker(pieces[0] ?? "", candidates);
  const last = pieces.at(-1) ?? "";
  const roles = pieces.slice(0, -1).filter((piece) => PERSON_ROLE.test(piece));
  const isSaid = roles.length > 0 && !PERSON_ROLE.test(last) && nameRuns(last)[0]?.start === 0;
  if (isSaid) candidates.addCue(last, "attribution", text);
  else {
    const of = /\b(?:of|for|from|to) (?:the )?(.{2,80})$/.exec(last)?.[1];
    if (of !== undefined && PERSON_ROLE.test(last) && nameRuns(of)[0]?.start === 0)
      candidates.addCue(of, "role-at", text);
  }
  return true;
}

function addSpeaker(piece: string, candidates: Candidates): void {
  const run = nameRuns(piece)[0];
  if (run !== undefined && !PERSON_ROLE.test(run.text)) candidates.addPersonMention(run.text);
}

/** Rejoins "Acme, Inc.", which was split at its comma. */
function joinLegalForms(pieces: readonly string[]): string[] {
  const joined: string[] = [];
  for (const piece of pieces) {
    if (/^(?:inc|ltd|llc|gmbh|corp|co|s\.?a)\.?$/i.test(piece) && joined.length > 0)
      joined[joined.length - 1] += `, ${piece}`;
    else joined.push(piece);
  }
  return joined;
}

function addHeadingCue(text: string, candidates: Candidates): void {
  const about =
    /^(?:about|who (?:is|are)|what (?:is|are|does)|meet|why|introduction to|introducing|the company)[:,]? (?:the )?(.{2,80}?)(?: do(?:es)?| is| does| uses?)?\??$/i.exec(
      text,
    )?.[1];
  if (about !== undefined && nameRuns(about)[0]?.start === 0) candidates.addCue(about, "about", text);
}

/** "World Meteorological Organization (WMO)": the name and its acronym. */
function addAcronymCues(text: string, runs: readonly NameRun[], candidates: Candidates): void {
  if (!text.includes("(")) return;
  for (const [index, run] of runs.entries()) {
    const short = /^ ?\((?:or |a\.?k\.?a\.? )?["“]?([\p{Lu}][\p{L}\d&.-]{1,20})["”]?\)/u.exec(
      text.slice(run.end, run.end + 40),
    )?.[1];
    if (short === undefined) continue;
    if (run.text.includes(" ")) candidates.addCue(run.text, "also-called", short);
    const before = runs[index - 1];
    if (before === undefined || text.slice(before.end, run.start) !== " and ") continue;
    // "Paloma Irrigation and Drainage District (PIDD)": the acronym shows that "and" is part of the name.
    const joint = text.slice(before.start, run.end);
    const letters = joint
      .split(" ")
      .filter((word) => word !== "and")
      .map((word) => word[0])
      .join("");
    if (letters.toLowerCase() === short.toLowerCase()) candidates.addCue(joint, "also-called", short);
  }
}

const MAX_IMAGES = 200;
const MAX_DEPTH = 4;
const CLIENT_LABEL =
  /^(?:the )?(?:client|customer|company|organi[sz]ation|organi[sz]ation name|company name|customer name|client name|end user|user|partner|firm|brand|account)s?$/i;
const LOGO_TEXT =
  /^(.{2,60}?)(?:['’]s)?\s?[-–|,:]?\s?(?:company |customer |brand |client )?(?:logo(?:type|mark)?|brand mark|icon)\b/i;
const LOGO_OF = /\blogo (?:of|for) (?:the )?(.{2,60}?)$/i;

/** Adds the client's name from logos and JSON-LD. */
export function addPageCues(page: PageText, candidates: Candidates): void {
  for (const { alt } of page.images.slice(0, MAX_IMAGES)) {
    const text = alt.slice(0, 200).trim();
    const named = LOGO_TEXT.exec(text)?.[1] ?? LOGO_OF.exec(text)?.[1];
    if (named !== undefined) candidates.addCue(named, "logo", text);
  }
  for (const name of jsonLdNames(page.json_ld)) candidates.addCue(name, "json-ld", null);
}

/** Adds the name from labels such as "Customer: Acme". */
export function addLabelCues(pairs: readonly LabelledValue[], candidates: Candidates): void {
  for (const { name, value, text } of pairs) {
    if (!CLIENT_LABEL.test(name)) continue;
    const shown = value.split(/[;|]|, (?!inc|ltd|llc|gmbh|co\b|corp|s\.?a)/i, 1)[0]?.trim() ?? "";
    if (shown.split(" ").length <= 8) candidates.addCue(shown, "label", text);
  }
}

/** Names of organisations that the page's JSON-LD is about, mentions or reviews. */
function jsonLdNames(objects: PageText["json_ld"]): string[] {
  const names: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || names.length >= 20 || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) visit(item, depth + 1);
      return;
    }
    for (const key of ["about", "mentions", "itemReviewed", "sourceOrganization", "customer"])
      addNames(Reflect.get(value, key));
    const author: unknown = Reflect.get(value, "author");
    if (String(Reflect.get(value, "@type")).includes("Review")) {
      addNames(author);
      if (typeof author === "object" && author !== null) {
        addNames(Reflect.get(author, "worksFor"));
        addNames(Reflect.get(author, "affiliation"));
      }
    }
    for (const key of ["@graph", "review", "mainEntity", "hasPart"]) visit(Reflect.get(value, key), depth + 1);
  };
  const addNames = (value: unknown): void => {
    for (const item of Array.isArray(value) ? value.slice(0, 20) : [value]) {
      if (typeof item !== "object" || item === null) continue;
      const name: unknown = Reflect.get(item, "name");
      if (
        typeof name === "string" &&
        /Organi[sz]ation|Corporation|Business|Brand/i.test(String(Reflect.get(item, "@type")))
      )
        names.push(name.slice(0, 100));
    }
  };
  for (const object of objects.slice(0, 20)) visit(object, 0);
  return names;
}
