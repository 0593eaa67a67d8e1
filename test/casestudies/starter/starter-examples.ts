import type { StarterRecord, StarterSet } from "../../../src/casestudies/starter/records.ts";

/** An invented record; fields that are not given are unknown. */
export const starterRecord = (path: string, given: Partial<StarterRecord> = {}): StarterRecord => ({
  url: `https://harbourline.example/stories/${path}`,
  licence: "CC-BY-4.0",
  upstream: null,
  source_kind: "page",
  title: `Harbourline helps ${path}`,
  client: { name: `Client ${path}`, domain: null },
  industry: "transport-and-logistics",
  country: null,
  summary: `What ${path} did with Harbourline, in a sentence that no other story has: ${path} ${path}.`,
  challenge: null,
  solution: null,
  outcomes: [],
  products: [],
  tools: [],
  quote: null,
  published_at: null,
  language: "en",
  ...given,
});

export const HARBOURLINE = {
  slug: "harbourline",
  name: "Harbourline",
  domain: "harbourline.example",
  industry: "software",
} as const;

/** A set of one vendor with these records by name. */
export const starterSet = (records: Readonly<Record<string, StarterRecord>>): StarterSet => ({
  vendors: [HARBOURLINE],
  records: Object.fromEntries(Object.entries(records).map(([name, record]) => [`harbourline/${name}`, record])),
});
