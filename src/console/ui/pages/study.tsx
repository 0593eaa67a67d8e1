import type { ComponentChildren } from "preact";
import { apiKey } from "../api-key.ts";
import type { Study } from "../api-types.ts";
import { ask } from "../ask.ts";
import { useObservable } from "../observable.ts";
import { Icon } from "../parts/icon.tsx";
import { Told } from "../parts/states.tsx";
import { addressOf, useTitle } from "../router.ts";
import { useAnswer } from "../use-answer.ts";
import { countryOf, dayOf, figureOf, languageOf, minuteOf, worded } from "../wording.ts";

const ORIGINS: Readonly<Record<string, string>> = {
  starter: "It came with the program: a record of a public page, told in our own words.",
  submitted: "It was submitted, reviewed and read from the vendor's page.",
  imported: "It was imported from a file.",
};

/** A record that comes with the program is told to anyone. */
async function read(id: string, key: string | null, signal: AbortSignal): Promise<Study> {
  const name = encodeURIComponent(id);
  return ask(key === null ? `/console/studies/${name}` : `/v1/casestudies/${name}`, { signal });
}

export function StudyPage({ id }: { readonly id: string }) {
  const key = useObservable(apiKey);
  const [answer, again] = useAnswer((signal) => read(id, key, signal), [id, key]);
  useTitle(answer.state === "told" ? answer.value.title : "Case study");
  return (
    <>
      {answer.state !== "told" && <h1 class="unseen">Case study</h1>}
      <Told answer={answer} again={again} lines={9}>
        {(study) => <Record study={study} />}
      </Told>
    </>
  );
}

function Record({ study }: { readonly study: Study }) {
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
      </header>
      <div class="study-columns">
        <div class="study-text">
          {figures.length > 0 && (
            <section aria-labelledby="outcomes">
              <h2 id="outcomes">Outcomes</h2>
              <ul class="outcomes">
                {figures.map((outcome) => (
                  <li key={outcome.text}>
                    <strong>{figureOf(outcome)}</strong>
                    <span class="metric">{worded(outcome.metric)}</span>
                    <span>{outcome.text}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {others.length > 0 && (
            <ul class="plain-outcomes">
              {others.map((outcome) => (
                <li key={outcome.text}>{outcome.text}</li>
              ))}
            </ul>
          )}
          <Part title="Challenge" text={study.challenge} />
          <Part title="Solution" text={study.solution} />
          {study.quote && <Quoted quote={study.quote} />}
        </div>
        <aside aria-label="Facts">
          <dl class="pairs stacked">
            <Fact name="Client">
              {study.client.name ?? study.client.domain}
              {study.client.domain && (
                <a class="aside-link" href={`/lookup/${encodeURIComponent(study.client.domain)}`}>
                  Look up the tools of {study.client.domain}
                </a>
              )}
            </Fact>
            <Fact name="Industry">
              {study.industry && <a href={addressOf("/studies", { industry: study.industry })}>{study.industry}</a>}
            </Fact>
            <Fact name="Country">{study.country && countryOf(study.country)}</Fact>
            <Fact name="Published">{study.published_at && dayOf(study.published_at)}</Fact>
            <Fact name="Products">{study.products.length > 0 && study.products.join(", ")}</Fact>
            <Fact name="Tools">{study.tools.length > 0 && study.tools.join(", ")}</Fact>
            <Fact name="Language">{study.language && languageOf(study.language)}</Fact>
          </dl>
          <section class="panel provenance" aria-labelledby="provenance">
            <h2 id="provenance">Where it is from</h2>
            <p>
              <a href={study.url} target="_blank" rel="noreferrer">
                The original at {URL.parse(study.url)?.hostname ?? study.url}
                <Icon name="out" />
                <span class="unseen"> (opens in a new tab)</span>
              </a>
            </p>
            <p>{ORIGINS[study.origin] ?? study.origin}</p>
            <p class="faint">
              {study.indexed_at ? `In the index since ${minuteOf(study.indexed_at)}.` : "It waits for the index."}
            </p>
          </section>
        </aside>
      </div>
    </article>
  );
}

const Part = ({ title, text }: { readonly title: string; readonly text: string | null }) =>
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
      <dd>{known ? children : <span class="faint">Not known</span>}</dd>
    </>
  );
};

function Quoted({ quote }: { readonly quote: NonNullable<Study["quote"]> }) {
  const who = [quote.person, quote.role].filter(Boolean).join(", ");
  if (quote.text === null) return who ? <p class="faint">The original quotes {who}.</p> : null;
  return (
    <figure class="quote">
      <blockquote>{quote.text}</blockquote>
      {who && <figcaption>{who}</figcaption>}
    </figure>
  );
}
