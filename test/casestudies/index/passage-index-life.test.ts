import { afterEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPassageIndex } from "../../../src/casestudies/index/passage-index.ts";
import { DIMENSIONS, passage, studyRows, vectors } from "./passage-examples.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "casefile-index-"));
  folders.push(made);
  return made;
}

let time = Date.parse("2026-01-02T03:04:05Z");
const inAMinute = () => new Date(Date.now() + 60_000);
const open = async (dir: string, model = "a") =>
  await openPassageIndex({ dir, dimensions: DIMENSIONS, model, clock: () => new Date(time) });

test("upserted passages are there when the index is reopened", async () => {
  const dir = await folder();
  const before = await open(dir);
  expect(before.state).toBe("new");
  await before.upsert(studyRows("one", 1, 3));
  await before.close();
  const after = await open(dir);
  expect(after.state).toBe("ready");
  expect((await after.counts()).passages).toBe(3);
  await after.close();
});

test("a rebuilt index replaces the old one during searches; none fails or sees a partial index", async () => {
  const dir = await folder();
  const index = await open(dir);
  await index.upsert(studyRows("old", 1, 30));
  let searching = true;
  const seen = new Set<string>();
  const searches = (async () => {
    const [query = new Float32Array()] = vectors(1, 3);
    while (searching) {
      const near = await index.nearest(query, { limit: 100 });
      const worded = await index.keyword("warehouse", { limit: 100 });
      for (const hits of [near, worded])
        seen.add(`${hits.length} ${[...new Set(hits.map(({ study }) => study))].sort()}`);
    }
  })();
  await index.rebuild(async (add) => {
    for (let at = 0; at < 5; at++) await add(studyRows(`new-${at}`, 100 + at * 10, 10));
  });
  const { passages } = await index.counts();
  searching = false;
  await searches;
  expect(passages).toBe(50);
  const allowed = ["30 old", "50 new-0,new-1,new-2,new-3,new-4"];
  expect([...seen].filter((what) => !allowed.includes(what))).toEqual([]);
  await index.close();
});

test("writes made during a rebuild override what the rebuild had read", async () => {
  const index = await open(await folder());
  await index.upsert([...studyRows("changed", 1, 3), ...studyRows("removed", 11, 3), ...studyRows("kept", 21, 3)]);
  await index.rebuild(async (add) => {
    await index.upsert(studyRows("changed", 31, 1));
    await index.remove(["removed"]);
    await add([...studyRows("changed", 1, 3), ...studyRows("removed", 11, 3), ...studyRows("kept", 21, 3)]);
    await index.remove(["nobody"]);
  });
  const found = await index.keyword("warehouse", { limit: 100 });
  expect(found.map((hit) => hit.passage).sort((a, b) => a - b)).toEqual([21, 22, 23, 31]);
  await index.close();
});

test("a rebuild fails with its cause, even when its files are gone", async () => {
  const dir = await folder();
  const index = await open(dir);
  const failing = index.rebuild(async () => {
    await rm(join(dir, "tables"), { recursive: true });
    throw new Error("the model is gone");
  });
  await expect(failing).rejects.toThrow("the model is gone");
  await index.close();
});

test("a failed rebuild changes nothing and leaves no files", async () => {
  const dir = await folder();
  const index = await open(dir);
  await index.upsert(studyRows("one", 1, 3));
  const failing = index.rebuild(async (add) => {
    await add(studyRows("two", 11, 3));
    throw new Error("the disk is full");
  });
  await expect(failing).rejects.toThrow("the disk is full");
  expect((await index.keyword("warehouse", { limit: 9 })).map(({ study }) => study)).toEqual(["one", "one", "one"]);
  expect(await readdir(join(dir, "tables"))).toHaveLength(1);
  await index.close();
});

