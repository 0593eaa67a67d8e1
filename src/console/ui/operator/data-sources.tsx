import { requestAsOperator } from "../api-client.ts";
import type { SourceHealth } from "../api-types.ts";
import { CardTable, DetailRow } from "../components/card-table.tsx";
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
  const skipped = sources.filter((source) => source.skipped > 0 && attempts(source) === 0);
  const working = sources.length - failing - skipped.length;
  const parts = [
    working > 0 && `${formatNumber(working)} work`,
    failing > 0 && `${formatNumber(failing)} failed in more than ${formatPercent(MAX_FAILURE_RATE)} of scans`,
    skipped.length > 0 && `${formatNumber(skipped.length)} skipped (${skipped.map(skippedText).join(", ")})`,
  ];
  return (
    <>
      <p class={failing === 0 ? "status-line" : "status-line warm"}>
        {scans === 0 ? "No scans yet." : `Last ${pluralise(scans, "scan")}: ${parts.filter(Boolean).join(" · ")}.`}{" "}
        {pluralise(services.length, "external service")}: {formatNumber(off)} off, {formatNumber(elsewhere)} redirected.
      </p>
      <CardTable label="Data sources" heads={HEADS}>
        {sources.map((source) => (
          <SourceRow key={source.source} source={source} />
        ))}
      </CardTable>
    </>
  );
}

const MAX_FAILURE_RATE = 0.2;

/** Scans that asked the data source. */
const attempts = ({ ok, empty, timeout, failed }: DataSource) => ok + empty + timeout + failed;

/** Share of the scans in which the data source timed out or failed. */
const failureRate = (source: DataSource) => (source.timeout + source.failed) / Math.max(1, attempts(source));

/** `Certificate logs: switched off`; the reason is known where a setting decides. */
function skippedText({ source, services }: DataSource): string {
  const isOff = services.length > 0 && services.every(({ state }) => state === "off");
  const reason = isOff ? ": switched off" : source === "browser" ? ": no scan.browser_url" : "";
  return `${humanise(source)}${reason}`;
}

const HEADS = [
  "Data source",
  "Phase",
  "Results",
  { number: "With signals" },
  { number: "Empty" },
  { number: "Failed" },
  { number: "Skipped" },
  { number: "Median time" },
  "Services",
] as const;

function SourceRow({ source }: { readonly source: DataSource }) {
  const outcomes = STATES.filter(([state]) => source[state] > 0);
  const total = outcomes.reduce((sum, [state]) => sum + source[state], 0);
  const fault = source.last_fault;
  return (
    <DetailRow
      title={humanise(source.source)}
      columns={HEADS.length}
      cells={
        <>
          <td data-label="Phase">{humanise(source.phase)}</td>
          <td class="bar-cell">
            <span class="stack-bar" aria-hidden="true">
              {outcomes.map(([state]) => (
                <span key={state} class={`stack-${state}`} style={{ width: `${(100 * source[state]) / total}%` }} />
              ))}
            </span>
          </td>
          <Count label="With signals" value={source.ok} />
          <Count label="Empty" value={source.empty} />
          <Count
            label="Failed"
            value={source.timeout + source.failed}
            isFault={failureRate(source) > MAX_FAILURE_RATE}
          />
          <Count label="Skipped" value={source.skipped} />
          <td class="number" data-label="Median time">
            {source.median_ms === null ? "–" : formatDuration(source.median_ms)}
          </td>
          <td data-label="Services" class="one-line">
            {servicesText(source)}
          </td>
        </>
      }
    >
      <p>
        {total === 0
          ? "Not used in these scans"
          : outcomes.map(([state, words]) => `${formatNumber(source[state])} ${words}`).join(", ")}
      </p>
      {fault && (
        <p>
          Last failure: <a href={`/lookup/${encodeURIComponent(fault.domain)}?tab=coverage`}>{fault.domain}</a>,{" "}
          {formatDay(fault.scanned_at)}: {fault.detail ?? (fault.status === "timeout" ? "timed out" : "failed")}
        </p>
      )}
      {source.services.length > 0 && (
        <ul class="services" aria-label={`External services of ${humanise(source.source).toLowerCase()}`}>
          {source.services.map(({ setting, state, host }) => (
            <li key={`${setting} ${host}`}>
              <span class={state === "on" ? "tag" : state === "off" ? "tag plain-tag" : "tag warm"}>
                {SERVICE_WORDS[state]}
              </span>{" "}
              <span class="break">{host ?? humanise(setting.split(".").at(-1) ?? setting)}</span>{" "}
              <code class="faint">{setting}</code>
            </li>
          ))}
        </ul>
      )}
    </DetailRow>
  );
}

interface CountProps {
  readonly label: string;
  readonly value: number;
  readonly isFault?: boolean;
}

const Count = ({ label, value, isFault = false }: CountProps) => (
  <td class={isFault ? "number fault" : "number"} data-label={label}>
    {formatNumber(value)}
  </td>
);

const SERVICE_WORDS = { on: "On", off: "Off", elsewhere: "Redirected" } as const;

/** `2 on`, `1 on, 1 off`; a dash where the data source asks no external service. */
function servicesText({ services }: DataSource): string {
  const counted = (["on", "off", "elsewhere"] as const).flatMap((state) => {
    const count = services.filter((service) => service.state === state).length;
    return count === 0 ? [] : `${formatNumber(count)} ${SERVICE_WORDS[state].toLowerCase()}`;
  });
  return counted.join(", ") || "–";
}
