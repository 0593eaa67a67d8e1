const SLASH = 47;
const STAR = 42;
const BACKSLASH = 92;
const NEWLINE = 10;
const BACKTICK = 96;

/** Whether a text may hold a comment: `//` that follows no scheme and no quote, or `/*`. */
const MAY_HAVE_COMMENT = /(?:^|[^:"'`\\])\/[/*]/;
/** After these a slash begins a regular expression, after others a division. */
const BEFORE_REGEX = new Set([..."(,=:[!&|?{;+-*%~^<>"].map((character) => character.charCodeAt(0)));
/** Characters before `//` that make it a part of an address, also where a string was misread. */
const OF_ADDRESS = new Set([...":\"'`\\"].map((character) => character.charCodeAt(0)));
/** Longer lines are minified code, where a misread quote would hide the rest. */
const MAX_LINE_COMMENT = 2_000;
/** Characters of a comment that show whether it is code. */
const MAX_READ = 4_000;
/** A statement, an assignment, a call, or the address of a script: code that somebody switched off. */
const IS_CODE = /[;={}]|\w\(|:\/\/\S{0,300}\.js\b/;

/**
 * A script without the code that is commented out. Comments in prose stay: they name the software that wrote them, and
 * the tickets of those who wrote the script. So do licences. An address in a string and a regular expression hold no
 * comment. Not a parser: strings inside `${}` of templates are read as code, and what is not closed on its line is no
 * string. Linear.
 */
export function withoutDisabledCode(source: string): string {
  if (!MAY_HAVE_COMMENT.test(source)) return source;
  let text = "";
  let kept = 0;
  /** Before these places it is known that nothing is closed: each unclosed beginning is followed once. */
  const unclosed = new Map<number, number>();
  /** The last character of code that is no white space. */
  let before = BEFORE_START;
  const comment = (from: number, to: number) => {
    if (source[from + 2] === "!" || !IS_CODE.test(source.slice(from + 2, Math.min(to, from + MAX_READ)))) return;
    text += `${source.slice(kept, from)} `;
    kept = to;
  };
  for (let at = 0; at < source.length; at++) {
    const character = source.charCodeAt(at);
    if (character <= 32) continue;
    if (character === 34 || character === 39 || character === BACKTICK) {
      if (at >= (unclosed.get(character) ?? 0)) {
        const end = stringEnd(source, at, character);
        if (source.charCodeAt(end) === character) at = end;
        else unclosed.set(character, end);
      }
    } else if (character === SLASH) {
      const next = source.charCodeAt(at + 1);
      if (next === STAR) {
        const end = source.indexOf("*/", at + 2);
        if (end < 0) break;
        comment(at, end + 2);
        at = end + 1;
        continue;
      }
      if (next === SLASH && !OF_ADDRESS.has(source.charCodeAt(at - 1))) {
        const line = source.indexOf("\n", at);
        const end = line < 0 ? source.length : line;
        if (end - at <= MAX_LINE_COMMENT) comment(at, end);
        at = end - 1;
        continue;
      }
      if (BEFORE_REGEX.has(before) && at >= (unclosed.get(SLASH) ?? 0)) {
        const end = regexEnd(source, at);
        if (source.charCodeAt(end) === SLASH) at = end;
        else unclosed.set(SLASH, end);
      }
    }
    before = character;
  }
  return text + source.slice(kept);
}

/** As if a statement ended before the script. */
const BEFORE_START = 59;

/** The closing quote, or the end of the line; only templates have several lines. */
function stringEnd(source: string, start: number, quote: number): number {
  for (let at = start + 1; at < source.length; at++) {
    const character = source.charCodeAt(at);
    if (character === quote || (character === NEWLINE && quote !== BACKTICK)) return at;
    if (character === BACKSLASH) at += 1;
  }
  return source.length;
}

/** The closing slash, or the end of the line; a slash in `[]` closes nothing. */
function regexEnd(source: string, start: number): number {
  let isInSet = false;
  for (let at = start + 1; at < source.length; at++) {
    const character = source.charCodeAt(at);
    if (character === NEWLINE || (character === SLASH && !isInSet)) return at;
    if (character === BACKSLASH) at += 1;
    else if (character === 91) isInSet = true;
    else if (character === 93) isInSet = false;
  }
  return source.length;
}
