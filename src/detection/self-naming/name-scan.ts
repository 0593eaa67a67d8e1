import { codesOf } from "../character-codes.ts";
import type { Fingerprint } from "../fingerprints/types.ts";
import { CONTINUED_LENGTH, type NameIndex, nameHash, START_LENGTH, startHash } from "./names.ts";

/** A tool's name at the start of a word of an identifier: in `enableGoogleAnalytics` from `Google` to the end. */
export interface FoundName {
  readonly tool: Fingerprint;
  readonly name: string;
  /** False for an everyday word, which means the tool only in a setting that cannot be another's. */
  readonly isDistinct: boolean;
  readonly at: number;
  readonly end: number;
}

/** Longest name in characters, separators included. */
const MAX_LENGTH = 30;
/** Names of one tool in one text. */
const MAX_OF_TOOL = 32;
/** Beginnings that are compared in one text; a page of 300 KB has a few hundred. */
const MAX_TRIED = 20_000;

/** 1 lower case, 2 upper case, 3 digit, 4 `_`, `-` or `$`, 0 anything else. */
const CLASS = Uint8Array.from({ length: 128 }, (_, code) =>
  code >= 97 && code <= 122
    ? 1
    : code >= 65 && code <= 90
      ? 2
      : code >= 48 && code <= 57
        ? 3
        : code === 95 || code === 45 || code === 36
          ? 4
          : 0,
);
const SEPARATOR = 4;
/** A letter in lower case, a digit, {@link SEPARATOR}, or 0. */
const FOLDED = CLASS.map((type, code) => (type === 2 ? code + 32 : type === 1 || type === 3 ? code : type));
const classOf = (code: number): number => (code < 128 ? CLASS[code]! : 0);
const classAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? CLASS[code]! : 0;
};

/**
 * The names of tools in a text of code or mark-up, in one pass: a name counts where a word of an identifier begins, and
 * only whole words: `hubspotPortal`, `data-hubspot-form` and `HUBSPOT_ID` name HubSpot, `hubspotting` does not.
 *
 * @param onName returns whether more names of this tool are of use. It must not search a text by {@link codesOf}: the codes
 *   that this function reads are valid until then.
 */
export function scanNames(text: string, names: NameIndex, onName: (found: FoundName) => boolean): void {
  const counts = new Map<Fingerprint, number>();
  let tried = 0;
  let before = 0;
  const { length } = text;
  const codes = codesOf(text);
  // The codes of an earlier, longer text are of no use.
  if (length < codes.length) codes[length] = 0;
  for (let at = 0; at < length; at++) {
    const code = codes[at]!;
    const type = code < 128 ? CLASS[code]! : 0;
    const isStart =
      (type === 1 && before !== 1 && before !== 2) ||
      (type === 2 && (before !== 2 || classOf(codes[at + 1]!) === 1)) ||
      (type === 3 && before !== 1 && before !== 2 && before !== 3);
    before = type;
    if (!isStart) continue;
    let window = 0;
    let letters = 0;
    for (let next = at; letters < START_LENGTH && next < at + 2 * START_LENGTH; next++) {
      const follows = next < length ? codes[next]! : 0;
      const folded = follows < 128 ? FOLDED[follows]! : 0;
      if (folded === SEPARATOR) continue;
      if (folded === 0) break;
      window = (window << 8) | folded;
      letters += 1;
    }
    if (letters < START_LENGTH || !names.mayBegin(startHash(window))) continue;
    if (++tried > MAX_TRIED) return;
    const found = longestName(text, at, names);
    if (!found) continue;
    const count = (counts.get(found.tool) ?? 0) + 1;
    if (count > MAX_OF_TOOL) continue;
    counts.set(found.tool, onName(found) ? count : MAX_OF_TOOL);
  }
}

function longestName(text: string, at: number, names: NameIndex): FoundName | undefined {
  let length = 0;
  let hash = 0;
  let separators = 0;
  let capitals = 0;
  let found: FoundName | undefined;
  let previous = 0;
  for (let end = at; end < at + MAX_LENGTH; end++) {
    const code = text.charCodeAt(end);
    const type = code < 128 ? CLASS[code]! : 0;
    if (type === 0) break;
    if (type === 4) {
      separators |= 1 << length;
      previous = type;
      continue;
    }
    if (type === 2 && length > 0 && previous === 1) capitals |= 1 << length;
    previous = type;
    hash = nameHash(hash, FOLDED[code]!);
    length += 1;
    if (length > START_LENGTH && length <= CONTINUED_LENGTH && !names.mayContinue(hash)) break;
    if (length < START_LENGTH || !names.mayBe(hash) || !endsWord(type, text, end + 1)) continue;
    const name = text
      .slice(at, end + 1)
      .replace(/[_$-]/g, "")
      .toLowerCase();
    const tool = names.exact(name);
    if (tool && names.isWrittenSo(name, separators, capitals))
      found = { tool, name, isDistinct: names.distinct(name) !== undefined, at, end: end + 1 };
  }
  return found;
}

/** Whether a word ends before `next`: at a change from lower to upper case, a digit or a separator. */
function endsWord(type: number, text: string, next: number): boolean {
  const follows = classAt(text, next);
  if (follows === 0 || follows === 4) return true;
  if (type === 3) return follows !== 3;
  if (follows === 3) return true;
  if (type === 1) return follows === 2;
  return follows === 2 ? classAt(text, next + 1) === 1 : false;
}

/** The identifier that a range is a part of. */
export function identifierAround(
  text: string,
  at: number,
  end: number,
): { readonly from: number; readonly to: number } {
  let from = at;
  let to = end;
  while (from > 0 && at - from < 60 && classAt(text, from - 1) !== 0) from -= 1;
  while (to < text.length && to - end < 60 && classAt(text, to) !== 0) to += 1;
  return { from, to };
}
