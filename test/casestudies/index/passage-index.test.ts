import { afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openPassageIndex } from "../../../src/casestudies/index/passage-index.ts";
import type { PassageFilter } from "../../../src/casestudies/index/passage-memory.ts";
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

const open = async (dir: string, model = "a", now = () => new Date("2026-01-02T03:04:05Z")) =>
  await openPassageIndex({ dir, dimensions: DIMENSIONS, model, clock: now });

test("the nearest passages are those of an exhaustive comparison, with the cosine as the score", async () => {
  const index = await open(await folder());
  const all = vectors(3_000, 1);
  const rows = all.map((vector, at) => passage(at + 1, { study: `study-${at >> 2}`, vector }));
  await index.upsert(rows);
  for (const query of vectors(5, 2)) {
    const cosines = all.map((vector) => vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0));
    const tenth = cosines.toSorted((a, b) => b - a)[9] ?? 1;
    const found = await index.nearest(query, { limit: 10 });
    expect(found).toHaveLength(10);
    // Vectors are stored with eight bits a dimension.
    for (const { passage, study, score } of found) {
      expect(study).toBe(`study-${(passage - 1) >> 2}`);
      expect(score).toBeCloseTo(cosines[passage - 1] ?? 0, 2);
      expect(cosines[passage - 1]).toBeGreaterThan(tenth - 0.01);
    }
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
  }
  await index.close();
});

test("after many writes a case study that is there is still replaced, and a removed one written again", async () => {
  const dir = await folder();
  const index = await open(dir);
  const writes = Array.from({ length: 24 }, (_, at) => studyRows(`study-${at}`, at * 4 + 1, 4));
  for (const rows of writes) await index.upsert(rows);
  await index.upsert(studyRows("study-3", 201, 3));
  await index.upsert(studyRows("study-23", 211, 2));
  await index.remove(["study-5"]);
  await index.optimise();
  await index.upsert(studyRows("study-5", 221, 1));
  await index.upsert(studyRows("study-7", 231, 1));
  expect(await index.counts()).toEqual({ passages: 20 * 4 + 3 + 2 + 1 + 1 });
  await index.close();
  const again = await open(dir);
  const found = await again.keyword("warehouse", { limit: 500 });
  const passagesOf = (study: string) => found.flatMap((hit) => (hit.study === study ? hit.passage : [])).sort();
  expect(["study-3", "study-23", "study-5", "study-7"].map(passagesOf)).toEqual([
    [201, 202, 203],
    [211, 212],
    [221],
    [231],
  ]);
  await again.close();
});

describe("a filter", () => {
  const rows = [
    passage(1, { study: "one", company: "o'neil", industry: "retail", country: "DE", published_at: "2024-05-01" }),
    passage(2, { study: "two", company: "o'neil", industry: "health", client: "brücke", published_at: "2025-05-01" }),
    passage(3, { study: "three", company: "harbourline", industry: "retail", country: "GB", published_at: null }),
    passage(4, { study: "four", company: "harbourline", industry: null, country: "DE", published_at: "2025-05-02" }),
  ];
  test.each<[PassageFilter, number[]]>([
    [{}, [1, 2, 3, 4]],
    [{ company: "o'neil" }, [1, 2]],
    [{ industries: ["retail", "health"] }, [1, 2, 3]],
    [{ industries: [] }, []],
    [{ client: "brücke" }, [2]],
    [{ country: "DE", company: "harbourline" }, [4]],
    [{ publishedAfter: "2025-05-01" }, [2, 4]],
    [{ publishedBefore: "2025-05-01" }, [1, 2]],
    [{ publishedAfter: "2025-05-01", publishedBefore: "2025-05-01" }, [2]],
    [{ studies: ["three", "nowhere", "one"] }, [1, 3]],
    [{ studies: [] }, []],
  ])("%j returns only matching passages, by vector and by keyword", async (filter, expected) => {
    const index = await open(await folder());
    await index.upsert(rows);
    const [query = new Float32Array()] = vectors(1, 3);
    const near = await index.nearest(query, { limit: 10, filter });
    const worded = await index.keyword("warehouse", { limit: 10, filter });
    expect(near.map((hit) => hit.passage).sort()).toEqual(expected);
    expect(worded.map((hit) => hit.passage).sort()).toEqual(expected);
    await index.close();
  });

  test("is always treated as a value, whatever its content", async () => {
    const index = await open(await folder());
    const odd = ["' or 1=1 --", "'; drop table passages; --", "\\'", '"', "a\nb", "日本", "%", "_", "🙂", "$1", "null"];
    await index.upsert(odd.map((company, at) => passage(at + 1, { study: company, company })));
    for (const company of odd) {
      const found = await index.keyword("warehouse", { limit: 100, filter: { company, studies: [company] } });
      expect(found.map(({ study }) => study)).toEqual([company]);
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (value) => {
        fc.pre(!odd.includes(value));
        const [query = new Float32Array()] = vectors(1, 3);
        expect(await index.nearest(query, { limit: 5, filter: { company: value } })).toEqual([]);
        expect(await index.nearest(query, { limit: 5, filter: { studies: [value] } })).toEqual([]);
      }),
      { numRuns: 60, examples: [["\u0000"], ["\ud800"], ["''"], ["\\"], ["' OR '' = '"]] },
    );
    await index.close();
  });

  test("of several case studies writes each of them as a value", async () => {
    const index = await open(await folder());
    await index.upsert(["a", "b'", "' or 1=1 --"].map((study, at) => passage(at + 1, { study })));
    await index.remove(["b'", "' or 1=1 --"]);
    expect((await index.keyword("warehouse", { limit: 9 })).map(({ study }) => study)).toEqual(["a"]);
    expect((await index.counts()).passages).toBe(1);
    await index.close();
  });
});

