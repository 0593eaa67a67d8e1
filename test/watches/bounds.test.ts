import { expect, test } from "bun:test";
import { connect, queriesOf } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { watchesIn, webhooksIn } from "../../src/watches/repository.ts";

const clock = () => new Date("2026-05-04T12:00:00.000Z");

async function opened() {
  const database = connect(":memory:");
  await migrate(database, { migrations: MIGRATIONS, dataDir: undefined, clock });
  return queriesOf(database);
}

test("of changes and of deliveries the newest are kept", async () => {
  const queries = await opened();
  const [watches, webhooks] = [watchesIn(queries, clock, 3), webhooksIn(queries, clock, 2)];
  await watches.put("acme.test", {}, { everyHours: 1, most: 1 });
  await webhooks.add({ id: "wh_1", url: "https://acme.test/", secret: "whsec_" }, 1);
  for (const id of ["a", "b", "c", "d", "e"]) {
    const change = { change: "appeared", tool_id: id, tool: id, category: "x", confidence: 1, evidence: "" } as const;
    const look = { at: clock().toISOString(), outcome: "changed", toolsDetected: 1, known: {} } as const;
    await watches.looked("acme.test", { ...look, changes: [change], unsure: false, stretch: 1 }, (transaction) =>
      webhooks.deliver([{ id: `msg_${id}`, webhook: "wh_1", type: "x", body: "{}" }], transaction),
    );
  }
  const { changes } = await watches.changes({}, { limit: 20 });
  expect(changes.map(({ tool_id }) => tool_id)).toEqual(["e", "d", "c"]);
  const { deliveries } = await webhooks.deliveries({}, { limit: 20 });
  expect(deliveries.map(({ id }) => id)).toEqual(["msg_e", "msg_d"]);
  await queries.destroy();
});
