import { expect, test } from "bun:test";
import { rebinding } from "../../scripts/campaign/rebinding.ts";

test("pages of another origin read and change nothing, even with a name that was rebound to the service", async () => {
  const { faults, skipped } = await rebinding.run({ short: true, seed: 1, onProgress: () => {} });
  expect({ faults, skipped }).toEqual({ faults: [], skipped: null });
}, 120_000);
