import { describe, expect, test } from "bun:test";
import { answerOf } from "../../../src/casestudies/answer/answer.ts";
import { completeOutcome, type PlainOutcome, type Relevance, type StudyHit } from "../../../src/casestudies/types.ts";

function hit(
  id: string,
  text: string,
  level: Relevance["level"] | null = "good",
  outcomes: readonly PlainOutcome[] = [],
): StudyHit {
  return {
    study: {
      id,
      title: `Story ${id}`,
      url: `https://tidewell.example/${id}`,
      company: { name: "Tidewell", slug: "tidewell" },
      client: { name: `Client ${id}`, domain: null },
      industry: null,
      country: null,
      summary: null,
      challenge: null,
      solution: null,
      outcomes: outcomes.map(completeOutcome),
      products: [],
      tools: [],
      quote: null,
      published_at: null,
      language: null,
      indexed_at: null,
      origin: "imported",
    },
    score: 0.5,
    relevance: level && { level, probability: 0.5 },
    passage: { text, highlights: [] },
    also_in: [],
  };
}

const saved = (text: string, value: number): PlainOutcome => ({
  metric: "hosting-cost",
  value,
  unit: "%",
  direction: "decrease",
  text,
});

const idsOf = (hits: readonly StudyHit[]) =>
  answerOf({ hits }).groups.map(({ claim, citations }) => [claim, ...citations.map(({ id }) => id)]);

describe("an answer", () => {
  test("groups its citations by what they claim, in the order of the best", () => {
    expect(
      idsOf([
        hit("a", "Hosting costs 40% less.", "strong", [saved("Hosting costs 40% less", 40)]),
        hit("b", "The bank moved its ledger."),
        hit("c", "In a year, they cut the bill by 12%!", "good", [saved("Cut the bill by 12%", 12)]),
      ]),
    ).toEqual([
      ["hosting cost", "a", "c"],
      [null, "b"],
    ]);
  });

  test("begins with the most relevant, also where the search found another first", () => {
    const rated = (
      id: string,
      level: Relevance["level"],
      probability: number,
      outcomes: readonly PlainOutcome[] = [],
    ) => {
      return { ...hit(id, `Sentence ${id.repeat(9)}`, level, outcomes), relevance: { level, probability } };
    };
    const cost = (id: string) => saved(`Sentence ${id.repeat(9)}`, 9);
    const hits = [
      rated("a", "good", 0.5),
      rated("b", "good", 0.6, [cost("b")]),
      rated("c", "strong", 0.8, [cost("c")]),
      rated("d", "good", 0.7),
    ];
    expect(idsOf(hits)).toEqual([
      ["hosting cost", "c", "b"],
      [null, "d", "a"],
    ]);
    expect(answerOf({ hits }).groups.flatMap(({ citations }) => citations.map(({ number }) => number))).toEqual([
      1, 2, 3, 4,
    ]);
  });

  test("keeps the order of the search where nothing was rated", () => {
    expect(idsOf([hit("a", "Banks move.", null), hit("b", "Bread rises.", null)])).toEqual([[null, "a", "b"]]);
  });

  test("shows a figure only where the cited sentence states it", () => {
    const figureIn = (text: string) =>
      answerOf({ hits: [hit("a", text, "good", [saved("Hosting costs 40% less", 40)])] }).groups[0]?.citations[0]
        ?.figure;
    expect(figureIn("After a year, hosting costs 40% less.")).toEqual({ text: "−40%", measured: "hosting cost" });
    for (const other of ["Hosting costs less.", "Hosting costs 140% less.", "Hosting costs 40", "Queues got shorter."])
      expect(figureIn(other)).toBeNull();
  });

  test("has no results that hardly answer, and says when nothing answers", () => {
    expect(idsOf([hit("a", "Bread rises.", "weak"), hit("b", "Banks move.")])).toEqual([[null, "b"]]);
    expect(answerOf({ hits: [hit("a", "Bread rises.", "weak"), hit("b", "", "good")] })).toEqual({
      groups: [],
      noAnswer: true,
    });
    expect(answerOf({ hits: [] }).noAnswer).toBe(true);
  });

  test("cites unrated results, as of a search by keyword", () => {
    expect(answerOf({ hits: [hit("a", "Banks move.", null)] }).groups[0]?.citations[0]?.relevance).toBeNull();
  });

  test("folds nearly the same sentence of several case studies", () => {
    const same = "The bank moved its whole ledger from the old mainframe to the cloud in a single winter";
    const { groups } = answerOf({
      hits: [hit("a", `${same}.`), hit("b", `${same}, at last.`), hit("c", "Banks move.")],
    });
    expect(groups[0]?.citations.map(({ id, also_in }) => [id, also_in])).toEqual([
      ["a", [{ id: "b", url: "https://tidewell.example/b" }]],
      ["c", []],
    ]);
  });
});
