import { wordSet } from "../word-lists.ts";
import type { Amount } from "./amounts.ts";
import type { Token } from "./tokens.ts";
import { changeOf, meaningOf } from "./words.ts";

/** Which figures of a sentence give an earlier state, and which later figure belongs to it. */
export interface Pairs {
  /** Index of the later figure to the index of the earlier one. */
  readonly beforeOf: ReadonlyMap<number, number>;
  /** Indexes of figures of an earlier state. */
  readonly before: ReadonlySet<number>;
}

/** Words between "from" or "to" and the figure. */
const QUALIFIERS =
  wordSet(`over about more fewer than around nearly roughly as few little much many up a an the under less
  just only some approximately almost at least initial ~ < > ≈ well somewhere between original previous down every below
  within merely mere close our an average of [ ( " ' “ *`);
const MAX_BETWEEN = 16;
const ARROWS = wordSet("→ ➔ ➜ ⇒ ►");

/** Finds "from three hours to ten minutes", "3 h → 10 min", "10 instead of 40", "used to take a day, now an hour". */
export function findPairs(tokens: readonly Token[], amounts: readonly Amount[]): Pairs {
  const beforeOf = new Map<number, number>();
  const before = new Set<number>();
  for (let first = 0; first + 1 < amounts.length; first++) {
    const left = amounts[first];
    const right = amounts[first + 1];
    if (!left || !right || before.has(first) || beforeOf.has(first)) continue;
    if (!areComparable(left, right) || (left.value === right.value && left.unit === right.unit)) continue;
    const order = right.from - left.to > MAX_BETWEEN ? null : pairDirection(tokens, left, right);
    if (order === null) continue;
    const [was, is] = order === "rising" ? [first, first + 1] : [first + 1, first];
    beforeOf.set(is, was);
    before.add(was);
  }
  amounts.forEach((amount, index) => {
    if (beforeOf.has(index) || before.has(index) || !isStateBefore(tokens, amount)) return;
    before.add(index);
    // "in two days what would have taken a month", "the original took a year; this one took a week".
    const after = [index - 1, index + 1].find((other) => {
      const text = amounts[other];
      return (
        text !== undefined &&
        !before.has(other) &&
        !beforeOf.has(other) &&
        text.dimension === amount.dimension &&
        text.unit !== null
      );
    });
    if (after !== undefined && amount.dimension !== "count") beforeOf.set(after, index);
  });
  return { beforeOf, before };
}

