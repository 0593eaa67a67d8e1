import { createCountryParser } from "../../../src/casestudies/fields.ts";
import { createClientFieldsReader } from "../../../src/casestudies/structure/local-engine.ts";
import { readStory } from "../../../src/casestudies/structure/story.ts";
import { loadBuiltInIndustries } from "../../../src/casestudies/taxonomy/packed.ts";
import type { PageText } from "../../../src/casestudies/types.ts";

export const vendor = { name: "Quayline", slug: "quayline", domain: "quayline.example" };

export const pageOf = (changes: Partial<PageText> = {}): PageText => ({
  url: "https://quayline.example/stories/one",
  canonical: null,
  title: null,
  site_name: null,
  description: null,
  language: null,
  published_at: null,
  published_from: null,
  markdown: "",
  images: [],
  links: [],
  labels: [],
  json_ld: [],
  ...changes,
});

const read = createClientFieldsReader({
  industries: loadBuiltInIndustries(),
  parseCountry: createCountryParser(),
  cities: { SE: ["brackvik"] },
  toolNames: [
    { name: "Ledgerly", aliases: ["Ledgerly Cloud"] },
    { name: "PipeDock", aliases: [] },
    { name: "Front", aliases: [] },
    { name: "npm", aliases: [] },
    ...["May", "March", "June", "July"].map((name) => ({ name, aliases: [] })),
    { name: "Quayline", aliases: [] },
  ],
  organisations: { media: ["Halcyon Broadcasting"] },
});

/** What is read of a page of the vendor Quayline; its list of tools is Ledgerly, PipeDock, Front, npm, four months and Quayline. */
export const readPage = async (changes: Partial<PageText>) => {
  const page = pageOf(changes);
  return await read(page, vendor, readStory(page));
};
