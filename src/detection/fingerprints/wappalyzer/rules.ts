import { type Shape, SIGNAL_GROUPS, SIGNALS, type SignalGroup, type SignalKind } from "../../signals.ts";
import { requiredLiteral } from "../conditions.ts";
import { exampleFaults } from "../examples.ts";
import { LINEAR_REGEX } from "../linear-regex.ts";
import type { Match, Meaning, Rule, Strength } from "../types.ts";
import { parseRegex, withOneGroup } from "./expression.ts";

/** A pattern with its tags: `regex\;version:\1\;confidence:50`. */
interface Tagged {
  /** Empty when presence alone counts. */
  readonly source: string;
  /** Number of the group with the version. */
  readonly versionGroup: number | undefined;
  /** Whether the version is given in an unsupported form. */
  readonly hasOtherVersion: boolean;
  /** 0 to 100. */
  readonly confidence: number;
}

const MAX_SOURCE = 1_000;

/** Parses a pattern with its tags; undefined if it is not a string or too long. */
export function readTagged(raw: unknown): Tagged | undefined {
  if (typeof raw !== "string" || raw.length > MAX_SOURCE + 200) return undefined;
  const [source = "", ...tags] = raw.split("\\;");
  if (source.length > MAX_SOURCE) return undefined;
  const tag = (name: string) => tags.find((one) => one.startsWith(`${name}:`))?.slice(name.length + 1);
  const version = tag("version");
  const group = /^\\(\d)$/.exec(version ?? "")?.[1];
  const confidence = Number(tag("confidence") ?? 100);
  return {
    source: source.replace(/\\(.)/gs, (pair, sign: string) => (NEEDLESS_ESCAPES.includes(sign) ? sign : pair)),
    versionGroup: group === undefined ? undefined : Number(group),
    hasOtherVersion: version !== undefined && group === undefined,
    confidence: Number.isFinite(confidence) ? Math.min(100, Math.max(0, confidence)) : 100,
  };
}

/** JavaScript allows a backslash before any character, RE2 only where it has a meaning. */
const NEEDLESS_ESCAPES = "_ \"'`#%&,:;<=>@~!";

/** One value, a list of values, or none: some keys allow each. */
export function textsIn(raw: unknown, most = 100): readonly unknown[] {
  return Array.isArray(raw) ? raw.slice(0, most) : raw === undefined || raw === null ? [] : [raw];
}

/** The entries of an object; none for anything else. */
export function entriesIn(raw: unknown, most = 200): readonly (readonly [string, unknown])[] {
  return typeof raw === "object" && raw !== null && !Array.isArray(raw) ? Object.entries(raw).slice(0, most) : [];
}

/** What a pattern is applied to, and what a match means. */
interface Place {
  readonly see: SignalKind | SignalGroup | readonly SignalKind[];
  /** For named values. */
  readonly name?: string;
  /** A variable, instead of a pattern. */
  readonly global?: string;
  readonly means: Meaning;
  /** The maximum. */
  readonly strength: Strength;
  readonly why: string;
}

type RuleResult = { readonly rule: Omit<Rule, "id"> } | { readonly refused: string };

/** Patterns below this confidence of the set become weak rules. */
const MIN_CONFIDENCE = 75;
/** Ordinary content: a pattern that matches such content is useless. */
const ORDINARY = [
  "",
  "a",
  "index.html",
  "https://www.site.test/",
  "https://cdn.site.test/assets/js/main.min.js?ver=1.2.3",
  '<div class="content" id="main"><p>text</p></div>',
  "text/html; charset=utf-8",
];

