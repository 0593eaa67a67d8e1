import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { CONTROLS } from "../../src/core/csv.ts";
import { readFileRecords } from "../../src/tabular/read-records.ts";
import type { Column, Row, Rows, TableFormat } from "../../src/tabular/table.ts";
import { tableResponse, writeTable } from "../../src/tabular/write-table.ts";

const COLUMNS: readonly Column[] = [
  { name: "domain", type: "text" },
  { name: "tools", type: "list" },
  { name: "count", type: "integer" },
  { name: "confidence", type: "number" },
  { name: "cached", type: "boolean" },
  { name: "scanned_at", type: "instant" },
];
const FULL: Row = {
  domain: "quayline.example",
  tools: ["HubSpot", "Stripe"],
  count: -2,
  confidence: 0.85,
  cached: true,
  scanned_at: "2026-05-04T10:00:00.000Z",
};

async function bytesOf(format: TableFormat, columns: readonly Column[], rows: Rows): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(writeTable(format, columns, rows)));
}
const textOf = async (format: TableFormat, columns: readonly Column[], rows: Rows) =>
  new TextDecoder().decode(await bytesOf(format, columns, rows));
const readParquet = async (bytes: Uint8Array) => {
  const file = new Uint8Array(bytes).buffer;
  return { rows: await parquetReadObjects({ file }), groups: parquetMetadata(file).row_groups.length };
};

describe("a table", () => {
  test("is NDJSON with every column in each line", async () => {
    expect(await textOf("ndjson", COLUMNS, [FULL, { domain: "b.example" }])).toBe(
      '{"domain":"quayline.example","tools":["HubSpot","Stripe"],"count":-2,"confidence":0.85,"cached":true,"scanned_at":"2026-05-04T10:00:00.000Z"}\n' +
        '{"domain":"b.example","tools":null,"count":null,"confidence":null,"cached":null,"scanned_at":null}\n',
    );
  });

  test("is CSV with a header, also without rows", async () => {
    const header = "domain,tools,count,confidence,cached,scanned_at\r\n";
    expect(await textOf("csv", COLUMNS, [])).toBe(header);
    expect(await textOf("csv", COLUMNS, [FULL, {}])).toBe(
      `${header}quayline.example,"HubSpot; Stripe",-2,0.85,true,2026-05-04T10:00:00.000Z\r\n,,,,,\r\n`,
    );
  });

  test("is Parquet with types, nulls and lists", async () => {
    const { rows } = await readParquet(await bytesOf("parquet", COLUMNS, [FULL, { domain: "b.example", tools: [] }]));
    expect(rows).toEqual([
      { ...FULL, count: -2n, scanned_at: new Date("2026-05-04T10:00:00.000Z") },
      { domain: "b.example", tools: [], count: null, confidence: null, cached: null, scanned_at: null },
    ]);
    expect((await readParquet(await bytesOf("parquet", COLUMNS, []))).rows).toEqual([]);
  });

  test("does not run as a formula in a spreadsheet, as a name or as a cell", async () => {
    const name = "=cmd()";
    const text = await textOf(
      "csv",
      [
        { name, type: "text" },
        { name: "b", type: "list" },
      ],
      [{ [name]: '@SUM(A1),"x"', b: ["-1+2", "y"] }],
    );
    expect(text).toBe(`'=cmd(),b\r\n"'@SUM(A1),""x""","'-1+2; y"\r\n`);
  });

  test("holds nothing in CSV that a terminal obeys", async () => {
    const columns = [
      { name: "a\u001b[2J", type: "text" },
      { name: "b", type: "list" },
    ] as const;
    const signs = "a\u001b[31mb\u0007c\bd\u0000e\u009bf\u0085g\u202eh\u2028i\u007fj\rk";
    const text = await textOf("csv", columns, [{ "a\u001b[2J": signs, b: [signs, "1\n2\r\n3\t4"] }]);
    expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u202e]|\r(?!\n)/);
    expect(text).toContain("a [31mb c d e f g h i j k");
    expect(await textOf("csv", [columns[1]], [{ b: ["1\n2", "3"] }])).toBe('b\r\n"[""1\\n2"",""3""]"\r\n');
  });

  test("keeps any text without control characters in CSV that is read again", async () => {
    const columns = [
      { name: "a", type: "text" },
      { name: "b", type: "text" },
    ] as const;
    const rows = fc.array(fc.record({ a: fc.string({ unit: "binary", minLength: 1 }), b: fc.string() }), {
      maxLength: 9,
    });
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        const kept = written.filter(
          ({ a, b }) => (a + b).isWellFormed() && !(a + b).includes("\uFFFD") && !(a + b).match(CONTROLS),
        );
        const bytes = await bytesOf("csv", columns, kept);
        const read = await Array.fromAsync(
          readFileRecords(
            (async function* () {
              yield bytes;
            })(),
            "x.csv",
          ),
        );
        expect(read.map((record) => ("raw" in record ? record.raw : record.fault))).toEqual(kept);
      }),
      { numRuns: 25 },
    );
  });

  test("has Parquet row groups of bounded size, read one at a time", async () => {
    let taken = 0;
    function* rows() {
      for (; taken < 25_000; taken += 1) yield { domain: `c${taken}.example`, count: taken };
    }
    const parts: Uint8Array[] = [];
    const takenAtPart: number[] = [];
    for await (const part of writeTable("parquet", COLUMNS, rows())) {
      parts.push(part);
      takenAtPart.push(taken);
    }
    expect(takenAtPart).toEqual([9_999, 19_999, 25_000, 25_000]);
    const read = await readParquet(Buffer.concat(parts));
    expect(read.groups).toBe(3);
    expect(read.rows.map(({ domain, count }) => `${domain} ${count}`)).toEqual(
      Array.from({ length: 25_000 }, (_, n) => `c${n}.example ${n}`),
    );
  });

  test("ends a Parquet row group early when its texts are long", async () => {
    const rows = Array.from({ length: 9 }, () => ({ domain: "x".repeat(1024 ** 2) }));
    expect((await readParquet(await bytesOf("parquet", COLUMNS, rows))).groups).toBe(3);
  });
});

describe("a download", () => {
  const download = (rows: Rows) => ({ format: "csv" as const, filename: "batch", columns: COLUMNS, rows });

  test("names its type and its file, and ends reading when the client leaves", async () => {
    let ended = false;
    async function* rows(): AsyncGenerator<Row> {
      try {
        for (;;) yield FULL;
      } finally {
        ended = true;
      }
    }
    const response = tableResponse(download(rows()), () => {});
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="batch.csv"');
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toStartWith("domain,tools");
    await reader?.cancel();
    expect(ended).toBe(true);
  });

  test("breaks when its rows cannot be read, and reports why", async () => {
    const errors: unknown[] = [];
    async function* rows(): AsyncGenerator<Row> {
      yield FULL;
      throw new Error("the disk is gone");
    }
    const response = tableResponse(download(rows()), (error) => errors.push(error));
    expect(response.text()).rejects.toThrow("the disk is gone");
    await response.text().catch(() => {});
    expect(errors).toEqual([new Error("the disk is gone")]);
  });
});
