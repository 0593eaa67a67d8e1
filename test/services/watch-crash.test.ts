import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatedChange, Delivery, Watch } from "../../src/watches/types.ts";
import { type Box, openBox } from "../box/box.ts";
import type { World } from "../box/company.ts";
import { flagsInto, until } from "./boxed-app.ts";

const HUBSPOT = '<script src="https://js.hs-scripts.com/123.js"></script>';
const STRIPE = '<script src="https://js.stripe.com/v3/"></script>';
const world = (script: string): World => ({
  companies: [{ domain: "brightpine.test", pages: { "/": `<title>Brightpine</title>${script}`, "www/": script } }],
});

interface Message {
  readonly id: string | null;
  readonly at: string | null;
  readonly signature: string | null;
  readonly body: string;
}

let box: Box;
let dataDir: string;
let flags: string[];
/** All messages that the receiver got; it responds only while `isAnswering`. */
const received: Message[] = [];
let isAnswering = false;
let receiver: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "casefile-watching-"));
  box = await openBox(world(HUBSPOT));
  receiver = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0, idleTimeout: 0 },
    async fetch(request) {
      const header = (name: string) => request.headers.get(`webhook-${name}`);
      const [id, at, signature] = [header("id"), header("timestamp"), header("signature")];
      received.push({ id, at, signature, body: await request.text() });
      return isAnswering ? new Response(null, { status: 204 }) : await new Promise<never>(() => {});
    },
  });
  const given = { ...(await flagsInto(box, dataDir)), "net-extra-ports": receiver.port };
  flags = Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]);
});
afterAll(async () => {
  await Promise.all([box.close(), receiver.stop(true)]);
  await rm(dataDir, { recursive: true });
});

/** The program itself, as a user starts it. */
async function start() {
  const main = join(import.meta.dir, "../../src/main.ts");
  const argv = ["serve", "--port", "0", "--no-starter", ...flags];
  const child = Bun.spawn([process.execPath, main, ...argv], { stderr: "ignore" });
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes("Try it")) break;
  }
  return {
    url: /running at (http:\/\/\S+)/.exec(text)?.[1] ?? "",
    token: /Operator token, shown until it is first used: (\S+)/.exec(text)?.[1],
    async end(signal: "SIGKILL" | "SIGTERM") {
      child.kill(signal);
      return await child.exited;
    },
  };
}

/** As if the time until the next scan had passed. */
function makeDue(): void {
  const database = new Database(join(dataDir, "casefile.sqlite"));
  database.run("update watches set run_after = '2020-01-01T00:00:00.000Z'");
  database.close();
}

test("a service killed during a delivery sends the message again with the same id, and stores the change once", async () => {
  let service = await start();
  const { token } = service;
  const ask = async <T>(path: string, method = "GET", body?: unknown): Promise<T> => {
    const answer = await fetch(`${service.url}/admin/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const watch = async () => (await ask<{ watches: Watch[] }>("watches")).watches[0];
  const changes = async () => (await ask<{ changes: DatedChange[] }>("changes")).changes;

  const { secret } = await ask<{ secret: string }>("webhooks", "POST", { url: `http://127.0.0.1:${receiver.port}/` });
  await ask("watches/brightpine.test", "PUT", {});
  await until(async () => (await watch())?.last_outcome === "baseline");
  expect(await service.end("SIGTERM")).toBe(0);

  box.describe(world(STRIPE));
  makeDue();
  service = await start();
  await until(async () => received.length > 0);
  await service.end("SIGKILL");

  isAnswering = true;
  makeDue();
  service = await start();
  const delivered = async () =>
    (await ask<{ deliveries: Delivery[] }>("webhooks/deliveries?state=delivered")).deliveries;
  await until(async () => (await delivered()).length === 2);
  await until(async () => (await changes()).some(({ change }) => change === "disappeared"));

  expect((await changes()).map(({ change, tool_id }) => `${change} ${tool_id}`).sort()).toEqual([
    "appeared stripe",
    "disappeared hubspot",
  ]);
  const messages = received.map(({ body }) => JSON.parse(body));
  expect(messages.map(({ data }) => [data.appeared.length, data.disappeared.length])).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
  ]);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  for (const { id, at, signature, body } of received)
    expect(signature).toBe(`v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`);
  const [first, again, other] = received.map(({ id }) => id);
  expect(again).toBe(String(first));
  expect(other).not.toBe(first);
  expect((await delivered()).map(({ id, attempts }) => [id, attempts])).toEqual([
    [String(other), 1],
    [String(first), 2],
  ]);
  expect(await service.end("SIGTERM")).toBe(0);
}, 120_000);
