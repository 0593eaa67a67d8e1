import { afterEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import type { Socket } from "node:net";
import { type Runner, startRunner } from "../../src/jobs/runner.ts";
import { type NetworkClient, type NetworkSettings, openNetworkClient } from "../../src/net/client.ts";
import { deliver, makeSecret } from "../../src/watches/webhooks.ts";
import { storeWithClock } from "../casestudies/study-examples.ts";
import { closeAll, HASTY, response, serveRaw, settings } from "../net/loopback.ts";

const BODY = '{"type":"domain.tools_changed","data":{"domain":"acme.test"}}';
const SECRET = makeSecret();

const clients: NetworkClient[] = [];
const runners: Pick<Runner, "stop">[] = [];
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop();
  for (const network of clients.splice(0)) network.close();
  closeAll();
});

/** A status, a whole response, whatever is done with the socket, or silence. */
type Reply = string | Buffer | ((socket: Socket) => void) | null;

/** A receiver that answers in turn, the last answer for ever; and what is delivered to it. */
async function receiving(answers: readonly Reply[], more: Partial<NetworkSettings> = {}) {
  let answered = 0;
  const { port, heads } = await serveRaw((socket) => {
    const answer = answers[Math.min(answered++, answers.length - 1)];
    if (typeof answer === "function") answer(socket);
    else if (answer) socket.end(typeof answer === "string" ? response("", [], answer) : answer);
  });
  const opened = await storeWithClock();
  const { webhooks } = opened;
  await webhooks.add({ id: "wh_1", url: `http://127.0.0.1:${port}/hook?of=acme`, secret: SECRET }, 1);
  await webhooks.enqueue([{ id: "msg_1", webhook: "wh_1", type: "domain.tools_changed", body: BODY }]);
  const network = openNetworkClient(settings({ extraPorts: [port], ...more }));
  clients.push(network);
  const start = () => {
    const runner = startRunner({
      ...{ queue: webhooks, concurrency: 2, pollMs: 3_600_000, leaseSeconds: 60, random: () => 0, onQueueError() {} },
      handlers: { webhook: deliver(webhooks, { network, clock: opened.clock, random: () => 0 }) },
      onFailure(_, error) {
        throw error;
      },
    });
    runners.push(runner);
    return runner;
  };
  const latest = async () => {
    const [delivery] = (await webhooks.listDeliveries({}, { limit: 1 })).deliveries;
    const [webhook] = await webhooks.list();
    return { ...delivery, endpoint: webhook?.state };
  };
  return { ...opened, start, latest, heads, port };
}

const headerIn = (head = "", name = "") => new RegExp(`^${name}: (.*)\r$`, "im").exec(head)?.[1] ?? "";

function isSigned(head: string | undefined): boolean {
  const [id, at] = [headerIn(head, "webhook-id"), headerIn(head, "webhook-timestamp")];
  const key = Buffer.from(SECRET.slice(6), "base64");
  const mac = createHmac("sha256", key).update(`${id}.${at}.${BODY}`).digest("base64");
  return headerIn(head, "webhook-signature") === `v1,${mac}`;
}

