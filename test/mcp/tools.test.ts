import { afterEach, describe, expect, test } from "bun:test";
import { SECRET } from "../services/fake-app.ts";
import { linesOf } from "../services/study-records.ts";
import { asked, closeAgents, dataOf, refusalOf, textOf } from "./agent.ts";

afterEach(closeAgents);

describe("get_company_analysis", () => {
  test("finds a vendor by its domain, with its analysis", async () => {
    const { answer } = await asked("get_company_analysis", { domain: "tidewell.test" });
    expect(dataOf(answer).as_vendor).toMatchObject({
      company: { slug: "tidewell", total_case_studies: 4 },
      analysis: {
        company: { slug: "tidewell" },
        total_case_studies: 4,
        top_industries: [{ industry: "Financial Services" }, {}, {}],
      },
    });
    expect(textOf(answer)).toContain(
      `As a vendor: Tidewell (slug tidewell, tidewell.test, Cloud & Hosting): 4 case studies
  Industries: Financial Services 2, Transport & Logistics 1, Zymurgy 1
  Clients: Northgate Savings 2, Brightpine 1
  Outcomes: cost (decrease, median of 2 figures −30%, 2 stories), latency (figure 120 milliseconds, 1 story)
  Next: search_case_studies with company "tidewell"`,
    );
  });

  test("a name that only resembles a vendor's is not matched", async () => {
    const { answer } = await asked("get_company_analysis", { domain: "tidewel.test" });
    expect(dataOf(answer).as_vendor).toBeNull();
  });

  test.each([
    ["10.0.0.1", "domain.invalid", "Call again with a registrable domain"],
    ["", "/domain", 'Invalid domain "": give a non-empty string.'],
    ["intranet.corp", "domain.reserved", "public domain"],
    ["missing.test", "domain.not_found", "Check the spelling"],
    ["silent.test", "dns.unreachable", "Retry after 30 seconds."],
    ["busy.test", "service.overloaded", "Retry after 5 seconds."],
  ])("%p is refused with %s", async (domain, code, next) => {
    const { answer, bugs } = await asked("get_company_analysis", { domain });
    expect(refusalOf(answer)).toContain(code);
    expect(refusalOf(answer)).toContain(next);
    expect(bugs()).toEqual([]);
  });

  test.each(["broken.test", "breaking.test"])(
    "an internal error (%s) is logged, and its text is not in the response",
    async (domain) => {
      const { answer, bugs } = await asked("get_company_analysis", { domain });
      expect(refusalOf(answer)).toContain("tell the user");
      expect(JSON.stringify(answer)).not.toContain("SQLITE");
      expect(bugs().map(String)).toEqual([`Error: ${SECRET}`]);
    },
  );
});

