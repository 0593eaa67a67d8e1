import type { Changes, Lookup } from "../api-types.ts";
import { Badge } from "../components/marks.tsx";
import { Section } from "../components/panels.tsx";
import { Empty } from "../components/status.tsx";
import { ToolIcon, useAreas } from "../components/tool-icon.tsx";
import { formatDay, formatTime, pluralise } from "../format.ts";

const DAY_MS = 86_400_000;
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", year: "2-digit", timeZone: "UTC" });
/** Labels of the time axis. */
const MAX_LABELS = 6;

/** Since when the company uses each tool, as bars over one axis of time. */
export function Timeline({ history }: { readonly history: Lookup["history"] }) {
  const areas = useAreas();
  if (!history || history.tools.length === 0) return <Empty title="No history yet" />;
  const start = Date.parse(history.first_scanned_at);
  const end = Date.parse(history.last_scanned_at);
  const tools = history.tools.toSorted(
    (one, other) =>
      (areas.get(one.category) ?? 99) - (areas.get(other.category) ?? 99) ||
      (one.intervals[0]?.first_seen ?? "").localeCompare(other.intervals[0]?.first_seen ?? "") ||
      one.tool.localeCompare(other.tool),
  );
  if (end - start < DAY_MS) {
    return (
      <Empty title="One day of observations">
        <p>
          {pluralise(history.observations, "observation")} on {formatDay(history.first_scanned_at)}. Rescan on another
          day, import older recordings or let the operator watch the domain: the timeline then shows when each tool
          appeared and went.
        </p>
      </Empty>
    );
  }
  const place = (iso: string) => (100 * (Date.parse(iso) - start)) / (end - start);
  return (
    <Section title={`${pluralise(history.observations, "observation")} since ${formatDay(history.first_scanned_at)}`}>
      <div class="timeline">
        <div class="timeline-axis" aria-hidden="true">
          {axisOf(start, end).map(({ at, label }) => (
            <span key={at} style={{ left: `${(100 * (at - start)) / (end - start)}%` }}>
              {label}
            </span>
          ))}
        </div>
        <ul aria-label="Tools over time">
          {tools.map((track) => (
            <li key={track.tool_id} class={`area-${areas.get(track.category) ?? 0}`}>
              <span class="timeline-name">
                <ToolIcon tool={track.tool} category={track.category} />
                {track.tool}
                {track.state === "gone" && <Badge tone="gone">Gone</Badge>}
              </span>
              <span class="timeline-track">
                {track.intervals.map(({ first_seen, last_seen, gone_at }) => (
                  <span
                    key={first_seen}
                    class={gone_at ? "ended" : undefined}
                    title={`${formatDay(first_seen)} to ${formatDay(last_seen)}`}
                    style={{
                      left: `${Math.min(99, place(first_seen))}%`,
                      width: `${Math.max(1, place(last_seen) - place(first_seen))}%`,
                    }}
                  />
                ))}
              </span>
              <span class="visually-hidden">
                {track.intervals
                  .map(({ first_seen, last_seen }) => `${formatDay(first_seen)} to ${formatDay(last_seen)}`)
                  .join(", ")}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}

/** Beginnings of months, at most `MAX_LABELS` of them. */
function axisOf(start: number, end: number) {
  const labels: { readonly at: number; readonly label: string }[] = [];
  const from = new Date(start);
  for (let month = 1; labels.length < 1_200; month += 1) {
    const at = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month, 1);
    if (at > end) break;
    labels.push({ at, label: MONTH.format(at) });
  }
  const every = Math.ceil(labels.length / MAX_LABELS);
  const shown = labels.filter((_, index) => index % every === 0);
  return shown.length > 0 ? shown : [{ at: start, label: formatDay(new Date(start).toISOString()) }];
}

/** What appeared and what is no longer detected, newest first. */
export function ChangeList({ changes, history }: Pick<Lookup, "changes" | "history">) {
  if (!changes?.previous_at)
    return (
      <Empty title="No changes yet">
        <p>This is the first scan of this domain. Rescan it later to see changes.</p>
      </Empty>
    );
  const days = [...Map.groupBy((history?.changes ?? []).toReversed(), ({ at }) => formatDay(at))];
  return (
    <>
      <LatestChanges changes={changes} />
      {days.map(([day, members]) => (
        <Section key={day} title={day}>
          <ul class="change-list">
            {members.map(({ change, tool, tool_id, category, evidence }) => (
              <li key={`${change} ${tool_id}`}>
                <ToolIcon tool={tool} category={category} />
                <b>{tool}</b>
                {change === "appeared" ? <Badge tone="new">New</Badge> : <Badge tone="gone">Gone</Badge>}
                <span class="faint">{category}</span>
                <code>{evidence}</code>
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  );
}

function LatestChanges({ changes: { previous_at, appeared, gone, missed } }: { readonly changes: Changes }) {
  if (previous_at === null) return null;
  const names = (tools: Changes["gone"]) => tools.map(({ tool }) => tool).join(", ");
  return (
    <div class="latest-changes">
      {appeared.length + gone.length + missed.length === 0 ? (
        <p>No changes since {formatTime(previous_at)}.</p>
      ) : (
        <p>
          Since {formatTime(previous_at)}: {pluralise(appeared.length, "tool")} appeared, {gone.length} no longer seen.
        </p>
      )}
      {appeared.length > 0 && <p>Appeared: {names(appeared)}</p>}
      {gone.length > 0 && <p>No longer seen: {names(gone)}</p>}
      {missed.length > 0 && <p>Not seen once; rescan to confirm: {names(missed)}</p>}
    </div>
  );
}
