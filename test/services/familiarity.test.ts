import { describe, expect, test } from "bun:test";
import { refreshTermStatistics } from "../../src/casestudies/search/study-search.ts";

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
  const getFamiliar = refreshTermStatistics({
    newestPassage: async () => newest,
    sample: async () => [passage(`up to ${newest}`)],
  });
  return {
    getFamiliar,
    observed,
    encoder: { observe: async (passages: readonly string[]) => void observed.push([...passages]) },
    grow: (to: number) => {
      newest = to;
    },
  };
}

describe("an encoder", () => {
  test("has seen a sample, as it reads passages, before its first search, and only once", async () => {
    const { getFamiliar, observed, encoder } = opened();
    await Promise.all([getFamiliar(encoder), getFamiliar(encoder)]);
    await getFamiliar(encoder);
    expect(observed).toEqual([["Story. up to 10"]]);
  });

  test("sees another one when there are more than twice as many passages", async () => {
    const { getFamiliar, observed, encoder, grow } = opened();
    await getFamiliar(encoder);
    grow(20);
    await getFamiliar(encoder);
    expect(observed.length).toBe(1);
    grow(21);
    await getFamiliar(encoder);
    await Bun.sleep(0);
    expect(observed[1]).toEqual(["Story. up to 21"]);
  });

  test("that takes over sees its own", async () => {
    const { getFamiliar, observed, encoder } = opened();
    await getFamiliar(encoder);
    await getFamiliar({ ...encoder });
    expect(observed.length).toBe(2);
  });

  test("that cannot compare sees none, and one that breaks leaves it to the search to tell", async () => {
    const { getFamiliar, observed } = opened();
    await getFamiliar({});
    await getFamiliar({ observe: () => Promise.reject(new Error("closed")) });
    expect(observed).toEqual([]);
  });

  test("that broke while it saw one sees another before its next search", async () => {
    const { getFamiliar, observed, encoder } = opened();
    let broken = true;
    const sometimes = {
      observe: (passages: readonly string[]) =>
        broken ? Promise.reject(new Error("busy")) : encoder.observe(passages),
    };
    await getFamiliar(sometimes);
    broken = false;
    await getFamiliar(sometimes);
    await getFamiliar(sometimes);
    expect(observed).toEqual([["Story. up to 10"]]);
  });
});
