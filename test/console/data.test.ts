import { describe, expect, test } from "bun:test";
import { jsonOf } from "../http/opened.ts";
import { enrichmentOf, fakeVerbs } from "../services/fake-app.ts";
import { served } from "./served.ts";

/** Recordings of a fictional and of a real company. */
function recorded() {
  const { verbs } = fakeVerbs();
  return {
    verbs: {
      ...verbs,
      recordedDomains: async () => ["acme.com", "anchor.example", "harbourline.example"],
      enrich: async (domain: string) => enrichmentOf(domain, { cached: true }),
      stored: async (domain: string) =>
        domain === "quayline.test" ? undefined : enrichmentOf(domain, { cached: true }),
    },
  };
}

describe("without a key", () => {
  test("the start page shows only the fictional company", async () => {
    const { answered } = await served(recorded());
    const body = await jsonOf(await answered("/console/start"));
    expect(body).toMatchObject({
      version: "1.2.3",
      examples: ["anchor.example", "harbourline.example"],
      areas: expect.arrayContaining([{ area: "email and identity", categories: ["Email"] }]),
      preview: { domain: "harbourline.example", tools_detected: 3 },
      case_studies: [],
    });
    expect(JSON.stringify(body)).not.toContain("acme.com");
  });

  test("only the example can be read, with its evidence", async () => {
    const { answered } = await served(recorded());
    const { lookup } = await jsonOf(await answered("/console/lookup/harbourline.example"));
    expect(lookup.result).toMatchObject({ domain: "harbourline.example", cached: true });
    expect(lookup.result.tools[0].evidence).toHaveLength(1);
    expect(lookup.about[0]).toMatchObject({ means: "runs", reasons: [null] });
    await expect(answered("/console/lookup/acme.com")).rejects.toMatchObject({ code: "key.invalid" });
    await expect(answered("/console/companies")).rejects.toMatchObject({ code: "key.invalid" });
  });

  test.each([
    "acme.com%2F.example",
    "acme.com%3Fa.example",
    "www.acme.com%23.example",
    "http:%2F%2Facme.com%2Fa.example",
    "acme.com%5C.example",
    "user%40acme.com%3A80%2Fx.example",
  ])("a text that only ends like an example names no company: %s", async (text) => {
    const { answered } = await served(recorded());
    await expect(answered(`/console/lookup/${text}`)).rejects.toMatchObject({ code: "key.invalid" });
  });

  test("added case studies cannot be read", async () => {
    const { answered, fill } = await served();
    await fill();
    await expect(answered("/console/studies/tidewell-brightpine")).rejects.toMatchObject({ code: "key.invalid" });
    expect((await jsonOf(await answered("/console/start"))).case_studies).toEqual([]);
  });

  test("with a hidden stack index no scanned company is listed or suggested, also with a key", async () => {
    const { answered, app } = await served(recorded(), { isIndexHidden: true });
    const { api_key: apiKey } = await app.accounts.issue("ana@brightpine.test");
    const headers = { "x-api-key": apiKey };
    expect(await jsonOf(await answered("/console/companies", headers))).toEqual({ companies: [], total: 0 });
    const suggested = await jsonOf(await answered("/console/suggest?q=acme", headers));
    expect(suggested.companies).toEqual([]);
    expect((await jsonOf(await answered("/console/facets", headers))).claims).toBeNull();
  });

  test("facets need a key and count what a filter matches, with claims", async () => {
    const { answered, app, fill } = await served(recorded());
    await fill();
    await expect(answered("/console/facets")).rejects.toMatchObject({ code: "key.invalid" });
    const { api_key: apiKey } = await app.accounts.issue("ana@brightpine.test");
    const facets = async (query: string) =>
      await jsonOf(await answered(`/console/facets${query}`, { "x-api-key": apiKey }));
    expect(await facets("?tool=postgresql")).toMatchObject({
      tools: [{ value: "PostgreSQL", label: "PostgreSQL", count: 1 }],
      countries: [{ value: "NO", count: 1 }],
      figures: 1,
      claims: { counted: 1, complete: true },
    });
    expect(await facets("?figures=true")).toMatchObject({ figures: 3 });
    const { claims, ...all } = await facets("");
    for (const { value, count } of claims.values) {
      const limited = await facets(`?claim=${value}`);
      expect(limited.claims).toEqual(claims);
      expect(limited.vendors.reduce((sum: number, vendor: { count: number }) => sum + vendor.count, 0)).toBe(count);
    }
    expect(await facets("?claim=replaced")).toMatchObject({ vendors: [], figures: 0 });
    expect(await facets("?claim=unknown")).toEqual({ ...all, claims });
  });

  test("only tools and the example are suggested", async () => {
    const { answered, fill } = await served(recorded());
    await fill();
    const suggested = async (q: string) => await jsonOf(await answered(`/console/suggest?q=${q}`));
    expect((await suggested("harbour")).companies).toMatchObject([{ domain: "harbourline.example" }]);
    expect(await suggested("tidewell")).toMatchObject({ companies: [], vendors: [] });
    expect((await suggested("acme")).companies).toEqual([]);
    expect((await suggested("gad")).tools).toMatchObject([{ id: "gadget", tool: "Gadget" }]);
  });

  test("usage cannot be read", async () => {
    const { answered } = await served();
    await expect(answered("/console/usage")).rejects.toMatchObject({ code: "key.invalid" });
  });
});

