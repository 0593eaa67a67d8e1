import type { Outcome } from "../../../vocabulary/case-study.ts";
import type { Candidate } from "./features.ts";
import type { Token } from "./tokens.ts";
import { classesOf } from "./word-classes.ts";

const AFTER = 5;
const BEFORE = 12;
const CLAUSE_ENDS: ReadonlySet<string> = new Set([";", ":", ".", "—", "?", "!"]);
/** "in half", "by half", "half the cost": always less, unless a verb says what was done. */
const HALF: ReadonlySet<string> = new Set(["half", "halved", "halving", "halves"]);

/**
 * Which way a figure went. A pair tells by its order; else the nearest word of change does, the one after the figure
 * first ("40 % fewer", "5x more"). A level without such a word is `absolute`.
 *
 * @param metric slug: what becomes faster takes less time
 */
export function directionOf(candidate: Candidate, metric: string): Outcome["direction"] {
  const told = changeOfFigure(candidate);
  // "Build times are 5x faster": the time fell.
  const isSpeed =
    told === "increase" && (metric === "time" || metric === "latency") && candidate.amount.dimension !== "duration";
  return isSpeed && candidate.tokens.some(({ word }) => SPEED.test(word)) ? "decrease" : told;
}

const SPEED = /^(?:faster|quicker|speed|speeds|speedup|sped|accelerat\w{1,4}|shorter)$/;

function changeOfFigure({ tokens, amount, amounts, pairs, index }: Candidate): Outcome["direction"] {
  const before = pairs.beforeOf.get(index);
  const was = before === undefined ? undefined : amounts[before];
  if (was && (was.unit === amount.unit || was.dimension === amount.dimension || was.unit === null)) {
    const scaleOf = (told: typeof was) => told.value * (told.dimension === amount.dimension ? told.size : amount.size);
    return scaleOf(amount) === scaleOf(was) ? "absolute" : scaleOf(amount) < scaleOf(was) ? "decrease" : "increase";
  }
  const isChange = amount.dimension === "percent" || amount.dimension === "multiple";
  const sign = signBefore(tokens, amount.from);
  if (sign !== null) return sign;
  if (isSaved(tokens, amount.from, amount.to)) return "decrease";
  if (amount.dimension === "duration" && isBelowBefore(tokens)) return "decrease";
  const after = isChange || amount.dimension === "money" ? changeAfter(tokens, amount.to) : null;
  if (after !== null) return after;
  const told = changeBefore(tokens, amount.from);
  if (told !== null && (isChange || amount.dimension === "money" || isGoverned(tokens, amount.from))) return told;
  if (amount.dimension === "multiple") return "increase";
  return HALF.has(tokens[amount.to - 1]?.word ?? "") && tokens[amount.from - 1]?.word === "in"
    ? "decrease"
    : "absolute";
}

/** "+45 %", "−30 %", "↓ 12 %": the sign of a tile. */
function signBefore(tokens: readonly Token[], from: number): "increase" | "decrease" | null {
  const mark = tokens[from - 1];
  if (mark?.kind !== "mark" || (from > 1 && mark.glued)) return null;
  if (mark.word === "+" || mark.word === "↑" || mark.word === "▲") return "increase";
  return ((mark.word === "-" || mark.word === "−" || mark.word === "–") && tokens[from]?.glued) ||
    mark.word === "↓" ||
    mark.word === "▼"
    ? "decrease"
    : null;
}

/** "saves 15 hours a week", "15 hours saved". */
function isSaved(tokens: readonly Token[], from: number, to: number): boolean {
  const near = [...tokens.slice(Math.max(0, from - 4), from), ...tokens.slice(to, to + 3)];
  return near.some(({ word }) => /^(?:save|saves|saved|saving)$/.test(word));
}

/** Marks that end no clause, and words that begin another. */
const INSIDE: ReadonlySet<string> = new Set(["-", "(", ":"]);
const JOINTS: ReadonlySet<string> = new Set(["and", "to", "while", "but", "with", "because", "as", "by"]);

/** "Now we can do it in 5 minutes", "in half an hour instead of days": a duration beside the one before, which has no figure. */
function isBelowBefore(tokens: readonly Token[]): boolean {
  const told = tokens.map(({ word }) => word).join(" ");
  return /\b(?:now|instead of|compared (?:to|with)|used to|previously|(?:gone|went|go|going) from|no longer|rather than|before containers|before this)\b/.test(
    told,
  );
}

function changeAfter(tokens: readonly Token[], at: number): "increase" | "decrease" | null {
  for (let place = at; place < Math.min(tokens.length, at + AFTER); place++) {
    const token = tokens[place];
    if (!token || (token.kind === "mark" && !INSIDE.has(token.word)) || JOINTS.has(token.word)) return null;
    const change = changeOf(tokens, place);
    if (change !== null) return change;
  }
  return null;
}

function changeBefore(tokens: readonly Token[], from: number): "increase" | "decrease" | null {
  for (let place = from - 1; place >= Math.max(0, from - BEFORE); place--) {
    const token = tokens[place];
    if (!token || (token.kind === "mark" && CLAUSE_ENDS.has(token.word))) return null;
    const change = changeOf(tokens, place);
    if (change !== null) return change;
  }
  return null;
}

/** "reduced to 10 minutes", "grew to 200 nodes": a level that was come to. */
function isGoverned(tokens: readonly Token[], from: number): boolean {
  const lead = tokens.slice(Math.max(0, from - 4), from).map(({ word }) => word);
  return lead.includes("to") || lead.includes("by");
}

/** Null for words that only say "more or less": "more than 60". */
function changeOf(tokens: readonly Token[], place: number): "increase" | "decrease" | null {
  if (tokens[place + 1]?.word === "than" && tokens[place - 1]?.kind !== "figure" && tokens[place - 1]?.word !== "%")
    return null;
  // "up to 2,500 nodes" is a level.
  const isLevel = !/^(?:went|gone|go|goes|rose|grew|shot|moved|is|are)$/.test(tokens[place - 1]?.word ?? "");
  if (tokens[place]?.word === "up" && tokens[place + 1]?.word === "to" && isLevel) return null;
  const classes = classesOf(tokens[place]?.word ?? "");
  if (classes.includes("down")) return "decrease";
  return classes.includes("up") ? "increase" : null;
}
