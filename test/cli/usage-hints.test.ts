import { expect, test } from "bun:test";
import { run } from "./fake-host.ts";

const MORE = "(add --help for all options)";

test.each([
  [
    ["companies", "merge", "acme"],
    "error: missing required argument 'into'",
    "casefile companies merge [options] <slug> <into>",
  ],
  [["restore"], "error: missing required argument 'file'", "casefile restore [options] <file>"],
  ...["pages/harbourline.html", "./harbourline", "/tmp/harbourline.example", "harbourline.har"].map(
    (file): [string[], string, string] => [
      ["enrich", file],
      `error: ${file} looks like a file: give it with --from ${file}`,
      "casefile enrich [options] [domain]",
    ],
  ),
  [["watch"], "error: missing required argument 'domain'", "casefile watch add [options] <domain>"],
  [
    ["doctor", "x"],
    "error: too many arguments for 'doctor'. Expected 0 arguments but got 1.",
    "casefile doctor [options]",
  ],
  [
    ["webhooks", "add", "--jsn", "x"],
    "error: unknown option '--jsn'\n(Did you mean --json?)",
    "casefile webhooks add [options] <url>",
  ],
  [
    ["model", "eval"],
    "error: required option '--questions <file>' not specified",
    "casefile model eval [options] [name]",
  ],
])("a usage error prints the command's usage: %j", async (argv, fault, usage) => {
  const { code, out, err } = await run(argv);
  expect([code, out, err]).toEqual([2, "", `${fault}\nUsage: ${usage}\n${MORE}\n`]);
});

test.each([
  [
    ["companies", "show", "acme"],
    "'show' (or quote a query of several words)",
    "Commands of casefile companies: list, edit, merge",
  ],
  [
    ["watch", "acme.test", "other.test"],
    "'acme.test' (or more than one domain)",
    "Commands of casefile watch: add, list, changes, remove",
  ],
  [
    ["submissions", "aprove", "sub_x", "--wait"],
    "'aprove'\n(Did you mean approve?)",
    "Commands of casefile submissions: list, show, approve, retry, reject, edit",
  ],
  [["starter", "delete"], "'delete'", "Commands of casefile starter: status, remove, restore"],
  [
    ["fingerprints", "show", "x"],
    "'show'",
    "Commands of casefile fingerprints: check, install, uninstall, import-wappalyzer, list, explain, unknown, feedback",
  ],
  [
    ["backup", "verfy", "x"],
    "'verfy'\n(Did you mean verify?)",
    "Commands of casefile backup: create, list, verify, restore",
  ],
])("an unknown subcommand lists the commands of the group: %j", async (argv, word, commands) => {
  const { code, out, err } = await run(argv);
  expect([code, out, err]).toEqual([2, "", `error: unknown command ${word}\n${commands}\n${MORE}\n`]);
});

test.each([
  [["companies", "list", "acme", "inc"], "Quote a query of several words."],
  [["fingerprints", "list", "google", "tag"], "Quote a query of several words."],
  [
    ["enrich", "a.har", "b.har"],
    "Give a file with --from, one command for each file: casefile enrich --from a.har; to join recordings of one company: casefile ingest FOLDER",
  ],
  [["enrich", "acme.test", "other.test"], "For several domains, pass a list: casefile enrich - < domains.txt"],
])("too many arguments get a suggestion: %j", async (argv, wish) => {
  const { code, err } = await run(argv);
  expect([code, err]).toEqual([2, expect.stringMatching(/^error: too many arguments for '/)]);
  expect(err).toContain(`\n${wish}\nUsage: casefile `);
});

test.each([
  [["--data-dir", "backup", "search", "bank"], "--data-dir", "casefile search --data-dir …"],
  [["--data-dir=x", "keys", "issue", "a@b.test"], "--data-dir=x", "casefile keys issue --data-dir …"],
  [["--json", "model"], "--json", "casefile model --json …"],
  [["--limit", "5"], "--limit", "casefile COMMAND --limit …"],
  [["studies", "--json", "show", "x"], "--json", "casefile studies show --json …"],
])("the error for a flag before its command says where to put it: %j", async (argv, flag, place) => {
  const { code, err } = await run(argv);
  expect(code).toBe(2);
  expect(err).toStartWith(`error: unknown option '${flag}'\nPut it after the command: ${place}\n`);
});

test("the beginning of one flag suggests it, whatever else is similar", async () => {
  const { code, err } = await run(["enrich", "acme.test", "--browser"]);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("error: unknown option '--browser'\n(Did you mean --browser-url?)\n"),
  ]);
  for (const command of ["enrich", "capture"])
    expect((await run([command, "--help"])).out).toContain("--browser-url <value>");
});

test("the error for an unknown flag has no such hint", async () => {
  const { err } = await run(["--nonsense", "search", "bank"]);
  expect(err).toBe(`error: unknown option '--nonsense'\n${MORE}\n`);
});

test.each([
  [["keys", "--data-dir", "x", "issue", "a@b.test"], "casefile keys issue …"],
  [["companies", "--json", "merge", "a", "b"], "casefile companies merge …"],
])("the error for flags before a subcommand says where to put them: %j", async (argv, place) => {
  const { code, err } = await run(argv);
  expect(code).toBe(2);
  expect(err).toContain(`\nPut flags after the command: ${place}\n`);
});

test.each([[["help", "companeis"]], [["keys", "help", "companeis"]]])(
  "help on an unknown command says so: %j",
  async (argv) => {
    const { code, out, err } = await run(argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toStartWith("error: unknown command 'companeis'\n\nUsage: casefile ");
  },
);

test.each([
  [["companies", "acme"]],
  [["companies", "--limit", "5", "acme"]],
  [["submissions", "--state", "review"]],
  [["jobs"]],
  [["keys"]],
])("list remains the default subcommand: %j", async (argv) => {
  expect(await run(argv)).toMatchObject({ code: 0, err: "" });
});

test.each([
  [["enrich", "a\u001b[31m\u0007.test", "--retry-failed"]],
  [["enrich", "list.csv", "--output", "a\u001b[31m\u0007.xyz"]],
  [["enrich", "a\u001b[31m\u0007.har"]],
  [["doctor", "--a\u001b[31m\u0007"]],
])("a usage error writes no control characters of an argument: %j", async (argv) => {
  const { code, err } = await run(argv);
  expect(code).toBe(2);
  expect(err).toContain("a [31m");
  expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});
