import { describe, expect, test } from "bun:test";
import { completeOutcome } from "../../src/casestudies/types.ts";
import { fill } from "../services/study-records.ts";
import { filled, NOW, remaining } from "./filled.ts";
import { jsonOf, problemOf } from "./opened.ts";

const TIDEWELL = {
  name: "Tidewell",
  slug: "tidewell",
  domain: "tidewell.example",
  industry: "Cloud & Hosting",
  logo_url: "https://tidewell.example/logo.svg",
  total_case_studies: 4,
};
const QUAYLINE = {
  name: "Quayline",
  slug: "quayline",
  domain: "quayline.example",
  industry: null,
  logo_url: null,
  total_case_studies: 2,
};
const QUARRYSTONE = {
  name: "Quarrystone",
  slug: "quarrystone",
  domain: "quarrystone.example",
  industry: null,
  logo_url: null,
  total_case_studies: 1,
};

const KESTREL = {
  id: "quayline-kestrel",
  title: "Kestrel Bank answers customers at night",
  url: "https://quayline.example/stories/kestrel",
  company: { name: "Quayline", slug: "quayline" },
  client: { name: "Kestrel Bank", domain: "kestrel.example" },
  industry: "Financial Services",
  country: "GB",
  summary: "A support desk of a bank learned to answer questions at night.",
  challenge: null,
  solution: null,
  outcomes: [],
  products: [],
  tools: [],
  quote: null,
  published_at: "2024-06-30",
  language: null,
  indexed_at: NOW,
  origin: "imported",
};
const OSTRA = {
  id: "quayline-ostra",
  title: "Ostra Clinic halves waiting times",
  url: "https://quayline.example/stories/ostra",
  company: { name: "Quayline", slug: "quayline" },
  client: { name: "Ostra Clinic", domain: null },
  industry: "Healthcare",
  country: "DE",
  summary: "Patients book their visits themselves.",
  challenge: null,
  solution: null,
  outcomes: [
    completeOutcome({
      metric: "time",
      value: 50,
      unit: "%",
      direction: "decrease",
      text: "Waiting times fell by 50%",
      kind: "change",
    }),
  ],
  products: [],
  tools: [],
  quote: null,
  published_at: "2023-11-02",
  language: null,
  indexed_at: NOW,
  origin: "imported",
};

const notFound = (slug: string) => ({
  type: "urn:casefile:problem:company.not_found",
  title: "No such company",
  status: 404,
  detail: expect.any(String),
  code: "company.not_found",
  request_id: expect.any(String),
  unknown: [slug],
});

const slugsOf = (companies: readonly { slug: string }[]) => companies.map(({ slug }) => slug);

/** Thirty more vendors, unordered. */
const MANY = Array.from({ length: 30 }, (_, number) => {
  const name = `Mill ${String((number * 7) % 30).padStart(2, "0")}`;
  const words = `Wheel ${number} turns ${number * 31} times`;
  return { title: words, url: `https://mill${number}.example/`, company: name, summary: `${words} before noon.` };
});

test("GET /v1/industries lists industries by number of case studies, and counts one request", async () => {
  const { get } = await filled();
  const answer = await get("/v1/industries");
  expect([answer.status, remaining(answer)]).toEqual([200, 999]);
  expect(await jsonOf(answer)).toEqual({
    industries: [
      { industry: "Financial Services", slug: "financial-services", case_studies: 3 },
      { industry: "Education", slug: "education", case_studies: 1 },
      { industry: "Healthcare", slug: "healthcare", case_studies: 1 },
      { industry: "Transport & Logistics", slug: "transport-and-logistics", case_studies: 1 },
      { industry: "Zymurgy", slug: null, case_studies: 1 },
    ],
  });
});

