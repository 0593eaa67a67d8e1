/** A text as it is compared, and where each of its characters stood. */
export interface FoldedText {
  readonly text: string;
  /** Place in the source of each UTF-16 code unit of `text`. */
  readonly places: Uint32Array;
}

/** Quotation marks, apostrophes, marks of emphasis and what is invisible: people and models write them as they like. */
const LEFT_OUT = /["'`´“”„‟«»‹›‘’‚‛*_~\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/;
const DASH = /[‐‑‒–—―−]/;
const SPACE = /\s/;

/** Without case, accents, quotation marks and emphasis; white space and dashes are of one kind. */
export function foldWithPlaces(source: string): FoldedText {
  const places = new Uint32Array(source.length * 4 + 16);
  const parts: string[] = [];
  let length = 0;
  let wasSpace = true;
  let at = 0;
  for (const character of source) {
    const folded = foldCharacter(character);
    const isSpace = folded === " ";
    // Compatibility forms of a few characters are long (a ligature of eighteen letters): they are cut.
    const kept = isSpace && wasSpace ? "" : folded.slice(0, 4);
    for (let unit = 0; unit < kept.length; unit++) places[length + unit] = at;
    if (kept !== "") {
      parts.push(kept);
      length += kept.length;
      wasSpace = isSpace;
    }
    at += character.length;
  }
  return { text: parts.join(""), places: places.subarray(0, length) };
}

/** @see foldWithPlaces */
export function fold(source: string): string {
  return foldWithPlaces(source).text.trim();
}

function foldCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 128) {
    if (SPACE.test(character)) return " ";
    return LEFT_OUT.test(character) ? "" : character.toLowerCase();
  }
  if (SPACE.test(character)) return " ";
  if (LEFT_OUT.test(character)) return "";
  if (DASH.test(character)) return "-";
  return character.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ");
}

/** Writings in which words stand apart; in the others a name may be found inside a run of letters. */
const APART = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Nd}]/u;
const MAX_TRIES = 1_000;

/** Places in `text` at which `needle` stands as words of its own. Both are folded. */
export function placesOf(text: string, needle: string): number[] {
  const found: number[] = [];
  if (needle === "") return found;
  let at = text.indexOf(needle);
  for (let tried = 0; at >= 0 && tried < MAX_TRIES; tried++) {
    const end = at + needle.length;
    const isWhole = !joined(text[at - 1], text[at]) && !joined(text[end - 1], text[end]);
    if (isWhole) found.push(at);
    at = text.indexOf(needle, at + 1);
  }
  return found;
}

const joined = (left: string | undefined, right: string | undefined) =>
  left !== undefined && right !== undefined && APART.test(left) && APART.test(right);
