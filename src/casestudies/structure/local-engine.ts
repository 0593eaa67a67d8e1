import type { Industries, OutcomeMetrics } from "../taxonomy/taxonomy.ts";
import type { Outcome, PageText, Provenance, StructuredStudy, StudyFields, Vendor } from "../types.ts";
import { type FoundClient, findClient } from "./client/find-client.ts";
import { createPlaces, type FoundCountry, findCountry } from "./country.ts";
import {
  createIndustrySimilarity,
  createOrganisations,
  type Embed,
  type FoundIndustry,
  findIndustry,
} from "./industry.ts";
import { findOutcomes } from "./outcomes/find-outcomes.ts";
import { findBestQuote } from "./quotes.ts";
import { readStory, type StorySentence } from "./story.ts";
import { findSide, findSummary } from "./summary.ts";
import { createToolIndex, type FoundProduct, type FoundTool, findProducts, findTools, type ToolName } from "./tools.ts";
import type { StructureEngine } from "./types.ts";

/** Words of a name that say nothing alone. */
const EMPTY: ReadonlySet<string> = new Set(
  "the a an and of for cloud apache inc ltd gmbh llc labs software systems technologies data".split(" "),
);

/** The telling words of a company's or product's name, in lower case. */
export const nameWords = (name: string): ReadonlySet<string> =>
  new Set((name.toLowerCase().match(/[\p{L}\p{N}]{2,40}/gu) ?? []).filter((word) => !EMPTY.has(word)));

/** Who a story is about and what it names; null and empty where it does not say. */
export interface ClientReading {
  readonly client: FoundClient | null;
  readonly industry: FoundIndustry | null;
  readonly country: FoundCountry | null;
  readonly tools: readonly FoundTool[];
  readonly products: readonly FoundProduct[];
}

interface ClientReaderParts {
  readonly industries: Industries;
  /** A country's name to its code; null when unknown. */
  readonly countries: (text: string | null) => string | null;
  /** Tools by which texts may be searched; where two have one name, the first keeps it. */
  readonly toolNames: readonly ToolName[];
  /** Slugs of industries to the best-known organisations of each. */
  readonly organisations?: Readonly<Record<string, readonly string[]>>;
  /** Without it cue words alone decide the industry. */
  readonly embed?: Embed;
}

type ReadClient = (page: PageText, vendor: Vendor, story: readonly StorySentence[]) => Promise<ClientReading>;

/** Builds the indexes once, for as many pages as come. */
export function createClientReader(parts: ClientReaderParts): ReadClient {
  const { industries, embed } = parts;
  const index = createToolIndex(parts.toolNames);
  const places = createPlaces(parts.countries);
  const organisations = createOrganisations(parts.organisations ?? {});
  const similar = embed ? createIndustrySimilarity(embed, industries) : undefined;
  return async (page, vendor, story) => {
    const client = findClient(page, vendor, story, { isTool: index.isTool, isPlace: places.isPlace });
    return {
      client,
      industry: await findIndustry(page, story, client, { industries, organisations, ...(similar && { similar }) }),
      country: findCountry(page, story, client, places),
      tools: findTools(page, vendor, story, client, index),
      products: findProducts(vendor, story),
    };
  };
}

/** What the local engine stands on. */
interface LocalEngineParts {
  readonly industries: Industries;
  readonly metrics: OutcomeMetrics;
  /** A source's country to ISO 3166-1 alpha-2; null when unknown. */
  readonly countries: (text: string | null) => string | null;
  /** Texts to unit vectors, for industries by meaning; without it cue words alone decide. */
  readonly embed?: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
  /** Names by which tools are mentioned. */
  readonly toolNames: readonly { readonly name: string; readonly aliases: readonly string[] }[];
  /** Slugs of industries to the best-known organisations of each. */
  readonly organisations?: Readonly<Record<string, readonly string[]>>;
}

const MAX_TITLE = 300;

