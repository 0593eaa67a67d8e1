/** A compiled expression, letter case ignored. A `RegExp` is one. */
export interface Expression {
  test(text: string): boolean;
  /** The match and its groups. */
  exec(text: string): ArrayLike<string | undefined> | null;
}

/** What the expressions of a rule are written in, and what runs them. */
export interface Expressions {
  /** @throws what {@link faultIn} would have told */
  compile(source: string): Expression;
  /** Why a source must not be used, after "regex: "; undefined when it may. */
  faultIn(source: string): string | undefined;
  /** Whether a match has a first group. */
  hasGroup(source: string): boolean;
}

/** JavaScript's own, kept to bounded repeats: its engine tries every way in which a text may match. */
export const BOUNDED: Expressions = {
  compile: (source) => new RegExp(source, "i"),
  faultIn: boundedFault,
  hasGroup,
};

/** Refuses unbounded repeats, repeats of a repeat, back-references and what does not compile. */
function boundedFault(source: string): string | undefined {
  if (!compiles(source)) return "does not compile";
  const bare = source.replace(/\\[^\dk]/g, "x").replace(/\[(?:\^)?[^\]]{1,100}\]/g, "x");
  if (/\\[\dk]/.test(bare)) return "holds a back-reference";
  if (/[*+]|\{\d+,\}/.test(bare)) return "holds an unbounded repeat; write {0,200} instead";
  if (repeatsRepeat(bare)) return "repeats a group that holds a repeat";
  for (const [, low, high] of bare.matchAll(/\{(\d+)(?:,(\d+))?\}/g)) {
    if (Number(high ?? low) > 300) return "repeats more than 300 times";
  }
  return undefined;
}

/** @param bare an expression without escapes and classes */
function repeatsRepeat(bare: string): boolean {
  // One entry for each open group: whether a repeat, however deep, stands in it.
  const open: boolean[] = [false];
  for (let at = 0; at < bare.length; at++) {
    if (bare[at] === "(") {
      open.push(false);
      // `(?:`, `(?=` and their like: no quantifier.
      if (bare[at + 1] === "?") at += 1;
    } else if (bare[at] === ")") {
      const holdsRepeat = open.pop() ?? false;
      if (holdsRepeat && bare[at + 1] === "{") return true;
      if (holdsRepeat) open[open.length - 1] = true;
    } else if (bare[at] === "{" || bare[at] === "?") open[open.length - 1] = true;
  }
  return false;
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, "i") instanceof RegExp;
  } catch {
    return false;
  }
}

/** With an empty alternative every expression meets the empty text, and its match lists the groups. */
function hasGroup(source: string): boolean {
  return compiles(source) && (new RegExp(`${source}|`).exec("")?.length ?? 0) > 1;
}
