import type { StorySentence } from "../story.ts";
import type { Candidates, Cue } from "./candidates.ts";
import { ORGANISATION, PERSON_ROLE, ROLE } from "./lexicon.ts";
import { type NameRun, nameRuns } from "./names.ts";

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
