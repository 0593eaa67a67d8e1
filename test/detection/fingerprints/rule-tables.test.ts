import { expect, test } from "bun:test";
import {
  buildRuleTables,
  createRuleIndex,
  type RuleTables,
  ruleAt,
} from "../../../src/detection/fingerprints/rule-index.ts";
import type { Match } from "../../../src/detection/fingerprints/types.ts";
import { ruleOf, toolOf } from "./record-of.ts";

/** Ids of the rules under each key of a table. */
function keysOf(table: keyof RuleTables, match: Match, see: Parameters<typeof ruleOf>[1] = {}) {
  const tools = [toolOf([]), toolOf([ruleOf({ word: "Other" }, { see: "board.posting" }), ruleOf(match, see)])];
  return buildRuleTables(tools)[table].flatMap(([key, numbers]) =>
    numbers.some((number) => ruleAt(tools, number).rule.match === match) ? [key] : [],
  );
}

test("a rule is indexed under its most selective condition only", () => {
  const all: Match = { host: ["a.test", "b.test"], equals: "Whole", contains: "part" };
  expect(keysOf("names", { ...all, name: "x-widget" }, { see: "http.header" })).toEqual(["x-widget"]);
  expect(keysOf("hosts", { ...all, name: "x-widget" }, { see: "http.header" })).toEqual([]);
  expect(keysOf("hosts", all)).toEqual(["a.test", "b.test"]);
  expect(keysOf("equals", all)).toEqual([]);
  expect(keysOf("equals", { equals: ["Whole", "other"], contains: "part" })).toEqual(["whole", "other"]);
  expect(keysOf("places", { equals: "whole", contains: "part" })).toEqual([]);
});

test("a rule without a whole condition is indexed in each place that its kinds search, once", () => {
  const match = { contains: "widget" };
  expect(keysOf("places", match, { see: "web" })).toEqual(["url", "host"]);
  expect(keysOf("places", match, { see: ["html.inline", "js.bundle", "html.markup"] })).toEqual([
    "code",
    "html.markup",
  ]);
});

test("tables restored from JSON contain the same rules", () => {
  const tools = [
    toolOf([ruleOf({ host: "widget.test" })]),
    toolOf([ruleOf({ host: "other.test" }), ruleOf({ host: "widget.test", path: "/a" }, { id: "second" })], {
      id: "b",
    }),
  ];
  const tables: RuleTables = JSON.parse(JSON.stringify(buildRuleTables(tools)));
  const hits = createRuleIndex(tools, undefined, { tables })({
    kind: "html.script",
    value: "https://widget.test/a",
    location: "",
  });
  expect(hits.map(({ tool, rule }) => [tool === tools[1], rule.id])).toEqual([
    [false, "rule"],
    [true, "second"],
  ]);
});
