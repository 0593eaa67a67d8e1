import { requestAsOperator } from "../api-client.ts";
import type { Overview as OverviewData } from "../api-types.ts";
import { Icon } from "../components/icon.tsx";
import { QueryResult } from "../components/status.tsx";
import { formatNumber } from "../format.ts";
import { useQuery } from "../queries.ts";
import { ActivityCharts, rangeOf } from "./activity.tsx";

export function Overview({ query }: { readonly query: URLSearchParams }) {
  const [result, reload] = useQuery(
    (signal) => requestAsOperator<OverviewData>("/console/operator/overview", { signal }),
    [],
  );
  return (
    <>
      <Alarms alarms={result.state === "loaded" ? result.data.alarms : undefined} />
      <ActivityCharts range={rangeOf(query.get("range"))} />
      <QueryResult result={result} retry={reload} lines={6}>
        {(figures) => <Figures figures={figures} />}
      </QueryResult>
    </>
  );
}

/** First of all; undefined until they are known, which takes the same room as none. */
function Alarms({ alarms }: { readonly alarms: OverviewData["alarms"] | undefined }) {
  if (alarms === undefined || alarms.length === 0)
    return (
      <p class="status-line">
        <Icon name="check" /> {alarms ? "No alarms." : "Checking…"}
      </p>
    );
  return (
    <section class="error-panel" aria-label="Alarms">
      <Icon name="warning" />
      <div>
        <h2>Action required</h2>
        {alarms.map((alarm) => (
          <p key={alarm}>{alarm}</p>
        ))}
      </div>
    </section>
  );
}

function Figures({ figures }: { readonly figures: OverviewData }) {
  const { jobs, mails, submissions, stats } = figures;
  const waiting = (submissions.review ?? 0) + (submissions.waiting ?? 0);
  return (
    <dl class="tiles">
      <Tile name="Submissions to review" value={waiting} href="/operator/submissions" strong={waiting > 0} />
      <Tile name="Waiting jobs" value={jobs.waiting ?? 0} href="/operator/jobs" />
      <Tile name="Failed jobs" value={jobs.dead ?? 0} href="/operator/jobs?state=dead" strong={(jobs.dead ?? 0) > 0} />
      <Tile name="Not indexed yet" value={figures.waiting_for_index} />
      <Tile name="Running scans" value={figures.scans_running} href="/operator/scans" />
      <Tile name="Domains scanned" value={stats.domains_enriched} href="/operator/scans" />
      <Tile name="Case studies" value={stats.case_studies} href="/operator/studies" />
      <Tile
        name={figures.mail_configured ? "Waiting emails" : "Waiting emails (no mail server configured)"}
        value={mails.waiting ?? 0}
        href="/operator/mails"
      />
    </dl>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: number;
  readonly href?: string;
  readonly strong?: boolean;
}

const Tile = ({ name, value, href, strong = false }: TileProps) => (
  <div class={strong ? "tile strong" : "tile"}>
    <dt>{href ? <a href={href}>{name}</a> : name}</dt>
    <dd>{formatNumber(value)}</dd>
  </div>
);
