import { expect, test } from "bun:test";
import { figuresOf, meanOf } from "../../src/models/evaluation.ts";

test("a ranking is measured by the positions of the relevant results", () => {
  expect(figuresOf(["a", "b"], ["a", "b"])).toEqual({ ndcg_10: 1, mrr: 1, recall_5: 1, recall_10: 1 });
  const second = figuresOf(["x", "a"], ["a"]);
  expect(second.ndcg_10).toBeCloseTo(1 / Math.log2(3), 10);
  expect(second).toMatchObject({ mrr: 0.5, recall_5: 1 });
  const late = figuresOf([..."uvwxyz", "a"], ["a", "b"]);
  expect(late).toMatchObject({ mrr: 1 / 7, recall_5: 0, recall_10: 0.5 });
  expect(figuresOf([], ["a"])).toEqual({ ndcg_10: 0, mrr: 0, recall_5: 0, recall_10: 0 });
  expect(figuresOf(["a"], [])).toEqual({ ndcg_10: 0, mrr: 0, recall_5: 0, recall_10: 0 });
});

test("several rankings give their mean, and none gives zeros", () => {
  const [best, worst] = [figuresOf(["a"], ["a"]), figuresOf(["x"], ["a"])];
  expect(meanOf([best, worst])).toEqual({ ndcg_10: 0.5, mrr: 0.5, recall_5: 0.5, recall_10: 0.5 });
  expect(meanOf([])).toEqual({ ndcg_10: 0, mrr: 0, recall_5: 0, recall_10: 0 });
});
