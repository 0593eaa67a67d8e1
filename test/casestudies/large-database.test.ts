import { beforeAll, describe, expect, test } from "bun:test";
import type { NewCaseStudy } from "../../src/casestudies/types.ts";
import type { Store } from "../../src/store.ts";
import { companyOf, fingerprintOf, industryOf, outcomeOf, storeWithClock } from "./study-examples.ts";

const COUNT = 20_000;

/** Every tenth is of one company; the others are of two hundred. */
function generated(number: number): NewCaseStudy {
  const company = number % 10 === 0 ? "giant" : `company-${number % 200}`;
  const value = (number * 7_919) % 1_000;
  return {
    id: `story-${number}`,
    title: `Story ${number}`,
    url: `https://${company}.example/customers/${number}`,
    company: companyOf(company),
    client: { name: `Client ${number % 3_000}`, domain: null },
    industry: industryOf(`Industry ${number % 40}`),
    country: ["DE", "FR", "US"][number % 3] ?? null,
    summary: null,
    challenge: null,
    solution: null,
    outcomes: [outcomeOf("cost", value, { kind: "change" })],
    products: [],
    tools: [],
    quote: null,
    published_at: number % 9 === 0 ? null : `20${10 + (number % 16)}-${String((number % 12) + 1).padStart(2, "0")}-15`,
    language: null,
    origin: "imported",
    licence: null,
    body: null,
    passages: [{ heading: null, text: `Passage of ${number}` }],
    fingerprint: fingerprintOf(number),
  };
}

describe("an index of twenty thousand case studies", () => {
  const numbers = Array.from({ length: COUNT }, (_, index) => index);
  const giants = numbers.filter((number) => number % 10 === 0).map(generated);
  let store: Store;

  beforeAll(async () => {
    store = await storeWithClock();
    for (let start = 0; start < COUNT; start += 1_000) {
      await store.caseStudies.save(numbers.slice(start, start + 1_000).map(generated));
    }
  }, 60_000);

  test("lists every match once, in order, page by page", async () => {
    const filter = { industries: [industryOf("industry 7")], country: "FR" };
    const expected = numbers.filter((number) => number % 40 === 7 && number % 3 === 1).map(generated);
    expected.sort((a, b) => {
      const [newer, older] = [b.published_at ?? "", a.published_at ?? ""];
      return newer < older ? -1 : newer > older ? 1 : a.id < b.id ? -1 : 1;
    });
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof store.caseStudies.list>> = await store.caseStudies.list(filter, {
        limit: 50,
        ...(cursor !== null && { cursor }),
      });
      expect(page.total).toBe(expected.length);
      ids.push(...page.studies.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(ids).toEqual(expected.map(({ id }) => id));
  });

  test("returns the exact analysis of a company with two thousand", async () => {
    const values = giants.flatMap(({ outcomes }) => outcomes[0]?.value ?? []).sort((a, b) => a - b);
    const middle = ((values[values.length / 2 - 1] ?? 0) + (values[values.length / 2] ?? 0)) / 2;
    const analysis = await store.companies.analysis("giant");
    expect(analysis.total_case_studies).toBe(giants.length);
    expect(analysis.top_outcomes).toMatchObject([{ metric: "cost", case_studies: giants.length, median: middle }]);
    expect(analysis.top_industries).toHaveLength(4);
    expect(analysis.top_clients).toHaveLength(10);
  });

  test("compares five companies", async () => {
    const slugs = ["company-1", "giant", "company-2", "company-3", "company-7"];
    const compared = await store.companies.compare(slugs, { limitPerCompany: 5 });
    expect(compared.map(({ company }) => company.slug)).toEqual(slugs);
    expect(compared.map(({ total_case_studies }) => total_case_studies)).toEqual([100, 2_000, 100, 100, 100]);
    expect(compared.every(({ case_studies }) => case_studies.length === 5)).toBe(true);
  });

  test("returns the passages of a filter, and the queue of the index", async () => {
    expect(await store.caseStudies.passageIds({ company: "giant" })).toHaveLength(2_000);
    expect(await store.outbox.depth()).toBe(COUNT);
    expect(await store.outbox.pending(100)).toHaveLength(100);
  });
});