/** Converts one pattern into a rule with examples, or returns why that is impossible. */
export function ruleOf(tagged: Tagged, place: Place): RuleResult {
  const shape = shapeOf(place.see);
  if (place.global !== undefined) {
    const { global } = place;
    return tested({ ...baseOf(tagged, place), match: { global }, hit: `${global} = 1;`, miss: `my_${global} = 1;` });
  }
  if (tagged.source === "") {
    if (place.name === undefined) return { refused: "an empty pattern" };
    const match = { name: place.name };
    return tested({ ...baseOf(tagged, place), match, hit: `${place.name}: a`, miss: `x-other-${place.name}: a` });
  }
  const fault = LINEAR_REGEX.faultIn(tagged.source);
  if (fault) return { refused: `the regex ${fault.replace(/[:;].*/, "")}` };
  const read = parseRegex(tagged.source);
  if (!read) return { refused: "unsupported syntax in the regex" };
  const compiled = LINEAR_REGEX.compile(tagged.source);
  if (ORDINARY.some((text) => compiled.test(text))) return { refused: "the regex matches ordinary content" };
  if (shape === "text" && read.anchored) return { refused: "the regex is anchored in a long text" };
  const match = matchOf(tagged.source, read.plain, shape);
  if (typeof match === "string") return { refused: match };
  const version = tagged.versionGroup === undefined ? undefined : withOneGroup(tagged.source, tagged.versionGroup);
  const named = (value: string) => (place.name === undefined ? value : `${place.name}: ${value}`);
  const [hit, ...misses] = [read.sample, ...nearMisses(read.sample)].map((value) => named(placed(value, shape)));
  const rule = {
    ...baseOf(tagged, place),
    match: place.name === undefined ? match : { name: place.name, ...match },
    hit: hit ?? "",
    ...(version !== undefined && LINEAR_REGEX.hasGroup(version) ? { version } : {}),
  };
  const attempts = misses.map((miss) => tested({ ...rule, miss }));
  return attempts.find((result) => "rule" in result) ?? attempts[0] ?? { refused: "no examples could be generated" };
}

const shapeOf = (see: Place["see"]): Shape => {
  const first = typeof see === "string" ? see : see[0];
  const kind = first !== undefined && first in SIGNAL_GROUPS ? SIGNAL_GROUPS[first as SignalGroup][0] : first;
  return SIGNALS[kind as SignalKind].shape;
};

const baseOf = ({ confidence }: Tagged, { see, means, strength, why }: Place) =>
  ({ see, means, strength: confidence < MIN_CONFIDENCE ? "weak" : strength, why }) as const;

/** The simplest equivalent match, or the reason why there is none. */
function matchOf(source: string, plain: ReturnType<typeof plainOf>, shape: Shape): Match | string {
  if (plain && !/[\r\n\t]/.test(plain.text)) {
    const { text, start, end } = plain;
    if (start && end) return { equals: text };
    if (start && !end && text.length >= 4) return { prefix: text };
    if (!start && !end && text.length >= (shape === "text" ? 5 : 4) && text.length <= 200) return { contains: text };
  }
  const literal = requiredLiteral(source);
  if (shape === "text" && (literal?.length ?? 0) < 5) return "too little literal text to search for";
  if (plain && plain.text.length < 4) return "shorter than four characters";
  return { regex: source };
}
const plainOf = (source: string) => parseRegex(source)?.plain;

/** The rule, if its examples pass. */
function tested(rule: Omit<Rule, "id">): RuleResult {
  const tool = { id: "example", name: "", vendor: "", website: "", category: "" };
  const whole: Rule = { id: "example", ...rule, custom: true };
  if (rule.hit.length > 1_000 || rule.miss.length > 1_000) return { refused: "no examples could be generated" };
  const faults = exampleFaults({ ...tool, rules: [whole] }, LINEAR_REGEX);
  return faults.length === 0 ? { rule } : { refused: "no examples could be generated" };
}

