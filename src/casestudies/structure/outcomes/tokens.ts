import { wordMap, wordSet } from "../word-lists.ts";

/**
 * A token of a sentence. A `figure` is one number in digits; other digits (version, date, time, ordinal) are `other`.
 */
export interface Token {
  readonly kind: "word" | "figure" | "other" | "mark";
  /** As in the text. */
  readonly text: string;
  /** In lower case. */
  readonly word: string;
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** No white space precedes it. */
  readonly glued: boolean;
}

export const CLAUSE_ENDS = wordSet("; : . — ? !");

/** Longer than any sentence; the rest is ignored. */
const MAX_TOKENS = 4_000;

/** Splits a text into tokens in one pass. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let glued = false;
  for (let at = 0; at < text.length && tokens.length < MAX_TOKENS; ) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      glued = false;
      at += 1;
      continue;
    }
    const [kind, end] = isDigit(code)
      ? endOfFigure(text, at)
      : isLetter(code)
        ? (["word", endOfWord(text, at)] as const)
        : (["mark", at + 1] as const);
    const piece = text.slice(at, end);
    tokens.push({ kind, text: piece, word: kind === "mark" ? piece : piece.toLowerCase(), start: at, end, glued });
    glued = true;
    at = end;
  }
  return tokens;
}

const isSpace = (code: number) => code <= 32 || code === 0xa0 || code === 0x2009 || code === 0x202f || code === 0x200b;
const isDigit = (code: number) => code >= 48 && code <= 57;
const isLetter = (code: number) =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  (code >= 0xc0 && code !== 0xd7 && code !== 0xf7 && !(code >= 0x2000 && code <= 0x2fff) && code < 0xfe00);
const isApostrophe = (code: number) => code === 39 || code === 0x2019;

/** Words include digits and apostrophes inside them: `p99`, `x86_64`, `we've`. */
function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const isInside = isApostrophe(code) && at + 1 < text.length && isLetter(text.charCodeAt(at + 1));
    if (!isLetter(code) && !isDigit(code) && !isInside) break;
    at += 1;
  }
  return at;
}

/** Recognises digits that are joined to something other than a number: `10:30`, `1.2.3`, `2019-09-03`, `24/7`. */
function endOfFigure(text: string, from: number): readonly ["figure" | "other", number] {
  let at = endOfDigits(text, from);
  let points = 0;
  for (;;) {
    const mark = text[at];
    if ((mark !== "." && mark !== "," && mark !== ":" && mark !== "/") || !isDigit(text.charCodeAt(at + 1))) break;
    const end = endOfDigits(text, at + 1);
    const isThousands = mark === "," && end - at === 4;
    if (!isThousands) points += mark === "." || (mark === "," && end - at < 4) ? 1 : 2;
    at = end;
  }
  if (text[at] === "-" && isDate(text, from, at)) return ["other", endOfDate(text, at)];
  if (text[at] === "-" && isPartNumber(text, from, at)) return ["other", endOfDigits(text, at + 1)];
  const isOrdinal = /^(?:st|nd|rd|th)(?![a-z])/i.test(text.slice(at, at + 3));
  return [points > 1 || isOrdinal || isGluedToWord(text, from) ? "other" : "figure", isOrdinal ? at + 2 : at];
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** "oilfield 32-6": a name, because the second number of a range is larger. */
const isPartNumber = (text: string, from: number, at: number) => {
  const end = endOfDigits(text, at + 1);
  const isBare = end > at + 1 && !/[\d.,%a-z]/i.test(text[end] ?? "") && !/[.,]/.test(text.slice(from, at));
  return isBare && Number(text.slice(at + 1, end)) < Number(text.slice(from, at));
};

const isDate = (text: string, from: number, at: number) =>
  at - from === 4 && /^-\d\d(?!\d)/.test(text.slice(at, at + 4));
function endOfDate(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at)) || text[at] === "-" || text[at] === ":") at += 1;
  return at;
}

/** `log4j-2`, `#12`, `/v2/300`: names and paths. */
function isGluedToWord(text: string, from: number): boolean {
  const before = text[from - 1];
  if (before === "#" || before === "@" || before === "/" || before === "\\" || before === "=") return true;
  return before === "." && /[\w)]/.test(text[from - 2] ?? "");
}

