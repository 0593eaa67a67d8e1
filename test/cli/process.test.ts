import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { exampleText } from "../box/example.ts";
import { jsonOf } from "../http/opened.ts";
import { inDirectory } from "../store/examples.ts";
import { ended, MAIN, serving, start } from "./process.ts";

const SLOW = 60_000;

describe("the program as a process", () => {
  test(
    "a capture and a dry crawl, which store nothing, know the stored opt-outs",
    async () => {
      await inDirectory(async (directory) => {
        const added = await ended(start(directory, ["opt-outs", "add", "quarrystone.test"]));
        expect([added.code, added.err]).toEqual([0, ""]);
        for (const argv of [
          ["capture", "quarrystone.test", "--scan-allowed-reserved-tlds", "test"],
          ["crawl", "https://quarrystone.test/customers", "--dry-run"],
        ]) {
          const { code, err } = await ended(start(directory, argv));
          expect(err).toContain("quarrystone.test has opted out of all requests");
          expect(code).toBe(1);
        }
      });
    },
    SLOW,
  );

  test(
    "the service returns, replays and exports as JSON what was imported from a file",
    async () => {
      await inDirectory(async (directory) => {
        await Bun.write(join(directory, "example.json"), exampleText());
        const kept = await ended(
          start(directory, ["enrich", "--from", "example.json", "--keep", "--json", "--include", "evidence"]),
        );
        expect([kept.code, kept.err]).toEqual([0, ""]);
        const told = JSON.parse(kept.out);
        expect(told).toMatchObject({ domain: "harbourline.example", tools_detected: told.tools.length });

        const replay = await ended(
          start(directory, [
            "enrich",
            "harbourline.example",
            "--replay",
            "--scan-allowed-reserved-tlds",
            "example",
            "--json",
            "--include",
            "evidence",
          ]),
        );
        expect([replay.code, replay.err]).toEqual([0, ""]);
        expect(JSON.parse(replay.out)).toEqual(told);

        const service = await serving(
          directory,
          "--no-starter",
          "--scan-allowed-reserved-tlds",
          "example",
          "--scan-cache-seconds",
          "31622400",
        );
        const headers = { "content-type": "application/json" };
        const body = JSON.stringify({ email: "ana@brightpine.test" });
        const { api_key } = await jsonOf(await fetch(`${service.url}/v1/keys`, { method: "POST", headers, body }));
        const answer = await fetch(`${service.url}/v1/enrich/harbourline.example?include=evidence`, {
          headers: { "x-api-key": api_key },
        });
        expect(await answer.text()).toBe(replay.out.trimEnd());
        expect(service.said).toMatch(/Operator token, shown until it is first used: cf_operator_[0-9A-Za-z]{40}\n/);
        const { code, ms, log } = await service.stop("SIGTERM");
        expect(code).toBe(0);
        // No request was in flight, so the stop does not wait its twenty seconds.
        expect(ms).toBeLessThan(8_000);
        const lines = log
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).msg);
        expect(lines).toEqual(["serving", "answered", "answered", "stopping"]);
        expect(log).not.toContain(api_key);

        const second = await serving(directory, "--no-starter");
        // Nobody has used it yet.
        const tokenIn = (text: string) => /cf_operator_\w+/.exec(text)?.[0];
        expect(tokenIn(second.said)).toBe(tokenIn(service.said) ?? "");
        expect((await second.stop("SIGINT")).code).toBe(0);
      });
    },
    SLOW,
  );

  test(
    "a closed output pipe ends it silently",
    async () => {
      await inDirectory(async (directory) => {
        await Bun.write(join(directory, "example.json"), exampleText());
        const line = `"${process.execPath}" "${MAIN}" enrich --from example.json --json | true`;
        const child = Bun.spawn(["sh", "-c", line], {
          cwd: directory,
          env: { PATH: process.env.PATH ?? "" },
          stdout: "pipe",
          stderr: "pipe",
        });
        expect(await child.stdout.text()).toBe("");
        expect(await child.stderr.text()).toBe("");
      });
    },
    SLOW,
  );

  test(
    "standard input and a named pipe are read",
    async () => {
      await inDirectory(async (directory) => {
        const zone = "brightpine.test. 300 IN MX 10 aspmx.l.google.com.\n";
        const input = await ended(start(directory, ["enrich", "--from", "-"], new Blob([zone])));
        expect(input).toMatchObject({ code: 0, err: "" });
        expect(input.out).toContain("Google Workspace");
        const line = `mkfifo zone && (printf '%s' '${zone.trim()}' > zone & "${process.execPath}" "${MAIN}" enrich --from zone)`;
        const child = Bun.spawn(["sh", "-c", line], {
          cwd: directory,
          env: { PATH: process.env.PATH ?? "" },
          stdout: "pipe",
          stderr: "pipe",
        });
        expect(await child.stdout.text()).toContain("Google Workspace");
      });
    },
    SLOW,
  );

  test(
    "an unusable data directory is reported in one sentence",
    async () => {
      await inDirectory(async (directory) => {
        await Bun.write(join(directory, "broken/casefile.sqlite"), "this is no database, and never was");
        const broken = await ended(start(directory, ["keys", "list", "--data-dir", "broken"]));
        expect([broken.code, broken.out]).toEqual([1, ""]);
        expect(broken.err).toMatch(/^casefile: Cannot use the data directory \S*broken: .+\n$/);
      });
    },
    SLOW,
  );

  test(
    "an invalid setting stops it before anything is created",
    async () => {
      await inDirectory(async (directory) => {
        const { code, out, err } = await ended(start(directory, ["serve", "--port", "many", "--log-level", "loud"]));
        expect([code, out]).toEqual([2, ""]);
        expect(err.split("\n").map((line) => line.split(":")[0])).toEqual([
          "casefile",
          "  --port",
          "  --log-level",
          "",
        ]);
        expect([...new Bun.Glob("**/*").scanSync({ cwd: directory })]).toEqual([]);
      });
    },
    SLOW,
  );
});