test("an index of another model is searched by keyword only until it is rebuilt", async () => {
  const dir = await folder();
  const before = await open(dir);
  await before.upsert(studyRows("one", 1, 3));
  await before.close();
  const index = await open(dir, "b");
  const [query = new Float32Array()] = vectors(1, 3);
  expect(index.state).toBe("other model");
  await expect(index.nearest(query, { limit: 3 })).rejects.toMatchObject({ code: "model.invalid" });
  await expect(index.upsert(studyRows("two", 11, 1))).rejects.toMatchObject({ code: "model.invalid" });
  expect(await index.keyword("warehouse", { limit: 9 })).toHaveLength(3);
  await index.rebuild(async (add) => {
    await add(studyRows("one", 1, 3));
    await index.upsert(studyRows("two", 11, 1));
  });
  expect(index.state).toBe("ready");
  expect(await index.nearest(query, { limit: 9 })).toHaveLength(4);
  await index.close();
});

test("a search of a version that another process removed is answered from the newest", async () => {
  const dir = await folder();
  // Versions carry the time of the system: seen from a minute later all but the newest are old.
  const writer = await openPassageIndex({ dir, dimensions: DIMENSIONS, model: "a", clock: inAMinute });
  await writer.upsert(studyRows("kept", 1, 30));
  const [query = new Float32Array()] = vectors(1, 3);
  for (const isWarm of [false, true]) {
    const reader = await open(dir);
    if (isWarm) await reader.warm();
    for (let step = 0; step < 3; step++) {
      await writer.upsert(studyRows(`study-${step}`, 100 + step * 10, 10));
      await writer.optimise();
      for (const hits of [
        await reader.keyword("warehouse", { limit: 1_000 }),
        await reader.nearest(query, { limit: 1_000 }),
      ]) {
        expect(hits.filter(({ study }) => study === "kept")).toHaveLength(30);
      }
    }
    await reader.close();
  }
  await writer.close();
});

test("in-memory names of passages stay correct after every kind of write", async () => {
  const dir = await folder();
  const index = await open(dir);
  const expected = new Map<number, string>();
  const forget = (study: string) => {
    for (const [passage, own] of expected) if (own === study) expected.delete(passage);
  };
  const put = async (study: string, first: number, count: number) => {
    const rows = studyRows(study, first, count);
    forget(study);
    for (const row of rows) expected.set(row.passage, study);
    await index.upsert(rows);
  };
  const [query = new Float32Array()] = vectors(1, 3);
  const told = async () => {
    const hits = [await index.keyword("warehouse", { limit: 1_000 }), await index.nearest(query, { limit: 1_000 })];
    return hits.map((side) => side.map(({ passage, study }) => [passage, study] as const).sort(([a], [b]) => a - b));
  };
  const steps = [
    () => put("one", 1, 20),
    () => put("two", 101, 20),
    () => index.warm(),
    () => put("one", 201, 5),
    () => put("three", 301, 9),
    () => index.optimise(),
    () => index.warm(),
    () => put("two", 101, 7),
    async () => {
      forget("three");
      await index.remove(["three"]);
    },
    () => index.optimise(),
    () => index.rebuild(async (add) => add([...expected].flatMap(([id, study]) => studyRows(study, id, 1)))),
    () => put("four", 401, 3),
  ];
  for (const step of steps) {
    await step();
    const all = [...expected].sort(([a], [b]) => a - b);
    // After some searches that miss a name all of them are read, and the next one is answered from memory.
    for (let search = 0; search < 20; search++) expect(await told()).toEqual([all, all]);
  }
  await index.close();
});

test("another reader of the index sees a rebuild at its next search", async () => {
  const dir = await folder();
  const one = await open(dir);
  await one.upsert(studyRows("old", 1, 3));
  const other = await open(dir);
  await one.rebuild(async (add) => add(studyRows("new", 11, 2)));
  expect((await other.keyword("warehouse", { limit: 9 })).map(({ study }) => study)).toEqual(["new", "new"]);
  await one.close();
  await other.close();
});

