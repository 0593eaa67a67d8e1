import type { Industries } from "../taxonomy/taxonomy.ts";
import type { PageText } from "../types.ts";
import fitted from "./industry-weights.json" with { type: "json" };
import { organisationKey } from "./names.ts";
import { factLines, labelledValues, type StorySentence } from "./story.ts";

/** Where a phrase of an industry occurs. The closer to the client, the higher its weight. */
type MentionContext = "name" | "defines" | "self" | "title" | "description" | "near" | "early" | "late";
type PhraseKind = "synonym" | "cue" | "weak";
type IndustryFeature = `${MentionContext}-${PhraseKind}` | "similar" | "known" | "generic" | "software";

export interface IndustryModel {
  /** The score of an industry is `bias` plus its weighted features; "none" has the score 0. */
  readonly bias: number;
  readonly weights: Readonly<Record<string, number>>;
}

/** Phrases that occur in stories of any industry. They count only in sentences that describe the client. */
const WEAK_PHRASES: ReadonlySet<string> = new Set(
  (
    "cloud|security|network security|infrastructure|database|technology|tech|software|internet|it|ict|digital technology|training|delivery|communication|building|space|water|gas|oil|housing|community|" +
    "analytic|analytics|streaming|messaging|video|photo|music|film|news|event|engineering|hardware|hosting|startup|productivity|compliance|research|science|weather|trading|credit|payment|mobile network|" +
    "wireless|shipping|mobility|carrier|property|game|foundation|architecture|law|sensor|chip|packaging|paper|steel|toy|drink|car|motor|vehicle|school|college|ml|ai|machine learning|deep learning|data science|" +
    "artificial intelligence|open source|open source software|software development|cloud computing|cloud native|data center|data centre|content management|data analytic|devop|developer tool|web development|" +
    "mobile app|app development|business intelligence|cloud infrastructure|computer science|high performance computing|edge computing|embedded system|high tech|network operator|student|hotel|media|" +
    "publisher|publishing|trip|player|sale|animation|human resource|outsourcing|consultant|it service|digital transformation|consultancy|customer engagement|employment|shopping|marketplace|online service|" +
    "b2b software|investment|finance|financial|accounting|market|health|medical|fleet management|supply chain|logistic|transport|transportation|freight|content|broadcast|television|tv|radio|movie|money|" +
    "token|llm|large language model|iot|connected device|doctor|guest|candidate|artist|camera|contractor|client|government|energy|electricity|nuclear|crop|farm|food|factory|robot|satellite|drone|police|" +
    "card game|experiment|volunteer|climate|scientist|course|teacher|learner|citizen|court|highway|toll|train|ride|vehicle|parking|warehouse|seller|merchant|sensor|public cloud provider|cloud platform|" +
    "cloud service|private cloud|cloud provider|system integrator|systems integration|managed service|saas|software a a service|software as a service|kubernete|data protection|industrial|mine|coal|apartment|advisory|lodging|leisure|wellness|gym|football|identity management|firewall|malware|fraud detection"
  ).split("|"),
);

export interface FoundIndustry {
  readonly slug: string;
  readonly sentence: string | null;
  /** 0–1. */
  readonly confidence: number;
}

/** The client, as far as it is known before its industry. */
export interface KnownClient {
  readonly name: string;
  /** The ways in which the page writes the name. */
  readonly spellings: readonly string[];
}

/** The features of one industry, and the first sentence of each. */
export interface IndustryCandidate {
  readonly slug: string;
  readonly features: Map<string, number>;
  readonly sentences: Map<string, string>;
}

export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

