import { expect, test } from "bun:test";
import { formatOutcome } from "../../src/console/ui/outcome-figure.ts";

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
  expect(formatOutcome({ value, unit, direction, text })).toBe(figure);
});
