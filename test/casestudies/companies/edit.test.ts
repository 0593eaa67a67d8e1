import { expect, test } from "bun:test";
import { companyOf, storeWithClock, studyOf } from "../study-examples.ts";

async function twoCompanies() {
  const store = await storeWithClock();
  await store.caseStudies.save([
    studyOf({ id: "a", company: companyOf("harbour", { name: "Harbour", domain: "harbour.example" }) }),
    studyOf({ id: "b", company: companyOf("harbourline", { name: "Harbourline" }) }),
  ]);
  await store.outbox.done((await store.outbox.pending(10)).map(({ id }) => id));
  return store;
}

test("a company's name and slug can be changed; it is found by both, and its case studies are reindexed", async () => {
  const { companies, caseStudies, outbox } = await twoCompanies();
  await companies.edit("harbour", { name: "Quarry & Stone", slug: "quarry", industry: { raw: "Mining", slug: null } });
  expect(await companies.find("harbour")).toBeUndefined();
  expect(await companies.find("quarry")).toMatchObject({
    name: "Quarry & Stone",
    domain: "harbour.example",
    industry: "Mining",
  });
  const { companies: found } = await companies.search({ q: "quarry ston", limit: 5 });
  expect(found.map(({ slug }) => slug)).toEqual(["quarry"]);
  expect(await caseStudies.find("a")).toMatchObject({ company: { name: "Quarry & Stone", slug: "quarry" } });
  expect((await outbox.pending(10)).map(({ case_study_id }) => case_study_id)).toEqual(["a"]);
});

test("a slug of another company is refused, and so is an unknown company", async () => {
  const { companies } = await twoCompanies();
  await expect(companies.edit("harbour", { slug: "harbourline" })).rejects.toMatchObject({ code: "company.exists" });
  await expect(companies.edit("nobody", { name: "x" })).rejects.toMatchObject({ code: "company.not_found" });
  await expect(companies.merge("harbour", "harbour")).rejects.toMatchObject({ code: "company.exists" });
});

test("merging moves everything from one company to the other, whose known values are kept", async () => {
  const { companies, caseStudies, outbox } = await twoCompanies();
  expect(await companies.merge("harbour", "harbourline")).toBe(1);
  expect(await companies.find("harbour")).toBeUndefined();
  expect(await companies.find("harbourline")).toMatchObject({ domain: "harbour.example", total_case_studies: 2 });
  expect(await caseStudies.find("a")).toMatchObject({ company: { slug: "harbourline" } });
  expect((await outbox.pending(10)).map(({ case_study_id }) => case_study_id)).toEqual(["a", "b"]);
});
