import { describe, expect, test } from "bun:test";
import type { Outcome } from "../../../src/casestudies/types.ts";
import { refusalOf } from "../../store/examples.ts";
import { companyOf, industryOf, outcomeOf, storeWithClock, studyOf } from "../study-examples.ts";

const care = industryOf("Clinics", "healthcare");
const named = { industryNames: new Map([["healthcare", "Healthcare"]]) };

describe("a company", () => {
  test("is found by its slug in any case, with its number of case studies", async () => {
    const { caseStudies, companies } = await storeWithClock(named);
    const company = companyOf("alpha", { name: "Alpha", domain: "alpha.example", industry: care });
    await caseStudies.save([studyOf({ company }), studyOf({ company })]);
    const expected = {
      name: "Alpha",
      slug: "alpha",
      domain: "alpha.example",
      industry: "Healthcare",
      logo_url: null,
      total_case_studies: 2,
    };
    expect(await companies.find("ALPHA")).toEqual(expected);
    expect(await companies.find("beta")).toBeUndefined();
  });

  test.each([
    ["analysis", ["nobody"]],
    ["timeline", ["nobody"]],
  ] as const)("that does not exist has no %s", async (verb, unknown) => {
    const { companies } = await storeWithClock();
    const refusal = await refusalOf(companies[verb]("nobody"));
    expect(refusal.code).toBe("company.not_found");
    expect(refusal.details.unknown).toEqual(unknown);
    expect(refusal.message).toContain("nobody");
  });
});

