import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { openStore } from "../../src/store.ts";
import { managed } from "../http/managed.ts";
import { jsonOf } from "../http/opened.ts";

test("an operator sees the node that answers: its release, what it works on, its clock, and what its index lacks", async () => {
  const contents = { rules: () => "abc123", model: async () => "model-1", problem: () => null };
  const store = await openStore({ dataDir: ":memory:", version: "1.2.3", contents });
  const { manage, app } = await managed({ store, studies: true });
  const nodes = async () => (await jsonOf(await manage("/admin/nodes"))).nodes;
  expect(await nodes()).toEqual([]);

  await app.nodes.enter();
  await store.outbox.requeueAll();
  await store.jobs.add({ kind: "mail", subject: crypto.randomUUID() });
  await store.jobs.add({ kind: "mail", subject: crypto.randomUUID() });
  await store.jobs.claim(["mail"], 60);
  expect(await nodes()).toEqual([
    {
      id: store.node.id,
      host: hostname(),
      version: "1.2.3",
      started_at: expect.any(String),
      seen_at: expect.any(String),
      rules: "abc123",
      model: "model-1",
      waiting: (await app.index.state()).waiting,
      working: 1,
      own: true,
      problem: null,
      clock_ahead_ms: expect.any(Number),
      clock_off: false,
    },
  ]);
  const [{ clock_ahead_ms, waiting }] = await nodes();
  expect(Math.abs(clock_ahead_ms)).toBeLessThan(1_000);
  expect(waiting).toBeGreaterThan(0);

  // A lease of another node, and one that has expired, are not its work.
  const lease = "00000000-0000-4000-8000-000000000000:1";
  await store.queries.updateTable("jobs").set({ lease }).where("lease", "is not", null).execute();
  expect((await nodes())[0].working).toBe(0);
  const past = { lease: `${store.node.id}:1`, leased_until: "2020-01-01T00:00:00.000Z" };
  await store.queries.updateTable("jobs").set(past).where("lease", "is not", null).execute();
  expect((await nodes())[0].working).toBe(0);
  await app.close();
});
