import { describe, expect, test } from "bun:test";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { readFields } from "../../../src/casestudies/fields.ts";
import { exportStudies } from "../../../src/casestudies/import/export-file.ts";
import { type ImportSource, importStudies, type SaveOutcome } from "../../../src/casestudies/import/import-file.ts";
import { isProblems, parseRecord } from "../../../src/casestudies/record.ts";
import type { NewCaseStudy } from "../../../src/casestudies/types.ts";
import { csvCell, listText, restoreCell } from "../../../src/core/csv.ts";
import { readFileRecords } from "../../../src/tabular/read-records.ts";
import { all, bytesOf, minimal, story, tools } from "../examples.ts";

/** A store in memory that compares whole records. */
function fakeStore() {
  const kept = new Map<string, NewCaseStudy>();
  const batches: number[] = [];
  const save: ImportSource["save"] = async (batch) => {
    batches.push(batch.length);
    return batch.map((study): SaveOutcome => {
      const before = kept.get(study.id);
      kept.set(study.id, study);
      if (before === undefined) return { id: study.id, outcome: "added" };
      return { id: study.id, outcome: Bun.deepEquals(before, study) ? "unchanged" : "updated" };
    });
  };
  return { kept, batches, save };
}

const parse: ImportSource["parse"] = (raw, onIgnored) => parseRecord(raw, tools, onIgnored);
const importText = (content: string | Uint8Array, more: Partial<ImportSource> = {}, name = "") =>
  importStudies({ records: readFileRecords(bytesOf(content, 4_093), name), parse, save: fakeStore().save, ...more });

const line = (n: number, more = {}) =>
  JSON.stringify({ ...minimal, id: `quayline-${n}`, url: `https://quayline.example/${n}`, ...more });
const lines = (count: number) => Array.from({ length: count }, (_, n) => line(n)).join("\n");

describe("a JSON Lines file", () => {
  test("has its valid lines imported and its invalid lines reported by number", async () => {
    const content = [line(1), "", "{broken", line(2), "42", line(3, { title: "" })].join("\r\n");
    const { read: seen, added, bad_lines, bad } = await importText(content);
    expect({ seen, added, bad_lines, bad }).toEqual({
      seen: 5,
      added: 2,
      bad_lines: 3,
      bad: [
        { line: 3, reason: "The line is not valid JSON. Put each record on one line." },
        { line: 5, reason: "A case study must be an object with a title, a url and a company." },
        { line: 6, reason: "The title is missing." },
      ],
    });
  });

  test.each([
    ["a byte order mark", (text: string) => `\uFEFF${text}`],
    ["gzip", (text: string) => Bun.gzipSync(Buffer.from(text))],
    ["zstd", (text: string) => new Uint8Array(zstdCompressSync(Buffer.from(text)))],
  ])("is read with %s", async (_, pack) => {
    const records = await all(readFileRecords(bytesOf(pack(lines(3)), 1)));
    expect(records.map((record) => "raw" in record && record.line)).toEqual([1, 2, 3]);
  });

  test("with broken compression is imported up to the break", async () => {
    const packed = Bun.gzipSync(Buffer.from(lines(5_000)));
    const { added, bad } = await importText(packed.subarray(0, packed.length - 2_000));
    expect(added).toBeGreaterThan(100);
    expect(bad.at(-1)?.reason).toBe("The file's compression is broken or ends too early.");
  });

  test("may contain lines that are too long or not UTF-8", async () => {
    const long = JSON.stringify({ ...minimal, body: "x".repeat(2 * 1024 ** 2) });
    const content = Buffer.concat([
      Buffer.from(`${line(1)}\n${long}\n{"a":"`),
      Buffer.from([0xff]),
      Buffer.from(`"}\n${line(2)}`),
    ]);
    const { added, bad } = await importText(content);
    expect(added).toBe(2);
    expect(bad).toEqual([
      { line: 2, reason: "The line is longer than 2 MiB." },
      { line: 3, reason: "The line is not UTF-8." },
    ]);
  });

  test("that is one array is rejected with advice", async () => {
    expect((await importText(`[${line(1)}]`)).bad).toEqual([
      { line: 1, reason: "The file is one JSON array. Put each record on its own line instead." },
    ]);
  });

  test("that is a spreadsheet is rejected with advice", async () => {
    expect((await importText("PK\u0003\u0004zzzz", {}, "stories.xlsx")).bad).toEqual([
      { line: 1, reason: "The file is a spreadsheet or another zip archive. Save the sheet as CSV." },
    ]);
  });

  test("that exceeds the size limit is read no further", async () => {
    const records = await all(readFileRecords(bytesOf(lines(1_000)), "", { maxBytes: 20_000 }));
    expect(records.length).toBeLessThan(400);
    expect(records.at(-1)).toHaveProperty("fault", "The file is too large. Split it into smaller files.");
  });
});

