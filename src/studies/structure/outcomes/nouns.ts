/**
 * What kind of thing a count counts. `load` is what passes through a solution, `parts` what it is made of, `people` and
 * `places` are mostly facts about the client, `vague` counts nothing that is a result.
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

const classes: readonly (readonly [NounClass, string])[] = [
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
  // The first class that lists a word has it: turned round, since the last write wins.
  [...classes].reverse().flatMap(([kind, words]) => words.split(/\s+/).map((word) => [word, kind] as const)),
);

/** "boxes" → "box", "queries" → "query"; a word that is no plural stays. */
export function singularOf(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies") && word !== "series") return `${word.slice(0, -3)}y`;
  if (/(?:ches|shes|sses|xes|zes)$/.test(word)) return word.slice(0, -2);
  return word === "series" ? word : word.slice(0, -1);
}

export const isPlural = (word: string) =>
  word === "people" || word === "staff" || singularOf(word) !== word || word === "series";

/** @param noun lower case, singular or plural; null when a figure stands alone */
export function nounClassOf(noun: string | null): NounClass {
  if (noun === null) return "none";
  return CLASS_OF.get(noun) ?? CLASS_OF.get(singularOf(noun)) ?? "unknown";
}
