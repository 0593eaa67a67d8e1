import { requestAsOperator } from "../api-client.ts";
import type { SourceHealth } from "../api-types.ts";
import { QueryResult } from "../components/status.tsx";
import { formatDay, formatDuration, formatNumber, formatPercent, humanise, pluralise } from "../format.ts";
import { useQuery } from "../queries.ts";

type DataSource = SourceHealth["sources"][number];

/** Outcomes of a scan, in the order of the bar, with their labels. */
const STATES = [
  ["ok", "signals found"],
  ["empty", "nothing found"],
  ["timeout", "timed out"],
  ["failed", "failed"],
  ["skipped", "skipped"],
] as const;

/** The status of each data source in recent scans, and the external services it uses. */
export function DataSources() {
  const [result, reload] = useQuery(
    (signal) => requestAsOperator<SourceHealth>("/console/admin/sources", { signal }),
    [],
  );
  return (
    <QueryResult result={result} retry={reload} lines={8}>
      {(health) => <SourceList health={health} />}
    </QueryResult>
  );
}

function SourceList({ health: { scans, sources } }: { readonly health: SourceHealth }) {
  const services = sources.flatMap((source) => source.services);
  const off = services.filter(({ state }) => state === "off").length;
  const elsewhere = services.filter(({ state }) => state === "elsewhere").length;
  const failing = sources.filter((source) => failureRate(source) > MAX_FAILURE_RATE).length;
  return (
    <>
      <p class={failing === 0 ? "status-line" : "status-line warm"}>
        {scans === 0
          ? "No scans yet."
          : `Last ${pluralise(scans, "scan")}: ${
              failing === 0
                ? "all data sources work."
                : `${pluralise(failing, "data source")} failed in more than ${formatPercent(MAX_FAILURE_RATE)} of scans.`
            }`}{" "}
        {pluralise(services.length, "external service")}: {formatNumber(off)} off, {formatNumber(elsewhere)} redirected.
      </p>
      <ul class="rows">
        {sources.map((source) => (
          <li key={source.source} class="data-source">
            <SourceRow source={source} />
          </li>
        ))}
      </ul>
    </>
  );
}

const MAX_FAILURE_RATE = 0.2;

/** Share of the scans in which the data source timed out or failed. */
const failureRate = ({ ok, empty, timeout, failed }: DataSource) =>
  (timeout + failed) / Math.max(1, ok + empty + timeout + failed);

function SourceRow({ source }: { readonly source: DataSource }) {
  const outcomes = STATES.filter(([state]) => source[state] > 0);
  const total = outcomes.reduce((sum, [state]) => sum + source[state], 0);
  return (
    <>
      <div class="data-source-head">
        <h2>
          {humanise(source.source)} <span class="faint">{source.phase}</span>
        </h2>
        {source.median_ms !== null && (
          <span class="faint">
            <span class="visually-hidden">Median duration </span>
            {formatDuration(source.median_ms)}
            <span aria-hidden="true"> median</span>
          </span>
        )}
      </div>
      {total > 0 && (
        <span class="stack-bar" aria-hidden="true">
          {outcomes.map(([state]) => (
            <span key={state} class={`stack-${state}`} style={{ width: `${(100 * source[state]) / total}%` }} />
          ))}
        </span>
      )}
      <p class="small">
        {total === 0
          ? "Not used in these scans"
          : outcomes.map(([state, words]) => `${formatNumber(source[state])} ${words}`).join(", ")}
      </p>
      {source.last_fault && (
        <p class="note small">
          Last failure: {source.last_fault.domain}, {formatDay(source.last_fault.scanned_at)}:{" "}
          {source.last_fault.detail ?? (source.last_fault.status === "timeout" ? "timed out" : "failed")}
        </p>
      )}
      {source.services.length > 0 && (
        <ul class="services" aria-label={`External services of ${humanise(source.source).toLowerCase()}`}>
          {source.services.map(({ setting, state, host }) => (
            <li key={`${setting} ${host}`}>
              <span class={state === "on" ? "tag" : state === "off" ? "tag plain-tag" : "tag warm"}>
                {state === "on" ? "On" : state === "off" ? "Off" : "Redirected"}
              </span>{" "}
              <span class="break">{host ?? humanise(setting.split(".").at(-1) ?? setting)}</span>{" "}
              <code class="faint">{setting}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