/** A sample as a value of its shape. */
function placed(sample: string, shape: Shape): string {
  if (shape !== "url") return sample;
  if (/^https?:\/\//.test(sample)) return sample;
  if (sample.startsWith("//")) return `https:${sample}`;
  return `https://cdn.site.test${sample.startsWith("/") ? "" : "/"}${sample}`;
}

/** Variants of a text with its last letter, its first letter, and finally all letters changed. */
function* variantsOf(text: string): Generator<string> {
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
const nearMisses = (text: string) => [...variantsOf(text)];

/** Signals by element and attribute. */
const ADDRESSES: Readonly<Record<string, SignalKind>> = {
  "script src": "html.script",
  "link href": "html.link",
  "img src": "html.image",
  "iframe src": "html.frame",
  "form action": "html.form",
  "a href": "html.anchor",
};
const UNSUPPORTED_SELECTOR = "pages are not rendered; only addresses and meta tags are read";

/** Patterns for elements: selectors, or selectors with patterns for their attributes. */
function placesInDom(dom: unknown): readonly Found[] {
  if (typeof dom === "string" || Array.isArray(dom)) {
    return textsIn(dom).flatMap((one) => (typeof one === "string" ? selectorsIn(one).map(foundBy) : placesInDom(one)));
  }
  return entriesIn(dom).flatMap(([selector, conditions]) => {
    const parts = entriesIn(conditions);
    const attributes = parts.flatMap(([key, raw]) => (key === "attributes" ? entriesIn(raw) : []));
    const others = parts.filter(([key]) => key !== "attributes" && key !== "exists");
    return [
      ...(parts.some(([key]) => key === "exists") ? selectorsIn(selector).map(foundBy) : []),
      ...attributes.map(([attribute, raw]) => foundByAttribute(selector, attribute, raw)),
      ...others.map(([key]) => ({
        key: "dom",
        text: `${selector} ${key}`.slice(0, 200),
        refused: UNSUPPORTED_SELECTOR,
      })),
    ];
  });
}

/** The selectors of a list. A comma inside a value also splits, and the parts are then refused. */
const selectorsIn = (list: string) =>
  list
    .slice(0, 4_000)
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean)
    .slice(0, 100);

/** `script[src*='vendor.com']`, `link[href^="https://vendor.com"]`, `meta[name='generator'][content^='Vendor']`. */
function foundBy(selector: string): Found {
  const found = { key: "dom", text: selector.slice(0, 200) };
  const last =
    selector
      .slice(0, 500)
      .split(/[\s>+~]+(?![^[]*\])/)
      .at(-1) ?? "";
  const [, tag, attribute, how = "", value = ""] =
    /^([a-z]{1,10})\[([a-z-]{1,30})([*^$]?)=\s{0,3}["']?([^"'\]]{1,200})["']?\s{0,3}i?\]$/i.exec(last) ?? [];
  const [, name, metaHow = "", content] =
    /^meta\[name=["']?([^"'\]]{1,60})["']?\](?:\[content([*^$]?)=["']?([^"'\]]{1,200})["']?\])?$/i.exec(last) ?? [];
  if (name !== undefined) {
    const place: Place = { see: "html.meta", name: name.toLowerCase(), ...RUNS, why: "meta tag of the page" };
    const tagged = readTagged(content === undefined ? "" : selectorRegex(content, metaHow));
    return /\s/.test(name) || !tagged ? { ...found, refused: UNSUPPORTED_SELECTOR } : { ...found, tagged, place };
  }
  const see = ADDRESSES[`${tag?.toLowerCase()} ${attribute?.toLowerCase()}`];
  const tagged = readTagged(selectorRegex(value, how === "" ? "=" : how));
  if (!see || !tagged) return { ...found, refused: UNSUPPORTED_SELECTOR };
  // Addresses in the page may be relative; signals are absolute.
  if (how !== "*" && !/^https?:\/\//.test(value)) return foundAnywhere(found, see, value);
  return { ...found, tagged, place: placeOf(see) };
}

function foundAnywhere(found: { key: string; text: string }, see: SignalKind, value: string): Found {
  const tagged = readTagged(selectorRegex(value, "*"));
  return tagged ? { ...found, tagged, place: placeOf(see) } : { ...found, refused: UNSUPPORTED_SELECTOR };
}

function foundByAttribute(selector: string, attribute: string, raw: unknown): Found {
  const found = { key: "dom", text: `${selector} ${attribute}: ${raw}`.slice(0, 200) };
  const tag = /([a-z]{1,10})(?:[.#[][^\s]{0,200})?$/i.exec(selector.slice(0, 500))?.[1]?.toLowerCase();
  const see = ADDRESSES[`${tag} ${attribute.toLowerCase()}`];
  const tagged = readTagged(raw);
  return see && tagged && tagged.source !== ""
    ? { ...found, tagged, place: placeOf(see) }
    : { ...found, refused: UNSUPPORTED_SELECTOR };
}

const RUNS = { means: "runs", strength: "strong" } as const;
const placeOf = (see: SignalKind): Place =>
  see === "html.anchor"
    ? { see, means: "runs", strength: "weak", why: "link to the tool" }
    : { see, ...RUNS, why: "address that the page loads" };

/** The value of an attribute selector as a regex. */
function selectorRegex(text: string, how: string): string {
  const plain = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return `${how === "^" || how === "=" ? "^" : ""}${plain}${how === "$" || how === "=" ? "$" : ""}`;
}

/** One pattern of a technology and what it applies to, or why it is not imported. */
type Found = { readonly key: string; readonly text: string } & (
  | { readonly tagged: Tagged; readonly place: Place }
  | { readonly refused: string }
);

const SCRIPT: Place = { ...RUNS, see: "html.script", why: "address of a script of the tool" };
const MARKUP: Place = { ...RUNS, see: "html.markup", why: "text in the page source" };
const CODE: Place = { ...RUNS, see: "code", why: "text of the tool's scripts" };
const REQUEST: Place = { ...RUNS, see: "html.request", why: "request of the tool's script" };

/** Keys with a pattern, or a list of them. */
const LISTS: Readonly<Record<string, Place>> = {
  scriptSrc: SCRIPT,
  script: SCRIPT,
  html: MARKUP,
  scripts: CODE,
  xhr: REQUEST,
  robots: { ...RUNS, see: "file.robots", why: "text of robots.txt" },
  certIssuer: { ...RUNS, see: "tls.issuer", why: "issuer of the certificate" },
};
/** Keys with patterns by name. */
const DNS: Readonly<Record<string, Place>> = {
  MX: { ...RUNS, see: "dns.mx", why: "mail exchange of the tool" },
  NS: { ...RUNS, see: "dns.ns", why: "name server of the tool" },
  CNAME: { ...RUNS, see: "dns.cname", why: "host of the tool behind an alias" },
  SOA: { ...RUNS, see: "dns.soa", why: "name server of the tool in the SOA record" },
  TXT: { see: "dns.txt", means: "verified-once", strength: "weak", why: "TXT record that the tool requires" },
};
const NOT_KEPT: Readonly<Record<string, string>> = {
  url: "the site's address is not matched",
  text: "visible text is not matched",
  css: "style sheets are not read",
  probe: "addresses are not probed",
  requiresCategory: "only tools can be required, not categories",
};

/** Every pattern of a technology, without descriptive keys such as icon and price. */
export function placesIn(technology: Readonly<Record<string, unknown>>): readonly Found[] {
  const found: Found[] = [];
  const add = (key: string, raw: unknown, place: Place | undefined, refused?: string, shown = String(raw)) => {
    const tagged = readTagged(raw);
    const text = shown.slice(0, 200);
    if (!tagged) found.push({ key, text, refused: "not a pattern, or too long" });
    else if (refused !== undefined || !place) found.push({ key, text, refused: refused ?? "no such kind of signal" });
    else found.push({ key, text, tagged, place });
  };

  for (const [key, place] of Object.entries(LISTS)) for (const raw of textsIn(technology[key])) add(key, raw, place);
  for (const [key, reason] of Object.entries(NOT_KEPT)) {
    for (const raw of textsIn(technology[key]))
      add(key, typeof raw === "object" ? key : String(raw), undefined, reason);
  }
  for (const [name, raw] of entriesIn(technology.headers)) {
    const place: Place = { ...RUNS, see: "http.header", name: name.toLowerCase(), why: "response header of the site" };
    for (const one of textsIn(raw)) add("headers", one, place, nameFault(name));
  }
  for (const [name, raw] of entriesIn(technology.meta)) {
    const place: Place = { ...RUNS, see: "html.meta", name: name.toLowerCase(), why: "meta tag of the page" };
    for (const one of textsIn(raw)) add("meta", one, place, nameFault(name));
  }
  for (const [name, raw] of entriesIn(technology.cookies)) {
    const hasValue = (readTagged(raw)?.source ?? "") !== "";
    const place: Place = { ...RUNS, see: "http.cookie", why: "cookie that the tool sets" };
    add("cookies", wholeName(name, raw), place, hasValue ? "cookie values are not read" : undefined, name);
  }
  for (const [kind, raw] of entriesIn(technology.dns)) {
    for (const one of textsIn(raw)) add("dns", one, DNS[kind.toUpperCase()]);
  }
  for (const [chain, raw] of entriesIn(technology.js)) found.push(globalIn(chain, raw));
  found.push(...placesInDom(technology.dom));
  return found;
}

const nameFault = (name: string) => (/^\S{1,100}$/.test(name) ? undefined : "a name with spaces");

/** A pattern for the whole name, with the confidence of the value's pattern. */
const wholeName = (name: string, raw: unknown) => {
  const confidence = readTagged(raw)?.confidence ?? 100;
  return `^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$\\;confidence:${confidence}`;
};

/** Pages are not rendered: a variable is found by its name in the code, so short names are too ambiguous. */
function globalIn(chain: string, raw: unknown): Found {
  const found = { key: "js", text: chain.slice(0, 200) };
  const tagged = readTagged(raw);
  if (!tagged) return { ...found, refused: "not a pattern, or too long" };
  if (!/^[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){0,6}$/.test(chain))
    return { ...found, refused: "not a variable name" };
  if (chain.length < 5) return { ...found, refused: "a name of fewer than five characters" };
  const strength = chain.length < 8 && !chain.includes(".") && !chain.startsWith("_") ? "weak" : "strong";
  const place: Place = { ...RUNS, strength, see: "code", why: "variable of the tool, named in the code" };
  return { ...found, tagged, place: { ...place, global: chain } };
}
