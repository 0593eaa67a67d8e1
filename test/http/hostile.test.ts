import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { filled } from "./filled.ts";
import { type Asked, open, problemOf } from "./opened.ts";

/** A handler that hangs on an input would hang the test run. */
const PATIENCE_MS = 10_000;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const STEMS = [
  "/",
  "//",
  "/v1",
  "/v1/keys",
  "/v1/stats",
  "/v1/enrich/",
  "/v1/enrich-stream/",
  "/v1/enrich/brightpine.test",
  "/v1/enrich-stream/brightpine.test",
  "/v1/enrich/https://www.brightpine.test/",
  "/v1/casestudies",
  "/v1/casestudies/",
  "/v1/casestudies/semantic",
  "/v1/casestudies/batch",
  "/v1/companies",
  "/v1/companies/",
  "/v1/companies/tidewell/analysis",
  "/v1/companies/tidewell/timeline",
  "/v1/compare",
  "/admin/keys",
  "/admin/keys/",
  "/admin/keys/key_1/reissue",
  "/v1/submit",
  "/admin/submissions",
  "/admin/submissions/sub_1",
  "/admin/submissions/sub_1/reject",
  "/admin/jobs",
  "/admin/jobs/1/retry",
  "/admin/mails",
  "/admin/casestudies/x",
  "/admin/companies/x",
  "/admin/companies/x/merge",
  "/healthz",
  "/readyz",
  "/llms.txt",
  "/openapi.json",
];

const FILTERS = ["q", "company", "industry", "client", "country", "published_after", "published_before"];

const garbage = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "%",
    "%ZZ",
    "%00",
    "%C0%AF",
    "%FF%FE",
    "%2e%2e%2f",
    "..",
    "/../../etc/passwd",
    "\u202e",
    "%u0041",
    "*",
    "{}",
    "[",
    ";",
  ),
  fc.integer({ min: 1_000, max: 8_192 }).map((length) => "a".repeat(length)),
  fc.integer({ min: 10, max: 2_000 }).map((length) => "%2F".repeat(length)),
  fc.integer({ min: 10, max: 2_000 }).map((length) => "a.".repeat(length)),
);
const path = fc
  .tuple(fc.constantFrom(...STEMS), fc.option(garbage, { nil: "" }))
  .map(([stem, tail]) => (stem + tail).replace(/[?#]/g, ""));
const name = fc.oneof(
  fc.constantFrom(
    "include",
    "max_age",
    "limit",
    "cursor",
    "state",
    "__proto__",
    "constructor",
    "toString",
    "",
    ...FILTERS,
  ),
  fc.string({ maxLength: 12 }),
);
const value = fc.oneof(
  fc.constantFrom(
    "evidence",
    "sources",
    "evidence,sources",
    "0",
    "-1",
    "1e9",
    "NaN",
    "null",
    "[]",
    "{}",
    '{"a":1}',
    "%",
    "%00",
  ),
  fc.string({ maxLength: 40 }),
);
const query = fc
  .array(fc.tuple(name, value), { maxLength: 4 })
  .map((pairs) => pairs.map(([one, other]) => `${one}=${other}`).join("&"));

const deep = fc.integer({ min: 1, max: 20_000 }).map((depth) => "[".repeat(depth) + "]".repeat(depth));
const body = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.string({ maxLength: 200 }),
  deep,
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    "",
    "null",
    '{"email":"a@b.test"}',
    '{"email":"a@b.test","__proto__":{"x":1}}',
    '{"email":{"toString":1}}',
    '{"email":"a@b.test","email":5}',
    '{"email":"\\u0000@b.test"}',
    '{"email":"\\ud800@b.test"}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"monthly_limit":1e400}',
    '{"query":"bank","limit":1e400}',
    '{"query":"\\ud800","mode":"semantic"}',
    '{"query":{"trim":1}}',
    '{"queries":{"length":1e9}}',
    '{"queries":[null,{"query":"a"}]}',
    '{"companies":["tidewell","__proto__"]}',
    " ".repeat(70_000),
  ),
);
const header = fc.tuple(
  fc.constantFrom(
    "accept",
    "content-type",
    "authorization",
    "if-none-match",
    "x-request-id",
    "x-forwarded-for",
    "forwarded",
    "x-api-key",
    "content-length",
    "range",
    "x-odd",
  ),
  fc.oneof(
    fc.constantFrom(
      "application/json",
      "text/event-stream",
      "*/*",
      "*/*;q=0",
      "",
      ";",
      "Bearer ",
      "1, 2",
      "-1",
      "bytes=0-1",
      '"',
      "9".repeat(400),
      ",".repeat(3_000),
    ),
    fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "")),
  ),
);

