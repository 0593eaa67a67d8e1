import { apiKey } from "../api-key.ts";
import type { Analysis, CompanyWithStudies, Timeline } from "../api-types.ts";
import { ask } from "../ask.ts";
import { AnalysisPanels } from "../company/analysis.tsx";
import { TimeAxis } from "../company/time-axis.tsx";
import { useObservable } from "../observable.ts";
import { Told } from "../parts/states.tsx";
import { StudyCard } from "../parts/study-card.tsx";
import { addressOf, useTitle } from "../router.ts";
import { useAnswer } from "../use-answer.ts";
import { withQuota } from "../wording.ts";

interface Whole {
  readonly company: CompanyWithStudies;
  readonly analysis: Analysis;
  readonly time: Timeline;
}

/** Three requests, which count as three. */
async function read(slug: string, signal: AbortSignal): Promise<Whole> {
  const path = `/v1/companies/${encodeURIComponent(slug)}`;
  const [company, analysis, time] = await Promise.all([
    ask<CompanyWithStudies>(path, { signal }),
    ask<Analysis>(`${path}/analysis`, { signal }),
    ask<Timeline>(`${path}/timeline`, { signal }),
  ]);
  return { company, analysis, time };
}

export function CompanyPage({ id: slug }: { readonly id: string }) {
  const key = useObservable(apiKey);
  const [answer, again] = useAnswer((signal) => read(slug, signal), [slug, key]);
  useTitle(answer.state === "told" ? answer.value.company.name : slug);
  return (
    <>
      {answer.state !== "told" && <h1 class="unseen">{slug}</h1>}
      <Told answer={answer} again={again} lines={9}>
        {(whole) => <Shown {...whole} />}
      </Told>
    </>
  );
}

function Shown({ company, analysis, time }: Whole) {
  return (
    <>
      <div class="page-head">
        <div>
          <p class="kicker">{company.industry ?? "Vendor"}</p>
          <h1>{company.name}</h1>
          <p class="faint">
            {withQuota(company.total_case_studies, "case study", "case studies")}
            {company.domain && ` · ${company.domain}`}
          </p>
        </div>
        <div class="actions">
          {company.domain && (
            <a class="button small" href={`/lookup/${encodeURIComponent(company.domain)}`}>
              Look up its tools
            </a>
          )}
          <a class="button small" href={addressOf("/compare", { c: company.slug })}>
            Compare
          </a>
        </div>
      </div>
      <AnalysisPanels analysis={analysis} />
      <section aria-labelledby="time">
        <h2 id="time" class="section-title">
          In time
        </h2>
        {time.timeline.length === 0 ? (
          <p class="faint">None of them tells its date.</p>
        ) : (
          <>
            <TimeAxis timeline={time.timeline} name={company.name} />
            <details>
              <summary>The same as a list</summary>
              <TimeList time={time} />
            </details>
          </>
        )}
      </section>
      <section aria-labelledby="studies">
        <h2 id="studies" class="section-title">
          Case studies
        </h2>
        <div class="cards">
          {company.case_studies.slice(0, SHOWN).map((study) => (
            <StudyCard key={study.id} study={study} level={3} />
          ))}
        </div>
        {company.case_studies.length > SHOWN && (
          <p>
            <a href={addressOf("/studies", { company: company.slug })}>All {company.total_case_studies} of them</a>
          </p>
        )}
      </section>
    </>
  );
}

const SHOWN = 9;
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

function TimeList({ time }: { readonly time: Timeline }) {
  const groups = [
    ...time.timeline.map(({ period, case_studies }) => ({
      name: MONTH.format(new Date(`${period}-01`)),
      case_studies,
    })),
    ...(time.undated.length > 0 ? [{ name: "Without a date", case_studies: time.undated }] : []),
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
