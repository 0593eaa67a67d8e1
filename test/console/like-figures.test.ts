import { expect, test } from "bun:test";
import type { Outcome, Study } from "../../src/console/ui/api-types.ts";
import { likeFigures, medianOf } from "../../src/console/ui/vendors/like-figures.ts";

const outcome = (value: number | null, noun: string | null, more: Partial<Outcome> = {}): Outcome => ({
  ...{ metric: "cost", value, unit: "%", direction: "decrease", text: "Text.", noun, kind: "change" },
  ...{ from: null, to: null, better: true, sentence: null },
  ...more,
});
const study = (id: string, ...outcomes: readonly Outcome[]): Study =>
  ({ id, client: { name: id, domain: null }, outcomes }) as unknown as Study;

test("figures share a group only with the same noun, unit, kind, direction and judgement", () => {
  const groups = likeFigures([
    study("one", outcome(10, "Hosting costs"), outcome(null, "hosting costs")),
    study("two", outcome(30, "hosting costs"), outcome(5, "hosting costs", { unit: "x" })),
    study(
      "three",
      outcome(20, "hosting costs"),
      outcome(20, "hosting costs", { direction: "increase", better: false }),
    ),
    study("four", outcome(50, "staff costs"), outcome(50, "hosting costs", { kind: "level" })),
  ]);
  expect(groups.map(({ noun, figures }) => [noun, figures.length])).toEqual([
    ["Hosting costs", 3],
    ["hosting costs", 1],
    ["hosting costs", 1],
    ["staff costs", 1],
    ["hosting costs", 1],
  ]);
  expect(groups.map(({ figures }) => medianOf(figures))).toEqual(["−20%", null, null, null, null]);
});

test("figures with a level before and one after have no median", () => {
  const levels = [1, 2, 3].map((value) =>
    study(`s${value}`, outcome(value, "builds", { unit: null, from: 9, to: value })),
  );
  const [group] = likeFigures(levels);
  expect(group?.figures).toHaveLength(3);
  expect(medianOf(group?.figures ?? [])).toBeNull();
});
