import type { PageText, Vendor } from "../types.ts";
import { externalLinks, hostFitsName } from "./links.ts";
import { createVendorNames, isCommon, nameRuns, nameWords, organisationKey } from "./names.ts";
import type { StorySentence } from "./story.ts";
import { wordSet } from "./word-lists.ts";

/**
 * Tool names that are also common words or names of other things. They count only when the context shows that the tool
 * is meant. Lower case, selected by hand from the catalogue.
 */
const COMMON_WORD_NAMES = wordSet(`
  ada adjust affirm agora alma amp angular apache astro attentive avalara basis batch beamer bird block blogger bolt
  boomerang bootstrap box braintree branch bridge buffer bullhorn canny carta chameleon chef circle clerk clicky close
  coda conductor constructor conveyor copper cordial core cortex cosmic cowboy crisp cursor decibel delighted discord
  discourse dojo dover drift drip drone duda dust elastic elixir emma emotion epsilon express factorial falco
  fingerprint firework flagship flannel flask flux fly flywheel foundation fountain foxy framer front gamma gatekeeper
  gem ghost git gladly glean gong graphite gravity greenhouse guru gusto handlebars handshake harbor harness headway
  heap helm highspot hive homerun honeycomb hugo imperva indeed insider intercom island jetpack juicer keep keeper
  kestrel ketch kit knockout koala kong lattice lever lightbox linear loom lottie lovable lucid luma magento make
  materialize maze medium meet megaphone merge meta meteor metronome mural mustache nativo neon nomad notion npm okta
  oracle orb outbrain outgrow outreach oyster paddle pandas pantheon paradox parallels parcel parsec pave perforce
  perplexity persona phoenix piano pinpoint pipeline podium polymer portal postscript preact presto primer primis
  privy prototype puppet qualified railway ramp ray react recharge redux refiner remix remote render renovate resend
  rook ruby sanity scalar scale section segment seismic semaphore sentry serval shade sift simplecast singular slate
  slick snowflake snowplow sorry spark sphinx splash split spring sprig square stamped statistic stimulus storm stream
  stripe subscribers sumo support swarm swell swiper swift switch tally tapad teams telegram temporal terminus thanos
  tink tolstoy transcend transistor unify unity unleash varnish vault vector vertex vibe volcano wave whimsical
  windsurf wiz workable zapier zip zoom zoho yield zen flow port atlas next nest bamboo jade pulsar druid superset
  cucumber locust newman selenium ceph apex consul celery hibernate packer rancher scala go r c dart rust java
  mercurial elm travis node vue ember bun deno word excel access outlook dynamics forms sheets docs drive analytics
  optimize search maps alma target campaign experience marketo lead assistant insights relay hub compass prism jira
  docker slack ideal visa square mars visible workspace mailer chat bitcoin nice sage genesys five9 wix wordfence
  trello chrome edge safari firefox android ios windows linux absorb launch canvas classy turnstile searchlight
  convert cornerstone duo limelight conversant impact bob turbo lithium moment monday neat unruly autopilot clinch
  undertone plausible pardot concur backtrace lessonly hover heartland floodlight instructure percy lawson centro
  readme akkio bill here human join mural ats cats csc ias jet hive catalyst beam core gain stack smart signal spot
  stage style sites table tempo track trust vision voice nielsen adform apple amazon google microsoft facebook twitter
  linkedin youtube instagram pinterest tiktok snapchat reddit akamai ibm salesforce adobe sap vmware citrix fortinet
  parsons kargo kount entrust telegraf fortify
`);

/** Names of that list that nearly always mean the tool when capitalised. */
const UNAMBIGUOUS_NAMES = wordSet(`
  jira docker slack trello zapier okta jenkins java sentry marketo salesforce vmware selenium zoom wix helm npm
  outbrain rancher magento ceph scala cucumber thanos imperva telegraf perforce angular
`);

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

