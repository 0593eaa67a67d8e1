import { describe, expect, test } from "bun:test";
import { openStore } from "../../src/store.ts";
import { managed } from "./managed.ts";
import { jsonOf, problemOf } from "./opened.ts";

const AT = "2026-05-04T12:00:00.000Z";
const clock = () => new Date(AT);
const URL = "https://hooks.brightpine.test/casefile";

async function opened() {
  const store = await openStore({ dataDir: ":memory:", clock });
  const service = await managed({ store, clock });
  const put = (domain: string, json: unknown = {}) =>
    service.manage(`/admin/watches/${encodeURIComponent(domain)}`, { method: "PUT", json });
  const add = async (url = URL) => await service.manage("/admin/webhooks", { method: "POST", json: { url } });
  return { ...service, store, put, add };
}

const WATCH = {
  ...{ domain: "brightpine.test", every_hours: 168, paused: false, tools_detected: 0, last_scan_at: null },
  ...{ last_outcome: null, last_error: null, next_scan_at: AT, created_at: AT },
};

describe("a watch", () => {
  test("is added, changed, listed and removed", async () => {
    const { put, manage } = await opened();
    const made = await put("https://www.Brightpine.test/about");
    expect([made.status, await jsonOf(made)]).toEqual([200, WATCH]);
    expect(await jsonOf(await put("brightpine.test", { every_hours: 24, paused: true }))).toEqual({
      ...WATCH,
      ...{ every_hours: 24, paused: true },
    });
    expect(await jsonOf(await put("brightpine.test", { paused: false }))).toEqual({ ...WATCH, every_hours: 24 });
    expect(await jsonOf(await manage("/admin/watches"))).toEqual({
      ...{ watches: [{ ...WATCH, every_hours: 24 }], total: 1, next_cursor: null },
    });
    const removed = await manage("/admin/watches/brightpine.test", { method: "DELETE" });
    expect([removed.status, await jsonOf(removed)]).toEqual([200, { ...WATCH, every_hours: 24 }]);
    const again = await manage("/admin/watches/brightpine.test", { method: "DELETE" });
    expect([again.status, (await problemOf(again)).code]).toEqual([404, "watch.not_found"]);
  });

  test.each([
    ["192.0.2.7", {}, 422, "domain.invalid"],
    ["acme.onion", {}, 422, "domain.reserved"],
    ["acme.test", { every_hours: 0 }, 422, "request.invalid"],
    ["acme.test", { every_hours: 8_761 }, 422, "request.invalid"],
    ["acme.test", { every: 24 }, 422, "request.invalid"],
    ["acme.test", { paused: "yes" }, 422, "request.invalid"],
  ])("of %s as %j is refused with %i %s", async (domain, json, status, code) => {
    const answer = await (await opened()).put(domain, json);
    expect([answer.status, (await problemOf(answer)).code]).toEqual([status, code]);
  });
});

