import type { PageText, Vendor } from "../types.ts";
import { COMMON_WORD_NAMES, UNAMBIGUOUS_NAMES } from "./common-word-names.ts";
import { neighboursOf, tokensOf } from "./context.ts";
import { externalLinks, hostFitsName } from "./links.ts";
import { createVendorNames, isCommon, nameRuns, nameWords, organisationKey } from "./names.ts";
import { labelledValues, type StorySentence } from "./story.ts";
import fitted from "./tools-weights.json" with { type: "json" };
import { wordSet } from "./word-lists.ts";

export interface FoundProduct {
  readonly name: string;
  readonly sentence: string;
  /** 0–1. */
  readonly confidence: number;
}

const MAX_PRODUCTS = 8;
/** Words after a vendor's name that are not part of a product name. */
const NON_PRODUCT_SUFFIX =
  /^(?:team|teams|users?|customers?|community|ceo|cto|story|stories|case|study|adoption|adopter|engineers?|developers?|summit|conference|meetup|documentation|docs|website|blog|project|projects|version|v?\d.*|experience|support|use|usage|solution|solutions|experts?|partner|partners|foundation|jobs?|master|masters|agents?|slaves?|instances?|nodes?|clusters?|servers?|contributors?|maintainers?|committers?)$/i;

/** The vendor's products in a story: the vendor's name itself, and longer names that start with it. */
export function findProducts(vendor: Vendor, story: readonly StorySentence[]): FoundProduct[] {
  const vendorNames = createVendorNames(vendor, null);
  const found = new Map<string, { name: string; sentence: string; count: number; isPlain: boolean }>();
  for (const { text } of story) {
    if (!vendorNames.pattern?.test(text)) continue;
    for (const run of nameRuns(text)) {
      const words = nameWords(run.text);
      if (!vendorNames.isVendorOrProduct(organisationKey(run.text), words)) continue;
      const isPlain = vendorNames.isVendor(run.text);
      const name = isPlain ? vendor.name : productNameOf(run.text);
      if (name === null) continue;
      const key = organisationKey(name);
      const known = found.get(key);
      if (known) known.count += 1;
      else
        found.set(key, {
          name,
          sentence: text,
          count: 1,
          isPlain: isPlain || organisationKey(name) === organisationKey(vendor.name),
        });
    }
  }
  return [...found.values()]
    .filter(({ count, isPlain }) => isPlain || count > 1)
    .sort((a, b) => Number(b.isPlain) - Number(a.isPlain) || b.count - a.count)
    .slice(0, MAX_PRODUCTS)
    .map(({ name, sentence, count, isPlain }) => ({
      name,
      sentence,
      confidence: isPlain ? 0.9 : Math.min(0.85, 0.5 + count * 0.1),
    }));
}

/** The product name at the start of a name; null when only common words remain. */
function productNameOf(run: string): string | null {
  const words = run.split(" ");
  while (words.length > 0 && NON_PRODUCT_SUFFIX.test(words.at(-1) ?? "")) words.pop();
  return words.length === 0 || isCommon(words.map((word) => word.toLowerCase())) ? null : words.join(" ");
}

/** A tool and its alternative names. */
export interface ToolName {
  readonly name: string;
  readonly aliases: readonly string[];
}

export interface FoundTool {
  readonly name: string;
  readonly sentence: string;
  /** 0–1. */
  readonly confidence: number;
}

interface ToolLabel {
  readonly tool: string;
  readonly words: readonly string[];
  readonly lower: readonly string[];
  readonly isCommonWord: boolean;
}

/** Finds tool names by their first word, in lower case. */
interface ToolIndex {
  readonly startingWith: (word: string) => readonly ToolLabel[];
  readonly isTool: (name: string) => boolean;
}

