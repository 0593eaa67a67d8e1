import { measuredBy, outcomeFigure } from "../../../casestudies/outcome-text.ts";
import type { Outcome, Study } from "../api-types.ts";

interface Figure {
  readonly study: Study;
  readonly outcome: Outcome;
}

/** Figures of the same noun, unit, kind and direction: only these can be compared. */
export interface OutcomeGroup {
  readonly key: string;
  readonly noun: string;
  readonly figures: readonly Figure[];
}

/** Groups the figures of case studies, like with like; those with most figures first, then those that say a change. */
export function likeFigures(studies: readonly Study[]): readonly OutcomeGroup[] {
  const figures = studies.flatMap((study) =>
    study.outcomes.filter((outcome) => outcomeFigure(outcome) !== null).map((outcome) => ({ study, outcome })),
  );
  const keyOf = ({ outcome }: Figure) => {
    const { unit, kind, direction, better } = outcome;
    return JSON.stringify([measuredBy(outcome).toLowerCase(), unit, kind, direction, better]);
  };
  const isChange = ({ figures: [first] }: OutcomeGroup) => Number(first?.outcome.kind === "change");
  return [...Map.groupBy(figures, keyOf)]
    .map(([key, members]) => ({ key, noun: members[0] ? measuredBy(members[0].outcome) : "", figures: members }))
    .toSorted((one, other) => other.figures.length - one.figures.length || isChange(other) - isChange(one));
}

const MIN_FOR_MEDIAN = 3;

/** The median of like figures as a figure; null of fewer than three, and where a figure says what was reached. */
export function medianOf(figures: readonly Figure[]): string | null {
  const [first] = figures;
  const isReached = ({ outcome: { from, to } }: Figure) => from !== null || to !== null;
  if (!first || figures.length < MIN_FOR_MEDIAN || figures.some(isReached)) return null;
  const values = figures.flatMap(({ outcome }) => outcome.value ?? []).toSorted((one, other) => one - other);
  const middle = values.length / 2;
  const value =
    values.length % 2 === 1
      ? (values[Math.floor(middle)] ?? 0)
      : ((values[middle - 1] ?? 0) + (values[middle] ?? 0)) / 2;
  return outcomeFigure({ ...first.outcome, value, text: "" });
}