describe("changes", () => {
  async function changed() {
    const service = await opened();
    await service.put("brightpine.test");
    await service.store.watches.recordScan(
      "brightpine.test",
      {
        ...{ at: AT, outcome: "changed", toolsDetected: 3, baseline: {}, needsVerification: false, intervalFactor: 1 },
        changes: [
          {
            ...{ change: "appeared", tool_id: "gauge", tool: "Gauge", category: "Analytics" },
            ...{ confidence: 0.9, evidence: "html.script cdn.gauge.test" },
          },
        ],
      },
      async () => {},
    );
    return service;
  }

  test("are listed", async () => {
    const { manage } = await changed();
    expect(await jsonOf(await manage("/admin/changes?domain=www.brightpine.test&since=2026-05-04"))).toEqual({
      changes: [
        {
          ...{ domain: "brightpine.test", change: "appeared", tool_id: "gauge", tool: "Gauge", category: "Analytics" },
          ...{ confidence: 0.9, evidence: "html.script cdn.gauge.test" },
          ...{ at: AT, previous_at: AT, first_seen: AT, last_seen: AT },
        },
      ],
      ...{ total: 1, next_cursor: null },
    });
    expect((await jsonOf(await manage("/admin/changes?since=2026-05-04T14:00:00%2B01:00"))).total).toBe(0);
    expect((await jsonOf(await manage("/admin/changes?domain=other.test"))).total).toBe(0);
  });

  test.each([
    ["since=yesterday", "query.invalid"],
    ["since=2026-02-31T", "query.invalid"],
    ["since=2026-13-01", "query.invalid"],
    ["since=2026-02-30", "query.invalid"],
    ["since=2026-02-30T00:00:00Z", "query.invalid"],
    ["domain=192.0.2.7", "domain.invalid"],
    ["cursor=x", "cursor.invalid"],
    ["tool=gauge", "request.invalid"],
  ])("?%s is refused with 422 %s", async (query, code) => {
    const answer = await (await opened()).manage(`/admin/changes?${query}`);
    expect([answer.status, (await problemOf(answer)).code]).toEqual([422, code]);
  });
});

