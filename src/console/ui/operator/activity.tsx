import { requestAsOperator } from "../api-client.ts";
import type { Activity } from "../api-types.ts";
import { LineChart } from "../components/charts.tsx";
import { Segmented } from "../components/fields.tsx";
import { QueryResult } from "../components/status.tsx";
import { formatDuration, formatNumber, pluralise } from "../format.ts";
import { useQuery } from "../queries.ts";
import { setFilter, urlFor } from "../router.ts";

type Range = Activity["range"];
const RANGES: readonly (readonly [Range, string])[] = [
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
];

export const rangeOf = (text: string | null): Range => RANGES.find(([range]) => range === text)?.[0] ?? "24h";

/** How the labels of each range name a time; all labels of a range differ. */
const LABELS: Readonly<Record<Range, Intl.DateTimeFormatOptions>> = {
  "24h": { hour: "2-digit", minute: "2-digit" },
  "7d": { weekday: "short", hour: "2-digit", minute: "2-digit" },
  "30d": { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
};

/** What the service did over time, with the names of `GET /admin/activity`. */
export function ActivityCharts({ range }: { readonly range: Range }) {
  const [result, reload] = useQuery(
    (signal) => requestAsOperator<Activity>(urlFor("/console/admin/activity", { range }), { signal }),
    [range],
  );
  return (
    <section class="activity" aria-label="Activity">
      <Segmented
        legend="Range"
        name="range"
        isCostly
        value={range}
        onChange={(next) => setFilter(urlFor("/operator", { range: next === "24h" ? "" : next }))}
        options={RANGES}
      />
      <QueryResult result={result} retry={reload} lines={9}>
        {(activity) => <Charts activity={activity} />}
      </QueryResult>
    </section>
  );
}

function Charts({ activity: { range, points, total } }: { readonly activity: Activity }) {
  const format = new Intl.DateTimeFormat("en-GB", { ...LABELS[range], timeZone: "UTC" });
  const labels = points.map(({ start_at }) => format.format(new Date(start_at)));
  const { requests, errors, scans, latency_p50_ms: p50, latency_p95_ms: p95, queue_depth: depth } = total;
  const latency = [p50, p95].map((value) => (value === null ? "–" : formatDuration(value))).join(" / ");
  return (
    <div class="activity-charts">
      <LineChart
        title={pluralise(requests, "request")}
        labels={labels}
        kind="area"
        series={[{ name: "Requests", hue: "area-1", values: points.map((point) => point.requests) }]}
      />
      <LineChart
        title={pluralise(errors, "error")}
        labels={labels}
        kind="bar"
        series={[{ name: "Errors", hue: "area-3", values: points.map((point) => point.errors) }]}
      />
      <LineChart
        title={`Latency, p50 / p95: ${latency}`}
        labels={labels}
        format={formatDuration}
        series={[
          { name: "p50", hue: "area-1", values: points.map((point) => point.latency_p50_ms) },
          { name: "p95", hue: "area-4", values: points.map((point) => point.latency_p95_ms) },
        ]}
      />
      <LineChart
        title={pluralise(scans, "scan")}
        labels={labels}
        kind="bar"
        series={[{ name: "Scans", hue: "area-2", values: points.map((point) => point.scans) }]}
      />
      <LineChart
        title={`Queue depth, at most ${formatNumber(depth)}`}
        labels={labels}
        kind="area"
        series={[{ name: "Waiting jobs", hue: "area-5", values: points.map((point) => point.queue_depth) }]}
      />
    </div>
  );
}