describe("GET /v1/companies", () => {
  test("lists the companies by name", async () => {
    const { get } = await filled();
    expect(await (await get("/v1/companies")).text()).toBe(
      JSON.stringify({ companies: [QUARRYSTONE, QUAYLINE, TIDEWELL], total: 3, next_cursor: null }),
    );
  });

  test.each([
    ["q=tidewell", ["tidewell"]],
    ["q=TIDE", ["tidewell"]],
    ["q=qua", ["quarrystone", "quayline"]],
    ["q=quayline.example", ["quayline"]],
    ["q=https%3A%2F%2Fwww.quayline.example%2Fstories", ["quayline"]],
    ["q=quarystone", ["quarrystone"]],
    ["q=tidwell", ["tidewell"]],
    ["q=qwxyz", []],
    ["q=%25", []],
    ["q=%20%20", ["quarrystone", "quayline", "tidewell"]],
    ["industry=cloud", ["tidewell"]],
    ["industry=CLOUD", ["tidewell"]],
    ["industry=Cloud%20%26%20Hosting", ["tidewell"]],
    ["industry=banking", []],
    ["q=qua&industry=cloud", []],
    ["q=tide&industry=cloud", ["tidewell"]],
  ])("%s filters", async (query, expected) => {
    const { get } = await filled();
    const body = await jsonOf(await get(`/v1/companies?${query}`));
    expect(slugsOf(body.companies)).toEqual([...expected]);
    expect([body.total, body.next_cursor]).toEqual([expected.length, null]);
  });

  test("exact matches come first, then prefixes, then similar names", async () => {
    const { app, get } = await filled();
    const named = ["Quaylin", "Quay", "Quayside", "Ostquay", "Kuayline"];
    const records = named.map((name, number) => ({
      title: `Story ${number} of ${name}`,
      url: `https://${name.toLowerCase()}.example/`,
      company: name,
    }));
    await fill(app, records);
    const { companies } = await jsonOf(await get("/v1/companies?q=quay"));
    expect(slugsOf(companies).slice(0, 4)).toEqual(["quay", "quaylin", "quayline", "quayside"]);
  });

  test.each(["", "&q=mill"])("pages are stable and complete (%p)", async (narrowed) => {
    const { app, get } = await filled();
    await fill(app, MANY);
    const all = slugsOf((await jsonOf(await get(`/v1/companies?limit=100${narrowed}`))).companies);
    expect(all.length).toBe(narrowed ? 30 : 33);
    const seen: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const cursor: string = next && `&cursor=${next}`;
      const page = await jsonOf(await get(`/v1/companies?limit=7${narrowed}${cursor}`));
      expect(page.total).toBe(all.length);
      seen.push(...slugsOf(page.companies));
      next = page.next_cursor;
    }
    expect(seen).toEqual(all);
    expect((await jsonOf(await get(`/v1/companies?${narrowed}`))).companies).toHaveLength(20);
  });

  test("a cursor of another list is refused", async () => {
    const { get } = await filled();
    const { next_cursor } = await jsonOf(await get("/v1/casestudies?limit=1"));
    const { next_cursor: byName } = await jsonOf(await get("/v1/companies?limit=1"));
    for (const path of [`/v1/companies?cursor=${next_cursor}`, `/v1/companies?q=qua&cursor=${byName}`]) {
      const { code, status } = await problemOf(await get(path));
      expect([code, status]).toEqual(["cursor.invalid", 422]);
    }
  });

  test.each([
    ["limit=0", "/limit"],
    ["limit=101", "/limit"],
    [`q=${"a".repeat(201)}`, "/q"],
    ["q=", "/q"],
    ["name=tide", "/name"],
  ])("%s is refused", async (query, pointer) => {
    const { get } = await filled();
    const problem = await problemOf(await get(`/v1/companies?${query}`));
    expect([problem.status, problem.errors?.[0]?.pointer]).toEqual([422, pointer]);
  });
});

describe("GET /v1/companies/{slug}", () => {
  test("returns the company with its case studies, newest first", async () => {
    const { get } = await filled();
    const expected = JSON.stringify({ ...QUAYLINE, case_studies: [KESTREL, OSTRA] });
    for (const slug of ["quayline", "QUAYLINE"]) {
      expect(await (await get(`/v1/companies/${slug}`)).text()).toBe(expected);
    }
  });
});

