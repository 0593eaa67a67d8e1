import { describe, expect, test } from "bun:test";
import type { Problem } from "../../../src/core/errors.ts";
import { isProblems, readCategories, readRecord } from "../../../src/detection/fingerprints/record.ts";

const RULE = {
  id: "loader",
  see: "html.script",
  match: { host: "widget.test" },
  strength: "strong",
  means: "runs",
  why: "the loader",
  hit: "https://widget.test/a.js",
  miss: "https://gadget.test/a.js",
};
const RECORD = {
  name: "Widget",
  vendor: "Widget Works",
  website: "https://widget.test/",
  category: "analytics",
  rules: [RULE],
};

function problemsOf(raw: unknown, id = "widget"): readonly Problem[] {
  const read = readRecord(id, raw);
  if (!isProblems(read)) throw new Error("no problem was found");
  return read;
}
const pointersOf = (raw: unknown) => problemsOf(raw).map(({ pointer }) => pointer);
const withRule = (change: object) => ({ ...RECORD, rules: [{ ...RULE, ...change }] });
const without = (key: string, object: object) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

test("a record is read under its file's name", () => {
  const read = readRecord("widget", { ...RECORD, aliases: ["Gadget"], implies: ["cloud"] });
  expect(read).toEqual({ id: "widget", ...RECORD, aliases: ["Gadget"], implies: ["cloud"] } as typeof read);
});

describe("an unknown key is refused", () => {
  test.each([
    ["of the tool", { ...RECORD, colour: "red" }, "widget/colour"],
    ["of a rule", withRule({ note: "x" }), "widget/rules/0/note"],
    ["of a match", withRule({ match: { host: "widget.test", hosts: "a.test" } }), "widget/rules/0/match/hosts"],
  ])("%s", (_, raw, pointer) => {
    expect(pointersOf(raw)).toEqual([pointer]);
  });
});

describe("a missing key is reported", () => {
  test.each(Object.keys(RECORD))("%s of the tool", (key) => {
    expect(pointersOf(without(key, RECORD))).toContain(`widget/${key}`);
  });
  test.each(Object.keys(RULE))("%s of a rule", (key) => {
    expect(pointersOf({ ...RECORD, rules: [without(key, RULE)] })).toContain(`widget/rules/0/${key}`);
  });
});

describe("a value outside its limits is reported", () => {
  test.each([
    ["a host with a scheme", withRule({ match: { host: "https://widget.test" } }), "widget/rules/0/match/host"],
    ["a host in upper case", withRule({ match: { host: "Widget.test" } }), "widget/rules/0/match/host"],
    ["a single label", withRule({ match: { host: "widget" } }), "widget/rules/0/match/host"],
    ["a header in upper case", withRule({ match: { name: "X-Widget" } }), "widget/rules/0/match/name"],
    ["a match of nothing", withRule({ match: {} }), "widget/rules/0/match"],
    ["an empty pattern", withRule({ match: { contains: "" } }), "widget/rules/0/match/contains"],
    ["an empty list", withRule({ match: { equals: [] } }), "widget/rules/0/match/equals"],
    ["an unknown kind", withRule({ see: "dns.hinfo" }), "widget/rules/0/see"],
    ["an unknown strength", withRule({ strength: "sure" }), "widget/rules/0/strength"],
    ["an unknown meaning", withRule({ means: "likes" }), "widget/rules/0/means"],
    ["a rule id with blanks", withRule({ id: "the loader" }), "widget/rules/0/id"],
    ["a website without a scheme", { ...RECORD, website: "widget.test" }, "widget/website"],
    ["no rule", { ...RECORD, rules: [] }, "widget/rules"],
    ["a name that is too long", { ...RECORD, name: "x".repeat(81) }, "widget/name"],
    ["no object", "Widget", "widget"],
    ["nothing", null, "widget"],
  ])("%s", (_, raw, pointer) => {
    expect(pointersOf(raw)).toContain(pointer);
  });

  test("a file name that is not an id", () => {
    expect(problemsOf(RECORD, "My_Widget")).toEqual([
      { pointer: "My_Widget", detail: "the file name is not a kebab-case id" },
    ]);
  });
});

test("all errors of a record are reported at once", () => {
  const raw = { ...withRule({ strength: "sure", note: 1 }), name: "", colour: "red" };
  expect(new Set(pointersOf(raw))).toEqual(
    new Set(["widget/colour", "widget/name", "widget/rules/0/note", "widget/rules/0/strength"]),
  );
});

describe("categories", () => {
  test("are read in their order", () => {
    const read = readCategories({ email: { label: "Email", area: "email and identity" } });
    expect(read).toEqual([{ id: "email", label: "Email", area: "email and identity" }] as typeof read);
  });

  test.each([
    ["an unknown area", { email: { label: "Email", area: "post" } }],
    ["an unknown key", { email: { label: "Email", area: "marketing", order: 1 } }],
    ["no label", { email: { area: "marketing" } }],
    ["no object", []],
  ])("with %s are refused", (_, raw) => {
    expect(isProblems(readCategories(raw))).toBe(true);
  });
});
