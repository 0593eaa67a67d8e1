import { requestWithKey } from "./api-client.ts";
import type { Companies, ServiceInfo } from "./api-types.ts";
import { DomainForm } from "./components/domain-form.tsx";
import { Icon } from "./components/icon.tsx";
import { Figures, StateWord } from "./components/marks.tsx";
import { Section } from "./components/panels.tsx";
import { ErrorPanel } from "./components/status.tsx";
import { StudyCard } from "./components/study-card.tsx";
import { DataTable } from "./components/table.tsx";
import { CompanyIcon, ToolIcon } from "./components/tool-icon.tsx";
import { apiKey } from "./credentials.ts";
import { formatDay, formatNumber, formatSpan, pluralise } from "./format.ts";
import { useObservable } from "./observable.ts";
import { serviceInfo, useQuery } from "./queries.ts";
import { useTitle } from "./router.ts";

/** The look-up field, the companies scanned last, and what else the service has. */
export function Home() {
  useTitle("");
  const [result, reload] = useQuery(serviceInfo, []);
  const info = result.state === "loaded" ? result.data : undefined;
  const key = useObservable(apiKey);
  const [recent] = useQuery(
    key === null ? null : (signal) => requestWithKey<Companies>("/console/companies", { signal }),
    [key],
  );
  // What is below the companies waits for them, so that it does not move.
  const isSettled = key === null || recent.state !== "loading";
  return (
    <>
      <div class="hero-columns">
        <section class="hero">
          <h1>Which tools does a company use?</h1>
          <p class="lead">
            Enter a domain. Casefile scans public data, such as DNS records, scripts, certificates and job boards, and
            lists every tool with the evidence for it.
          </p>
          <DomainForm />
          <p class="try">
            {info?.preview ? (
              <>
                See <a href={`/lookup/${info.preview.domain}`}>the recorded scan of {info.preview.domain}</a>, a
                fictional company. No key is needed.
              </>
            ) : (
              " "
            )}
          </p>
          <HomeFigures info={info} />
        </section>
        {(info === undefined || info.preview) && <Preview preview={info?.preview ?? undefined} />}
      </div>
      {result.state === "failed" && <ErrorPanel error={result.error} retry={reload} />}
      {key !== null && recent.state === "loaded" && <RecentCompanies companies={recent.data.companies} />}
      {isSettled && info && info.case_studies.length > 0 && (
        <Section title="Included case studies">
          <div class="cards">
            {info.case_studies.map((study) => (
              <StudyCard key={study.id} study={study} level={3} />
            ))}
          </div>
        </Section>
      )}
    </>
  );
}

/** Placeholders have the size of the figures, so that nothing moves when they arrive. */
function HomeFigures({ info }: { readonly info: ServiceInfo | undefined }) {
  const shown = (value: number | undefined) => (value === undefined ? "–" : formatNumber(value));
  const stats = info?.stats;
  return (
    <Figures
      figures={[
        [shown(stats?.tools), "known tools"],
        [shown(stats?.domains_enriched), "companies scanned"],
        [shown(stats?.case_studies), "case studies"],
        [shown(stats?.companies), "vendors"],
      ]}
    />
  );
}

const SHOWN_TOOLS = 5;

const Preview = ({ preview }: { readonly preview: NonNullable<ServiceInfo["preview"]> | undefined }) => (
  <section class="preview" aria-labelledby="preview" aria-busy={preview === undefined}>
    <header>
      {preview ? <CompanyIcon domain={preview.domain} /> : <span class="tool-tile" />}
      <div>
        <h2 id="preview">{preview?.domain ?? "An example"}</h2>
        <p class="faint">{preview ? `${pluralise(preview.tools_detected, "tool")} detected, including` : "Loading…"}</p>
      </div>
    </header>
    <ul>
      {(preview?.tools ?? []).map(({ tool, category, confidence, level, proof }) => (
        <li key={tool}>
          <ToolIcon tool={tool} category={category} />
          <span class="preview-tool">
            {tool}
            <code title={proof}>{proof}</code>
          </span>
          <StateWord state={level} confidence={confidence} />
        </li>
      ))}
      {!preview &&
        Array.from({ length: SHOWN_TOOLS }, (_, index) => (
          <li key={index}>
            <span class="skeleton" />
          </li>
        ))}
    </ul>
    {preview ? (
      <a href={`/lookup/${preview.domain}`}>
        Show all tools
        <Icon name="arrow" />
      </a>
    ) : (
      <span class="preview-more"> </span>
    )}
  </section>
);

/** With a key: the companies that were scanned last, by anyone. Not counted. */
function RecentCompanies({ companies }: Pick<Companies, "companies">) {
  if (companies.length === 0) return null;
  return (
    <Section title="Scanned last">
      <DataTable
        label="Companies scanned last"
        rows={companies}
        keyOf={({ domain }) => domain}
        href={({ domain }) => `/lookup/${encodeURIComponent(domain)}`}
        columns={[
          {
            name: "company",
            title: "Company",
            compare: (one, other) => one.domain.localeCompare(other.domain),
            cell: ({ domain }) => (
              <>
                <CompanyIcon domain={domain} />
                {domain}
              </>
            ),
          },
          {
            name: "tools",
            title: "Tools",
            kind: "number",
            compare: (one, other) => one.tools_detected - other.tools_detected,
            cell: ({ tools_detected }) => formatNumber(tools_detected),
          },
          {
            name: "first",
            title: "First scan",
            kind: "wide",
            cell: ({ first_scanned_at }) => (first_scanned_at ? formatDay(first_scanned_at) : ""),
          },
          {
            name: "last",
            title: "Last scan",
            cell: ({ scanned_at }) => `${formatSpan(Math.max(1, (Date.now() - Date.parse(scanned_at)) / 1_000))} ago`,
          },
        ]}
      />
    </Section>
  );
}
