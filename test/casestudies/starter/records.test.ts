import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readStarterFiles } from "../../../src/casestudies/starter/files.ts";
import { loadBuiltInStarter } from "../../../src/casestudies/starter/packed.ts";
import {
  checkStarterRecords,
  hasFaults,
  type StarterRecord,
  toCaseStudy,
} from "../../../src/casestudies/starter/records.ts";
import { tools } from "../examples.ts";
import { HARBOURLINE, starterRecord } from "./starter-examples.ts";

const DATA = join(import.meta.dir, "../../../data/starter");
const FULL = starterRecord("ferry", {
  country: "NO",
  challenge: "Ships waited.",
  solution: "A shared board.",
  outcomes: [{ metric: "cost", value: 40, unit: "%", direction: "decrease", text: "Costs fell by 40 %." }],
  products: ["Board"],
  tools: ["Kettle"],
  quote: { person: "Ada Berg", role: null },
  published_at: "2024-03-05",
});

const faultsIn = (records: Readonly<Record<string, unknown>>, vendors: unknown = [HARBOURLINE]) => {
  const checked = checkStarterRecords({ vendors, records: new Map(Object.entries(records)) }, tools);
  return hasFaults(checked) ? checked.map(({ file, detail }) => `${file}: ${detail}`) : [];
};

describe("the built-in records", () => {
  test("have no faults, and are embedded unchanged", () => {
    const checked = checkStarterRecords(readStarterFiles(DATA), tools);
    expect(hasFaults(checked) ? checked : []).toEqual([]);
    const { version, set } = loadBuiltInStarter();
    expect(set).toEqual(JSON.parse(JSON.stringify(checked)));
    expect(version).toMatch(/^[0-9a-f]{64}$/);
  });

  test("are at least 300 from at least 20 vendors, at most 60 from one", () => {
    const { records } = loadBuiltInStarter().set;
    const byVendor = Map.groupBy(Object.keys(records), (name) => name.split("/")[0]);
    expect(Object.keys(records).length).toBeGreaterThanOrEqual(300);
    expect(byVendor.size).toBeGreaterThanOrEqual(20);
    expect(Math.max(...[...byVendor.values()].map(({ length }) => length))).toBeLessThanOrEqual(60);
  });
});

test("a record becomes a case study of its vendor, with the quoted person but not the quoted words", () => {
  const study = toCaseStudy("harbourline/ferry", FULL, HARBOURLINE, tools);
  expect(study).toMatchObject({
    id: "harbourline--ferry",
    url: FULL.url,
    origin: "starter",
    licence: "CC-BY-4.0",
    company: {
      ...{ name: "Harbourline", slug: "harbourline", domain: "harbourline.example" },
      industry: { slug: "software" },
    },
    industry: { slug: "transport-and-logistics" },
    quote: { text: null, person: "Ada Berg", role: null },
    body: null,
  });
  expect(study.passages.map(({ text }) => text).join(" ")).toBe(
    `${FULL.summary} Ships waited. A shared board. Costs fell by 40 %.`,
  );
});

describe("a fault is reported with its file", () => {
  test.each<[string, Partial<Record<keyof StarterRecord, unknown>>, string]>([
    ["an unknown key", { ["colour" as "url"]: "red" }, "/colour: "],
    ["a missing title", { title: undefined }, "/title: "],
    ["an empty text", { challenge: "" }, "/challenge: "],
    ["the words of a quote", { quote: { person: "Ada", role: null, text: "It floats." } }, "/quote"],
    ["an unknown industry", { industry: "dragons" }, "unknown industry dragons"],
    ["an unknown metric", { outcomes: [{ ...FULL.outcomes[0], metric: "joy" }] }, "unknown metric joy"],
    ["a unit in another spelling", { outcomes: [{ ...FULL.outcomes[0], unit: "percent" }] }, "outcomes is parsed as "],
    ["an invalid client domain", { client: { name: "Ferry", domain: "no domain" } }, "client is parsed as "],
    ["an unknown country", { country: "XX" }, "country is parsed as null"],
    ["a day that does not exist", { published_at: "2024-02-30" }, "published_at is parsed as null"],
  ])("%s", (_, change, detail) => {
    const faults = faultsIn({ "harbourline/ferry": { ...FULL, ...change } });
    expect(faults.length).toBeGreaterThan(0);
    expect(faults[0]).toStartWith(`harbourline/ferry: ${detail}`);
  });

  test("a duplicate URL", () => {
    expect(faultsIn({ "harbourline/ferry": FULL, "harbourline/tug": FULL })).toEqual([
      "harbourline/tug: has the same URL as harbourline/ferry",
    ]);
  });

  test("a vendor that is not listed, listed twice, or without a record", () => {
    expect(faultsIn({ "tidewell/ferry": FULL })).toEqual([
      "vendors: harbourline: has no record",
      "tidewell/ferry: its vendor is not in vendors.yaml",
    ]);
    expect(faultsIn({ "harbourline/ferry": FULL }, [HARBOURLINE, HARBOURLINE])).toEqual([
      "vendors: a slug occurs twice",
    ]);
    expect(faultsIn({ "harbourline/ferry": FULL }, [{ ...HARBOURLINE, industry: "dragons" }])).toEqual([
      "vendors: harbourline: unknown industry dragons",
    ]);
  });

  test("a name that is not a slug", () => {
    expect(faultsIn({ "harbourline/Old Ferry": FULL })).toEqual(["harbourline/Old Ferry: its name is not a slug"]);
  });
});
