import { expect, test } from "bun:test";
import { type CampaignPart, type CampaignResult, runPart } from "../../scripts/campaign/part.ts";

const partOf = (run: () => Promise<CampaignResult>): CampaignPart => ({ name: "kill", about: "Nothing is lost.", run });
const OPTIONS = { short: true, seed: 1, onProgress: () => {} };

test("a part that throws has a fault, so that it is named and can run again", async () => {
  const part = partOf(() => Promise.reject(new Error("the service did not start")));
  expect(await runPart(part, OPTIONS)).toEqual({
    figures: {},
    faults: ["it did not finish: Error: the service did not start"],
    skipped: null,
  });
});

test("the result of a part is returned as it is", async () => {
  const result = { figures: { kills: 3 }, faults: ["a record is lost"], skipped: null };
  expect(
    await runPart(
      partOf(async () => result),
      OPTIONS,
    ),
  ).toBe(result);
});
