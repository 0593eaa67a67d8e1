import { expect, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { openServices } from "../../src/compose.ts";
import { loadConfig } from "../../src/config/config.ts";
import { takeLock } from "../../src/db/locks.ts";
import { tinyTransformer, writeFolder } from "../embedding/tiny-models.ts";
import { inDirectory } from "../store/examples.ts";
import { INVENTED } from "./invented-studies.ts";

const SLOW = 60_000;

async function opened(dataDir: string) {
  const alarms: string[] = [];
  const config = loadConfig({ flags: { dataDir }, env: {}, readFile: () => undefined });
  const broke = (work: string, error: unknown) => {
    throw new Error(work, { cause: error });
  };
  const onAlarm = (alarm: string) => void alarms.push(alarm);
  const app = await openServices({
    config,
    version: "1.2.3",
    log: { scannerFailed: broke, taskFailed: broke, alarm: onAlarm },
  });
  return { app, alarms };
}

/** Simulates another process: taking the lock again in this process is refused in the same way. */
const other = (dataDir: string) => takeLock(join(dataDir, "upkeep.sqlite"));

test(
  "a service detects another index worker on the same directory, and takes over when that one ends",
  async () => {
    await inDirectory(async (dataDir) => {
      const { app } = await opened(dataDir);
      const first = other(dataDir);
      const second = app.index.startWorker();
      expect(second.isShared).toBe(true);
      first?.release();
      for (let free = other(dataDir); free; free = other(dataDir)) {
        free.release();
        second.wake();
        await Bun.sleep(5);
      }
      await second.stop();
      const alone = app.index.startWorker();
      expect(alone.isShared).toBe(false);
      await alone.stop();
      await app.close();
    });
  },
  SLOW,
);

test(
  "a changed model file is reported once, with the remedy",
  async () => {
    await inDirectory(async (dataDir) => {
      const { app } = await opened(dataDir);
      const content = new Blob([`${JSON.stringify(INVENTED[0])}\n`]).stream();
      await app.caseStudies.importFile({ name: "studies.jsonl", content });
      await app.models.add({ dir: await writeFolder(join(dataDir, "a"), tinyTransformer()), name: "mine" });
      await app.models.use("mine");
      await app.index.indexNow();
      await app.close();
      await appendFile(join(dataDir, "models/mine/model.onnx"), "x");

      const again = await opened(dataDir);
      const upkeep = again.app.index.startWorker();
      while (again.alarms.length === 0) await Bun.sleep(5);
      for (let look = 0; look < 10; look += 1) {
        upkeep.wake();
        await Bun.sleep(5);
      }
      await upkeep.stop();
      expect(again.alarms).toEqual([...again.app.models.alarms()]);
      expect(again.alarms).toEqual([
        expect.stringMatching(/^Only keyword search works: The files of the model mine .*casefile model use/),
      ]);
      await again.app.close();
    });
  },
  SLOW,
);