/** `2,000` is 2000, `99,9` is 99.9. */
function figureValue(text: string): number {
  const comma = text.lastIndexOf(",");
  const isDecimalComma = comma > 0 && text.length - comma !== 4 && !text.includes(".");
  return Number(
    isDecimalComma ? `${text.slice(0, comma).replaceAll(",", "")}.${text.slice(comma + 1)}` : text.replaceAll(",", ""),
  );
}

/** A number in digits, words or both. */
interface Numeral {
  readonly value: number;
  /** Index of the token after it. */
  readonly end: number;
  readonly inWords: boolean;
  /** It contains a scale word or letter: "3k", "two million". */
  readonly scaled: boolean;
}

const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SMALL: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
]);
const SCALES = wordMap([
  [1e2, "hundred"],
  [12, "dozen"],
  [1e3, "thousand"],
  [1e5, "lakh"],
  [1e6, "million mio mn mln"],
  [1e7, "crore"],
  [1e9, "billion bn"],
  [1e12, "trillion"],
]);
const LETTERS = wordMap([
  [1e3, "k K"],
  [1e6, "M MM"],
  [1e9, "B"],
  [1e12, "T"],
]);

/** Parses the number that starts at `at`, with its scale: `3.5k`, `two hundred thousand`, `350-million`, `a dozen`. */
export function readNumeral(tokens: readonly Token[], at: number): Numeral | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === "figure") return scaled(tokens, at + 1, figureValue(token.text));
  return token.kind === "word" ? inWords(tokens, at) : undefined;
}

function scaled(tokens: readonly Token[], at: number, value: number): Numeral {
  let next = at;
  let factor = 1;
  for (let words = 0; words < 2; words++) {
    const joined = tokens[next]?.word === "-" && tokens[next]?.glued ? next + 1 : next;
    const token = tokens[joined];
    const scale =
      token &&
      (SCALES.get(token.word) ??
        SCALES.get(token.word.replace(/s$/, "")) ??
        (token.glued ? LETTERS.get(token.text) : undefined));
    if (scale === undefined) break;
    factor *= scale;
    next = joined + 1;
  }
  return { value: rounded(value * factor), end: next, inWords: false, scaled: factor !== 1 };
}

/** 1.1 * 1e6 is 1100000.0000000001 in binary floating point. */
const rounded = (value: number) => Number(value.toPrecision(12));

function inWords(tokens: readonly Token[], start: number): Numeral | undefined {
  let at = start;
  let total = 0;
  let part = 0;
  let read = 0;
  let hasScale = false;
  const first = tokens[at]?.word;
  if (first === "half" && tokens[at + 1]?.word === "a" && (SCALES.get(tokens[at + 2]?.word ?? "") ?? 0) >= 1e3) {
    return { value: (SCALES.get(tokens[at + 2]?.word ?? "") ?? 0) / 2, end: at + 3, inWords: true, scaled: true };
  }
  if (first === "a" || first === "an" || first === "first") {
    if (!SCALES.has(tokens[at + 1]?.word ?? "")) return undefined;
    at += 1;
    part = 1;
  }
  for (; at < tokens.length && read < 12; ) {
    const joined = read > 0 && tokens[at]?.word === "-" && tokens[at]?.glued ? at + 1 : at;
    const isAnd = tokens[joined]?.word === "and" && part >= 100 && SMALL.has(tokens[joined + 1]?.word ?? "");
    const place = isAnd ? joined + 1 : joined;
    const word = tokens[place]?.word ?? "";
    const small = SMALL.get(word);
    const scale = SCALES.get(word);
    if (small !== undefined && (part === 0 ? read === 0 || hasScale : canFollow(part, small))) part += small;
    else if (scale !== undefined && part > 0) {
      hasScale = true;
      if (scale >= 1e3) {
        total += part * scale;
        part = 0;
      } else part *= scale;
    } else break;
    read += 1;
    at = place + 1;
  }
  return read === 0 ? undefined : { value: total + part, end: at, inWords: true, scaled: hasScale };
}

/** "twenty five", "two hundred five", and not "four five". */
const canFollow = (part: number, small: number) =>
  (part % 100 === 0 && part >= 100) || (part % 10 === 0 && part % 100 >= 20 && small < 10);

