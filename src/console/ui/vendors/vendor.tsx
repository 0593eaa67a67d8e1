import { claimCountsText } from "../../../casestudies/claim-text.ts";
import { judgementOf, outcomeFigure } from "../../../casestudies/outcome-text.ts";
import { request } from "../api-client.ts";
import type { Analysis, CompanyWithStudies, Timeline } from "../api-types.ts";
import { Bars } from "../components/bars.tsx";
import { Panel, Section } from "../components/panels.tsx";
import { QueryResult } from "../components/status.tsx";
import { StudyCard } from "../components/study-card.tsx";
import { apiKey } from "../credentials.ts";
import { capitalised, countStudies, formatPercent, humanise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useQuery } from "../queries.ts";
import { urlFor, useTitle } from "../router.ts";
import { TimelineChart } from "./timeline.tsx";

/** A vendor's industries, clients and reported outcomes. */
function AnalysisPanels({ analysis }: { readonly analysis: Analysis }) {
  const { top_industries, top_clients, top_outcomes, company } = analysis;
  return (
    <div class="analysis">
      <Panel title="Industries">
        {top_industries.length === 0 ? (
          <p class="faint">No industries stated</p>
        ) : (
          <Bars
            label="Case studies by industry"
            bars={top_industries.map(({ industry, case_studies, share }) => ({
              label: industry,
              href: urlFor("/studies", { company: company.slug, industry }),
              value: case_studies,
              text: `${case_studies} · ${formatPercent(share)}`,
            }))}
          />
        )}
      </Panel>
      <Panel title="Clients">
        {top_clients.length === 0 ? (
          <p class="faint">No clients named</p>
        ) : (
          <ul class="clients">
            {top_clients.map(({ client, domain, case_studies }) => (
              <li key={client}>
                <span>{client}</span>
                {domain && <a href={`/lookup/${encodeURIComponent(domain)}`}>{domain}</a>}
                {case_studies > 1 && <span class="faint">{countStudies(case_studies)}</span>}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Reported outcomes" class="panel wide">
        {top_outcomes.length === 0 ? (
          <p class="faint">No outcomes stated</p>
        ) : (
          <ul class="reported">
            {top_outcomes.map((outcome) => (
              <OutcomeSummary
                key={`${outcome.metric} ${outcome.kind} ${outcome.unit} ${outcome.direction} ${outcome.better}`}
                outcome={outcome}
              />
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}

function OutcomeSummary({ outcome }: { readonly outcome: Analysis["top_outcomes"][number] }) {
  const { metric, unit, direction, kind, better, median, figures, nouns, case_studies, examples } = outcome;
  const figure = outcomeFigure({ value: median, unit, direction, kind, text: "" });
  const judgement = judgementOf({ better, kind, direction });
  const [noun, ...others] = nouns;
  const title = noun !== undefined && others.length === 0 ? capitalised(noun) : humanise(metric);
  return (
    <li>
      <p class="reported-figure">
        {figure !== null && <strong>{figure}</strong>}
        <span>
          <b>{title}</b>
          {judgement && <span class="judgement"> ({judgement})</span>}
          <span class="faint">
            {others.length > 0 && `: ${nouns.join(", ")}`}
            {figure !== null && figures > 1 ? `, median of ${figures} figures, ` : ", "}
            {countStudies(case_studies)}
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

interface VendorData {
  readonly company: CompanyWithStudies;
  readonly analysis: Analysis;
  readonly timeline: Timeline;
}

/** Sends three requests; each counts against the quota. */
async function fetchVendor(slug: string, signal: AbortSignal): Promise<VendorData> {
  const path = `/v1/companies/${encodeURIComponent(slug)}`;
  const [company, analysis, timeline] = await Promise.all([
    request<CompanyWithStudies>(`${path}?include=claims`, { signal }),
    request<Analysis>(`${path}/analysis`, { signal }),
    request<Timeline>(`${path}/timeline`, { signal }),
  ]);
  return { company, analysis, timeline };
}

export function VendorPage({ id: slug }: { readonly id: string }) {
  const key = useObservable(apiKey);
  const [result, reload] = useQuery((signal) => fetchVendor(slug, signal), [slug, key]);
  useTitle(result.state === "loaded" ? result.data.company.name : slug);
  return (
    <>
      {result.state !== "loaded" && <h1 class="visually-hidden">{slug}</h1>}
      <QueryResult result={result} retry={reload} lines={9}>
        {(data) => <Vendor {...data} />}
      </QueryResult>
    </>
  );
}

function Vendor({ company, analysis, timeline }: VendorData) {
  const seen = company.claims ? claimCountsText(company.claims) : null;
  return (
    <>
      <div class="page-head">
        <div>
          <p class="kicker">{company.industry ?? "Vendor"}</p>
          <h1>{company.name}</h1>
          <p class="faint">
            {countStudies(company.total_case_studies)}
            {company.domain && ` · ${company.domain}`}
          </p>
          {seen !== null && <p class="faint">{seen}</p>}
        </div>
        <div class="actions">
          {company.domain && (
            <a class="button small" href={`/lookup/${encodeURIComponent(company.domain)}`}>
              Show tools
            </a>
          )}
          <a class="button small" href={urlFor("/compare", { c: company.slug })}>
            Compare
          </a>
        </div>
      </div>
      <AnalysisPanels analysis={analysis} />
      <Section title="Timeline">
        {timeline.timeline.length === 0 ? (
          <p class="faint">No case study is dated.</p>
        ) : (
          <>
            <TimelineChart timeline={timeline.timeline} name={company.name} />
            <details>
              <summary>Show as list</summary>
              <TimelineList timeline={timeline} />
            </details>
          </>
        )}
      </Section>
      <Section title="Case studies">
        <div class="cards">
          {company.case_studies.slice(0, MAX_CARDS).map((study) => (
            <StudyCard key={study.id} study={study} level={3} />
          ))}
        </div>
        {company.case_studies.length > MAX_CARDS && (
          <p>
            <a href={urlFor("/studies", { company: company.slug })}>All {countStudies(company.total_case_studies)}</a>
          </p>
        )}
      </Section>
    </>
  );
}

const MAX_CARDS = 9;
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

function TimelineList({ timeline: { timeline, undated } }: { readonly timeline: Timeline }) {
  const groups = [
    ...timeline.map(({ period, case_studies }) => ({
      name: MONTH.format(new Date(`${period}-01`)),
      case_studies,
    })),
    ...(undated.length > 0 ? [{ name: "Undated", case_studies: undated }] : []),
  ];
  return (
    <dl class="time-list">
      {groups.map(({ name, case_studies }) => (
        <div key={name}>
          <dt>{name}</dt>
          {case_studies.map((study) => (
            <dd key={study.id}>
              <a href={`/studies/${encodeURIComponent(study.id)}`}>{study.title}</a>
              {study.client && <span class="faint"> {study.client}</span>}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