describe("keywords", () => {
  test("are found in title, heading, text and names, in any form and order, the rarest first", async () => {
    const index = await open(await folder());
    await index.upsert([
      passage(1, { study: "title", title: "Migrating payroll", text: "Nothing to see." }),
      passage(2, { study: "heading", heading: "Payrolls", text: "The café opened." }),
      passage(3, { study: "text", text: "We migrated the payroll in a week." }),
      passage(4, { study: "names", client: "harbourline", text: "Nothing." }),
    ]);
    const found = async (query: string) => (await index.keyword(query, { limit: 10 })).map(({ study }) => study);
    expect((await found("payroll")).sort()).toEqual(["heading", "text", "title"]);
    expect((await found("migration of payrolls")).slice(0, 2).sort()).toEqual(["text", "title"]);
    expect(await found("CAFE")).toEqual(["heading"]);
    expect(await found("Harbourline")).toEqual(["names"]);
    await index.close();
  });

  test.each(["", "the", "a AND", '"', '("', "*", "-payroll:", "\u0000", "🙂", "'; drop"])(
    "of a query are never parsed as syntax: %j",
    async (query) => {
      const index = await open(await folder());
      await index.upsert([passage(1, { text: "Nothing." })]);
      expect(await index.keyword(query, { limit: 10 })).toEqual([]);
      await index.close();
    },
  );
});

describe("an upsert", () => {
  test("is idempotent, and one with fewer passages removes the others", async () => {
    const index = await open(await folder());
    const rows = [...studyRows("one", 1, 4), ...studyRows("two", 5, 4)];
    await index.upsert(rows);
    await index.upsert(rows);
    expect((await index.counts()).passages).toBe(8);
    await index.upsert(studyRows("one", 20, 2));
    const found = await index.keyword("warehouse", { limit: 100 });
    expect(found.map(({ passage }) => passage).sort((a, b) => a - b)).toEqual([5, 6, 7, 8, 20, 21]);
    await index.remove(["two", "nobody"]);
    expect((await index.counts()).passages).toBe(2);
    await index.close();
  });

  test("with a vector of another size or length is refused as a whole", async () => {
    const index = await open(await folder());
    const short = passage(2, { vector: new Float32Array(DIMENSIONS - 1) });
    const long = passage(3, { vector: new Float32Array(DIMENSIONS).fill(1) });
    const none = passage(4, { vector: new Float32Array(DIMENSIONS).fill(Number.NaN) });
    for (const bad of [short, long, none]) {
      await expect(index.upsert([passage(1, {}), bad])).rejects.toThrow(RangeError);
    }
    expect((await index.counts()).passages).toBe(0);
    await index.close();
  });

  test("with the zero vector is found by keyword only", async () => {
    const index = await open(await folder());
    await index.upsert([passage(1, { vector: new Float32Array(DIMENSIONS) }), passage(2, { study: "other" })]);
    const [query = new Float32Array()] = vectors(1, 3);
    expect((await index.nearest(query, { limit: 5 })).map(({ passage }) => passage)).toEqual([2]);
    expect(await index.nearest(new Float32Array(DIMENSIONS), { limit: 5 })).toEqual([]);
    expect(await index.keyword("warehouse", { limit: 5 })).toHaveLength(2);
    await index.close();
  });

  test("that is concurrent with others leaves the state of the last one", async () => {
    const index = await open(await folder());
    await Promise.all(Array.from({ length: 8 }, (_, at) => index.upsert(studyRows("one", at * 10 + 1, at + 1))));
    expect((await index.counts()).passages).toBe(8);
    await index.close();
  });
});
