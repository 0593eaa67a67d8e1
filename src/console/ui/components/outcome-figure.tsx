import { judgementOf, measuredBy, outcomeFigure } from "../../../casestudies/outcome-text.ts";
import type { Outcome } from "../api-types.ts";
import { capitalised } from "../format.ts";

/** The figure of an outcome, what it measures, and whether it is better or worse for the client. */
export function OutcomeFigure({ outcome }: { readonly outcome: Outcome }) {
  const judgement = judgementOf(outcome);
  return (
    <>
      <strong>{outcomeFigure(outcome)}</strong>
      <span class="metric">
        {capitalised(measuredBy(outcome))}
        {judgement && <span class="judgement"> ({judgement})</span>}
      </span>
    </>
  );
}

/** The outcome that says most about a case study: what changed, before how much there is; undefined without a figure. */
export const shownOutcome = (outcomes: readonly Outcome[]): Outcome | undefined =>
  outcomes
    .filter(({ value }) => value !== null)
    .toSorted((one, other) => Number(one.direction === "absolute") - Number(other.direction === "absolute"))[0];