/**
 * Classes of words near a figure. Features are built from them, and their weights were fitted to these word lists.
 * `before` and `now` are times, `handle` is work that a system does, `take` is time or effort spent, `maybe` and `if`
 * mark examples and conditions, `firm` is the size of a company, `hold` is what something has.
 */
export type WordClass =
  | ("down" | "up" | "handle" | "able" | "now" | "plan" | "before" | "take" | "maybe" | "market")
  | ("price" | "team" | "deploy" | "firm" | "live" | "if" | "company" | "you" | "hold");

/** Verbs in their base form; `formsOf` derives the other forms. */
const VERBS: Readonly<Partial<Record<WordClass, string>>> = {
  down: `reduce decrease lower save drop shorten decline halve eliminate minimize minimise trim slash shave compress lessen
    diminish cut shrink`,
  up: `increase improve raise boost gain accelerate expand enhance multiply optimize optimise jump climb surge uplift
    speed scale grow exceed`,
  handle: `handle process serve support manage run host power execute ingest store monitor scrape collect orchestrate operate
    send receive transfer generate produce track analyze analyse accept perform protect cover connect span sustain stream index
    query transform migrate maintain automate detect resolve containerize containerise onboard consume enrich move spin`,
  able: "allow enable let help",
  take: "take spend wait last require need",
  plan: "plan aim target expect hope intend wish want anticipate forecast",
  maybe: "suppose assume imagine consider",
  price: "price pay charge invest fund raise sell earn",
  team: "hire employ recruit staff",
  deploy: "deploy release ship publish",
};

const WORDS: Readonly<Partial<Record<WordClass, string>>> = {
  down: `less fewer reduction reductions saving savings decreases cheaper lower shrank shrunk fell fallen dropping smaller
    reducing down cuts cutting saves shorter below`,
  up: `more higher faster quicker better grew grown rose risen rising growth increase improvement improvements gains speedup
    greater larger sped up uplift`,
  handle: "ran running handles built build building made creates create created using uses used",
  able: "able can capable possible could",
  now: "now today currently nowadays already anymore present presently meanwhile",
  plan: `will would goal goals target targets future soon upcoming roadmap next eventually should must shall objective planned
    going vision potential ambition estimated expected aspire`,
  before:
    "before previously formerly prior originally initially previous old legacy earlier past traditionally historically once former early",
  take: "took taken spent waited lasted within",
  maybe: "if example instance eg might may say perhaps imagine let's suppose think probably maybe",
  market: `report survey study according research analyst analysts gartner forrester idc market worldwide industry statistics
    globally world`,
  price: `price pricing paid fee fees subscription revenue funding valuation valued sales turnover budget budgets raised income
    transactions assets`,
  team: "team teams engineers engineer developers developer people staff employees members squad experience",
  deploy: "deployments deployment releases release deploys builds rollouts",
  live: "production prod live peak concurrent concurrently simultaneous simultaneously single cluster clusters scale parallel platform",
  if: "if unless imagine suppose",
  company: `company business group bank organization organisation firm corporation retailer provider enterprise startup institution
    agency brand vendor`,
  you: "you your i i'm",
  hold: "has have had with contains including contain includes comprises there",
  firm: "offices office countries country stores customers clients employees headquartered company companies brands locations largest leading worldwide global",
};

const CLASSES: ReadonlyMap<string, readonly WordClass[]> = compile();

function compile(): ReadonlyMap<string, readonly WordClass[]> {
  const nounClasses = new Map<string, WordClass[]>();
  const add = (word: string, kind: WordClass) => {
    const existing = nounClasses.get(word);
    if (existing === undefined) nounClasses.set(word, [kind]);
    else if (!existing.includes(kind)) existing.push(kind);
  };
  for (const [kind, verbs] of Object.entries(VERBS)) {
    for (const verb of verbs.split(/\s+/)) for (const form of formsOf(verb)) add(form, kind as WordClass);
  }
  for (const [kind, words] of Object.entries(WORDS))
    for (const word of words.split(/\s+/)) add(word, kind as WordClass);
  return nounClasses;
}

