import { recordedDomain, siteOf } from "../../../core/domain.ts";
import type { Vendor } from "../../types.ts";

/** A run of words that are written as a name is: `Palo Alto Networks`, `iFood`, `ricardo.ch`, `University of Granada`. */
export interface NameRun {
  readonly text: string;
  /** UTF-16 offsets in the sentence; a possessive `'s` stands after `end`. */
  readonly start: number;
  readonly end: number;
  /** The first word of the sentence would have a capital anyway. */
  readonly opens: boolean;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[&'’+._/-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*\+*/gu;
const POSSESSIVE = /['’]s$/;
/** Words that stand inside names of organisations. */
const LINKS: ReadonlySet<string> = new Set(["of", "de", "da", "do", "del", "della", "der", "van", "von", "du", "di"]);
/** What may be followed by "of": elsewhere it parts two names ("Head of Kubernetes"). */
const BODIES =
  /^(?:university|bank|city|college|institute|ministry|department|school|government|state|kingdom|church|museum|library|house|academy|board|office|port|house|foundation|society|association|centre|center|company|league|house|universidad|université|ville|banco|banque|universidade|republic|province|county)$/i;
const MAX_WORDS = 8;
const MAX_SENTENCE = 2_000;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly owns: boolean;
}

/** The names of a sentence in reading order; each word is looked at once. */
export function nameRuns(sentence: string): NameRun[] {
  const text = sentence.length > MAX_SENTENCE ? sentence.slice(0, MAX_SENTENCE) : sentence;
  const words: Word[] = [];
  for (const found of text.matchAll(WORD)) {
    const [whole] = found;
    const owns = POSSESSIVE.test(whole);
    const end = found.index + whole.length - (owns ? 2 : 0);
    words.push({ text: text.slice(found.index, end), start: found.index, end, owns });
  }
  const runs: NameRun[] = [];
  for (let at = 0; at < words.length; ) {
    const last = endOfRun(text, words, at);
    if (last < at) {
      at += 1;
      continue;
    }
    const [from, to] = [words[at]!, words[last]!];
    runs.push({ text: text.slice(from.start, to.end), start: from.start, end: to.end, opens: at === 0 });
    at = last + 1;
  }
  return runs;
}

/** Index of the last word of the name that begins at `first`; less than `first` when none does. */
function endOfRun(text: string, words: readonly Word[], first: number): number {
  const begin = words[first]!;
  const isNumber = /^\d+$/.test(begin.text);
  if (!isNumber && !isNameWord(begin.text)) return first - 1;
  let last = first;
  for (let at = first + 1; at < words.length && at - first < MAX_WORDS; at++) {
    const [before, word] = [words[at - 1]!, words[at]!];
    if (before.owns) break;
    const gap = text.slice(before.end, word.start);
    if (gap !== " " && gap !== " & ") break;
    if (isNameWord(word.text) || (/^\d{1,4}$/.test(word.text) && !isNumber)) {
      if (isNumber && at === first + 1 && !/^\p{Lu}/u.test(word.text)) break;
      last = at;
    } else if (LINKS.has(word.text) && at === last + 1 && BODIES.test(before.text)) continue;
    else if (word.text === "the" && at === last + 2 && LINKS.has(before.text)) continue;
    else break;
  }
  // A bare number is no name; one before a name may be its part ("6 River Systems").
  return isNumber && last === first ? first - 1 : last;
}

/** A capital first or inside, or a host's name. */
export const isNameWord = (word: string): boolean =>
  /^\p{Lu}/u.test(word) ||
  /^\p{Ll}+\p{Lu}/u.test(word) ||
  /^[\p{Ll}\d-]{2,30}\.(?:com|io|ch|cz|de|ai|org|net|dev|co|app|tv|fr|uk|nl|se)$/u.test(word);

const LEGAL: ReadonlySet<string> = new Set(
  (
    "inc incorporated llc llp ltd limited gmbh mbh kg ag se sa sas sarl srl spa sl slu ab oy oyj asa aps bv nv plc pte pty pvt private " +
    "kk co corp corporation company holdings sro zrt ooo eg ev lda ltda cv"
  ).split(" "),
);

/**
 * A name as names are compared: no case, accents, punctuation, leading "The" or legal form, in one word.
 * `Bose Corporation` and `bose` are one; so are `6 River Systems` and `6river-systems`.
 */
export function normaliseName(name: string): string {
  const words = nameWords(name);
  while (words.length > 1 && LEGAL.has(words.at(-1) ?? "")) words.pop();
  if (words.length > 1 && words[0] === "the") words.shift();
  return words.join("");
}

/** Words of a name without case and accents. */
export function nameWords(name: string): string[] {
  const plain = name
    .slice(0, 200)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    // "S.A." and "S.r.l." are one word each; "Trip.com" is not touched.
    .replace(/\b([a-z])\.(?=[a-z]\.|[a-z]\b)/g, "$1")
    .replace(/['’‘`®™©]/g, "")
    .replace(/\ba\/s\b/g, "as");
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** What clients do in titles: "How Acme **cut** …", "Acme **turns** to …". Any verb in these forms ends a name. */
export const TITLE_VERBS = words(`
  accelerate accelerates accelerated achieve achieves achieved adopt adopts adopted automate automates automated avoid
  avoids boost boosts boosted bring brings brought bridge bridges bridging build builds built can centralize choose
  chooses chose combine combines connect connects connected consolidate consolidates converts create creates created
  cut cuts decrease decreases decreased deduplicated deliver delivers delivered deploy deploys deployed develops
  developed did digitize digitizes do does doubled doubles double drive drives drove eliminate eliminates eliminated
  embrace embraces embraced empower empowers empowered enable enables enabled enhance enhances enhanced ensure ensures
  expands expanded fights finds found gain gains gained gets got go goes grow grows grew has have help helps helped
  implement implements implemented improve improves improved increase increases increased innovates is are was were
  jumps keep keeps kept launch launches launched lead leads leverage leverages leveraged made make makes makes manage
  manages managed maximizes migrate migrates migrated modernize modernizes modernized modernise modernises move moves
  moved moving offers opens optimize optimizes optimized orchestrate orchestrates outpaces overcame overcomes picks powers powered power
  prevents processes protect protects protected provides ran raise raises raised reach reaches reached rebuilt reduce
  reduces reduced relies reinvents replace replaces replaced run runs save saves saved scale scales scaled secure
  secures secured select selects selected serve serves served ship ships shipped simplify simplifies simplified
  slashes slashed solve solves solved speeds sped spins standardise standardized standardizes started starts stays
  streamline streamlines streamlined supports supported switch switches switched take takes taps taught tests took
  track tracks transform transforms transformed triples tripled trusts turn turns turned unify unifies unified unlock
  unlocks unlocked upgrade upgrades upgraded use uses used using utilize utilizes utilises went wins won works
`);

/** Roles of people, in "CTO at Acme" and "— Ann, Head of Platform, Acme". */
export const ROLE =
  /\b(?:engineer(?:ing)?|developer|manager|director|architect|officer|founder|cofounder|ceo|cto|cio|ciso|coo|cfo|cmo|cpo|cdo|vp|svp|evp|president|head|lead|leader|owner|analyst|consultant|administrator|admin|sysadmin|specialist|scientist|researcher|student|intern|professor|principal|chief|evangelist|advocate|expert|executive|chairman|partner|designer|maintainer|sre|devops|marketer|strategist|supervisor|coordinator|technologist|programmer|tester|qa|product|operations|marketing|platform|infrastructure|degree|senior|staff|team|department|division|group)\b/i;
/** Those of them that name a person by themselves. */
export const PERSON_ROLE =
  /\b(?:engineer|developer|manager|director|architect|officer|founder|cofounder|co-founder|ceo|cto|cio|ciso|coo|cfo|cmo|vp|svp|president|head|lead|leader|owner|analyst|consultant|administrator|sysadmin|specialist|scientist|researcher|student|intern|professor|principal|chief|evangelist|advocate|expert|executive|chairman|partner|designer|maintainer|sre|technologist|programmer)s?\b/i;

/** What an organisation is called when it is described: "Acme is a leading **provider** of …". */
export const ORGANISATION =
  /\b(?:compan(?:y|ies)|corporation|firm|start-?up|scale-?up|unicorn|provider|suppliers?|platform|bank|insurer|retailer|manufacturer|marketplace|agency|consultancy|consulting|integrator|organi[sz]ation|institution|institute|university|college|school|hospital|foundation|nonprofit|non-profit|charity|enterprise|business|brand|group|conglomerate|leader|maker|developer|publisher|broadcaster|operator|carrier|airline|studio|network|service|website|app|application|community|project|ministry|laboratory|lab|exchange|vendor|solution|specialist|multinational|giant|powerhouse|house|division|subsidiary|district|software|store|shop|product|engine|campaign|tool|browser|database|system)s?\b/i;

/** Words with a capital that name nothing by themselves: openers, months, acronyms, nouns of the trade. */
export const GENERIC = words(`
  a about above access according account accounts achieve across add additionally administrator after again age agenda agile ai all almost along already also although always am american an
  analysis analytics and another any anyone api apis app application applications approach apps april apr aiml architecture are area as asia at august aug author authors automated
  automation available awards b2b b2c background backend bare based basic be because been before being below benefits besides best better between beyond big blog both
  build building builds business but by can case cases cd center central challenge challenges change check chief china ci cicd class clean client clients cloud cluster clusters code
  collaboration combined common communication community company complete complex computing conclusion configuration container containers contents context continuous
  contributing copyright core cost costs could country course cpu cpus create critical current currently custom customer customers daily data database day days december dec deep deliver
  delivery deployment deployments design despite dev developer developers development devops devsecops did digital director discussion distributed dns do docs documentation does
  domain don't done down due during e each early easy ecosystem edge education efficiency eight either email employees enable end engine engineer engineering engineers enter enterprise
  environment error especially europe european even event events every everyone everything evolution example experience facing fact faq fast faster feature features february feb
  figure final finally financial find first five flow focus follow following for fortunately four framework french friday from front full fully function fundamentally further furthermore future
  game games general german germany get getting give given global go goal goals going good government gpu gpus group growth had hardware has have having he head health healthcare help helping hence her here
  hi high highlights his history hope how however hpc http https i ide idea if image images impact implementation improve improved improvement in including increased india indeed industry
  information infrastructure initially innovation inside install instead integration intelligent interface internal internet interview into introduction iot ios ip is issue issues it its january jan japan job
  jobs join july jul june jun just k8s keep key know known large last later latest launch layer lead leader leading learn learning learned lessons let level life like linux list live
  local long look looking low m machine main make making manage management manager many map march mar marketing may me mean meanwhile meet memory message method methods metrics micro microservice microservices
  might migration million mission ml mobile model models modern monday monitoring month months more moreover most moving much multi multiple must my name natural need network networking
  networks never new next nine no node nodes none nor not note november nov now number objectives october oct of offline on once one online only open operations operators opportunity or order organization original os
  other others our out outcome outcomes over overall overview own page part partner people performance perhaps phase pipeline pipelines plan platform platforms please point policy
  possible post powerful practice practices presentation previously private pro problem problems process processing product production products professional program project projects
  provide public python qa question questions quality quick quickly quote r&d rather read real really recently related release releases reliability remote requirements research resource
  resources rest result results return review right risk roadmap role round run running safety said same saas saturday say scalability scale scaling scope script sdk search second section secure
  security self senior september sep sept series server servers serverless service services seven several she should similar similarly simple simply since single site sites six slack small smart so social
  software solution solutions some something soon source sources space specifically speed stability stack staff stage standard start started starting startup startups state states status still step steps storage
  store stories story strategy stream streaming student students success such summary sunday support supports sure system systems table take team teams technical technologies technology
  telecom telecommunications ten test testing tests text than thank thanks that the their them then there therefore these they things think third this those though thousands three through throughout thursday thus time
  times tip tips title to today together tool tools top total toward traditional traffic training transformation tuesday two type types typically ui ultimately under understanding unfortunately union united universal
  unified unit university unlike until up update us usage use used user users using value various version versions very via video virtual vision visit vm vms volume war was wasm watch we web website
  wednesday week weekly weeks welcome well were western what when whenever where whereas whether which while who whole whose why wi-fi will with within without won work workflow
  workflows working workload workloads world would year years yes yet you your yourself zero zone 24/7 faq's i'd i'm i've it's let's that's there's they're we're we've you'll you're
  apache server-side client-side end-to-end open-source real-time ci/cd ai/ml
  goals goal setup ticket phases reliable tier multi-tenant multi-cluster cloud-native kpi kpis sla slo roi cto ceo cio vp coo sre bi iaas paas sql nosql json yaml xml html css pdf url
  github's customer-centric gdpr usa uk eu us-based ssd rpc tcp udp tls ssl vpn lan wan cni csi crd crds etl olap oltp cdc gpu-based ui/ux ux qps tps rps gb tb pb mb ms
`);

/** "How **a** top bank …", "Why **this** company …": the source tells of someone whom it does not name. */
export const UNNAMED =
  /^(?:a|an|one|this|these|our|we|you|your|my|i|to|it|some|many|all|any|the (?:best|right|power|way|future))\b/i;

/** "Global Bank", "Leading European Retailer": how sources write of a client that they do not name. */
const QUALITIES = words(`
  global leading large largest major top big multinational regional anonymous undisclosed confidential enterprise fortune european american us uk
  asian african british german french indian chinese nordic australian canadian 10 20 50 100 500 1000 tier one fast growing mid size
  sized well known popular renowned prominent prestigious financial services service software technology tech energy utility insurance telecom
  telecommunications healthcare health retail ecommerce e commerce media entertainment gaming manufacturing industrial logistics transportation
  automotive pharmaceutical pharma fintech saas online digital mobile food beverage travel consumer goods government public sector it
`);
const KINDS = words(`
  bank retailer insurer company corporation firm provider institution manufacturer agency organization organisation operator startup client customer
  enterprise university hospital brand platform vendor business leader giant utility airline carrier telco marketplace publisher broadcaster consultancy
  integrator supplier distributor employer conglomerate
`);

/** Whether a name only says what kind of client it is. */
const isDescription = (names: readonly string[]): boolean =>
  names.length > 1 &&
  QUALITIES.has(names[0] ?? "") &&
  KINDS.has(names.at(-1) ?? "") &&
  names.every((word) => QUALITIES.has(word) || KINDS.has(word));

interface VendorNames {
  /** Whether a folded name is the vendor's own or that of one of its products. */
  readonly isOwn: (key: string, words: readonly string[]) => boolean;
  /** Whether it is the vendor's or the site's name and no more. */
  readonly isVendor: (name: string) => boolean;
  /** Words of the vendor's names. */
  readonly words: ReadonlySet<string>;
  /** The vendor's name in running text; null when it has none. */
  readonly pattern: RegExp | null;
}

/** Houses whose name stands before those of their projects: "Apache Beam" is told as "Beam" too. */
const HOUSES: ReadonlySet<string> = new Set(["apache", "the", "google", "microsoft", "amazon", "red"]);

/** The names under which a vendor and its products go: "LitmusChaos" is told as "Litmus" too. */
export function createVendorNames(vendor: Vendor, siteName: string | null): VendorNames {
  const words = nameWords(vendor.name);
  const camel = /^(\p{Lu}\p{Ll}{3,})\p{Lu}/u.exec(vendor.name.trim())?.[1];
  const short =
    words.length > 1 && HOUSES.has(words[0] ?? "") ? vendor.name.trim().split(/\s+/).slice(1).join(" ") : null;
  const label = vendor.domain ? recordedDomain(siteOf(vendor.domain)).label : "";
  const shown = [vendor.name, short, camel !== undefined && camel.length >= 5 ? camel : null].flatMap((name) =>
    name === null || name.trim() === "" ? [] : [name],
  );
  const keys = new Set(
    [...shown, vendor.slug, label, siteName ?? ""].map(normaliseName).filter((key) => key.length > 1),
  );
  const starts = shown.map(nameWords).filter((each) => each.length > 0);
  const all = new Set([
    ...words,
    ...(short ? nameWords(short) : []),
    ...(camel ? [camel.toLowerCase()] : []),
    normaliseName(vendor.name),
  ]);
  const alternatives = shown.map((name) => name.slice(0, 80).replace(/[^\p{L}\p{N}\s]/gu, "\\$&"));
  return {
    words: all,
    isVendor: (name) => keys.has(normaliseName(name)),
    isOwn: (key, own) =>
      keys.has(key) ||
      starts.some((start) => start.length <= own.length && start.every((word, at) => word === own[at])),
    pattern:
      alternatives.length > 0
        ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join("|")})(?![\\p{L}\\p{N}])`, "u")
        : null,
  };
}

/** The signs by which a name may be the client's; `weights.ts` says how much each counts. */
export type Cue =
  | "label"
  | "json-ld"
  | "logo"
  | "title-label"
  | "title-subject"
  | "title-at"
  | "title-owner"
  | "title-piece"
  | "title-after"
  | "title"
  | "description"
  | "heading"
  | "about"
  | "attribution"
  | "role-at"
  | "work-at"
  | "at-opening"
  | "at"
  | "defines"
  | "apposition"
  | "does"
  | "owns"
  | "team"
  | "uses-vendor"
  | "helped"
  | "linked"
  | "opens-story"
  | "also-called";

export interface Candidate {
  readonly key: string;
  readonly words: readonly string[];
  /** Ways in which it is written, with how often. */
  readonly forms: Map<string, number>;
  /** How often each sign was seen, and the sentence of the first. */
  readonly cues: Map<Cue, { count: number; readonly sentence: string | null }>;
  /** Times it stands in the text. */
  mentions: number;
  /** Times it stands where a person would: "says Ann Lee". */
  asPerson: number;
}

const MAX_CANDIDATES = 1_500;
const MAX_NAME = 80;
/** Signs that make a candidate of a word that names nothing by itself ("Remote", "Box", "Community"). */
const TELLING: ReadonlySet<Cue> = new Set<Cue>([
  "label",
  "json-ld",
  "logo",
  "title-label",
  "title-subject",
  "title-at",
  "title-piece",
  "attribution",
  "linked",
  "about",
  "defines",
]);

export interface Candidates {
  /** Notes a sign for a name; `shown` is its surface as the page writes it. Names that cannot be one are dropped. */
  note(shown: string, cue: Cue, sentence: string | null): void;
  /** Counts a mention that says nothing more. */
  mention(shown: string): void;
  person(shown: string): void;
  readonly all: ReadonlyMap<string, Candidate>;
}

export function createCandidates(isExcluded: (key: string, words: readonly string[]) => boolean): Candidates {
  const all = new Map<string, Candidate>();

  const find = (
    shown: string,
    mayBegin: (words: readonly string[]) => boolean,
  ): readonly [Candidate, string] | null => {
    const name = trimName(shown);
    if (name === "" || name.length > MAX_NAME) return null;
    const key = normaliseName(name);
    const known = all.get(key);
    if (known) return [known, name];
    const words = nameWords(name);
    if (
      isDescription(words) ||
      words.every((word) => OPENERS.has(word)) ||
      /^(?:industry|sector)$/.test(words.at(-1) ?? "")
    )
      return null;
    if (key.length < 2 || !/\p{L}/u.test(key) || all.size >= MAX_CANDIDATES) return null;
    if (!mayBegin(words) || isExcluded(key, words)) return null;
    const made: Candidate = { key, words, forms: new Map(), cues: new Map(), mentions: 0, asPerson: 0 };
    all.set(key, made);
    return [made, name];
  };

  return {
    all,
    note(shown, cue, sentence) {
      const found = find(shown, (words) => TELLING.has(cue) || !isGeneric(words));
      if (!found) return;
      const [candidate, name] = found;
      const seen = candidate.cues.get(cue);
      if (seen) seen.count += 1;
      else candidate.cues.set(cue, { count: 1, sentence });
      if (!candidate.forms.has(name)) candidate.forms.set(name, 0);
    },
    mention(shown) {
      const found = find(shown, (words) => !isGeneric(words));
      if (!found) return;
      const [candidate, name] = found;
      candidate.mentions += 1;
      candidate.forms.set(name, (candidate.forms.get(name) ?? 0) + 1);
    },
    person(shown) {
      const found = find(shown, (words) => !isGeneric(words));
      if (found) found[0].asPerson += 1;
    },
  };
}

/** None of its words names anything. */
export const isGeneric = (words: readonly string[]): boolean =>
  words.every((word) => GENERIC.has(word) || /^\d+$/.test(word) || (word.length > 2 && ORGANISATION.test(word)));

/** Without what stands around a name: "The", marks, and openers such as "Today Acme". */
function trimName(shown: string): string {
  const name = shown
    .replace(/[®™©]/g, "")
    .replace(/(?<=\S)\s?\([^()]{0,60}\)?$/, "")
    .replace(/^[\s"'“”‘’([{*_`.,;:–—-]+|[\s"'“”‘’)\]}*_`,;:–—-]+$/gu, "")
    .replace(/\s(?:case stud(?:y|ies)|(?:user|customer|success) stor(?:y|ies))$/iu, "")
    .replace(/['’]s$/u, "");
  const words = name.split(/\s+/);
  // "However, Acme" never reaches here; "Today Acme" and "When Acme" do.
  while (words.length > 1 && OPENERS.has((words[0] ?? "").toLowerCase()) && isNameWord(words[1] ?? "")) words.shift();
  while (words.length > 1 && /^(?:teams?|customers?|users|employees|engineers|developers)$/i.test(words.at(-1) ?? ""))
    words.pop();
  return words.join(" ");
}

const OPENERS: ReadonlySet<string> = new Set(
  (
    "after also although and as at before both but by despite during for from given how if in initially like meanwhile " +
    "of on our once since so that the their then there these they this through thus to today until we what when where which while who why with your is does did " +
    "a an another each every one some many has have can was were are be meet because using currently recently previously originally founded " +
    "i it he she you us me my your our him her who someone anyone everyone today now then here there yes no not"
  ).split(" "),
);
