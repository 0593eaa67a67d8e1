import { describe, expect, test } from "bun:test";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createBackupService } from "../../src/backup/service.ts";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { startRunner } from "../../src/jobs/runner.ts";
import { openStore } from "../../src/store.ts";
import { backupsIn, inDirectory, refusalOf } from "../store/examples.ts";
import { until } from "./boxed-app.ts";

const HOUR = 3_600_000;

/** A backup service over a temporary data directory, with a clock that the test moves. */
async function scheduled(
  use: (parts: {
    readonly dataDir: string;
    readonly backups: ReturnType<typeof createBackupService>;
    /** Queues a due backup and runs all jobs. */
    turn(): Promise<void>;
    later(hours: number): void;
  }) => Promise<void>,
  settings: { everyHours?: number; keep?: number } = {},
): Promise<void> {
  await inDirectory(async (dataDir) => {
    let now = Date.parse("2026-05-04T12:00:00.000Z");
    const clock = () => new Date(now);
    const store = await openStore({ dataDir, clock });
    const backups = createBackupService({
      database: store,
      jobs: store.jobs,
      dataDir,
      version: "1.2.3",
      clock,
      everyHours: 6,
      keep: 2,
      models: true,
      ...settings,
    });
    try {
      await use({
        dataDir,
        backups,
        async turn() {
          await backups.schedule.queueDue();
          const runner = startRunner({
            queue: store.jobs,
            handlers: backups.schedule.handlers,
            ...{ concurrency: 1, pollMs: 60_000, leaseSeconds: 60, random: () => 0, onFailure() {}, onQueueError() {} },
          });
          await runner.idle();
          await runner.stop();
        },
        later: (hours) => {
          now += hours * HOUR;
        },
      });
    } finally {
      await backups.close();
      await store.close();
    }
  });
}

describe("scheduled backups", () => {
  test("are created when they are due, and not earlier", async () => {
    await scheduled(async ({ dataDir, turn, later }) => {
      await turn();
      expect(await backupsIn(dataDir)).toEqual(["scheduled-20260504T120000000Z.tar.zst"]);
      later(5);
      await turn();
      expect((await backupsIn(dataDir)).length).toBe(1);
      later(1);
      await turn();
      expect((await backupsIn(dataDir)).sort()).toEqual([
        "scheduled-20260504T120000000Z.tar.zst",
        "scheduled-20260504T180000000Z.tar.zst",
      ]);
    });
  });

  test("are off by default", async () => {
    await scheduled(
      async ({ dataDir, backups, turn }) => {
        await turn();
        expect(await backupsIn(dataDir)).toEqual([]);
        expect(backups.schedule.handlers).toEqual({});
      },
      { everyHours: 0 },
    );
  });

  test("beyond the number to keep are removed, and no other file", async () => {
    await scheduled(async ({ dataDir, backups, turn, later }) => {
      const folder = join(dataDir, "backups");
      await mkdir(folder);
      const others = [
        "before-migration-3-20200101T000000000Z.sqlite",
        "mine.tar.zst",
        "scheduled-yesterday.tar.zst",
        "scheduled-20200101T000000000Z.tar.zst.gpg",
      ];
      for (const name of others) await writeFile(join(folder, name), name);
      const abandoned = join(folder, "scheduled-20200101T000000000Z.tar.zst.part");
      await writeFile(abandoned, "half of one");
      await utimes(abandoned, 0, 0);
      await mkdir(join(folder, "scheduled-20200101T000000000Z.tar.zst"));
      const manual = await backups.create();
      for (let at = 0; at < 4; at++) {
        await turn();
        later(6);
      }
      expect((await readdir(folder)).sort()).toEqual(
        [
          ...others,
          manual.name,
          "scheduled-20200101T000000000Z.tar.zst",
          "scheduled-20260505T000000000Z.tar.zst",
          "scheduled-20260505T060000000Z.tar.zst",
        ].sort(),
      );
    });
  });

  test("raise an alarm from a failure until the next success", async () => {
    await scheduled(async ({ dataDir, backups, turn, later }) => {
      await writeFile(join(dataDir, "backups"), "a file where the folder should be");
      expect(await backups.schedule.alarms()).toEqual([]);
      await turn();
      expect(await backups.schedule.alarms()).toEqual(["The last scheduled backup failed; list the jobs to see why."]);
      await rm(join(dataDir, "backups"));
      later(1);
      await turn();
      expect((await backupsIn(dataDir)).length).toBe(1);
      expect(await backups.schedule.alarms()).toEqual([]);
    });
  });

  test("that failed for good are created again when the next one is due", async () => {
    await scheduled(async ({ dataDir, turn, later, backups }) => {
      await writeFile(join(dataDir, "backups"), "a file where the folder should be");
      for (let attempt = 0; attempt < 5; attempt++) {
        await turn();
        later(0.9);
      }
      expect((await backups.schedule.alarms()).length).toBe(1);
      await rm(join(dataDir, "backups"));
      await turn();
      expect(await backupsIn(dataDir)).toEqual([]);
      later(2);
      await turn();
      expect((await backupsIn(dataDir)).length).toBe(1);
    });
  });
});

test("a stopping service aborts its backup and leaves no file behind", async () => {
  await scheduled(async ({ dataDir, backups }) => {
    const refusal = refusalOf(backups.create({ onProgress: () => void backups.close() }));
    expect((await refusal).code).toBe("service.draining");
    expect(await backupsIn(dataDir)).toEqual([]);
  });
});

test("readiness reports a failed backup", async () => {
  await inDirectory(async (dataDir) => {
    const flags = { dataDir, "backup-every-hours": 1 };
    const config = loadConfig({ flags, env: {}, readFile: () => undefined });
    const app = await openServices({ config, version: "1.2.3", log: { scannerFailed() {}, taskFailed() {} } });
    await writeFile(join(dataDir, "backups"), "a file where the folder should be");
    const work = app.jobs.startWorker();
    try {
      await until(async () => (await app.health.ready()).alarms.length > 0);
      expect(await app.health.ready()).toEqual({
        ready: true,
        reason: null,
        index: null,
        alarms: ["The last scheduled backup failed; list the jobs to see why."],
      });
      const [job] = (await app.jobs.list({ kind: "backup" })).jobs;
      expect(job?.last_error).toContain("The folder `backups` of the data directory cannot be used: ");
    } finally {
      await work.stop();
      await app.close();
    }
  });
});
