import { describe, expect, test } from "bun:test";
import { createTermStatistics } from "../../../src/casestudies/search/term-statistics.ts";

const passage = (text: string) => ({
  id: 1,
  case_study_id: "study",
  position: 0,
  heading: null,
  text,
  title: "Story",
  client: null,
  industry: null,
  summary: null,
});

function opened() {
  let newest = 10;
  const observed: string[][] = [];
  const update = createTermStatistics({
    newestPassage: async () => newest,
    sample: async () => [passage(`up to ${newest}`)],
  });
  return {
    update,
    observed,
    encoder: { observe: async (passages: readonly string[]) => void observed.push([...passages]) },
    grow: (to: number) => {
      newest = to;
    },
  };
}

describe("an encoder", () => {
  test("observes a sample of passages before its first search, and only once", async () => {
    const { update, observed, encoder } = opened();
    await Promise.all([update(encoder), update(encoder)]);
    await update(encoder);
    expect(observed).toEqual([["Story. up to 10"]]);
  });

  test("observes another sample when the number of passages has doubled", async () => {
    const { update, observed, encoder, grow } = opened();
    await update(encoder);
    grow(20);
    await update(encoder);
    expect(observed.length).toBe(1);
    grow(21);
    await update(encoder);
    await Bun.sleep(0);
    expect(observed[1]).toEqual(["Story. up to 21"]);
  });

  test("that replaces another one observes its own sample", async () => {
    const { update, observed, encoder } = opened();
    await update(encoder);
    await update({ ...encoder });
    expect(observed.length).toBe(2);
  });

  test("that cannot compare observes none, and a failure is left to the search", async () => {
    const { update, observed } = opened();
    await update({});
    await update({ observe: () => Promise.reject(new Error("closed")) });
    expect(observed).toEqual([]);
  });

  test("that failed to observe a sample gets another before its next search", async () => {
    const { update, observed, encoder } = opened();
    let broken = true;
    const sometimes = {
      observe: (passages: readonly string[]) =>
        broken ? Promise.reject(new Error("busy")) : encoder.observe(passages),
    };
    await update(sometimes);
    broken = false;
    await update(sometimes);
    await update(sometimes);
    expect(observed).toEqual([["Story. up to 10"]]);
  });
});
