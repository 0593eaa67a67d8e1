import { recordedDomain, siteOf } from "../../../core/domain.ts";
import type { PageText } from "../../types.ts";
import type { Labelled, StorySentence } from "../story.ts";
import {
  type Candidates,
  type Cue,
  GENERIC,
  isNameWord,
  type NameRun,
  nameRuns,
  nameWords,
  normaliseName,
  ORGANISATION,
  PERSON_ROLE,
  ROLE,
  TITLE_VERBS,
  UNNAMED,
} from "./candidates.ts";

const MAX_TITLE = 300;
const KIND =
  "(?:case|customer|user|success|client|adopter|end[- ]user|community|partner|case-|use)[ -](?:stud(?:y|ies)|stor(?:y|ies)|case|interview|spotlight|success|profile)s?(?: stor(?:y|ies))?";
const KIND_ONLY = new RegExp(
  `^(?:a |the |our )?(?:${KIND}|interview|spotlight|testimonial|q&a|customers?|blog|story)s?$`,
  "iu",
);
const KIND_LAST = new RegExp(`^(.{1,80}?)(?:['’]s?)?,? (?:${KIND})$`, "i");
const KIND_FIRST = new RegExp(
  `^(?:an? )?(?:${KIND}|(?:(?:an? )?(?:interview|conversation|chat|talk|q&a|fireside chat) with)|customer|spotlight(?: on)?|meet|introducing)[ :–—-]{1,4}(.{1,80})$`,
  "i",
);
const SEPARATOR = /\s[|｜·•»>]\s|｜|\s?[–—]\s?|\s-{1,3}\s?|:\s|\s::\s/;

/** What a title says of whom its story tells. `hasVendor` tells whether a piece is the vendor's or the site's own name. */
export function noteTitle(
  title: string,
  candidates: Candidates,
  isVendor: (name: string) => boolean,
  slug: readonly string[],
): void {
  const whole = title
    .slice(0, MAX_TITLE)
    .replace(/[®™©]/g, "")
    .replace(/\s?\([^()]{1,60}\)/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const pieces = whole
    .split(SEPARATOR)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "" && !isVendor(piece));
  const named = pieces.filter((piece) => !KIND_ONLY.test(piece) && !isVendor(KIND_LAST.exec(piece)?.[1] ?? ""));
  // "Acme story: why this bank moved": Acme is not the bank.
  const isUnnamed = pieces.some(asksOfNobody);
  // A short address may say that a usual word is a name here.
  const brand: ReadonlySet<string> = new Set(slug.length <= 3 ? slug : []);
  const hasKind = named.length < pieces.length;
  const note = (name: string, cue: Cue) => candidates.note(name, cue, whole);

  for (const [index, piece] of named.entries()) {
    if (isUnnamed) break;
    const labelled = (KIND_LAST.exec(piece) ?? KIND_FIRST.exec(piece))?.[1];
    if (labelled !== undefined) {
      const name = labelled.replace(/^the /i, "").trim();
      if (!isVendor(name) && !UNNAMED.test(name) && isShort(name)) note(name, "title-label");
    }
    if (hasKind && isShort(piece) && !UNNAMED.test(piece)) note(piece, "title-label");
    else if (named.length > 1 && isShort(piece) && (index === 0 || index === named.length - 1) && !UNNAMED.test(piece))
      note(piece, "title-piece");
    else if (named.length === 1 && isShort(piece) && piece.split(" ").length <= 4 && !UNNAMED.test(piece))
      note(piece, "title-label");
    noteSubject(piece, note, brand);
    noteAfter(piece, note, brand);
  }
  for (const run of nameRuns(whole)) for (const part of partsOf(run.text, brand)) candidates.note(part, "title", whole);
}

const ASKING = /^(?:how|why|when|what|where|inside|see how|learn how)\s+(?:(?:do|does|did|is|are|can)\s+)?/i;

