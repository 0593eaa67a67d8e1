import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createRandom } from "../../scripts/random.ts";
import { MemoryShort, withMemory } from "../../src/ingest/gzip.ts";
import { dnsLine, HOSTILE_LINES, HOSTILE_MEMBERS, hostileFile, warcRecord } from "./hostile-records.ts";
import { readFileAt } from "./reading.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-hostile-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(content: string | Uint8Array) {
  const path = join(folder, "file");
  await writeFile(path, content);
  const { counts, snapshots } = await readFileAt(path);
  return { refused: counts.refused, companies: snapshots.map(({ domain }) => domain) };
}
const before = warcRecord("before.test", "<p>");
const after = warcRecord("after.test", "<p>");
const random = () => createRandom(7);

describe("a hostile member of a WARC.gz file is counted and hides no other", () => {
  test.each<[keyof typeof HOSTILE_MEMBERS, object]>([
    ["cut", { corrupt: 1 }],
    ["cut inside", {}],
    ["bomb", { bomb: 1 }],
    ["bomb in a body", { bomb: 1 }],
    ["codings", { too_deep: 1 }],
    ["noise", {}],
    ["lying length", {}],
    ["chunked loop", {}],
    ["header without end", { corrupt: 1 }],
  ])("%s", async (name, refused) => {
    const hostile = HOSTILE_MEMBERS[name]?.(random()) ?? Buffer.alloc(0);
    const found = await read(Buffer.concat([gzipSync(before), hostile, gzipSync(after)]));
    expect(found.companies).toEqual(expect.arrayContaining(["before.test", "after.test"]));
    expect(found.refused).toMatchObject(refused);
  });

  test("a member that is cut inside its checksum", async () => {
    const found = await read(Buffer.concat([gzipSync(before).subarray(0, -5), gzipSync(after)]));
    expect(found).toEqual({ refused: { corrupt: 1 }, companies: ["after.test"] });
  });

  test("the end of a file inside a member", async () => {
    const whole = gzipSync(after);
    expect(await read(Buffer.concat([gzipSync(before), whole.subarray(0, whole.length - 9)]))).toEqual({
      refused: { cut: 1 },
      companies: ["before.test"],
    });
  });
});

describe("a plain WARC file", () => {
  test.each([
    ["a length that is too long", 100_000],
    ["a length that is too short", 5],
    ["a length of gigabytes", 2 ** 33],
    ["a length that is no number", "many"],
  ])("%s", async (_, length) => {
    const found = await read(Buffer.concat([before, warcRecord("liar.test", "<p>", { length }), after]));
    expect(found.companies[0]).toBe("before.test");
    expect(Object.values(found.refused).reduce((sum, count) => sum + count, 0)).toBe(1);
    if (length !== 2 ** 33) expect(found.companies).toEqual(["before.test", "after.test"]);
  });

  test("a cut last record", async () => {
    expect(await read(Buffer.concat([before, after.subarray(0, -40)]))).toEqual({
      refused: { cut: 1 },
      companies: ["before.test"],
    });
  });
});

describe("lines", () => {
  test("a hostile line hides no other", async () => {
    for (const [name, make] of Object.entries(HOSTILE_LINES)) {
      const { companies } = await read(`${dnsLine("before.test")}\n${make(random())}\n${dnsLine("after.test")}\n`);
      expect([name, companies[0], companies.at(-1)]).toEqual([name, "before.test", "after.test"]);
    }
  });

  test("an endless line is passed over, and the next one is read", async () => {
    const found = await read(`${dnsLine("before.test")}\n${"x".repeat(9 * 1_048_576)}\n${dnsLine("after.test")}\n`);
    expect(found).toEqual({ refused: { line_too_long: 1 }, companies: ["before.test", "after.test"] });
  });

  test("a gzip stream that expands without end is left", async () => {
    const found = await read(
      gzipSync(Buffer.concat([Buffer.from(`${dnsLine("before.test")}\n`.repeat(30)), Buffer.alloc(160 * 1_048_576)])),
    );
    expect(found.refused).toEqual({ bomb: 1 });
    expect(found.companies).toHaveLength(30);
  });

  test("a gzip stream that is cut or damaged yields what is before", async () => {
    const whole = gzipSync(`${dnsLine("before.test")}\n`.repeat(20_000), { level: 1 });
    for (const content of [whole.subarray(0, -20), Buffer.concat([whole.subarray(0, -9), Buffer.alloc(9, 7)])]) {
      const { companies, refused } = await read(content);
      expect(companies.length).toBeGreaterThan(0);
      expect(Object.values(refused).reduce((sum, count) => sum + count, 0)).toBe(1);
    }
  });
});

test.each(["members", "lines"] as const)("random hostile %s never stop the reader", async (kind) => {
  for (const seed of [1, 2, 3]) {
    const { content, intact } = hostileFile(kind, 150, String(seed), createRandom(seed));
    const { companies } = await read(content);
    expect(companies).toEqual(expect.arrayContaining([...intact]));
  }
});

test("a lack of memory is not taken for damage, and the record is read after a collection of garbage", () => {
  const content = new Uint8Array([1]);
  const short = new RangeError("Out of memory");
  let calls = 0;
  const failing = (times: number) => () => {
    calls += 1;
    if (calls <= times) throw short;
    return content;
  };
  expect(withMemory(failing(1))).toBe(content);
  calls = 0;
  expect(() => withMemory(failing(2))).toThrow(MemoryShort);
  const damaged = Object.assign(new Error("incorrect data check"), { code: "Z_DATA_ERROR" });
  expect(() =>
    withMemory(() => {
      throw damaged;
    }),
  ).toThrow(damaged);
});
