import { describe, expect, test } from "bun:test";
import { type CheckedCatalogue, loadCheckedCatalogue } from "../../../../src/detection/fingerprints/catalogue.ts";
import { addCustom, loadCustomCatalogue } from "../../../../src/detection/fingerprints/custom.ts";
import { LINEAR_REGEX } from "../../../../src/detection/fingerprints/linear-regex.ts";
import type { Signal } from "../../../../src/detection/signals.ts";
import { ruleOf, toolOf } from "../record-of.ts";
import { withFolder } from "./folder-of.ts";

const KNOWN: CheckedCatalogue = {
  categories: [{ id: "analytics", label: "Analytics", area: "analytics and tracking" }],
  tools: [
    toolOf([ruleOf({ host: "widget.test" })], { implies: ["gadget"] }),
    toolOf([ruleOf({ host: "gadget.test" })], { id: "gadget", name: "Gadget" }),
  ],
};

const rule = (match: string, rest = "") => `
  - id: own
    see: html.script
    match: ${match}
    strength: strong
    means: runs
    why: an own loader
    hit: https://own.test/aaaa
    miss: https://other.test/bbbb
${rest}`;
const whole = (name: string, match: string, rest = "") =>
  `name: ${name}\nvendor: Own Works\nwebsite: https://own.test\ncategory: analytics\n${rest}rules:${rule(match)}`;

const added = (files: Record<string, string>, options?: { testExamples: boolean }) =>
  withFolder(files, (folder) => addCustom(KNOWN, [folder], options));
const faultsOf = async (files: Record<string, string>) =>
  (await added(files, { testExamples: true })).problems.map(({ pointer, detail }) => `${pointer}: ${detail}`);
const script = (value: string): Signal => ({ kind: "html.script", value, location: "https://acme.example/" });
const idsMeeting = (source: CheckedCatalogue, value: string) =>
  loadCheckedCatalogue(source, LINEAR_REGEX)
    .match(script(value))
    .map(({ tool }) => tool.id);

describe("a custom fingerprint", () => {
  test("is added to the built-in ones", async () => {
    const own = await added({ "own-tool.yaml": whole("Own", "{ host: own.test }"), "notes.txt": "not read" });
    expect(own).toMatchObject({ files: 1, rules: 1, replaced: [], extended: [], problems: [] });
    expect(idsMeeting(own, "https://own.test/a")).toEqual(["own-tool"]);
    expect(idsMeeting(own, "https://widget.test/a")).toEqual(["widget"]);
  });

  test("with a built-in id replaces the tool, which is reported", async () => {
    const own = await added({ "widget.yaml": whole("Widget", "{ host: own.test }") });
    expect(own.replaced).toEqual(["widget"]);
    expect(idsMeeting(own, "https://widget.test/a")).toEqual([]);
    expect(idsMeeting(own, "https://own.test/a")).toEqual(["widget"]);
  });

  test("that extends a tool adds its rules and relations", async () => {
    const own = await added({ "widget.yaml": `extends: true\nrole: sender\nrules:${rule("{ host: own.test }")}` });
    expect(own).toMatchObject({ replaced: [], extended: ["widget"], problems: [] });
    expect(own.tools[0]).toMatchObject({ name: "Widget", role: "sender", implies: ["gadget"] });
    expect(idsMeeting(own, "https://widget.test/a")).toEqual(["widget"]);
    expect(idsMeeting(own, "https://own.test/a")).toEqual(["widget"]);
  });

  test("may be in a custom category", async () => {
    const own = await added({
      "categories.yaml": "homemade: { label: Homemade, area: developer tools }",
      "own.yaml": whole("Own", "{ host: own.test }").replace("category: analytics", "category: homemade"),
    });
    expect(own.problems).toEqual([]);
    expect(own.categories.map(({ label }) => label)).toEqual(["Analytics", "Homemade"]);
  });

  test("of a later folder replaces one of an earlier folder", async () => {
    const one = { "own.yaml": whole("One", "{ host: one.test }") };
    const two = { "own.yaml": whole("Two", "{ host: own.test }") };
    await withFolder(one, (first) =>
      withFolder(two, (second) => {
        const own = addCustom(KNOWN, [first, second]);
        expect(own.tools.map(({ name }) => name)).toEqual(["Widget", "Gadget", "Two"]);
      }),
    );
  });
});