test("a replaced table is removed once no search can still read it", async () => {
  const dir = await folder();
  const index = await open(dir);
  await index.rebuild(async (add) => add(studyRows("one", 1, 2)));
  await index.optimise();
  expect(await readdir(join(dir, "tables"))).toHaveLength(2);
  time += 10 * 60_000;
  await index.optimise();
  expect(await readdir(join(dir, "tables"))).toHaveLength(1);
  expect((await index.counts()).passages).toBe(2);
  await index.close();
});

test.each([
  "",
  "{",
  "[]",
  '{"table":"passages-1-gone","model":"a","dimensions":16,"since":"","format":2}',
  '{"table":"passages-1-old","model":"a","dimensions":16,"since":"","trained":0}',
])("an index with a broken pointer is recreated: %j", async (content) => {
  const dir = await folder();
  const before = await open(dir);
  await before.upsert(studyRows("one", 1, 2));
  await before.close();
  await writeFile(join(dir, "current.json"), content);
  const index = await open(dir);
  expect(index.state).toBe("new");
  expect((await index.counts()).passages).toBe(0);
  await index.upsert(studyRows("one", 1, 2));
  expect((await index.counts()).passages).toBe(2);
  await index.close();
});

test("past a few thousand rows they are first compared roughly, and a narrow filter still returns all matches", async () => {
  const index = await open(await folder());
  const rows = vectors(18_000, 1).map((vector, at) =>
    passage(at + 1, { study: `study-${at >> 2}`, company: at % 800 === 0 ? "narrow" : "wide", vector }),
  );
  await index.upsert(rows.slice(0, 12_000));
  await index.optimise();
  await index.upsert(rows.slice(12_000));
  expect(await index.counts()).toEqual({ passages: 18_000 });
  let hits = 0;
  for (const query of vectors(10, 9)) {
    const cosine = (vector: Float32Array) => vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0);
    const cosines = new Map(rows.map((row) => [row.passage, cosine(row.vector)]));
    const tenth = [...cosines.values()].sort((a, b) => b - a)[9] ?? 1;
    const near = await index.nearest(query, { limit: 10 });
    hits += near.filter(({ passage }) => (cosines.get(passage) ?? 0) > tenth - 0.005).length;
    const narrow = await index.nearest(query, { limit: 100, filter: { company: "narrow" } });
    const expected = rows.filter(({ company }) => company === "narrow").map((row) => row.passage);
    expect(narrow.map((hit) => hit.passage).sort((a, b) => a - b)).toEqual(expected);
    expect(await index.nearest(query, { limit: 100, filter: { company: "wide" } })).toHaveLength(100);
  }
  expect(hits / 100).toBeGreaterThanOrEqual(0.98);
  await index.close();
});

test.each([0, 3, 5, 9])(
  "killed after batch %i, it opens intact, and repeating the batches adds no duplicates",
  async (batches) => {
    const dir = await folder();
    const writer = Bun.spawn([process.execPath, join(import.meta.dir, "index-writer.ts"), dir], { stderr: "ignore" });
    let kept = -1;
    let text = "";
    for await (const chunk of writer.stdout) {
      text += new TextDecoder().decode(chunk);
      kept = text.split("\n").length - 2;
      if (kept >= batches) break;
    }
    writer.kill("SIGKILL");
    await writer.exited;
    const index = await open(dir);
    expect(index.state).toBe("ready");
    const { passages } = await index.counts();
    expect(passages).toBeGreaterThanOrEqual((kept + 1) * 30);
    expect(passages % 30).toBe(0);
    const [query = new Float32Array()] = vectors(1, 3);
    expect(await index.nearest(query, { limit: 1_000 })).toHaveLength(passages);
    for (let batch = 0; batch <= kept + 2; batch++) {
      const rows = Array.from({ length: 10 }, (_, at) =>
        studyRows(`study-${batch * 10 + at}`, batch * 100 + at * 10, 3),
      );
      await index.upsert(rows.flat());
    }
    await index.optimise();
    const found = await index.keyword("warehouse", { limit: 10_000 });
    expect(new Set(found.map(({ passage }) => passage)).size).toBe(found.length);
    expect(found.length).toBe((await index.counts()).passages);
    await index.close();
  },
);
