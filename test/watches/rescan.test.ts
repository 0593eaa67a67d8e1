import { expect, test } from "bun:test";
import { Failure } from "../../src/core/errors.ts";
import { startRunner } from "../../src/jobs/runner.ts";
import { rescan } from "../../src/watches/worker.ts";
import { storeWithClock } from "../casestudies/study-examples.ts";
import { enrichmentOf, seenOf } from "../services/fake-app.ts";

type Scripted = readonly string[] | Error | "hangs";

/** A watched domain whose scans detect these tools, one list per scan. */
async function watched(...scans: readonly Scripted[]) {
  const opened = await storeWithClock();
  const { watches, webhooks } = opened;
  await watches.put("acme.test", {}, { everyHours: 24, max: 1 });
  let [scanned, ids, woken] = [0, 0, 0];
  const runner = startRunner({
    ...{
      queue: watches,
      concurrency: 1,
      pollMs: 3_600_000,
      leaseSeconds: 60,
      random: () => 0,
      onFailure() {},
      onQueueError() {},
    },
    handlers: {
      watch: rescan({
        watches,
        webhooks,
        falsePositives: opened.feedback.ofDomain,
        async enrich(domain, options) {
          const scan = scans[scanned++] ?? [];
          if (scan === "hangs")
            return await new Promise((_, reject) => options?.signal?.addEventListener("abort", reject));
          if (scan instanceof Error) throw scan;
          return enrichmentOf(domain, {
            detections: scan.map((tool) => seenOf(tool, "Analytics")),
            sources: [{ source: "home-page", status: "ok", duration_ms: 1, detail: null }],
            scanned_at: opened.clock().toISOString(),
          });
        },
        ...{ rules: () => "today", requires: () => [], makeMessageId: () => `msg_${++ids}`, random: () => 0 },
        onChange: () => void woken++,
      }),
    },
  });
  /** Runs all due jobs, then advances the clock. */
  const pass = async (hours: number) => {
    runner.wake();
    await runner.idle();
    opened.after(hours * 3_600);
  };
  const add = (id: string) => webhooks.add({ id, url: "https://hooks.acme.test/", secret: "whsec_" }, 9);
  const sent = async () => {
    const { deliveries } = await webhooks.listDeliveries({}, { limit: 20 });
    return Promise.all(
      deliveries.map(async ({ id, webhook_id }) => ({
        id,
        webhook_id,
        message: JSON.parse((await webhooks.findOutgoing(id))?.body ?? ""),
      })),
    );
  };
  return { ...opened, runner, pass, add, sent, scanned: () => scanned, woken: () => woken };
}

test("a change is stored and sent to every webhook once, each under its own id", async () => {
  const { pass, add, sent, watches, woken, runner, clock } = await watched(
    ["Gauge"],
    ["Gauge", "Meter"],
    ["Gauge", "Meter"],
  );
  await add("wh_1");
  await add("wh_2");
  await pass(24);
  expect([await sent(), woken()]).toEqual([[], 0]);
  const at = clock().toISOString();
  await pass(24);
  await pass(24);
  const messages = await sent();
  expect(messages.map(({ id, webhook_id }) => [id, webhook_id])).toEqual([
    ["msg_4", "wh_2"],
    ["msg_3", "wh_1"],
  ]);
  expect(messages[0]?.message).toEqual({
    type: "domain.tools_changed",
    timestamp: at,
    data: {
      domain: "acme.test",
      appeared: [
        {
          ...{ tool_id: "meter", tool: "Meter", category: "Analytics", confidence: 0.9 },
          evidence: "html.script https://cdn.meter.test/loader.js",
        },
      ],
      ...{ disappeared: [], omitted: 0, tools_detected: 2, scanned_at: at },
    },
  });
  expect(messages[1]?.message).toEqual(messages[0]?.message);
  expect(woken()).toBe(1);
  expect((await watches.listChanges({}, { limit: 9 })).changes).toMatchObject([{ change: "appeared", tool: "Meter" }]);
  expect((await watches.find("acme.test"))?.watch).toMatchObject({ last_outcome: "unchanged", tools_detected: 2 });
  await runner.stop();
});

test("a disabled webhook receives nothing", async () => {
  const { pass, add, sent, webhooks } = await watched([], ["Gauge"]);
  for (const id of ["wh_1", "wh_2"]) await add(id);
  await webhooks.enqueue([{ id: "msg_test", webhook: "wh_1", type: "x", body: "{}" }]);
  const gone = {
    attempts: 1,
    state: "failed",
    status: 410,
    error: "The endpoint answered 410.",
    retryInSeconds: null,
  } as const;
  await webhooks.recordAttempt("msg_test", { ...gone, webhook: "disabled" });
  await pass(24);
  await pass(24);
  expect((await sent()).map(({ webhook_id }) => webhook_id)).toEqual(["wh_2", "wh_1"]);
});

