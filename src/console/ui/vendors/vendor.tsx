import { useState } from "preact/hooks";
import { claimCountsText } from "../../../casestudies/claim-text.ts";
import { judgementOf, outcomeFigure } from "../../../casestudies/outcome-text.ts";
import { request } from "../api-client.ts";
import type { Analysis, CompanyWithStudies, Study, StudyList, Timeline } from "../api-types.ts";
import { Bars } from "../components/bars.tsx";
import { OutcomeFigure, shownOutcome } from "../components/outcome-figure.tsx";
import { Panel, Section } from "../components/panels.tsx";
import { Empty, MutationError, QueryResult } from "../components/status.tsx";
import { type Column, DataTable } from "../components/table.tsx";
import { CompanyIcon } from "../components/tool-icon.tsx";
import { apiKey } from "../credentials.ts";
import { capitalised, countryName, countStudies, formatNumber, formatPercent, pluralise } from "../format.ts";
import { useObservable } from "../observable.ts";
import { useMutation, useQuery } from "../queries.ts";
import { urlFor, useTitle } from "../router.ts";
import { likeFigures, medianOf, type OutcomeGroup } from "./like-figures.ts";
import { TimelineChart } from "./timeline.tsx";

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
  const [result, reload] = useQuery((signal) => fetchVendor(slug, signal), [slug, key], `vendor ${key} ${slug}`);
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
  const clients = new Set(company.case_studies.flatMap(({ client }) => client.name ?? client.domain ?? [])).size;
  const groups = likeFigures(company.case_studies);
  return (
    <>
      <div class="page-head">
        <div class="company-head">
          <CompanyIcon domain={company.domain ?? ""} name={company.name} large />
          <div>
            <h1>{company.name}</h1>
            <p class="company-facts">
              {[
                company.industry,
                countStudies(company.total_case_studies),
                clients > 0 && pluralise(clients, "named client"),
                company.domain,
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
            {seen !== null && <p class="company-facts">{seen}</p>}
          </div>
        </div>
        <div class="actions">
          {company.domain && (
            <a class="button" href={`/lookup/${encodeURIComponent(company.domain)}`}>
              Show tools
            </a>
          )}
          <a class="button" href={urlFor("/studies", { company: company.slug })}>
            Search its case studies
          </a>
          <a class="button" href={urlFor("/compare", { c: company.slug })}>
            Compare vendors
          </a>
        </div>
      </div>
      <div class="vendor-columns">
        <Panel title="Client industries">
          {analysis.top_industries.length === 0 ? (
            <p class="faint">No industries stated</p>
          ) : (
            <Bars
              label="Case studies by industry"
              bars={analysis.top_industries.slice(0, SHOWN_INDUSTRIES).map(({ industry, case_studies, share }) => ({
                label: industry,
                href: urlFor("/studies", { company: company.slug, industry }),
                value: case_studies,
                text: `${case_studies} · ${formatPercent(share)}`,
              }))}
            />
          )}
        </Panel>
        {timeline.timeline.length > 0 && (
          <Panel title="Published">
            <TimelineChart timeline={timeline.timeline} name={company.name} />
            {timeline.undated.length > 0 && <p class="faint">{countStudies(timeline.undated.length)} without a date</p>}
          </Panel>
        )}
      </div>
      <Section title="Reported outcomes">
        {groups.length === 0 ? <p class="faint">No outcomes with a figure</p> : <Outcomes groups={groups} />}
      </Section>
      <Section title="Clients and case studies">
        <Studies company={company} />
      </Section>
    </>
  );
}

const SHOWN_INDUSTRIES = 6;
const SHOWN_OUTCOMES = 10;
const SHOWN_STUDIES = 25;

const OUTCOME_COLUMNS: readonly Column<OutcomeGroup>[] = [
  {
    name: "noun",
    title: "What changed or was reached",
    compare: (one, other) => one.noun.localeCompare(other.noun),
    cell: ({ noun }) => <b>{capitalised(noun)}</b>,
  },
  {
    name: "figures",
    title: "Figures",
    cell: ({ figures }) => {
      const median = medianOf(figures);
      const values = figures.map(({ outcome }) => outcomeFigure(outcome) ?? "");
      return (
        <span class="group-figures">
          <strong>{median ?? [...new Set(values)].slice(0, 3).join(", ")}</strong>
          {median !== null && <span class="faint"> median of {figures.length}</span>}
        </span>
      );
    },
  },
  {
    name: "better",
    title: "For the client",
    kind: "middle",
    cell: ({ figures: [first] }) => {
      const judgement = first && judgementOf(first.outcome);
      return judgement ? capitalised(judgement) : "";
    },
  },
  {
    name: "clients",
    title: "Clients",
    kind: "middle",
    cell: ({ figures }) => (
      <span class="group-clients">
        {figures.slice(0, 3).map(({ study, outcome }, index) => (
          <span key={study.id}>
            {index > 0 && ", "}
            <a href={`/studies/${encodeURIComponent(study.id)}`} title={outcome.text}>
              {study.client.name ?? "a client"}
            </a>
          </span>
        ))}
        {figures.length > 3 && ` and ${figures.length - 3} more`}
      </span>
    ),
  },
];

/** Like with like: figures of one noun, unit and direction share a row, and only they have a median. */
function Outcomes({ groups }: { readonly groups: readonly OutcomeGroup[] }) {
  const [all, setAll] = useState(false);
  return (
    <div class="stack">
      <DataTable
        label="Reported outcomes"
        rows={all ? groups : groups.slice(0, SHOWN_OUTCOMES)}
        columns={OUTCOME_COLUMNS}
        keyOf={({ key }) => key}
      />
      {!all && groups.length > SHOWN_OUTCOMES && (
        <button type="button" class="button" onClick={() => setAll(true)}>
          Show all {groups.length} outcomes
        </button>
      )}
    </div>
  );
}

const nameOf = ({ client }: Study): string => client.name ?? client.domain ?? "";
const byText = (text: (study: Study) => string) => (one: Study, other: Study) => text(one).localeCompare(text(other));

const STUDY_COLUMNS: readonly Column<Study>[] = [
  {
    name: "study",
    title: "Case study",
    compare: byText(({ title }) => title),
    cell: ({ title }) => <span class="study-title">{title}</span>,
  },
  {
    name: "client",
    title: "Client",
    compare: byText(nameOf),
    cell: ({ client }) =>
      client.domain ? (
        <a class="cell-text" href={`/lookup/${encodeURIComponent(client.domain)}`} title={`Tools of ${client.domain}`}>
          {client.name ?? client.domain}
        </a>
      ) : (
        <span class="cell-text">{client.name}</span>
      ),
  },
  {
    name: "industry",
    title: "Industry",
    kind: "wide",
    compare: byText(({ industry }) => industry ?? ""),
    cell: ({ industry }) => <span class="cell-text">{industry}</span>,
  },
  {
    name: "year",
    title: "Year",
    kind: "middle",
    compare: byText(({ published_at }) => published_at ?? ""),
    cell: ({ published_at }) => published_at?.slice(0, 4) ?? "",
  },
  {
    name: "figure",
    title: "Outcome",
    kind: "wide",
    cell: ({ outcomes }) => {
      const outcome = shownOutcome(outcomes);
      return (
        outcome && (
          <span class="row-figure" title={outcome.text}>
            <OutcomeFigure outcome={outcome} />
          </span>
        )
      );
    },
  },
];

/** A company comes with its newest case studies; the others are loaded when they are wanted. */
async function loadOthers(slug: string, known: readonly Study[]): Promise<readonly Study[]> {
  const all = new Map(known.map((study) => [study.id, study]));
  for (let cursor: string | undefined; ; ) {
    const page = await request<StudyList>(urlFor("/v1/casestudies", { company: slug, limit: "100", cursor }));
    for (const study of page.case_studies) all.set(study.id, study);
    if (page.next_cursor === null) return [...all.values()];
    cursor = page.next_cursor;
  }
}

/** All case studies with their clients: filtered by any word of them, a part at a time. */
function Studies({ company }: { readonly company: CompanyWithStudies }) {
  const [studies, setStudies] = useState<readonly Study[]>(company.case_studies);
  const mutation = useMutation();
  const others = company.total_case_studies - studies.length;
  const [text, setText] = useState("");
  const [most, setMost] = useState(SHOWN_STUDIES);
  const isDated = studies.some(({ published_at }) => published_at);
  const columns = STUDY_COLUMNS.filter(({ name }) => name !== "year" || isDated);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = studies.filter((study) => {
    const { title, industry, country, published_at } = study;
    const all = [title, nameOf(study), study.client.domain, industry, country && countryName(country), published_at]
      .join(" ")
      .toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return (
    <div class="stack">
      <div class="vendor-filter">
        <input
          type="search"
          aria-label="Filter clients and case studies"
          placeholder="Filter by client, industry, country, year"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setMost(SHOWN_STUDIES);
          }}
        />
        <span class="faint" role="status">
          {words.length > 0 ? `${found.length} of ${countStudies(studies.length)}` : countStudies(studies.length)}
        </span>
        {others > 0 && (
          <button
            type="button"
            class="button small"
            disabled={mutation.busy}
            title={`Uses ${pluralise(Math.ceil(company.total_case_studies / 100), "request")}`}
            onClick={() => mutation.run(async () => setStudies(await loadOthers(company.slug, studies)))}
          >
            Load the {formatNumber(others)} older ones
          </button>
        )}
        <MutationError mutation={mutation} />
      </div>
      {found.length === 0 ? (
        <Empty title="No client or case study matches" />
      ) : (
        <DataTable
          label="Clients and case studies"
          rows={found.slice(0, most)}
          columns={columns}
          keyOf={({ id }) => id}
          href={({ id }) => `/studies/${encodeURIComponent(id)}`}
        />
      )}
      {found.length > most && (
        <button type="button" class="button" onClick={() => setMost(most + 2 * SHOWN_STUDIES)}>
          Show more
        </button>
      )}
    </div>
  );
}
