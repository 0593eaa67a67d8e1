import { expect, test } from "bun:test";
import fc from "fast-check";
import { planBatches } from "../../src/embedding/model.ts";

test("every text is in one batch, and no batch of several texts exceeds the token limit", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 200 }), (lengths) => {
      const batches = planBatches(lengths, 1_000);
      expect(batches.flat().sort((a, b) => a - b)).toEqual([...lengths.keys()]);
      for (const batch of batches)
        if (batch.length > 1)
          expect(batch.length * Math.max(...batch.map((index) => lengths[index]!))).toBeLessThanOrEqual(1_000);
    }),
  );
});
