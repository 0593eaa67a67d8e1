import { expect, test } from "bun:test";
import { connect, queriesOf } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { createWatchRepository, createWebhookRepository } from "../../src/watches/repository.ts";

const clock = () => new Date("2026-05-04T12:00:00.000Z");

async function opened() {
  const database = connect(":memory:");
  await migrate(database, { migrations: MIGRATIONS, dataDir: undefined, clock });
  return queriesOf(database);
}

test("only the newest changes and deliveries are stored", async () => {
  const queries = await opened();
  const [watches, webhooks] = [createWatchRepository(queries, clock, 3), createWebhookRepository(queries, clock, 2)];
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
  await queries.destroy();
});
