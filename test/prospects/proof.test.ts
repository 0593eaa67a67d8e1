import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createMcpHttp } from "../../src/mcp/http.ts";
import { openStore, type Store } from "../../src/store.ts";
import { run } from "../cli/fake-host.ts";
import { ruleOf, toolOf } from "../detection/fingerprints/record-of.ts";
import { jsonOf, type Opened, open, problemOf } from "../http/opened.ts";
import { fakeVerbs, openFakeApp, seenOf } from "../services/fake-app.ts";
import { fill } from "../services/study-records.ts";

/** The company of every question uses Gauge, Meter and Postbox, as the fake scan says. */
const COMPANY = "brightpine.example";
const AT = "2026-05-04T12:00:00.000Z";
const script = (id: string) => ruleOf({ host: `cdn.${id}.example` }, { see: "html.script" });
const TOOLS = [
  toolOf([script("gauge")], { id: "gauge", name: "Gauge", category: "analytics" }),
  toolOf([script("meter")], { id: "meter", name: "Meterly", aliases: ["Meter"], category: "analytics" }),
  toolOf([script("postbox")], { id: "postbox", name: "Postbox", category: "email" }),
  toolOf([script("tidewell")], { id: "tidewell", name: "Tidewell", category: "analytics" }),
];

const tidewell = { name: "Tidewell", slug: "tidewell", domain: "tidewell.example" };
const gauge = { name: "Gauge", slug: "gauge", domain: "gauge.example" };
const HOSTILE = `<script>alert(1)</script> **bold** [x](javascript:alert(1))`;
const STUDIES = [
  {
    id: "left-postbox",
    title: "Hollin Freight answers in a day",
    url: "https://tidewell.example/customers/hollin",
    company: tidewell,
    client: { name: "Hollin Freight", domain: "hollin.example" },
    industry: "Logistics",
    country: "SE",
    summary: "Hollin Freight, a logistics company, plans every night.",
    body: "The team moved its support desk away from Postbox within 6 weeks. Gauge stayed.",
    tools: ["Gauge"],
    outcomes: [{ metric: "cost", value: 18, unit: "%", direction: "decrease", text: "18% lower fuel cost" }],
    quote: { text: "We sleep again.", person: "Ida Berg", role: "CTO" },
    published_at: "2026-01-20",
  },
  {
    id: "into-postbox",
    title: "Corran Bank writes to its customers",
    url: "https://tidewell.example/customers/corran",
    company: tidewell,
    client: { name: "Corran Bank", domain: "corran.example" },
    industry: "Banking",
    summary: "The bank replaced its letters with Postbox.",
    published_at: "2025-01-20",
  },
  {
    id: "about-itself",
    title: "Brightpine ships sooner",
    url: "https://tidewell.example/customers/brightpine",
    company: tidewell,
    client: { name: "Brightpine", domain: COMPANY },
    industry: "Logistics",
    country: "SE",
    summary: "Brightpine uses Gauge.",
  },
  {
    id: "nothing-shared",
    title: "Larkfield gives every pupil a tablet",
    url: "https://tidewell.example/customers/larkfield",
    company: tidewell,
    client: { name: "Larkfield" },
    industry: "Education",
    summary: "Tablets are set up before the term.",
  },
  {
    id: "hostile",
    title: HOSTILE,
    url: "https://gauge.example/customers/pell",
    company: gauge,
    client: { name: "Pell & Sons", domain: "pell.example" },
    industry: "Logistics",
    summary: HOSTILE,
  },
];

let opened: Opened;
let store: Store;
let key: string;

const proof = async (body: object, domain = COMPANY) =>
  jsonOf(await opened.ask(`/v1/prospects/${domain}/proof`, { key, json: body }));
const brief = (query = "", headers = {}) => opened.ask(`/v1/prospects/${COMPANY}/brief${query}`, { key, headers });

beforeAll(async () => {
  store = await openStore({ dataDir: ":memory:", clock: () => new Date(AT) });
  opened = await open({ store, fingerprints: TOOLS });
  await fill(opened.app, STUDIES);
  key = await opened.key();
});
afterAll(() => opened.app.close());