const MAX_TOOLS = 60;
const MAX_SENTENCES = 1_000;
const WORD = /\.?[\p{L}\p{N}]+(?:[.'’_][\p{L}\p{N}]+)*[+#]{0,2}/gu;

/** Indexes names, then aliases; where two tools share one, the first keeps it. */
export function createToolIndex(tools: readonly ToolName[]): ToolIndex {
  const byFirst = new Map<string, ToolLabel[]>();
  const known = new Set<string>();
  const names = tools.map(({ name }) => ({ name, spellings: [name] }));
  const others = tools.map(({ name, aliases }) => ({ name, spellings: aliases }));
  for (const { name, spellings } of [...names, ...others]) {
    for (const spelling of spellings) {
      const words = wordsOf(spelling).map(({ text }) => text);
      const lower = words.map((word) => word.toLowerCase());
      const key = lower.join(" ");
      if (words.length === 0 || key.length < 2 || known.has(key)) continue;
      known.add(key);
      const only = words.length === 1 ? (words[0] ?? "") : "";
      const isShort = only !== "" && only.length <= 3 && only !== only.toUpperCase();
      const isCommonWord =
        only !== "" &&
        !UNAMBIGUOUS_NAMES.has(key) &&
        (isShort || COMMON_WORD_NAMES.has(key) || /^\p{Lu}{1,2}$/u.test(only));
      const label: ToolLabel = { tool: name, words, lower, isCommonWord };
      const first = lower[0] ?? "";
      const others = byFirst.get(first);
      if (others) others.push(label);
      else byFirst.set(first, [label]);
    }
  }
  for (const entries of byFirst.values()) entries.sort((a, b) => b.words.length - a.words.length);
  const none: readonly ToolLabel[] = [];
  return {
    startingWith: (word) => byFirst.get(word) ?? none,
    isTool: (name) =>
      known.has(
        wordsOf(name)
          .map(({ text }) => text.toLowerCase())
          .join(" "),
      ),
  };
}

interface Hit {
  readonly label: ToolLabel;
  readonly at: number;
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

/** A name of the page that may be a tool in use, with its features and their values. */
export interface ToolCandidate {
  readonly name: string;
  /** `tools-weights.json` has the weights. */
  readonly features: ReadonlyMap<string, number>;
  /** The sentence with the best evidence of use. */
  readonly sentence: string;
}

export interface ToolModel {
  /** The score of a name is `bias` plus its weighted features; its probability is the logistic function of the score. */
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

/** Least probability that a tool is used, and not only mentioned. */
const MIN_PROBABILITY = 0.52;

/** Tools that the story says are used, in the order of their first mention, without the vendor's products and the client. */
export function findTools(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  client: { readonly spellings: readonly string[] } | null,
  index: ToolIndex,
  { bias, weights }: ToolModel = fitted,
): FoundTool[] {
  return findToolCandidates(page, vendor, story, client, index)
    .map(({ name, features, sentence }) => {
      let score = bias;
      for (const [feature, value] of features) score += (weights[feature] ?? 0) * value;
      return { name, sentence, confidence: 1 / (1 + Math.exp(-score)) };
    })
    .filter(({ confidence }) => confidence >= MIN_PROBABILITY)
    .slice(0, MAX_TOOLS);
}

/** Words of a sentence that says that somebody uses something. */
const USE =
  /\b(?:us(?:e|es|ed|ing)|utili[sz](?:e|es|ed|ing)|leverag(?:e|es|ed|ing)|runs?|running|ran|deploy(?:s|ed|ing)?|adopt(?:s|ed|ing)?|built|build|chose|choose|cho(?:osing|sen)|rel(?:y|ies|ied) on|integrat(?:e|es|ed|ing)|migrat(?:e|es|ed|ing)|switched|moved|stack|powered|written|implemented|employs?|install(?:ed|ing)?|configured?|stor(?:e|es|ed)|via|based on|host(?:s|ed|ing))\b/i;
const OTHERS =
  /\b(?:unlike|instead of|rather than|compared (?:to|with)|alternatives?|evaluated|considered|looked\sat|compet\w+|such as|similar to|versus|vs|could|would|might|plan(?:s|ned|ning)? to|in the future|next|previously|formerly|legacy|replaced?|replacing|away from|migrat\w+ from)\b/gi;
/** Sentences about a choice, about what people know and about what others may do. */
const NOT_IN_USE: readonly (readonly [string, RegExp])[] = [
  [
    "choice",
    /\b(?:tried|trying|prototyp\w+|evaluat\w+|consider\w*|look(?:ed|ing) (?:at|into)|compar\w+|chos(?:e|en) over|options?|alternatives?|had problems|competitors?|candidates?|valid choices?|wouldn['’]t|would have|less common|more common|might|perhaps)\b/i,
  ],
  [
    "knowledge",
    /\b(?:familiar with|backgrounds?|experience (?:with|in)|knowledge of|popular|community|languages? (?:like|such as)|ecosystem)\b/i,
  ],
  [
    "anyone",
    /\b(?:customers|users|creators|people|anyone|you|your|developers (?:can|to)) ?(?:can|could|may|might|to|will)?\b/i,
  ],
  [
    "product",
    /\b(?:supports?|compatible|recommends?|acquir\w+|offers?|native support|works with|variety of|any of)\b/i,
  ],
];
/** Directly before the tool: "we use …", "their team runs everything on …". */
const DIRECT =
  /(?:\b(?:we|they|teams?|engineers|developers|company|it|who|I)|<client>)(?:['’]ve|['’]re)?\s(?:(?:also|now|currently|then|have|has|had|are|is|been|began|decided|chose|to|already|mainly|primarily|heavily|only|still|both)\s){0,3}(?:us(?:e|es|ed|ing)|utili[sz]es?|leverages?|r[ua]ns?|running|deploy(?:s|ed)?|adopt(?:s|ed)?|built|chose|selected|rel(?:y|ies) on)\s(?:[\w’'-]+\s){0,4}$/i;
/** "they answer mails using …", "our jobs are written in …". */
const DIRECT_BY =
  /(?:\b(?:we|our|they|their|teams?|engineers|developers|company|I)|<client>)\b[^.;]{0,80}\s(?:using|via|with|powered by|built (?:on|with|in)|based on|runn?(?:ing|s)? on|deployed (?:on|to|with)|hosted on|written in|implemented in) (?:[\w’'-]+ ){0,2}$/i;
const CLIENT_SPEAKS = /\b(?:we|our|us|they|their|team|teams|company)\b/i;

/** "it is hosted on …", "the site was built with …". */
const DIRECT_PASSIVE =
  /\b(?:is|are|was|were|been|(?:re)?built|developed|implemented|deployed|hosted)\b[^.;]{0,50}\b(?:hosted on|deployed (?:on|to|with)|written in|powered by|based on|runn?(?:ing)? on|stored in|managed (?:by|with)|monitored (?:by|with)|with|using|on top of) (?:[\w’'-]+ ){0,3}$/i;
/** A capital after a lower-case preposition or article: "approve hours in Slack", not the start of a sentence. */
const AFTER_PREPOSITION =
  /(?:^|[^.!?:]\s)\p{Ll}[\p{L}’'-]*,? (?:in|to|from|with|by|through|via|on|into|and|or|using|uses?|runs?|chose|called|the|its|our|their) $/u;
/** "our …", "their existing …". */
const OWN = /\b(?:our|their|its|own|existing)\s(?:own |existing |entire |whole |main )?$/i;
/** "A, B and other …", "tools such as …": examples are often what others use. */
const EXAMPLE = /\b(?:such as|like|including|e\.g\.|for example|whether|any|various|other)\b[^.;]{0,40}$/i;
const MODAL = /\b(?:if|could|would|might|may|can|should)\b/i;
/** Directly after the tool: something that somebody runs. */
const PART =
  /^(?:-based)?\s(?:\w+ )?(?:clusters?|servers?|instances?|databases?|nodes?|pipelines?|jobs?|apis?|services?|workflows?|operators?|plugins?|runners?|containers?|applications?|apps?|code|librar(?:y|ies)|framework|environments?|platform|infrastructure|repositor(?:y|ies)|deployments?|workloads?|pods?|topics?|queues?|images?)\b/i;
const isDirect = (before: string) => DIRECT.test(before) || DIRECT_BY.test(before) || DIRECT_PASSIVE.test(before);

/** Every known tool of a story that a sentence may mean. */
export function findToolCandidates(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  client: { readonly spellings: readonly string[] } | null,
  index: ToolIndex,
): readonly ToolCandidate[] {
  const vendorNames = createVendorNames(vendor, page.site_name);
  const clients = new Set((client?.spellings ?? []).map(organisationKey));
  const linked = new Set(
    externalLinks(page, vendor.domain).flatMap(({ label, text, isShared }) =>
      hostFitsName(label, text) || (isShared && text.split(" ").length <= 3) ? [organisationKey(text)] : [],
    ),
  );
  const all = new Map<string, { name: string; counts: Map<string, number>; sentence: string; best: number }>();
  const add = (name: string, sentence: string, features: readonly string[]) => {
    const key = organisationKey(name);
    const candidate = all.get(key) ?? { name, counts: new Map<string, number>(), sentence, best: -1 };
    if (!all.has(key)) {
      if (all.size >= MAX_CANDIDATES) return;
      all.set(key, candidate);
    }
    for (const feature of features) candidate.counts.set(feature, (candidate.counts.get(feature) ?? 0) + 1);
    const evidence = Number(features.includes("use")) + 2 * Number(features.includes("direct"));
    if (evidence > candidate.best) Object.assign(candidate, { sentence, best: evidence });
  };
  const isExcluded = (name: string) => {
    const key = organisationKey(name);
    const words = nameWords(name);
    // "Go" in stories of Google Go, "JSON" in those of JSON Schema: a word of the vendor's name.
    const isPart = words.length === 1 && vendorNames.words.has(words[0] ?? "");
    return key === "" || isPart || clients.has(key) || vendorNames.isVendorOrProduct(key, words);
  };
  for (const { name, value, text } of labelledValues(page, story)) {
    const isList = TOOL_LABEL.test(name);
    if (!isList && !PRODUCT_LABEL.test(name)) continue;
    for (const piece of value.split(/[,;|•·&+]|\/(?!\d)|\sand\s/, 40)) {
      const spelling = piece.trim();
      const [hit, ...more] = findHits(spelling, index);
      const isWhole = hit?.start === 0 && hit.end === spelling.length && more.length === 0;
      if (!isWhole || (hit.label.isCommonWord && !isList) || isExcluded(spelling) || isExcluded(hit.label.tool))
        continue;
      add(hit.label.tool, text, ["labelled"]);
    }
  }
  for (const { text, place, section } of story.slice(0, MAX_SENTENCES)) {
    if (place === "title" && text.length > 300) continue;
    const sentence = text.slice(0, 2_000);
    const hits = findHits(sentence, index);
    if (hits.length === 0 || OTHER_STORY.test(sentence)) continue;
    const named = client?.spellings.toSorted((a, b) => b.length - a.length).find((name) => sentence.includes(name));
    const shared = [
      `section:${section}`,
      ...(USE.test(sentence) ? ["use"] : []),
      ...(CLIENT_SPEAKS.test(sentence) ? ["client-speaks"] : []),
      ...NOT_IN_USE.flatMap(([what, words]) => (words.test(sentence) ? [`about:${what}`] : [])),
      ...[...new Set([...sentence.matchAll(OTHERS)].map(([word]) => `others:${word.toLowerCase().split(" ")[0]}`))],
    ];
    const tokens = tokensOf(sentence);
    // "They use A, B and C": what is said of A is said of B and C.
    const direct = new Set<Hit>();
    for (const [number, hit] of hits.entries()) {
      const before = sentence.slice(Math.max(0, hit.start - 200), hit.start);
      const previous = hits[number - 1];
      if (
        isDirect(named === undefined ? before : before.replaceAll(named, "<client>")) ||
        (previous && direct.has(previous) && isListedWith(sentence, hit, previous))
      )
        direct.add(hit);
    }
    for (const hit of hits) {
      const { tool, isCommonWord } = hit.label;
      const name = sentence.slice(hit.start, hit.end);
      if (isExcluded(name) || isExcluded(tool) || MONTHS.has(name.toLowerCase())) continue;
      const before = sentence.slice(Math.max(0, hit.start - 240), hit.start);
      const after = sentence.slice(hit.end, hit.end + 60);
      const isLinked = linked.has(organisationKey(name));
      const isClear =
        !isCommonWord ||
        isLinked ||
        isUsed(sentence, hit) ||
        (place === "body" && AFTER_PREPOSITION.test(sentence.slice(0, hit.start))) ||
        hits.some((other) => other !== hit && !other.label.isCommonWord && isListedWith(sentence, hit, other));
      // A capital at the start of a sentence says nothing of a common word.
      if (!isClear && !/[\p{Ll}\d,)] $/u.test(before)) continue;
      if (isPartOfName(sentence, hit) || OTHER_COMPANIES.test(before)) continue;
      const { left1, left2 } = neighboursOf(tokens, hit);
      add(tool, text, [
        ...shared,
        `before:${left1}`,
        `before:${left2} ${left1}`,
        ...(direct.has(hit) ? ["direct"] : []),
        ...(isLinked ? ["linked"] : []),
        ...(isUsed(sentence, hit) ? ["used"] : []),
        ...(OWN.test(before) ? ["own"] : []),
        ...(EXAMPLE.test(before) ? ["example"] : []),
        ...(MODAL.test(before) ? ["modal"] : []),
        ...(PART.test(after) ? ["part"] : []),
        ...(/\S \p{Lu}[\p{L}\d]* $/u.test(before) ? ["after-name"] : []),
        ...(/^ \p{Lu}/u.test(after) ? ["before-name"] : []),
        ...(isCommonWord ? [isClear ? "common-word" : "common-word-unclear"] : []),
      ]);
    }
  }
  return [...all.values()].map(({ name, counts, sentence }) => {
    const features = new Map(
      [...counts].map(([feature, count]) => [feature, Math.log2(1 + Math.min(count, 7))] as const),
    );
    features.set(`name:${name}`, 1);
    features.set("tools-of-page", Math.log2(1 + all.size));
    return { name, features, sentence };
  });
}

/** Labels and headings above a list of what the client uses, and above a list of products, which may be the vendor's. */
const TOOL_LABEL =
  /^(?:(?:the |our |their )?(?:tools?|tech(?:nology|nologies)?(?: |-)?stack|stack|technolog(?:y|ies)|integrations?|integrates with|connected (?:apps|tools|systems)|software|languages?|frameworks?|infrastructure|data stack|platforms?|built with|powered by|environment|technologien|eingesetzte technologien|intégrations?|tecnolog[íi]as?|integraciones)(?: (?:used|integrations?|and tools|& tools|in use|utilisées|utilizadas))?|(?:aws|azure|google cloud|gcp|cloud|microsoft) (?:services|products)(?: used)?)$/i;
const PRODUCT_LABEL =
  /^(?:products?|solutions?|services?|features?|key products|eingesetzte produkte|produkte|produits?|productos)(?: (?:used|utilisés|utilizados|& services|and services))?$/i;

const MAX_CANDIDATES = 300;
const MONTHS = wordSet("january february march april may june july august september october november december");

/** Tool names in a sentence; at each position the longest name wins, and names do not overlap. */
function findHits(sentence: string, index: ToolIndex): Hit[] {
  const words = wordsOf(sentence);
  const hits: Hit[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at];
    if (word === undefined) break;
    const label = index.startingWith(word.text.toLowerCase()).find((each) => matchesAt(sentence, words, at, each));
    const last = words[at + (label?.words.length ?? 1) - 1] ?? word;
    if (label) hits.push({ label, at, length: label.words.length, start: word.start, end: last.end });
    at += label?.words.length ?? 1;
  }
  return hits;
}

function matchesAt(
  sentence: string,
  words: readonly Word[],
  at: number,
  { words: name, lower, isCommonWord }: ToolLabel,
): boolean {
  for (let offset = 0; offset < name.length; offset++) {
    const word = words[at + offset];
    const wanted = name[offset] ?? "";
    if (word === undefined || word.text.toLowerCase() !== lower[offset]) return false;
    if (offset > 0 && !/^[\s/&.-]{1,3}$/.test(sentence.slice(words[at + offset - 1]?.end ?? 0, word.start)))
      return false;
    if (word.text === wanted) continue;
    // "Github" matches GitHub and "NPM" matches npm, but "front" does not match Front.
    const isWritten =
      /^\p{Lu}/u.test(word.text) && wanted.length >= 4 && wanted !== wanted.toUpperCase() && !isCommonWord;
    if (!isWritten && !(wanted === wanted.toLowerCase() && /^\p{Lu}/u.test(word.text) && !isCommonWord)) return false;
  }
  return true;
}

/** "Slack, Front and Zendesk": only a comma or a conjunction is between two names. */
function isListedWith(sentence: string, one: { readonly start: number; readonly end: number }, other: Hit): boolean {
  const between = other.start > one.end ? sentence.slice(one.end, other.start) : sentence.slice(other.end, one.start);
  return /^\s?(?:,|\/|&|\+|,? and|,? or|,? as well as)\s?$/.test(between);
}

/** A link to another story: "Read about how Brackwater uses Quayline". */
const OTHER_STORY = /^(?:read|learn|see|find out|discover)(?: more)?(?: about)? how (?!(?:it|they|we)\b)/i;

/** "Companies such as Asana and GoDaddy": these are other customers, not tools. */
const OTHER_COMPANIES =
  /\b(?:companies|customers|clients|brands|enterprises|firms|investors|giants|publishers|startups|retailers|organi[sz]ations|competitors|businesses|(?:for|with) the likes of)\b[^.;:]{0,40}\b(?:like|such as|including|include|of|as diverse as)\b[^.;:]{0,200}$/i;

const USING =
  /\b(?:using|uses|used|via|integrat(?:e|es|ed|ion|ions|ing) (?:with|into|to)|migrat(?:e|ed|ing|ion) (?:from|to)|switch(?:ed|ing)? (?:from|to)|moved (?:from|to)|written in|built (?:with|in|on)|powered by|deployed (?:on|with)|runs? on|running on|adopt(?:ed|ing)|chose|implemented in|programmed in|tools? (?:like|such as)|languages? (?:like|such as)|called) $/i;

/** "using Front", not followed by another capitalised word. */
function isUsed(sentence: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return (
    USING.test(sentence.slice(Math.max(0, start - 40), start)) &&
    !/^[ -]\p{Lu}/u.test(sentence.slice(end, end + 3)) &&
    !/^[-/]/.test(sentence.slice(end, end + 1))
  );
}

/** "Square Enix", "Spring Street", "Ann Chef": a common word next to other capitalised words belongs to another name. */
function isPartOfName(sentence: string, { label, start, end }: Hit): boolean {
  if (label.words.length > 1) return false;
  const after = sentence.slice(end, end + 4);
  const before = sentence.slice(Math.max(0, start - 30), start);
  if (label.isCommonWord)
    return (
      /^ \p{Lu}/u.test(after) ||
      /\p{Lu}[\p{L}.]* $/u.test(
        before.replace(/^(?:.*[.!?:,;] )?(?:The|Our|With|Using|In|A|An|And|For|From|To|Via|Both) $/, ""),
      )
    );
  return /^['’]s? (?:team|CEO|CTO)/.test(sentence.slice(end, end + 12));
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map((found) => {
    const word = found[0].replace(/['’]s?$/, "");
    return { text: word, start: found.index, end: found.index + word.length };
  });
}