describe("with a key", () => {
  test("usage shows the remaining quota and does not count", async () => {
    const { answered, app } = await served({ monthlyLimit: 7 });
    const { api_key } = await app.accounts.issue("ana@brightpine.test");
    for (let times = 0; times < 2; times += 1) {
      const body = await jsonOf(await answered("/console/usage", { "x-api-key": api_key }));
      expect(body).toMatchObject({ email: "ana@brightpine.test", limit: 7, remaining: 7 });
    }
  });

  test("suggestions include vendors and do not count", async () => {
    const { answered, app, fill } = await served({ monthlyLimit: 1 });
    await fill();
    const { api_key } = await app.accounts.issue("ana@brightpine.test");
    const headers = { "x-api-key": api_key };
    for (let times = 0; times < 3; times += 1) {
      const { vendors } = await jsonOf(await answered("/console/suggest?q=tidewell", headers));
      expect(vendors[0]).toMatchObject({ slug: "tidewell" });
    }
    expect(await jsonOf(await answered("/console/usage", headers))).toMatchObject({ remaining: 1 });
  });

  test("a stored result counts as one request, and its absence as none", async () => {
    const { answered, app } = await served({ ...recorded(), monthlyLimit: 7 });
    const { api_key } = await app.accounts.issue("ana@brightpine.test");
    const headers = { "x-api-key": api_key };
    expect(await jsonOf(await answered("/console/lookup/quayline.test", headers))).toEqual({ lookup: null });
    const { lookup } = await jsonOf(await answered("/console/lookup/acme.com", headers));
    expect(lookup).toMatchObject({ result: { domain: "acme.com" }, history: null });
    expect(await jsonOf(await answered("/console/usage", headers))).toMatchObject({ remaining: 6 });
  });
});

test("icons are shown of examples, with a key of every company, and of none with a hidden index", async () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const { verbs, ...rest } = recorded();
  const icons = async (domains: readonly string[]) =>
    new Map(domains.map((domain) => [domain, { type: "image/png", bytes }] as const));
  const path = "/console/icons?domains=acme.com,anchor.example";
  const open = await served({ ...rest, verbs: { ...verbs, icons } });
  const hidden = await served({ ...rest, verbs: { ...verbs, icons } }, { isIndexHidden: true });
  const image = "data:image/png;base64,AQID";
  expect(await jsonOf(await open.answered(path))).toEqual({ "anchor.example": image });
  const keyOf = async ({ app }: typeof open) => (await app.accounts.issue("ana@brightpine.test")).api_key;
  expect(await jsonOf(await open.answered(path, { "x-api-key": await keyOf(open) }))).toEqual({
    "acme.com": image,
    "anchor.example": image,
  });
  expect(await jsonOf(await hidden.answered(path, { "x-api-key": await keyOf(hidden) }))).toEqual({
    "anchor.example": image,
  });
});

test("an unknown path under /console is left to the API", async () => {
  const { ask } = await served();
  for (const path of ["/console/", "/console/start/more", "/console/%ff", "/console/lookup/%E0%A4%A"]) {
    const turn = await ask(path).catch((error) => error);
    expect(turn.response).toBeUndefined();
  }
});
