import { expect, test } from "bun:test";
import { requiredLiteral, requiredLiterals } from "../../../src/detection/fingerprints/conditions.ts";

test.each([
  ["\\/jquery[.-]\\d{1,3}", "/jquery"],
  ["^https:\\/\\/cdn\\.acme\\.com\\/", "https://cdn.acme.com/"],
  ["colou?rful", "colo"],
  ["abcd{0,3}efghi", "efghi"],
  ["(loader|starter)\\.bundle\\.js", ".bundle.js"],
  ["(?:only in a group)", undefined],
  ["either|or this", undefined],
  ["[abcdefgh]xyz", undefined],
  ["Acme-Loader", "acme-loader"],
  ["one\\dlonger", "longer"],
  ["key(?=after it)ness", "ness"],
  ["\\(literal\\)", "(literal)"],
  ["x[\\]longlong]yzzzz", "yzzzz"],
  ["loader{", "loader{"],
  ["a{loader}b", "a{loader}b"],
  ["\\x41bcd", undefined],
  ["\\u0041loader", "loader"],
])("every match of /%s/ contains %p", (source, literal) => {
  expect(requiredLiteral(source)).toBe(literal);
});

test.each([
  ["/scripts/acme\\.js|/scripts/lib-acme\\.js", ["/scripts/acme.js", "/scripts/lib-acme.js"]],
  ["/scripts/acme\\.js|/x", undefined],
  ["^https?://[^/]{3,100}/(?:widget|gadget)\\.(?:js|php)", ["widget", "gadget"]],
  ["^https?://[^/]{3,100}/(?:widget|gad)\\.js", ["http"]],
  ["^https://[a-z]{3,9}\\.acme\\.com/", [".acme.com/"]],
  ["^(https://)?[a-z]{2,9}\\.(acme|widgets)\\.com(/|$)", ["acme", "widgets"]],
  ["(?<kind>loader|starter)[0-9]", ["loader", "starter"]],
  ["(?P<kind>loader|starter)[0-9]", ["loader", "starter"]],
  ["(?:(?:loader|starter)\\.js|runner)[0-9]", ["loader", "starter", "runner"]],
  ["(?:loader){1,3}[0-9]", ["loader"]],
  ["(?:loader)?\\.js", undefined],
  ["(?:loader){0,3}\\.js", undefined],
  ["(?:loader){,3}\\.js", undefined],
  ["(?:loader)*\\.js", undefined],
  ["(?!loader)[a-z]{4}", undefined],
  ["(?<!loader)[a-z]{4}", undefined],
  ["(?=loader)[a-z]{4}", undefined],
  ["(?:(?!loader)[a-z]{4}|starter)", undefined],
  ["[(]loader[)]", ["loader"]],
  ["\\(loader|starter\\)", ["(loader", "starter)"]],
])("every match of /%s/ contains one of %p", (source, literals) => {
  expect(requiredLiterals(source)).toEqual(literals);
});
