import type { Result, Study } from "../api-types.ts";
import { addressOf } from "../router.ts";
import { countryOf, dayOf, percentOf } from "../wording.ts";
import { Figures } from "./figures.tsx";
import { Marked } from "./marked.tsx";

interface CardProps {
  readonly study: Study | Result;
  /** Heading level, by where it stands. */
  readonly level?: 2 | 3;
}

export function StudyCard({ study, level = 2 }: CardProps) {
  const Heading: "h2" | "h3" = level === 2 ? "h2" : "h3";
  const found = "passage" in study ? study : undefined;
  return (
    <article class="card study-card">
      <p class="kicker">
        <a href={`/companies/${encodeURIComponent(study.company.slug)}`}>{study.company.name}</a>
        {study.client.name && (
          <>
            <span aria-hidden="true"> → </span>
            <span class="unseen"> for </span>
            {study.client.name}
          </>
        )}
      </p>
      <Heading>
        <a href={`/studies/${encodeURIComponent(study.id)}`}>{study.title}</a>
      </Heading>
      <Figures outcomes={study.outcomes} />
      {found ? (
        <p class="passage">
          <Marked text={found.passage} places={found.highlights} />
        </p>
      ) : (
        study.summary && <p class="passage clamp">{study.summary}</p>
      )}
      <ul class="facts">
        {study.industry && (
          <li>
            <a href={addressOf("/studies", { industry: study.industry })}>{study.industry}</a>
          </li>
        )}
        {study.country && <li>{countryOf(study.country)}</li>}
        {study.published_at && (
          <li>
            <time dateTime={study.published_at}>{dayOf(study.published_at)}</time>
          </li>
        )}
        {found && <li class="score">{percentOf(found.score)} match</li>}
      </ul>
    </article>
  );
}
