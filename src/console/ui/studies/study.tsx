import type { ComponentChildren } from "preact";
import { claimText } from "../../../casestudies/claim-text.ts";
import { request } from "../api-client.ts";
import type { Study, StudyWithClaim } from "../api-types.ts";
import { OutcomeFigure } from "../components/outcome-figure.tsx";
import { ExternalLink, Panel } from "../components/panels.tsx";
import { QueryResult } from "../components/status.tsx";
import { apiKey } from "../credentials.ts";
import { countryName, formatDay, formatTime, languageName } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useQuery } from "../queries.ts";
import { urlFor, useTitle } from "../router.ts";
import { SimilarStudies, StudyActions } from "./preview.tsx";

const ORIGINS: Readonly<Record<string, string>> = {
  starter: "Included with Casefile: a summary of a public page.",
  submitted: "Submitted, reviewed and crawled from the vendor's page.",
  imported: "Imported from a file.",
};

/** Included case studies need no key. */
async function fetchStudy(id: string, key: string | null, signal: AbortSignal): Promise<StudyWithClaim> {
  const name = encodeURIComponent(id);
  return request(key === null ? `/console/studies/${name}` : `/v1/casestudies/${name}?include=claim`, { signal });
}

export function StudyPage({ id }: { readonly id: string }) {
  const key = useObservable(apiKey);
  const [result, reload] = useQuery((signal) => fetchStudy(id, key, signal), [id, key]);
  useTitle(result.state === "loaded" ? result.data.title : "Case study");
  return (
    <>
      {result.state !== "loaded" && <h1 class="visually-hidden">Case study</h1>}
      <QueryResult result={result} retry={reload} lines={9}>
        {(study) => <StudyView study={study} />}
      </QueryResult>
    </>
  );
}

function StudyView({ study }: { readonly study: StudyWithClaim }) {
  const figures = study.outcomes.filter(({ value }) => value !== null);
  const others = study.outcomes.filter(({ value }) => value === null);
  return (
    <article class="study">
      <header>
        <p class="kicker">
          <a href={`/companies/${encodeURIComponent(study.company.slug)}`}>{study.company.name}</a>
        </p>
        <h1>{study.title}</h1>
        {study.summary && <p class="lead">{study.summary}</p>}
        <StudyActions study={study} page />
      </header>
      <div class="study-columns">
        <div class="study-text">
          {figures.length > 0 && (
            <section aria-labelledby="outcomes">
              <h2 id="outcomes">Outcomes</h2>
              <ul class="outcomes">
                {figures.map((outcome) => (
                  <li key={outcome.text}>
                    <OutcomeFigure outcome={outcome} />
                    <span>{outcome.text}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {others.length > 0 && (
            <ul class="plain-outcomes" aria-label="Outcomes without a figure">
              {others.map((outcome) => (
                <li key={outcome.text}>{outcome.text}</li>
              ))}
            </ul>
          )}
          <TextSection title="Challenge" text={study.challenge} />
          <TextSection title="Solution" text={study.solution} />
          {study.quote && <Quote quote={study.quote} />}
          <SimilarStudies study={study} />
        </div>
        <aside aria-label="Facts">
          <dl class="pairs stacked">
            <Fact name="Client">
              {study.client.name ?? study.client.domain}
              {study.client.domain && (
                <a class="aside-link" href={`/lookup/${encodeURIComponent(study.client.domain)}`}>
                  Show tools of {study.client.domain}
                </a>
              )}
            </Fact>
            <Fact name="Claim">
              {study.claim && claimText(study.claim)}
              {study.claim?.checked_at && (
                <span class="faint"> As of the scan of {formatDay(study.claim.checked_at)}.</span>
              )}
            </Fact>
            <Fact name="Industry">
              {study.industry && <a href={urlFor("/studies", { industry: study.industry })}>{study.industry}</a>}
            </Fact>
            <Fact name="Country">{study.country && countryName(study.country)}</Fact>
            <Fact name="Published">{study.published_at && formatDay(study.published_at)}</Fact>
            <Fact name="Products">{study.products.length > 0 && study.products.join(", ")}</Fact>
            <Fact name="Tools">{study.tools.length > 0 && study.tools.join(", ")}</Fact>
            <Fact name="Language">{study.language && languageName(study.language)}</Fact>
          </dl>
          <Panel title="Source" class="panel provenance">
            <p>
              <ExternalLink href={study.url}>Original at {URL.parse(study.url)?.hostname ?? study.url}</ExternalLink>
            </p>
            <p>{ORIGINS[study.origin] ?? study.origin}</p>
            <p class="faint">{study.indexed_at ? `Indexed ${formatTime(study.indexed_at)}` : "Not indexed yet"}</p>
          </Panel>
        </aside>
      </div>
    </article>
  );
}

const TextSection = ({ title, text }: { readonly title: string; readonly text: string | null }) =>
  text === null ? null : (
    <section>
      <h2>{title}</h2>
      <p>{text}</p>
    </section>
  );

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => {
  const known = Array.isArray(children) ? children.some(Boolean) : Boolean(children);
  return (
    <>
      <dt>{name}</dt>
      <dd>{known ? children : <span class="faint">Unknown</span>}</dd>
    </>
  );
};

function Quote({ quote }: { readonly quote: NonNullable<Study["quote"]> }) {
  const who = [quote.person, quote.role].filter(Boolean).join(", ");
  if (quote.text === null) return who ? <p class="faint">The original page quotes {who}.</p> : null;
  return (
    <figure class="quote">
      <blockquote>{quote.text}</blockquote>
      {who && <figcaption>{who}</figcaption>}
    </figure>
  );
}
