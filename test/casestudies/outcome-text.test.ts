import { expect, test } from "bun:test";
import { outcomeFigure, outcomeLine } from "../../src/casestudies/outcome-text.ts";

test.each([
  [4, "%", "decrease", "No-shows fell from 9% to 4% in a year.", "9% → 4%"],
  [4, "%", "decrease", "No-shows went from 9 to just 4 per cent.", "9 → 4 per cent"],
  [2, "days", "decrease", "Set-up fell from 3 weeks to 2 days.", "3 weeks → 2 days"],
  [25_000, "count", "increase", "It grew from 10K to over 25K, and stayed.", "10K → 25K"],
  [1_200_000, "USD", "increase", "Sales rose from $800,000 to $1.2 million.", "$800,000 → $1.2 million"],
  [30, "%", "increase", "Revenue rose by 30%, from 9 offices to 4 continents.", "↑ 30%"],
  [40, "%", "decrease", "Costs fell by 40%.", "−40%"],
  [4, "%", "decrease", "Churn fell from nine per cent to 4%.", "↓ 4%"],
  [12.5, "%", "increase", "Up from 10% to 12.5%.", "10% → 12.5%"],
  [3, "x", "increase", "Three times the leads.", "3×"],
  [null, null, "absolute", "From 1 to 2.", null],
] as const)("%p %s by %s in %p is shown as %p", (value, unit, direction, text, figure) => {
  expect(outcomeFigure({ value, unit, direction, text })).toBe(figure);
});

const OUTAGE = { metric: "availability", noun: "outage time", unit: "%", direction: "decrease", text: "" } as const;

test.each([
  [{ ...OUTAGE, value: 88, kind: "change", better: true }, "outage time −88% (better)"],
  [{ ...OUTAGE, value: 88, kind: "change", noun: null, better: null }, "availability −88%"],
  [{ ...OUTAGE, value: 30, kind: "change", direction: "increase", better: false }, "outage time +30% (worse)"],
  [{ ...OUTAGE, value: 5, unit: "x", kind: "change", better: true }, "outage time −80% (better)"],
  [{ ...OUTAGE, value: 50, unit: "x", kind: "change", better: true }, "outage time −98% (better)"],
  [{ ...OUTAGE, value: 100_000, unit: "x", kind: "change", better: true }, "outage time −99.99% (better)"],
  [{ ...OUTAGE, value: 3, unit: "x", kind: "change", direction: "increase", better: false }, "outage time 3× (worse)"],
  [{ ...OUTAGE, value: 15, unit: "hours", kind: "change", better: true }, "outage time −15 hours (better)"],
  [{ ...OUTAGE, value: 15, unit: "hours", kind: "change", to: 15, better: true }, "outage time → 15 hours (better)"],
  [
    { ...OUTAGE, value: 1, unit: "hours", kind: "level", from: 8, to: 1, better: true },
    "outage time: 8 → 1 hour (better)",
  ],
  [
    { ...OUTAGE, value: 10, unit: "minutes", kind: "level", from: 1_440, to: 10, better: true },
    "outage time: 24 hours → 10 minutes (better)",
  ],
  [
    { ...OUTAGE, value: 60, unit: "minutes", kind: "level", from: 90, to: 60, better: null },
    "outage time: 90 → 60 minutes",
  ],
  [
    { ...OUTAGE, value: 0.5, unit: "hours", kind: "level", from: 72, to: 0.5, better: null },
    "outage time: 3 days → 30 minutes",
  ],
  [
    { ...OUTAGE, value: 720, unit: "minutes", kind: "level", from: 1_440, to: 720, better: null },
    "outage time: 24 → 12 hours",
  ],
  [{ ...OUTAGE, value: 5, kind: "level", from: 51, to: 5, better: true }, "outage time: 51% → 5% (better)"],
  [
    { ...OUTAGE, noun: "cost", value: 5e5, unit: "USD", kind: "level", from: 3e6, to: 5e5, better: true },
    "cost: $3M → $500K (better)",
  ],
  [
    {
      ...OUTAGE,
      noun: "deployments per day",
      value: 200,
      unit: "count",
      direction: "absolute",
      kind: "level",
      better: true,
    },
    "deployments per day: 200",
  ],
  [{ ...OUTAGE, value: null, kind: "qualitative", better: true }, null],
] as const)("%j is shown as %p", (outcome, line) => {
  expect(outcomeLine(outcome)).toBe(line);
});
