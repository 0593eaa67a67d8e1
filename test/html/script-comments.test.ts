import { describe, expect, test } from "bun:test";
import { withoutDisabledCode } from "../../src/html/script-comments.ts";

describe("code that is commented out", () => {
  test.each([
    ["a();\n// window.widget = load();\nb();", "a();\n \nb();"],
    ["a(); // s.src = '//vendor.example/a.js'", "a();  "],
    ["a();/* t.load('x'); */b();", "a(); b();"],
    ["/*\n_hmt.push(['x']);\n*/", " "],
    ["//loader('https://vendor.example/a.js')", " "],
    ["var re = /[/'\"]/; // x = 1;\nb()", "var re = /[/'\"]/;  \nb()"],
    ["don't(); // x = 1;", "don't();  "],
    ["var a = b / c; /* x = 1; */ d / e", "var a = b / c;   d / e"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a script
    ["`${a}\n//b = 1;`; // c = 1;", "`${a}\n//b = 1;`;  "],
  ])("is left out: %j", (source, text) => {
    expect(withoutDisabledCode(source)).toBe(text);
  });

  test.each([
    ["prose", "/* Optimized by Some Plugin v1.2 */"],
    ["a link to a ticket", "// https://acme.vendor.example/browse/ABC-12\n"],
    ["a licence", "/*! widget.js v1.0 (c) 2020; see vendor.example */"],
  ])("not so %s, which holds no code", (_, comment) => {
    expect(withoutDisabledCode(`${comment}a();`)).toBe(`${comment}a();`);
  });
});

test.each([
  'load("https://vendor.example/a.js");',
  "load('//vendor.example/a.js'); x = 1;",
  String.raw`{"url":"https:\/\/vendor.example\/a.js"}`,
  "load(`//vendor.example/a.js`)",
  "x='it\\'s // y = 1;'",
  String.raw`a=b.replace(/^https?:\/\//,"");c("//vendor.example/a.js");d=1`,
  "a=/\\/*x=1;*/.test(b)",
  "a = '/*'; b = 1; c = '*/'",
  "a /* never closed; b = 1",
  `//${"a=1;".repeat(1_000)}`,
])("addresses, strings, regular expressions and lines of minified code are kept: %#", (source) => {
  expect(withoutDisabledCode(source)).toBe(source);
});