describe("GET /v1/companies/{slug}/analysis", () => {
  test("returns top industries with shares, top clients and top outcomes with a median", async () => {
    const { get } = await filled();
    expect(await jsonOf(await get("/v1/companies/tidewell/analysis"))).toEqual({
      company: TIDEWELL,
      total_case_studies: 4,
      top_industries: [
        { industry: "Financial Services", case_studies: 2, share: 0.5 },
        { industry: "Transport & Logistics", case_studies: 1, share: 0.25 },
        { industry: "Zymurgy", case_studies: 1, share: 0.25 },
      ],
      top_clients: [
        { client: "Northgate Savings", domain: "northgate.example", case_studies: 2 },
        { client: "Brightpine", domain: "brightpine.example", case_studies: 1 },
      ],
      top_outcomes: [
        {
          metric: "cost",
          case_studies: 2,
          median: 30,
          unit: "%",
          direction: "decrease",
          kind: "change",
          better: null,
          figures: 2,
          nouns: [],
          examples: [
            { case_study_id: "tidewell-brightpine", client: "Brightpine", value: 18, text: "18% lower fuel cost" },
            {
              case_study_id: "tidewell-northgate",
              client: "Northgate Savings",
              value: 42,
              text: "42% lower hosting cost",
            },
          ],
        },
        {
          metric: "latency",
          case_studies: 1,
          median: 120,
          unit: "milliseconds",
          direction: "absolute",
          kind: "level",
          better: null,
          figures: 1,
          nouns: [],
          examples: [
            {
              case_study_id: "tidewell-northgate",
              client: "Northgate Savings",
              value: 120,
              text: "Replies within 120 ms",
            },
          ],
        },
      ],
    });
  });

  test("has empty lists without data", async () => {
    const { app, get } = await filled();
    await fill(app, [{ title: "A story of nobody", url: "https://mossgrove.example/", company: "Mossgrove" }]);
    expect(await jsonOf(await get("/v1/companies/mossgrove/analysis"))).toMatchObject({
      total_case_studies: 1,
      top_industries: [],
      top_clients: [],
      top_outcomes: [],
    });
  });
});

describe("GET /v1/companies/{slug}/timeline", () => {
  test("returns months oldest first, and the undated count", async () => {
    const { get } = await filled();
    expect(await jsonOf(await get("/v1/companies/tidewell/timeline"))).toEqual({
      company: TIDEWELL,
      timeline: [
        {
          period: "2024-03",
          case_studies: [
            {
              id: "tidewell-northgate",
              title: "Northgate Savings leaves its mainframe",
              client: "Northgate Savings",
              industry: "Financial Services",
              published_at: "2024-03-05",
            },
            {
              id: "tidewell-brightpine",
              title: "Brightpine ships parcels a day sooner",
              client: "Brightpine",
              industry: "Transport & Logistics",
              published_at: "2024-03-20",
            },
          ],
        },
        {
          period: "2025-01",
          case_studies: [
            {
              id: "tidewell-northgate-cards",
              title: "Card fraud falls at Northgate Savings",
              client: "Northgate Savings",
              industry: "Financial Services",
              published_at: "2025-01-15",
            },
          ],
        },
      ],
      undated: [
        {
          id: "tidewell-unnamed",
          title: "An unnamed brewery counts its barrels",
          client: null,
          industry: "Zymurgy",
          published_at: null,
        },
      ],
    });
  });
});

test.each(["", "/analysis", "/timeline"])("an unknown slug%s is 404, and the error names it", async (view) => {
  const { get } = await filled();
  const answer = await get(`/v1/companies/nobody${view}`);
  expect(remaining(answer)).toBe(1_000);
  const problem = await problemOf(answer);
  expect(problem).toEqual(notFound("nobody"));
  expect(problem.detail).toContain("search");
});

test.each(["/v1/companies/tidewell", "/v1/companies/tidewell/analysis", "/v1/companies/tidewell/timeline"])(
  "%s accepts no query parameter",
  async (path) => {
    const { get } = await filled();
    const problem = await problemOf(await get(`${path}?limit=5`));
    expect([problem.status, problem.errors?.[0]?.pointer]).toEqual([422, "/limit"]);
  },
);

