import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { IgnoredField } from "../../src/casestudies/fields.ts";
import { isProblems, parseRecord } from "../../src/casestudies/record.ts";
import { completeOutcome, type NewCaseStudy } from "../../src/casestudies/types.ts";
import { minimal, tools } from "./examples.ts";

function read(raw: unknown): NewCaseStudy {
  const study = parseRecord(raw, tools);
  if (isProblems(study)) throw new Error(JSON.stringify(study));
  return study;
}

const pointers = (raw: unknown) => {
  const study = parseRecord(raw, tools);
  return isProblems(study) ? study.map(({ pointer }) => pointer) : "read";
};

describe("required fields", () => {
  test.each([
    ["an empty object", {}, ["/title", "/url", "/company/name"]],
    ["a list", [], [""]],
    ["a text", "title", [""]],
    ["a blank title", { ...minimal, title: " \u200b " }, ["/title"]],
    ["a number for a company", { ...minimal, company: { name: {} } }, ["/company/name"]],
    ["another scheme", { ...minimal, url: "ftp://quayline.example/a" }, ["/url"]],
    ["a script", { ...minimal, url: "javascript:alert(1)" }, ["/url"]],
    ["a password in the address", { ...minimal, url: "https://a:b@quayline.example/" }, ["/url"]],
    ["a user in the address", { ...minimal, url: "https://a@quayline.example/" }, ["/url"]],
    ["a long address", { ...minimal, url: `https://quayline.example/${"a".repeat(2_048)}` }, ["/url"]],
    ["no host", { ...minimal, url: "https:///" }, ["/url"]],
  ])("%s is rejected with a pointer to the invalid field", (_, raw, expected) => {
    expect(pointers(raw)).toEqual(expected);
  });

  test("optional fields are null when absent", () => {
    expect(read(minimal)).toMatchObject({
      client: { name: null, domain: null },
      industry: null,
      country: null,
      summary: null,
      outcomes: [],
      products: [],
      tools: [],
      quote: null,
      published_at: null,
      language: null,
      licence: null,
      body: null,
      passages: [],
      origin: "imported",
    });
  });
});

describe("record shapes", () => {
  const expected = {
    title: "How Brackwater halved its port fees",
    company: { name: "Quayline", slug: "quayline", domain: "quayline.example", industry: null, logo_url: null },
    client: { name: "Brackwater", domain: "brackwater.example" },
    industry: { raw: "Shipping", slug: "transport-and-logistics" },
    published_at: "2024-03-05",
    outcomes: [{ metric: "cost", value: 50, unit: "%", direction: "decrease", text: "Port fees: costs fell by half" }],
  };
  const outcome = { metric: "cost", value: "50%", text: "Port fees: costs fell by half" };

  test.each([
    [
      "the API's answer",
      {
        ...minimal,
        company: { name: "Quayline", domain: "https://www.quayline.example/" },
        client: { name: "Brackwater", domain: "brackwater.example" },
        industry: "Shipping",
        published_at: "2024-03-05",
        outcomes: [{ ...outcome, value: 50, unit: "%", direction: "decrease" }],
      },
    ],
    [
      "a vendor's file",
      {
        title: minimal.title,
        url: minimal.url,
        vendor: "Quayline",
        vendor_slug: "quayline",
        vendor_domain: "quayline.example",
        client: "Brackwater",
        client_domain: "brackwater.example",
        industry: "Shipping",
        published_at: "2024-03-05T10:00:00Z",
        outcomes: [outcome],
      },
    ],
    [
      "a row of a table",
      {
        Title: minimal.title,
        URL: minimal.url,
        "Company Name": "Quayline",
        companyDomain: "quayline.example",
        client_name: "Brackwater",
        client_domain: "brackwater.example",
        Industry: "Shipping",
        "Published at": "March 5, 2024",
        outcomes: JSON.stringify([outcome]),
        quote: "",
        products: "",
        country: "N/A",
      },
    ],
  ])("%s is parsed", (_, raw) => {
    expect(read(raw)).toMatchObject(expected);
  });
});