describe("the proofs for a company", () => {
  test("have reasons, each with the sentence that supports it, and say why others are excluded", async () => {
    const { prospect, proofs, case_studies, excluded } = await proof({ vendor: "TIDEWELL" });
    expect(prospect).toMatchObject({
      domain: COMPANY,
      industry: "Transport & Logistics",
      industry_from: "case_study",
      country: "SE",
      country_from: "case_study",
      tools_detected: 3,
    });
    expect(proofs.map((each: { case_study: { id: string } }) => each.case_study.id)).toEqual([
      "left-postbox",
      "into-postbox",
    ]);
    const of = (at: number) =>
      proofs[at].reasons.map(({ kind, value, sentence, field }: Record<string, string>) => [
        kind,
        value,
        sentence,
        field,
      ]);
    expect(of(0)).toEqual([
      [
        "same_industry",
        "Transport & Logistics",
        "Hollin Freight, a logistics company, plans every night.",
        "/industry",
      ],
      ["migrated_from", "Postbox", "The team moved its support desk away from Postbox within 6 weeks.", "/body"],
      ["same_tool", "Gauge", "Gauge stayed.", "/body"],
      ["same_country", "SE", null, "/country"],
    ]);
    // "Replaced its letters with Postbox" is no migration from it.
    expect(of(1)).toEqual([["same_tool", "Postbox", "The bank replaced its letters with Postbox.", "/summary"]]);
    expect(case_studies).toBe(4);
    expect(excluded.map(({ reason, case_studies: many }: Record<string, unknown>) => [reason, many])).toEqual([
      ["own_case_study", 1],
      ["other_vendor", 1],
      ["nothing_in_common", 1],
    ]);
  });

  test("say less of a tool that only a verification record shows, and nothing of a country alone", async () => {
    const { verbs } = fakeVerbs();
    const seen = [seenOf("Postbox", "Email", { means: "verified-once" })];
    const once = await openFakeApp({
      fingerprints: TOOLS,
      verbs: { ...verbs, enrich: async (...input) => ({ ...(await verbs.enrich(...input)), detections: [...seen] }) },
    });
    await fill(once, STUDIES);
    const { proofs } = await once.prospects.proofs(COMPANY, { industry: "Mining" });
    const reasons = proofs.flatMap((each) => each.reasons).filter(({ value }) => value === "Postbox");
    expect(reasons.map(({ kind, text, points }) => [kind, text, points])).toEqual([
      ["migrated_from", "The client left Postbox, for which the company verified its domain once.", 10],
      ["same_tool", "It names Postbox, for which the company verified its domain once.", 6],
    ]);
    seen.length = 0;
    expect((await once.prospects.proofs(COMPANY, { industry: "Mining" })).proofs).toEqual([]);
    expect((await once.prospects.proofs(COMPANY, { industry: "Mining", country: "SE" })).proofs).toHaveLength(1);
    await once.close();
  });

  test("with a question are those whose outcome or text answers it", async () => {
    const { proofs } = await proof({ question: "lower fuel cost", limit: 1 });
    const kinds = proofs[0].reasons.map(({ kind }: { kind: string }) => kind);
    expect(proofs[0].case_study.id).toBe("left-postbox");
    expect(kinds).toContain("same_outcome");
    expect(kinds).toContain("answers_question");
  });

  test("follow the industry of the request before that of the records", async () => {
    const { prospect, proofs } = await proof({ industry: "banking", limit: 1 });
    expect(prospect).toMatchObject({ industry: "Financial Services", industry_from: "request" });
    expect(proofs[0].case_study.id).toBe("into-postbox");
  });

  test("accept every stored result by default, and a younger one on request", async () => {
    opened.calls.length = 0;
    await proof({});
    await proof({ max_age: 60 });
    expect(opened.calls.map(({ options }) => options.maxAgeSeconds)).toEqual([Number.POSITIVE_INFINITY, 60]);
  });

  test("of an unknown vendor, industry or domain are refused", async () => {
    const code = async (body: object, domain = COMPANY) =>
      (await problemOf(await opened.ask(`/v1/prospects/${domain}/proof`, { key, json: body }))).code;
    expect(await code({ vendor: "nobody" })).toBe("company.not_found");
    expect(await code({ industry: "no such" })).toBe("industry.not_found");
    expect(await code({}, "missing.test")).toBe("domain.not_found");
    expect(await code({ vendors: "x" })).toBe("request.invalid");
  });
});

