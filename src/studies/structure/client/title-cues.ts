import type { Candidates, Cue } from "./candidates.ts";
import { GENERIC, TITLE_VERBS, UNNAMED } from "./lexicon.ts";
import { foldName, isNameWord, nameRuns } from "./names.ts";

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
export const tellsOfNobody = (title: string): boolean =>
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
  if (words.length > 6 || piece.length > 60 || foldName(piece).length < 2) return false;
  if (words.some((word, at) => at > 0 && TITLE_VERBS.has(word.toLowerCase()))) return false;
  return (
    words.length === 1 || words.every((word) => isNameWord(word) || /^(?:of|and|the|de|&|\d{1,4}|for)$/.test(word))
  );
};
