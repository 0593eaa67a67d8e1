import { describe, expect, test } from "bun:test";
import { storeWithClock, studyOf } from "./study-examples.ts";

const studies = (count: number) =>
  Array.from({ length: count }, () =>
    studyOf({ passages: [1, 2, 3].map((part) => ({ heading: null, text: `Part ${part}.` })) }),
  );

async function stored(count: number) {
  const { caseStudies } = await storeWithClock();
  await caseStudies.save(studies(count));
  return caseStudies;
}

describe("a sample of passages", () => {
  test("is all of them when there are no more", async () => {
    const caseStudies = await stored(30);
    expect((await caseStudies.sample(1_000)).map(({ id }) => id)).toEqual(
      Array.from({ length: 90 }, (_, at) => at + 1),
    );
  });

  test("has about the requested size, covers all parts, and is the same each time", async () => {
    const caseStudies = await stored(200);
    const ids = (await caseStudies.sample(100)).map(({ id }) => id);
    expect(ids.length).toBe(100);
    for (const part of [0, 1, 2, 3]) expect(ids.some((id) => id > part * 150 && id <= (part + 1) * 150)).toBe(true);
    expect((await caseStudies.sample(100)).map(({ id }) => id)).toEqual(ids);
  });

  test("is found when most have been removed", async () => {
    const caseStudies = await stored(200);
    const all = await caseStudies.ids({});
    await caseStudies.remove(all.slice(0, 190));
    expect((await caseStudies.sample(100)).length).toBe(30);
  });

  test("of an empty store is empty, and there is no newest passage", async () => {
    const { caseStudies } = await storeWithClock();
    expect(await caseStudies.sample(100)).toEqual([]);
    expect(await caseStudies.newestPassage()).toBe(0);
  });
});
