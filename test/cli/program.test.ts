import { describe, expect, test } from "bun:test";
import { configKeys, loadConfig } from "../../src/config/config.ts";
import { Failure } from "../../src/core/errors.ts";
import { run } from "./fake-host.ts";

describe("the program", () => {
  test.each([["version"], ["--version"], ["-V"]])("%s prints only the version", async (word) => {
    expect(await run([word])).toMatchObject({ code: 0, out: "1.2.3\n", err: "", opened: [] });
  });

  test.each([[["--help"]], [["help"]], [["enrich", "--help"]], [["help", "enrich"]], [["keys", "issue", "--help"]]])(
    "%p prints help on standard output",
    async (argv) => {
      const { code, out, err } = await run(argv);
      expect(out).toStartWith("Usage: casefile");
      expect([code, err]).toEqual([0, ""]);
    },
  );

  test.each([
    [["enrch"], "(Did you mean enrich?)"],
    [["keys", "isue"], "(Did you mean issue?)"],
    [["studies", "shw"], "(Did you mean show?)"],
    [["enrich", "a.test", "--jsn"], "(Did you mean --json?)"],
    [["serve", "--prot", "80"], "(Did you mean --port?)"],
    [["version", "--nonsense"], "(add --help for all options)"],
    [["nonsense-all-over"], "(add --help for all options)"],
    [["keys", "issue"], "missing required argument 'email'"],
    [["capture"], "missing required argument 'domain'"],
  ])("%p exits with 2 and a hint", async (argv, hint) => {
    const { code, out, err, opened } = await run(argv);
    expect(err).toContain(hint);
    expect([code, out, opened]).toEqual([2, "", []]);
  });

  test.each([
    [[], "Case studies:"],
    [["studies"], "Commands:"],
  ])("%p without a subcommand exits with 2 and lists the subcommands", async (argv, heading) => {
    const { code, out, err } = await run(argv);
    expect(err).toContain(heading);
    expect([code, out]).toEqual([2, ""]);
  });

  test("all configuration problems are listed", async () => {
    const problems = [
      { pointer: "--port", detail: "Must be a whole number." },
      { pointer: "CASEFILE_FOO", detail: "There is no such setting." },
    ];
    const open = () => Promise.reject(new Failure("config.invalid", "The configuration has 2 problems.", { problems }));
    const { code, err } = await run(["keys", "list"], { host: { open } });
    expect(err).toBe(
      "casefile: The configuration has 2 problems.\n  --port: Must be a whole number.\n  CASEFILE_FOO: There is no such setting.\n",
    );
    expect(code).toBe(2);
  });

  test("an unusable data directory exits with 1 and a message", async () => {
    const open = () => Promise.reject(new Failure("store.unusable", "The data directory x cannot be used."));
    const { code, out, err } = await run(["enrich", "brightpine.test"], { host: { open } });
    expect([code, out, err]).toEqual([1, "", "casefile: The data directory x cannot be used.\n"]);
  });
});