const request = fc.record({
  method: fc.constantFrom(...METHODS),
  path,
  query,
  body: fc.option(body, { nil: undefined }),
  /** A repeated name is a header that is sent twice. */
  headers: fc.array(header, { maxLength: 5 }),
});

function askedOf({
  method,
  headers,
  body: sent,
}: {
  method: string;
  headers: readonly [string, string][];
  body: string | Uint8Array | undefined;
}): Asked {
  const joined: Record<string, string> = {};
  for (const [one, text] of headers) joined[one] = one in joined ? `${joined[one]}, ${text}` : text;
  const withBody = sent !== undefined && method !== "GET" && method !== "HEAD";
  return {
    method,
    headers: joined,
    ...(withBody ? { body: typeof sent === "string" ? sent : new Uint8Array(sent) } : {}),
  };
}

const inTime = <T>(work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

describe("any request", () => {
  test.each(["nobody", "client", "operator"])(
    "is answered in time, and never with a 500 (%s)",
    async (who) => {
      const service = await open({ keylessPerHour: 1e9, monthlyLimit: 1e9, settings: { maxStreams: 1e9 } });
      const key = await service.key();
      const { token } = await service.app.operator.ensureOperatorToken();
      const credentials = who === "client" ? { key } : who === "operator" ? { operator: token } : {};
      await fc.assert(
        fc.asyncProperty(request, async (made) => {
          const asked = askedOf(made);
          const answer = await inTime(service.ask(`${made.path}?${made.query}`, { ...asked, ...credentials }));
          expect(answer.headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
          expect(answer.status).not.toBe(500);
          if (made.method === "HEAD" || answer.status === 304) expect(await answer.text()).toBe("");
          else if (answer.status >= 400) await problemOf(answer);
          else await answer.arrayBuffer();
        }),
        { numRuns: 3_000 },
      );
      expect(service.logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
    },
    30_000,
  );

  test("with a broken body that no route reads is answered as without it", async () => {
    const { app, ask } = await open();
    const { token } = await app.operator.ensureOperatorToken();
    const headers = { "content-type": "application/json" };
    for (const body of ["", "{", "[]".repeat(1_000)])
      expect((await ask("/admin/keys/nobody", { method: "DELETE", headers, body, operator: token })).status).toBe(404);
  });

  test("any text as domain is scanned or refused, never a 500", async () => {
    const service = await open({ monthlyLimit: 1e9 });
    const key = await service.key();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 80 }), async (text) => {
        const encoded = encodeURIComponent(text.toWellFormed());
        const answer = await inTime(service.ask(`/v1/enrich/${encoded}`, { key }));
        expect([200, 422]).toContain(answer.status);
        await answer.text();
      }),
      { numRuns: 1_000 },
    );
  }, 60_000);

  test("any text as a query, filter, slug or cursor is answered or refused, never a 500", async () => {
    const { get, logged } = await filled({ monthlyLimit: 1e9 });
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(
        "' or 1=1 --",
        "%",
        "_",
        '"',
        "\\",
        "*",
        "(",
        "NEAR(",
        "\ud800",
        "a:b",
        "-",
        "\u0000",
        "tidewell",
      ),
      fc.integer({ min: 900, max: 1_100 }).map((length) => "銀".repeat(length)),
    );
    const limit = fc.oneof(fc.integer({ min: -1, max: 101 }), fc.constantFrom(1.5, "5", null, 1e308));
    const asked = fc.oneof(
      fc
        .tuple(fc.constantFrom(...FILTERS, "cursor"), text)
        .map(([one, other]) => ({ path: `/v1/casestudies?${one}=${encodeURIComponent(other.toWellFormed())}` })),
      fc
        .tuple(fc.constantFrom("q", "industry", "cursor"), text)
        .map(([one, other]) => ({ path: `/v1/companies?${one}=${encodeURIComponent(other.toWellFormed())}` })),
      fc
        .tuple(fc.constantFrom("casestudies", "companies"), text, fc.constantFrom("", "/analysis", "/timeline"))
        .map(([list, slug, view]) => ({ path: `/v1/${list}/${encodeURIComponent(slug.toWellFormed())}${view}` })),
      fc
        .record(
          { query: text, limit, industry: text, company: text, mode: fc.constantFrom("hybrid", "semantic", "keyword") },
          { requiredKeys: ["query"] },
        )
        .map((json) => ({ path: "/v1/casestudies/semantic", json })),
      fc
        .array(fc.record({ query: text, limit, industry: text, company: text }, { requiredKeys: ["query"] }), {
          maxLength: 12,
        })
        .map((queries) => ({ path: "/v1/casestudies/batch", json: { queries } })),
      fc
        .record(
          { companies: fc.array(text, { maxLength: 7 }), industry: text, limit_per_company: limit },
          { requiredKeys: ["companies"] },
        )
        .map((json) => ({ path: "/v1/compare", json })),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ({ path: wanted, ...rest }) => {
        const answer = await inTime(get(wanted, rest));
        expect([200, 404, 413, 422]).toContain(answer.status);
        if (answer.status === 200) JSON.parse(await answer.text());
        else await problemOf(answer);
      }),
      { numRuns: 2_000 },
    );
    expect(logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  }, 60_000);

  test("a host of any length is routed to the same path", async () => {
    const { handler } = await open();
    for (const host of ["a", "ab", "abc", "abcd", "localhost:7171", "[::1]:7171", "x".repeat(250)]) {
      expect((await handler(new Request(`http://${host}/v1/stats`), "127.0.0.1")).status).toBe(200);
      expect((await handler(new Request(`http://${host}/x/v1/stats`), "127.0.0.1")).status).toBe(404);
    }
  });
});

