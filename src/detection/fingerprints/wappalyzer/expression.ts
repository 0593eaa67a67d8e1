import { LINEAR_REGEX } from "../linear-regex.ts";

/** What is known of an expression without running it. */
export interface ReadExpression {
  /** A text that it should meet; whoever uses it makes sure. */
  readonly sample: string;
  /** The text that it stands for when it is nothing but text, with what holds it to an end of the value. */
  readonly plain: { readonly text: string; readonly start: boolean; readonly end: boolean } | undefined;
  /** Whether it is held to an end of the value anywhere. */
  readonly anchored: boolean;
}

interface Reading {
  readonly source: string;
  at: number;
  plain: boolean;
  anchored: boolean;
}

const MAX_SAMPLE = 800;
const MAX_DEPTH = 20;
const CLASSES: Readonly<Record<string, string>> = { d: "1", D: "a", w: "a", W: "-", s: " ", S: "a", b: "", B: "" };
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v" };
const CANDIDATES = [..."a1A-_./ :=\"'<>@~#?&%+é"];

/** Reads an expression of JavaScript or RE2. Undefined when it is none that this understands. */
export function readExpression(source: string): ReadExpression | undefined {
  const reading: Reading = { source, at: 0, plain: true, anchored: false };
  try {
    const sample = alternatives(reading, 0);
    if (reading.at < source.length) return undefined;
    const start = source.startsWith("^");
    const end = /(?<!\\)(?:\\\\)*\$$/.test(source);
    return {
      sample: sample.slice(0, MAX_SAMPLE),
      plain: reading.plain ? { text: sample, start, end } : undefined,
      anchored: reading.anchored,
    };
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class NotUnderstood extends Error {}

/** The first alternative speaks for all. */
function alternatives(reading: Reading, depth: number): string {
  if (depth > MAX_DEPTH) throw new NotUnderstood();
  const first = sequence(reading, depth);
  while (reading.source[reading.at] === "|") {
    reading.plain = false;
    reading.at += 1;
    sequence(reading, depth);
  }
  return first;
}

function sequence(reading: Reading, depth: number): string {
  let text = "";
  while (reading.at < reading.source.length && !"|)".includes(reading.source[reading.at] ?? "")) {
    const piece = atom(reading, depth);
    text += repeated(reading, piece);
    if (text.length > MAX_SAMPLE) throw new NotUnderstood();
  }
  return text;
}

function atom(reading: Reading, depth: number): string {
  const char = reading.source[reading.at] ?? "";
  reading.at += 1;
  switch (char) {
    case "(": {
      reading.plain = false;
      if (reading.source[reading.at] === "?") {
        const [kind] = /^\?(?::|P?<[A-Za-z]\w{0,40}>)/.exec(reading.source.slice(reading.at, reading.at + 50)) ?? [];
        if (!kind) throw new NotUnderstood();
        reading.at += kind.length;
      }
      const inner = alternatives(reading, depth + 1);
      if (reading.source[reading.at] !== ")") throw new NotUnderstood();
      reading.at += 1;
      return inner;
    }
    case "[":
      reading.plain = false;
      return oneOfClass(reading);
    case "^":
      reading.anchored = true;
      if (reading.at > 1) reading.plain = false;
      return "";
    case "$":
      reading.anchored = true;
      if (reading.at < reading.source.length) reading.plain = false;
      return "";
    case ".":
      reading.plain = false;
      return "a";
    case "\\":
      return escaped(reading);
    case "*":
    case "+":
    case "?":
      throw new NotUnderstood();
    default:
      return char;
  }
}

function escaped(reading: Reading): string {
  const char = reading.source[reading.at] ?? "";
  reading.at += 1;
  const spelled = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(reading.source.slice(reading.at - 1, reading.at + 4));
  if (spelled) {
    reading.at += spelled[0].length - 1;
    reading.plain = false;
    return String.fromCharCode(Number.parseInt(spelled[1] ?? spelled[2] ?? "", 16));
  }
  const stands = CLASSES[char] ?? CONTROLS[char];
  if (stands !== undefined) {
    reading.plain = false;
    return stands;
  }
  if (/[a-z0-9]/i.test(char) || char === "") throw new NotUnderstood();
  return char;
}

function oneOfClass(reading: Reading): string {
  const start = reading.at - 1;
  if (reading.source[reading.at] === "^") reading.at += 1;
  while (reading.at < reading.source.length && reading.source[reading.at] !== "]") {
    reading.at += reading.source[reading.at] === "\\" ? 2 : 1;
  }
  reading.at += 1;
  const source = reading.source.slice(start, reading.at);
  if (LINEAR_REGEX.faultIn(source) !== undefined) throw new NotUnderstood();
  const met = LINEAR_REGEX.compile(source);
  // A class of one sign that is none of the candidates, such as `[$]`, has it in its own text.
  const found = [...CANDIDATES, ...source.slice(1, -1)].find((candidate) => met.test(candidate));
  if (found === undefined) throw new NotUnderstood();
  return found;
}

/** Once where once will do, and as often as it must be otherwise. */
function repeated(reading: Reading, piece: string): string {
  const rest = reading.source.slice(reading.at, reading.at + 20);
  const [quantifier, least] = /^(?:[*+?]|\{(\d{1,4})(?:,\d{0,4})?\})\??/.exec(rest) ?? [];
  if (!quantifier) return piece;
  reading.plain = false;
  reading.at += quantifier.length;
  const times = Math.max(1, Number(least ?? 1));
  if (times * piece.length > MAX_SAMPLE) throw new NotUnderstood();
  return piece.repeat(times);
}

/** The same expression, in which group `wanted` is the only one that captures. Undefined when it has no such group. */
export function withOneGroup(source: string, wanted: number): string | undefined {
  let groups = 0;
  let inClass = false;
  let made = "";
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? "";
    if (char === "\\") {
      made += char + (source[at + 1] ?? "");
      at += 1;
      continue;
    }
    if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    made += char;
    if (char !== "(" || inClass || source[at + 1] === "?") continue;
    groups += 1;
    if (groups !== wanted) made += "?:";
  }
  return groups >= wanted ? made : undefined;
}
