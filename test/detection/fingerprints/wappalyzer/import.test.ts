import { describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckedCatalogue, loadCheckedCatalogue } from "../../../../src/detection/fingerprints/catalogue.ts";
import { addCustom } from "../../../../src/detection/fingerprints/custom.ts";
import { LINEAR_REGEX } from "../../../../src/detection/fingerprints/linear-regex.ts";
import {
  importSet,
  readSet,
  type TechnologySet,
  writeSet,
} from "../../../../src/detection/fingerprints/wappalyzer/import-set.ts";
import type { SignalKind } from "../../../../src/detection/signals.ts";
import { withFolder } from "../custom/folder-of.ts";
import { ruleOf, toolOf } from "../record-of.ts";
import { MINI_SET } from "./mini-set.ts";

const KNOWN: CheckedCatalogue = {
  categories: [{ id: "analytics", label: "Analytics", area: "analytics and tracking" }],
  tools: [
    toolOf([ruleOf({ host: "widget.test" })]),
    toolOf([ruleOf({ host: "dial.test" })], { id: "dial", name: "Old Dial" }),
  ],
};
const FILES = Object.fromEntries(Object.entries(MINI_SET).map(([name, content]) => [name, JSON.stringify(content)]));

const imported = (set: Partial<TechnologySet> = {}) => importSet({ technologies: {}, categories: {}, ...set }, KNOWN);
const readMini = () => withFolder(FILES, readSet);
const own = async () =>
  withFolder({}, async (folder) => {
    const output = join(folder, "own");
    writeSet(output, importSet(await readMini(), KNOWN).files);
    return { files: await readdir(output), checked: addCustom(KNOWN, [output], { testExamples: true }) };
  });
const leftOf = ({ left }: ReturnType<typeof importSet>["summary"]) =>
  left.map(({ key, reason, count }) => `${key}: ${reason} (${count})`).sort();

async function toolsMeeting(kind: SignalKind, value: string): Promise<string[]> {
  const { match } = loadCheckedCatalogue((await own()).checked, LINEAR_REGEX);
  return match({ kind, value, location: "" }).map(({ tool, version }) => (version ? `${tool.id} ${version}` : tool.id));
}

describe("an imported set", () => {
  test("passes the checks of custom folders, each rule with examples", async () => {
    const { files, checked } = await own();
    expect(checked.problems).toEqual([]);
    expect(files.sort()).toEqual([
      "categories.yaml",
      "dial-imported.yaml",
      "evil.yaml",
      "gauge.yaml",
      "meter.yaml",
      "widget.yaml",
    ]);
    expect(checked.extended).toEqual(["widget"]);
  });

  test("reports what was imported and what was not, with counts and reasons", async () => {
    const { summary } = importSet(await readMini(), KNOWN);
    expect(summary).toMatchObject({ technologies: 7, added: 4, extended: 1 });
    expect(summary.carried).toEqual({
      scriptSrc: 4,
      headers: 3,
      cookies: 1,
      meta: 1,
      js: 2,
      dns: 2,
      html: 1,
      dom: 2,
    });
    expect(leftOf(summary)).toEqual([
      "cookies: cookie values are not read (1)",
      "css: style sheets are not read (1)",
      "dns: no such kind of signal (1)",
      "dom: pages are not rendered; only addresses and meta tags are read (2)",
      "headers: the regex cannot be run in linear time (1)",
      "html: the regex is anchored in a long text (1)",
      "html: the regex matches ordinary content (1)",
      "implies: the other technology was not imported (1)",
      "implies: the relation is not certain (1)",
      "js: a name of fewer than five characters (1)",
      "scriptSrc: the regex cannot be run in linear time (1)",
      "scriptSrc: the regex matches ordinary content (1)",
      "technology: no pattern could be imported (1)",
      "technology: no website, or a name of more than 80 characters (1)",
      "text: visible text is not matched (1)",
      "url: the site's address is not matched (1)",
    ]);
    expect(summary.left.find(({ key }) => key === "css")?.examples).toEqual(["Ghost: .ghost"]);
  });

  test.each<[SignalKind, string, string[]]>([
    ["html.script", "https://cdn.gauge.test/loader.js", ["gauge"]],
    ["html.script", "https://acme.test/js/gauge-3.14.min.js", ["gauge 3.14"]],
    ["html.script", "https://acme.test/js/gauges.js", []],
    ["html.script", "https://acme.test/v1/dial.test/v1.js", ["dial-imported"]],
    ["http.header", "x-gauge: anything", ["gauge"]],
    ["http.header", "server: Gauge/2.0.1", ["gauge 2.0.1"]],
    ["http.header", "server: not Gauge/2", []],
    ["http.header", "x-widget-edition: pro", ["widget"]],
    ["http.cookie", "gauge_id", ["gauge"]],
    ["http.cookie", "gauge_id2", []],
    ["html.meta", "generator: Gauge 1.2", ["gauge 1.2"]],
    ["html.inline", "window.gauge.version = '1'", ["gauge"]],
    ["dns.mx", "mx.gauge.test", ["gauge"]],
    ["dns.txt", "gauge-verification=abc", ["gauge"]],
    ["html.markup", '<p><div class="gauge-root">', ["gauge"]],
    ["html.anchor", "https://dial.test/site/7", ["dial-imported"]],
  ])("matches %s %s", async (kind, value, tools) => {
    expect(await toolsMeeting(kind, value)).toEqual(tools);
  });

  test("keeps the certain relations to tools that exist", async () => {
    const { checked } = await own();
    const tools = new Map(checked.tools.map((tool) => [tool.id, tool]));
    expect(tools.get("gauge")).toMatchObject({ implies: ["meter"], excludes: ["dial-imported"] });
    expect(tools.get("meter")?.requires).toEqual(["gauge"]);
    expect(tools.get("widget")?.implies).toBeUndefined();
  });

  test("keeps the confidence of the set", async () => {
    const { checked } = await own();
    const rules = checked.tools.find(({ id }) => id === "gauge")?.rules ?? [];
    expect(rules.find(({ match }) => match.global === "GaugeQueue")?.strength).toBe("weak");
    expect(rules.find(({ match }) => match.global === "gauge.version")?.strength).toBe("strong");
  });

  test("uses the known categories, and adds its own", async () => {
    const { checked } = await own();
    expect(checked.tools.find(({ id }) => id === "gauge")?.category).toBe("analytics");
    expect(checked.categories.slice(1)).toEqual([
      { id: "imported-dials-knobs", label: "Dials & Knobs", area: "developer tools" },
      { id: "imported-shady-marketing", label: "Shady marketing", area: "marketing" },
    ]);
  });
});