/** Values that a library may fail to turn into text, to copy or to compare. */
const ODD_VALUES: readonly unknown[] = [
  { toString: 1 },
  { valueOf: null, toString: null },
  { toJSON: 1 },
  JSON.parse('{"__proto__":{"toString":1}}'),
  { constructor: { prototype: 1 } },
  { length: -1 },
  [[{ toString: 1 }]],
  JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`),
  "\u0000",
  "\ud800",
  1e308,
];

test("a field of any type gets a problem or a response, and no stack trace is logged", async () => {
  const service = await filled({ keylessPerHour: 1_000_000, monthlyLimit: 1_000_000 });
  const { token } = await service.app.operator.ensureOperatorToken();
  const key = await service.key("carl@brightpine.test");
  const { paths, components } = JSON.parse(await (await service.ask("/openapi.json")).text());
  const bodies = Object.entries<Record<string, { requestBody?: { content: Record<string, Media> } }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) => {
        const { schema, example } = requestBody?.content["application/json"] ?? {};
        const { properties } = components.schemas[schema?.$ref?.split("/").at(-1) ?? ""] ?? schema ?? {};
        return Object.keys(properties ?? {}).map((field) => ({ path, method, field, example }));
      }),
  );
  expect(bodies.length).toBeGreaterThan(20);
  for (const { path, method, field, example } of bodies) {
    for (const value of ODD_VALUES.flatMap((odd) => [odd, [odd]])) {
      const answer = await service.ask(path.replaceAll(/\{\w+\}/g, "1"), {
        ...{ method: method.toUpperCase(), key, operator: token },
        json: { ...example, [field]: value },
      });
      expect([path, field, answer.status < 500]).toEqual([path, field, true]);
      if (answer.status >= 400) await problemOf(answer);
    }
  }
  expect(service.logged().filter(({ err }) => err !== undefined)).toEqual([]);
});

interface Media {
  readonly schema?: { readonly $ref?: string; readonly properties?: object };
  readonly example?: object;
}