describe("every error is reported with its file and location", () => {
  test.each<[string, Record<string, string>, string]>([
    [
      "what is no YAML",
      { "own.yaml": "name: x\nvendor: [y\nwebsite: {" },
      "own.yaml: is not valid YAML; the error is in or near",
    ],
    ["a key that is missing", { "own.yaml": "name: Own" }, "own.yaml/rules:"],
    ["a key that is unknown", { "own.yaml": whole("Own", "{ host: own.test }", "colour: red\n") }, "own.yaml/colour:"],
    ["a name that is no id", { "Own Tool.yaml": whole("Own", "{ host: own.test }") }, "Own Tool.yaml: the file name"],
    [
      "a category that is unknown",
      { "own.yaml": whole("Own", "{ host: own.test }").replace("analytics", "none") },
      'own.yaml/category: unknown category "none"',
    ],
    [
      "a category that is mistyped",
      { "own.yaml": whole("Own", "{ host: own.test }").replace("analytics", "analitics") },
      'own.yaml/category: unknown category "analitics"; did you mean analytics?',
    ],
    [
      "a relation to nobody",
      { "own.yaml": whole("Own", "{ host: own.test }", "product_of: gone\n") },
      'own.yaml/product_of: "gone" is not another tool',
    ],
    ["a hit that is not met", { "own.yaml": whole("Own", "{ host: none.test }") }, "own.yaml/rules/own: hit"],
    [
      "an expression that cannot run in linear time",
      { "own.yaml": whole("Own", '{ regex: "own(?!x)" }') },
      "own.yaml/rules/own: regex: cannot be run in linear time",
    ],
    [
      "a name in use",
      { "own.yaml": whole("WIDGET", "{ host: own.test }") },
      'own.yaml/name: "WIDGET" is also the name of widget; to replace it, use its id as the file name',
    ],
    [
      "an addition to nobody",
      { "own.yaml": `extends: true\nrules:${rule("{ host: own.test }")}` },
      "own.yaml/extends:",
    ],
    ["a bad category", { "categories.yaml": "x: { label: X, area: nowhere }" }, "categories.yaml/x/area"],
  ])("%s", async (_, files, fault) => {
    expect((await faultsOf(files)).join("\n")).toContain(fault);
  });

  test("and the errors of several files are all reported", async () => {
    const faults = await faultsOf({ "a.yaml": "- x", "b.yaml": "b: [", "c.yaml": whole("C", "{ host: own.test }") });
    expect(new Set(faults.map((fault) => fault.split(/[/:]/)[0]))).toEqual(new Set(["a.yaml", "b.yaml"]));
  });

  test("and a missing folder is a usage error, not an error of its fingerprints", () => {
    expect(() => addCustom(KNOWN, ["/nowhere/at/all"])).toThrow(
      "Cannot read the folder /nowhere/at/all; give a folder of .yaml files.",
    );
  });

  test("and errors prevent the start", async () => {
    await withFolder({ "own.yaml": "name: Own" }, (folder) => {
      expect(() => loadCustomCatalogue([folder])).toThrow("The custom fingerprints have");
    });
  });
});

describe("a custom expression", () => {
  test("may repeat without bounds, and a hostile one cannot stall a scan", async () => {
    const own = await added({ "own.yaml": whole("Own", '{ regex: "(a+)+$" }') });
    expect(own.problems).toEqual([]);
    expect(idsMeeting(own, `https://x.test/${"a".repeat(2_000)}`)).toEqual(["own"]);
    expect(idsMeeting(own, `https://x.test/${"a".repeat(2_000)}!`)).toEqual([]);
  });

  test("matches where a backtracking engine gives up", async () => {
    const own = await added({ "own.yaml": whole("Own", '{ regex: "(?:a+)+c|zebra$" }') });
    expect(idsMeeting(own, `https://x.test/${"a".repeat(2_000)}/zebra`)).toEqual(["own"]);
  });

  test.each(["(?:.{0,900}){100}", ".{0,900}".repeat(100), "a{1000}b{1000}", "(a)\\1", "a(?=b)", "(?<!a)b", "("])(
    "%s is refused",
    (source) => {
      expect(LINEAR_REGEX.faultIn(source)).toBeString();
    },
  );

  test("returns its groups, and ignores case", () => {
    expect(Array.from(LINEAR_REGEX.compile("v([\\d.]+)(x)?").exec("V1.2") ?? [])).toEqual(["V1.2", "1.2", undefined]);
    expect(LINEAR_REGEX.compile("v(\\d)").exec("x")).toBeNull();
    expect([LINEAR_REGEX.hasGroup("v(\\d)"), LINEAR_REGEX.hasGroup("v(?:\\d)"), LINEAR_REGEX.hasGroup("(")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
