import { expect, test } from "bun:test";
import { crash } from "../../scripts/campaign/crash.ts";

test("a process killed during import or indexing leaves every story stored once, and a later run completes the work", async () => {
  const { faults, kills, stories } = await crash({ kills: 5, stories: 100, seed: Date.now() });
  expect(faults).toEqual([]);
  expect(Object.values(kills).reduce((sum, count) => sum + count, 0)).toBe(5);
  expect(stories).toBeGreaterThanOrEqual(500);
}, 120_000);
