import { expect, test } from "bun:test";
import { clockInProcess } from "../../src/db/clock.ts";
import { connect, queriesOf } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { createNode } from "../../src/db/node.ts";
import { createWatchRepository, createWebhookRepository } from "../../src/watches/repository.ts";

const clock = () => new Date("2026-05-04T12:00:00.000Z");

async function opened() {
  const database = connect(":memory:");
  await migrate(database, { migrations: MIGRATIONS, dataDir: undefined, clock });
  return { ...queriesOf(database), database };
}

test("only the newest changes and deliveries are stored", async () => {
  const { queries, lazyQueries, database } = await opened();
  const leasing = { lazyQueries, databaseClock: clockInProcess(clock), node: createNode(undefined) };
  const watches = createWatchRepository(queries, leasing, clock, 3);
  const webhooks = createWebhookRepository(queries, leasing, clock, 2);
  await watches.put("acme.test", {}, { everyHours: 1, max: 1 });
  await webhooks.add({ id: "wh_1", url: "https://acme.test/", secret: "whsec_" }, 1);
  for (const id of ["a", "b", "c", "d", "e"]) {
    const change = { change: "appeared", tool_id: id, tool: id, category: "x", confidence: 1, evidence: "" } as const;
    const scan = { at: clock().toISOString(), outcome: "changed", toolsDetected: 1, baseline: {} } as const;
    await watches.recordScan(
      "acme.test",
      { ...scan, changes: [change], needsVerification: false, intervalFactor: 1 },
      (transaction) => webhooks.enqueue([{ id: `msg_${id}`, webhook: "wh_1", type: "x", body: "{}" }], transaction),
    );
  }
  const { changes } = await watches.listChanges({}, { limit: 20 });
  expect(changes.map(({ tool_id }) => tool_id)).toEqual(["e", "d", "c"]);
  const { deliveries } = await webhooks.listDeliveries({}, { limit: 20 });
  expect(deliveries.map(({ id }) => id)).toEqual(["msg_e", "msg_d"]);
  database.close();
});
