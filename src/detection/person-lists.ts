/** A quote with the backslashes before it, or a bracket; plain, or as a URL or an attribute writes it. */
const SIGN = /(\\{0,8})(["'`]|&(?:amp;){0,2}(?:quot|apos|#0?3[49]|#x2[27]);)|%(?:25){0,2}(?:2[27]|[57][BD])|[[\]{}]/gi;

/** Whether a place in a text is a field of an object in a list of persons, `"users":[{"id":`, and of none within that object. */
export interface PersonLists {
  /** @param at the place of the bracket that begins a list of persons, after every earlier place */
  open(at: number): void;
  /** @param at after every earlier place */
  isField(at: number): boolean;
}

/** Reads each character of the text once at most, and none outside such lists. */
export function createPersonLists(text: string): PersonLists {
  /** Of the lists that are open, how deep each one's objects are. */
  const lists: number[] = [];
  let depth = 0;
  let quote: { readonly sign: string; readonly escapes: number } | undefined;
  /** The first sign that was not read; kept, because it may be far. */
  let next: RegExpExecArray | null = null;

  function find(from: number): void {
    SIGN.lastIndex = from;
    next = SIGN.exec(text);
  }

  function readTo(at: number): void {
    while (next && next.index < at && lists.length > 0) {
      const [whole, escapes = ""] = next;
      const sign = whole.slice(escapes.length).toLowerCase();
      if (quote === undefined) readOutside(sign, escapes.length);
      else if (quote.sign === sign && endsText(escapes.length, quote.escapes)) quote = undefined;
      find(next.index + whole.length);
    }
  }

  function readOutside(sign: string, escapes: number): void {
    if (/^[[{]$|[57]b$/.test(sign)) depth += 1;
    else if (/^[\]}]$|[57]d$/.test(sign)) {
      depth -= 1;
      if (depth < (lists.at(-1) ?? 0) - 1) lists.pop();
    } else quote = { sign, escapes };
  }

  return {
    open(at) {
      readTo(at);
      if (lists.length === 0) {
        depth = 0;
        quote = undefined;
        find(at);
      }
      // Its own bracket is read next.
      lists.push(depth + 2);
    },
    isField(at) {
      readTo(at);
      return lists.at(-1) === depth;
    },
  };
}

/** Whether a quote ends a text that began with one after so many backslashes: `\\"` ends `"…`, and `\"` does not. */
const endsText = (escapes: number, opening: number): boolean =>
  escapes % (opening + 1) === opening && Math.floor(escapes / (opening + 1)) % 2 === 0;
