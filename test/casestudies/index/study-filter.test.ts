import { expect, test } from "bun:test";
import { createStudyFilter } from "../../../src/casestudies/index/study-filter.ts";

test("the filter has every case study that was added, and says so of few others", () => {
  const filter = createStudyFilter();
  const ids = Array.from({ length: 200_000 }, (_, at) => `vendor-${at % 97}-story-${at}`);
  for (const id of ids) filter.add(id);
  expect(ids.every(filter.mayHave)).toBe(true);
  const others = Array.from({ length: 200_000 }, (_, at) => `vendor-${at % 97}-tale-${at}`);
  expect(others.filter(filter.mayHave).length).toBeLessThan(20);
});
