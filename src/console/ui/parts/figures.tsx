import type { Outcome } from "../api-types.ts";
import { figureOf, worded } from "../wording.ts";

/** Outcomes as figures; those without a number are left to the text. */
export function Figures({ outcomes, most = 3 }: { readonly outcomes: readonly Outcome[]; readonly most?: number }) {
  const shown = [...outcomes]
    .filter(({ value }) => value !== null)
    // What changed says more than how large something is.
    .sort((one, other) => Number(one.direction === "absolute") - Number(other.direction === "absolute"))
    .slice(0, most);
  if (shown.length === 0) return null;
  return (
    <ul class="figures">
      {shown.map((outcome) => (
        <li key={outcome.text} title={outcome.text}>
          <strong>{figureOf(outcome)}</strong>
          <span>{worded(outcome.metric)}</span>
        </li>
      ))}
    </ul>
  );
}
