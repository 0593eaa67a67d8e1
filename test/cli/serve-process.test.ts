import { expect, test } from "bun:test";
import { appendFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { openBox } from "../box/box.ts";
import { tinyTransformer, writeFolder } from "../embedding/tiny-models.ts";
import { jsonOf } from "../http/opened.ts";
import { flagsInto } from "../services/boxed-app.ts";
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
      const models = join(directory, "casefile-data/models");
      await appendFile(join(models, "mine/model.onnx"), "x");
      // What a killed command left of another model.
      await Bun.write(join(models, ".removed-1/model.onnx"), "x");
      const service = await serving(directory, "--no-starter");
      const alarm = expect.stringMatching(/^Only keyword search works: .*casefile model use built-in/);
      const readiness = async () => Object(await (await fetch(`${service.url}/readyz`)).json());
      while ((await readiness()).alarms.length === 0) await Bun.sleep(20);
      expect(await readiness()).toEqual({ status: "ready", reason: null, alarms: [alarm] });
      expect(warnings((await service.stop("SIGTERM")).log)).toEqual([alarm]);
      expect(await readdir(models)).toEqual(["mine"]);
    });
  },
  SLOW,
);

test(
  "scans that are open when the service stops get a 503 when their time is over, and nothing gets no answer",
  async () => {
    await inDirectory(async (directory) => {
      const names = Array.from({ length: 4 }, (_, nth) => `hang${nth}.test`);
      const box = await openBox({
        companies: names.map((domain) => ({ domain, pages: { "/": "" } })),
        faults: names.map((domain) => ({ host: domain, fault: "hang" as const })),
      });
      try {
        const flags = Object.entries({ ...(await flagsInto(box, directory)), "server-shutdown-timeout-ms": "200" });
        const service = await serving(
          directory,
          "--no-starter",
          ...flags.flatMap(([name, value]) => [`--${name}`, String(value)]),
        );
        const headers = { "content-type": "application/json" };
        const body = JSON.stringify({ email: "ana@brightpine.test" });
        const { api_key } = await jsonOf(await fetch(`${service.url}/v1/keys`, { method: "POST", headers, body }));
        const asked = names.map((name) =>
          fetch(`${service.url}/v1/enrich/${name}`, { headers: { "x-api-key": api_key } }),
        );
        const running = async () =>
          (await (await fetch(`${service.url}/metrics`)).text()).includes("casefile_scans_running 4");
        while (!(await running())) await Bun.sleep(20);
        const stopped = service.stop("SIGTERM");
        const answers = await Promise.all(asked);
        expect(answers.map(({ status }) => status)).toEqual(names.map(() => 503));
        expect(answers.map((answer) => answer.headers.get("retry-after"))).toEqual(names.map(() => "5"));
        expect((await stopped).code).toBe(0);
      } finally {
        await box.close();
      }
    });
  },
  SLOW,
);

test(
  "a start that fails after it listens closes the port and ends",
  async () => {
    await inDirectory(async (directory) => {
      // The token is written when the port is open.
      await mkdir(join(directory, "casefile-data/operator-token"), { recursive: true });
      const { code, err } = await ended(start(directory, ["serve", "--port", "0", "--no-starter"]));
      expect(code).toBe(1);
      expect(err).toContain("EISDIR");
    });
  },
  SLOW,
);
