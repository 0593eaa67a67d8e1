import { expect, test } from "bun:test";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { tinyTransformer, writeFolder } from "../embedding/tiny-models.ts";
import { linesOf, RECORDS } from "../services/study-records.ts";
import { inDirectory } from "../store/examples.ts";
import { ended, serving, start } from "./process.ts";

const SLOW = 120_000;

/** The warnings and errors in a log. */
const warnings = (log: string): string[] =>
  log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .flatMap(({ level, msg }) => (level >= 40 ? [msg] : []));

test(
  "a second service on the same directory warns at its start about the shared directory, and the first does not",
  async () => {
    await inDirectory(async (directory) => {
      const first = await serving(directory, "--no-starter");
      const second = await serving(directory, "--no-starter");
      const stats = await Promise.all([first, second].map(async ({ url }) => (await fetch(`${url}/v1/stats`)).status));
      expect(stats).toEqual([200, 200]);
      expect(warnings((await second.stop("SIGTERM")).log)).toEqual([
        expect.stringMatching(/^Another process uses this data directory too\. Background jobs are shared/),
      ]);
      expect(warnings((await first.stop("SIGTERM")).log)).toEqual([]);
    });
  },
  SLOW,
);

test(
  "a service with a changed model file warns once, with the remedy, and is ready",
  async () => {
    await inDirectory(async (directory) => {
      await writeFolder(join(directory, "tiny"), tinyTransformer());
      await Bun.write(join(directory, "studies.jsonl"), linesOf(RECORDS.slice(0, 1)));
      for (const argv of [
        ["import", "studies.jsonl"],
        ["model", "add", "tiny", "--name", "mine"],
        ["model", "use", "mine"],
      ])
        expect(await ended(start(directory, argv))).toMatchObject({ code: 0 });
      await appendFile(join(directory, "casefile-data/models/mine/model.onnx"), "x");
      const service = await serving(directory, "--no-starter");
      const alarm = expect.stringMatching(/^Only keyword search works: .*casefile model use built-in/);
      const readiness = async () => Object(await (await fetch(`${service.url}/readyz`)).json());
      while ((await readiness()).alarms.length === 0) await Bun.sleep(20);
      expect(await readiness()).toEqual({ status: "ready", reason: null, alarms: [alarm] });
      expect(warnings((await service.stop("SIGTERM")).log)).toEqual([alarm]);
    });
  },
  SLOW,
);
