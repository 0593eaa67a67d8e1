import { expect, test } from "bun:test";
import { nextAttempt } from "../../src/watches/webhooks.ts";

test("ten attempts are seconds, minutes and hours apart", () => {
  const waits = Array.from({ length: 11 }, (_, at) => nextAttempt(at + 1, () => 0));
  expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null, null]);
});

test("jitter adds at most 10%", () => {
  expect(nextAttempt(2, () => 0.5)).toBe(315);
  expect(nextAttempt(9, () => 0.999)).toBeLessThanOrEqual(95_040);
});

test("Retry-After lengthens the wait up to a day, and never shortens it", () => {
  expect(nextAttempt(1, () => 0, 120)).toBe(120);
  expect(nextAttempt(2, () => 0, 1)).toBe(300);
  expect(nextAttempt(1, () => 0, 1e9)).toBe(86_400);
  expect(nextAttempt(10, () => 0, 120)).toBeNull();
});
