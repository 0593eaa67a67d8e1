import { wordMap, wordSet } from "../word-lists.ts";

/** A word that states a change. `better` and `faster` say nothing about the sign: that depends on what is measured. */
export type Change = "down" | "up" | "better" | "faster" | "save";

/** Other meanings of words near a figure; `firm` is the size of a company, `now` and `before` are times. */
type Meaning = "handle" | "able" | "now" | "before" | "plan" | "take" | "maybe" | "market" | "team" | "firm" | "hold";

/** Verbs in their base form; `formsOf` derives the other forms. */
const VERBS: readonly (readonly [Change | Meaning, string])[] = [
  [
    "down",
    `reduce decrease lower drop shorten decline halve eliminate minimize minimise trim slash shave compress lessen diminish
     cut shrink remove deflect prevent avoid plummet obviate simplify`,
  ],
  ["up", "increase raise boost gain expand multiply jump climb surge uplift scale double triple quadruple exceed"],
  ["better", "improve enhance optimize optimise strengthen streamline"],
  ["faster", "accelerate speed"],
  ["save", "save reclaim recoup"],
  [
    "handle",
    `handle process serve support manage run host execute store monitor operate send receive transfer generate produce track
     analyze analyse perform protect cover connect query migrate automate detect resolve onboard consume reach`,
  ],
  ["able", "allow enable let help"],
  ["take", "take spend wait last require need"],
  ["plan", "plan aim target expect hope intend wish want anticipate forecast estimate"],
  ["team", "hire employ recruit staff"],
  ["maybe", "suppose assume imagine consider"],
];

const WORDS: readonly (readonly [Change | Meaning, string])[] = [
  [
    "down",
    `less fewer reduction reductions lower shrank shrunk fell fallen falling fall falls dropping smaller down cuts cutting
     shorter below cheaper decline no zero easier simpler`,
  ],
  [
    "up",
    `more higher grow grows grew grown growing rise rises rose risen rising growth increase increases gains greater larger
     up uplift additional extra multiplied`,
  ],
  ["better", "better improvement improvements enhancement stronger"],
  ["faster", "faster quicker quickly sped speedup speedups acceleration"],
  ["save", "savings freed free"],
  ["handle", "ran running built building using uses used created"],
  ["able", "can could able capable possible"],
  ["now", "now today currently nowadays already anymore present presently since after"],
  [
    "before",
    "before previously formerly prior originally initially previous old legacy earlier past historically once former",
  ],
  ["take", "took taken spent within"],
  [
    "plan",
    "will would goal goals targets future soon upcoming roadmap next should must shall planned vision ambition expected",
  ],
  ["maybe", "if example instance eg might may perhaps let's probably unless"],
  [
    "market",
    "report survey study according research analyst analysts gartner forrester idc market worldwide industry globally",
  ],
  ["team", "team teams employees staff people members founded headquartered offices"],
  [
    "firm",
    "countries stores customers clients companies brands locations largest leading provider offers serves company",
  ],
  ["hold", "has have had with contains including there"],
];

const CHANGES: ReadonlySet<string> = wordSet("down up better faster save");

/** "reduce" → reduces, reduced, reducing; "cut" → cutting. */
function formsOf(verb: string): string[] {
  const stem = verb.endsWith("e") ? verb.slice(0, -1) : verb;
  const long = /^(cut|drop|trim|plan|run|let)$/.test(verb) ? `${verb}${verb.at(-1)}` : stem;
  if (verb.endsWith("y")) return [verb, `${stem.slice(0, -1)}ies`, `${stem.slice(0, -1)}ied`, `${verb}ing`];
  return [verb, /(?:ch|sh|ss|x)$/.test(verb) ? `${verb}es` : `${verb}s`, `${long}ed`, `${long}ing`];
}