describe("values", () => {
  test.each([
    ["country", "de", "DE"],
    ["country", "Germany", "DE"],
    ["country", "The Netherlands", "NL"],
    ["country", "U.S.A.", "US"],
    ["country", "Atlantis", null],
    ["country", "XX", null],
    ["language", "en-gb", "en-GB"],
    ["language", "pt_BR", "pt-BR"],
    ["language", "English please", null],
    ["published_at", "5 Mar 2024", "2024-03-05"],
    ["published_at", "2024-02-30", null],
    ["published_at", "03/05/2024", null],
    ["published_at", "2024-03", null],
    ["licence", "CC-BY-4.0", "CC-BY-4.0"],
    ["origin", "starter", "starter"],
    ["origin", "stolen", "imported"],
    ["summary", "none", null],
    ["summary", "a\u0000b\u202ec", "abc"],
    ["products", "Crane; Tug ;crane", ["Crane", "Tug"]],
    ["products", "Crane, Tug", ["Crane", "Tug"]],
    ["products", ["Crane", 4, null, {}], ["Crane", "4"]],
    ["tools", '["Kettle"]', ["Kettle"]],
    ["quote", "It floats.", { text: "It floats.", person: null, role: null }],
    ["quote", { text: "It floats.", person: "Ada" }, { text: "It floats.", person: "Ada", role: null }],
    ["quote", { person: "Ada" }, { text: null, person: "Ada", role: null }],
    ["quote", { text: "", person: null }, null],
    ["quote", '{"text": "It ', null],
    [
      "outcomes",
      ["Cut costs"],
      [
        completeOutcome({
          ...{ metric: "cost", value: null, unit: null, direction: "decrease", text: "Cut costs", kind: "qualitative" },
        }),
      ],
    ],
    ["outcomes", [{ metric: "cost" }, null, 4, []], []],
  ])("%s %p is %p", (field, value, expected) => {
    expect(Reflect.get(read({ ...minimal, [field]: value }), field)).toEqual(expected);
  });

  test("the reading of an outcome's figure is kept, in the spellings of JSON and of tables", () => {
    const outcome = { text: "Outages fell from 8 to 1 hours", value: 1, unit: "hours" };
    const reading = {
      noun: "outage time",
      kind: "level",
      from: 8,
      to: 1,
      better: true,
      sentence: "Outages: 8 h to 1 h.",
    };
    expect(read({ ...minimal, outcomes: [{ ...outcome, ...reading }] }).outcomes).toMatchObject([reading]);
    const typed = { ...reading, kind: "Level", from: "8", to: "1", better: "yes" };
    expect(read({ ...minimal, outcomes: [{ ...outcome, ...typed }] }).outcomes).toMatchObject([reading]);
    expect(read({ ...minimal, outcomes: [{ ...outcome, better: "no" }] }).outcomes).toMatchObject([{ better: false }]);
  });

  test.each([
    ["Costs fell by 40%", "decrease", "40", "%", "change"],
    ["Three times the leads", "increase", "3", "x", "change"],
    ["Churn fell from 9% to 4%", "decrease", "4", "%", null],
    ["Releases take 10 minutes, down from an hour", "decrease", "10", "minutes", null],
    ["200 deployments a day", "absolute", "200", "count", "level"],
    ["No more manual releases", "decrease", null, null, "qualitative"],
  ])("the kind of %p is derived where it is certain", (text, direction, value, unit, kind) => {
    const outcomes = [{ text, direction, value, unit }];
    expect(read({ ...minimal, outcomes }).outcomes).toMatchObject([{ kind }]);
  });

  test("semicolons separate outcomes, commas do not", () => {
    const texts = (outcomes: string) => read({ ...minimal, outcomes }).outcomes.map(({ text }) => text);
    expect(texts("Saved 1,000 hours, and cut costs by 40 %")).toEqual(["Saved 1,000 hours, and cut costs by 40 %"]);
    expect(texts("Saved 1,000 hours; cut costs")).toEqual(["Saved 1,000 hours", "cut costs"]);
  });

  test.each([
    ["localhost", null],
    ["10.0.0.1", null],
    ["http://www.Brackwater.example/x", "brackwater.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["a b", null],
  ])("the client domain %p is parsed as %p", (domain, expected) => {
    expect(read({ ...minimal, client: { name: "B", domain } }).client.domain).toBe(expected);
  });

  test("the host of the URL is not used as the company's domain", () => {
    expect(read(minimal).company.domain).toBeNull();
  });
});

describe("unused fields are reported", () => {
  const ignoredIn = (raw: object) => {
    const ignored: IgnoredField[] = [];
    const study = parseRecord({ ...minimal, ...raw }, tools, (field) => ignored.push(field));
    expect(isProblems(study)).toBeFalse();
    return ignored;
  };
  const DAY = "Give a date as YYYY-MM-DD.";
  const HOST = "Give a host name, such as acme.com.";
  const PLAIN = "Give a text, or a complete JSON object.";
  const OUTCOME = "Give each outcome a text, or a metric and a value.";

  test.each<[object, string, string]>([
    [{ clinet: "B" }, "clinet", "No field has this name; did you mean client?"],
    [{ "Client Nmae": "B" }, "Client Nmae", "No field has this name; did you mean client_name?"],
    [{ colour: "red" }, "colour", "No field has this name."],
    [{ 名前: "B" }, "名前", "No field has this name."],
    [{ client: { nmae: "B" } }, "client.nmae", "No field has this name; did you mean name?"],
    [
      { outcomes: [{ text: "Cut costs", metrc: "cost" }] },
      "outcomes.metrc",
      "No field has this name; did you mean metric?",
    ],
    [{ date: "yesterday" }, "date", DAY],
    [{ date: "2024-11" }, "date", DAY],
    [{ "Published at": "03/05/2024" }, "Published at", DAY],
    [{ country: "Atlantis" }, "country", "Give a two-letter country code, such as DE, or the country's English name."],
    [{ language: "English please" }, "language", "Give a language tag, such as en or pt-BR."],
    [{ client: { name: "B", domain: "a b" } }, "client.domain", HOST],
    [{ company_domain: "a b" }, "company_domain", HOST],
    [{ logo_url: "logo.svg" }, "logo_url", "Give an http or https URL."],
    [{ company_slug: "Quay Line" }, "company_slug", "Give lowercase letters and digits, separated by single dashes."],
    [{ client: '{"name": "B' }, "client", PLAIN],
    [{ quote: '{"text": "It ' }, "quote", PLAIN],
    [{ origin: "stolen" }, "origin", "Give starter, submitted, imported, or nothing."],
    [{ summary: { a: 1 } }, "summary", "Give a text."],
    [{ products: { a: 1 } }, "products", "Give a list, or text separated by semicolons."],
    [{ outcomes: ["Cut costs", { metric: "cost" }] }, "outcomes", OUTCOME],
    [
      { outcomes: [{ text: "Cut costs", kind: "guess" }] },
      "outcomes.kind",
      "Give change, level, qualitative, or nothing.",
    ],
    [{ outcomes: [{ text: "Cut costs", better: "perhaps" }] }, "outcomes.better", "Give true or false."],
  ])("%j", (raw, field, reason) => {
    expect(ignoredIn(raw)).toEqual([{ field, reason }]);
  });

  test.each([
    [{ colour: "", date: "n/a", country: null, tags: [], client: {} }],
    [{ indexed_at: "2024-04-01", score: 0.7, passage: "Fees fell.", highlights: [[0, 4]] }],
    [{ published_at: "2024-03-05", date: "5 Mar 2024", customer: "B", client: { name: "B" }, vendor: "Quayline" }],
    [{ industry: "Transport", industry_raw: "Shipping", outcomes: [{ text: "Half", metric: "cost", value: "50%" }] }],
    [{ id: "17", quote: { person: "Ada" }, quote_role: "Pilot", company_industry: "Consulting" }],
  ])("but not for %j", (raw) => {
    expect(ignoredIn(raw)).toEqual([]);
  });
});

describe("names of records and companies", () => {
  test("a valid id is kept", () => {
    expect(read({ ...minimal, id: "quayline--brackwater" }).id).toBe("quayline--brackwater");
  });

  test.each(["17", "Quay Line", "../../etc", "a".repeat(121), ""])("the id %p is replaced by a generated one", (id) => {
    const made = read({ ...minimal, client: "Brackwater", id }).id;
    expect(made).toMatch(/^quayline--brackwater-[0-9a-f]{8}$/);
    expect(read({ ...minimal, client: "Brackwater" }).id).toBe(made);
  });

  test.each([
    ["Crème & Söhne GmbH", "creme-and-sohne-gmbh"],
    ["Straßenbahn Łódź", "strassenbahn-lodz"],
    ["Ядро", "yadro"],
    ["Χαλκός", "chalkos"],
    ["C++ Tools", "c-plus-plus-tools"],
    ["O'Reef", "oreef"],
  ])("%p becomes the slug %p", (name, slug) => {
    expect(read({ ...minimal, company: { name } }).company.slug).toBe(slug);
  });

  test("names in scripts that are not transliterated never share a slug", () => {
    const slugs = ["東京", "大阪", "大阪 Inc"].map((name) => read({ ...minimal, company: { name } }).company.slug);
    expect(new Set(slugs).size).toBe(3);
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9-]+$/);
  });
});

