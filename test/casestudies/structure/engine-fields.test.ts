import { expect, test } from "bun:test";
import { createLocalEngine } from "../../../src/casestudies/structure/local-engine.ts";
import { tools } from "../examples.ts";
import { pageOf, vendor } from "./fields-page.ts";

const engine = createLocalEngine({ ...tools, toolNames: [{ name: "PipeDock", aliases: [] }] });
const page = pageOf({
  title: "How Brackwater cut waiting time",
  markdown:
    "[Brackwater](https://brackwater.example/) is a Dutch online retailer.\n\nThey run PipeDock beside Quayline.",
  links: [{ href: "https://brackwater.example/", text: "Brackwater" }],
});

test("the client, industry, country, tools and products are fields of the study", async () => {
  const { fields } = await engine.structure(page, vendor);
  expect(fields).toMatchObject({
    client: { name: "Brackwater", domain: "brackwater.example" },
    industry: "retail",
    country: "NL",
    tools: ["PipeDock"],
    products: ["Quayline"],
  });
});

test("each of them has provenance", async () => {
  const { provenance } = await engine.structure(page, vendor);
  const sentenceOf = (pointer: string) => provenance.find((one) => one.pointer === pointer)?.sentence;
  expect(sentenceOf("/client/name")).toBe("Brackwater is a Dutch online retailer.");
  expect(sentenceOf("/client/domain")).toBeNull();
  expect(sentenceOf("/industry")).toBe("Brackwater is a Dutch online retailer.");
  expect(sentenceOf("/country")).toBe("Brackwater is a Dutch online retailer.");
  expect(sentenceOf("/tools/0")).toBe("They run PipeDock beside Quayline.");
  expect(sentenceOf("/products/0")).toBe("They run PipeDock beside Quayline.");
});

test("a field that the page does not state is null, without provenance", async () => {
  const { fields, provenance } = await engine.structure(pageOf({ title: "Calm", markdown: "It was slow." }), vendor);
  expect(fields).toMatchObject({ client: { name: null, domain: null }, country: null, tools: [], products: [] });
  expect(provenance.map(({ pointer }) => pointer)).not.toContain("/client/name");
});

test("the likeliest names are candidates for the reviewer where no client is certain", async () => {
  const markdown = "Brackwater and Northgate Mills met Kestrel Bank at a conference about queues and harbours.";
  const { fields, provenance } = await engine.structure(pageOf({ title: "Calm", markdown }), vendor);
  expect(fields.client.name).toBeNull();
  const candidates = provenance.filter(({ pointer }) => pointer.startsWith("/client/candidates/"));
  expect(candidates.map(({ sentence }) => sentence)).toContain("Brackwater");
  for (const { confidence } of candidates) expect(confidence).toBeLessThan(0.5);
});
