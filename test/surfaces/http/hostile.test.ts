import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Asked, open, problemOf } from "./opened.ts";

/** A handler that hangs on an input would hang the test run. */
const PATIENCE_MS = 1_000;

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
  "/admin/keys",
  "/admin/keys/",
  "/admin/keys/key_1/reissue",
  "/healthz",
  "/readyz",
  "/docs",
  "/openapi.json",
];

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
  fc.constantFrom("include", "max_age", "limit", "cursor", "__proto__", "constructor", "toString", ""),
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
  /** A name that stands twice is a header that was sent twice. */
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

describe("whatever is sent", () => {
  test.each(["nobody", "client", "operator"])(
    "is answered in time, and never with a bug (%s)",
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

  test("any text as domain is found out or refused, never a bug", async () => {
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
  }, 30_000);

  test("a host of any length leads to the same path", async () => {
    const { handler } = await open();
    for (const host of ["a", "ab", "abc", "abcd", "localhost:7171", "[::1]:7171", "x".repeat(250)]) {
      expect((await handler(new Request(`http://${host}/v1/stats`), "127.0.0.1")).status).toBe(200);
      expect((await handler(new Request(`http://${host}/x/v1/stats`), "127.0.0.1")).status).toBe(404);
    }
  });
});
