import type { Services } from "../../src/compose.ts";

/** Case studies in the format of an import file: three vendors, six clients, some facts absent. */
export const RECORDS = [
  {
    id: "tidewell-northgate",
    title: "Northgate Savings leaves its mainframe",
    url: "https://tidewell.example/customers/northgate",
    company: {
      name: "Tidewell",
      slug: "tidewell",
      domain: "tidewell.example",
      industry: "Cloud computing",
      logo_url: "https://tidewell.example/logo.svg",
    },
    client: { name: "Northgate Savings", domain: "northgate.example" },
    industry: "Banking",
    country: "NO",
    summary: "A savings bank moved its ledger from a mainframe to the cloud.",
    challenge: "The mainframe could not keep up with card payments.",
    solution: "The ledger moved table by table over one winter.",
    outcomes: [
      { metric: "cost", value: 42, unit: "%", direction: "decrease", text: "42% lower hosting cost" },
      { metric: "latency", value: 120, unit: "milliseconds", direction: "absolute", text: "Replies within 120 ms" },
    ],
    products: ["Tidewell Ledger"],
    tools: ["PostgreSQL"],
    quote: { text: "We sleep again.", person: "Ida Berg", role: "CTO" },
    published_at: "2024-03-05",
    language: "en",
  },
  {
    id: "tidewell-brightpine",
    title: "Brightpine ships parcels a day sooner",
    url: "https://tidewell.example/customers/brightpine",
    company: { name: "Tidewell", slug: "tidewell" },
    client: { name: "Brightpine", domain: "brightpine.example" },
    industry: "Logistics",
    country: "SE",
    summary: "A parcel carrier plans its routes every night.",
    outcomes: [{ metric: "cost", value: 18, unit: "%", direction: "decrease", text: "18% lower fuel cost" }],
    published_at: "2024-03-20",
  },
  {
    id: "tidewell-northgate-cards",
    title: "Card fraud falls at Northgate Savings",
    url: "https://tidewell.example/customers/northgate-cards",
    company: { name: "Tidewell", slug: "tidewell" },
    client: { name: "Northgate Savings", domain: "northgate.example" },
    industry: "Banking",
    country: "NO",
    summary: "Stolen cards are recognised before the second purchase.",
    published_at: "2025-01-15",
  },
  {
    id: "tidewell-unnamed",
    title: "An unnamed brewery counts its barrels",
    url: "https://tidewell.example/customers/brewery",
    company: { name: "Tidewell", slug: "tidewell" },
    industry: "Zymurgy",
    summary: "Barrels report where they stand.",
  },
  {
    id: "quayline-ostra",
    title: "Ostra Clinic halves waiting times",
    url: "https://quayline.example/stories/ostra",
    company: { name: "Quayline", slug: "quayline", domain: "quayline.example" },
    client: { name: "Ostra Clinic" },
    industry: "Hospital",
    country: "DE",
    summary: "Patients book their visits themselves.",
    outcomes: [{ metric: "time", value: 50, unit: "%", direction: "decrease", text: "Waiting times fell by 50%" }],
    published_at: "2023-11-02",
  },
  {
    id: "quayline-kestrel",
    title: "Kestrel Bank answers customers at night",
    url: "https://quayline.example/stories/kestrel",
    company: { name: "Quayline", slug: "quayline" },
    client: { name: "Kestrel Bank", domain: "kestrel.example" },
    industry: "Retail banking",
    country: "GB",
    summary: "A support desk of a bank learned to answer questions at night.",
    published_at: "2024-06-30",
  },
  {
    id: "quarrystone-larkfield",
    title: "Larkfield Schools gives every pupil a tablet",
    url: "https://quarrystone.example/cases/larkfield",
    company: { name: "Quarrystone", slug: "quarrystone", domain: "quarrystone.example" },
    client: { name: "Larkfield Schools", domain: "larkfield.example" },
    industry: "Education",
    country: "GB",
    summary: "Tablets are set up before the term starts.",
    published_at: "2024-03-20",
  },
] as const;

/** Newest first, undated last; of one day by id. */
export const NEWEST_FIRST = [
  "tidewell-northgate-cards",
  "quayline-kestrel",
  "quarrystone-larkfield",
  "tidewell-brightpine",
  "tidewell-northgate",
  "quayline-ostra",
  "tidewell-unnamed",
];

export const linesOf = (records: readonly unknown[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

/** Imports and indexes the records as the import command does. */
export async function fill(app: Services, records: readonly unknown[] = RECORDS): Promise<void> {
  await app.caseStudies.importFile({ name: "studies.jsonl", content: new Blob([linesOf(records)]).stream() });
  await app.index.indexNow();
}
