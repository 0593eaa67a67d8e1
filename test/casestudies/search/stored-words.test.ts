import { expect, test } from "bun:test";
import { createStoredWords } from "../../../src/casestudies/search/stored-words.ts";
import { storeWithClock, studyOf } from "../study-examples.ts";

/** A search over stored case studies with these texts. */
async function opened(texts: Readonly<Record<string, string>>) {
  const { caseStudies } = await storeWithClock();
  await caseStudies.save(
    Object.entries(texts).map(([id, text]) => ({
      ...studyOf({ id }),
      passages: [{ heading: null, text }],
    })),
  );
  const search = createStoredWords(caseStudies);
  return async (query: string, filter = {}) =>
    (await search(query, { limit: 5, filter }, undefined)).map(({ study }) => study);
}

test("rare words, and passages with more of the words, come first; inflected forms match", async () => {
  const search = await opened({
    a: "The harbour was busy, and the harbour master was content with ships.",
    b: "A dredger cleaned the harbour for all ships.",
    c: "Nothing about the sea.",
  });
  expect(await search("harbours and dredgers")).toEqual(["b", "a"]);
  expect(await search("dredging")).toEqual([]);
  expect(await search("the of and")).toHaveLength(3);
  expect(await search("…")).toEqual([]);
});

test("filters apply", async () => {
  const search = await opened({ a: "Ships in the harbour.", b: "Ships at sea." });
  const { company } = studyOf({ id: "a" });
  expect((await search("ships", { company: company.slug })).sort()).toEqual(["a", "b"]);
  expect(await search("ships", { company: "another" })).toEqual([]);
  expect(await search("ships", { industries: [] })).toEqual([]);
  expect(await search("ships", { studies: ["b"] })).toEqual(["b"]);
});

test("all passages of a large store are read, in parts, and an aborted search ends", async () => {
  const row = { case_study_id: "s", heading: null, title: "t", client: null, company: "c", industry_name: null };
  const all = Array.from({ length: 1_200 }, (_, at) => ({
    id: at + 1,
    text: at === 3 ? "a rare word" : "other",
    ...row,
  }));
  const control = new AbortController();
  const sizes: number[] = [];
  const search = createStoredWords({
    async passagesBefore(before, size) {
      const rows = all
        .filter(({ id }) => id < before)
        .slice(-size)
        .reverse();
      sizes.push(rows.length);
      return rows.map((found) => ({ ...found, country: null, published_at: null }));
    },
  });
  expect(await search("rare", { limit: 5, filter: {} }, undefined)).toMatchObject([{ passage: 4 }]);
  expect(sizes).toEqual([500, 500, 200]);
  control.abort(new Error("left"));
  await expect(search("rare", { limit: 5, filter: {} }, control.signal)).rejects.toThrow("left");
  expect(sizes).toHaveLength(3);
});

test("a filter of many case studies takes hardly more time than none", async () => {
  const studies = Array.from({ length: 100_000 }, (_, at) => `study-${at}`);
  const search = createStoredWords({
    passagesBefore: async (before, size) =>
      Array.from({ length: size }, (_, at) => ({
        ...{
          id: Math.min(before, 20_001) - 1 - at,
          text: at === 7 ? "a rare word" : "other",
          case_study_id: "study-99999",
        },
        ...{ heading: null, title: "t", client: null, company: "c", industry_name: null },
        ...{ country: null, published_at: null },
      })),
  });
  const started = performance.now();
  expect(await search("rare", { limit: 50, filter: { studies } }, undefined)).toHaveLength(40);
  expect(await search("rare", { limit: 50, filter: { studies: ["study-1"] } }, undefined)).toEqual([]);
  expect(performance.now() - started).toBeLessThan(2_500);
});