describe("analysis", () => {
  test("returns the industries of all case studies with their share, most frequent first", async () => {
    const { caseStudies, companies } = await storeWithClock(named);
    await caseStudies.save([
      studyOf({ industry: care }),
      studyOf({ industry: industryOf("Hospitals", "healthcare") }),
      studyOf({ industry: industryOf("Space Mining") }),
      studyOf({ industry: industryOf("space  mining") }),
      studyOf({ industry: care }),
      studyOf(),
      studyOf({ industry: care, company: companyOf("other") }),
    ]);
    const analysis = await companies.analysis("vendor");
    expect(analysis.total_case_studies).toBe(6);
    expect(analysis.company.total_case_studies).toBe(6);
    expect(analysis.top_industries).toEqual([
      { industry: "Healthcare", case_studies: 3, share: 0.5 },
      { industry: "Space Mining", case_studies: 2, share: 0.3333 },
    ]);
  });

  test("returns at most ten of each, and breaks ties in a fixed order", async () => {
    const { caseStudies, companies } = await storeWithClock();
    const letters = [..."lkjihgfedcba"];
    await caseStudies.save(
      letters.map((letter) =>
        studyOf({
          industry: industryOf(letter),
          client: { name: letter, domain: null },
          outcomes: [outcomeOf(letter, 1)],
        }),
      ),
    );
    const { top_industries, top_clients, top_outcomes } = await companies.analysis("vendor");
    const first = [..."abcdefghij"];
    expect(top_industries.map(({ industry }) => industry)).toEqual(first);
    expect(top_clients.map(({ client }) => client)).toEqual(first);
    expect(top_outcomes.map(({ metric }) => metric)).toEqual(first);
  });

  test.each([
    [[7], 7],
    [[1, 9], 5],
    [[9, 1, 2], 2],
    [[4, 1, 100, 3], 3.5],
    [[5, null, 1, null, 3], 3],
    [[-2.5, -1.5], -2],
    [[null, null], null],
  ])("the median of %p is %p", async (values, median) => {
    const { caseStudies, companies } = await storeWithClock();
    await caseStudies.save(
      values.map((value) => studyOf({ outcomes: [outcomeOf("cost", value, { kind: "change" })] })),
    );
    const [outcome] = (await companies.analysis("vendor")).top_outcomes;
    expect(outcome).toMatchObject({ metric: "cost", median, case_studies: values.length });
  });

  test("compares only like with like, counts the figures, and counts a case study once", async () => {
    const { caseStudies, companies } = await storeWithClock();
    const change = (value: number, given: Partial<Outcome> = {}) =>
      outcomeOf("cost", value, { kind: "change", better: true, noun: "hosting cost", ...given });
    await caseStudies.save([
      studyOf({ outcomes: [change(10), change(30, { noun: "cost" }), change(2, { unit: "x" })] }),
      studyOf({ outcomes: [change(20), change(5, { direction: "increase", better: false })] }),
      studyOf({ outcomes: [change(40), change(8, { unit: null }), change(90, { kind: "level" })] }),
      studyOf({ outcomes: [change(60, { better: false })] }),
      studyOf({ company: companyOf("other"), outcomes: [change(1_000)] }),
    ]);
    const { top_outcomes } = await companies.analysis("vendor");
    expect(
      top_outcomes.map(({ kind, unit, direction, better, case_studies, figures, median }) => [
        ...[kind, unit, direction, better, case_studies, figures, median],
      ]),
    ).toEqual([
      ["change", "%", "decrease", true, 3, 4, 25],
      ["change", null, "decrease", true, 1, 1, 8],
      ["change", "%", "decrease", false, 1, 1, 60],
      ["level", "%", "decrease", true, 1, 1, 90],
      ["change", "%", "increase", false, 1, 1, 5],
      ["change", "x", "decrease", true, 1, 1, 2],
    ]);
    expect(top_outcomes[0]?.nouns).toEqual(["hosting cost", "cost"]);
  });

  test.each([
    [
      "sizes before what was reached",
      [
        [10, null],
        [2, 2],
        [30, null],
        [1, 1],
      ],
      20,
      2,
    ],
    [
      "what was reached, without a size",
      [
        [2, 2],
        [6, 6],
      ],
      4,
      2,
    ],
  ] as const)("a median of changes is of %s", async (_, figures, median, count) => {
    const { caseStudies, companies } = await storeWithClock();
    const hours = (value: number, to: number | null) =>
      outcomeOf("time", value, { unit: "hours", kind: "change", noun: "build time", to });
    await caseStudies.save(figures.map(([value, to]) => studyOf({ outcomes: [hours(value, to)] })));
    const { top_outcomes } = await companies.analysis("vendor");
    expect(top_outcomes).toMatchObject([{ median, figures: count, case_studies: figures.length }]);
  });

  test("figures whose kind is unknown, and counts of different things, have no median", async () => {
    const { caseStudies, companies } = await storeWithClock();
    const count = (value: number, noun: string) => outcomeOf("scale", value, { unit: "count", kind: "level", noun });
    const pods = (value: number) => outcomeOf("headcount", value, { unit: "count", kind: "level", noun: "engineers" });
    await caseStudies.save([
      studyOf({ outcomes: [outcomeOf("cost", 10), outcomeOf("cost", 20), count(5, "pods"), pods(2)] }),
      studyOf({ outcomes: [count(7, "pods"), count(900, "users"), pods(4)] }),
    ]);
    const { top_outcomes } = await companies.analysis("vendor");
    expect(top_outcomes.map(({ metric, figures, median }) => [metric, figures, median])).toEqual([
      ["headcount", 2, 3],
      ["scale", 3, null],
      ["cost", 2, null],
    ]);
  });

  test("shows three examples from different case studies, those with a figure first, then the newest", async () => {
    const { caseStudies, companies } = await storeWithClock();
    const client = { name: null, domain: "acme.example" };
    await caseStudies.save([
      studyOf({ id: "old", published_at: "2020-01-01", outcomes: [outcomeOf("cost", 1)] }),
      studyOf({ id: "words", published_at: "2026-01-01", outcomes: [outcomeOf("cost", null)] }),
      studyOf({
        id: "new",
        client,
        published_at: "2025-01-01",
        outcomes: [outcomeOf("cost", null), outcomeOf("cost", 2), outcomeOf("cost", 3)],
      }),
      studyOf({ id: "undated", outcomes: [outcomeOf("cost", 4)] }),
      studyOf({ id: "older", published_at: "2019-01-01", outcomes: [outcomeOf("cost", 5)] }),
    ]);
    expect((await companies.analysis("vendor")).top_outcomes[0]?.examples).toEqual([
      { case_study_id: "new", client: "acme.example", value: 2, text: "cost by 2" },
      { case_study_id: "old", client: null, value: 1, text: "cost by 1" },
      { case_study_id: "older", client: null, value: 5, text: "cost by 5" },
    ]);
  });
});

