import { expect, test } from "bun:test";
import { join } from "node:path";
import { exampleText } from "../box/example.ts";
import { inDirectory } from "../store/examples.ts";
import { ended, serving, start } from "./process.ts";

test("the command line calls a running service with the key from the environment, and creates no local data", async () => {
  await inDirectory(async (directory) => {
    await Bun.write(join(directory, "example.json"), exampleText());
    await ended(start(directory, ["enrich", "--from", "example.json", "--keep"]));
    const { out } = await ended(start(directory, ["keys", "issue", "ana@harbourline.example"]));
    const key = out.split("\n")[0] ?? "";
    const service = await serving(directory, "--no-starter", "--scan-cache-seconds", "31622400");
    try {
      await inDirectory(async (elsewhere) => {
        const ask = (argv: string[], stdin?: string, own = key) =>
          ended(
            start(elsewhere, [...argv, "--server", service.url], stdin === undefined ? "ignore" : new Blob([stdin]), {
              CASEFILE_API_KEY: own,
            }),
          );
        const one = await ask(["enrich", "harbourline.example", "--json"]);
        expect([one.code, one.err, JSON.parse(one.out).domain]).toEqual([0, "", "harbourline.example"]);
        const list = await ask(["enrich", "-", "--output", "found.jsonl"], "harbourline.example\nno domain\n");
        const summary = "casefile: 1 done, 1 failed: 1 not a company domain.\n";
        expect([list.code, list.err, list.out]).toEqual([1, summary, ""]);
        const again = await ask(["enrich", "-", "--output", "found.jsonl"], "harbourline.example\nno domain\n");
        expect([again.code, again.err]).toEqual([1, summary.replace("1 done", "0 done, 1 done before")]);
        const found = (await Bun.file(join(elsewhere, "found.jsonl")).text()).trimEnd().split("\n");
        expect(found.map((line) => JSON.parse(line).input).sort()).toEqual(["harbourline.example", "no domain"]);
        expect(JSON.parse((await ask(["companies", "--json"])).out)).toEqual({
          companies: [],
          total: 0,
          next_cursor: null,
        });
        const refused = await ask(["search", "bank"], undefined, "nonsense");
        expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("does not accept the API key")]);
        expect([...new Bun.Glob("**/*").scanSync({ cwd: elsewhere })]).toEqual(["found.jsonl"]);
      });
    } finally {
      await service.stop("SIGTERM");
    }
  });
}, 60_000);
