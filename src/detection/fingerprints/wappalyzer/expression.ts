import { LINEAR_REGEX } from "../linear-regex.ts";

/** What a regex shows without running it. */
export interface ParsedRegex {
  /** A text that it should match; the caller must verify it. */
  readonly sample: string;
  /** Its text, if the regex is a literal with optional anchors. */
  readonly plain: { readonly text: string; readonly start: boolean; readonly end: boolean } | undefined;
  /** Whether it contains an anchor. */
  readonly anchored: boolean;
}

interface ParserState {
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

/** Parses a regex of JavaScript or RE2; undefined for unsupported syntax. */
export function parseRegex(source: string): ParsedRegex | undefined {
  const state: ParserState = { source, at: 0, plain: true, anchored: false };
  try {
    const sample = alternatives(state, 0);
    if (state.at < source.length) return undefined;
    const start = source.startsWith("^");
    const end = /(?<!\\)(?:\\\\)*\$$/.test(source);
    return {
      sample: sample.slice(0, MAX_SAMPLE),
      plain: state.plain ? { text: sample, start, end } : undefined,
      anchored: state.anchored,
    };
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return undefined;
    throw error;
  }
}

class UnsupportedSyntax extends Error {}

/** The sample is that of the first alternative. */
function alternatives(state: ParserState, depth: number): string {
  if (depth > MAX_DEPTH) throw new UnsupportedSyntax();
  const first = sequence(state, depth);
  while (state.source[state.at] === "|") {
    state.plain = false;
    state.at += 1;
    sequence(state, depth);
  }
  return first;
}

function sequence(state: ParserState, depth: number): string {
  let text = "";
  while (state.at < state.source.length && !"|)".includes(state.source[state.at] ?? "")) {
    const piece = atom(state, depth);
    text += repeated(state, piece);
    if (text.length > MAX_SAMPLE) throw new UnsupportedSyntax();
  }
  return text;
}

function atom(state: ParserState, depth: number): string {
  const char = state.source[state.at] ?? "";
  state.at += 1;
  switch (char) {
    case "(": {
      state.plain = false;
      if (state.source[state.at] === "?") {
        const [kind] = /^\?(?::|P?<[A-Za-z]\w{0,40}>)/.exec(state.source.slice(state.at, state.at + 50)) ?? [];
        if (!kind) throw new UnsupportedSyntax();
        state.at += kind.length;
      }
      const inner = alternatives(state, depth + 1);
      if (state.source[state.at] !== ")") throw new UnsupportedSyntax();
      state.at += 1;
      return inner;
    }
    case "[":
      state.plain = false;
      return oneOfClass(state);
    case "^":
      state.anchored = true;
      if (state.at > 1) state.plain = false;
      return "";
    case "$":
      state.anchored = true;
      if (state.at < state.source.length) state.plain = false;
      return "";
    case ".":
      state.plain = false;
      return "a";
    case "\\":
      return escaped(state);
    case "*":
    case "+":
    case "?":
      throw new UnsupportedSyntax();
    default:
      return char;
  }
}

function escaped(state: ParserState): string {
  const char = state.source[state.at] ?? "";
  state.at += 1;
  const code = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(state.source.slice(state.at - 1, state.at + 4));
  if (code) {
    state.at += code[0].length - 1;
    state.plain = false;
    return String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16));
  }
  const sample = CLASSES[char] ?? CONTROLS[char];
  if (sample !== undefined) {
    state.plain = false;
    return sample;
  }
  if (/[a-z0-9]/i.test(char) || char === "") throw new UnsupportedSyntax();
  return char;
}

function oneOfClass(state: ParserState): string {
  const start = state.at - 1;
  if (state.source[state.at] === "^") state.at += 1;
  while (state.at < state.source.length && state.source[state.at] !== "]") {
    state.at += state.source[state.at] === "\\" ? 2 : 1;
  }
  state.at += 1;
  const source = state.source.slice(start, state.at);
  if (LINEAR_REGEX.faultIn(source) !== undefined) throw new UnsupportedSyntax();
  const regex = LINEAR_REGEX.compile(source);
  // The candidates do not cover classes such as `[$]`, but their source does.
  const found = [...CANDIDATES, ...source.slice(1, -1)].find((candidate) => regex.test(candidate));
  if (found === undefined) throw new UnsupportedSyntax();
  return found;
}

/** A piece as often as its quantifier requires, at least once. */
function repeated(state: ParserState, piece: string): string {
  const rest = state.source.slice(state.at, state.at + 20);
  const [quantifier, least] = /^(?:[*+?]|\{(\d{1,4})(?:,\d{0,4})?\})\??/.exec(rest) ?? [];
  if (!quantifier) return piece;
  state.plain = false;
  state.at += quantifier.length;
  const times = Math.max(1, Number(least ?? 1));
  if (times * piece.length > MAX_SAMPLE) throw new UnsupportedSyntax();
  return piece.repeat(times);
}

/** The regex with `wanted` as its only capturing group; undefined when there is no such group. */
export function withOneGroup(source: string, wanted: number): string | undefined {
  let groups = 0;
  let inClass = false;
  let result = "";
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? "";
    if (char === "\\") {
      result += char + (source[at + 1] ?? "");
      at += 1;
      continue;
    }
    if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    result += char;
    if (char !== "(" || inClass || source[at + 1] === "?") continue;
    groups += 1;
    if (groups !== wanted) result += "?:";
  }
  return groups >= wanted ? result : undefined;
}
