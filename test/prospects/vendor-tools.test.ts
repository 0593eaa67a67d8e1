import { expect, test } from "bun:test";
import { loadBuiltInCatalogue } from "../../src/detection/fingerprints/packed.ts";
import { loadBuiltInVendorTools } from "../../src/prospects/packed.ts";
import { createVendorLinks, toolsInStudy } from "../../src/prospects/vendor-tools.ts";

const { tools } = loadBuiltInCatalogue();
const links = createVendorLinks({
  settings: { find: async () => undefined, set: async () => {} },
  tools,
  table: loadBuiltInVendorTools(),
});
const idsOf = async (slug: string, domain: string | null = null) => (await links.of({ slug, domain })).tools;

test("the kept table names fingerprints that exist", () => {
  const ids = Object.values(loadBuiltInVendorTools()).flat();
  expect(ids.filter((id) => !tools.has(id))).toEqual([]);
});

test("a vendor is linked by slug, name and host, and never by the domain of a foundation", async () => {
  expect(await idsOf("posthog")).toEqual(["posthog"]);
  expect(await idsOf("hub-spot", "hubspot.com")).toContain("hubspot");
  expect(await idsOf("apache-beam", "beam.apache.org")).toEqual([]);
  expect(await idsOf("__proto__")).toEqual([]);
});

test("of several products the study's are meant, else the one with the vendor's name", async () => {
  const google = (await idsOf("google")).flatMap((id) => tools.get(id) ?? []);
  expect(google.length).toBeGreaterThan(10);
  const meant = (products: string[]) => toolsInStudy("google", google, products)?.tools.map(({ id }) => id);
  expect(meant(["Google Workspace Enterprise"])).toEqual(["google-workspace"]);
  expect(meant(["Google"])).toBeUndefined();
  const own = [...tools.values()].filter(({ id }) => id === "hubspot");
  expect(toolsInStudy("hubspot", own, ["Sales Hub"])).toEqual({ tools: own, spansProducts: true });
  expect(toolsInStudy("hubspot", own, ["HubSpot"])).toEqual({ tools: own, spansProducts: false });
});

test("a product that contains the vendor's name is not the tool of that name", async () => {
  const salesforce = (await idsOf("salesforce")).flatMap((id) => tools.get(id) ?? []);
  const meant = (...products: string[]) => {
    const found = toolsInStudy("salesforce", salesforce, products);
    return [found?.tools.some(({ id }) => id === "salesforce"), found?.spansProducts];
  };
  expect(toolsInStudy("salesforce", salesforce, ["Salesforce Marketing Cloud"])?.tools).toMatchObject([
    { id: "salesforce-marketing-cloud" },
  ]);
  expect(meant("Salesforce")).toEqual([true, false]);
  expect(meant()).toEqual([true, false]);
  // The catalogue has no such product: what is seen is another one, or all of them.
  expect(meant("Salesforce Pigeon Post")).toEqual([true, true]);
});
