import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../../src/core/errors.ts";
import { MAX_CAPTURE_BYTES } from "../../../src/detection/captures/read-capture.ts";
import { parseSnapshot, stringifySnapshot } from "../../../src/detection/visit/snapshot-file.ts";
import { processorMs } from "../../processor-time.ts";
import { capture, refusalOf } from "./read.ts";

test.each(["", " \n\t ", "\ufeff"])("an empty file is refused as one: %j", (text) => {
  expect(refusalOf(text).message).toBe("The file is empty.");
});

describe("an unknown file format is refused with the accepted formats", () => {
  test.each([
    ["a sentence", "We use Widget and Gadget."],
    ["a list of names", "acme.example\nwidget.test\n"],
    ["a table", "name,type\nwww,CNAME\n"],
    ["YAML of something else", "name: Widget\nrules: []\n"],
    ["broken JSON", '{"log": {'],
    ["JSON of something else", '{"a": 1}'],
    ["a JSON list", "[1, 2]"],
    ["a picture", "\x89PNG\r\n\x1a\n\0\0\0"],
    ["a zone without a record that counts", "$ORIGIN acme.example.\n@ IN HINFO a b\n"],
  ])("%s", (_, text) => {
    const { code, message } = refusalOf(text);
    expect(code).toBe("snapshot.invalid");
    expect(message).toMatch(/snapshot|HAR|JSON|record|zone/);
    expect(message).toEndWith(".");
  });

  test("a file that is too large, before it is read", () => {
    expect(refusalOf("{".repeat(MAX_CAPTURE_BYTES + 1)).message).toContain("128 MiB");
  });
});

const har = JSON.stringify({
  log: {
    entries: [
      {
        startedDateTime: "2026-03-04T05:06:07Z",
        request: { method: "GET", url: "https://acme.example/" },
        response: { status: 200, headers: [{ name: "a", value: "b" }], content: { text: "x", mimeType: "text/html" } },
      },
    ],
  },
});
const SOUND = [
  har,
  '<html><link rel="canonical" href="https://acme.example/"><p>hello',
  "HTTP/1.1 200 OK\r\nserver: widget\r\n\r\n<p>hello",
  '$ORIGIN acme.example.\n@ IN MX 10 mx.widget.test.\n@ IN TXT ( "a" ; c\n "b" )\nwww 300 CNAME x.widget.test.\n',
  "'':\n  - type: MX\n    value: {exchange: mx.widget.test., preference: 10}\nwww: {type: CNAME, value: w.widget.test.}\n",
  JSON.stringify({ domain: "acme.example", mx: ["10 mx.widget.test"], headers: { "acme.example": { server: "w" } } }),
  stringifySnapshot(capture(har)),
];
const PIECES = [
  "(",
  ")",
  '"',
  "\\",
  ";",
  "\n",
  "\0",
  "é",
  "{",
  "}",
  "[",
  "]",
  "&a ",
  "*a ",
  "- ",
  ": ",
  "$ORIGIN ",
  "IN TXT ",
  "999999",
  "null",
  "-1",
  "\uD800",
];

/** A file that reads is one that can be written and read again; any other is refused, and nothing else happens. */
function readOrRefused(text: string): void {
  try {
    const snapshot = capture(text);
    parseSnapshot(stringifySnapshot(snapshot));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toMatch(/^(snapshot|domain)\./);
    if (error.details.problems?.length) expect(() => capture(text)).toThrow(Failure);
  }
}