describe("settings", () => {
  test("serve --help lists each setting once, with its default and variable", async () => {
    const { out } = await run(["serve", "--help"]);
    const text = out.replace(/\s+/g, " ");
    for (const { name, flag, alias, env, default: fallback } of configKeys) {
      expect(text.split(`(${env}, ${name}; default: ${fallback})`)).toHaveLength(2);
      const shown = name === "starter.enabled" ? " --no-starter Turn off:" : ` ${alias ?? flag} [<[]`;
      expect(text.split(new RegExp(shown))).toHaveLength(2);
    }
    expect(text).not.toContain("--server-port");
  });

  test("serve --help fits a narrow terminal with flags of any length", async () => {
    const { out } = await run(["serve", "--help"]);
    // A URL cannot be wrapped.
    const lines = out.split("\n").filter((line) => !/https?:/.test(line));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test.each([
    ["enrich", ["--scan-contact", "--scan-robots", "--scan-deadline-ms"]],
    ["capture", ["--scan-contact", "--scan-robots", "--browser-url", "--scan-deadline-ms"]],
    ["crawl", ["--scan-contact", "--crawl-max-pages", "--crawl-max-bytes", "--crawl-delay-ms"]],
  ])("%s --help shows who visits, by which rules, and how much", async (command, flags) => {
    const { out } = await run([command, "--help"]);
    for (const flag of [...flags, "--net-proxy"]) expect(out).toContain(`${flag} <value>`);
  });

  test("other commands accept all settings, and their help shows only the data directory", async () => {
    const { out } = await run(["search", "--help"]);
    expect(out).toContain("--data-dir");
    expect(out).toContain("--config");
    expect(out).not.toContain("--scan-min-confidence");
    const { opened } = await run(["enrich", "brightpine.test", "--scan-min-confidence", "0.7", "--data-dir", "d"]);
    expect(opened[0]?.flags).toMatchObject({ scanMinConfidence: "0.7", dataDir: "d" });
  });

  test.each([
    [[], {}],
    [["--no-starter"], { starter: false }],
    [["--starter=false"], { starter: "false" }],
    [["--starter-enabled", "false"], { starterEnabled: "false" }],
  ])("the starter data is turned off by %j", async (flags, expected) => {
    const served: unknown[] = [];
    const serve = async (given: unknown) => void served.push(given);
    await run(["serve", ...flags], { host: { serve } });
    expect(served).toEqual([expected]);
    const config = loadConfig({ flags: expected, env: {}, readFile: () => undefined });
    expect(config.starter.enabled).toBe(flags.length === 0);
  });

  test("serve passes on only the given settings, and lists as lists", async () => {
    const served: unknown[] = [];
    const serve = async (flags: unknown) => void served.push(flags);
    const argv = [
      "serve",
      "--port",
      "0",
      "--net-resolvers",
      "192.0.2.1",
      "--net-resolvers",
      "192.0.2.2",
      "--server-metrics-public",
    ];
    expect((await run(argv, { host: { serve } })).code).toBe(0);
    expect(served).toEqual([{ port: "0", netResolvers: ["192.0.2.1", "192.0.2.2"], serverMetricsPublic: true }]);
  });
});

describe("capture", () => {
  test("says before the scan that its file cannot be written", async () => {
    const { code, err, calls } = await run(["capture", "brightpine.test", "-o", "/missing/b.json"]);
    expect([code, err, calls.length]).toEqual([2, "casefile: Cannot write /missing/b.json.\n", 0]);
  });

  test("writes the captured signals to a file, and names it", async () => {
    const { code, out, err, written, opened } = await run(["capture", "brightpine.test", "-o", "b.json"]);
    expect(JSON.parse(written.get("b.json") ?? "")).toMatchObject({
      format: "casefile-snapshot",
      domain: "brightpine.test",
    });
    expect(err).toBe("b.json: 0 DNS answers, 0 HTTP exchanges, 0 certificates of brightpine.test\n");
    expect([code, out, opened[0]?.inMemory]).toEqual([0, "", "without-data"]);
  });

  test.each([[[]], [["-o", "-"]]])("prints the capture with %p", async (flags) => {
    const { out, written } = await run(["capture", "brightpine.test", ...flags]);
    expect(JSON.parse(out)).toMatchObject({ domain: "brightpine.test" });
    expect(written.size).toBe(0);
  });

  test("a capture can be analysed", async () => {
    const { out } = await run(["capture", "brightpine.test"]);
    expect((await run(["enrich", "--from", "-"], { files: { "-": out } })).code).toBe(0);
  });

  test("a failed visit writes no file", async () => {
    const { code, written, left } = await run(["capture", "missing.test", "-o", "b.json"]);
    expect([code, written.size, left]).toEqual([1, 0, 0]);
  });
});
