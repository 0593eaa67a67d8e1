import { expect, test } from "bun:test";
import { requiredLiteral } from "../../src/catalogue/required-literal.ts";

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
])("every value that /%s/ meets holds %p", (source, literal) => {
  expect(requiredLiteral(source)).toBe(literal);
});
