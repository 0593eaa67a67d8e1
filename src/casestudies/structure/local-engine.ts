import type { Industries, OutcomeMetrics } from "../taxonomy/taxonomy.ts";
import type { PageText, Provenance, StructuredStudy, Vendor } from "../types.ts";
import { type ClientCandidate, type ClientModel, type FoundClient, findClient } from "./client/find-client.ts";
import { createPlaces, type FoundCountry, findCountry } from "./country.ts";
import {
  createIndustrySimilarity,
  createKnownOrganisations,
  type Embed,
  type FoundIndustry,
  findIndustry,
  type IndustryModel,
} from "./industry.ts";
import { findOutcomes } from "./outcomes/find-outcomes.ts";
import { findBestQuote } from "./quotes.ts";
import { readStory, type StorySentence } from "./story.ts";
import { findSide, findSummary } from "./summary.ts";
import {
  createToolIndex,
  type FoundProduct,
  type FoundTool,
  findProducts,
  findTools,
  type ToolModel,
  type ToolName,
} from "./tools.ts";
import type { StructureEngine } from "./types.ts";
import { wordSet } from "./word-lists.ts";

/** Words that identify no company or product by themselves. */
const COMMON_NAME_WORDS = wordSet(
  "the a an and of for cloud apache inc ltd gmbh llc labs software systems technologies data",
);

/** The words that identify a company or product, in lower case. */
export const distinctiveWords = (name: string): ReadonlySet<string> =>
  new Set((name.toLowerCase().match(/[\p{L}\p{N}]{2,40}/gu) ?? []).filter((word) => !COMMON_NAME_WORDS.has(word)));

/** The client and the names in its story; null or empty where the page does not say. */
export interface ClientFields {
  readonly client: FoundClient | null;
  /** The likeliest names, where the client is not certain. */
  readonly candidates: readonly ClientCandidate[];
  readonly industry: FoundIndustry | null;
  readonly country: FoundCountry | null;
  readonly tools: readonly FoundTool[];
  readonly products: readonly FoundProduct[];
}

interface ClientFieldsOptions {
  readonly industries: Industries;
  /** ISO 3166-1 alpha-2 code of a country's name or code; null when unknown. */
  readonly parseCountry: (text: string | null) => string | null;
  /** Country code to the lower-case names of its larger cities. */
  readonly cities?: Readonly<Record<string, readonly string[]>>;
  /** Tools to look for; where two share a name or alias, the first keeps it. */
  readonly toolNames: readonly ToolName[];
  /** Industry slug to the names of its best-known organisations. */
  readonly organisations?: Readonly<Record<string, readonly string[]>>;
  /** Other weights than the built-in ones, for an evaluation. */
  readonly models?: {
    readonly client?: ClientModel;
    readonly industry?: IndustryModel;
    readonly tools?: ToolModel;
  };
  /** Text to unit vectors, to compare pages with industries by meaning. Without it only words decide the industry. */
  readonly embed?: Embed;
}

type FindClientFields = (page: PageText, vendor: Vendor, story: readonly StorySentence[]) => Promise<ClientFields>;

/** Builds the name indexes once, for any number of pages. */
export function createClientFieldsReader(options: ClientFieldsOptions): FindClientFields {
  const { industries, embed, models = {} } = options;
  const index = createToolIndex(options.toolNames);
  const places = createPlaces(options.parseCountry, options.cities);
  const organisations = createKnownOrganisations(options.organisations ?? {});
  const similarity = embed && createIndustrySimilarity(embed, industries);
  return async (page, vendor, story) => {
    const { client, candidates } = findClient(
      page,
      vendor,
      story,
      {
        isTool: index.isTool,
        isPlace: places.isPlace,
        isOrganisation: (name) => organisations(name) !== undefined,
      },
      models.client,
    );
    const country = findCountry(page, story, client, places);
    const knowledge = { industries, organisations, similarity };
    return {
      client,
      candidates,
      industry: await findIndustry(page, story, client, country?.sentence ?? null, knowledge, models.industry),
      country,
      tools: findTools(page, vendor, story, client, index, models.tools),
      products: findProducts(vendor, story),
    };
  };
}

export interface LocalEngineOptions extends ClientFieldsOptions {
  readonly outcomeMetrics: OutcomeMetrics;
}

/** The outcomes of a page that a vendor of this name published, by descending confidence. */
export type OutcomeReader = (page: PageText, vendor: string) => ReturnType<typeof findOutcomes>;