test("a missed tool is verified within the hour before its disappearance is reported", async () => {
  const { pass, watches, scanned } = await watched(["Gauge"], [], []);
  await pass(24);
  await pass(1);
  expect((await watches.listChanges({}, { limit: 9 })).total).toBe(0);
  await pass(0);
  expect(scanned()).toBe(3);
  expect((await watches.listChanges({}, { limit: 9 })).changes).toMatchObject([
    { change: "disappeared", tool: "Gauge" },
  ]);
});

test("a failed scan is recorded and retried, and keeps the baseline", async () => {
  const refusal = new Failure("dns.unreachable", "DNS gave no answer.");
  const { pass, watches } = await watched(["Gauge"], refusal, ["Gauge"]);
  await pass(24);
  await pass(0);
  const failed = await watches.find("acme.test");
  expect(failed?.watch).toMatchObject({ last_outcome: "failed", tools_detected: 1 });
  expect(failed?.watch.last_error).toContain("DNS gave no answer.");
  await pass(1);
  await pass(1);
  expect((await watches.find("acme.test"))?.watch).toMatchObject({ last_outcome: "unchanged", last_error: null });
});

test("a reported false positive disappears without a change", async () => {
  const { pass, watches, feedback } = await watched(["Gauge", "Meter"], ["Meter"], ["Meter"]);
  await pass(24);
  await feedback.save({ domain: "acme.test", tool_id: "gauge", tool: "Gauge", rules: ["gauge/loader"], note: null });
  await pass(24);
  await pass(24);
  expect((await watches.listChanges({}, { limit: 9 })).total).toBe(0);
});

test("a paused or removed watch is not scanned", async () => {
  const { watches, runner, scanned } = await watched(["Gauge"]);
  const job = await watches.claim(["watch"], 60);
  await watches.put("acme.test", { paused: true }, { everyHours: 1, max: 1 });
  await watches.release(job!);
  runner.wake();
  await runner.idle();
  await watches.remove("acme.test");
  runner.wake();
  await runner.idle();
  expect(scanned()).toBe(0);
});

test("a stopping service releases its running scan without counting the attempt, and starts no more", async () => {
  const { watches, runner, scanned } = await watched("hangs", ["Gauge"]);
  runner.wake();
  while (scanned() === 0) await new Promise((resolve) => setImmediate(resolve));
  await runner.stop();
  runner.wake();
  await runner.idle();
  expect(scanned()).toBe(1);
  expect((await watches.find("acme.test"))?.watch).toMatchObject({ last_outcome: null, last_error: null });
  expect(await watches.claim(["watch"], 60)).toMatchObject({ attempts: 1 });
});

test("a change that another process reported after this lease expired is not reported again", async () => {
  const opened = await storeWithClock();
  const { watches, webhooks } = opened;
  await watches.put("acme.test", {}, { everyHours: 24, max: 1 });
  await webhooks.add({ id: "wh_1", url: "https://hooks.acme.test/", secret: "whsec_" }, 9);
  let tools = ["Gauge"];
  let ids = 0;
  let meanwhile = async () => {};
  const handle = rescan({
    watches,
    webhooks,
    falsePositives: opened.feedback.ofDomain,
    async enrich(domain) {
      const scan = enrichmentOf(domain, {
        detections: tools.map((tool) => seenOf(tool, "Analytics")),
        sources: [{ source: "home-page", status: "ok", duration_ms: 1, detail: null }],
        scanned_at: opened.clock().toISOString(),
      });
      opened.after(61);
      await meanwhile();
      return scan;
    },
    ...{
      rules: () => "of today",
      requires: () => [],
      makeMessageId: () => `msg_${++ids}`,
      random: () => 0,
      onChange() {},
    },
  });
  const once = async () => {
    const job = await watches.claim(["watch"], 60);
    if (job) await handle(job, new AbortController().signal);
    return job;
  };
  await watches.done((await once())!);
  opened.after(25 * 3_600);
  tools = ["Gauge", "Meter"];
  // Its lease has expired when the scan ends.
  meanwhile = async () => {
    meanwhile = async () => {};
    await once();
  };
  await once();
  expect((await watches.listChanges({}, { limit: 9 })).changes).toMatchObject([{ tool: "Meter" }]);
  expect((await webhooks.listDeliveries({}, { limit: 9 })).total).toBe(1);
});