describe("a hostile pattern", () => {
  test("that backtracks without end elsewhere is matched in linear time", async () => {
    const stalling = `https://acme.test/evil${"x".repeat(2_000)}`;
    expect(await toolsMeeting("html.script", stalling)).toEqual([]);
    expect(await toolsMeeting("html.script", `${stalling}y`)).toEqual(["evil"]);
  });

  test.each<[string, unknown]>([
    ["a number", 7],
    ["a list of lists", [[["x"]]]],
    ["a record of records", { a: { b: {} } }],
    ["null", null],
    ["a very long text", "a".repeat(100_000)],
    ["an open bracket", "["],
    ["an open group", "((((((("],
    ["many groups", `${"(".repeat(400)}a${")".repeat(400)}`],
    ["an open brace", "loader{"],
    ["an escape of nothing", "loader\\"],
    ["a class of everything", "[\\s\\S]"],
    ["an empty class", "loader[]"],
    ["tags alone", "\\;version:\\1\\;confidence:x"],
    ["a repeat of nothing", "*loader"],
    ["a selector without end", `${"div > ".repeat(20_000)}a[href*='x']`],
  ])("%s under any key breaks nothing", (_, raw) => {
    const keys = ["scriptSrc", "html", "headers", "cookies", "meta", "js", "dns", "dom", "implies", "cats", "url"];
    const technology = Object.fromEntries(keys.flatMap((key) => [[key, raw]]));
    const nested = Object.fromEntries(keys.map((key) => [key, { name: raw, MX: raw, exists: raw, attributes: raw }]));
    const { files } = imported({
      technologies: {
        Odd: { website: "https://odd.test", ...technology },
        Odder: { website: "https://o.test", ...nested },
        Oddest: raw,
      },
      categories: { 1: raw },
    });
    expect(files.size).toBeLessThan(5);
  });
});

describe("a set is read", () => {
  test("from one file, as older sets are", async () => {
    const old = { apps: { Gauge: { cats: [1] } }, categories: { 1: { name: "Counting" } } };
    expect(await withFolder({ "technologies.json": JSON.stringify(old) }, readSet)).toEqual({
      technologies: { Gauge: { cats: [1] } },
      categories: { 1: { name: "Counting" } },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ["an empty folder", {}, "contains no technologies/*.json"],
    ["what is no JSON", { "technologies/a.json": "{" }, "a.json is not valid JSON"],
    ["what is no object", { "technologies/a.json": "[]" }, "a.json is not a JSON object"],
  ])("%s is refused", async (_, files, reason) => {
    await withFolder(files, (folder) => expect(() => readSet(folder)).toThrow(reason));
  });

  test("and written into an empty folder only", async () => {
    await withFolder({ "mine.yaml": "a: 1" }, async (folder) => {
      expect(() => writeSet(folder, new Map([["mine.yaml", "b: 2"]]))).toThrow("is not empty");
      expect(await readFile(join(folder, "mine.yaml"), "utf8")).toBe("a: 1");
    });
  });
});
