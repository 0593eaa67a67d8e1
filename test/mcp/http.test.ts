import { afterEach, describe, expect, test } from "bun:test";
import { TOOLS } from "../../src/mcp/server.ts";
import { type Asked, jsonOf, type Opened, open, problemOf } from "../http/opened.ts";
import { closeAgents, dataOf, overHttp, REVISIONS, refusalOf } from "./agent.ts";

afterEach(closeAgents);

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const call = (name: string, args: unknown, id = 1) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name, arguments: args },
});
const ACCEPT = { accept: "application/json, text/event-stream" };

const post = ({ ask }: Opened, json: unknown, asked: Asked = {}) =>
  ask("/mcp", { json, ...asked, headers: { ...ACCEPT, ...asked.headers } });

/** The remaining monthly quota, read from a refused request that is not charged. */
async function left({ ask }: Opened, key: string): Promise<number> {
  const answer = await ask("/v1/enrich/missing.test", { key });
  return Number(/;r=(\d+);/.exec(answer.headers.get("ratelimit") ?? "")?.[1] ?? NaN);
}

/** The result in a stream with one response. */
async function resultOf(answer: Response) {
  const text = await answer.text();
  return JSON.parse(/^data: (\{.*"result".*)$/m.exec(text)?.[1] ?? "null")?.result;
}

describe("the key", () => {
  test.each([
    ["none", {}],
    ["an unknown one", { "x-api-key": `cf_live_${"a".repeat(38)}` }],
    ["an unknown bearer", { authorization: "Bearer cf_live_nonsense" }],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["an endless one", { authorization: `Bearer ${"a".repeat(10_000)}` }],
  ])("%s is 401 for any request", async (_, headers) => {
    const service = await open();
    for (const json of [LIST, call("find_companies", {}), "nonsense"]) {
      expect((await problemOf(await post(service, json, { headers }))).code).toBe("key.invalid");
    }
  });

  test.each(["x-api-key", "authorization"])("is accepted in %s", async (header) => {
    const service = await open();
    const key = await service.key();
    const client = await overHttp(service, "2026-07-28", { [header]: header === "x-api-key" ? key : `Bearer ${key}` });
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
  });

  test("a client without one gets the error when it connects", async () => {
    const service = await open();
    for (const revision of REVISIONS) {
      expect(await overHttp(service, revision, {}).then(() => "connected", String)).toMatch(/HTTP 401|API key/);
    }
  });
});

describe("counting", () => {
  test.each(REVISIONS)(
    "in %s a call counts one, a batch search one per query, and other requests nothing",
    async (revision) => {
      const service = await open({ monthlyLimit: 10 });
      const key = await service.key();
      const client = await overHttp(service, revision, { "x-api-key": key });
      await client.listTools();
      expect(await left(service, key)).toBe(10);
      await client.callTool({ name: "get_company_analysis", arguments: { domain: "brightpine.test" } });
      expect(await left(service, key)).toBe(9);
      const queries = [{ query: "a" }, { query: "b" }, { query: "c" }];
      await client.callTool({ name: "search_case_studies", arguments: { queries } });
      expect(await left(service, key)).toBe(6);
      for (const [name, args] of [
        ["get_company", { slug: "nobody" }],
        ["get_company_analysis", { domain: "missing.test" }],
        ["get_company_analysis", { domain: "broken.test" }],
        ["search_case_studies", { query: 7 }],
      ] as const) {
        refusalOf(await client.callTool({ name, arguments: args }));
      }
      expect(await left(service, key)).toBe(6);
    },
  );

  test("above the limit a call is refused with a remedy, and a batch that exceeds the quota as a whole", async () => {
    const service = await open({ monthlyLimit: 2, clock: () => new Date("2026-05-31T23:00:00Z") });
    const client = await overHttp(service, "2026-07-28", { "x-api-key": await service.key() });
    const queries = [{ query: "a" }, { query: "b" }, { query: "c" }];
    const batch = await client.callTool({ name: "search_case_studies", arguments: { queries } });
    expect(refusalOf(batch)).toStartWith("This needs 3 requests, but only 2 are left this month");
    for (const _ of [1, 2]) dataOf(await client.callTool({ name: "find_companies", arguments: {} }));
    const over = await client.callTool({ name: "find_companies", arguments: {} });
    expect(refusalOf(over)).toBe(
      "The monthly limit is used up. Wait for the next month (UTC), or ask the operator for a higher limit. (quota.exceeded)\nRetry after 3600 seconds.\nNext: Stop calling and tell the user. Earlier results stay valid.",
    );
  });

  test("a cancelled call counts nothing", async () => {
    const service = await open({ monthlyLimit: 10 });
    const key = await service.key();
    const client = await overHttp(service, "2025-06-18", { "x-api-key": key });
    const patience = new AbortController();
    await client
      .callTool(
        { name: "get_company_analysis", arguments: { domain: "stalling.test" } },
        { signal: patience.signal, onprogress: () => patience.abort("enough") },
      )
      .catch(() => {});
    const { signal } = service.calls[0]?.options ?? {};
    if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    for (let tries = 0; tries < 1_000 && (await left(service, key)) < 10; tries += 1);
    expect(await left(service, key)).toBe(10);
  });
});

describe("cancelling a call", () => {
  const cancel = (requestId: unknown) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
  const stalling = call("get_company_analysis", { domain: "stalling.test" }, 3);

  async function scanning(service: Opened, key: string, how: Asked = {}) {
    const before = service.calls.length;
    const answer = post(service, stalling, { key, ...how });
    while (service.calls.length === before) await new Promise(setImmediate);
    return { answer, signal: service.calls[before]?.options.signal };
  }

  test("ends it only for its own client", async () => {
    const service = await open();
    const [one, two] = [await service.key("one@a.test"), await service.key("two@a.test")];
    const { answer, signal } = await scanning(service, one);
    for (const [key, peer, id] of [
      [two, "127.0.0.1", 3],
      [one, "192.0.2.9", 3],
      [one, "127.0.0.1", "3"],
    ] as const) {
      expect((await post(service, cancel(id), { key, peer })).status).toBe(202);
    }
    expect(signal?.aborted).toBe(false);
    await post(service, cancel(3), { key: one });
    expect(signal?.aborted).toBe(true);
    expect(await resultOf(await answer)).toMatchObject({ isError: true });
  });

  test("in the batch of the call itself leaves no open response", async () => {
    const service = await open();
    const key = await service.key();
    expect((await post(service, [stalling, cancel(3)], { key })).status).toBe(202);
    const other = call("find_companies", {}, 4);
    const answer = await post(service, [stalling, cancel(3), other], { key });
    expect(await answer.text()).toContain('"id":4');
    expect(service.calls).toEqual([]);
  });

  test("ends no call when two clients use its id", async () => {
    const service = await open();
    const key = await service.key();
    const gone = new AbortController();
    const calls = [
      await scanning(service, key, { signal: gone.signal }),
      await scanning(service, key, { signal: gone.signal }),
    ];
    await post(service, cancel(3), { key });
    expect(calls.map(({ signal }) => signal?.aborted)).toEqual([false, false]);
    gone.abort();
    for (const { signal } of calls) expect(signal?.aborted).toBe(true);
  });
});

describe("the Origin header", () => {
  const origins = ["https://casefile.acme.example/"];
  test.each([
    [undefined, 200],
    ["http://localhost:3000", 200],
    ["http://127.0.0.1:7171", 200],
    ["http://[::1]:7171", 200],
    ["https://casefile.acme.example", 200],
    ["http://casefile.acme.example", 403],
    ["https://casefile.acme.example.evil.test", 403],
    ["http://casefile.test", 403],
    ["http://127.0.0.1.evil.test", 403],
    ["http://localhost.evil.test", 403],
    ["null", 403],
    ["file://", 403],
    ["chrome-extension://localhost", 403],
    ["nonsense", 403],
  ])("%p gets %d", async (origin, status) => {
    const service = await open({ settings: { addresses: { host: null, origins } } });
    const key = await service.key();
    const answer = await post(service, LIST, { key, ...(origin === undefined ? {} : { headers: { origin } }) });
    expect(answer.status).toBe(status);
    if (status === 403) expect((await problemOf(answer)).code).toBe("origin.refused");
  });
});

describe("a request", () => {
  test.each([
    ["over 64 KiB", call("find_companies", { q: "a".repeat(70_000) }), 413, "request.too_large"],
    [
      "of eleven messages",
      Array.from({ length: 11 }, (_, at) => call("find_companies", {}, at)),
      422,
      "request.invalid",
    ],
  ])("%s is refused", async (_, json, status, code) => {
    const service = await open();
    const problem = await problemOf(await post(service, json, { key: await service.key() }));
    expect([problem.status, problem.code]).toEqual([status, code]);
  });

  test("that is not JSON, or declares another type, is refused", async () => {
    const service = await open();
    const key = await service.key();
    const body = "{nonsense";
    const asked = (type: string) => service.ask("/mcp", { body, key, headers: { ...ACCEPT, "content-type": type } });
    expect((await problemOf(await asked("application/json"))).code).toBe("request.not_json");
    expect((await problemOf(await asked("text/plain"))).code).toBe("request.media_type");
  });

  test.each([
    "null",
    "7",
    '"x"',
    "[]",
    "[[]]",
    "{}",
    '[{"method":"notifications/cancelled","params":null}]',
    '{"jsonrpc":"2.0","id":{},"method":"tools/call"}',
  ])("that is %s gets a protocol error", async (body) => {
    const service = await open();
    const headers = { ...ACCEPT, "content-type": "application/json" };
    const answer = await service.ask("/mcp", { body, key: await service.key(), headers });
    expect(answer.status).toBeLessThan(500);
    expect(service.logged().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test.each(["GET", "DELETE", "PUT"])("%s is 405, since there are no sessions", async (method) => {
    const service = await open();
    const answer = await service.ask("/mcp", { method, key: await service.key(), headers: ACCEPT });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("with several messages, as in old revisions, is handled and counted per message", async () => {
    const service = await open({ monthlyLimit: 10 });
    const key = await service.key();
    const answer = await post(service, [call("find_companies", {}, 1), call("get_company", { slug: "nobody" }, 2)], {
      key,
    });
    expect(await answer.text()).toMatch(/"id":[12]\b[\s\S]*"id":[12]\b/);
    expect(await left(service, key)).toBe(9);
  });

  test("is refused with 503 while the service starts or stops", async () => {
    const service = await open();
    service.lifecycle.state = "draining";
    expect((await problemOf(await post(service, LIST, { key: await service.key() }))).code).toBe("service.unready");
  });

  test("that would hold its connection open forever is refused", async () => {
    const service = await open();
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "a-test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const json = {
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
    const answer = await post(service, json, { key: await service.key(), headers });
    expect(await jsonOf(answer)).toMatchObject({ error: { message: expect.stringContaining("limit") } });
  });

  test("is logged and measured like any other, with its id but not its key", async () => {
    const service = await open();
    const key = await service.key();
    const answer = await post(service, LIST, { headers: { "x-request-id": "mine-1", authorization: `Bearer ${key}` } });
    await answer.text();
    expect(answer.headers.get("x-request-id")).toBe("mine-1");
    expect(answer.headers.get("ratelimit")).toContain("r=1000;");
    expect(service.logged()).toMatchObject([{ request_id: "mine-1", method: "POST", route: "/mcp", status: 200 }]);
    expect(JSON.stringify(service.logged())).not.toContain(key);
    const metrics = await (await service.ask("/metrics")).text();
    expect(metrics).toContain('casefile_http_requests_total{method="POST",route="/mcp",status="200"} 1');
  });

  test("is in the reference's text, but not an operation", async () => {
    const service = await open();
    const document = await jsonOf(await service.ask("/openapi.json"));
    expect(document.info.description).toContain("`/mcp`");
    expect(Object.keys(document.paths)).not.toContain("/mcp");
  });
});
