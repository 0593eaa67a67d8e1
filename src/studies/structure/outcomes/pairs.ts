import type { Amount } from "./amounts.ts";
import type { Token } from "./tokens.ts";
import { classesOf } from "./word-classes.ts";

/** Which figures of a sentence are the state before, and of which later state. */
export interface Pairs {
  /** Index of the figure after to index of the one before. */
  readonly beforeOf: ReadonlyMap<number, number>;
  /** Indexes of figures that tell the state before. */
  readonly before: ReadonlySet<number>;
}

/** Words that may stand between "from" or "to" and its figure. */
const QUALIFIERS: ReadonlySet<string> = new Set(
  `over about more fewer than around nearly roughly as few little much many up a an the under less just only some approximately
  almost at least initial ~ < > ≈ well somewhere between original previous down every below within merely mere close our an average of
  [ ( " ' “ *`.split(/\s+/),
);
const MAX_BETWEEN = 16;
const ARROWS: ReadonlySet<string> = new Set(["→", "➔", "➜", "⇒", "►"]);

/** Finds "from three hours to ten minutes", "3 h → 10 min", "10 instead of 40", "used to take a day, now an hour". */
export function findPairs(tokens: readonly Token[], amounts: readonly Amount[]): Pairs {
  const beforeOf = new Map<number, number>();
  const before = new Set<number>();
  for (let first = 0; first + 1 < amounts.length; first++) {
    const left = amounts[first];
    const right = amounts[first + 1];
    if (!left || !right || before.has(first) || beforeOf.has(first)) continue;
    if (!areComparable(left, right)) continue;
    const order = right.from - left.to > MAX_BETWEEN ? null : orderOf(tokens, left, right);
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
      const told = amounts[other];
      return (
        told !== undefined &&
        !before.has(other) &&
        !beforeOf.has(other) &&
        told.dimension === amount.dimension &&
        told.unit !== null
      );
    });
    if (after !== undefined && amount.dimension !== "count") beforeOf.set(after, index);
  });
  return { beforeOf, before };
}

/** "from four hours to a few minutes", "used to take a day", "would have taken a month", "instead of 20". */
function isStateBefore(tokens: readonly Token[], amount: Amount): boolean {
  const lead = tokens.slice(Math.max(0, amount.from - 9), amount.from).map(({ word }) => word);
  const told = lead.join(" ");
  const previous = wordBefore(tokens, amount.from);
  if (previous === "from") {
    const follow = tokens.slice(amount.to, amount.to + 12).map(({ word }) => word);
    const to = follow.indexOf("to");
    if (
      to >= 0 &&
      /^(?:a|an|just|mere|under|less|few|several|tens|dozens|hundreds|thousands|seconds|minutes|hours|days|weeks|near|almost|zero|within|multiple)$/.test(
        follow[to + 1] ?? "",
      )
    )
      return true;
    return hasChange(tokens, amount.from) || /\b(?:went|gone|go|going|moved|down|up)\b/.test(told);
  }
  if (/\b(?:instead of|rather than|as opposed to|down from|up from)\b[^;]{0,30}$/.test(told)) return true;
  const follow = tokens
    .slice(amount.to, amount.to + 6)
    .map(({ word }) => word)
    .join(" ");
  if (/^(?:(?:was|were|been|is|are) (?:\w+ )?(?:shaved|cut|reduced|lowered|shortened) by)\b/.test(follow)) return true;
  if (/\b(?:now|today|currently)\b/.test(told)) return false;
  if (/^(?:" )?before ,.*\b(?:took|needed|required|cost)\b/.test(told)) return true;
  return /\b(?:used to (?:be|take|have|do|need|require|cost|spend|run|wait)|would have (?:\w+ )?(?:taken|cost|needed|required|been)|would (?:previously|normally|usually|typically|otherwise)|previously (?:took|needed|required|had|took us)|(?:original|old|previous|legacy)(?: \w+)? (?:took|required|needed|cost|had|system|version))\b/.test(
    told,
  );
}

const areComparable = (left: Amount, right: Amount) =>
  left.dimension === right.dimension || left.unit === null || right.unit === null;

/** `rising` when the left figure is the state before; null when the two are no pair. */
function orderOf(tokens: readonly Token[], left: Amount, right: Amount): "rising" | "falling" | null {
  const beforeLeft = wordBefore(tokens, left.from);
  const beforeRight = wordBefore(tokens, right.from);
  if (beforeLeft === "from" && (beforeRight === "to" || beforeRight === "into" || beforeRight === "till"))
    return "rising";
  // "rose by 20 points to 64": the first is the change itself.
  if (beforeLeft === "by") return null;
  const between = tokens.slice(left.to, right.from).map(({ word }) => word);
  if (isArrow(between)) return "rising";
  const told = between.join(" ");
  if (beforeLeft === "to" && beforeRight === "from") return "falling";
  if (/\b(?:instead of|rather than|compared (?:to|with)|as opposed to|down from|up from|versus|vs)\b/.test(told))
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
  if (/\bbefore\b/.test(told.slice(0, 40)) && /\bafter\b/.test(`${told} ${tokens[right.to]?.word ?? ""}`))
    return "rising";
  return wasThenIs(tokens, left, between) ? "rising" : null;
}

const isSameRange = (left: Amount, right: Amount) => left.unit === right.unit && left.value < right.value;

function isArrow(between: readonly string[]): boolean {
  const [first, second, third] = between;
  if (between.length > 4) return false;
  return (
    between.some((word) => ARROWS.has(word)) ||
    ((first === "-" || first === "=") && second === ">" && third === undefined)
  );
}

/** Some steps back over words that only soften a figure. */
function wordBefore(tokens: readonly Token[], at: number): string {
  let place = at - 1;
  for (let steps = 0; steps < 6 && QUALIFIERS.has(tokens[place]?.word ?? ""); steps++) place -= 1;
  return tokens[place]?.word ?? "";
}

const hasChange = (tokens: readonly Token[], at: number) =>
  tokens
    .slice(Math.max(0, at - 10), at)
    .some(({ word }) => classesOf(word).some((kind) => kind === "down" || kind === "up"));

const WAS: ReadonlySet<string> = new Set(["took", "taken", "take", "required", "needed", "had", "was", "were"]);
const IS: ReadonlySet<string> = new Set(["now", "today", "currently", "nowadays"]);

/** "It used to take two hours; now it takes five minutes." */
function wasThenIs(tokens: readonly Token[], left: Amount, between: readonly string[]): boolean {
  if (!between.some((word) => IS.has(word))) return false;
  const lead = tokens.slice(Math.max(0, left.from - 10), left.from).map(({ word }) => word);
  return lead.some((word) => WAS.has(word) || classesOf(word).includes("before"));
}
