import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "../..");
const SLOW = 60_000;

async function ran(script: string, ...argv: string[]) {
  const started = Bun.spawn([process.execPath, `scripts/${script}.ts`, ...argv], {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([started.stdout.text(), started.stderr.text(), started.exited]);
  return { out, err, code };
}

const SCRIPTS = ["build", "campaign", "check-starter", "lint-openapi", "measure-binary", "release", "test-postgres"];

test.each(SCRIPTS)(
  "%s prints its usage for --help and for an unknown option, and does nothing",
  async (script) => {
    const help = await ran(script, "--help");
    expect(help).toMatchObject({ code: 0, err: "" });
    expect(help.out).toStartWith("Usage: np");
    const unknown = await ran(script, "--no-such-option");
    expect(unknown).toMatchObject({ code: 2, out: "" });
    expect(unknown.err).toBe(`Unknown option '--no-such-option'.\n${help.out}`);
  },
  SLOW,
);

test("all scripts with options use the same helper", async () => {
  const direct: string[] = [];
  for await (const path of new Glob("scripts/*.ts").scan(ROOT))
    if ((await Bun.file(join(ROOT, path)).text()).includes("parseArgs")) direct.push(path);
  expect(direct).toEqual(["scripts/arguments.ts"]);
});

test.each([
  ["campaign", ["nothing"], "Unknown part nothing."],
  ["campaign", ["--seed", "x"], "Unknown seed x: use a whole number."],
  ["campaign", ["--seed"], "Option '--seed <value>' argument missing."],
  ["measure-binary", ["--starts", "none"], "Unknown number of starts none: use a whole number from 1."],
  ["measure-binary", ["--starts", "--save"], "Option '--starts' argument is ambiguous.\nUsage: "],
  ["build", ["--target", "beos"], "Unknown target beos: use "],
  ["lint-openapi", ["file"], "Unexpected argument 'file'."],
  ["release", [], "Give a version and --base-url."],
])(
  "%s %j is refused with its usage",
  async (script, argv, reason) => {
    const { code, out, err } = await ran(script, ...argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toStartWith(reason);
    expect(err).toContain("\nUsage: np");
    expect(err).not.toContain("    at ");
  },
  SLOW,
);
