import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { queriesOf } from "../../../src/db/database.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { MIGRATIONS } from "../../../src/db/migrations.ts";
import { createDiscoveryRepository } from "../../../src/detection/fingerprints/repository.ts";
import type { UnmatchedSignal } from "../../../src/detection/types.ts";
import { openStore } from "../../../src/store.ts";

const [DAY_1, DAY_2, DAY_3] = ["2026-05-01T00:00:00.000Z", "2026-05-02T00:00:00.000Z", "2026-05-03T00:00:00.000Z"];
const script = (value: string): UnmatchedSignal => ({ kind: "script", value, example: `cdn.${value}` });
const open = async () => (await openStore({ dataDir: ":memory:", clock: () => new Date(DAY_3) })).discovery;

describe("the discovery queue", () => {
  test("sorts by number of companies, highest first", async () => {
    const discovery = await open();
    await discovery.replace("acme.example", DAY_1, [script("one.test"), script("two.test")]);
    await discovery.replace("brightpine.example", DAY_2, [script("two.test")]);
    expect(await discovery.counts({ limit: 10 })).toEqual([
      {
        ...script("two.test"),
        ...{ companies: 2, domain: "acme.example", last_seen: DAY_2 },
      },
      {
        ...script("one.test"),
        ...{ companies: 1, domain: "acme.example", last_seen: DAY_1 },
      },
    ]);
    expect(await discovery.counts({ kind: "alias", limit: 10 })).toEqual([]);
    expect(await discovery.counts({ limit: 1 })).toHaveLength(1);
  });

  test("removes signals that a company's newer scan lacks, and ignores older scans", async () => {
    const discovery = await open();
    await discovery.replace("acme.example", DAY_2, [script("one.test")]);
    await discovery.replace("acme.example", DAY_1, [script("older.test")]);
    expect((await discovery.counts({ limit: 10 })).map(({ value }) => value)).toEqual(["one.test"]);
    await discovery.replace("acme.example", DAY_3, []);
    expect(await discovery.counts({ limit: 10 })).toEqual([]);
  });

  test("keeps at most 200 signals of a company, each once", async () => {
    const discovery = await open();
    await discovery.replace("acme.example", DAY_1, [script("one.test"), script("one.test")]);
    expect(await discovery.counts({ limit: 10 })).toHaveLength(1);
    const many = Array.from({ length: 5_000 }, (_, index) => script(`v${index}.test`));
    await discovery.replace("acme.example", DAY_2, many);
    expect(await discovery.counts({ limit: 1_000 })).toHaveLength(200);
  });

  test("removes the least recently seen entries when it is full", async () => {
    const database = new Database(":memory:", { strict: true });
    const clock = () => new Date(DAY_1);
    await migrate(database, { migrations: MIGRATIONS, dataDir: undefined, clock });
    const discovery = createDiscoveryRepository(queriesOf(database).lazyQueries, 2);
    await discovery.replace("a.example", DAY_1, [script("one.test")]);
    await discovery.replace("b.example", DAY_2, [script("two.test")]);
    await discovery.replace("c.example", DAY_3, [script("three.test")]);
    expect((await discovery.counts({ limit: 10 })).map(({ value }) => value)).toEqual(["three.test", "two.test"]);
  });
});
