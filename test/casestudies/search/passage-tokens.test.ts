import { expect, test } from "bun:test";
import { createPassageTokens } from "../../../src/casestudies/search/passage-tokens.ts";

const idsOf = (texts: readonly string[]) => texts.map((text) => Uint16Array.of(text.length));

function opened(maxBytes?: number) {
  const read: number[] = [];
  const tokens = createPassageTokens(maxBytes);
  const encoder = { tokenise: async (texts: readonly string[]) => idsOf(texts) };
  const ask = async (ids: readonly number[], by: Parameters<typeof tokens>[0] = encoder) => {
    const found = await tokens(
      by,
      ids,
      async (wanted) => {
        read.push(...wanted);
        return wanted
          .filter((id) => id < 100)
          .map((id) => ({
            id,
            heading: null,
            text: "x".repeat(id),
            title: "T",
            client: null,
            industry: null,
            summary: null,
          }));
      },
      undefined,
    );
    return [...found].map(([id, each]) => [id, typeof each === "string" ? each : [...each]]);
  };
  return { ask, read, encoder };
}

test("each passage is read and tokenised once", async () => {
  const { ask, read } = opened();
  expect(await ask([1, 2])).toEqual([
    [1, [4]],
    [2, [5]],
  ]);
  expect(await ask([2, 3])).toEqual([
    [2, [5]],
    [3, [6]],
  ]);
  expect(read).toEqual([1, 2, 3]);
});

test("passages that do not exist any more are missing", async () => {
  expect(await opened().ask([1, 100])).toEqual([[1, [4]]]);
});

test("the last used ones are kept within the limit", async () => {
  // Each takes 2 bytes and 120 of its array.
  const { ask, read } = opened(2 * 122);
  await ask([1, 2]);
  await ask([1]);
  await ask([3]);
  await ask([1, 3]);
  expect(read).toEqual([1, 2, 3]);
  await ask([2]);
  expect(read).toEqual([1, 2, 3, 2]);
});

test("another model tokenises anew, and one that does not tokenise gets the texts", async () => {
  const { ask, read } = opened();
  await ask([1]);
  expect(await ask([1], { tokenise: async () => [Uint16Array.of(7)] })).toEqual([[1, [7]]]);
  expect(await ask([1], {})).toEqual([[1, "T. x"]]);
  expect(read).toEqual([1, 1, 1]);
});
