import type { Analysis } from "../api-types.ts";
import { Bars } from "../parts/bars.tsx";
import { addressOf } from "../router.ts";
import { figureOf, percentOf, withQuota, worded } from "../wording.ts";

const studies = (count: number) => withQuota(count, "case study", "case studies");

/** Whom a vendor serves, and what its customers report. */
export function AnalysisPanels({ analysis }: { readonly analysis: Analysis }) {
  const { top_industries, top_clients, top_outcomes, company } = analysis;
  return (
    <div class="analysis">
      <section class="panel" aria-labelledby="industries">
        <h2 id="industries">Industries</h2>
        {top_industries.length === 0 ? (
          <p class="faint">No case study names an industry.</p>
        ) : (
          <Bars
            label="Case studies by industry"
            bars={top_industries.map(({ industry, case_studies, share }) => ({
              label: industry,
              href: addressOf("/studies", { company: company.slug, industry }),
              value: case_studies,
              text: `${case_studies} · ${percentOf(share)}`,
            }))}
          />
        )}
      </section>
      <section class="panel" aria-labelledby="clients">
        <h2 id="clients">Clients</h2>
        {top_clients.length === 0 ? (
          <p class="faint">No case study names its client.</p>
        ) : (
          <ul class="clients">
            {top_clients.map(({ client, domain, case_studies }) => (
              <li key={client}>
                <span>{client}</span>
                {domain && <a href={`/lookup/${encodeURIComponent(domain)}`}>{domain}</a>}
                {case_studies > 1 && <span class="faint">{studies(case_studies)}</span>}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="panel wide" aria-labelledby="outcomes">
        <h2 id="outcomes">What customers report</h2>
        {top_outcomes.length === 0 ? (
          <p class="faint">No case study states an outcome.</p>
        ) : (
          <ul class="reported">
            {top_outcomes.map((outcome) => (
              <Reported key={`${outcome.metric} ${outcome.unit} ${outcome.direction}`} outcome={outcome} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function Reported({ outcome }: { readonly outcome: Analysis["top_outcomes"][number] }) {
  const { metric, unit, direction, median, case_studies, examples } = outcome;
  // Bare counts are of different things, features here and servers there: between two of them lies nothing.
  const alike = case_studies === 1 || (unit !== null && unit !== "count");
  const figure = alike ? figureOf({ value: median, unit, direction, text: "" }) : null;
  return (
    <li>
      <p class="reported-figure">
        {figure !== null && <strong>{figure}</strong>}
        <span>
          <b>{worded(metric)}</b>
          <span class="faint">
            {figure !== null && case_studies > 1 ? ", median of " : ", "}
            {studies(case_studies)}
          </span>
        </span>
      </p>
      <ul>
        {examples.slice(0, 2).map((example) => (
          <li key={example.case_study_id}>
            <a href={`/studies/${encodeURIComponent(example.case_study_id)}`}>{example.client ?? "A client"}</a>:{" "}
            {example.text}
          </li>
        ))}
      </ul>
    </li>
  );
}