describe("a webhook", () => {
  test("shows its secret when it is added and when it is rotated, and never again", async () => {
    const { add, manage } = await opened();
    const answer = await add();
    const { secret, ...webhook } = await jsonOf(answer);
    expect([answer.status, secret]).toEqual([201, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wh_[0-9A-Za-z]{20}$/),
      ...{ url: URL, state: "active", created_at: AT, last_success_at: null },
    });
    expect(await jsonOf(await manage("/admin/webhooks"))).toEqual({
      ...{ webhooks: [webhook], total: 1, next_cursor: null },
    });
    const rotated = await jsonOf(await manage(`/admin/webhooks/${webhook.id}/rotate`, { method: "POST" }));
    expect(rotated).toEqual({ ...webhook, secret: expect.stringMatching(/^whsec_/) });
    expect(rotated.secret).not.toBe(secret);
    expect(await jsonOf(await manage(`/admin/webhooks/${webhook.id}`, { method: "DELETE" }))).toEqual(webhook);
    expect((await jsonOf(await manage("/admin/webhooks"))).total).toBe(0);
  });

  test("is tested at once, and the test is listed", async () => {
    const { add, manage } = await opened();
    const { id } = await jsonOf(await add());
    const tested = await jsonOf(await manage(`/admin/webhooks/${id}/test`, { method: "POST" }));
    expect(tested).toEqual({
      id: expect.stringMatching(/^msg_[0-9A-Za-z]{24}$/),
      ...{ webhook_id: id, type: "webhook.test", state: "delivered", attempts: 1, last_status: 204 },
      ...{ last_error: null, next_attempt_at: null, created_at: AT },
    });
    const listed = { deliveries: [tested], total: 1, next_cursor: null };
    expect(await jsonOf(await manage(`/admin/webhooks/deliveries?webhook=${id}&state=delivered`))).toEqual(listed);
    expect((await jsonOf(await manage("/admin/webhooks/deliveries?state=waiting"))).total).toBe(0);
  });

  const NEEDS_BLOCK = "To allow it, change net.allow_cidrs.";
  test.each([
    ["http://10.0.0.1/", NEEDS_BLOCK],
    ["http://127.0.0.1/", NEEDS_BLOCK],
    ["http://2130706433/", NEEDS_BLOCK],
    ["http://169.254.169.254/latest", NEEDS_BLOCK],
    ["http://[::1]/", NEEDS_BLOCK],
    ["http://[fe80::1]/", NEEDS_BLOCK],
    ["http://[::ffff:192.168.0.1]/", NEEDS_BLOCK],
    ["http://localhost/", NEEDS_BLOCK],
    ["http://Hooks.LOCALHOST./", NEEDS_BLOCK],
    ["https://acme.test:8443/", "To allow it, change net.extra_ports."],
    ["ftp://acme.test/", "the scheme ftp: is not allowed."],
    ["https://ana:word@acme.test/", "a user or password in the URL is not allowed."],
    ["nonsense", '"nonsense" is not a URL: give an http or https URL, such as https://hooks.acme.com/casefile.'],
  ])("at %p is refused, with the setting that would allow it", async (url, words) => {
    const { add, manage } = await opened();
    const answer = await add(url);
    expect(answer.status).toBe(422);
    expect(await problemOf(answer)).toMatchObject({
      ...{ code: "webhook.invalid", detail: expect.stringContaining(words), errors: [{ pointer: "/url" }] },
    });
    expect((await jsonOf(await manage("/admin/webhooks"))).total).toBe(0);
  });

  test("with too long a URL is refused", async () => {
    const answer = await (await opened()).add(`https://acme.test/${"x".repeat(2_100)}`);
    expect([answer.status, (await problemOf(answer)).errors?.[0]?.pointer]).toEqual([422, "/url"]);
  });

  test("is refused beyond twenty", async () => {
    const { add } = await opened();
    for (let made = 0; made < 20; made++) expect((await add(`https://hooks.acme.test/${made}`)).status).toBe(201);
    const answer = await add("https://hooks.acme.test/20");
    expect([answer.status, (await problemOf(answer)).code]).toEqual([409, "webhook.limit"]);
  });

  test("is refused at a URL that another one uses", async () => {
    const { add } = await opened();
    const { id } = await jsonOf(await add("https://hooks.acme.test/a"));
    const problem = await problemOf(await add("https://HOOKS.acme.test:443/a"));
    expect([problem.status, problem.code, problem.detail]).toEqual([
      ...[409, "webhook.exists"],
      `Webhook ${id} already has this URL; rotate its secret if you lost it, or remove it first.`,
    ]);
  });

  test.each([
    ["DELETE", "/admin/webhooks/wh_nobody"],
    ["POST", "/admin/webhooks/wh_nobody/rotate"],
    ["POST", "/admin/webhooks/wh_nobody/test"],
  ])("that does not exist: %s %s", async (method, path) => {
    const answer = await (await opened()).manage(path, { method });
    expect([answer.status, (await problemOf(answer)).code]).toEqual([404, "webhook.not_found"]);
  });

  test("that is failing or disabled is an alarm of readiness", async () => {
    const { add, store, ask } = await opened();
    const { id } = await jsonOf(await add());
    await store.webhooks.enqueue([{ id: "msg_1", webhook: id, type: "x", body: "{}" }]);
    const failed = { attempts: 10, state: "failed", status: 500, error: "x", retryInSeconds: null } as const;
    for (const [webhook, words] of [
      ["failing", `Webhook ${id} does not accept its messages; list the deliveries to see why.`],
      ["disabled", `Webhook ${id} is disabled because its endpoint answered 410; remove it, or test it.`],
    ] as const) {
      await store.webhooks.recordAttempt("msg_1", { ...failed, webhook });
      expect((await jsonOf(await ask("/readyz"))).alarms).toContain(words);
    }
  });
});

test.each([
  ["GET", "/admin/watches"],
  ["PUT", "/admin/watches/acme.test"],
  ["DELETE", "/admin/watches/acme.test"],
  ["GET", "/admin/changes"],
  ["GET", "/admin/webhooks"],
  ["POST", "/admin/webhooks"],
  ["GET", "/admin/webhooks/deliveries"],
  ["DELETE", "/admin/webhooks/wh_1"],
  ["POST", "/admin/webhooks/wh_1/rotate"],
  ["POST", "/admin/webhooks/wh_1/test"],
])("needs the operator token: %s %s", async (method, path) => {
  const { ask } = await opened();
  const body = method === "PUT" || path === "/admin/webhooks" ? { json: {} } : {};
  const answer = await ask(path, { method, ...(method === "GET" ? {} : body) });
  expect((await problemOf(answer)).code).toBe("operator.invalid");
});
