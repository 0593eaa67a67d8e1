import type { Match, Meaning, Rule, Strength } from "../../vocabulary/fingerprint.ts";
import { type Shape, SIGNAL_GROUPS, SIGNALS, type SignalGroup, type SignalKind } from "../../vocabulary/signal.ts";
import { LINEAR } from "../own/linear-expressions.ts";
import { proofFaults } from "../proof.ts";
import { requiredLiteral } from "../required-literal.ts";
import { readExpression, withOneGroup } from "./expression.ts";
import type { Tagged } from "./tagged.ts";

/** What a pattern is tried on, and what it says. */
export interface Place {
  readonly see: SignalKind | SignalGroup | readonly SignalKind[];
  /** For named values. */
  readonly name?: string;
  /** A variable, instead of a pattern. */
  readonly global?: string;
  readonly means: Meaning;
  /** At most this. */
  readonly strength: Strength;
  readonly why: string;
}

export type Made = { readonly rule: Omit<Rule, "id"> } | { readonly refused: string };

/** Below it the set itself doubts its pattern. */
const SURE = 75;
/** What every page has. A pattern that meets one of them says nothing. */
const ORDINARY = [
  "",
  "a",
  "index.html",
  "https://www.site.test/",
  "https://cdn.site.test/assets/js/main.min.js?ver=1.2.3",
  '<div class="content" id="main"><p>text</p></div>',
  "text/html; charset=utf-8",
];

/** Turns one pattern into a rule with a proof of its own, or says why that cannot be done. */
export function ruleOf(tagged: Tagged, place: Place): Made {
  const shape = shapeOf(place.see);
  if (place.global !== undefined) {
    const { global } = place;
    return proved({ ...of(tagged, place), match: { global }, hit: `${global} = 1;`, miss: `my_${global} = 1;` });
  }
  if (tagged.source === "") {
    if (place.name === undefined) return { refused: "an empty pattern" };
    const match = { name: place.name };
    return proved({ ...of(tagged, place), match, hit: `${place.name}: a`, miss: `x-other-${place.name}: a` });
  }
  const fault = LINEAR.faultIn(tagged.source);
  if (fault) return { refused: `the expression ${fault.replace(/[:;].*/, "")}` };
  const read = readExpression(tagged.source);
  if (!read) return { refused: "the expression could not be read" };
  const compiled = LINEAR.compile(tagged.source);
  if (ORDINARY.some((text) => compiled.test(text))) return { refused: "the expression meets what every page has" };
  if (shape === "text" && read.anchored) return { refused: "the expression is held to an end of a long text" };
  const match = matchOf(tagged.source, read.plain, shape);
  if (typeof match === "string") return { refused: match };
  const version = tagged.versionGroup === undefined ? undefined : withOneGroup(tagged.source, tagged.versionGroup);
  const named = (value: string) => (place.name === undefined ? value : `${place.name}: ${value}`);
  const [hit, ...misses] = [read.sample, ...nearMisses(read.sample)].map((value) => named(placed(value, shape)));
  const rule = {
    ...of(tagged, place),
    match: place.name === undefined ? match : { name: place.name, ...match },
    hit: hit ?? "",
    ...(version !== undefined && LINEAR.hasGroup(version) ? { version } : {}),
  };
  const attempts = misses.map((miss) => proved({ ...rule, miss }));
  return attempts.find((made) => "rule" in made) ?? attempts[0] ?? { refused: "no proof could be made" };
}

const shapeOf = (see: Place["see"]): Shape => {
  const first = typeof see === "string" ? see : see[0];
  const kind = first !== undefined && first in SIGNAL_GROUPS ? SIGNAL_GROUPS[first as SignalGroup][0] : first;
  return SIGNALS[kind as SignalKind].shape;
};

const of = ({ confidence }: Tagged, { see, means, strength, why }: Place) =>
  ({ see, means, strength: confidence < SURE ? "weak" : strength, why }) as const;

/** The simplest match that says the same; a text when there is none. */
function matchOf(source: string, plain: ReturnType<typeof plainOf>, shape: Shape): Match | string {
  if (plain && !/[\r\n\t]/.test(plain.text)) {
    const { text, start, end } = plain;
    if (start && end) return { equals: text };
    if (start && !end && text.length >= 4) return { prefix: text };
    if (!start && !end && text.length >= (shape === "text" ? 5 : 4) && text.length <= 200) return { contains: text };
  }
  const literal = requiredLiteral(source);
  if (shape === "text" && (literal?.length ?? 0) < 5) return "too little plain text to look for in a long one";
  if (plain && plain.text.length < 4) return "shorter than four characters";
  return { regex: source };
}
const plainOf = (source: string) => readExpression(source)?.plain;

/** A rule is only as good as its proof. */
function proved(rule: Omit<Rule, "id">): Made {
  const tool = { id: "proof", name: "", vendor: "", website: "", category: "" };
  const whole: Rule = { id: "proof", ...rule, own: true };
  if (rule.hit.length > 1_000 || rule.miss.length > 1_000) return { refused: "no proof could be made" };
  const faults = proofFaults({ ...tool, rules: [whole] }, LINEAR);
  return faults.length === 0 ? { rule } : { refused: "no proof could be made" };
}

/** A sample as a value of its shape would hold it. */
function placed(sample: string, shape: Shape): string {
  if (shape !== "url") return sample;
  if (/^https?:\/\//.test(sample)) return sample;
  if (sample.startsWith("//")) return `https:${sample}`;
  return `https://cdn.site.test${sample.startsWith("/") ? "" : "/"}${sample}`;
}

/** Neighbours of a text: its last letters, its first, and at last all of them changed. */
function* changed(text: string): Generator<string> {
  const turn = (letter: string) => (/[a-z]/i.test(letter) ? (letter.toLowerCase() === "q" ? "z" : "q") : letter);
  const runs = [...text.matchAll(/[a-z]{2,200}/gi)].sort((a, b) => b[0].length - a[0].length);
  for (const run of runs.slice(0, 3)) {
    const last = run.index + run[0].length - 1;
    yield text.slice(0, last) + turn(text[last] ?? "") + text.slice(last + 1);
    yield text.slice(0, run.index) + turn(text[run.index] ?? "") + text.slice(run.index + 1);
  }
  yield text.replace(/[a-z]/gi, turn);
  yield "another text";
}
const nearMisses = (text: string) => [...changed(text)];