describe("a CSV file", () => {
  const head = "title,url,company_name,client_name,summary";

  test("is read row by row, with the first line of each row", async () => {
    const content = `${head}\r\n"Fees, halved",https://q.example/1,Quayline,,"two\r\nlines"\r\n\r\nNext,https://q.example/2,Quayline,B,\r\n`;
    expect(await all(readFileRecords(bytesOf(content)))).toEqual([
      {
        line: 2,
        raw: {
          title: "Fees, halved",
          url: "https://q.example/1",
          company_name: "Quayline",
          client_name: "",
          summary: "two\r\nlines",
        },
      },
      {
        line: 5,
        raw: { title: "Next", url: "https://q.example/2", company_name: "Quayline", client_name: "B", summary: "" },
      },
    ]);
  });

  test.each([";", "\t"])("may use the delimiter %p", async (mark) => {
    const content = `\uFEFF${head.replace(/,/g, mark)}\nA, b${mark}https://q.example/1${mark}Quayline`;
    expect((await importText(content)).added).toBe(1);
  });

  test("has its valid rows imported when others are invalid", async () => {
    const content = `${head}\nA,https://q.example/1,Quayline\nB,nowhere,Quayline\nC,https://q.example/3,Quayline,,too,many\n`;
    const { added, bad } = await importText(content);
    expect(added).toBe(2);
    expect(bad.map((fault) => fault.line)).toEqual([3]);
  });

  test("has cells beyond the last column reported, unless they are blank", async () => {
    const content = `${head}\nA,https://q.example/1,Quayline,,Fees fell, by half\nB,https://q.example/2,Quayline,,C,, ,\n`;
    expect((await importText(content)).left_out).toEqual([
      {
        field: "column 6",
        reason: "This column has no header. Put quotes around cells that contain the delimiter.",
        count: 1,
        lines: [2],
      },
    ]);
  });

  test("has the rows before an unclosed quote imported", async () => {
    const { added, bad } = await importText(
      `${head}\nA,https://q.example/1,Quayline\n"B,https://q.example/2,Quayline\nC,c,c\n`,
    );
    expect(added).toBe(1);
    expect(bad).toEqual([{ line: 4, reason: "A quote in this row is not closed." }]);
  });

  test("in another encoding is reported row by row", async () => {
    const content = Buffer.concat([
      Buffer.from(`${head}\nCaf`),
      Buffer.from([0xe9]),
      Buffer.from(",https://q.example/1,Quayline\n"),
    ]);
    expect((await importText(content)).bad).toEqual([
      { line: 2, reason: "The row is not UTF-8. Save the file as UTF-8." },
    ]);
  });
});

