import { describe, expect, test } from "bun:test";
import { applies, kindsOf, matchableKinds, ruleFaults } from "../../../src/detection/fingerprints/conditions.ts";
import type { Match, Rule } from "../../../src/detection/fingerprints/types.ts";
import { type Shape, SIGNAL_GROUPS } from "../../../src/detection/signals.ts";
import { ruleOf } from "./record-of.ts";

describe("an expression", () => {
  const faultsOf = (regex: string) => ruleFaults(ruleOf({ regex }, { see: "dns.txt" }));

  test.each([
    ["an unbounded star", "a.*b", "unbounded repeat"],
    ["an unbounded plus", "\\d+", "unbounded repeat"],
    ["an open count", "a{2,}", "unbounded repeat"],
    ["a plus behind a class", "[a-z]+", "unbounded repeat"],
    ["a star behind a group", "(?:ab)*", "unbounded repeat"],
    ["a lazy star", "a*?", "unbounded repeat"],
    ["a repeat of a repeat", "(a{1,9}b){1,9}", "repeats a group"],
    ["a repeat of a repeat with a tail", "(?:a{1,9}bcd){2}", "repeats a group"],
    ["a repeat of a nested repeat", "((a{1,9})){1,9}", "repeats a group"],
    ["a repeat of a repeat two groups deep", "(((a{1,9}))b){1,9}", "repeats a group"],
    ["a repeat of an option", "(a?b){1,9}", "repeats a group"],
    ["a back-reference by number", "(a)\\1", "back-reference"],
    ["a back-reference by name", "(?<n>a)\\k<n>", "back-reference"],
    ["a repeat beyond reason", "a{301}", "more than 300"],
    ["a range beyond reason", "a{1,9999}", "more than 300"],
    ["what does not compile", "(a", "does not compile"],
  ])("with %s is refused", (_, regex, fault) => {
    expect(faultsOf(regex)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    "a{1,300}",
    "[*+]",
    "[^*]{1,9}",
    "a\\+b\\*c",
    "\\\\{1,3}",
    "(?:ab){2}",
    "(?:ab)?c{1,9}",
    "(a{1,9})(b{1,9})",
    "(a{1,9})b{1,9}",
    "(?=a{1,9})b",
    "\\[1\\]",
  ])("%s is accepted", (regex) => {
    expect(faultsOf(regex)).toEqual([]);
  });

  test("for the version follows the same limits, and needs a group", () => {
    const faultsOfVersion = (version: string) => ruleFaults(ruleOf({ host: "widget.test" }, { version }));
    expect(faultsOfVersion("v(\\d+)")).toEqual([expect.stringContaining("version: contains an unbounded repeat")]);
    expect(faultsOfVersion("v\\d")).toEqual(["the regex of version needs a capturing group"]);
    expect(faultsOfVersion("v\\((?:\\d)")).toEqual(["the regex of version needs a capturing group"]);
    expect(faultsOfVersion("v(\\d)")).toEqual([]);
  });
});

describe("a pattern", () => {
  test.each<[string, Match, Rule["see"], string]>([
    ["in a text", { contains: "abcd" }, "html.inline", "shorter than 5"],
    ["in a group of texts", { contains: ["long enough", "abcd"] }, "code", "shorter than 5"],
    ["in a word", { contains: "abc" }, "http.cookie", "shorter than 4"],
    ["as a global", { global: "gtm" }, "html.inline", "shorter than 4"],
    ["as a product's name", { word: "Wix" }, "mention", "shorter than 4"],
    ["as a first-party path", { path: "/a/" }, "html.path", "shorter than 4"],
  ])("%s that is too short is refused", (_, match, see, fault) => {
    expect(ruleFaults(ruleOf(match, { see, strength: "weak" }))).toEqual([expect.stringContaining(fault)]);
  });

  test.each<[string, Match, Rule["see"]]>([
    ["in a text", { contains: "abcde" }, "html.inline"],
    ["in a word", { contains: "abcd" }, "http.cookie"],
    ["of a path at a host", { host: "widget.test", path: "/a" }, "html.script"],
  ])("%s that is long enough is accepted", (_, match, see) => {
    expect(ruleFaults(ruleOf(match, { see }))).toEqual([]);
  });
});

describe("a rule", () => {
  test.each<[string, Rule, string]>([
    [
      "whose match suits none of its kinds",
      ruleOf({ global: "Widget" }, { see: "dns.mx" }),
      "none of the signal kinds",
    ],
    ["whose match suits one kind of two", ruleOf({ host: "widget.test" }, { see: ["dns.mx", "dns.txt"] }), "dns.txt"],
    ["that asks a header for no name", ruleOf({ contains: "widget" }, { see: "http.header" }), "http.header"],
    ["that asks a host for a name", ruleOf({ name: "x-widget" }, { see: "dns.mx" }), "dns.mx"],
    ["with a bare expression on a text", ruleOf({ regex: "widget" }, { see: "html.inline" }), "needs a contains"],
    [
      "that mentions strongly",
      ruleOf({ word: "Widget" }, { see: "mention", means: "mentions" }),
      "a rule that means mentions must have strength weak",
    ],
  ])("%s is refused", (_, rule, fault) => {
    expect(ruleFaults(rule).join("; ")).toContain(fault);
  });

  test("reports all errors at once", () => {
    const rule = ruleOf({ contains: "ab", regex: "a*" }, { see: "http.cookie", means: "mentions", version: "v" });
    expect(ruleFaults(rule)).toHaveLength(4);
  });

  test("expands groups, and lists each kind once", () => {
    expect(kindsOf(ruleOf({}, { see: ["code", "html.inline", "dns.mx"] }))).toEqual([
      "html.inline",
      "js.bundle",
      "js.global",
      "dns.mx",
    ]);
    expect(kindsOf(ruleOf({}, { see: "web" }))).toEqual(SIGNAL_GROUPS.web);
  });

  test("for a group matches the kinds whose values suit it", () => {
    const kinds = matchableKinds(ruleOf({ host: "widget.test", path: "/a" }, { see: "web" }));
    expect(kinds).toContain("html.script");
    expect(kinds).not.toContain("gtm.host");
  });
});

test.each<[Shape, Match, boolean]>([
  ["host", { host: "widget.test" }, true],
  ["host", { path: "/widget" }, false],
  ["url", { host: "widget.test", path: "/a" }, true],
  ["url", { word: "Widget" }, false],
  ["path", { path: "/widget" }, true],
  ["path", { host: "widget.test" }, false],
  ["word", { equals: "a" }, true],
  ["word", { name: "a" }, false],
  ["named", { name: "a", host: "widget.test" }, true],
  ["named", { equals: "a" }, false],
  ["text", { global: "Widget" }, true],
  ["text", { equals: "Widget" }, false],
])("a match on a %s with %j can be tested: %p", (shape, match, expected) => {
  expect(applies(match, shape)).toBe(expected);
});