describe("search_case_studies", () => {
  test("one query has one result set, with filters", async () => {
    const { answer } = await asked("search_case_studies", {
      query: "bank",
      industry: "banking",
      company: "tidewell",
      limit: 1,
    });
    const { results } = dataOf(answer);
    expect(results).toHaveLength(1);
    expect(results[0].query).toBe("bank");
    expect(results[0].results).toHaveLength(1);
    expect(results[0].results[0]).toMatchObject({ company: { slug: "tidewell" }, industry: "Financial Services" });
    expect(textOf(answer)).toMatch(
      /^"bank":\n- .+: Tidewell for Northgate Savings · Financial Services · NO · .+ · score \d\.\d\d\n/,
    );
  });

  test("ten queries have ten in their order, and shared arguments apply to each", async () => {
    const queries = ["bank", "parcels", "tablet", "patients", "card", "a", "b", "c", "d"].map((query) => ({ query }));
    const own = { query: "support desk", company: "quayline", limit: 2 };
    const { answer } = await asked("search_case_studies", {
      queries: [...queries, own],
      company: "tidewell",
      mode: "keyword",
      limit: 1,
    });
    const { results } = dataOf(answer);
    expect(results.map(({ query }: { query: string }) => query)).toEqual([...queries, own].map(({ query }) => query));
    const vendors = results.map(({ results: found }: { results: { company: { slug: string } }[] }) => [
      ...new Set(found.map(({ company }) => company.slug)),
    ]);
    expect(vendors[0]).toEqual(["tidewell"]);
    expect(vendors.at(-1)).toEqual(["quayline"]);
  });

  test("case studies that are not yet indexed are reported", async () => {
    const { client, app } = await asked("find_companies", {});
    const records = [{ title: "Late", url: "https://late.test/1", company: "Late", client: { name: "X" } }];
    await app.caseStudies.importFile({ name: "s.jsonl", content: new Blob([linesOf(records)]).stream() });
    const search = () => client.callTool({ name: "search_case_studies", arguments: { query: "late" } });
    expect(textOf(await search())).toEndWith(
      "\n\n1 case study is not in the search index yet: results may be missing.",
    );
    await app.index.indexNow();
    expect(textOf(await search())).not.toContain("not in the search index");
  });

  test("an empty result says what to try", async () => {
    const { answer } = await asked("search_case_studies", { query: "zebra", company: "quayline", industry: "Zymurgy" });
    expect(textOf(answer)).toBe('"zebra": nothing found. Try other words, or use fewer filters.');
  });

  test.each([
    [{ company: "nobody" }, 'No company has the slug "nobody": search companies to find the slug. (company.not_found)'],
    [{ company: "tidewel" }, 'No company has the slug "tidewel": did you mean tidewell? (company.not_found)'],
    [{ industry: "Finacial" }, 'Unknown industry "Finacial": did you mean Financial Services? (industry.not_found)'],
    [{ country: "Germny" }, 'Unknown country "Germny": did you mean Germany?'],
  ])("an unknown name in a filter is an error: %j", async (filter, text) => {
    const { answer } = await asked("search_case_studies", { query: "bank", ...filter });
    expect(refusalOf(answer)).toStartWith(text);
  });

  test.each([
    [{}, "either `query` or `queries`"],
    [{ query: "a", queries: [{ query: "b" }] }, "either `query` or `queries`"],
    [{ query: "   " }, '- /query: Invalid query "": give 1 to 1,000 characters.'],
    [
      { queries: [{ query: "a" }, { query: " " }] },
      '- /queries/1/query: Invalid query "": give 1 to 1,000 characters.',
    ],
    [{ queries: Array.from({ length: 11 }, () => ({ query: "a" })) }, "/queries: Give at most 10."],
    [{ query: "a", mode: "fuzzy" }, '/mode: Unknown mode "fuzzy": use hybrid, semantic or keyword.'],
    [{ query: "a", limit: 51 }, "/limit: Invalid limit 51: give 50 at most."],
    [{ query: "a", limt: 5 }, '/limt: Unknown field "limt": did you mean limit?'],
    [{ query: 7 }, "/query: Invalid query 7: give a string."],
  ])("%j is refused, and the text names the argument", async (args, text) => {
    expect(refusalOf((await asked("search_case_studies", args)).answer)).toContain(text);
  });
});

describe("answer_question", () => {
  test("cites sentences verbatim, with figure, client and address", async () => {
    const { answer } = await asked("answer_question", { query: "fuel cost", industry: "Logistics" });
    expect(dataOf(answer)).toEqual({
      query: "fuel cost",
      groups: [
        {
          claim: "cost",
          citations: [
            {
              number: 1,
              sentence: "18% lower fuel cost.",
              highlights: [
                [10, 14],
                [15, 19],
              ],
              id: "tidewell-brightpine",
              title: "Brightpine ships parcels a day sooner",
              url: "https://tidewell.test/customers/brightpine",
              company: { name: "Tidewell", slug: "tidewell" },
              client: { name: "Brightpine", domain: "brightpine.test" },
              published_at: "2024-03-20",
              figure: { text: "−18%", measured: "cost" },
              relevance: null,
              also_in: [],
            },
          ],
        },
      ],
    });
    expect(textOf(answer)).toBe(`"fuel cost":
cost:
- "18% lower fuel cost."
  Tidewell for Brightpine · cost −18%
  https://tidewell.test/customers/brightpine (id tidewell-brightpine)`);
  });

  test("without an answer says what to try", async () => {
    const { answer } = await asked("answer_question", { query: "zebra", company: "quayline", industry: "Zymurgy" });
    expect(dataOf(answer)).toEqual({ query: "zebra", groups: [], no_answer: true });
    expect(textOf(answer)).toBe(
      '"zebra": no case study answers this well. Try other words, omit industry, company, country or tool, or call search_case_studies for the nearest.',
    );
  });

  test.each([
    [{ query: "bank", company: "tidewel" }, 'No company has the slug "tidewel": did you mean tidewell?'],
    [{ query: "bank", company: "nobody" }, "Next: Call find_companies with the name or the domain"],
    [{ query: "bank", industry: "Finacial" }, "did you mean Financial Services?"],
    [{ query: "   " }, '- /query: Invalid query "": give 1 to 1,000 characters.'],
    [{ query: "bank", limit: 2 }, "/limit: Invalid limit 2: give 3 or more."],
    [{ query: "bank", mode: "keyword" }, '/mode: Unknown field "mode"'],
    [{}, "/query: It is required."],
  ])("%j is refused, and the text says what to try", async (args, text) => {
    expect(refusalOf((await asked("answer_question", args)).answer)).toContain(text);
  });
});

