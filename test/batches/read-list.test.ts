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

  test("may be saved by a spreadsheet in Windows-1252, also line by line", async () => {
    const windows = Buffer.from("Name;Domain;Ort\nM\xfcller;mueller.test;K\xf6ln \x80\n", "latin1");
    const utf8 = Buffer.from("Größe;groesse.test;Ōsaka\nCaf\u00e9;cafe.test;", "utf8");
    expect(await read(Buffer.concat([windows, utf8]))).toEqual([
      { input: "mueller.test", cells: { Name: "Müller", Ort: "Köln €" } },
      { input: "groesse.test", cells: { Name: "Größe", Ort: "Ōsaka" } },
      { input: "cafe.test", cells: { Name: "Café" } },
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

  const inChunks = async function* (text: string, size: number) {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  };

  test.each([
    ["a header without an end", ",".repeat(1_000_000), "Line 1: The line is longer than 64 KiB."],
    ["a long row", `domain,note\na.test,\nb.test,${"x".repeat(65_536)}\n`, "Line 3: The line is longer than 64 KiB."],
    ["comments without end", "#\n".repeat(1_000_000), "more than 100000 empty lines and comments"],
    ["empty lines without end", "a.test\n".concat("\r\n".repeat(200_000)), "more than 100000 empty lines and comments"],
  ])("of %s is refused", async (_, text, reason) => {
    for (const size of [text.length, 65_536])
      await expect(Array.fromAsync(readList(inChunks(text, size), { name: "list.csv" }))).rejects.toThrow(reason);
  });

  test("that comes in small pieces is read in one pass, and others have their turn meanwhile", async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const rows = `# ${"x".repeat(60_000)}\n${"a.test\n".repeat(90_000)}`;
    const entries = await Array.fromAsync(readList(inChunks(rows, rows.length), { name: "list.csv" }));
    const whole = turns;
    await Array.fromAsync(readList(inChunks(rows, 64), { name: "list.csv" }));
    isOver = true;
    expect(entries.length).toBe(90_000);
    expect(whole).toBeGreaterThan(rows.length / 16_384 - 1);
  });

  test("has no cell that the row does not have", () => {
    expect(entriesOf([{ constructor: "a.test" }, { other: "b" }], "constructor")).toEqual([
      { input: "a.test", column: "constructor" },
      { input: "", column: "constructor", cells: { other: "b" } },
    ]);
  });

  test("may be JSON: domains, or objects with further fields", () => {
    expect(entriesOf(["a.test", { website: "b.test", tags: ["x"], size: 3, none: null }])).toEqual([
      { input: "a.test" },
      { input: "b.test", column: "website", cells: { tags: '["x"]', size: "3" } },
    ]);
  });
});