describe("an import", () => {
  test("that is repeated finds everything unchanged", async () => {
    const { save } = fakeStore();
    expect(await importText(lines(450), { save })).toMatchObject({ read: 450, added: 450, unchanged: 0 });
    expect(await importText(lines(450), { save })).toMatchObject({ read: 450, added: 0, unchanged: 450 });
  });

  test("saves batches of 200 with distinct ids", async () => {
    const { save, batches } = fakeStore();
    await importText(`${lines(450)}\n${line(449, { title: "Again" })}`, { save });
    expect(batches).toEqual([200, 200, 50, 1]);
  });

  test("reads no further while a batch is saved", async () => {
    let given = 0;
    async function* records() {
      for (; given < 1_000; given++) yield { line: given + 1, raw: JSON.parse(line(given)) };
    }
    const seen: number[] = [];
    const save: ImportSource["save"] = async (batch) => {
      seen.push(given);
      await Bun.sleep(0);
      seen.push(given);
      return batch.map(({ id }) => ({ id, outcome: "added" as const }));
    };
    await importStudies({ records: records(), parse, save });
    for (let at = 0; at < seen.length; at += 2) expect(seen[at + 1]).toBe(seen[at] ?? -1);
  });

  test("stops when it is aborted and keeps the saved batches", async () => {
    const stop = new AbortController();
    const { save, kept } = fakeStore();
    const running = importText(lines(1_000), {
      save,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("stopped")),
    });
    await expect(running).rejects.toThrow("stopped");
    expect(kept.size).toBe(200);
  });

  test("lists duplicates by line and at most 1,000 invalid lines, but counts all", async () => {
    const save: ImportSource["save"] = async (batch) =>
      batch.map(({ id }) => ({ id, outcome: "duplicate" as const, of: "quayline-0" }));
    const done = await importText(`${"bad\n".repeat(1_500)}${line(1)}`, { save }, "stories.jsonl");
    expect(done.duplicates).toEqual([{ line: 1_501, of: "quayline-0" }]);
    expect([done.bad.length, done.bad_lines]).toEqual([1_000, 1_500]);
  });

  test("groups ignored fields with their first lines and count", async () => {
    const content = [line(1), line(2, { date: "2024-11", clinet: "B" }), "{}", line(3, { date: "soon" })].join("\n");
    const { added, left_out_fields, left_out } = await importText(content);
    expect([added, left_out_fields]).toEqual([3, 3]);
    expect(left_out).toEqual([
      { field: "date", reason: "Give a date as YYYY-MM-DD.", count: 2, lines: [2, 4] },
      { field: "clinet", reason: "No field has this name; did you mean client?", count: 1, lines: [2] },
    ]);
  });

  test("lists at most 1,000 ignored fields with 20 lines each, but counts all", async () => {
    const content = Array.from({ length: 1_200 }, (_, n) => line(n, { [`colour ${n}`]: "red", country: "Atlantis" }));
    const { left_out_fields, left_out } = await importText(content.join("\n"));
    expect([left_out_fields, left_out.length]).toEqual([2_400, 1_000]);
    const country = left_out.find(({ field }) => field === "country");
    expect([country?.count, country?.lines.length]).toEqual([1_200, 20]);
  });

  test("of any bytes ends and never throws", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 2_000 }),
        fc.constantFrom("", "\x1f\x8b", "{", '"', "a,b\n", "\uFEFF", "(\xb5/\xfd"),
        async (bytes, start) => {
          const content = Buffer.concat([Buffer.from(start, start === "\uFEFF" ? "utf8" : "latin1"), bytes]);
          expect((await importText(content)).added).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("an export", () => {
  const full = {
    ...minimal,
    id: "quayline-brackwater",
    company: { name: "Quayline", slug: "quayline", domain: "quayline.example", industry: "Consulting", logo_url: null },
    client: { name: "=Brackwater", domain: "brackwater.example" },
    industry: "Shipping",
    country: "NL",
    summary: 'They said "half",\nand meant it.',
    challenge: "- Fees rose",
    solution: "'quoted",
    outcomes: [{ metric: "cost", value: -50, unit: "%", direction: "decrease", text: "Fees fell by half" }],
    products: ["Crane; big", "Tug, small"],
    tools: ["Kettle"],
    quote: { text: "It floats.", person: "Ada", role: null },
    published_at: "2024-03-05",
    language: "en",
    origin: "starter",
    licence: "CC-BY-4.0",
    body: `## Story\r\n\n${story(300)}`,
  };
  const known = [full, { ...minimal, id: "quayline-bare", quote: { text: null, person: "Ada", role: "Pilot" } }].map(
    (raw) => {
      const study = parseRecord(raw, tools);
      if (isProblems(study)) throw new Error("the example is bad");
      return study;
    },
  );
  const exported = known.map(({ passages: _, fingerprint: __, industry, company, ...study }) => ({
    ...study,
    company: { ...company, industry: company.industry?.raw ?? null },
    industry: industry?.slug ? (tools.industries.nameBySlug.get(industry.slug) ?? null) : null,
    industry_raw: industry?.raw ?? null,
    indexed_at: "2024-04-01T00:00:00Z",
  }));
  const page = async (after: string | null) => {
    const from = exported.findIndex(({ id }) => id === after) + 1;
    return exported.slice(from, from + 1);
  };

  test.each(["jsonl", "csv"] as const)("as %s is restored exactly by an import", async (format) => {
    const { save, kept } = fakeStore();
    const { left_out } = await importText((await all(exportStudies({ page, format }))).join(""), { save });
    expect([...kept.values()]).toEqual(known);
    expect(left_out).toEqual([]);
  });

  test("in a table has lists that an import reads as they were, whatever their texts hold", () => {
    const text = fc
      .array(fc.constantFrom(..."ab1;|,[]{}\"'\n .-=+"), { minLength: 1, maxLength: 12 })
      .map((characters) => characters.join("").replace(/\s+/g, " ").trim())
      .filter((each) => /[ab1]{2}/.test(each));
    fc.assert(
      fc.property(fc.uniqueArray(text, { maxLength: 6 }), (texts) => {
        const written = restoreCell(
          csvCell(listText(texts))
            .replace(/^"(.*)"$/s, "$1")
            .replaceAll('""', '"'),
        );
        const fields = readFields({ outcomes: written, tools: written });
        expect(fields.list(["tools"], 50, 100)).toEqual(texts);
        const outcomes = fields.items(["outcomes"], 50);
        expect(outcomes.length > 0 ? outcomes : fields.sentences(["outcomes"], 50, 100)).toEqual(texts);
      }),
      { numRuns: 2_000 },
    );
  });

  test("as CSV has no cell that a spreadsheet would run as a formula", async () => {
    const table = (await all(exportStudies({ page, format: "csv" }))).join("");
    expect(table).toContain(",'=Brackwater,");
    expect(table).toContain(",'- Fees rose,");
  });
});
