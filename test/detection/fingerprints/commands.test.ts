import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../cli/fake-host.ts";
import { openFakeApp } from "../../services/fake-app.ts";
import { scannedStore } from "../../services/scanned-store.ts";
import { withFolder } from "./custom/folder-of.ts";
import { MINI_SET } from "./wappalyzer/mini-set.ts";

const OWN = `name: Homemade Thing
vendor: Us
website: https://homemade.test
category: analytics
rules:
  - id: loader
    see: html.script
    match: { host: homemade.test }
    strength: strong
    means: runs
    why: our own loader
    hit: https://homemade.test/a.js
    miss: https://homemade.test.example/a.js
`;
async function scanned() {
  const app = await openFakeApp({ store: await scannedStore() });
  return (...argv: string[]) => run(["fingerprints", ...argv], { app });
}

describe("fingerprints check", () => {
  test("summarises a valid folder, and leaves no trace", async () => {
    await withFolder({ "homemade.yaml": OWN }, async (folder) => {
      const { code, out, opened } = await run(["fingerprints", "check", folder]);
      expect([code, out]).toEqual([0, "Files   1\nRules   1\nFaults  0\n"]);
      expect(opened).toMatchObject([{ inMemory: true, flags: { fingerprintsDir: "off" } }]);
    });
  });

  test("lists every error with its file and place, and fails", async () => {
    const files = { "homemade.yaml": OWN.replace("host: homemade.test", "host: other.test"), "b.yaml": "name: x" };
    await withFolder(files, async (folder) => {
      const { code, err } = await run(["fingerprints", "check", folder]);
      expect(code).toBe(1);
      expect(err).toContain(
        'homemade.yaml/rules/loader: hit "https://homemade.test/a.js" does not match as html.script',
      );
      expect(err).toContain("b.yaml/rules: ");
      const json = JSON.parse((await run(["fingerprints", "check", folder, "--json"])).out);
      expect(json).toMatchObject({ files: 2, rules: 1, replaced: [], extended: [] });
      expect(json.problems).toContainEqual({ pointer: "homemade.yaml/rules/loader", detail: expect.any(String) });
    });
  });

  test.each([
    ["see: html.script", "see: html.skript", '/rules/0/see: Unknown see "html.skript": did you mean html.script?'],
    ["strength: strong", "strength: big", '/rules/0/strength: Unknown strength "big": use weak, strong or certain.'],
    ["means: runs", "means: x", 'Unknown means "x": use runs, sends-as, verified-once or mentions.'],
    ["why: our", "wy: our", '/rules/0/wy: Unknown field "wy": did you mean why?'],
    ["    why: our own loader\n", "", "/rules/0/why: It is required."],
    ["host: homemade.test }", "host: 5 }", "/rules/0/match/host: Give a string or a list."],
  ])("names the value and the accepted ones: %s → %s", async (before, after, text) => {
    await withFolder({ "homemade.yaml": OWN.replace(before, after) }, async (folder) => {
      const { code, err } = await run(["fingerprints", "check", folder]);
      expect([code, err.includes(text), err.includes("Expected")]).toEqual([1, true, false]);
    });
  });

  test("reports which built-in tool a file replaces", async () => {
    await withFolder({ "hubspot.yaml": OWN }, async (folder) => {
      expect((await run(["fingerprints", "check", folder])).out).toContain("Replaced tools  hubspot\n");
    });
  });
});

describe("fingerprints list", () => {
  test("lists the tools that can be detected, by name, page by page", async () => {
    const command = await scanned();
    const { out } = await command("list", "--limit", "1");
    expect(out).toMatch(/^TOOL +ID +CATEGORY +RULES *\n\S.*\n1 of \d+; next page: --cursor \w+\n$/);
    const { fingerprints, total } = JSON.parse((await command("list", "--json")).out);
    expect([fingerprints.length, fingerprints[0]]).toEqual([
      total,
      {
        id: expect.any(String),
        name: expect.any(String),
        category: expect.any(String),
        rules: expect.any(Number),
        own: false,
      },
    ]);
    expect((await command("list", "no such tool")).out).toBe("No tools found.\n");
  });
});

