import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { configKeys } from "../../src/config/config.ts";
import { inDirectory } from "../store/examples.ts";
import { run } from "./fake-host.ts";

const scriptOf = async (shell: string) => (await run(["completions", shell])).out;

/** What bash offers for a typed line after Tab. */
async function offered(line: string): Promise<string[]> {
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, "casefile.bash"), await scriptOf("bash"));
    await Bun.write(join(directory, "notes.jsonl"), "");
    const words = line.split(" ");
    const typed = words.map((word) => `'${word}'`).join(" ");
    const asked = `source ./casefile.bash; COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _casefile; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const child = Bun.spawn(["bash", "--norc", "-c", asked], { cwd: directory, stdout: "pipe", stderr: "pipe" });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect([err, code]).toEqual(["", 0]);
    return out.split("\n").filter(Boolean);
  });
}

/** All commands in the program's help. */
const commandsOf = async (): Promise<string[]> => {
  return [...(await run(["--help"])).out.matchAll(/^ {2}([a-z][a-z-]+)/gm)].map(([, name = ""]) => name);
};

describe("in bash", () => {
  test("the script is valid bash", async () => {
    const child = Bun.spawn(["bash", "-n"], { stdin: new Blob([await scriptOf("bash")]), stderr: "pipe" });
    expect([await child.stderr.text(), await child.exited]).toEqual(["", 0]);
  });

  test.each([
    ["casefile ke", ["keys"]],
    ["casefile keys re", ["revoke", "reissue"]],
    ["casefile help", ["help"]],
    ["casefile search bank --mo", ["--mode"]],
    ["casefile search bank --mode ", ["hybrid", "semantic", "keyword"]],
    ["casefile submissions list --state re", ["review", "rejected"]],
    ["casefile keys issue ana@acme.com --js", ["--json"]],
    ["casefile export --output no", ["notes.jsonl"]],
    ["casefile completions --", ["--help"]],
    ["casefile nonsense --json ke", ["keys"]],
  ])("%s", async (line, expected) => {
    expect(await offered(line)).toEqual(expected);
  });

  test("all commands are offered", async () => {
    const commands = await commandsOf();
    expect(commands.length).toBeGreaterThan(15);
    expect((await offered("casefile ")).filter((name) => name !== "licences")).toEqual(commands);
  });

  test("hidden flags are not offered", async () => {
    const flags = await offered("casefile enrich --");
    expect(flags).toContain("--data-dir");
    expect(flags).not.toContain("--scan-min-confidence");
    expect(await offered("casefile serve --scan-min")).toEqual(["--scan-min-confidence"]);
  });
});

describe("in other shells", () => {
  test.each([
    [
      "zsh",
      `'issue:Issue a key for an email address. The key is shown only once.'`,
      `("search:--mode") compadd -- hybrid semantic keyword`,
    ],
    [
      "fish",
      `complete -c casefile -n '__casefile_is "keys"' -f -a issue -d 'Issue a key for an email address. The key is shown only once.'`,
      "-l mode -x -a 'hybrid semantic keyword'",
    ],
  ])("%s offers the same, with descriptions", async (shell, command, values) => {
    const script = await scriptOf(shell);
    for (const part of [command, values]) expect(script).toContain(part);
  });

  test("an apostrophe in a description is escaped", async () => {
    const zsh = await scriptOf("zsh");
    expect(zsh).toContain("vendor'\\''s");
    for (const line of (await scriptOf("fish")).split("\n").filter((one) => one.includes(" -d "))) {
      expect(line).toMatch(/ -d '(?:[^'\\]|\\.)*'$/);
    }
  });

  test("the error for an unknown shell lists the supported shells", async () => {
    const { code, err } = await run(["completions", "tcsh"]);
    expect([code, err.includes("bash, zsh, fish")]).toEqual([2, true]);
  });
});

describe("help", () => {
  test("of every command shows its usage", async () => {
    const without: string[] = [];
    for (const command of (await commandsOf()).filter((name) => !/^(?:help|version|licenses)$/.test(name))) {
      if (!/\nExamples?:\n {2}\S/.test((await run([command, "--help"])).out)) without.push(command);
    }
    expect(without).toEqual([]);
  });

  test("its examples use only existing commands and flags", async () => {
    const settings = configKeys.flatMap(({ flag, alias }) => [flag, alias]);
    const faults: string[] = [];
    for (const command of await commandsOf()) {
      const { out } = await run([command, "--help"]);
      const [, examples = ""] = out.split(/\nExamples?:\n/);
      for (const [, line = ""] of examples.matchAll(/(?:^ *|[|(] ?|&& )casefile ([^|&<>#)\n]+)/gm)) {
        const [first = "", second = "", ...rest] = line.trim().split(/ +/);
        const own = await run([first, "--help"]);
        const inner =
          /^[a-z]/.test(second) && new RegExp(`^ {2}${second}[ |]`, "m").test(own.out)
            ? await run([first, second, "--help"])
            : own;
        // A list may go without its name.
        const lists = await run([first, "list", "--help"]);
        const flags = [second, ...rest].filter((word) => /^--?[a-z]/.test(word));
        const shown = [own, inner, lists].map((told) => told.out.split(/\nExamples?:/)[0]).join("");
        if (own.code !== 0) faults.push(line);
        faults.push(...flags.filter((flag) => !shown.includes(flag) && !settings.includes(flag)));
      }
    }
    expect(faults).toEqual([]);
  }, 60_000);
});
