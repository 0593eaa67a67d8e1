const PREVIOUS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    by: "by",
    to: "to",
    in: "in",
    within: "within",
    under: "within",
    for: "for",
    last: "last",
    past: "last",
    next: "last",
    first: "last",
    every: "every",
    after: "after",
    of: "of",
    than: "more than",
    over: "more than",
    "~": "more than",
    ">": "more than",
    about: "about",
    around: "about",
    approximately: "about",
    nearly: "about",
    almost: "about",
    roughly: "about",
    "(": "bracket",
    "[": "bracket",
    only: "only",
    just: "only",
    the: "the",
    these: "the",
    those: "the",
    our: "the",
    its: "the",
    their: "the",
    all: "all",
    a: "a",
    an: "a",
    step: "label",
    figure: "label",
    version: "label",
    v: "label",
    day: "label",
    phase: "label",
    chapter: "label",
    layer: "label",
    top: "label",
    least: "least",
    from: "from",
    between: "from",
  }),
);
/** Adds what the word before a figure says. */
export function addPrevious(found: Set<string>, word: string): void {
  const name = PREVIOUS.get(word);
  if (name !== undefined) found.add(`previous ${name}`);
}

const NEXT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    of: "of",
    ago: "ago",
    later: "later",
    old: "ago",
    from: "from",
    before: "ago",
    after: "later",
    in: "in",
    to: "to",
    for: "for",
  }),
);
/** Adds what the word after a figure says. */
export function addNext(found: Set<string>, word: string, kind: string): void {
  const name = NEXT.get(word);
  if (name !== undefined)
    found.add(kind === "duration" && (name === "ago" || name === "later") ? "time ago" : `next ${name}`);
}