/** "from four hours to a few minutes", "used to take a day", "would have taken a month", "instead of 20". */
function isStateBefore(tokens: readonly Token[], amount: Amount): boolean {
  const precedingWords = tokens.slice(Math.max(0, amount.from - 9), amount.from).map(({ word }) => word);
  const text = precedingWords.join(" ");
  const previous = wordBefore(tokens, amount.from);
  if (previous === "from") {
    const followingWords = tokens.slice(amount.to, amount.to + 12).map(({ word }) => word);
    const to = followingWords.indexOf("to");
    if (
      to >= 0 &&
      /^(?:a|an|just|mere|under|less|few|several|tens|dozens|hundreds|thousands|seconds|minutes|hours|days|weeks|near|almost|zero|within|multiple)$/.test(
        followingWords[to + 1] ?? "",
      )
    )
      return true;
    return hasChange(tokens, amount.from) || /\b(?:went|gone|go|going|moved|down|up)\b/.test(text);
  }
  if (/\b(?:instead of|rather than|as opposed to|down from|up from)\b[^;]{0,30}$/.test(text)) return true;
  const followingWords = tokens
    .slice(amount.to, amount.to + 6)
    .map(({ word }) => word)
    .join(" ");
  if (/^(?:(?:was|were|been|is|are) (?:\w+ )?(?:shaved|cut|reduced|lowered|shortened) by)\b/.test(followingWords))
    return true;
  if (/\b(?:now|today|currently)\b/.test(text)) return false;
  if (/^(?:" )?before ,.*\b(?:took|needed|required|cost)\b/.test(text)) return true;
  return /\b(?:used to (?:be|take|have|do|need|require|cost|spend|run|wait)|would have (?:\w+ )?(?:taken|cost|needed|required|been)|would (?:previously|normally|usually|typically|otherwise)|previously (?:took|needed|required|had|took us)|(?:original|old|previous|legacy)(?: \w+)? (?:took|required|needed|cost|had|system|version))\b/.test(
    text,
  );
}

const areComparable = (left: Amount, right: Amount) =>
  left.dimension === right.dimension || left.unit === null || right.unit === null;

/** `rising` when the left figure is the earlier state, `falling` when the right one is; null when they are no pair. */
function pairDirection(tokens: readonly Token[], left: Amount, right: Amount): "rising" | "falling" | null {
  const beforeLeft = wordBefore(tokens, left.from);
  const beforeRight = wordBefore(tokens, right.from);
  if (tokens.slice(Math.max(0, left.from - 5), left.from).some(({ word }) => /^(?:rang|vary|varies)/.test(word)))
    return null;
  if (beforeLeft === "from" && (beforeRight === "to" || beforeRight === "into" || beforeRight === "till"))
    return "rising";
  // "rose by 20 points to 64": the first is the change itself.
  if (beforeLeft === "by" || (beforeRight === "by" && left.dimension === "percent")) return null;
  const between = tokens.slice(left.to, right.from).map(({ word }) => word);
  if (isArrow(between)) return "rising";
  const text = between.join(" ");
  if (beforeLeft === "to" && beforeRight === "from") return "falling";
  if (/\b(?:instead of|rather than|compared (?:to|with)|as opposed to|down from|up from|versus|vs)\b/.test(text))
    return "falling";
  if (beforeRight === "to" && !isSameRange(left, right) && between.length <= 8 && hasChange(tokens, left.from))
    return "rising";
  if (
    beforeRight === "to" &&
    left.unit === right.unit &&
    /\b(?:reduced|down|cut|lowered|shortened|dropped|decreased|increased|grew|grown|rose|improved|up)\b/.test(
      between.slice(-6).join(" "),
    ) &&
    left.value !== right.value &&
    between.length > 3
  )
    return "rising";
  if (/\bbefore\b/.test(text.slice(0, 40)) && /\bafter\b/.test(`${text} ${tokens[right.to]?.word ?? ""}`))
    return "rising";
  return isPastThenPresent(tokens, left, between) ? "rising" : null;
}

const isSameRange = (left: Amount, right: Amount) =>
  left.dimension === right.dimension && left.value * left.size < right.value * right.size;

function isArrow(between: readonly string[]): boolean {
  const [first, second, third] = between;
  if (between.length > 4) return false;
  return (
    between.some((word) => ARROWS.has(word)) ||
    ((first === "-" || first === "=") && second === ">" && third === undefined)
  );
}

/** The word before a figure, skipping up to six qualifiers. */
function wordBefore(tokens: readonly Token[], at: number): string {
  let index = at - 1;
  for (let steps = 0; steps < 6 && QUALIFIERS.has(tokens[index]?.word ?? ""); steps++) index -= 1;
  return tokens[index]?.word ?? "";
}

const hasChange = (tokens: readonly Token[], at: number) =>
  tokens.slice(Math.max(0, at - 10), at).some(({ word }) => changeOf(word) !== undefined);

const PAST_VERBS = wordSet("took taken take required needed had was were");
const PRESENT_WORDS = wordSet("now today currently nowadays");

/** "It used to take two hours; now it takes five minutes." */
function isPastThenPresent(tokens: readonly Token[], left: Amount, between: readonly string[]): boolean {
  if (!between.some((word) => PRESENT_WORDS.has(word))) return false;
  const precedingWords = tokens.slice(Math.max(0, left.from - 10), left.from).map(({ word }) => word);
  return precedingWords.some((word) => PAST_VERBS.has(word) || meaningOf(word) === "before");
}