test("a timeline is monthly, oldest first, with a separate count of undated case studies", async () => {
  const { caseStudies, companies } = await storeWithClock(named);
  await caseStudies.save([
    studyOf({ id: "c", title: "C", published_at: "2024-03-20", client: { name: "Acme", domain: "acme.example" } }),
    studyOf({ id: "a", title: "A", published_at: "2023-11-02", industry: care }),
    studyOf({ id: "u", title: "U" }),
    studyOf({ id: "b", title: "B", published_at: "2024-03-05" }),
  ]);
  const entry = { client: null, industry: null };
  const { company, timeline, undated } = await companies.timeline("vendor");
  expect(company.slug).toBe("vendor");
  expect(timeline).toEqual([
    {
      period: "2023-11",
      case_studies: [{ ...entry, id: "a", title: "A", industry: "Healthcare", published_at: "2023-11-02" }],
    },
    {
      period: "2024-03",
      case_studies: [
        { ...entry, id: "b", title: "B", published_at: "2024-03-05" },
        { ...entry, id: "c", title: "C", client: "Acme", published_at: "2024-03-20" },
      ],
    },
  ]);
  expect(undated).toEqual([{ ...entry, id: "u", title: "U", published_at: null }]);
});

describe("comparison", () => {
  const store = async () => {
    const opened = await storeWithClock(named);
    const [alpha, beta] = [companyOf("alpha"), companyOf("beta")];
    await opened.caseStudies.save([
      studyOf({
        id: "a1",
        company: alpha,
        industry: care,
        published_at: "2024-01-01",
        client: { name: "Acme", domain: null },
      }),
      studyOf({ id: "a2", company: alpha, published_at: "2025-01-01", client: { name: "Bolt", domain: null } }),
      studyOf({ id: "a3", company: alpha, industry: care, published_at: "2023-01-01" }),
      studyOf({ id: "b1", company: beta, industry: industryOf("Mining"), client: { name: "Ore", domain: null } }),
    ]);
    return opened;
  };

  test("follows the order of the slugs, with the newest case studies of each", async () => {
    const { companies } = await store();
    const compared = await companies.compare(["beta", "alpha"], { limitPerCompany: 2 });
    expect(compared.map(({ company }) => company.slug)).toEqual(["beta", "alpha"]);
    expect(compared.map(({ case_studies }) => case_studies.map(({ id }) => id))).toEqual([["b1"], ["a2", "a1"]]);
    expect(compared[1]).toMatchObject({
      total_case_studies: 3,
      top_industries: [{ industry: "Healthcare", case_studies: 2, share: 0.6667 }],
      notable_clients: [
        { client: "Acme", case_studies: 1 },
        { client: "Bolt", case_studies: 1 },
      ],
    });
  });

  test("within one industry counts and shows only that industry, and still lists all industries of a company", async () => {
    const { companies } = await store();
    const [alpha, beta] = await companies.compare(["alpha", "beta"], { industries: [care], limitPerCompany: 5 });
    expect(alpha).toMatchObject({
      company: { total_case_studies: 3 },
      total_case_studies: 2,
      case_studies: [{ id: "a1" }, { id: "a3" }],
      top_industries: [{ industry: "Healthcare", case_studies: 2, share: 0.6667 }],
      notable_clients: [{ client: "Acme", domain: null, case_studies: 1 }],
    });
    expect(beta).toMatchObject({ total_case_studies: 0, case_studies: [], notable_clients: [] });
    expect(beta?.top_industries.map(({ industry }) => industry)).toEqual(["Mining"]);
  });

  test("by a word that means two industries shows both", async () => {
    const { companies } = await store();
    const industries = [care, industryOf("mining")];
    expect(await companies.compare(["alpha", "beta"], { industries, limitPerCompany: 5 })).toMatchObject([
      { total_case_studies: 2, notable_clients: [{ client: "Acme" }] },
      { total_case_studies: 1, notable_clients: [{ client: "Ore" }] },
    ]);
  });

  test("lists every slug that does not exist", async () => {
    const { companies } = await store();
    const refusal = await refusalOf(companies.compare(["x", "alpha", "y"], { limitPerCompany: 5 }));
    expect(refusal.code).toBe("company.not_found");
    expect(refusal.details.unknown).toEqual(["x", "y"]);
  });
});
