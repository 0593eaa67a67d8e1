import { describe, expect, test } from "bun:test";
import { clientAddress } from "../../src/http/requests.ts";
import { type Opened, open, problemOf } from "./opened.ts";

const issue = ({ ask }: Opened, number: number, from: { peer?: string; headers?: Record<string, string> } = {}) =>
  ask("/v1/keys", { json: { email: `user${number}@brightpine.test` }, ...from });

describe("POST without a key", () => {
  test("the twenty-first of one address within an hour is 429", async () => {
    const clock = () => new Date(clock.time);
    clock.time = Date.parse("2026-05-04T12:00:00Z");
    const service = await open({ clock });
    for (let number = 0; number < 20; number++) expect((await issue(service, number)).status).toBe(201);
    clock.time += 600_000;
    const refused = await issue(service, 20);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("3000");
    expect((await problemOf(refused)).code).toBe("rate.exceeded");
    expect((await issue(service, 21, { peer: "192.0.2.9" })).status).toBe(201);
    clock.time += 3_000_000;
    expect((await issue(service, 20)).status).toBe(201);
  });

  test("refused addresses count too, so that nobody can probe which addresses have a key", async () => {
    const service = await open({ keylessPerHour: 2 });
    await issue(service, 1);
    expect((await issue(service, 1)).status).toBe(409);
    expect((await issue(service, 1)).status).toBe(429);
  });

  test("requests with a key are not limited this way", async () => {
    const { ask, key } = await open({ keylessPerHour: 1 });
    const own = await key();
    for (let count = 0; count < 3; count++)
      expect((await ask("/v1/enrich/brightpine.test", { key: own })).status).toBe(200);
  });

  test("without trusted proxies a client cannot set its address", async () => {
    const service = await open({ keylessPerHour: 1 });
    await issue(service, 1, { headers: { "x-forwarded-for": "192.0.2.1" } });
    expect((await issue(service, 2, { headers: { "x-forwarded-for": "192.0.2.2" } })).status).toBe(429);
  });

  test("behind one proxy the address seen by the proxy counts", async () => {
    const service = await open({ keylessPerHour: 1, settings: { trustProxyHops: 1 } });
    const from = (chain: string) => ({ headers: { "x-forwarded-for": chain } });
    await issue(service, 1, from("192.0.2.1"));
    expect((await issue(service, 2, from("192.0.2.2"))).status).toBe(201);
    expect((await issue(service, 3, from("203.0.113.7, 192.0.2.1"))).status).toBe(429);
    expect((await issue(service, 4, from(`${"203.0.113.8, ".repeat(500)}192.0.2.1`))).status).toBe(429);
  });
});

describe("the client's address", () => {
  test.each([
    [0, "1.1.1.1, 2.2.2.2", "9.9.9.9"],
    [1, null, "9.9.9.9"],
    [1, "1.1.1.1", "1.1.1.1"],
    [1, "1.1.1.1, 2.2.2.2", "2.2.2.2"],
    [2, "1.1.1.1, 2.2.2.2", "1.1.1.1"],
    [2, "2.2.2.2", "2.2.2.2"],
    [3, "1.1.1.1,2.2.2.2 , 3.3.3.3", "1.1.1.1"],
    [1, " , ,", "9.9.9.9"],
    [1, "1.1.1.1:55512", "1.1.1.1"],
    [1, "[2001:db8::1]:443", "2001:db8::1"],
    [1, "2001:db8::1", "2001:db8::1"],
  ])("behind %d proxies, forwarded for %p, is %p", (hops, forwarded, address) => {
    expect(clientAddress("9.9.9.9", forwarded, hops)).toBe(address);
  });
});