/** "How a top bank cut …", "Why this company …". */
export const namesNobody = (title: string): boolean =>
  title
    .slice(0, MAX_TITLE)
    .split(SEPARATOR)
    .some((piece) => asksOfNobody(piece.trim()));
const asksOfNobody = (piece: string) => ASKING.test(piece) && UNNAMED.test(piece.replace(ASKING, ""));

/** "How Acme cut …", "Acme cuts …", "Why does Acme …". */
function noteSubject(piece: string, note: (name: string, cue: Cue) => void, brand: ReadonlySet<string>): void {
  const rest = piece.replace(
    /^(?:how|why|when|what|where|inside|see how|learn how)\s+(?:(?:do|does|did|is|are|can)\s+)?/i,
    "",
  );
  if (UNNAMED.test(rest)) return;
  const words = rest.split(" ", 12);
  const verb = words.findIndex((word, at) => at > 0 && TITLE_VERBS.has(word.toLowerCase().replace(/[,.]$/, "")));
  if (verb <= 0 || verb > 7) return;
  const subject = words.slice(0, verb).join(" ");
  note(subject.replace(/^the /i, ""), "title-subject");
  const owner = /^(.{2,60}?)['’]s?\s/.exec(subject)?.[1];
  if (owner !== undefined) note(owner.replace(/^the /i, ""), "title-owner");
  // "Game maker Outfit7 automates": the name is what stands last.
  const last = nameRuns(subject).at(-1);
  if (last !== undefined) for (const part of partsOf(last.text, brand)) note(part, "title-after");
}

const AFTER = /(?:^|\s)(at|@|for|with|in|by|from|into|of|helps?|empowers?)\s(?:the\s)?(?=\S)/gi;

/** "… at Acme", "… for Acme", and "Acme's …" anywhere. */
function noteAfter(piece: string, note: (name: string, cue: Cue) => void, brand: ReadonlySet<string>): void {
  for (const found of piece.matchAll(AFTER)) {
    const place = found.index + found[0].length;
    const run = nameRuns(piece.slice(place, place + 100))[0];
    if (run === undefined || run.start !== 0) continue;
    const word = (found[1] ?? "").toLowerCase();
    const isLast = /^[\s.!)]*$/.test(piece.slice(place + run.end));
    const isAt = word === "at" || word === "@" || (word === "by" && isLast);
    for (const part of partsOf(run.text, brand)) note(part, isAt ? "title-at" : "title-after");
  }
  for (const run of nameRuns(piece)) {
    if (/^['’]s?\s/.test(piece.slice(run.end, run.end + 3)))
      for (const part of partsOf(run.text, brand)) note(part, "title-owner");
  }
}

/** A title writes every word with a capital: a name ends where a verb or a word of the trade stands. */
function* partsOf(run: string, brand: ReadonlySet<string>): Generator<string> {
  const words = run.split(" ");
  let from = 0;
  for (let at = 0; at <= words.length; at++) {
    const word = words[at]?.toLowerCase();
    const isOpener = word !== undefined && at === 0 && words.length > 1 && /^\p{L}{3,}ing$/u.test(word);
    if (
      word !== undefined &&
      !isOpener &&
      !(TITLE_VERBS.has(word) && at > from) &&
      !(GENERIC.has(word) && at === from && !brand.has(word))
    )
      continue;
    if (at > from) yield words.slice(from, at).join(" ");
    from = at + 1;
  }
}

/** A piece that may be a name and nothing else. */
const isShort = (piece: string) => {
  const words = piece.split(" ");
  if (words.length > 6 || piece.length > 60 || normaliseName(piece).length < 2) return false;
  if (words.some((word, at) => at > 0 && TITLE_VERBS.has(word.toLowerCase()))) return false;
  return (
    words.length === 1 || words.every((word) => isNameWord(word) || /^(?:of|and|the|de|&|\d{1,4}|for)$/.test(word))
  );
};

/** How far around a name its signs are looked for. */
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

/** Reads the sentences of a story for what is said around each name. */
export function noteStory(story: readonly StorySentence[], candidates: Candidates, vendorWords: RegExp | null): void {
  let bodySentences = 0;
  for (const { text, place } of story) {
    if (place === "title") continue;
    if (place === "body") bodySentences += 1;
    const runs = nameRuns(text);
    const attributed = place === "body" ? noteAttribution(text, candidates) : false;
    if (place === "heading") noteHeading(text, candidates);
    const vendorAt = vendorWords ? text.search(vendorWords) : -1;
    for (const [index, run] of runs.entries()) {
      if (place === "body") candidates.mention(run.text);
      if (place === "description") candidates.note(run.text, "description", text);
      if (place === "heading") candidates.note(run.text, "heading", text);
      if (bodySentences === 1 && index === 0 && place === "body" && !attributed)
        candidates.note(run.text, "opens-story", text);
      if (!attributed && place !== "heading")
        noteAround(text, run, candidates, { early: bodySentences <= EARLY, vendorAt });
    }
    noteShortNames(text, runs, candidates);
  }
}

function noteAround(
  text: string,
  run: NameRun,
  candidates: Candidates,
  { early, vendorAt }: { readonly early: boolean; readonly vendorAt: number },
): void {
  const before = text.slice(Math.max(0, run.start - NEAR), run.start);
  const after = text.slice(run.end, run.end + 2 * NEAR);
  const note = (cue: Cue) => candidates.note(run.text, cue, text);
  if (SAYS_BEFORE.test(before) || SAYS_AFTER.test(after) || isWithRole(after)) candidates.person(run.text);
  if (PLACE_BEFORE.test(before)) return;
  if (AT_BEFORE.test(before)) {
    if (before.trim().length <= 8 && run.start <= 8) note("at-opening");
    else if (PERSON_ROLE.test(text.slice(Math.max(0, run.start - 90), run.start))) note("role-at");
    else note("at");
  } else if (ROLE_BEFORE.test(before) && isRoleBefore(before)) note("role-at");
  if (WORK_BEFORE.test(before)) note("work-at");
  if (IS_AFTER.test(after) && ORGANISATION.test(after)) note("defines");
  if (APPOSED_AFTER.test(after) && ORGANISATION.test(after)) note("apposition");
  if (early && LEAD_WORD.test(before)) note("apposition");
  if (early && DOES_AFTER.test(after)) note("does");
  if (OWNS_AFTER.test(after)) note("owns");
  if (TEAM_AFTER.test(after)) note("team");
  if (vendorAt > run.end && vendorAt - run.end < 80 && DOES_AFTER.test(after)) note("uses-vendor");
  if (vendorAt >= 0 && vendorAt < run.start && HELP_WORD.test(before)) note("helped");
}

/** ", CTO at Acme": the name before is a person's. */
const isWithRole = (after: string) =>
  /^, /.test(after) && PERSON_ROLE.test(after.slice(2, 50).split(/[.;,]/, 1)[0] ?? "");
/** "the CTO of ", "lead architect for ": the words just before the preposition are a role. */
const isRoleBefore = (before: string) =>
  PERSON_ROLE.test(
    before
      .slice(-40)
      .split(/[.;:]/)
      .at(-1)
      ?.replace(/^.*\b(?:and|who|that)\b/i, "") ?? "",
  );

/** "— Ann Lee, Head of Platform, Acme Ltd": who said a quote, and where they work. */
function noteAttribution(text: string, candidates: Candidates): boolean {
  const lead =
    /^["”]?\s?(?:[—–]|-{1,3})\s?(?=\S)/.exec(text)?.[0] ?? (/["”]\s{0,2}[—–-]{1,2}\s/.exec(text) ? null : undefined);
  if (lead === undefined || text.length > 400) return false;
  const line = lead === null ? (text.split(/["”]\s{0,2}[—–-]{1,2}\s/).at(-1) ?? "") : text.slice(lead.length);
  if (line.length > 200) return false;
  const at = /^(.{0,120}?)\s(?:at|@)\s(.{2,80})$/.exec(line);
  if (at?.[2] !== undefined && ROLE.test(at[1] ?? "")) {
    candidates.note(at[2].replace(/\.$/, ""), "attribution", text);
    noteSpeaker(at[1] ?? "", candidates);
    return true;
  }
  const pieces = joinLegal(
    line
      .replace(/\.$/, "")
      .split(/,|\s[|/–—-]\s/)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== ""),
  );
  noteSpeaker(pieces[0] ?? "", candidates);
  const last = pieces.at(-1) ?? "";
  const roles = pieces.slice(0, -1).filter((piece) => PERSON_ROLE.test(piece));
  const isSaid = roles.length > 0 && !PERSON_ROLE.test(last) && nameRuns(last)[0]?.start === 0;
  if (isSaid) candidates.note(last, "attribution", text);
  else {
    const of = /\b(?:of|for|from|to) (?:the )?(.{2,80})$/.exec(last)?.[1];
    if (of !== undefined && PERSON_ROLE.test(last) && nameRuns(of)[0]?.start === 0)
      candidates.note(of, "role-at", text);
  }
  return true;
}

function noteSpeaker(piece: string, candidates: Candidates): void {
  const run = nameRuns(piece)[0];
  if (run !== undefined && !PERSON_ROLE.test(run.text)) candidates.person(run.text);
}

/** "Acme, Inc." was cut at its comma. */
function joinLegal(pieces: readonly string[]): string[] {
  const joined: string[] = [];
  for (const piece of pieces) {
    if (/^(?:inc|ltd|llc|gmbh|corp|co|s\.?a)\.?$/i.test(piece) && joined.length > 0)
      joined[joined.length - 1] += `, ${piece}`;
    else joined.push(piece);
  }
  return joined;
}

function noteHeading(text: string, candidates: Candidates): void {
  const about =
    /^(?:about|who (?:is|are)|what (?:is|are|does)|meet|why|introduction to|introducing|the company)[:,]? (?:the )?(.{2,80}?)(?: do(?:es)?| is| does| uses?)?\??$/i.exec(
      text,
    )?.[1];
  if (about !== undefined && nameRuns(about)[0]?.start === 0) candidates.note(about, "about", text);
}

/** "World Meteorological Organization (WMO)": both names are one client's. */
function noteShortNames(text: string, runs: readonly NameRun[], candidates: Candidates): void {
  if (!text.includes("(")) return;
  for (const [index, run] of runs.entries()) {
    const short = /^ ?\((?:or |a\.?k\.?a\.? )?["“]?([\p{Lu}][\p{L}\d&.-]{1,20})["”]?\)/u.exec(
      text.slice(run.end, run.end + 40),
    )?.[1];
    if (short === undefined) continue;
    if (run.text.includes(" ")) candidates.note(run.text, "also-called", short);
    const before = runs[index - 1];
    if (before === undefined || text.slice(before.end, run.start) !== " and ") continue;
    // "Paloma Irrigation and Drainage District (PIDD)": the letters show that both are one name.
    const joint = text.slice(before.start, run.end);
    const letters = joint
      .split(" ")
      .filter((word) => word !== "and")
      .map((word) => word[0])
      .join("");
    if (letters.toLowerCase() === short.toLowerCase()) candidates.note(joint, "also-called", short);
  }
}

const MAX_THINGS = 200;
const MAX_DEPTH = 4;
const CLIENT_LABEL =
  /^(?:the )?(?:client|customer|company|organi[sz]ation|organi[sz]ation name|company name|customer name|client name|end user|user|partner|firm|brand|account)s?$/i;
const LOGO =
  /^(.{2,60}?)(?:['’]s)?\s?[-–|,:]?\s?(?:company |customer |brand |client )?(?:logo(?:type|mark)?|brand mark|icon)\b/i;
const LOGO_OF = /\blogo (?:of|for) (?:the )?(.{2,60}?)$/i;

/** Pictures and data objects of a page that name the client outright. */
export function notePage(page: PageText, candidates: Candidates): void {
  for (const { alt } of page.images.slice(0, MAX_THINGS)) {
    const text = alt.slice(0, 200).trim();
    const named = LOGO.exec(text)?.[1] ?? LOGO_OF.exec(text)?.[1];
    if (named !== undefined) candidates.note(named, "logo", text);
  }
  for (const name of jsonLdNames(page.json_ld)) candidates.note(name, "json-ld", null);
}

/** "Customer: Acme" wherever the page says so. */
export function noteLabelled(pairs: readonly Labelled[], candidates: Candidates): void {
  for (const { name, value, text } of pairs) {
    if (!CLIENT_LABEL.test(name)) continue;
    const shown = value.split(/[;|]|, (?!inc|ltd|llc|gmbh|co\b|corp|s\.?a)/i, 1)[0]?.trim() ?? "";
    if (shown.split(" ").length <= 8) candidates.note(shown, "label", text);
  }
}

/** Names of organisations that the page's objects are about, mention or review. */
function jsonLdNames(objects: PageText["json_ld"]): string[] {
  const names: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || names.length >= 20 || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 20)) visit(one, depth + 1);
      return;
    }
    for (const key of ["about", "mentions", "itemReviewed", "sourceOrganization", "customer"])
      noteNamed(Reflect.get(value, key));
    const author: unknown = Reflect.get(value, "author");
    if (String(Reflect.get(value, "@type")).includes("Review")) {
      noteNamed(author);
      if (typeof author === "object" && author !== null) {
        noteNamed(Reflect.get(author, "worksFor"));
        noteNamed(Reflect.get(author, "affiliation"));
      }
    }
    for (const key of ["@graph", "review", "mainEntity", "hasPart"]) visit(Reflect.get(value, key), depth + 1);
  };
  const noteNamed = (value: unknown): void => {
    for (const one of Array.isArray(value) ? value.slice(0, 20) : [value]) {
      if (typeof one !== "object" || one === null) continue;
      const name: unknown = Reflect.get(one, "name");
      if (
        typeof name === "string" &&
        /Organi[sz]ation|Corporation|Business|Brand/i.test(String(Reflect.get(one, "@type")))
      )
        names.push(name.slice(0, 100));
    }
  };
  for (const one of objects.slice(0, 20)) visit(one, 0);
  return names;
}

/** Hosts where many have pages: they belong to nobody's story. */
const SHARED_HOSTS: ReadonlySet<string> = new Set(
  (
    "github.com gitlab.com bitbucket.org youtube.com youtu.be vimeo.com twitter.com x.com linkedin.com facebook.com instagram.com medium.com wikipedia.org " +
    "google.com slideshare.net t.co bit.ly reddit.com stackoverflow.com apache.org kubernetes.io cncf.io w3.org ietf.org archive.org docker.com npmjs.com pypi.org " +
    "amazon.com microsoft.com apple.com slack.com discord.gg discord.com dev.to substack.com wordpress.com blogspot.com crunchbase.com techcrunch.com forbes.com"
  ).split(" "),
);

/** Sites that a service gives to projects: no company's own address. */
const SHARED_SUFFIX =
  /\.(?:github\.io|gitlab\.io|readthedocs\.io|netlify\.app|vercel\.app|herokuapp\.com|web\.app|pages\.dev|wordpress\.com|blogspot\.com|medium\.com|substack\.com)$/;

export interface OutsideLink {
  readonly text: string;
  /** Registrable domain. */
  readonly domain: string;
  /** Its label in one word: `incepto-medical` is `inceptomedical`. */
  readonly label: string;
  /** The link goes to the site's root. */
  readonly isRoot: boolean;
  readonly isShared: boolean;
}

/** Links that leave the vendor's own site. */
export function outsideLinks(page: PageText, vendorDomain: string | null): OutsideLink[] {
  const own = new Set([siteOf(URL.parse(page.url)?.hostname ?? ""), vendorDomain ? siteOf(vendorDomain) : ""]);
  const links: OutsideLink[] = [];
  for (const { href, text } of page.links.slice(0, 5 * MAX_THINGS)) {
    const url = URL.parse(href);
    if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || !url.hostname.includes(".")) continue;
    const domain = siteOf(url.hostname);
    if (own.has(domain) || SHARED_SUFFIX.test(domain) || /^[\d.]+$|:/.test(domain)) continue;
    const label = recordedDomain(domain).label.replace(/[^\p{L}\p{N}]/gu, "");
    links.push({
      text: text.slice(0, 200).trim(),
      domain,
      label,
      isRoot: /^\/?(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i.test(url.pathname) && url.search === "",
      isShared: SHARED_HOSTS.has(domain),
    });
    if (links.length >= MAX_THINGS) break;
  }
  return links;
}

const HOST_WORDS: ReadonlySet<string> = new Set(
  (
    "get go try use join my the we hello app hq lab labs inc io group tech technology technologies global software solution solutions online web corp corporation company na us uk " +
    "eu ag gmbh ltd bank game games media system systems health ai dev cloud team life engineering org official campaign project limited network networks services"
  ).split(" "),
);

/** Whether a host's label is a name's: the same word, its initials, or one with a usual word before or after it. */
export function fitsName(label: string, name: string): boolean {
  const plain = label.toLowerCase();
  const key = normaliseName(name);
  if (plain.length < 2 || key.length < 2) return false;
  // Umlauts are written with an e in hosts.
  const german = name.replace(/ä/gi, "ae").replace(/ö/gi, "oe").replace(/ü/gi, "ue").replace(/ß/g, "ss");
  for (const one of [
    key,
    normaliseName(german),
    normaliseName(name.replace(/&/g, " and ")),
    normaliseName(name.replace(/&/g, "")),
  ]) {
    if (plain === one) return true;
    const at = one.length >= 3 ? plain.indexOf(one) : -1;
    if (at < 0) continue;
    const [before, after] = [plain.slice(0, at), plain.slice(at + one.length)];
    if ((before === "" || HOST_WORDS.has(before)) && (after === "" || HOST_WORDS.has(after))) return true;
  }
  const words = nameWords(name);
  if (
    words.length >= 3 &&
    [words, words.filter((word) => word.length > 3)].some((some) => plain === some.map((word) => word[0]).join(""))
  )
    return true;
  // "Adeo Group" at adeo.com: the first word alone, where the others say only what it is.
  return (
    words.length > 1 && plain.length >= 3 && plain === words[0] && words.slice(1).every((word) => HOST_WORDS.has(word))
  );
}

const SLUG_WORDS: ReadonlySet<string> = new Set(
  "case study studies casestudy usercase user customer story stories interview with the en html htm php md index how blog success spotlight a an of at by and in for to on our".split(
    " ",
  ),
);

/** The name-like rest of an address's last segment, in words: `6-river-systems-case-study` is `6 river systems`. */
export function slugWords(url: string, vendorWords: ReadonlySet<string>): string[] {
  const path = URL.parse(url)?.pathname ?? "";
  const segment =
    path
      .split("/", 30)
      .filter((part) => part !== "")
      .at(-1) ?? "";
  let decoded = segment;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    // Half an escape is a character like others.
  }
  return nameWords(decoded.replace(/\.(?:html?|php|md|aspx)$/i, "").replace(/_/g, " ")).filter(
    (word) => !SLUG_WORDS.has(word) && !vendorWords.has(word),
  );
}