describe("fingerprints import-wappalyzer", () => {
  const files = Object.fromEntries(Object.entries(MINI_SET).map(([name, content]) => [name, JSON.stringify(content)]));

  test("reports what can be imported, and writes nothing without --output", async () => {
    await withFolder(files, async (folder) => {
      const { code, out } = await run(["fingerprints", "import-wappalyzer", folder]);
      expect(code).toBe(0);
      expect(out).toContain("Technologies       7\n");
      expect(out).toContain("not written; give --output");
      expect(out).toContain("style sheets are not read");
      expect((await readdir(folder)).sort()).toEqual(["categories.json", "technologies"]);
    });
  });

  test("writes a folder that passes the check", async () => {
    await withFolder(files, async (folder) => {
      const output = join(folder, "own");
      const imported = await run(["fingerprints", "import-wappalyzer", folder, "--output", output, "--json"]);
      expect(JSON.parse(imported.out)).toMatchObject({ technologies: 7 });
      expect((await run(["fingerprints", "check", output])).code).toBe(0);
      const again = await run(["fingerprints", "import-wappalyzer", folder, "--output", output]);
      expect([again.code, again.err]).toEqual([2, expect.stringContaining("is not empty")]);
    });
  });
});

describe("fingerprints explain", () => {
  test("shows the rules, their reasons, and the newest evidence", async () => {
    const command = await scanned();
    const { code, out } = await command("explain", "widget");
    expect(code).toBe(0);
    expect(out).toContain("Tool      Widget (widget)\n");
    expect(out).toContain("Domains   1");
    expect(out).toContain("acme.test  2026-05-04 12:00  90%         loader  https://cdn.widget.test/loader.js");
    const json = JSON.parse((await command("explain", "WIDGET", "--json")).out);
    expect(json).toMatchObject({ id: "widget", category: "Analytics", domains: 1, latest: [{ domain: "acme.test" }] });
  });

  test("of an unknown tool suggests others", async () => {
    const explain = await scanned();
    const reported = async (name: string) => (await explain("explain", name)).err;
    expect(await reported("Wid")).toBe('casefile: Unknown tool "Wid"; did you mean Widget?\n');
    for (const name of ["zzzz", " "])
      expect(await reported(name)).toBe(
        `casefile: Unknown tool "${name}"; find its id or name with \`casefile tools TEXT\`.\n`,
      );
    expect((await explain("explain", "Wid")).code).toBe(1);
  });
});

describe("fingerprints unknown", () => {
  test("lists unmatched signals by number of companies", async () => {
    const command = await scanned();
    expect((await command("unknown")).out.split("\n").map((line) => line.replace(/ +/g, " "))).toEqual([
      "KIND SIGNAL COMPANIES EXAMPLE DOMAIN",
      "script stranger.test 1 cdn.stranger.test acme.test",
      "verification stranger-verify= 1 acme.test",
      "",
    ]);
    const json = JSON.parse((await command("unknown", "--kind", "script", "--json")).out);
    expect(json.unknown).toEqual([
      {
        ...{ kind: "script", value: "stranger.test", example: "cdn.stranger.test" },
        ...{ companies: 1, domain: "acme.test", last_seen: "2026-05-04T12:00:00.000Z" },
      },
    ]);
    expect((await command("unknown", "--kind", "other")).code).toBe(2);
  });
});

describe("fingerprints feedback", () => {
  test("adds, lists and withdraws reports", async () => {
    const command = await scanned();
    expect((await command("feedback", "acme.test", "Widget", "--note", "left over")).out).toBe(
      "Suppressed for acme.test: widget/loader. Widget is reported only with other evidence.\n",
    );
    const list = await command("feedback", "--list");
    expect(list.out).toContain("acme.test  Widget  2026-05-04 12:00  widget/loader  left over\n1 of 1\n");
    expect(JSON.parse((await command("feedback", "--list", "--json")).out).total).toBe(1);
    expect((await command("feedback", "acme.test", "Widget", "--take-back")).code).toBe(0);
    expect((await command("feedback", "--list")).out).toBe("No false positives reported.\n");
    expect((await command("feedback", "acme.test", "Widget", "--take-back")).code).toBe(1);
  });

  test.each([[[]], [["acme.test"]], [["acme.test", "Widget", "--list"]]])("%j is a usage error", async (argv) => {
    expect((await (await scanned())("feedback", ...argv)).code).toBe(2);
  });
});