const MEANINGS: ReadonlyMap<string, Change | Meaning> = wordMap(
  // The first list that has a word decides; the last entry of a map wins.
  [...WORDS.map(([meaning, words]) => [meaning, words] as const), ...VERBS.map(formsIn)].reverse(),
);
function formsIn([meaning, verbs]: readonly [Change | Meaning, string]) {
  return [meaning, verbs.trim().split(/\s+/).flatMap(formsOf).join(" ")] as const;
}

/** @param word in lower case */
export const meaningOf = (word: string): Change | Meaning | undefined => MEANINGS.get(word);

/** The change that a word states; undefined for other words. */
export const changeOf = (word: string): Change | undefined => {
  const meaning = MEANINGS.get(word);
  return meaning !== undefined && CHANGES.has(meaning) ? (meaning as Change) : undefined;
};

/**
 * The kind of a counted noun. `load` passes through a system and `parts` make it up; `people` and `places` are mostly
 * facts about the client; a count of `vague` nouns is never a result.
 */
export type NounClass =
  | "load"
  | "parts"
  | "people"
  | "users"
  | "places"
  | "work"
  | "hardware"
  | "vague"
  | "unknown"
  | "none";

const NOUNS: readonly (readonly [NounClass, string])[] = [
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
    `deploy deployment release ship time downtime incident bug defect outage failure error vulnerability issue crash complaint step click
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
  [...NOUNS].reverse().flatMap(([kind, words]) => words.split(/\s+/).map((word) => [word, kind] as const)),
);

/** "boxes" → "box", "queries" → "query"; other words do not change. */
export function singularOf(word: string): string {
  if (/^(?:v?[cg]pu|vm|pod)s$/.test(word)) return word.slice(0, -1);
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

/** What is good when it decreases. */
const BURDENS = wordSet(`
  cost spend spending expense expenditure bill price fee budget overhead time latency delay lag duration downtime outage incident
  error bug defect failure crash fault issue problem ticket complaint churn attrition turnover risk vulnerability threat breach
  fraud loss waste effort work workload toil burden complexity friction debt memory cpu storage emission carbon energy
  consumption usage footprint backlog queue wait abandonment bounce return rework alert noise mttr mttd interruption
  disruption bottleneck dependency maintenance administration headcount cycle runtime size interference scrap spam chargeback
  shrinkage absenteeism readmission no-show step meeting paperwork
`);
/** What is good when it increases, also where a burden is part of the phrase: "time savings", "error coverage". */
const GOODS = wordSet(`
  saving revenue sale conversion retention satisfaction productivity efficiency throughput performance availability uptime
  reliability accuracy quality coverage engagement traffic lead adoption growth speed velocity frequency capacity utilization
  utilisation roi return profit margin security visibility score nps csat loyalty detection timeliness transparency insight
`);

/** What these words count or measure is in the words before them: "error rate", "ticket volume". */
const NEUTRAL = wordSet(
  "rate volume number count level amount share percentage ratio frequency total figure load spike case per resolution capita",
);

/** With these words, less of anything is good: "idle capacity". */
const WASTED = wordSet("idle unused wasted unplanned lost missed late overdue failed");

/** True where a decrease of what the phrase names is good, false where an increase is, null where neither is known. */
export function isBurden(noun: string): boolean | null {
  const words = noun
    .toLowerCase()
    .split(/[\s/-]+/)
    .map(singularOf);
  if (words.some((word) => WASTED.has(word))) return true;
  const joint = words.findIndex((word, at) => at > 0 && /^(?:of|for|to|in|per|on|spent)$/.test(word));
  // "time to market", "cost of errors": what is before the preposition is measured, unless it only counts.
  const head = words.slice(0, joint < 0 ? words.length : joint).reverse();
  const rest = joint < 0 ? [] : words.slice(joint + 1).reverse();
  for (const word of [...head, ...rest]) {
    if (GOODS.has(word)) return false;
    if (BURDENS.has(word)) return true;
    if (!NEUTRAL.has(word)) return null;
  }
  return null;
}
