import { expect, spyOn, test } from "bun:test";
import type { Case } from "../evaluation/structure/cases.ts";
import { vendorsKeptApart } from "../evaluation/structure/corpus.ts";
import { measureFields } from "../evaluation/structure/fields.ts";
import { figuresOf } from "../evaluation/structure/transfer.ts";

const recordOf = (vendor: string) => ({
  id: `${vendor}--brackwater`,
  vendor,
  vendor_slug: vendor,
  vendor_domain: null,
  title: "How Brackwater cut its costs",
  url: `https://${vendor}.example/customers/brackwater`,
  client: "Nobody that the page names",
  client_domain: null,
  industry: null,
  published_at: null,
  near_duplicate_of: null,
  summary: null,
  body_markdown: "Brackwater is a Dutch online retailer. Brackwater uses Kafka.",
});

test("every second vendor is kept apart, whatever the order of the records", () => {
  const records = ["d", "b", "a", "b", "c"].map((vendor) => ({ vendor_slug: vendor }));
  expect([...vendorsKeptApart(records)]).toEqual(["b", "d"]);
});

test("misses are printed of the vendors that may be read only", async () => {
  const log = spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const records = ["alder", "birch"].map(recordOf);
    await measureFields({ folder: "", records, pages: [] }, { misses: true });
    const readings = [{ client: { name: "Brackwater", alternatives: [] }, country: null, industry: null, tools: [] }];
    const answers = records.map((record) => ({
      one: { record, readings, client: ["Brackwater"], forms: [] } as unknown as Case,
      fields: { client: { name: "Kafka" }, industry: null, country: null, tools: [{ name: "Kafka" }] },
    }));
    figuresOf(
      answers,
      (name) => name,
      ({ record }) => record.vendor === "alder",
    );
    const lines = log.mock.calls.map(([line]) => String(line)).filter((line) => /^\s*\w+--/.test(line));
    expect(lines.map((line) => line.trim().split("--")[0])).toEqual(["alder", "alder", "alder"]);
  } finally {
    log.mockRestore();
  }
});