describe("GET /metrics", () => {
  test.each([
    ["127.0.0.1", {}, 200],
    ["127.8.8.8", {}, 200],
    ["::1", {}, 200],
    ["::ffff:127.0.0.1", {}, 200],
    ["192.0.2.1", {}, 403],
    ["::ffff:192.0.2.1", {}, 403],
    ["unknown", {}, 403],
    ["127.0.0.1", { "x-forwarded-for": "192.0.2.1" }, 403],
    ["127.0.0.1", { "x-forwarded-for": "127.0.0.1" }, 403],
    ["127.0.0.1", { forwarded: "for=192.0.2.1" }, 403],
  ])("%s with %p is %d", async (peer, headers, status) => {
    for (const trustProxyHops of [0, 1]) {
      const { ask } = await open({ settings: { trustProxyHops } });
      expect((await ask("/metrics", { peer, headers })).status).toBe(status);
    }
  });

  test("are served without a token if they are public", async () => {
    const { ask } = await open({ settings: { metricsPublic: true } });
    expect((await ask("/metrics", { peer: "192.0.2.1" })).status).toBe(200);
  });

  test("are labelled with the route's pattern, never with the requested path", async () => {
    const { ask, key } = await open();
    const own = await key();
    await ask("/v1/enrich/brightpine.test", { key: own });
    await ask("/v1/enrich/https://brightpine.test/x", { key: own });
    await ask("/etc/passwd");
    await ask("/v1/keys", { body: "{", headers: { "content-type": "application/json" } });
    const answer = await ask("/metrics");
    expect(answer.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
    const counted = (await answer.text()).split("\n").filter((line) => line.startsWith("casefile_http_requests_total"));
    expect(counted).toEqual([
      'casefile_http_requests_total{method="GET",route="/v1/enrich/:domain",status="200"} 1',
      'casefile_http_requests_total{method="GET",route="/v1/enrich/*",status="200"} 1',
      'casefile_http_requests_total{method="GET",route="none",status="404"} 1',
      'casefile_http_requests_total{method="POST",route="/v1/keys",status="400"} 1',
    ]);
  });

  test("count the open streams", async () => {
    const { ask, key } = await open();
    const streams = async () => /casefile_streams_open (\d+)/.exec(await (await ask("/metrics")).text())?.[1];
    const answer = await ask("/v1/enrich-stream/stalling.test", { key: await key() });
    expect(await streams()).toBe("1");
    await answer.body?.cancel();
    expect(await streams()).toBe("0");
  });
});

describe("health", () => {
  test("the service is alive", async () => {
    const { ask } = await open();
    expect(await (await ask("/healthz")).text()).toStartWith('{"status":"ok","version":"1.2.3","schema":{"database":');
  });

  test("the service is ready when the store responds", async () => {
    const { ask } = await open();
    const answer = await ask("/readyz");
    expect([answer.status, await answer.text()]).toEqual([200, '{"status":"ready","reason":null,"alarms":[]}']);
  });

  test("an unready service gives the reason", async () => {
    const { ask, lifecycle } = await open();
    lifecycle.state = "draining";
    const answer = await ask("/readyz");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await answer.json()).toEqual({ status: "not ready", reason: "The service is draining.", alarms: [] });
  });

  test("a store that does not respond makes the service unready, but it stays alive", async () => {
    const { ask, app } = await open();
    await app.close();
    expect((await ask("/healthz")).status).toBe(200);
    const answer = await ask("/readyz");
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      status: "not ready",
      reason: "The database does not answer; check the data directory.",
      alarms: [],
    });
  });

  test("a failing index raises an alarm, but the service stays ready", async () => {
    const alarms = ["3 case studies wait for the index: the disk is full"];
    const failing = await open({
      app: { health: { ready: async () => ({ ready: true, reason: null, index: { pending: 3 }, alarms }) } },
    });
    const answer = await failing.ask("/readyz");
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: "ready", reason: null, index: { pending: 3 }, alarms },
    ]);
  });

  test("the index backlog is measured", async () => {
    const failures = { total: 2, first: [{ case_study_id: "a", error: "no vector" }] };
    const snapshots = {
      built_from: "snapshot",
      snapshot_at: "2026-03-01T00:00:00.000Z",
      snapshot_error: null,
    } as const;
    const state = {
      ...{ waiting: 3, oldestSeconds: 40, failures, snapshots },
      ...{ indexError: "the disk is full", optimiseError: null },
    };
    const { ask } = await open({ app: { index: { state: async () => state } } });
    const lines = (await (await ask("/metrics")).text())
      .split("\n")
      .filter((line) => line.startsWith("casefile_index"));
    expect(lines).toEqual([
      "casefile_index_waiting 3",
      "casefile_index_oldest_seconds 40",
      "casefile_index_failed 2",
      'casefile_index_alarm{work="write"} 1',
      'casefile_index_alarm{work="compact"} 0',
      'casefile_index_alarm{work="snapshot"} 0',
      'casefile_index_built{from="database"} 0',
      'casefile_index_built{from="snapshot"} 1',
      "casefile_index_snapshot_timestamp_seconds 1772323200",
    ]);
  });
});