const MIN_CONFIDENCE = 0.08;
const MAX_SENTENCES = 150;
const EARLY = 12;
const LABEL =
  /^(?:(?:company |customer )?(?:industry|industries|sectors?|verticals?)|market|branch|field|line of business|business (?:sector|area)|industry vertical|industry\/sector|category|branchen?|industrie(?:zweig)?|sektor|secteurs?(?: d['’]activité)?|industria|settore|setor|ramo|sector industrial|bedrijfstak|行业|所属行业|業界|業種)$/i;

/** The industry from a label of the page ("Industry: Retail"). */
function labelledIndustry(
  page: PageText,
  story: readonly StorySentence[],
  place: string | null,
  industries: Industries,
): FoundIndustry | null {
  for (const { name, value, text } of labelledValues(page, story)) {
    const slug = LABEL.test(name) ? industries.resolve(value).slug : null;
    if (slug !== null) return { slug, sentence: text, confidence: 0.95 };
  }
  // "Education · Canada · 25,000 students", or "E-commerce" in a list with "25-50 employees" or "Canada".
  const facts = factLines(story);
  if (!facts.some(({ text }) => CLIENT_SIZE.test(text) || text === place)) return null;
  for (const { text } of facts)
    for (const piece of text.split(/\s?[·|•,]\s?/, 8)) {
      const slug = piece.split(" ").length <= 4 ? industries.slugsFor(piece)?.[0] : undefined;
      if (slug !== undefined) return { slug, sentence: text, confidence: 0.7 };
    }
  return null;
}

const CLIENT_SIZE =
  /\d[\d.,+–-]*\+? (?:employees|staff|people|team members|students|members|mitarbeiter\p{L}*|collaborateurs|salariés|empleados|dipendenti|medewerkers)\b/iu;

export interface IndustryKnowledge {
  readonly industries: Industries;
  /** The industry of a well-known organisation. */
  readonly organisations: (name: string) => string | undefined;
  readonly similarity?: IndustrySimilarity | undefined;
}

/** Looks up names in lists such as those of `data/known-organisations.yaml`. */
export function createKnownOrganisations(
  lists: Readonly<Record<string, readonly string[]>>,
): IndustryKnowledge["organisations"] {
  const known = new Map(
    Object.entries(lists).flatMap(([slug, names]) => names.map((name) => [organisationKey(name), slug] as const)),
  );
  return (name) => known.get(organisationKey(name));
}

/** The industry of the client; null when nothing in the story indicates one. */
export async function findIndustry(
  page: PageText,
  story: readonly StorySentence[],
  client: KnownClient | null,
  /** The page's text that states the client's country. */
  place: string | null,
  { industries, organisations, similarity }: IndustryKnowledge,
  { bias, weights }: IndustryModel = fitted,
): Promise<FoundIndustry | null> {
  const labelled = labelledIndustry(page, story, place, industries);
  if (labelled) return labelled;
  const candidates = await findIndustryCandidates(story, client, { industries, organisations, similarity });
  const scores = candidates.map(({ features }) =>
    [...features].reduce((sum, [feature, value]) => sum + (weights[feature] ?? 0) * value, bias),
  );
  const most = Math.max(0, ...scores);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - most), Math.exp(-most));
  let best = -1;
  for (const [at, score] of scores.entries()) if (best < 0 || score > (scores[best] ?? 0)) best = at;
  const found = candidates[best];
  const confidence = Math.exp((scores[best] ?? 0) - most) / total;
  return found === undefined || confidence < MIN_CONFIDENCE
    ? null
    : { slug: found.slug, sentence: bestSentence(found, weights), confidence };
}

function bestSentence({ sentences }: IndustryCandidate, weights: IndustryModel["weights"]): string | null {
  let best: { readonly sentence: string; readonly weight: number } | null = null;
  for (const [feature, sentence] of sentences) {
    const weight = weights[feature] ?? 0;
    if (best === null || weight > best.weight) best = { sentence, weight };
  }
  return best?.sentence ?? null;
}

/** Every industry for which the story has evidence. */
export async function findIndustryCandidates(
  story: readonly StorySentence[],
  client: KnownClient | null,
  { industries, organisations, similarity }: IndustryKnowledge,
): Promise<readonly IndustryCandidate[]> {
  const similarities = similarity ? await similarity(clientSentences(story, client)) : null;
  // Being a frequent industry is no evidence by itself.
  return industryFeatures(story, client, { industries, organisations }, similarities).filter(({ features }) =>
    [...features.keys()].some((feature) => feature !== "software" && feature !== "generic"),
  );
}

const DESCRIPTIVE_CONTEXTS: ReadonlySet<MentionContext> = new Set<MentionContext>([
  "name",
  "defines",
  "self",
  "title",
  "description",
]);

const DEFINITION =
  /^['’]?s?,? (?:\([^)]{1,60}\),? )?(?:is|are|was|has been|serves as|operates as|ranks as|provides|offers|delivers|operates|develops|builds|makes|sells|serves|helps|,? ?(?:a|an|the|one of) )\b|^, (?:a|an|the|one of|Europe|Germany)\b/i;
const SELF_REFERENCE =
  /\b(?:we are|we['’]re|our (?:company|firm|organi[sz]ation|client|clients|customer|customers|mission|business)|my (?:company|firm|employer)|i work (?:for|at|as|in)|working (?:for|at)|the (?:company|firm|client|organi[sz]ation|startup|start-up|bank|group|retailer|agency)|this (?:company|firm|bank|startup|start-up|client|team|organi[sz]ation|project|insurer|retailer|developer|consultancy)|leading|global|world['’]s|largest|multinational|-based|founded in|headquartered)\b/i;

/** Every industry with evidence in the story. */
function industryFeatures(
  story: readonly StorySentence[],
  client: KnownClient | null,
  { industries, organisations }: Pick<IndustryKnowledge, "industries" | "organisations">,
  similarities: ReadonlyMap<string, number> | null,
): IndustryCandidate[] {
  const all = new Map<string, IndustryCandidate>();
  const industryFor = (slug: string): IndustryCandidate => {
    const known = all.get(slug);
    if (known) return known;
    const made: IndustryCandidate = { slug, features: new Map(), sentences: new Map() };
    all.set(slug, made);
    return made;
  };
  const counts = new Map<string, number>();
  const addMentions = (text: string, place: MentionContext) => {
    for (const { slugs, phrase, isSynonym } of industries.mentions(text)) {
      if (WEAK_PHRASES.has(phrase) && !DESCRIPTIVE_CONTEXTS.has(place)) continue;
      const kind: PhraseKind = WEAK_PHRASES.has(phrase) ? "weak" : isSynonym ? "synonym" : "cue";
      const feature: IndustryFeature = `${place}-${kind}`;
      for (const [rank, slug] of slugs.entries()) {
        if (rank > 1) break;
        const candidate = industryFor(slug);
        const key = `${slug} ${feature}`;
        const count = (counts.get(key) ?? 0) + (rank === 0 ? 1 : 0.5);
        counts.set(key, count);
        candidate.features.set(feature, Math.log2(1 + Math.min(count, 7)));
        if (place !== "name" && !candidate.sentences.has(feature)) candidate.sentences.set(feature, text);
      }
    }
  };
  if (client) addMentions(client.name, "name");
  const known = client ? organisations(client.name) : undefined;
  if (known !== undefined) industryFor(known).features.set("known", 1);
  industryFor("software");
  let body = 0;
  for (const { text, place } of story) {
    if (place === "title" || place === "description") {
      addMentions(text, place);
      continue;
    }
    body += 1;
    if (body > MAX_SENTENCES) break;
    addMentions(text, contextOf(text, body, client));
  }
  if (similarities) for (const [slug, value] of similarities) industryFor(slug).features.set("similar", value);
  for (const candidate of all.values())
    if (industries.isGeneric(candidate.slug))
      candidate.features.set(candidate.slug === "software" ? "software" : "generic", 1);
  return [...all.values()];
}

function contextOf(text: string, position: number, client: KnownClient | null): MentionContext {
  const form = client?.spellings.find((name) => text.includes(name));
  if (form !== undefined) {
    const after = text.slice(text.indexOf(form) + form.length, text.indexOf(form) + form.length + 80);
    if (position <= 2 * EARLY && DEFINITION.test(after)) return "defines";
  }
  if (position <= 2 * EARLY && SELF_REFERENCE.test(text)) return "self";
  if (form !== undefined && position <= 3 * EARLY) return "near";
  return position <= EARLY ? "early" : "late";
}

const MAX_CLIENT_SENTENCES = 6;

/** The sentences that best describe the client. */
function clientSentences(story: readonly StorySentence[], client: KnownClient | null): string[] {
  const order: readonly MentionContext[] = ["defines", "self", "near", "early"];
  const body = story.filter(({ place }) => place === "body").slice(0, 3 * EARLY);
  const ranked = body
    .map(({ text }, at) => ({ text, rank: order.indexOf(contextOf(text, at + 1, client)), at }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, MAX_CLIENT_SENTENCES)
    .map(({ text }) => text);
  const description = story.filter(({ place }) => place === "description").map(({ text }) => text);
  return [...description.slice(0, 3), ...ranked];
}

/** Similarity of texts to each industry, relative to the mean of all industries. */
type IndustrySimilarity = (texts: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/** Compares by embeddings of each industry's name and synonyms, which are computed once. */
export function createIndustrySimilarity(embed: Embed, industries: Industries): IndustrySimilarity {
  const slugs = [...industries.descriptions.keys()];
  let known: Promise<readonly Float32Array[]> | undefined;
  return async (texts) => {
    if (texts.length === 0) return new Map();
    known ??= embed([...industries.descriptions.values(), VENDOR_BACKGROUND]).catch((error: unknown) => {
      // The next page retries.
      known = undefined;
      throw error;
    });
    const [named, own] = await Promise.all([known, embed([texts.join(" ").slice(0, 3_000)])]);
    const [about, background] = [own[0], named[slugs.length]];
    if (about === undefined || background === undefined) return new Map();
    const values = slugs.map((_, at) => dot(named[at] ?? about, about) - dot(named[at] ?? background, background));
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    return new Map(
      slugs.map((slug, at) => [slug, (values[at] ?? 0) - mean] as const).filter(([, value]) => value > 0.02),
    );
  };
}

/** What stories of any software vendor are about. Similarity to it says nothing about the client, so it is subtracted. */
const VENDOR_BACKGROUND =
  "The engineering team uses open-source software in the cloud to build, test, deploy and monitor its services, data and infrastructure with a platform for developers.";

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