export const createOutcomeReader =
  (metrics: OutcomeMetrics): OutcomeReader =>
  (page, vendor) =>
    findOutcomes(readStory(page), { metrics, productWords: distinctiveWords(vendor) });

/** Reads a case study by rules: no network, no model but the optional encoder, and the same result for the same page. */
export function createLocalEngine(options: LocalEngineOptions): StructureEngine {
  const findClientFields = createClientFieldsReader(options);
  return {
    id: "local",
    async structure(page, vendor, signal) {
      signal?.throwIfAborted();
      return await structurePage(page, vendor, options.outcomeMetrics, findClientFields);
    },
  };
}

async function structurePage(
  page: PageText,
  vendor: Vendor,
  metrics: OutcomeMetrics,
  findClientFields: FindClientFields,
): Promise<StructuredStudy> {
  const provenance: Provenance[] = [];
  const record = (pointer: string, found: { readonly confidence: number } | null, sentence: string | null = null) => {
    if (found !== null) provenance.push({ pointer, engine: "local", sentence, confidence: found.confidence });
  };
  const story = readStory(page);
  const productWords = distinctiveWords(vendor.name);
  const outcomes = findOutcomes(story, { metrics, productWords });
  const { client, candidates, industry, country, tools, products } = await findClientFields(page, vendor, story);
  const clientName = client?.name ?? null;
  const names = new Set([...productWords, ...(clientName === null ? [] : distinctiveWords(clientName))]);
  const title = findTitle(page, story);
  const summary = findSummary(page, story, { names, result: outcomes[0]?.sentence ?? null });
  const challenge = findSide(story, "challenge", names);
  const solution = findSide(story, "solution", names);
  const quote = findBestQuote(page, { vendor: vendor.name, client: clientName });

  for (const [index, outcome] of outcomes.entries()) record(`/outcomes/${index}`, outcome, outcome.sentence);
  record("/client/name", client, client?.sentence);
  for (const [index, { name, confidence }] of candidates.entries())
    record(`/client/candidates/${index}`, { confidence }, name);
  if (client?.domain) record("/client/domain", { confidence: client.domain_confidence });
  record("/industry", industry, industry?.sentence);
  record("/country", country, country?.sentence);
  for (const [index, product] of products.entries()) record(`/products/${index}`, product, product.sentence);
  for (const [index, tool] of tools.entries()) record(`/tools/${index}`, tool, tool.sentence);
  record("/title", title, title.sentence);
  record("/summary", summary, summary?.sentence);
  record("/challenge", challenge, challenge?.sentence);
  record("/solution", solution, solution?.sentence);
  record("/quote", quote, quote?.quote.text);
  if (page.published_at !== null)
    record("/published_at", { confidence: DATE_CONFIDENCE[page.published_from ?? "text"] });
  if (page.language !== null) record("/language", { confidence: 0.9 });
  return {
    fields: {
      title: title.text,
      client: { name: clientName, domain: client?.domain ?? null },
      industry: industry?.slug ?? null,
      country: country?.code ?? null,
      summary: summary?.text ?? null,
      challenge: challenge?.text ?? null,
      solution: solution?.text ?? null,
      outcomes: outcomes.map(({ outcome }) => outcome),
      products: products.map(({ name }) => name),
      tools: tools.map(({ name }) => name),
      quote: quote?.quote ?? null,
      published_at: page.published_at,
      language: page.language,
    },
    provenance,
    fallback: null,
  };
}

/** By where the page states its date. */
const DATE_CONFIDENCE: Readonly<Record<NonNullable<PageText["published_from"]>, number>> = {
  "json-ld": 0.95,
  meta: 0.9,
  time: 0.85,
  address: 0.8,
  text: 0.7,
  pdf: 0.6,
};

/** The page's title, else the first heading or sentence of the story, else the address. */
function findTitle(
  page: PageText,
  story: readonly StorySentence[],
): { text: string; sentence: string | null; confidence: number } {
  const title = page.title?.trim() ?? "";
  if (title !== "") return { text: cutTitle(title), sentence: title, confidence: 0.9 };
  const first = story.find(({ place }) => place === "heading" || place === "body")?.text;
  if (first !== undefined) return { text: cutTitle(first), sentence: first, confidence: 0.4 };
  return { text: cutTitle(page.url), sentence: null, confidence: 0.1 };
}

const MAX_TITLE = 300;
const cutTitle = (text: string) => (text.length <= MAX_TITLE ? text : text.slice(0, MAX_TITLE).toWellFormed().trim());
