import { expect, test } from "bun:test";
import { loadTrainingPages, measureVendorPages } from "../evaluation/structure/vendor-pages.ts";

interface Figures {
  readonly pages: number;
  readonly client: { readonly correct: number; readonly wrong: number };
  readonly country: { readonly correct: number };
  readonly outcomes: { readonly precision: number; readonly recall: number };
}

test("pages in vendors' layouts keep their figures, and those set aside are not trained on", async () => {
  const { read, set_aside } = (await measureVendorPages({ misses: false })) as Record<"read" | "set_aside", Figures>;
  expect((await loadTrainingPages()).length).toBe(read.pages);
  expect(read.pages + set_aside.pages).toBe(36);
  expect(read.client.correct).toBeGreaterThanOrEqual(0.9);
  expect(read.country.correct).toBeGreaterThanOrEqual(0.9);
  expect(read.outcomes.precision).toBeGreaterThanOrEqual(0.85);
  expect(read.outcomes.recall).toBeGreaterThanOrEqual(0.75);
  expect(set_aside.client.correct).toBeGreaterThanOrEqual(0.75);
  expect(set_aside.client.wrong).toBeLessThanOrEqual(0.1);
});