describe("limits", () => {
  test("a body is cut to 200,000 characters at a word", () => {
    const { body } = read({ ...minimal, body: "word ".repeat(60_000) });
    expect(body?.length).toBeLessThanOrEqual(200_000);
    expect(body).toEndWith("word…");
    expect(read({ ...minimal, body }).body).toBe(body);
  });

  test("fifty outcomes and fifty products are kept", () => {
    const many = Array.from({ length: 90 }, (_, n) => `Cut cost ${n}`);
    const study = read({ ...minimal, outcomes: many, products: many });
    expect([study.outcomes.length, study.products.length]).toEqual([50, 50]);
  });
});

test("parsing never throws, whatever the record contains", () => {
  const value = fc.oneof(fc.anything(), fc.string(), fc.constantFrom("{", "[]", "\ud800", "__proto__"));
  const names = [
    "title",
    "url",
    "company",
    "client",
    "industry",
    "outcomes",
    "quote",
    "products",
    "body",
    "id",
    "language",
  ];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names, "__proto__"), value), fc.boolean(), (raw, whole) => {
      const study = parseRecord(whole ? { ...raw, ...minimal } : raw, tools);
      expect(isProblems(study) ? study.length > 0 : study.passages.length <= 60).toBeTrue();
    }),
    { numRuns: 500 },
  );
});
