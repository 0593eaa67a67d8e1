import { expect, test } from "bun:test";
import { tableOf } from "../../src/batches/table.ts";

test("a table has each column of the list once, with the cells of the row and no inherited ones", async () => {
  const item = (cells: Record<string, string>) => ({
    ...{ position: 0, input: "acme.test", cells, domain: "acme.test", state: "waiting" as const },
    ...{ duplicate_of: null, error: null, result: null },
  });
  const own = JSON.parse('{"__proto__":"p","constructor":"c","status":"new","input_status":"old"}');
  async function* items() {
    yield item(own);
    yield item({});
  }
  const names = ["__proto__", "constructor", "status", "input_status"];
  const { columns, rows } = tableOf(items(), names, "companies");
  expect(columns.slice(0, 4).map(({ name }) => name)).toEqual([
    "__proto__",
    "constructor",
    "input_input_status",
    "input_status",
  ]);
  expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
  const cells = (await Array.fromAsync(rows)).map((row) => columns.slice(0, 4).map(({ name }) => row[name]));
  expect(cells).toEqual([
    ["p", "c", "new", "old"],
    [null, null, null, null],
  ]);
});