/** Reads a case study with rules of our own: no network, no model but the optional encoder, same page, same answer. */
export function createLocalEngine(parts: LocalEngineParts): StructureEngine {
  const readClient = createClientReader(parts);
  return {
    id: "local",
    async structure(page, vendor, signal) {
      signal?.throwIfAborted();
      return await readFields(page, vendor, parts, readClient);
    },
  };
}

async function readFields(
  page: PageText,
  vendor: Vendor,
  { metrics }: LocalEngineParts,
  readClient: ReadClient,
): Promise<StructuredStudy> {
  const provenance: Provenance[] = [];
  const keep = <T extends { readonly confidence: number }>(
    pointer: string,
    found: T | null,
    sentence: string | null,
  ): T | null => {
    if (found !== null) provenance.push({ pointer, engine: "local", sentence, confidence: found.confidence });
    return found;
  };
  const story = readStory(page);
  const productWords = nameWords(vendor.name);
  const outcomes = findOutcomes(story, { metrics, productWords });
  outcomes.forEach((found, index) => {
    keep(`/outcomes/${index}`, found, found.sentence);
  });
  const { client: found, industry, country, tools, products } = await readClient(page, vendor, story);
  const client: StudyFields["client"] = { name: found?.name ?? null, domain: found?.domain ?? null };
  keep("/client/name", found, found?.sentence ?? null);
  if (found?.domain) keep("/client/domain", { confidence: found.domain_confidence }, null);
  keep("/industry", industry, industry?.sentence ?? null);
  keep("/country", country, country?.sentence ?? null);
  products.forEach((product, index) => {
    keep(`/products/${index}`, product, product.sentence);
  });
  tools.forEach((tool, index) => {
    keep(`/tools/${index}`, tool, tool.sentence);
  });
  const names = new Set([...productWords, ...(client.name === null ? [] : nameWords(client.name))]);
  const summary = findSummary(page, story, { names, result: outcomes[0]?.sentence ?? null });
  const challenge = findSide(story, "challenge", names);
  const solution = findSide(story, "solution", names);
  const quote = findBestQuote(page, { vendor: vendor.name, client: client.name });
  const title = titleOf(page, story);
  keep("/title", title, title.sentence);
  keep("/summary", summary, summary?.sentence ?? null);
  keep("/challenge", challenge, challenge?.sentence ?? null);
  keep("/solution", solution, solution?.sentence ?? null);
  keep("/quote", quote, quote?.quote.text ?? null);
  if (page.published_at !== null)
    keep("/published_at", { confidence: DATE_CONFIDENCE[page.published_from ?? "text"] }, null);
  if (page.language !== null) keep("/language", { confidence: 0.9 }, null);
  return {
    fields: {
      title: title.text,
      client,
      industry: industry?.slug ?? null,
      country: country?.code ?? null,
      summary: summary?.text ?? null,
      challenge: challenge?.text ?? null,
      solution: solution?.text ?? null,
      outcomes: outcomes.map(({ outcome }): Outcome => outcome),
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

const DATE_CONFIDENCE: Readonly<Record<NonNullable<PageText["published_from"]>, number>> = {
  "json-ld": 0.95,
  meta: 0.9,
  time: 0.85,
  address: 0.8,
  text: 0.7,
  pdf: 0.6,
};

/** The page's heading, else the story's first sentence, else its address. */
function titleOf(
  page: PageText,
  story: readonly StorySentence[],
): { text: string; sentence: string | null; confidence: number } {
  const own = page.title?.trim() ?? "";
  if (own !== "") return { text: cut(own), sentence: own, confidence: 0.9 };
  const first = story.find(({ place }) => place === "heading" || place === "body")?.text;
  if (first !== undefined) return { text: cut(first), sentence: first, confidence: 0.4 };
  return { text: cut(page.url), sentence: null, confidence: 0.1 };
}

const cut = (text: string) => (text.length <= MAX_TITLE ? text : text.slice(0, MAX_TITLE).toWellFormed().trim());
