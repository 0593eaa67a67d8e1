import { describe, expect, test } from "bun:test";
import { entriesOf, MAX_ROWS, readList } from "../../src/batches/read-list.ts";

async function read(text: string | Uint8Array, options: Parameters<typeof readList>[1] = { name: "list.csv" }) {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
  }
  const entries = await Array.fromAsync(readList(chunks(), options));
  return entries.map(({ column: _, ...entry }) => entry);
}

describe("a list", () => {
  test.each([
    ["acme.test"],
    ["acme.test\n"],
    ["\uFEFFacme.test\r\n"],
    ["# our customers\n\nacme.test\n# end\n"],
    ["domain\nacme.test\n"],
    ['"acme.test"'],
    ['{"domain":"acme.test"}\n'],
  ])("%j has one domain", async (text) => {
    expect(await read(text)).toEqual([{ input: "acme.test" }]);
  });

  test("keeps the further columns of a CSV file, and finds the domain by the name of its column", async () => {
    expect(await read('Name;Website;Owner\n"Acme; Inc";https://www.acme.test/about;Ana\nBeta;beta.test;\n')).toEqual([
      { input: "https://www.acme.test/about", cells: { Name: "Acme; Inc", Owner: "Ana" } },
      { input: "beta.test", cells: { Name: "Beta" } },
    ]);
  });

  test("without a header finds the domain in the first line", async () => {
    expect(await read("Acme,acme.test\nBeta,beta.test\n")).toEqual([
      { input: "acme.test", cells: { column_1: "Acme" } },
      { input: "beta.test", cells: { column_1: "Beta" } },
    ]);
  });

  const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
  test.each<[string, string | Uint8Array]>([
    ["semicolons and a byte order mark", "\uFEFFFirma;Webseite\r\nAcme, Inc.;acme.test\r\nBeta;beta.test\r\n"],
    ["tabs", "Firma\tWebseite\r\nAcme, Inc.\tacme.test\r\nBeta\tbeta.test\r\n"],
    ["UTF-16", utf16("Firma\tWebseite\r\nAcme, Inc.\tacme.test\r\nBeta\tbeta.test\r\n")],
    ["a line that states the delimiter", "sep=;\r\nFirma;Webseite\r\nAcme, Inc.;acme.test\r\nBeta;beta.test\r\n"],
    ["a usual name on another column", "Firma;Webseite;Site\r\nAcme, Inc.;acme.test;\r\nBeta;beta.test;\r\n"],
  ])("of a spreadsheet with %s has its domains in the column with the most domains", async (_, text) => {
    expect(await read(text, { name: "list.txt" })).toEqual([
      { input: "acme.test", cells: { Firma: "Acme, Inc." } },
      { input: "beta.test", cells: { Firma: "Beta" } },
    ]);
  });

  test("without a header and with a comma in a cell is separated as its second line is", async () => {
    expect(await read("Acme, Inc.;acme.test\nBeta;beta.test\n")).toMatchObject([
      { input: "acme.test" },
      { input: "beta.test" },
    ]);
  });

  test("takes the column that is named, and refuses one that does not exist", async () => {
    const text = "url,partner\nacme.test,beta.test\n";
    expect(await read(text, { name: "a.csv", column: "Partner" })).toEqual([
      { input: "beta.test", cells: { url: "acme.test" } },
    ]);
    expect(read(text, { name: "a.csv", column: "site" })).rejects.toThrow(
      'No column has the name "site": the list has url, partner.',
    );
  });

  test("reports the lines that cannot be read, in their place", async () => {
    expect(await read('{"domain":"a.test","n":1}\n{broken\n"b.test"\n', { name: "list.jsonl" })).toEqual([
      { input: "a.test", cells: { n: "1" } },
      { input: "", fault: "Line 2: The line is not valid JSON. Put each record on one line." },
      { input: "b.test" },
    ]);
  });

  test("has a limit of rows", async () => {
    const rows = "a.test\n".repeat(MAX_ROWS + 1);
    const whole = (async function* () {
      yield Buffer.from(rows);
    })();
    expect(Array.fromAsync(readList(whole))).rejects.toThrow("at most 100,000 rows");
  });

  test("may be JSON: domains, or objects with further fields", () => {
    expect(entriesOf(["a.test", { website: "b.test", tags: ["x"], size: 3, none: null }])).toEqual([
      { input: "a.test" },
      { input: "b.test", column: "website", cells: { tags: '["x"]', size: "3" } },
    ]);
  });
});
