import { describe, expect, test } from "bun:test";
import { jsonOf, open, problemOf } from "../http/opened.ts";

const PLAIN =
  '{"domain":"brightpine.test","tools_detected":3,"tools":[{"tool":"Gauge","category":"Analytics"},{"tool":"Meter","category":"Analytics"},{"tool":"Postbox","category":"Email"}],"by_category":{"Analytics":["Gauge","Meter"],"Email":["Postbox"]}}';

const SOURCES = {
  sources: [
    { source: "home-page", status: "ok", duration_ms: 12, detail: null },
    { source: "mail-dns", status: "timeout", duration_ms: 900, detail: "No answer in time." },
  ],
  scanned_at: "2026-05-04T12:00:00.000Z",
  duration_ms: 950,
  cached: false,
};

const GAUGE = {
  tool: "Gauge",
  category: "Analytics",
  confidence: 0.9,
  level: "confirmed",
  vendor: "Gauge Works",
  website: "https://gauge.test/",
  version: "4.2",
  first_seen: "2026-05-01T00:00:00.000Z",
  last_seen: "2026-05-04T12:00:00.000Z",
  product_of: null,
  roles: [],
  evidence: [
    {
      source: "home-page",
      signal: "html.script",
      value: "https://cdn.gauge.test/loader.js",
      location: "https://brightpine.test/",
      rule: "gauge/loader",
      strength: "strong",
    },
  ],
};

describe("the answer", () => {
  test("is exactly the object of the specification", async () => {
    const { ask, key } = await open();
    const own = await key();
    const answer = await ask("/v1/enrich/brightpine.test", { key: own });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.text()).toBe(PLAIN);
    // A minimum confidence decides which tools are in it, not its shape.
    const same = await ask("/v1/enrich/brightpine.test?min_confidence=0.5", { key: own });
    expect(await same.text()).toBe(PLAIN);
  });

  test("include=evidence adds the evidence of each tool", async () => {
    const { ask, key } = await open();
    const body = await jsonOf(await ask("/v1/enrich/brightpine.test?include=evidence", { key: await key() }));
    expect(Object.keys(body)).toEqual(["domain", "tools_detected", "tools", "by_category"]);
    expect(body.tools[0]).toEqual(GAUGE);
    expect(body.tools[1].version).toBeNull();
  });

  test("include=sources adds the status of each data source", async () => {
    const { ask, key } = await open();
    const body = await jsonOf(await ask("/v1/enrich/brightpine.test?include=sources", { key: await key() }));
    expect(body).toEqual({ ...JSON.parse(PLAIN), ...SOURCES });
  });

  test.each(["evidence,sources", "sources,evidence", "%20evidence%20,sources,"])(
    "include=%s adds both",
    async (words) => {
      const { ask, key } = await open();
      const body = await jsonOf(await ask(`/v1/enrich/brightpine.test?include=${words}`, { key: await key() }));
      expect(body).toMatchObject(SOURCES);
      expect(body.tools[0]).toEqual(GAUGE);
    },
  );

  test("max_age is passed to the service, and defaults to the configuration", async () => {
    const { ask, key, calls } = await open();
    const own = await key();
    for (const query of ["", "?max_age=0", "?max_age=99999999"])
      await ask(`/v1/enrich/brightpine.test${query}`, { key: own });
    expect(calls.map(({ options }) => options.maxAgeSeconds)).toEqual([undefined, 0, 99_999_999]);
  });

  test("min_confidence is passed to the service as a number, also by a stream", async () => {
    const { ask, key, calls } = await open();
    const own = await key();
    for (const path of ["enrich", "enrich-stream"])
      for (const query of ["", "?min_confidence=possible", "?min_confidence=0.75"])
        await (await ask(`/v1/${path}/brightpine.test${query}`, { key: own })).text();
    const once = [undefined, 0.2, 0.75];
    expect(calls.map(({ options }) => options.minConfidence)).toEqual([...once, ...once]);
  });
});

