import { expect, test } from "bun:test";
import { readdirSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { openServices, type Services } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { copiesOf } from "../store/copies.ts";
import { INVENTED } from "./invented-studies.ts";

const SLOW = 60_000;

async function opened(dataDir: string) {
  const alarms: string[] = [];
  const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
  const app = await openServices({
    config,
    version: "1.2.3",
    log: {
      scannerFailed: () => {},
      taskFailed: () => {},
      alarm: (alarm) => void alarms.push(alarm),
    },
  });
  return { app, alarms };
}

const withInstallation = copiesOf(async (dataDir) => {
  const { app } = await opened(dataDir);
  const content = new Blob(INVENTED.map((record) => `${JSON.stringify(record)}\n`)).stream();
  await app.caseStudies.importFile({ name: "studies.jsonl", content });
  await app.index.indexNow();
  await app.close();
});

async function answer(app: Services, mode: "hybrid" | "semantic" | "keyword" = "hybrid") {
  const [found] = await app.caseStudies.search([
    { query: "visual quality inspection on a production line", mode, limit: 3 },
  ]);
  return { ids: found?.hits.map(({ study }) => study.id) ?? [], degraded: found?.degraded, pending: found?.pending };
}

const STEEL = "quarrystone-ironbridge-steel";

/** Files of the index whose path contains `part`. */
const filesOf = (dataDir: string, part: string): string[] =>
  readdirSync(join(dataDir, "index"), { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes(part));

const truncate = (part: string) => (dataDir: string) => {
  for (const path of filesOf(dataDir, part)) truncateSync(path, 20);
};

test.each([
  ["of its rows", truncate("/data/"), "The search index cannot be read: these results match by keyword only."],
  ["of its versions", truncate("/_versions/"), "The search index is being built: these results match by keyword only."],
  [
    "of everything",
    (dataDir: string) => rmSync(join(dataDir, "index"), { recursive: true }),
    "The search index is being built: these results match by keyword only.",
  ],
] as const)(
  "an index that lost files %s answers in another way, says so, and is rebuilt by the service",
  async (_, damage, reason) => {
    await withInstallation(async (dataDir) => {
      damage(dataDir);
      const { app } = await opened(dataDir);
      try {
        // A command without a worker.
        const first = await answer(app);
        if (!reason.includes("being built") || first.pending !== 0) {
          expect(first.degraded).toBe(reason);
          expect(first.ids[0]).toBe(STEEL);
        }
        const worker = app.index.startWorker();
        for (;;) {
          const { degraded, pending, ids } = await answer(app);
          expect(ids[0]).toBe(STEEL);
          if (degraded === null && pending === 0) break;
          worker.wake();
          await Bun.sleep(20);
        }
        for (const mode of ["keyword", "semantic"] as const)
          expect(await answer(app, mode)).toMatchObject({ degraded: null, pending: 0 });
        await worker.stop();
        expect((await app.index.state()).waiting).toBe(0);
        expect(await app.index.fault()).toBeNull();
      } finally {
        await app.close();
      }
    });
  },
  SLOW,
);

test(
  "an index deleted while the service runs is replaced, and searches continue",
  async () => {
    await withInstallation(async (dataDir) => {
      const { app } = await opened(dataDir);
      const worker = app.index.startWorker();
      try {
        expect((await answer(app)).degraded).toBeNull();
        rmSync(join(dataDir, "index"), { recursive: true });
        for (let isGone = true; isGone; ) {
          const { degraded, pending, ids } = await answer(app);
          expect(ids[0]).toBe(STEEL);
          isGone = degraded !== null || pending !== 0 || (await app.index.fault()) !== null;
          worker.wake();
          await Bun.sleep(20);
        }
        expect(filesOf(dataDir, "/data/").length).toBeGreaterThan(0);
      } finally {
        await worker.stop();
        await app.close();
      }
    });
  },
  SLOW,
);
