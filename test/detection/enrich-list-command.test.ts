import { describe, expect, test } from "bun:test";
import { run } from "../cli/fake-host.ts";

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("a list of domains", () => {
  test("is read from standard input without duplicates, and answered line by line", async () => {
    const input = "# companies\nbrightpine.test\r\n\n  stored.test  \nbrightpine.test\nmissing.test";
    const { code, out, err, left } = await run(["enrich", "-", "--at-once", "1"], { files: { "-": input } });
    const lines = linesOf(out);
    expect(lines.map(({ input: given, domain, code: why }) => [given, domain, why])).toEqual([
      ["brightpine.test", "brightpine.test", undefined],
      ["stored.test", "stored.test", undefined],
      ["missing.test", null, "domain.not_found"],
    ]);
    expect(Object.keys(lines[0])).toEqual(["input", "domain", "tools_detected", "tools", "by_category"]);
    expect([code, err, left]).toEqual([1, "casefile: 2 done, 1 failed: 1 not in DNS.\n", 0]);
  });

  test("has the included fields", async () => {
    const argv = ["enrich", "-", "--include", "evidence,sources"];
    const [line] = linesOf((await run(argv, { files: { "-": "brightpine.test" } })).out);
    expect([line.tools[0].evidence.length, line.sources.length]).toEqual([1, 2]);
  });

  test("resumes where a run ended, even in the middle of a line", async () => {
    const before = '{"input":"brightpine.test","domain":"brightpine.test"}\nnonsense\n{"input":"stored.test","dom';
    const files = { "-": "brightpine.test\nstored.test\na.test\n", "found.jsonl": before };
    const { code, out, written, calls } = await run(["enrich", "-", "-o", "found.jsonl", "--at-once", "1"], { files });
    expect(calls.map(({ domain }) => domain)).toEqual(["stored.test", "a.test"]);
    const text = written.get("found.jsonl") ?? "";
    expect(text).toStartWith(`${before}\n{"input":"stored.test","domain":"stored.test",`);
    expect(text.split("\n")).toHaveLength(6);
    expect([code, out]).toEqual([0, ""]);
  });

  test("reports failures, omits them from the output, and retries them in the next run", async () => {
    const files = { "-": "silent.test\nbrightpine.test\n" };
    const { code, err, written } = await run(["enrich", "-", "--output", "found.jsonl"], { files });
    expect(linesOf(written.get("found.jsonl") ?? "").map(({ input }) => input)).toEqual(["brightpine.test"]);
    expect(err).toBe("silent.test: DNS gave no answer.\ncasefile: 1 done, 1 failed: 1 no answer from DNS.\n");
    expect(code).toBe(1);
    const again = { ...files, "found.jsonl": written.get("found.jsonl") ?? "" };
    const { calls } = await run(["enrich", "-", "--output", "found.jsonl"], { files: again });
    expect(calls.map(({ domain }) => domain)).toEqual(["silent.test"]);
  });

  test("starts no more scans at once than allowed", async () => {
    const input = Array.from({ length: 12 }, (_, at) => `hanging.test/${at}`).join("\n");
    const leave = new AbortController();
    const running = run(["enrich", "-", "--at-once", "3"], { files: { "-": input }, host: { signal: leave.signal } });
    // Each turn of the loop is one further step of the workers; none of their domains ever answers.
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    leave.abort(new Error("interrupted"));
    const { code, calls } = await running;
    expect([code, calls.length]).toEqual([1, 3]);
  });

  test("shows its progress on a terminal", async () => {
    const files = { "-": "brightpine.test\nsilent.test\n" };
    const { err } = await run(["enrich", "-", "--at-once", "1"], { files, host: { interactive: true } });
    expect(err).toContain("\r\u001b[2K1 done …");
    expect(err).toContain("\r\u001b[2K2 done, 1 failed …\r\u001b[2Kcasefile: 1 done, 1 failed");
  });

  test("ends with an error when one domain throws", async () => {
    const broken = run(["enrich", "-", "--at-once", "1"], { files: { "-": "broken.test\nbrightpine.test" } });
    await expect(broken).rejects.toThrow();
  });

  test("refuses an overlong line as a domain", async () => {
    const { code, out } = await run(["enrich", "-"], { files: { "-": `${"a".repeat(3_000_000)}\nbrightpine.test` } });
    expect(
      linesOf(out)
        .map(({ code: why = "" }) => why)
        .sort(),
    ).toEqual(["", "domain.invalid"]);
    expect(code).toBe(1);
  });

  test("a domain that failed is in the file once, and a later run tries it again", async () => {
    const files = { "-": "missing.test\nbrightpine.test\nnot a domain\n" };
    const argv = ["enrich", "-", "--output", "found.jsonl", "--at-once", "1"];
    const first = await run(argv, { files });
    const text = first.written.get("found.jsonl") ?? "";
    expect(linesOf(text).map(({ code = "" }) => code)).toEqual(["domain.not_found", "", "domain.invalid"]);
    const summary = "casefile: 1 done, 2 failed: 1 not in DNS, 1 not a company domain.\n";
    expect([first.code, first.err]).toEqual([1, summary]);
    const again = await run(argv, { files: { ...files, "found.jsonl": text } });
    expect(again.calls.map(({ domain }) => domain)).not.toContain("brightpine.test");
    expect([again.code, again.err]).toEqual([1, summary.replace("1 done", "0 done, 1 done before")]);
    expect(again.written.get("found.jsonl") ?? text).toBe(text);
    const found = text.replaceAll("missing.test", "stored.test");
    const fixed = await run(argv, { files: { "-": "stored.test", "found.jsonl": found } });
    expect([fixed.code, fixed.err]).toEqual([0, "1 done, 0 failed.\n"]);
    expect(fixed.written.get("found.jsonl")).toStartWith(`${found}{"input":"stored.test","domain":"stored.test",`);
  });

  test.each([
    [["enrich", "a.test", "--output", "x"]],
    [["enrich", "a.test", "--at-once", "2"]],
    [["enrich", "-", "--at-once", "17"]],
    [["enrich", "-", "--replay"]],
    [["enrich", "-", "--from", "x"]],
  ])("%p exits with 2", async (argv) => {
    const { code, opened } = await run(argv);
    expect([code, opened]).toEqual([2, []]);
  });

  test("a file is appended to as well, with its other columns, and skips what the output has", async () => {
    const list = "company,website\nBright,brightpine.test\nStored,stored.test\nGone,missing.test\n";
    const before = '{"input":"brightpine.test","domain":"brightpine.test","tools_detected":7}\n';
    const files = { "customers.csv": list, "found.jsonl": before };
    const argv = ["enrich", "customers.csv", "-o", "found.jsonl", "--at-once", "1"];
    const { code, err, written, calls } = await run(argv, { files });
    expect(calls.map(({ domain }) => domain)).toEqual(["stored.test", "missing.test"]);
    const text = written.get("found.jsonl") ?? "";
    expect(text).toStartWith(before);
    expect(
      linesOf(text)
        .slice(1)
        .map(({ input, columns, code: why }) => [input, columns.company, why]),
    ).toEqual([
      ["stored.test", "Stored", undefined],
      ["missing.test", "Gone", "domain.not_found"],
    ]);
    expect([code, err]).toEqual([1, "casefile: 1 done, 1 done before, 1 failed: 1 not in DNS.\n"]);
  });

  test("takes the named column and data sources of standard input", async () => {
    const argv = ["enrich", "-", "-o", "found.jsonl", "--column", "site", "--sources", "zone"];
    const files = { "-": "site,other\nstored.test,brightpine.test\n" };
    const { calls } = await run(argv, { files });
    expect(calls).toMatchObject([{ domain: "stored.test", options: { only: ["zone"] } }]);
  });

  test.each([
    [["enrich", "list.jsonl", "--output", "list.jsonl"], "--output list.jsonl is the list itself"],
    [["enrich", "list.csv", "--output", "list.csv"], "--output list.csv is the list itself"],
    [
      ["enrich", "list.csv", "--output", "x.jsonl", "--rows", "tools"],
      "--rows tools cannot be appended to x.jsonl: choose .csv or .parquet, or add --format ndjson to replace the file",
    ],
    [
      ["enrich", "list.csv", "--output", "x.json", "--rows", "tools"],
      "--rows tools cannot be one JSON document: choose .csv or .parquet, or --format table, ndjson, csv, parquet",
    ],
    [["enrich", "list.csv", "--format", "json", "--rows", "tools"], "--rows tools cannot be one JSON document"],
    [["enrich", "list.csv", "--output", "x.jsonl", "--retry-failed"], "--retry-failed is not needed with x.jsonl"],
  ])("%p is refused before anything is written", async (argv, message) => {
    const files = { "list.jsonl": '{"domain":"stored.test"}\n', "list.csv": "stored.test\n" };
    const { code, err, written, calls } = await run(argv, { files });
    expect([code, written.size, calls.length]).toEqual([2, 0, 0]);
    expect(err).toContain(message);
  });
});