/** Indexes names and aliases; where two tools share one, the first keeps it. */
export function createToolIndex(tools: readonly ToolName[]): ToolIndex {
  const byFirst = new Map<string, ToolLabel[]>();
  const known = new Set<string>();
  for (const { name, aliases } of tools) {
    for (const spelling of [name, ...aliases]) {
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

/** Tools in a story in the order of their first mention, without the vendor's products and the client. */
export function findTools(
  page: PageText,
  vendor: Vendor,
  story: readonly StorySentence[],
  client: { readonly spellings: readonly string[] } | null,
  index: ToolIndex,
): FoundTool[] {
  const vendorNames = createVendorNames(vendor, page.site_name);
  const clients = new Set((client?.spellings ?? []).map(organisationKey));
  const linked = new Set(
    externalLinks(page, vendor.domain).flatMap(({ label, text }) =>
      hostFitsName(label, text) ? [organisationKey(text)] : [],
    ),
  );
  const found = new Map<string, FoundTool>();
  for (const { text, place } of story.slice(0, MAX_SENTENCES)) {
    if (place === "title" && text.length > 300) continue;
    const sentence = text.slice(0, 2_000);
    const hits = findHits(sentence, index);
    for (const [number, hit] of hits.entries()) {
      const { tool, words, isCommonWord } = hit.label;
      if (found.has(tool)) continue;
      const name = sentence.slice(hit.start, hit.end);
      if (
        [name, tool].some(
          (each) =>
            clients.has(organisationKey(each)) || vendorNames.isVendorOrProduct(organisationKey(each), nameWords(each)),
        )
      )
        continue;
      if (OTHER_COMPANIES.test(sentence.slice(Math.max(0, hit.start - 120), hit.start))) continue;
      const isMeant =
        !isCommonWord ||
        linked.has(organisationKey(name)) ||
        isListedWithTool(sentence, hits, number) ||
        isUsed(sentence, hit);
      if (!isMeant || isPartOfName(sentence, hit)) continue;
      found.set(tool, {
        name: tool,
        sentence: text,
        confidence: isCommonWord ? 0.7 : words.length > 1 || linked.has(organisationKey(name)) ? 0.95 : 0.85,
      });
      if (found.size >= MAX_TOOLS) return [...found.values()];
    }
  }
  return [...found.values()];
}

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

/** In a list next to an unambiguous tool: "Slack, Front and Zendesk". */
function isListedWithTool(sentence: string, hits: readonly Hit[], number: number): boolean {
  const hit = hits[number];
  if (hit === undefined) return false;
  const neighbours = [hits[number - 1], hits[number + 1]];
  return neighbours.some((other) => {
    if (other === undefined || other.label.isCommonWord) return false;
    const between = other.start > hit.end ? sentence.slice(hit.end, other.start) : sentence.slice(other.end, hit.start);
    return /^\s?(?:,|\/|&|\+|,? and|,? or|,? as well as)\s?$/.test(between);
  });
}

/** "Companies such as Asana and GoDaddy": these are other customers, not tools. */
const OTHER_COMPANIES =
  /\b(?:companies|customers|clients|brands|enterprises|firms|investors|giants|publishers|startups|retailers|organi[sz]ations|competitors|businesses|(?:for|with) the likes of)\b[^.;:]{0,40}\b(?:like|such as|including|include|of|as diverse as)\b[^.;:]{0,90}$/i;

const USING =
  /\b(?:using|uses|used|via|integrat(?:e|es|ed|ion|ions|ing) (?:with|into|to)|migrat(?:e|ed|ing|ion) (?:from|to)|switch(?:ed|ing)? (?:from|to)|moved (?:from|to)|written in|built (?:with|in|on)|powered by|deployed (?:on|with)|runs? on|running on|adopt(?:ed|ing)|chose|implemented in|programmed in|tools? (?:like|such as)|languages? (?:like|such as)|called) $/i;

/** "using Front", not followed by another capitalised word. */
function isUsed(sentence: string, { start, end }: Hit): boolean {
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
