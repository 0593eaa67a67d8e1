/** People and their devices, in the names of parameters and fields: `user_id`, `visitor[id]`, `"contact":{"id":`. */
export const PEOPLE =
  "visitor|user|client|customer|member|subscriber|contact|session|sess|device|browser|anonymous|distinct|person|lead";

/** A quote, plain or as JSON in a string, a URL or an attribute writes it: `\"`, `%22`, `&quot;`, `\u0022`. */
export const QUOTE =
  "\\\\{0,8}(?:[\"'`]|%(?:25){0,2}2[27]|&(?:amp;){0,2}(?:quot|apos|#0?3[49]|#x2[27]);)|\\\\{1,8}(?:u002|x2)[27]";
/** `=` or `:`, likewise. */
export const EQUALS =
  "={1,3}|:|%(?:25){0,2}3[AD]|\\\\{1,8}(?:u003|x3)[ad]|&(?:amp;){0,2}(?:#0?(?:58|61)|#x3[ad]|equals|colon);";
/** Of a list, in the names of parameters: `uid[]`, `user_id[0]`. */
export const INDEX = "\\[\\d{0,4}\\]|%(?:25){0,2}5B\\d{0,4}%(?:25){0,2}5D";

/** A bracket that opens, `[` or `{`, or that closes; with the backslashes before its code. */
const bracket = (plain: string, hex: string, decimal: string) =>
  `${plain}|%(?:25){0,2}(?:${hex})|\\\\{1,8}(?:u00|x)(?:${hex})|&(?:amp;){0,2}#(?:${decimal}|x(?:${hex}));`;
const SQUARE = bracket("\\[", "5B", "91");
const CURLY = bracket("\\{", "7B", "123");
const IS_SQUARE = new RegExp(`^(?:${SQUARE})$`, "i");
const OPENS = new RegExp(`^(?:${SQUARE}|${CURLY})$`, "i");
const CLOSES = new RegExp(`^(?:${bracket("[\\]}]", "[57]D", "93|125")})$`, "i");

