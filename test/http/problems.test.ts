import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import { SECRET } from "../services/fake-app.ts";
import { type Asked, open, problemOf } from "./opened.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** A chunked body without a declared length. */
const chunked = (bytes: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let sent = 0; sent < bytes; sent += 8_192) controller.enqueue(new Uint8Array(8_192).fill(32));
      controller.close();
    },
  });

describe("refusals", () => {
  const cases: [string, string, Asked, number, string][] = [
    ["no JSON", "/v1/keys", { body: "{", headers: JSON_TYPE }, 400, "request.not_json"],
    ["no body", "/v1/keys", { method: "POST" }, 400, "request.not_json"],
    ["no UTF-8", "/v1/keys", { body: new Uint8Array([34, 255, 34]), headers: JSON_TYPE }, 400, "request.not_json"],
    ["no key", "/v1/enrich/brightpine.test", {}, 401, "key.invalid"],
    ["no token", "/admin/keys", {}, 401, "operator.invalid"],
    ["a wrong token", "/admin/keys", { operator: "cf_operator_x" }, 401, "operator.invalid"],
    ["an API key as token", "/admin/keys", { headers: { "x-api-key": "x" } }, 401, "operator.invalid"],
    ["an unknown path", "/v2/stats", {}, 404, "route.not_found"],
    ["an unknown method", "/v1/stats", { method: "DELETE" }, 405, "route.method"],
    [
      "a client that reads HTML alone",
      "/v1/stats",
      { headers: { accept: "text/html" } },
      406,
      "request.not_acceptable",
    ],
    [
      "one that refuses JSON",
      "/v1/stats",
      { headers: { accept: "application/json;q=0" } },
      406,
      "request.not_acceptable",
    ],
    ["a long body", "/v1/keys", { body: " ".repeat(65_537), headers: JSON_TYPE }, 413, "request.too_large"],
    ["a long body in pieces", "/v1/keys", { body: chunked(73_728), headers: JSON_TYPE }, 413, "request.too_large"],
    [
      "a length that is declared",
      "/v1/keys",
      { body: "{}", headers: { ...JSON_TYPE, "content-length": "65537" } },
      413,
      "request.too_large",
    ],
    [
      "a form",
      "/v1/keys",
      { body: "email=a", headers: { "content-type": "application/x-www-form-urlencoded" } },
      415,
      "request.media_type",
    ],
    ["text", "/v1/keys", { body: "{}", headers: { "content-type": "text/plain" } }, 415, "request.media_type"],
  ];

  test.each(cases)("%s: %s", async (_, path, asked, status, code) => {
    const { ask } = await open();
    const answer = await ask(path, asked);
    expect(answer.status).toBe(status);
    const problem = await problemOf(answer);
    expect(problem).toMatchObject({ code, type: `urn:casefile:problem:${code}` });
    expect(problem.detail).toMatch(/\.$/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test.each([
    ["/v1/stats", "POST", "GET, HEAD"],
    ["/v1/keys", "GET", "POST"],
    ["/v1/enrich/brightpine.test", "POST", "GET"],
    ["/v1/enrich/brightpine.test", "HEAD", "GET"],
    ["/v1/enrich-stream/brightpine.test", "HEAD", "GET"],
    ["/admin/keys/key_1", "GET", "DELETE, PATCH"],
    ["/v1/submit", "GET", "POST"],
    ["/admin/submissions/sub_1/approve", "GET", "POST"],
  ])("%s refuses %s and lists the accepted values", async (path, method, allow) => {
    const { ask, key, calls } = await open();
    const answer = await ask(path, { method, key: await key() });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe(allow);
    expect(calls).toEqual([]);
  });

  test.each([undefined, "", "nonsense", `cf_live_${"0".repeat(38)}`, "revoked", "x".repeat(9_000)])(
    "a missing, unknown and revoked key get the same response (%p)",
    async (given) => {
      const { ask, app, key } = await open();
      const revoked = await key();
      await app.accounts.revoke("ana@brightpine.test");
      const answer = await ask(
        "/v1/enrich/brightpine.test",
        given === undefined ? {} : { key: given === "revoked" ? revoked : given },
      );
      const { request_id, ...rest } = await problemOf(answer);
      expect(rest).toEqual({
        type: "urn:casefile:problem:key.invalid",
        title: "Missing or invalid API key",
        status: 401,
        detail: "Send a valid API key in the X-API-Key header.",
        code: "key.invalid",
      });
      expect(answer.headers.has("ratelimit")).toBe(false);
    },
  );

  test.each([
    ["/v1/companies", 'ApiKey realm="casefile", header="X-API-Key"'],
    ["/mcp", 'ApiKey realm="casefile", header="X-API-Key"'],
    ["/admin/keys", 'Bearer realm="casefile operator"'],
  ])("a request to %s without credentials gets a WWW-Authenticate challenge", async (path, challenge) => {
    const { ask } = await open();
    const answer = await ask(path, path === "/mcp" ? { json: {} } : {});
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, challenge]);
    expect((await ask("/v2/stats")).headers.has("www-authenticate")).toBe(false);
  });

  test("without a key, the only error is the missing key", async () => {
    const { ask } = await open();
    expect((await ask("/v1/enrich/10.0.0.1?nonsense=1")).status).toBe(401);
  });

  test("a JSON type may have parameters and a suffix", async () => {
    const { ask } = await open();
    for (const [type, email] of [
      ["application/json; charset=utf-8", "a@b.test"],
      ["application/merge-patch+json", "b@b.test"],
    ]) {
      const answer = await ask("/v1/keys", {
        body: JSON.stringify({ email }),
        headers: { "content-type": type ?? "" },
      });
      expect(answer.status).toBe(201);
    }
  });

  test("a HEAD response equals the GET response without its body", async () => {
    const { ask } = await open();
    const [head, get] = [await ask("/v1/stats", { method: "HEAD" }), await ask("/v1/stats")];
    expect(head.status).toBe(200);
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
    expect(await head.text()).toBe("");
  });
});

describe("failures of DNS or the service", () => {
  test.each([
    ["missing.test", 404, "domain.not_found", null],
    ["silent.test", 503, "dns.unreachable", "30"],
    ["busy.test", 503, "service.overloaded", "5"],
  ])("%s is %d", async (domain, status, code, retryAfter) => {
    const { ask, key } = await open();
    const own = await key();
    for (const route of ["enrich", "enrich-stream"]) {
      const answer = await ask(`/v1/${route}/${domain}`, { key: own });
      expect(answer.status).toBe(status);
      expect((await problemOf(answer)).code).toBe(code);
      expect(answer.headers.get("retry-after")).toBe(retryAfter);
    }
  });

  test.each(["starting", "draining"] as const)("while it is %s, requests are 503 with Retry-After", async (state) => {
    const { ask, lifecycle, app } = await open();
    const { token } = await app.operator.ensureOperatorToken();
    lifecycle.state = state;
    for (const path of ["/v1/stats", "/v1/enrich/brightpine.test", "/admin/keys", "/v1/nothing"]) {
      const answer = await ask(path, { operator: token });
      expect(answer.status).toBe(503);
      expect((await problemOf(answer)).code).toBe("service.unready");
      expect(answer.headers.get("retry-after")).toBe("5");
    }
    expect((await ask("/healthz")).status).toBe(200);
  });
});

test("a service that is about to stop answers requests, and its readiness sends the next ones elsewhere", async () => {
  const { ask, lifecycle } = await open();
  lifecycle.state = "leaving";
  expect((await ask("/v1/stats")).status).toBe(200);
  expect((await ask("/readyz")).status).toBe(503);
});

describe("a bug", () => {
  test("is a 500 without internal details, and is logged with the request id", async () => {
    const { ask, key, logged } = await open();
    const own = await key();
    const answer = await ask("/v1/enrich/broken.test", { key: own, headers: { "x-request-id": "bug-1" } });
    expect(answer.status).toBe(500);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.text()).toBe(
      '{"type":"urn:casefile:problem:internal","title":"Internal error","status":500,"detail":"Internal error. Try again; if it persists, report the request id to the operator.","code":"internal","request_id":"bug-1"}',
    );
    expect(JSON.stringify([...answer.headers])).not.toContain("sqlite");
    const line = logged().find(({ msg }) => msg === "a handler failed");
    expect(line).toMatchObject({ request_id: "bug-1", level: 50, err: { message: SECRET } });
  });

  test.each(["config.invalid", "catalogue.invalid"] as const)("a %s inside a request is a 500 too", async (code) => {
    const stats = () => Promise.reject(new Failure(code, SECRET));
    const { ask } = await open({ app: { health: { stats } } });
    const answer = await ask("/v1/stats");
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("sqlite");
  });

  test("a store that fails while the quota headers are written is a 500, not a broken connection", async () => {
    const { ask, app, key } = await open();
    const own = await key();
    const quota = app.accounts.quota;
    Object.assign(app.accounts, { quota: () => Promise.reject(new Error(SECRET)) });
    const answer = await ask("/v1/enrich/brightpine.test?typo=1", { key: own });
    Object.assign(app.accounts, { quota });
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("sqlite");
  });
});

test("an aborted request is not logged as an error", async () => {
  const { ask, key, logged } = await open();
  const own = await key();
  const client = new AbortController();
  const answer = ask("/v1/enrich/hanging.test", { key: own, signal: client.signal });
  await Bun.sleep(0);
  client.abort();
  expect((await answer).status).toBe(499);
  expect(logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