describe("a pasted domain", () => {
  test.each([
    ["brightpine.test", "brightpine.test"],
    ["BRIGHTPINE.TEST.", "brightpine.test"],
    ["www.careers.brightpine.test", "brightpine.test"],
    ["https://www.Brightpine.test/x", "brightpine.test"],
    ["https%3A%2F%2Fwww.Brightpine.test%2Fx%3Fy%3D1", "brightpine.test"],
    ["http://brightpine.test/about/us/", "brightpine.test"],
    ["brightpine.test/about", "brightpine.test"],
    ["bücher.test", "xn--bcher-kva.test"],
    ["b%C3%BCcher.test", "xn--bcher-kva.test"],
    ["xn--bcher-kva.test", "xn--bcher-kva.test"],
  ])("%s is %s", async (pasted, domain) => {
    const { ask, key, calls } = await open();
    const own = await key();
    for (const route of ["enrich", "enrich-stream"]) {
      const answer = await ask(`/v1/${route}/${pasted}`, { key: own });
      expect(answer.status).toBe(200);
      await answer.text();
    }
    expect(calls.map((call) => call.domain)).toEqual([domain, domain]);
  });

  test.each([
    ["10.0.0.1", "domain.invalid"],
    ["0x7f.1", "domain.invalid"],
    ["[::1]", "domain.invalid"],
    ["brightpine", "domain.invalid"],
    ["co.uk", "domain.invalid"],
    ["github.io", "domain.invalid"],
    ["", "domain.invalid"],
    ["a%00b.test", "domain.invalid"],
    ["ftp%3A%2F%2Fbrightpine.test", "domain.invalid"],
    ["brightpine.local", "domain.reserved"],
    ["brightpine.internal", "domain.reserved"],
    ["localhost.localdomain", "domain.reserved"],
  ])("%p is 422 before any scan", async (pasted, code) => {
    const { ask, key, calls } = await open();
    const answer = await ask(`/v1/enrich/${pasted}`, { key: await key() });
    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).code).toBe(code);
    expect(calls).toEqual([]);
  });
});

describe("parameters", () => {
  test.each([
    ["include=everything", "/include"],
    ["include=evidence&include=sources", "/include"],
    ["max_age=abc", "/max_age"],
    ["max_age=-1", "/max_age"],
    ["max_age=1.5", "/max_age"],
    ["max_age=1e3", "/max_age"],
    ["max_age=", "/max_age"],
    ["max_age=100000000", "/max_age"],
    ["max_age=1&max_age=2", "/max_age"],
    ["min_confidence=sure", "/min_confidence"],
    ["min_confidence=1.2", "/min_confidence"],
    ["min_confidence=-0.1", "/min_confidence"],
    ["min_confidence=", "/min_confidence"],
    ["maxage=0", "/maxage"],
    ["__proto__=1", "/__proto__"],
  ])("%s is 422 with its location", async (query, pointer) => {
    const { ask, key, calls } = await open();
    const answer = await ask(`/v1/enrich/brightpine.test?${query}`, { key: await key() });
    expect(answer.status).toBe(422);
    const { errors = [] } = await problemOf(answer);
    expect(errors.map((error) => error.pointer)).toEqual([pointer]);
    // The message of the schema library, which shows a regular expression.
    expect(errors[0]?.detail).not.toMatch(/^Expected/);
    expect(calls).toEqual([]);
  });

  test("a stream accepts no include", async () => {
    const { ask, key } = await open();
    const answer = await ask("/v1/enrich-stream/brightpine.test?include=evidence", { key: await key() });
    expect((await problemOf(answer)).errors?.[0]?.pointer).toBe("/include");
  });
});

describe("entity tags", () => {
  test("a client with the current answer gets 304 without a body, with all headers", async () => {
    const { ask, key } = await open();
    const own = await key();
    const first = await ask("/v1/enrich/brightpine.test", { key: own });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[0-9a-z]+"$/);
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
      const again = await ask("/v1/enrich/brightpine.test", { key: own, headers: { "if-none-match": known } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
      expect(again.headers.get("etag")).toBe(etag);
    }
  });

  test("another answer has another entity tag", async () => {
    const { ask, key } = await open();
    const own = await key();
    const one = (await ask("/v1/enrich/brightpine.test", { key: own })).headers.get("etag") ?? "";
    const two = await ask("/v1/enrich/quarrystone.test", { key: own, headers: { "if-none-match": one } });
    expect(two.status).toBe(200);
  });

  test("an answer for a key is private to that client", async () => {
    const { ask, key } = await open();
    const answer = await ask("/v1/enrich/brightpine.test", { key: await key() });
    expect(answer.headers.get("cache-control")).toBe("private, no-cache");
  });
});
