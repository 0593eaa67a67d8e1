import { outcomeFigure } from "../../../casestudies/outcome-text.ts";
import type { Outcome, Study } from "../api-types.ts";
import { countryName, formatDay } from "../format.ts";
import { urlFor } from "../router.ts";

const MAX_FIGURES = 2;

/** Outcomes with a number: the figure, and the sentence that says what it means. */
function OutcomeFigures({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const shown = outcomes
    .filter(({ value }) => value !== null)
    // What changed says more than how much there is.
    .toSorted((one, other) => Number(one.direction === "absolute") - Number(other.direction === "absolute"))
    .slice(0, MAX_FIGURES);
  if (shown.length === 0) return null;
  return (
    <ul class="figures sentences">
      {shown.map((outcome) => (
        <li key={outcome.text}>
          <strong>{outcomeFigure(outcome)}</strong>
          <span>{outcome.text}</span>
        </li>
      ))}
    </ul>
  );
}

interface CardProps {
  readonly study: Study;
  /** Heading level. */
  readonly level?: 2 | 3;
}

export function StudyCard({ study, level = 2 }: CardProps) {
  const Heading: "h2" | "h3" = level === 2 ? "h2" : "h3";
  return (
    <article class="card study-card">
      <p class="kicker">
        <a href={`/companies/${encodeURIComponent(study.company.slug)}`}>{study.company.name}</a>
        {study.client.name && (
          <>
            <span aria-hidden="true"> → </span>
            <span class="visually-hidden"> for </span>
            {study.client.name}
          </>
        )}
      </p>
      <Heading>
        <a href={`/studies/${encodeURIComponent(study.id)}`}>{study.title}</a>
      </Heading>
      <OutcomeFigures outcomes={study.outcomes} />
      {study.summary && <p class="passage clamp">{study.summary}</p>}
      <ul class="facts">
        {study.industry && (
          <li>
            <a href={urlFor("/studies", { industry: study.industry })}>{study.industry}</a>
          </li>
        )}
        {study.country && <li>{countryName(study.country)}</li>}
        {study.published_at && (
          <li>
            <time dateTime={study.published_at}>{formatDay(study.published_at)}</time>
          </li>
        )}
      </ul>
    </article>
  );
}