describe("POST /v1/compare", () => {
  const compare = ({ get }: Awaited<ReturnType<typeof filled>>, json: unknown) => get("/v1/compare", { json });

  test("compares the companies in the order of the request", async () => {
    const service = await filled();
    const answer = await compare(service, { companies: ["quarrystone", "quayline"] });
    expect(remaining(answer)).toBe(999);
    const body = await jsonOf(answer);
    expect(Object.keys(body)).toEqual(["industry", "companies"]);
    expect(body.industry).toBeNull();
    expect(slugsOf(body.companies.map(({ company }: { company: { slug: string } }) => company))).toEqual([
      "quarrystone",
      "quayline",
    ]);
    expect(body.companies[1]).toEqual({
      company: QUAYLINE,
      total_case_studies: 2,
      case_studies: [KESTREL, OSTRA],
      top_industries: [
        { industry: "Financial Services", case_studies: 1, share: 0.5 },
        { industry: "Healthcare", case_studies: 1, share: 0.5 },
      ],
      notable_clients: [
        { client: "Kestrel Bank", domain: "kestrel.example", case_studies: 1 },
        { client: "Ostra Clinic", domain: null, case_studies: 1 },
      ],
    });
  });

  test("an industry filters case studies, clients and the total, and is echoed as requested", async () => {
    const body = await jsonOf(
      await compare(await filled(), { companies: ["quayline", "tidewell"], industry: "Banking" }),
    );
    expect(body.industry).toBe("Banking");
    const [quayline, tidewell] = body.companies;
    expect([quayline.total_case_studies, quayline.company.total_case_studies]).toEqual([1, 2]);
    expect(quayline.case_studies).toEqual([KESTREL]);
    expect(quayline.notable_clients).toEqual([{ client: "Kestrel Bank", domain: "kestrel.example", case_studies: 1 }]);
    expect(tidewell.total_case_studies).toBe(2);
    expect(tidewell.top_industries).toHaveLength(3);
  });

  test("shows five case studies of each by default", async () => {
    const service = await filled();
    const more = MANY.map((record) => ({ ...record, company: "Quayline" }));
    await fill(service.app, more);
    const shown = async (json: object) => {
      const { companies } = await jsonOf(await compare(service, { companies: ["quayline", "tidewell"], ...json }));
      return companies.map((one: { case_studies: unknown[]; total_case_studies: number }) => [
        one.case_studies.length,
        one.total_case_studies,
      ]);
    };
    expect(await shown({})).toEqual([
      [5, 32],
      [4, 4],
    ]);
    expect(await shown({ limit_per_company: 1 })).toEqual([
      [1, 32],
      [1, 4],
    ]);
    expect(await shown({ limit_per_company: 50 })).toEqual([
      [32, 32],
      [4, 4],
    ]);
  });

  test("all unknown slugs are named, and the quota is not charged", async () => {
    const answer = await compare(await filled(), { companies: ["nobody", "tidewell", "no-one"] });
    expect(remaining(answer)).toBe(1_000);
    expect(await problemOf(answer)).toEqual({ ...notFound("nobody"), unknown: ["nobody", "no-one"] });
  });

  test.each([
    [{ companies: [] }, "/companies"],
    [{ companies: ["a", "b", "c", "d", "e", "f"] }, "/companies"],
    [{ companies: ["tidewell", "quayline", "tidewell"] }, "/companies/2"],
    [{ companies: ["tidewell", "TideWell"] }, "/companies/1"],
    [{ companies: ["tidewell", ""] }, "/companies/1"],
    [{ companies: "tidewell" }, "/companies"],
    [{}, "/companies"],
    [{ companies: ["tidewell"], limit_per_company: 0 }, "/limit_per_company"],
    [{ companies: ["tidewell"], limit_per_company: 51 }, "/limit_per_company"],
    [{ companies: ["tidewell"], limit: 5 }, "/limit"],
  ])("%p is refused", async (json, pointer) => {
    const answer = await compare(await filled(), json);
    expect(remaining(answer)).toBe(1_000);
    const problem = await problemOf(answer);
    expect(problem.status).toBe(422);
    expect(problem.errors?.map((fault) => fault.pointer)).toContain(pointer);
  });
});