test("a message is posted as signed JSON, and any 2xx delivers it", async () => {
  const { start, latest, heads, port, clock } = await receiving(["202 Accepted"]);
  await start().idle();
  const [head = ""] = heads;
  expect(head).toStartWith(`POST /hook?of=acme HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
  expect(head).toEndWith(`\r\n\r\n${BODY}`);
  expect([headerIn(head, "content-type"), headerIn(head, "webhook-id")]).toEqual(["application/json", "msg_1"]);
  expect(headerIn(head, "webhook-timestamp")).toBe(String(Math.floor(clock().getTime() / 1_000)));
  expect(isSigned(head)).toBe(true);
  expect(await latest()).toMatchObject({
    ...{ state: "delivered", attempts: 1, last_status: 202, last_error: null, next_attempt_at: null },
    endpoint: "active",
  });
});

test("a failed message is retried under its id with a new timestamp until it is delivered", async () => {
  const elsewhere = response("", ["Location: /elsewhere"], "302 Found");
  const answers = ["500 Broken", "404 Not Found", elsewhere, "200 OK"];
  const { start, latest, heads, after } = await receiving(answers);
  const runner = start();
  const seen = [];
  for (const wait of [5, 300, 1_800]) {
    await runner.idle();
    seen.push(await latest());
    after(wait - 1);
    runner.wake();
    await runner.idle();
    after(1);
    runner.wake();
  }
  await runner.idle();
  expect(seen).toMatchObject([
    { state: "waiting", attempts: 1, last_status: 500, last_error: "The endpoint answered 500." },
    { state: "waiting", attempts: 2, last_status: 404, last_error: "The endpoint answered 404." },
    { state: "waiting", attempts: 3, last_status: 302, last_error: "The endpoint answered 302." },
  ]);
  expect(await latest()).toMatchObject({ state: "delivered", attempts: 4 });
  expect(heads.map((head) => headerIn(head, "webhook-id"))).toEqual(Array(4).fill("msg_1"));
  expect(new Set(heads.map((head) => headerIn(head, "webhook-timestamp"))).size).toBe(4);
  expect(heads.every(isSigned)).toBe(true);
});

test("a message fails after ten attempts, and its webhook is failing until it accepts one", async () => {
  const { start, latest, heads, after, webhooks } = await receiving([...Array(10).fill("503 Busy"), "200 OK"]);
  const runner = start();
  for (let attempt = 0; attempt < 12; attempt++) {
    await runner.idle();
    after(100_000);
    runner.wake();
  }
  await runner.idle();
  expect(heads).toHaveLength(10);
  expect(await latest()).toMatchObject({ state: "failed", attempts: 10, last_status: 503, endpoint: "failing" });
  await webhooks.enqueue([{ id: "msg_2", webhook: "wh_1", type: "x", body: BODY }]);
  runner.wake();
  await runner.idle();
  expect(await latest()).toMatchObject({ id: "msg_2", state: "delivered", endpoint: "active" });
});

test.each([
  ["429 Too Many Requests", "120", 120],
  ["503 Busy", "Wed, 31 Dec 2098 23:59:59 GMT", 86_400],
  ["503 Busy", "soon", 5],
  ["500 Broken", "120", 5],
])("%s with Retry-After %s is retried after %i s", async (status, value, seconds) => {
  const { start, latest, clock } = await receiving([response("", [`Retry-After: ${value}`], status)]);
  await start().idle();
  const { next_attempt_at } = await latest();
  expect(Date.parse(next_attempt_at ?? "") - clock().getTime()).toBe(seconds * 1_000);
});

test("410 disables the webhook: its waiting deliveries are not sent", async () => {
  const { start, latest, heads, webhooks, after } = await receiving(["410 Gone"]);
  await webhooks.enqueue([{ id: "msg_2", webhook: "wh_1", type: "x", body: BODY, waitSeconds: 60 }]);
  const runner = start();
  await runner.idle();
  after(60);
  runner.wake();
  await runner.idle();
  expect(heads).toHaveLength(1);
  expect(await latest()).toMatchObject({
    ...{ id: "msg_2", state: "failed", attempts: 0, last_error: "The endpoint is disabled.", endpoint: "disabled" },
  });
});

describe("network limits", () => {
  test("a message is not sent to an address that is not allowed", async () => {
    const { start, latest, heads } = await receiving(["200 OK"], { allowCidrs: [] });
    await start().idle();
    expect(heads).toEqual([]);
    expect(await latest()).toMatchObject({ state: "waiting", last_status: null, endpoint: "active" });
    expect((await latest()).last_error).toMatch(/^Not reached: the address 127\.0\.0\.1 is not allowed\.$/);
  });

  test("a silent receiver times out", async () => {
    const { start, latest } = await receiving([null], HASTY);
    await start().idle();
    expect(await latest()).toMatchObject({ state: "waiting", attempts: 1, last_status: null });
    expect((await latest()).last_error).toStartWith("Not reached: no complete answer within");
  });

  test("an endless response is cut off after its first bytes", async () => {
    const endless = (socket: Socket) => {
      const feed = () => {
        while (!socket.destroyed && socket.write("x".repeat(10_000)));
      };
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.on("drain", feed);
      feed();
    };
    const { start, latest } = await receiving([endless]);
    await start().idle();
    expect(await latest()).toMatchObject({ state: "delivered", last_status: 200 });
  });
});

test("a message in flight when the service stops is sent again under its id, and counts once", async () => {
  const { start, latest, heads } = await receiving([null, "200 OK"], { firstByteMs: 60_000, exchangeMs: 60_000 });
  const runner = start();
  while (heads.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await runner.stop();
  expect(await latest()).toMatchObject({ state: "waiting", attempts: 0 });
  await start().idle();
  expect(heads.map((head) => headerIn(head, "webhook-id"))).toEqual(["msg_1", "msg_1"]);
  expect(await latest()).toMatchObject({ state: "delivered", attempts: 1 });
});
