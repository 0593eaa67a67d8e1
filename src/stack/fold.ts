import { type Baseline, type Comparison, checkOf, compare, FULL_CHECK, type KnownTool } from "../detection/compare.ts";
import type { Observation } from "../detection/observation.ts";
import type { Detection } from "../detection/types.ts";

/** A time in which a company used a tool, as far as observations show. Instants are ISO 8601 UTC. */
export interface Interval {
  readonly first_seen: string;
  readonly last_seen: string;
  /** The last observation before it that was able to see the tool and did not; null when there is none. */
  readonly absent_before: string | null;
  /** The first observation after it that was able to see the tool and did not; null while it is in use. */
  readonly missing_since: string | null;
  /** When a further observation confirmed that the tool is gone; null when none did. */
  readonly gone_at: string | null;
}

/**
 * `in_use`: the newest observations that are able to see the tool see it. `unconfirmed`: it was missed once, or it was last
 * seen under other rules, so that its absence says nothing. `gone`: its absence is confirmed.
 */
export const TOOL_STATES = ["in_use", "unconfirmed", "gone"] as const;
export type ToolState = (typeof TOOL_STATES)[number];

export interface ToolHistory {
  readonly tool_id: string;
  readonly tool: string;
  /** Label. */
  readonly category: string;
  readonly state: ToolState;
  /** 0–1, when it was last detected. */
  readonly confidence: number;
  /** Oldest first. */
  readonly intervals: readonly Interval[];
}

/** A tool that appeared or disappeared between two observations that were able to see it. */
export interface HistoryChange {
  readonly change: "appeared" | "disappeared";
  readonly tool_id: string;
  readonly tool: string;
  readonly category: string;
  readonly confidence: number;
  /** The best evidence in one line, when the tool was last detected. */
  readonly evidence: string;
  /** The observation before: of its absence, or of its last detection. */
  readonly previous_at: string;
  /** The observation that shows the change. */
  readonly at: string;
}

export interface FoldedHistory {
  /** By category, then name. */
  readonly tools: readonly ToolHistory[];
  /** Oldest first. */
  readonly changes: readonly HistoryChange[];
  /** Ids of the tools that the company uses now; a tool that was missed once is still in use. */
  readonly current: ReadonlySet<string>;
}

export interface FoldOptions {
  /** Tools without which a tool is not detected. */
  readonly requires: (toolId: string) => readonly string[];
  /** Removes the evidence of rules that the operator reported as false for the company. */
  readonly accepted: (detections: readonly Detection[]) => readonly Detection[];
}

/** An interval that may still grow. */
interface Open {
  first_seen: string;
  last_seen: string;
  absent_before: string | null;
  missing_since: string | null;
}

interface Track {
  detection: Detection;
  open: Open | null;
  readonly closed: Interval[];
  /** Last detected under rules that differ from those of later observations. */
  isForeign: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The history of a company's tools from dated observations, oldest first. It follows the rule of the watches, see `compare`:
 * only a data source that is able to see a tool can say that it is gone, in two observations. Two further rules concern
 * recordings:
 *
 * - Under new rules (another release, other fingerprints) a tool that is not detected again is neither in use nor gone when
 *   its data sources were checked, because the rules may be the reason; when they were not checked, it stays in use.
 * - A tool has appeared only after an observation whose data sources were able to see it.
 */
export function foldObservations(observations: readonly Observation[], options: FoldOptions): FoldedHistory {
  const tracks = new Map<string, Track>();
  const changes: HistoryChange[] = [];
  /** By data source: the newest observation that fully checked it. */
  const checkedAt = new Map<string, string>();
  let baseline = null as Baseline | null;

  for (const { observed_at: at, rules, sources, detections: stored } of observations) {
    const detections = options.accepted(stored);
    const detected = new Set(detections.map(({ id }) => id));
    const checks = new Map(sources.map((source) => [source.source, checkOf(source)]));
    const before: Baseline | null = baseline;
    const step: Comparison = compare(
      before,
      { detections, sources },
      { rules, requires: options.requires, falsePositives: NONE },
    );
    baseline = step.baseline;
    if (before && step.isFirst) {
      const isChecked = (source: string) => checks.get(source) === FULL_CHECK;
      const kept: readonly KnownTool[] = before.tools.filter(
        ({ tool_id, sources: seenBy }) => !detected.has(tool_id) && !seenBy.every(isChecked),
      );
      for (const [id, track] of tracks) if (!detected.has(id)) track.isForeign = true;
      baseline = { ...baseline, tools: [...baseline.tools, ...kept.map((tool) => ({ ...tool, missed: 0 }))] };
    }
    const appeared = new Map(
      step.changes.filter(({ change }) => change === "appeared").map((change) => [change.tool_id, change]),
    );
    for (const detection of detections) {
      const track = tracks.get(detection.id) ?? { detection, open: null, closed: [], isForeign: false };
      tracks.set(detection.id, track);
      track.detection = detection;
      track.isForeign = false;
      if (track.open) {
        track.open.last_seen = at;
        track.open.missing_since = null;
        continue;
      }
      const change = appeared.get(detection.id);
      const absent = change ? newestCheck(detection, checkedAt) : null;
      track.open = { first_seen: at, last_seen: at, absent_before: absent, missing_since: null };
      if (change && absent !== null) {
        const { change: _, ...tool } = change;
        changes.push({ ...tool, change: "appeared", previous_at: absent, at });
      }
    }
    for (const { tool_id, missed } of baseline.tools) {
      const open = tracks.get(tool_id)?.open;
      if (missed > 0 && open) open.missing_since ??= at;
    }
    for (const change of step.changes) {
      const track = tracks.get(change.tool_id);
      if (change.change !== "disappeared" || !track?.open || track.isForeign) continue;
      const missing_since = track.open.missing_since ?? at;
      track.closed.push({ ...track.open, missing_since, gone_at: at });
      changes.push({ ...change, change: "disappeared", previous_at: track.open.last_seen, at: missing_since });
      track.open = null;
    }
    for (const [source, check] of checks) if (check === FULL_CHECK) checkedAt.set(source, at);
  }

  const known = new Map(baseline?.tools.map((tool) => [tool.tool_id, tool]));
  const stateOf = (id: string, { open }: Track): ToolState => {
    if (!open) return "gone";
    return known.get(id)?.missed === 0 ? "in_use" : "unconfirmed";
  };
  return {
    tools: [...tracks]
      .map(([tool_id, track]) => ({
        tool_id,
        tool: track.detection.tool,
        category: track.detection.category,
        state: stateOf(tool_id, track),
        confidence: track.detection.confidence,
        intervals: [...track.closed, ...(track.open ? [{ ...track.open, gone_at: null }] : [])],
      }))
      .sort((a, b) => order(a.category, b.category) || order(a.tool, b.tool) || order(a.tool_id, b.tool_id)),
    changes: changes.sort((a, b) => order(a.at, b.at)),
    current: new Set(known.keys()),
  };
}

/** The newest observation that fully checked a data source that detects the tool; implied tools follow any source. */
function newestCheck({ evidence }: Detection, checkedAt: ReadonlyMap<string, string>): string | null {
  const sources = evidence.filter(({ signal }) => signal !== "implied").map(({ source }) => source);
  const dates = (
    sources.length > 0 ? sources.flatMap((source) => checkedAt.get(source) ?? []) : [...checkedAt.values()]
  ).sort();
  return dates.at(-1) ?? null;
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
