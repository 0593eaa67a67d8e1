import { describe, expect, test } from "bun:test";
import { run } from "../cli/fake-host.ts";
import { fakeVerbs, openFakeApp } from "../services/fake-app.ts";

const LIST = "company,website\nAcme,www.acme.test\nTwice,acme.test\nGone,missing.test\nBad,no domain\n";

async function opened() {
  const { verbs, calls } = fakeVerbs();
  const app = await openFakeApp({ verbs });
  const command = (argv: string[], text = LIST) =>
    run(["enrich", ...argv], { app, files: { "-": text, "customers.csv": text } });
  return { command, calls };
}

describe("a list as a table", () => {
  test("is written in its order, with the reasons in words and exit status 1 if some failed", async () => {
    const { command } = await opened();
    const { code, err, written } = await command(["customers.csv", "--output", "tools.csv"]);
    const lines = (written.get("tools.csv") ?? "").split("\r\n");
    expect(lines.map((line) => line.split(",").slice(0, 5))).toEqual([
      ["company", "input", "domain", "status", "tools_detected"],
      ["Acme", "www.acme.test", "acme.test", "done", "3"],
      ["Twice", "acme.test", "acme.test", "done", "3"],
      ["Gone", "missing.test", "missing.test", "failed", ""],
      ["Bad", "no domain", "", "invalid", ""],
      [""],
    ]);
    expect([code, err]).toEqual([
      1,
      'casefile: 1 done; 1 failed (1 not in DNS); 1 invalid row and 1 duplicate row skipped. Add --retry-failed to scan the failed domains again. The domains were read from the column "website"; --column takes another.\n',
    ]);
  });

  test("has one row for each tool, on the screen or as JSON", async () => {
    const { command } = await opened();
    const { code, out } = await command(["-", "--format", "table", "--rows", "tools"], "acme.test\n");
    expect([code, out.split("\n")[0]]).toEqual([0, expect.stringMatching(/^INPUT +STATUS +TOOL/)]);
    expect(out.trim().split("\n")).toHaveLength(4);
    const json = await command(["-", "--format", "json", "--include", "evidence"], "acme.test\n");
    expect(JSON.parse(json.out)).toMatchObject([
      { input: "acme.test", status: "done", tools: [{ level: expect.any(String) }, {}, {}] },
    ]);
  });

  test("has possible tools with --min-confidence, as a list of its own", async () => {
    const { command, calls } = await opened();
    await command(["-", "--format", "csv"], "acme.test\n");
    const argv = ["-", "--format", "csv", "--rows", "tools", "--min-confidence", "possible"];
    const { code } = await command(argv, "acme.test\n");
    expect([code, calls.map(({ options }) => options.minConfidence)]).toEqual([0, [undefined, 0.2]]);
  });

  test.each([[["--format", "csv"]], [["--format", "ndjson", "--rows", "tools"]], [["--output", "tools.parquet"]]])(
    "%p refuses --include, which it would ignore",
    async (flags) => {
      const { command } = await opened();
      const { code, err } = await command(["customers.csv", ...flags, "--include", "evidence"]);
      expect([code, err]).toEqual([2, expect.stringContaining("--include requires JSON: add --format json")]);
    },
  );

  test("scans only what failed with --retry-failed, and writes all rows", async () => {
    const { command, calls } = await opened();
    const refused = await command(["-", "--format", "csv", "--retry-failed"]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("without --retry-failed")]);
    await command(["-", "--format", "csv"]);
    const before = calls.length;
    const { out } = await command(["-", "--format", "csv", "--retry-failed"]);
    expect(calls.slice(before).map(({ domain }) => domain)).toEqual(["missing.test"]);
    expect(out.trim().split("\r\n")).toHaveLength(5);
  });

  test("names the column that was read when it has no domain", async () => {
    const { command } = await opened();
    const { code, err } = await command(["customers.csv"], "company;town\nAcme;Bonn\n");
    expect([code, err]).toEqual([2, expect.stringContaining('in the column "company"; if another')]);
    expect(err).toContain("name it as --column.");
  });

  test.each([
    [["acme.test", "--format", "csv"]],
    [["-", "--format", "xml"]],
    [["-", "--output", "tools.xlsx"]],
    [["-", "--format", "parquet"]],
    [["-", "--sources", "nothing"]],
    [["-", "--rows", "tools", "--server", "http://127.0.0.1:1"]],
    [["-", "--format", "csv", "--column", "nobody"]],
  ])("%p exits with 2", async (argv) => {
    const { command } = await opened();
    expect((await command(argv)).code).toBe(2);
  });
});