/** A quote with the backslashes before it, a bracket, or the end of a line; plain, or as a URL, a script or an attribute writes it. */
const SIGN =
  /(?<!\\)(\\*)(["'`]|&(?:amp;){0,2}(?:quot|apos|#0?3[49]|#x2[27]);)|%(?:25){0,2}(?:2[27]|[57][BD])|\\{1,8}(?:u00|x)(?:2[27]|[57][BD])|&(?:amp;){0,2}#(?:9[13]|12[35]|x[57][BD]);|[[\]{}\n]/gi;

const BLANKS = "(?:\\s|%(?:25){0,2}(?:20|0[9AD])|\\+|\\\\{1,8}[nrt]){0,8}";
const PERSON = `(?:${PEOPLE}|profile|identify)(?:s?_?(?:list|map|by_?id)|s)?|people`;
/** What lists and answers are wrapped in: `"users":{"edges":[{"node":{"id":`. */
const WRAPPER = "data|edges|entries|items|nodes?|records|results|rows|attributes";
/**
 * A name of a person, of persons or of a wrapper, and the bracket of its value: `activeUsers=[`, `"user":{`, `setUser({`,
 * `"identify",{`, `users=JSON.parse('[`.
 */
const OPENER = new RegExp(
  `(?:(${PERSON})(?:_?id)?|(?<![a-z])(?:${WRAPPER}))(?:${QUOTE})?(?:${INDEX})?${BLANKS}(?:${EQUALS}|[,(])${BLANKS}(?:(?:new\\s)?[a-z.]{1,20}\\(\\s{0,8})?(?:${QUOTE})?(${SQUARE}|${CURLY})`,
  "gi",
);
const OF_MANY = /(?:s|people|list|map|id)$/i;

interface Quote {
  readonly sign: string;
  readonly escapes: number;
}

/** An object or a list that is open. */
interface Container {
  /** Brackets around it. */
  readonly base: number;
  /** Of persons, by number or by name. */
  readonly isMany: boolean;
  readonly isSquare: boolean;
  /** The text that it is in. */
  readonly quote: Quote | undefined;
}

/** What is open at a place. */
interface State {
  readonly containers: readonly Container[];
  readonly depth: number;
  readonly quote: Quote | undefined;
}

/**
 * Reads each character of the text once at most, and signs only within persons.
 *
 * @param onState is called with what is open from the end of a sign to the next sign
 */
function createReader(text: string, onState?: (state: State, from: number, to: number) => void) {
  const containers: Container[] = [];
  let depth = 0;
  let quote: Quote | undefined;
  let end = 0;
  /** The first sign and the first name that were not read; kept, because they may be far. */
  let next: RegExpExecArray | null = null;
  let opener = find(OPENER, 0);

  function find(pattern: RegExp, from: number): RegExpExecArray | null {
    pattern.lastIndex = from;
    return pattern.exec(text);
  }

  function readSigns(to: number, report?: typeof onState): void {
    while (next && next.index < to && containers.length > 0) {
      const [whole, escapes = "", quoted] = next;
      // Not between a name and its bracket.
      if (depth > containers.at(-1)!.base) report?.({ containers, depth, quote }, end, next.index);
      const sign = (quoted ?? whole).toLowerCase();
      if (quote === undefined) readOutside(sign, escapes.length, text.charAt(next.index - 1));
      else if (sign === "\n" ? quote.sign !== "`" : endsText(quote, sign, escapes.length)) quote = undefined;
      end = next.index + whole.length;
      next = find(SIGN, end);
    }
    if (containers.length > 0 && next === null && depth > containers.at(-1)!.base)
      report?.({ containers, depth, quote }, end, text.length);
  }

  function readOutside(sign: string, escapes: number, before: string): void {
    if (sign === "\n") return;
    if (OPENS.test(sign)) depth += 1;
    else if (CLOSES.test(sign)) {
      depth -= 1;
      while (depth <= (containers.at(-1)?.base ?? -1)) quote = containers.pop()?.quote;
    }
    // In a comment of code, `it's`: as a quote, it would take what follows the list for a part of the list.
    else if (sign !== "'" || !/\p{L}/u.test(before)) quote = { sign, escapes };
  }

  function isInside(): boolean {
    const last = containers.at(-1);
    if (last === undefined) return false;
    const level = depth - last.base;
    return last.isSquare ? level === 2 : level === 1 || (level === 2 && last.isMany);
  }

  /** A wrapper is an object of a person, or the list of what is named after persons: no list that a person has. */
  function mayWrap(isSquare: boolean): boolean {
    const last = containers.at(-1);
    return isInside() && (!isSquare || (last?.isMany === true && !last.isSquare && depth - last.base === 1));
  }

  return {
    isInside,
    readTo(at: number): void {
      for (; opener !== null; opener = find(OPENER, OPENER.lastIndex)) {
        const [whole, person, bracket = ""] = opener;
        const open = opener.index + whole.length - bracket.length;
        if (open >= at) break;
        OPENER.lastIndex = open;
        readSigns(opener.index, onState);
        const isSquare = IS_SQUARE.test(bracket);
        const isOpen = person !== undefined || mayWrap(isSquare);
        readSigns(open);
        OPENER.lastIndex = open;
        if (!isOpen) continue;
        if (containers.length === 0) {
          for (const place of [end, opener.index]) onState?.({ containers, depth, quote }, place, place);
          [depth, quote, end] = [0, undefined, open];
          next = find(SIGN, open);
        }
        containers.push({ base: depth, isMany: person !== undefined && OF_MANY.test(person), isSquare, quote });
        quote = undefined;
      }
      readSigns(at, onState);
    },
    /** Of a text that was read to its end. */
    end: () => (containers.length === 0 ? end : undefined),
  };
}

/** Whether a quote ends a text that began with one after so many backslashes: `\\"` ends `"…`, and `\"` does not. */
const endsText = (quote: Quote, sign: string, escapes: number): boolean =>
  quote.sign === sign &&
  escapes % (quote.escapes + 1) === quote.escapes &&
  Math.floor(escapes / (quote.escapes + 1)) % 2 === 0;

/** Whether a place in a text is a field of a person, `"user":{"plan":{…},"id":`, and of nothing within. */
export interface PersonLists {
  /** @param at after every earlier place */
  isField(at: number): boolean;
}

export function createPersonLists(text: string): PersonLists {
  const reader = createReader(text);
  return {
    isField(at) {
      reader.readTo(at);
      return reader.isInside();
    },
  };
}

/** A text that opens the same brackets, and the place from which what follows it is read. */
interface Opening {
  readonly at: number;
  readonly text: string;
}

/** Between places of which the openings are kept. */
const STEP = 1_000;
/** More than a name of persons has, with what is before its bracket. */
const MAX_NAME = 200;
/** More than are closed in a part of a text. */
const MAX_OPENING = 8_000;

let read = "";
let openings: readonly Opening[] = [];

/**
 * What to read before a part of a text, so that it is known where it is within persons. The openings of the last text are
 * kept, for its many parts.
 */
export function openingAt(text: string, at: number): Opening {
  if (read !== text) [read, openings] = [text, openingsOf(text)];
  let [low, high] = [0, openings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (openings[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  const last = openings[low - 1];
  if (last === undefined) return { at, text: "" };
  // Farther than that there is no sign, or nothing is open.
  return at - last.at > (last.text === "" ? MAX_NAME : 3 * STEP) ? { at, text: last.text } : last;
}

function openingsOf(text: string): readonly Opening[] {
  const found: Opening[] = [];
  const reader = createReader(text, (state, from, to) => {
    const last = found.at(-1);
    if (state.containers.length > 0 && last && last.text !== "" && to - last.at < STEP) return;
    found.push({ at: to - from > STEP ? from : to, text: openingOf(state) });
  });
  reader.readTo(text.length);
  const end = reader.end();
  if (end !== undefined && found.length > 0) found.push({ at: end, text: "" });
  return found;
}

function openingOf({ containers, depth, quote }: State): string {
  const parts: string[] = [];
  let length = 0;
  let inner = depth;
  let within = quote;
  for (let index = containers.length - 1; index >= 0 && length < MAX_OPENING; index--) {
    const { base, isMany, isSquare, quote: around } = containers[index]!;
    const levels = "{".repeat(Math.min(inner - base - 1, MAX_OPENING));
    const part = `${isMany ? "users" : "user"}:${isSquare ? "[" : "{"}${levels}${quoteOf(within)}`;
    parts.unshift(part);
    length += part.length;
    inner = base;
    within = around;
  }
  return quoteOf(within) + parts.join("");
}

const quoteOf = (quote: Quote | undefined): string => (quote ? "\\".repeat(quote.escapes) + quote.sign : "");
