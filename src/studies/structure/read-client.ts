import type { PageText } from "../../vocabulary/page.ts";
import type { Vendor } from "../../vocabulary/structured-study.ts";
import type { Industries } from "../taxonomy/industries.ts";
import { type FoundClient, findClient } from "./client/find-client.ts";
import { type FoundCountry, findCountry } from "./country.ts";
import {
  createIndustrySimilarity,
  createOrganisations,
  type Embed,
  type FoundIndustry,
  findIndustry,
} from "./industry.ts";
import { createPlaces } from "./places.ts";
import { type FoundProduct, findProducts } from "./products.ts";
import type { StorySentence } from "./story.ts";
import { createToolIndex, type FoundTool, findTools, type ToolName } from "./tools.ts";

/** Who a story is about and what it names; null and empty where it does not say. */
export interface ClientReading {
  readonly client: FoundClient | null;
  readonly industry: FoundIndustry | null;
  readonly country: FoundCountry | null;
  readonly tools: readonly FoundTool[];
  readonly products: readonly FoundProduct[];
}

export interface ClientReaderParts {
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

export type ReadClient = (page: PageText, vendor: Vendor, story: readonly StorySentence[]) => Promise<ClientReading>;

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
