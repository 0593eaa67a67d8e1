import { describe, expect, test } from "bun:test";
import type { CompanyRepository, CompanySearch } from "../../../src/casestudies/companies/repository.ts";
import { editDistance } from "../../../src/core/text.ts";
import { refusalOf } from "../../store/examples.ts";
import { companyOf, industryOf, storeWithClock, studyOf } from "../study-examples.ts";

const care = industryOf("Clinics", "healthcare");
const COMPANIES = [
  companyOf("kubernetes", { name: "Kubernetes", domain: "kubernetes.example" }),
  companyOf("postgresql", { name: "PostgreSQL", domain: "postgresql.example", industry: care }),
  companyOf("hubspot", { name: "HubSpot", domain: "hubspot.example", industry: industryOf("Adverts") }),
  companyOf("hubspot-partners", { name: "HubSpot Agency Partners", domain: null }),
  companyOf("hub", { name: "Hub", domain: "hub.example", industry: care }),
  companyOf("slack", { name: "Slack", domain: "slack.example" }),
  companyOf("sla", { name: "Sla" }),
  companyOf("cafe-nord", { name: "Café Nord", domain: "cn-group.example" }),
  companyOf("zeichen", { name: "字体公司", domain: "ziti.example" }),
  companyOf("ace", { name: "Ace Company", domain: "ace.example" }),
];

async function companies(): Promise<CompanyRepository> {
  const store = await storeWithClock();
  await store.caseStudies.save(COMPANIES.map((company) => studyOf({ company })));
  return store.companies;
}

const slugsOf = async (search: Partial<CompanySearch>) =>
  (await (await companies()).search({ limit: 50, ...search })).companies.map(({ slug }) => slug);

describe("a search for companies", () => {
  test.each([
    ["kuberntes", "kubernetes"],
    ["kubernets", "kubernetes"],
    ["postgresq", "postgresql"],
    ["postgers", "postgresql"],
    ["hubspt", "hubspot"],
    ["HUBSPOT.example", "hubspot"],
    ["hubspt.example", "hubspot"],
    ["https://www.hubspot.example/customers", "hubspot"],
    ["hubspot partners", "hubspot-partners"],
    ["partners", "hubspot-partners"],
    ["slcak", "slack"],
    ["slakc", "slack"],
    ["lack", "slack"],
    ["cafe nord", "cafe-nord"],
    ["CAFÉ NORD", "cafe-nord"],
    ["nord", "cafe-nord"],
    ["cn-grp", "cafe-nord"],
    ["字体", "zeichen"],
  ])("for %s finds %s first", async (q, slug) => {
    expect((await slugsOf({ q }))[0]).toBe(slug);
  });

  test("ranks the exact name first, then prefixes, then similar names", async () => {
    expect(await slugsOf({ q: "hub" })).toEqual(["hub", "hubspot", "hubspot-partners"]);
    expect(await slugsOf({ q: "hubspot" })).toEqual(["hubspot", "hubspot-partners"]);
    expect((await slugsOf({ q: "hubspt" })).slice(0, 2)).toEqual(["hubspot", "hubspot-partners"]);
  });

  test.each(["nothing like it", "xyz", "%", "_", "...", "'\"", "https://", "字字字字", "\u{1F600}", "a".repeat(5_000)])(
    "for %p finds nothing",
    async (q) => {
      expect(await slugsOf({ q })).toEqual([]);
    },
  );

  test("finds a domain that was added later", async () => {
    const { caseStudies, companies } = await storeWithClock();
    await caseStudies.save([studyOf({ company: companyOf("nl") })]);
    await caseStudies.save([studyOf({ company: companyOf("nl", { domain: "northlight.example" }) })]);
    expect((await companies.search({ q: "nothrlight", limit: 5 })).total).toBe(1);
  });

  test("without a query lists all by name, ignoring case", async () => {
    const all = await slugsOf({ q: " " });
    expect(all).toEqual(await slugsOf({}));
    expect(all.slice(0, 3)).toEqual(["ace", "cafe-nord", "hub"]);
    expect(all).toHaveLength(COMPANIES.length);
  });

  test("is narrowed by the company's industry", async () => {
    expect(await slugsOf({ industries: [care] })).toEqual(["hub", "postgresql"]);
    expect(await slugsOf({ q: "hub", industries: [care] })).toEqual(["hub"]);
    expect(await slugsOf({ q: "hubspt", industries: [care] })).toEqual([]);
  });

  test("by a word that means several industries includes them all", async () => {
    const industries = [care, industryOf("adverts")];
    expect(await slugsOf({ industries })).toEqual(["hub", "hubspot", "postgresql"]);
    expect(await slugsOf({ q: "hub", industries })).toEqual(["hub", "hubspot"]);
    expect(await slugsOf({ q: "hubspt", industries })).toEqual(["hubspot"]);
  });

  test.each([
    ["all", {}],
    ["an industry", { industries: [care] }],
    ["two industries", { industries: [care, industryOf("adverts")] }],
    ["words", { q: "hub" }],
    ["a slip of the hand", { q: "hubspt" }],
  ])("for %s returns the same results in pages as at once", async (_, search) => {
    const found = await companies();
    const whole = await found.search({ ...search, limit: 50 });
    const slugs: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<CompanyRepository["search"]>> = await found.search({
        ...search,
        limit: 1,
        ...(cursor !== null && { cursor }),
      });
      expect(page.total).toBe(whole.total);
      slugs.push(...page.companies.map(({ slug }) => slug));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(slugs).toEqual(whole.companies.map(({ slug }) => slug));
    expect(slugs).toHaveLength(whole.total);
  });

  test("refuses a cursor of another list", async () => {
    const found = await companies();
    const byName = (await found.search({ limit: 1 })).next_cursor ?? "";
    const byMatch = (await found.search({ q: "hub", limit: 1 })).next_cursor ?? "";
    expect((await refusalOf(found.search({ q: "hub", limit: 1, cursor: byName }))).code).toBe("cursor.invalid");
    expect((await refusalOf(found.search({ limit: 1, cursor: byMatch }))).code).toBe("cursor.invalid");
  });
});

test.each([
  ["slack", "slack", 0],
  ["slcak", "slack", 1],
  ["slck", "slack", 1],
  ["sllack", "slack", 1],
  ["slick", "slack", 1],
  ["scalk", "slack", 2],
  ["", "ab", 2],
  ["字体", "字休", 1],
  ["completely", "different", 3],
])("from %s to %s the distance is %d", (from, to, distance) => {
  expect(editDistance(from, to, 2)).toBe(distance);
});