/** "reduce" → reduces, reduced, reducing; "cut" → cutting. */
function formsOf(verb: string): string[] {
  const stem = verb.endsWith("e") ? verb.slice(0, -1) : verb;
  const isDoubled = /^(cut|drop|trim|plan|run|ship|let|spin)$/.test(verb);
  const long = isDoubled ? `${verb}${verb.at(-1)}` : stem;
  const third = /(?:ch|sh|ss|x)$/.test(verb)
    ? `${verb}es`
    : verb.endsWith("y") && !/[aeo]y$/.test(verb)
      ? `${verb.slice(0, -1)}ies`
      : `${verb}s`;
  const past = verb.endsWith("y") && !/[aeo]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${long}ed`;
  return [verb, third, past, `${long}ing`];
}

const NO_CLASSES: readonly WordClass[] = [];

/** @param word in lower case */
export const classesOf = (word: string): readonly WordClass[] => CLASSES.get(word) ?? NO_CLASSES;

/**
 * The kind of a counted noun. `load` passes through a system and `parts` make it up; `people` and `places` are mostly
 * facts about the client; a count of `vague` nouns is never a result.
 */
type NounClass = "load" | "parts" | "people" | "users" | "places" | "work" | "hardware" | "vague" | "unknown" | "none";

const nounClasses: readonly (readonly [NounClass, string])[] = [
  [
    "load",
    `request query event message email notification transaction payment order record row sample metric series datapoint
    point operation op call invocation log line packet connection session stream upload download file document object image
    photo video page view item ticket alert prediction inference search lookup transcription conversation impression click
    parameter token visit hit webhook signal reading trace span conversion lead shipment delivery booking hop flow rule
    policy entry vote comment post note song listing product sku route trip ride order claim invoice application`,
  ],
  [
    "parts",
    `node cluster pod container service microservice server machine vm instance host device gateway agent robot sensor
    camera app workload namespace deployment replica repository repo database table shard partition broker queue topic worker
    dyno process thread task job pipeline workflow build run test experiment function endpoint api module package library
    plugin component datacenter datacentre region zone site edge environment tenant project team model dashboard report
    integration connector website system platform virtual actor channel game car vehicle satellite gantry release commit
    script schema template release-train stage suite case job-type image artifact artefact operator collector exporter target
    scrape account certificate domain store program feature check playbook runbook simulation`,
  ],
  [
    "users",
    `user customer client subscriber member visitor player viewer listener student patient merchant organisation organization
    company business enterprise participant account-holder household driver passenger learner guest seat`,
  ],
  [
    "people",
    `people person employee engineer developer staff colleague programmer scientist analyst administrator contributor maintainer
    team-member freelancer expert specialist fte headcount operator individual operator founder designer contractor volunteer
    manager consultant intern teacher researcher hire man woman boy girl`,
  ],
  [
    "places",
    `country city state province location office market branch brand continent language nation campus factory warehouse
    hotel restaurant shop store building airport station university school hospital territory`,
  ],
  [
    "work",
    `deploy deployment release ship incident bug defect outage failure error vulnerability issue crash complaint step click
    iteration sprint improvement fix saving`,
  ],
  ["hardware", "core cpu gpu vcpu card gib processor disk drive ssd socket rack bit byte"],
  [
    "vague",
    `thing way reason challenge option part kind type sort phase stage step point goal aspect factor category level layer
    question problem principle pillar dimension requirement criterion idea example lesson benefit tip method approach
    condition side half generation version page chapter figure section line other another side main key different major
    core important big simple new good following tool solution technology option area group set pair order place hand
    topic use case concern theme advantage strength tier scenario facet use-case`,
  ],
];

const CLASS_OF: ReadonlyMap<string, NounClass> = new Map(
  // A word belongs to the first class that lists it. Reversed, because the last entry of a Map wins.
  [...nounClasses].reverse().flatMap(([kind, words]) => words.split(/\s+/).map((word) => [word, kind] as const)),
);

/** "boxes" → "box", "queries" → "query"; other words do not change. */
export function singularOf(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies") && word !== "series") return `${word.slice(0, -3)}y`;
  if (/(?:ches|shes|sses|xes|zes)$/.test(word)) return word.slice(0, -2);
  return word === "series" ? word : word.slice(0, -1);
}

export const isPlural = (word: string) =>
  word === "people" || word === "staff" || singularOf(word) !== word || word === "series";

/** @param noun lower case, singular or plural; null for a figure without a noun */
export function nounClassOf(noun: string | null): NounClass {
  if (noun === null) return "none";
  return CLASS_OF.get(noun) ?? CLASS_OF.get(singularOf(noun)) ?? "unknown";
}

/** The kind of a figure's unit. */
export type Dimension = "percent" | "multiple" | "money" | "duration" | "bytes" | "rate" | "points" | "count";

export interface UnitWord {
  readonly dimension: Dimension;
  /** Canonical spelling, as in `data/outcome-metrics.yaml`. */
  readonly unit: string;
  /** In seconds or bytes, to compare figures with different units. */
  readonly size: number;
}

const duration = (unit: string, size: number): UnitWord => ({ dimension: "duration", unit, size });
const bytes = (unit: string, size: number): UnitWord => ({ dimension: "bytes", unit, size });
const money = (unit: string): UnitWord => ({ dimension: "money", unit, size: 1 });

const rows: readonly (readonly [string, UnitWord])[] = [
  ["% percent pct", { dimension: "percent", unit: "%", size: 1 }],
  ["pp", { dimension: "percent", unit: "%", size: 1 }],
  ["points pts", { dimension: "points", unit: "points", size: 1 }],
  ["x × times fold", { dimension: "multiple", unit: "x", size: 1 }],
  ["ns nanosecond nanoseconds", duration("nanoseconds", 1e-9)],
  ["us µs μs microsecond microseconds", duration("microseconds", 1e-6)],
  ["ms msec millis millisecond milliseconds", duration("milliseconds", 1e-3)],
  ["sec secs second seconds", duration("seconds", 1)],
  ["min mins minute minutes", duration("minutes", 60)],
  ["hr hrs hour hours", duration("hours", 3_600)],
  ["day days", duration("days", 86_400)],
  ["week weeks wk wks", duration("weeks", 604_800)],
  ["month months", duration("months", 2_629_800)],
  ["quarter quarters", duration("quarters", 7_889_400)],
  ["year years yr yrs", duration("years", 31_557_600)],
  ["kb kib kilobyte kilobytes", bytes("KB", 1e3)],
  ["mb mib megabyte megabytes", bytes("MB", 1e6)],
  ["gb gib gigabyte gigabytes gig gigs", bytes("GB", 1e9)],
  ["tb tib terabyte terabytes", bytes("TB", 1e12)],
  ["pb pib petabyte petabytes", bytes("PB", 1e15)],
  ["eb exabyte exabytes", bytes("EB", 1e18)],
  ["mbps mbit", { dimension: "rate", unit: "Mbps", size: 1e6 }],
  ["gbps gbit", { dimension: "rate", unit: "Gbps", size: 1e9 }],
  ["tbps", { dimension: "rate", unit: "Tbps", size: 1e12 }],
  ["rps qps tps ops", { dimension: "count", unit: "count", size: 1 }],
  ["kwh", { dimension: "count", unit: "kWh", size: 1 }],
  ["tonne tonnes", { dimension: "count", unit: "tonnes", size: 1 }],
  ["usd dollar dollars", money("USD")],
  ["eur euro euros", money("EUR")],
  ["gbp pounds", money("GBP")],
  ["jpy yen", money("JPY")],
  ["inr rupees", money("INR")],
  ["cny rmb yuan", money("CNY")],
  ["chf francs", money("CHF")],
  ["cad", money("CAD")],
  ["aud", money("AUD")],
];

/** Units by their spellings in lower case. */
export const UNIT_WORDS: ReadonlyMap<string, UnitWord> = new Map(
  rows.flatMap(([words, unit]) => words.split(" ").map((word) => [word, unit] as const)),
);

/** Letters that are units only directly after the digits: `30s`, `5m`, `2h`. */
export const GLUED_UNITS: ReadonlyMap<string, UnitWord> = new Map([
  ["s", duration("seconds", 1)],
  ["m", duration("minutes", 60)],
  ["h", duration("hours", 3_600)],
  ["d", duration("days", 86_400)],
  ["w", duration("weeks", 604_800)],
  ["Gi", bytes("GB", 1e9)],
]);

/** Currency codes that may precede an amount: "RMB 30 million". */
export const MONEY_CODES = wordSet("usd eur gbp jpy inr cny rmb chf cad aud");

/** Currency signs before an amount. */
export const MONEY_SIGNS: ReadonlyMap<string, UnitWord> = new Map([
  ["$", money("USD")],
  ["€", money("EUR")],
  ["£", money("GBP")],
  ["¥", money("JPY")],
  ["₹", money("INR")],
]);
