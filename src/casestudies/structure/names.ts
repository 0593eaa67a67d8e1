import { recordedDomain, siteOf } from "../../core/domain.ts";
import { normaliseName, wordsIn } from "../../core/text.ts";
import type { Vendor } from "../types.ts";
import { wordSet } from "./word-lists.ts";

/** Consecutive words that are written like a name: `Palo Alto Networks`, `iFood`, `ricardo.ch`, `University of Granada`. */
export interface NameRun {
  readonly text: string;
  /** UTF-16 offsets in the sentence. A possessive `'s` is not included. */
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[&'’+._/-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*\+*/gu;
const POSSESSIVE = /['’]s$/;
/** Lower-case words inside names of organisations. */
const NAME_PARTICLES = wordSet("of de da do del della der van von du di");
/** Words after which "of" continues a name. After others it separates two names ("Head of Kubernetes"). */
const NOUNS_BEFORE_OF =
  /^(?:university|bank|city|college|institute|ministry|department|school|government|state|kingdom|church|museum|library|house|academy|board|office|port|house|foundation|society|association|centre|center|company|league|house|universidad|université|ville|banco|banque|universidade|republic|province|county)$/i;
const MAX_WORDS = 8;
const MAX_SENTENCE = 2_000;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isPossessive: boolean;
}

/** The names of a sentence in reading order. */
export function nameRuns(sentence: string): NameRun[] {
  const text = sentence.length > MAX_SENTENCE ? sentence.slice(0, MAX_SENTENCE) : sentence;
  const words: Word[] = [];
  for (const found of text.matchAll(WORD)) {
    const [whole] = found;
    const isPossessive = POSSESSIVE.test(whole);
    const end = found.index + whole.length - (isPossessive ? 2 : 0);
    words.push({ text: text.slice(found.index, end), start: found.index, end, isPossessive });
  }
  const runs: NameRun[] = [];
  for (let at = 0; at < words.length; ) {
    const last = endOfRun(text, words, at);
    if (last < at) {
      at += 1;
      continue;
    }
    const [from, to] = [words[at]!, words[last]!];
    runs.push({ text: text.slice(from.start, to.end), start: from.start, end: to.end });
    at = last + 1;
  }
  return runs;
}

/** What may be named after somebody: "King's **College**", "St. Mary's **Hospital**". */
const NAMED_AFTER =
  /^(?:Hospitals?|College|University|School|Academy|Church|Cathedral|Institute|Infirmary|Clinic|Society)$/;
/** Abbreviations at the start of a name, which a full stop follows. */
const TITLE_OF_NAME = /^(?:St|Ste|Mt|Ft)$/;

/** Index of the last word of the name that starts at `first`; less than `first` when none does. */
function endOfRun(text: string, words: readonly Word[], first: number): number {
  const begin = words[first]!;
  const isNumber = /^\d+$/.test(begin.text);
  if (!isNumber && !isNameWord(begin.text)) return first - 1;
  let last = first;
  for (let at = first + 1; at < words.length && at - first < MAX_WORDS; at++) {
    const [before, word] = [words[at - 1]!, words[at]!];
    if (before.isPossessive && !NAMED_AFTER.test(word.text)) break;
    const gap = text.slice(before.end, word.start).replace(/^['’]s(?= )/, "");
    if (gap !== " " && gap !== " & " && !(gap === ". " && TITLE_OF_NAME.test(before.text))) break;
    if (isNameWord(word.text) || (/^\d{1,4}$/.test(word.text) && !isNumber)) {
      if (isNumber && at === first + 1 && !/^\p{Lu}/u.test(word.text)) break;
      last = at;
    } else if (NAME_PARTICLES.has(word.text) && at === last + 1 && continuesName(before.text, word.text)) continue;
    else if (/^(?:the|la|las|los)$/.test(word.text) && at === last + 2 && NAME_PARTICLES.has(before.text)) continue;
    else break;
  }
  // A number alone is not a name, but it may start one ("6 River Systems").
  return isNumber && last === first ? first - 1 : last;
}

/** "Mutuelle des Rivages", "University of Granada", and neither "Directora de Frutas Alcor" nor "Head of Kubernetes". */
const continuesName = (before: string, particle: string): boolean =>
  NOUNS_BEFORE_OF.test(before) || (particle !== "of" && !FOREIGN_ROLE.test(before) && !PERSON_ROLE.test(before));
/** Roles in the languages of the particles. */
const FOREIGN_ROLE =
  /^(?:direct\p{L}*|gerent\p{L}*|jef[ea]|responsa\p{L}+|chef\p{L}*|respons\p{L}+|gérant\p{L}*|président\p{L}*|president[ea]|diret\p{L}+|dirett\p{L}+|leit\p{L}+|hoofd|fundador\p{L}*|fondat\p{L}+|leder|inhaber\p{L}*|geschäftsführ\p{L}+)$/iu;

/** Starts with a capital, has one inside, or is a host name. */
export const isNameWord = (word: string): boolean =>
  /^\p{Lu}/u.test(word) ||
  /^\p{Ll}+\p{Lu}/u.test(word) ||
  (/^[\p{Ll}\d-]{2,30}\.\p{Ll}{2,12}$/u.test(word) && !FILE_NAME.test(word));
/** Names of files, which look like host names. */
const FILE_NAME =
  /\.(?:js|jsx|ts|tsx|py|json|ya?ml|md|html?|css|xml|txt|csv|sh|exe|jar|rs|rb|java|kt|go|cs|php|toml|conf|log|sql|pdf|png|jpe?g|svg|zip|lock|env|ini|proto|tf|parquet)$/;

const LEGAL_FORMS = wordSet(`
  inc incorporated llc llp ltd limited gmbh mbh kg ag se sa sas sarl srl spa sl slu ab oy oyj asa aps bv nv plc pte
  pty pvt private kk co corp corporation company holdings sro zrt ooo eg ev lda ltda cv
`);

/**
 * The key by which names of organisations are compared: without case, accents, punctuation, spaces, a leading "The" and a legal form.
 * `Bose Corporation` equals `bose`, and `6 River Systems` equals `6river-systems`.
 */
export function organisationKey(name: string): string {
  const words = nameWords(name);
  while (words.length > 1 && LEGAL_FORMS.has(words.at(-1) ?? "")) words.pop();
  if (words.length > 1 && words[0] === "the") words.shift();
  return words.join("");
}

/** The words of a name, without case and accents. */
export function nameWords(name: string): string[] {
  const plain = normaliseName(name.slice(0, 200))
    // "S.A." and "S.r.l." become one word; "Trip.com" does not.
    .replace(/\b([a-z])\.(?=[a-z]\.|[a-z]\b)/g, "$1")
    .replace(/['’‘`®™©]/g, "")
    .replace(/\ba\/s\b/g, "as");
  return wordsIn(plain);
}

/** Verbs after a client's name in titles: "How Acme **cut** …", "Acme **turns** to …". They end a name. */
export const TITLE_VERBS = wordSet(`
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

/** Words of a person's role, as in "CTO at Acme" and "— Ann, Head of Platform, Acme". */
export const ROLE =
  /\b(?:engineer(?:ing)?|developer|manager|director|architect|officer|founder|cofounder|ceo|cto|cio|ciso|coo|cfo|cmo|cpo|cdo|vp|svp|evp|president|head|lead|leader|owner|analyst|consultant|administrator|admin|sysadmin|specialist|scientist|researcher|student|intern|professor|principal|chief|evangelist|advocate|expert|executive|chairman|partner|designer|maintainer|sre|devops|marketer|strategist|supervisor|coordinator|technologist|programmer|tester|qa|product|operations|marketing|platform|infrastructure|degree|senior|staff|team|department|division|group)\b/i;
/** The roles that refer to a person without further words. */
export const PERSON_ROLE =
  /\b(?:engineer|developer|manager|director|architect|officer|founder|cofounder|co-founder|ceo|cto|cio|ciso|coo|cfo|cmo|vp|svp|president|head|lead|leader|owner|analyst|consultant|administrator|sysadmin|specialist|scientist|researcher|student|intern|professor|principal|chief|evangelist|advocate|expert|executive|chairman|partner|designer|maintainer|sre|technologist|programmer)s?\b/i;

/** Nouns for an organisation in a description: "Acme is a leading **provider** of …". */
export const ORGANISATION =
  /\b(?:compan(?:y|ies)|corporation|firm|start-?up|scale-?up|unicorn|provider|suppliers?|platform|bank|insurer|retailer|manufacturer|marketplace|agency|consultancy|consulting|integrator|organi[sz]ation|institution|institute|university|college|school|hospital|foundation|nonprofit|non-profit|charity|enterprise|business|brand|group|conglomerate|leader|maker|developer|publisher|broadcaster|operator|carrier|airline|studio|network|service|website|app|application|community|project|ministry|laboratory|lab|exchange|vendor|solution|specialist|multinational|giant|powerhouse|house|division|subsidiary|district|software|store|shop|product|engine|campaign|tool|browser|database|system)s?\b/i;

/** Words that are often capitalised but are not names: sentence openers, months, acronyms, technical nouns. */
export const COMMON_WORDS = wordSet(`
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

/** "How **a** top bank …", "Why **this** company …": the title does not name the client. */
export const UNNAMED_CLIENT =
  /^(?:a|an|one|this|these|our|we|you|your|my|i|to|it|some|many|all|any|the (?:best|right|power|way|future))\b/i;

/** Words of descriptions that replace the name of an anonymous client: "Global Bank", "Leading European Retailer". */
const DESCRIPTION_WORDS = wordSet(`
  global leading large largest major top big multinational regional anonymous undisclosed confidential enterprise fortune european american us uk
  asian african british german french indian chinese nordic australian canadian 10 20 50 100 500 1000 tier one fast growing mid size
  sized well known popular renowned prominent prestigious financial services service software technology tech energy utility insurance telecom
  telecommunications healthcare health retail ecommerce e commerce media entertainment gaming manufacturing industrial logistics transportation
  automotive pharmaceutical pharma fintech saas online digital mobile food beverage travel consumer goods government public sector it
`);
const DESCRIPTION_NOUNS = wordSet(`
  bank retailer insurer company corporation firm provider institution manufacturer agency organization organisation operator startup client customer
  enterprise university hospital brand platform vendor business leader giant utility airline carrier telco marketplace publisher broadcaster consultancy
  integrator supplier distributor employer conglomerate
`);

/** Whether a name only describes the kind of client. */
export const isAnonymousDescription = (names: readonly string[]): boolean =>
  names.length > 1 &&
  DESCRIPTION_WORDS.has(names[0] ?? "") &&
  DESCRIPTION_NOUNS.has(names.at(-1) ?? "") &&
  names.every((word) => DESCRIPTION_WORDS.has(word) || DESCRIPTION_NOUNS.has(word));

export interface VendorNames {
  /** Whether a name is the vendor's or that of one of its products. `key` is normalised. */
  readonly isVendorOrProduct: (key: string, words: readonly string[]) => boolean;
  /** Whether a name is exactly the vendor's or the site's. */
  readonly isVendor: (name: string) => boolean;
  /** Words of the vendor's names. */
  readonly words: ReadonlySet<string>;
  /** Matches the vendor's name in text; null when it has none. */
  readonly pattern: RegExp | null;
}

/** Organisations that precede their projects' names: "Apache Beam" is also called "Beam". */
const UMBRELLA_BRANDS: ReadonlySet<string> = new Set(["apache", "the", "google", "microsoft", "amazon", "red"]);

/** The names of a vendor and its products, with short forms: "LitmusChaos" is also called "Litmus". */
export function createVendorNames(vendor: Vendor, siteName: string | null): VendorNames {
  const words = nameWords(vendor.name);
  const camel = /^(\p{Lu}\p{Ll}{3,})\p{Lu}/u.exec(vendor.name.trim())?.[1];
  const short =
    words.length > 1 && UMBRELLA_BRANDS.has(words[0] ?? "") ? vendor.name.trim().split(/\s+/).slice(1).join(" ") : null;
  const label = vendor.domain ? recordedDomain(siteOf(vendor.domain)).label : "";
  const shown = [vendor.name, short, camel !== undefined && camel.length >= 5 ? camel : null].flatMap((name) =>
    name === null || name.trim() === "" ? [] : [name],
  );
  const keys = new Set(
    [...shown, vendor.slug, label, siteName ?? ""].map(organisationKey).filter((key) => key.length > 1),
  );
  const starts = shown.map(nameWords).filter((each) => each.length > 0);
  const all = new Set([
    ...words,
    ...(short ? nameWords(short) : []),
    ...(camel ? [camel.toLowerCase()] : []),
    organisationKey(vendor.name),
  ]);
  const alternatives = shown.map((name) => RegExp.escape(name.slice(0, 80)));
  return {
    words: all,
    isVendor: (name) => keys.has(organisationKey(name)),
    isVendorOrProduct: (key, own) =>
      keys.has(key) ||
      starts.some((start) => start.length <= own.length && start.every((word, at) => word === own[at])),
    pattern:
      alternatives.length > 0
        ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join("|")})(?![\\p{L}\\p{N}])`, "u")
        : null,
  };
}

/** Whether none of the words identifies anything. */
export const isCommon = (words: readonly string[]): boolean =>
  words.every((word) => COMMON_WORDS.has(word) || /^\d+$/.test(word) || (word.length > 2 && ORGANISATION.test(word)));
