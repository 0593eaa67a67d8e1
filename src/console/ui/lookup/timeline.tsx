import type { Lookup } from "../api-types.ts";
import { useMedia } from "../components/docked-panel.tsx";
import { Badge } from "../components/marks.tsx";
import { Section } from "../components/panels.tsx";
import { Empty } from "../components/status.tsx";
import { ToolIcon, useAreas } from "../components/tool-icon.tsx";
import { formatDay, formatMonth, pluralise } from "../format.ts";

const DAY_MS = 86_400_000;
const NARROW = "(max-width: 700px)";
/** Labels of the time axis; a phone has room for `NARROW_LABELS`. */
const MAX_LABELS = 6;
const NARROW_LABELS = 4;
/** Labels this near to an end of the axis, in percent, begin or end at their place, so that they stay on the page. */
const EDGE = 12;

/** Since when the company uses each tool, as bars over one axis of time. */
export function Timeline({ history }: { readonly history: Lookup["history"] }) {
  const areas = useAreas();
  const maxLabels = useMedia(NARROW) ? NARROW_LABELS : MAX_LABELS;
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
          {axisOf(start, end, maxLabels).map(({ at, label }) => {
            const left = (100 * (at - start)) / (end - start);
            return (
              <span
                key={at}
                class={left < EDGE ? "at-start" : left > 100 - EDGE ? "at-end" : undefined}
                style={{ left: `${left}%` }}
              >
                {label}
              </span>
            );
          })}
          {history.observed_at.map((at) => (
            <i key={at} title={`Observed on ${formatDay(at)}`} style={{ left: `${place(at)}%` }} />
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

/** Beginnings of months, at most `most` of them. */
function axisOf(start: number, end: number, most: number) {
  const labels: { readonly at: number; readonly label: string }[] = [];
  const from = new Date(start);
  for (let month = 1; labels.length < 1_200; month += 1) {
    const at = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month, 1);
    if (at > end) break;
    labels.push({ at, label: formatMonth(at) });
  }
  const every = Math.ceil(labels.length / most);
  const shown = labels.filter((_, index) => index % every === 0);
  return shown.length > 0 ? shown : [{ at: start, label: formatDay(new Date(start).toISOString()) }];
}

/** What appeared and what is no longer detected, newest first: the same changes as in the timeline. */
export function ChangeList({ history }: Pick<Lookup, "history">) {
  if (!history || history.observations < 2)
    return (
      <Empty title="Nothing to compare with">
        <p>
          {history
            ? `The only observation of this domain is of ${formatDay(history.first_scanned_at)}.`
            : "No observation of this domain is stored."}{" "}
          Rescan it later, or import an older recording, to see changes.
        </p>
      </Empty>
    );
  const { changes, observations, first_scanned_at, last_scanned_at } = history;
  const days = [...Map.groupBy(changes.toReversed(), ({ at }) => formatDay(at))];
  const missed = history.tools.filter(
    ({ state, intervals }) => state === "unconfirmed" && intervals.at(-1)?.missing_since,
  );
  return (
    <>
      <div class="latest-changes">
        <p>
          {changes.length === 0 ? "No changes" : pluralise(changes.length, "change")} in{" "}
          {pluralise(observations, "observation")}, {daysOf(first_scanned_at, last_scanned_at)}.
        </p>
        {missed.length > 0 && <p>Not seen once; rescan to confirm: {missed.map(({ tool }) => tool).join(", ")}</p>}
      </div>
      {days.map(([day, members]) => (
        <Section key={day} title={day}>
          <ul class="change-list">
            {members.map(({ change, tool, tool_id, category, evidence, at }) => (
              <li key={`${change} ${tool_id} ${at}`}>
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

const daysOf = (first: string, last: string): string =>
  formatDay(first) === formatDay(last) ? formatDay(first) : `${formatDay(first)} to ${formatDay(last)}`;
