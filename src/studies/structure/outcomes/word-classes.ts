/** What a word near a figure says of it. */
export type WordClass =
  | "down"
  | "up"
  | "handle"
  | "able"
  | "now"
  | "plan"
  | "before"
  | "take"
  | "maybe"
  | "market"
  | "price"
  | "team"
  | "deploy"
  | "firm"
  | "live"
  | "if"
  | "company"
  | "you"
  | "hold";

/** Verbs in their base form; their other forms are made. */
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
  const classes = new Map<string, WordClass[]>();
  const add = (word: string, kind: WordClass) => {
    const own = classes.get(word);
    if (own === undefined) classes.set(word, [kind]);
    else if (!own.includes(kind)) own.push(kind);
  };
  for (const [kind, verbs] of Object.entries(VERBS)) {
    for (const verb of verbs.split(/\s+/)) for (const form of formsOf(verb)) add(form, kind as WordClass);
  }
  for (const [kind, words] of Object.entries(WORDS))
    for (const word of words.split(/\s+/)) add(word, kind as WordClass);
  return classes;
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

const NONE: readonly WordClass[] = [];

/** @param word in lower case */
export const classesOf = (word: string): readonly WordClass[] => CLASSES.get(word) ?? NONE;
