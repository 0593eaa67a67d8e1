import type { ServiceInfo } from "./api-types.ts";
import { DomainForm } from "./components/domain-form.tsx";
import { Icon } from "./components/icon.tsx";
import { Section } from "./components/panels.tsx";
import { QueryResult } from "./components/status.tsx";
import { StudyCard } from "./components/study-card.tsx";
import { formatNumber } from "./format.ts";
import { Confidence } from "./lookup/tools.tsx";
import { serviceInfo, useQuery } from "./queries.ts";
import { useTitle } from "./router.ts";

export function Home() {
  useTitle("");
  const [result, reload] = useQuery(serviceInfo, []);
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
          {result.state === "loaded" && result.data.examples[0] && (
            <p class="try">
              See <a href={`/lookup/${result.data.examples[0]}`}>the recorded scan of {result.data.examples[0]}</a>, a
              fictional company. No key is needed.
            </p>
          )}
        </section>
        {result.state === "loaded" && result.data.preview && <Preview preview={result.data.preview} />}
      </div>
      <QueryResult result={result} retry={reload} lines={6}>
        {(info) => <Overview info={info} />}
      </QueryResult>
    </>
  );
}

const Preview = ({ preview }: { readonly preview: NonNullable<ServiceInfo["preview"]> }) => (
  <section class="preview" aria-labelledby="preview">
    <header>
      <h2 id="preview">{preview.domain}</h2>
      <p class="faint">{preview.tools_detected} tools detected, including</p>
    </header>
    <ul>
      {preview.tools.map(({ tool, confidence, proof }) => (
        <li key={tool}>
          <span>
            {tool}
            <Confidence value={confidence} />
          </span>
          <code>{proof}</code>
        </li>
      ))}
    </ul>
    <a href={`/lookup/${preview.domain}`}>
      Show all tools
      <Icon name="arrow" />
    </a>
  </section>
);

function Overview({ info: { stats, case_studies, areas } }: { readonly info: ServiceInfo }) {
  return (
    <>
      <dl class="stats">
        <Stat value={stats.tools} name="known tools" />
        <Stat value={stats.categories} name="categories" />
        <Stat value={stats.case_studies} name="case studies" />
        <Stat value={stats.companies} name="vendors" />
        <Stat value={stats.domains_enriched} name="domains scanned" />
      </dl>
      <section class="ways" aria-label="What you can do">
        <div>
          <h2>See the evidence</h2>
          <p>
            Each tool shows its confidence and all evidence: the exact value, where it was found, and the rule that
            matched. The coverage shows what could not be checked.
          </p>
          <p class="faint">{areas.map(({ area }) => area).join(" · ")}</p>
        </div>
        <div>
          <h2>
            <a href="/studies">
              Search case studies
              <Icon name="arrow" />
            </a>
          </h2>
          <p>Ask in your own words. Search matches by meaning as well as by keyword, and runs on your own server.</p>
        </div>
        <div>
          <h2>
            <a href="/compare">
              Compare vendors
              <Icon name="arrow" />
            </a>
          </h2>
          <p>Compare up to five vendors: their clients, industries and reported outcomes.</p>
        </div>
      </section>
      {case_studies.length > 0 && (
        <Section title="Included case studies">
          <div class="cards">
            {case_studies.map((study) => (
              <StudyCard key={study.id} study={study} level={3} />
            ))}
          </div>
        </Section>
      )}
    </>
  );
}

const Stat = ({ value, name }: { readonly value: number; readonly name: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{formatNumber(value)}</dd>
  </div>
);