describe("any file content is read or refused, and never throws", () => {
  test("random text", () => {
    const starts = fc.constantFrom("", "{", "[", "<", "HTTP/1.1 ", "$ORIGIN ", "a IN MX ", "---\n", "'': ");
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.array(fc.constantFrom(...PIECES)).map((some) => some.join("")),
    );
    fc.assert(
      fc.property(starts, texts, (start, text) => readOrRefused(start + text)),
      { numRuns: 1_500 },
    );
  });

  test("valid files with parts removed, repeated or inserted", () => {
    const change = fc.record({
      at: fc.nat(1_000),
      cut: fc.nat(12),
      put: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })),
    });
    fc.assert(
      fc.property(fc.constantFrom(...SOUND), fc.array(change, { minLength: 1, maxLength: 5 }), (sound, changes) => {
        readOrRefused(
          changes.reduce((text, { at, cut, put }) => {
            const place = at % (text.length + 1);
            return text.slice(0, place) + put + text.slice(place + cut);
          }, sound),
        );
      }),
      { numRuns: 3_000 },
    );
  });

  test("JSON of the right shape with wrong types", () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    const odd = fc.oneof(json, fc.constant({ toString: 1, valueOf: 1 }));
    const entries = fc.array(
      fc.oneof(
        odd,
        fc.record({
          request: fc.oneof(odd, fc.record({ url: fc.oneof(odd, fc.constant("https://acme.example/")), method: odd })),
          response: fc.oneof(
            odd,
            fc.record({
              status: odd,
              headers: fc.oneof(odd, fc.array(fc.record({ name: odd, value: odd }))),
              content: fc.oneof(odd, fc.record({ text: odd, mimeType: odd, encoding: odd })),
            }),
          ),
          startedDateTime: odd,
        }),
      ),
    );
    const hars = fc.record({ log: fc.record({ entries }) });
    const keys = [
      "mx",
      "ns",
      "txt",
      "spf",
      "cname",
      "dkim",
      "caa",
      "soa",
      "headers",
      "san",
      "cert_issuer",
      "robots",
      "server",
      "captured",
    ];
    const lists = fc
      .dictionary(fc.constantFrom(...keys), fc.oneof(odd, fc.dictionary(fc.string(), odd)))
      .map((list) => ({ mx: [], ...list, domain: "acme.example" }));
    fc.assert(
      fc.property(fc.oneof(hars, lists), (document) => readOrRefused(JSON.stringify(document))),
      { numRuns: 1_500 },
    );
  });
});

describe("a file crafted to stall the parser ends in time", () => {
  const times = (text: string, count: number) => text.repeat(count);
  test.each([
    ["parentheses without end", () => `@ IN TXT ${times("(", 16_000)}\n${times(`${times("(", 16_000)}\n`, 60)}`],
    ["escaped quotes without end", () => times(`@ IN TXT "${times('\\"', 8_000)}\n`, 60)],
    ["quotes and parentheses in turn", () => times(`@ IN TXT ${times('"(" ', 4_000)}\n`, 60)],
    ["a long word before the last", () => times(`@ IN CNAME ${times("a", 16_000)} b\n`, 60)],
    ["blanks without end", () => `@ IN TXT${times(" ", 1_000_000)}x\n`],
    ["lines without end", () => `$ORIGIN acme.example.\n${times("a\n", 500_000)}`],
    ["links without end", () => `<html>${times("<link rel=canonical ", 50_000)}`],
    ["open tags without end", () => `<html>${times("<link", 200_000)}`],
    ["headers without end", () => `HTTP/1.1 200 OK\n${times("a: b\n", 300_000)}`],
    ["JSON nested without end", () => times("[", 1_000_000)],
    ["YAML nested without end", () => `a: ${times("[", 100_000)}`],
    ["YAML lists nested without end", () => times("- ", 100_000)],
    [
      "YAML references to a long list",
      () =>
        `x: {type: TXT, values: &all [${times("v,", 4_000)}v]}\n${Array.from({ length: 5_000 }, (_, index) => `l${index}: {type: TXT, values: *all}\n`).join("")}`,
    ],
    ["YAML lines without end", () => times("a: b\n", 100_000)],
    [
      "YAML references to references",
      () =>
        `${Array.from({ length: 40 }, (_, i) => `a${i}: &a${i} [${i ? `*a${i - 1},*a${i - 1}` : "x"}]`).join("\n")}\nz: {type: TXT, values: *a39}`,
    ],
  ])("%s", (_, make) => {
    const text = make();
    const began = processorMs();
    readOrRefused(text);
    expect(processorMs() - began).toBeLessThan(2_000);
  });
});

test("the time for a record list grows with its length alone", () => {
  const keyOf = (number: number) => number.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)]!);
  const timeOf = (count: number) => {
    const fields = Array.from({ length: count }, (_, at) => [`csp_${keyOf(at)}`, { value: "a" }]);
    // One host, in as many spellings.
    const names = Array.from({ length: count }, (_, at) =>
      Array.from("headers-of-acme", (letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter)).join(""),
    );
    const headers = Object.fromEntries(names.map((name) => [`${name}.acme.example`, { a: "x" }]));
    const text = JSON.stringify({ domain: "acme.example", mx: [], headers, ...Object.fromEntries(fields) });
    const before = processorMs();
    capture(text, { name: "x.json" });
    return processorMs() - before;
  };
  timeOf(2_000);
  // More than ten seconds with a copy of all fields for each field.
  expect(timeOf(30_000)).toBeLessThan(2_500);
});