describe("vendors", () => {
  test("are compared in the order of the request", async () => {
    const { answer } = await asked("compare_vendors", {
      companies: ["quayline", "Tidewell"],
      industry: "Banking",
      limit_per_company: 1,
    });
    expect(dataOf(answer)).toMatchObject({
      industry: "Banking",
      companies: [
        { company: { slug: "quayline" }, total_case_studies: 1, case_studies: [{ id: "quayline-kestrel" }] },
        { company: { slug: "tidewell" }, total_case_studies: 2, case_studies: [{ id: "tidewell-northgate-cards" }] },
      ],
    });
    expect(textOf(answer)).toContain(
      "Quayline (slug quayline, quayline.test): 2 case studies\nIn Banking: 1 case study\n",
    );
  });

  test("an unknown industry is an error", async () => {
    const { answer } = await asked("compare_vendors", { companies: ["tidewell"], industry: "Logisticks" });
    expect(refusalOf(answer)).toStartWith('Unknown industry "Logisticks": did you mean Transport & Logistics?');
  });

  test.each([
    [{ companies: ["tidewell", "nobody", "noone"] }, "Unknown: nobody, noone\nNext: Call find_companies"],
    [{ companies: ["tidewell", "TIDEWELL"] }, "give each slug once"],
    [{ companies: [] }, "/companies: Give at least 1."],
    [{ companies: ["a", "b", "c", "d", "e", "f"] }, "/companies: Give at most 5."],
    [{ companies: "tidewell" }, '/companies: Invalid companies "tidewell": give a list.'],
  ])("are not compared for the arguments %j", async (args, text) => {
    expect(refusalOf((await asked("compare_vendors", args)).answer)).toContain(text);
  });

  test("one is returned with its newest case studies", async () => {
    const { answer } = await asked("get_company", { slug: "tidewell" });
    const { case_studies, ...company } = dataOf(answer);
    expect(company).toEqual({
      name: "Tidewell",
      slug: "tidewell",
      domain: "tidewell.test",
      industry: "Cloud & Hosting",
      logo_url: "https://tidewell.test/logo.svg",
      total_case_studies: 4,
    });
    expect(case_studies.map(({ id }: { id: string }) => id)).toEqual([
      "tidewell-northgate-cards",
      "tidewell-brightpine",
      "tidewell-northgate",
      "tidewell-unnamed",
    ]);
  });

  test("are found by name, domain and industry", async () => {
    const { answer, client } = await asked("find_companies", { q: "quay", limit: 1 });
    expect(dataOf(answer)).toMatchObject({ companies: [{ slug: "quayline" }], total: 2 });
    const all = await client.callTool({ name: "find_companies", arguments: {} });
    expect(dataOf(all)).toMatchObject({ companies: [{ slug: "quarrystone" }, {}, {}], total: 3 });
    const none = await client.callTool({ name: "find_companies", arguments: { q: "zzzz" } });
    expect(textOf(none)).toContain("get_company_analysis with a domain");
  });
});