describe("a brief", () => {
  test("names the sources of every statement, and quotes them letter for letter", async () => {
    const { sections, sources, dropped, phrased_by } = await jsonOf(await brief("?vendor=tidewell"));
    expect(dropped).toBe(0);
    expect(phrased_by).toBe("template");
    expect(sections.map(({ id }: { id: string }) => id)).toEqual(["summary", "proofs", "rivals", "stack"]);
    const texts = new Map(sources.map(({ number, text }: { number: number; text: string }) => [number, text]));
    const statements = sections.flatMap(({ groups }: { groups: { statements: object[] }[] }) =>
      groups.flatMap((group) => group.statements),
    );
    for (const { quote, sources: numbers } of statements) {
      expect(numbers.every((number: number) => texts.has(number))).toBe(true);
      if (quote !== null) expect(numbers.some((number: number) => texts.get(number) === quote)).toBe(true);
    }
    const proofs = sections[1].groups[0].statements;
    expect(proofs).toContainEqual({ text: "Ida Berg, CTO", quote: "We sleep again.", sources: expect.any(Array) });
    expect(proofs).toContainEqual({ text: "Outcome:", quote: "18% lower fuel cost", sources: expect.any(Array) });
    const rivals = sections[2].groups[0].statements.map(({ text }: { text: string }) => text.split(",")[0]);
    expect(rivals).toEqual(["Gauge (Analytics)", "Meter (Analytics)"]);
  });

  test("prints a case study once among its sources, the stack as a line for each area, and no JSON pointer", async () => {
    const text = await (await brief("?format=markdown&vendor=tidewell")).text();
    expect(text).toStartWith(`# ${COMPANY} for Tidewell\n`);
    expect(text).toContain("\n- Analytics and tracking: Gauge (since 2026-05-01), Meter (since 2026-05-01). [");
    const [, sources = ""] = text.split("## Sources");
    expect(sources.split("https://tidewell.example/customers/hollin>")).toHaveLength(2);
    expect(sources).not.toMatch(/\/(?:body|outcomes|quote)/);
    const numbers = [...text.split("## Sources")[0]!.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
    expect(Math.max(...numbers)).toBe(new Set(numbers).size);
  });

  test("is JSON, Markdown or HTML, by `format` or `Accept`", async () => {
    const typeOf = async (query: string, accept?: string) =>
      (await brief(query, accept === undefined ? {} : { accept })).headers.get("content-type")?.split(";")[0];
    expect(await typeOf("")).toBe("application/json");
    expect(await typeOf("", "text/html,application/xhtml+xml,*/*;q=0.8")).toBe("text/html");
    expect(await typeOf("", "text/markdown")).toBe("text/markdown");
    expect(await typeOf("?format=markdown")).toBe("text/markdown");
    expect((await problemOf(await brief("", { accept: "image/png" }))).code).toBe("request.not_acceptable");
    expect((await problemOf(await brief("?format=html", { accept: "text/markdown" }))).status).toBe(406);
  });

  test("escapes what its sources contain", async () => {
    const answer = await brief("?format=html&vendor=gauge");
    expect(answer.headers.get("content-security-policy")).toStartWith("default-src 'none'");
    const html = await answer.text();
    expect(html).not.toContain("<script");
    expect(html).toContain("&#60;script&#62;");
    expect(html).toContain('<a href="https://gauge.example/customers/pell"');
    const markdown = await (await brief("?format=markdown&vendor=gauge")).text();
    expect(markdown).not.toMatch(/[^\\]<script|[^\\]\*\*bold|[^\\]\[x\]/);
  });

  test("uses a model's sentences as far as their sources support them", async () => {
    const asked: string[] = [];
    const sentences = (numbers: readonly number[]) => [
      { part: "summary", text: "Brightpine uses Gauge and Postbox.", sources: [1, 3] },
      { part: "summary", text: "Brightpine was fined 40 million dollars.", sources: [1] },
      { part: "summary", text: "Gauge is in use without any source.", sources: [] },
      { part: "1", text: "Hollin Freight has 18% lower fuel cost.", sources: [...numbers] },
      { part: "1", text: "Hollin Freight has 81% lower fuel cost.", sources: [...numbers] },
      { part: "1", text: "Its CTO says: “We never sleep again.”", sources: [...numbers] },
      { part: "1", text: "Hollin Freight chose Tidewell over Salesforce.", sources: [...numbers] },
      { part: "1", text: "Hollin Freight", sources: [999] },
    ];
    const lying = await open({
      store: await openStore({ dataDir: ":memory:" }),
      fingerprints: TOOLS,
      async ask({ page }) {
        asked.push(page);
        const numbered = page.split("\n").flatMap((line) => {
          const [, number, text = ""] = /^\[(\d+)\] (.*)$/.exec(line) ?? [];
          return text === "18% lower fuel cost" || text.startsWith("Hollin Freight answers") ? Number(number) : [];
        });
        return { text: JSON.stringify({ sentences: sentences(numbered) }) };
      },
    });
    await fill(lying.app, STUDIES);
    const { sections, phrased_by, dropped, fallback } = await lying.app.prospects.brief(COMPANY, {
      vendor: "tidewell",
    });
    expect(asked[0]).toContain("18% lower fuel cost");
    expect(phrased_by).toBe("language-model");
    const text = JSON.stringify(sections.filter(({ id }) => id === "summary" || id === "proofs"));
    expect(text).toContain("Hollin Freight has 18% lower fuel cost.");
    for (const lie of ["40 million", "81%", "never sleep", "Salesforce", "without any source"])
      expect(text).not.toContain(lie);
    expect(dropped).toBeGreaterThanOrEqual(6);
    expect(fallback).toContain("sentences of the language model were dropped");
    await lying.app.close();
  });

  test("is the template's when the model is silent", async () => {
    const silent = await open({
      store: await openStore({ dataDir: ":memory:" }),
      fingerprints: TOOLS,
      ask: async () => ({ refused: "The language model timed out." }),
    });
    await fill(silent.app, STUDIES);
    expect(await silent.app.prospects.brief(COMPANY)).toMatchObject({
      phrased_by: "template",
      fallback: "The language model timed out.",
      dropped: 0,
    });
    await silent.app.close();
  });
});

describe("with stored reports", () => {
  const saw = (domain: string, tools: readonly [string, string][]) =>
    store.scans.save({
      domain,
      report: {
        domain,
        detections: tools.map(([tool, category]) => seenOf(tool, category)),
        sources: [],
        scanned_at: AT,
        duration_ms: 1,
      },
    });

  beforeAll(async () => {
    await saw("hollin.example", [["Tidewell", "Analytics"]]);
    await saw("pell.example", [
      ["Tidewell", "Analytics"],
      ["Postbox", "Email"],
    ]);
    await saw("corran.example", [["Gauge", "Analytics"]]);
  });

  test("rivals are vendors of the same category, with the clients that are seen using the other's tool", async () => {
    const found = await jsonOf(await opened.ask("/v1/companies/tidewell/rivals", { key }));
    expect(found).toMatchObject({
      vendor: { slug: "tidewell" },
      tools: ["Tidewell"],
      categories: ["Analytics"],
      clients_checked: 2,
      rivals: [
        {
          company: { slug: "gauge" },
          tools: ["Gauge"],
          clients_checked: 1,
          clients_using_vendor: [{ domain: "pell.example", tool: "Tidewell", case_studies: ["hostile"] }],
          vendor_clients_using_rival: [{ domain: "corran.example", tool: "Gauge", case_studies: ["into-postbox"] }],
        },
      ],
    });
    expect((await problemOf(await opened.ask("/v1/companies/nobody/rivals", { key }))).code).toBe("company.not_found");
  });

  test("gaps are the tools that peers of the industry use and the company does not", async () => {
    const { peers, gaps } = await jsonOf(await opened.ask(`/v1/prospects/${COMPANY}/gaps`, { key }));
    expect(peers).toEqual(["hollin.example", "pell.example"]);
    expect(gaps).toEqual([
      {
        category: "Analytics",
        companies: 2,
        uses: ["Gauge", "Meter"],
        tools: [{ tool_id: "tidewell", tool: "Tidewell", companies: 2, domains: ["hollin.example", "pell.example"] }],
      },
    ]);
    const none = await jsonOf(await opened.ask(`/v1/prospects/${COMPANY}/gaps?category=Email`, { key }));
    expect(none.gaps).toEqual([]);
  });

  test("with a hidden stack index keys get counts without names, and the operator the names", async () => {
    const { prospects } = opened.app;
    const hidden = await open({ app: { prospects }, settings: { isIndexHidden: true } });
    const [hiddenKey, { token }] = [await hidden.key(), await hidden.app.operator.ensureOperatorToken()];
    const ask = async (path: string, operator: string | null = null) =>
      await jsonOf(await hidden.ask(path, { key: hiddenKey, operator }));
    const gaps = await ask(`/v1/prospects/${COMPANY}/gaps`);
    expect(gaps).toMatchObject({ peers: [], gaps: [{ companies: 2, tools: [{ companies: 2, domains: [] }] }] });
    const { rivals } = await ask("/v1/companies/tidewell/rivals");
    expect(rivals[0]).toMatchObject({
      clients_using_vendor: [{ domain: null, tool: "Tidewell", case_studies: [] }],
      vendor_clients_using_rival: [{ domain: null, tool: "Gauge", case_studies: [] }],
    });
    expect(JSON.stringify([gaps.gaps, rivals])).not.toMatch(/hollin|pell\.|corran/);
    expect((await ask(`/v1/prospects/${COMPANY}/gaps`, token)).peers).toEqual(["hollin.example", "pell.example"]);
    expect((await ask("/v1/companies/tidewell/rivals", token)).rivals[0].clients_using_vendor[0].domain).toBe(
      "pell.example",
    );
  });

  test("with a hidden stack index a brief names its company alone, and proofs and lists have no claims", async () => {
    const { prospects, caseStudies } = opened.app;
    const hidden = await open({ app: { prospects, caseStudies }, settings: { isIndexHidden: true } });
    const [hiddenKey, { token }] = [await hidden.key(), await hidden.app.operator.ensureOperatorToken()];
    const ask = async (path: string, json?: unknown, operator: string | null = null) =>
      await jsonOf(await hidden.ask(path, { key: hiddenKey, operator, ...(json ? { method: "POST", json } : {}) }));
    const scannedIn = (answer: unknown) =>
      JSON.stringify(answer).match(/"(?:kind|checked_at|status)":"(?:scan|history|[\d-]{10}T[^"]*|corroborated)"/g) ??
      [];

    // The rivals of a brief are products that the company itself uses; other companies are in it as clients of case studies.
    const brief = await ask(`/v1/prospects/${COMPANY}/brief?vendor=tidewell`);
    const rivals = brief.sections.find(({ id }: { id: string }) => id === "rivals");
    expect(JSON.stringify(rivals)).toContain("Gauge (Analytics)");
    const scans = brief.sources.filter(({ kind }: { kind: string }) => kind === "scan" || kind === "history");
    expect(scans.length).toBeGreaterThan(0);
    expect(JSON.stringify([rivals, scans])).not.toMatch(/hollin|pell\.|corran/);

    const proof = [`/v1/prospects/${COMPANY}/proof`, { vendor: "tidewell" }] as const;
    expect(scannedIn((await ask(...proof, token)).proofs)).toContain('"status":"corroborated"');
    expect(scannedIn((await ask(...proof)).proofs)).toEqual([]);
    const agents = createMcpHttp({ services: hidden.app, onBug() {}, isIndexHidden: true });
    const call = { name: "find_proof_for_company", arguments: { domain: COMPANY, vendor: "tidewell" } };
    const request = new Request("http://casefile.test/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    });
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
    const answer = await (await agents.answer(request, body, { name: "a", charge: (_, work) => work() })).text();
    expect(answer).toContain("left-postbox");
    expect(answer).not.toMatch(/checked_at|corroborated/);

    const list = "/v1/casestudies?include=claim";
    expect(scannedIn((await ask(list, undefined, token)).case_studies)).toContain('"status":"corroborated"');
    expect(scannedIn((await ask(list)).case_studies)).toEqual([]);
    expect((await ask("/v1/casestudies/left-postbox?include=claim")).claim.status).toBe("corroborated");
    const search = { query: "fuel", mode: "keyword", include: "claim" };
    expect(scannedIn((await ask("/v1/casestudies/semantic", search)).results)).toEqual([]);
    const filtered = await hidden.ask("/v1/casestudies?claim=corroborated", { key: hiddenKey });
    expect([filtered.status, (await problemOf(filtered)).code]).toEqual([403, "stack.operator_only"]);
    const json = { query: "fuel", claim: "corroborated" };
    expect((await hidden.ask("/v1/casestudies/semantic", { key: hiddenKey, json })).status).toBe(403);

    // The command line on the data directory is the operator's.
    const gaps = await run(["gaps", COMPANY], { app: hidden.app });
    expect(gaps.out).toContain("hollin.example");
    const printed = await run(["brief", COMPANY, "--vendor", "tidewell"], { app: hidden.app });
    expect(printed.out).toContain("Gauge (Analytics)");
  });
});
