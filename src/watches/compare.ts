import type { Detection, Evidence, SourceOutcome } from "../detection/types.ts";
import type { ToolChange } from "./types.ts";

/** What is known of a watched domain: what its next scan is compared with. */
export interface Known {
  /** Digest of what judged it: fingerprints, threshold, release. */
  readonly rules: string;
  /** How well each source has looked since the watch began, up to {@link WHOLE_LOOK}. */
  readonly looks: Readonly<Record<string, number>>;
  readonly tools: readonly KnownTool[];
}

export interface KnownTool extends Omit<ToolChange, "change"> {
  /** Sources that told it. */
  readonly sources: readonly string[];
  /** How well these have looked since without seeing it. */
  readonly missed: number;
}

export interface Seen {
  readonly detections: readonly Detection[];
  readonly sources: readonly SourceOutcome[];
}

export interface CompareOptions {
  readonly rules: string;
  /** Tools that the operator said are told wrongly here: that they go is our doing, and that they come back is too. */
  readonly forgotten: ReadonlySet<string>;
  /** Tools that a tool is only told beside. */
  readonly needs: (toolId: string) => readonly string[];
}

export interface Comparison {
  readonly known: Known;
  readonly changes: readonly ToolChange[];
  /** Nothing was compared: the scan is what later ones are compared with. */
  readonly baseline: boolean;
  /** A tool was missed, or a source has looked in part alone: the next look tells more, and should come soon. */
  readonly unsure: boolean;
}

/** Three answers in part count as a whole one. */
const WHOLE_LOOK = 3;
const PART_LOOK = 1;
/** More than one look, however well it looked. */
const GONE = WHOLE_LOOK + PART_LOOK;
const MAX_PROOF = 200;

/**
 * What changed at a company between what is known of it and a new scan.
 *
 * A change has to be the company's, never ours, so it counts only where we looked, before and after:
 *
 * - A tool has *disappeared* when every source that told it answered, and none saw it, in two scans in a row. While one of
 *   them failed, timed out or was skipped, the tool may be there as before, and stays known: so it does behind a page of
 *   maintenance, or one that keeps bots out, since a source that was shown no front of a site has failed. A source of which some look-ups got no answer may have missed the one that matters: it has to say the
 *   same more often.
 * - A tool has *appeared* when a source that tells it had looked before and not seen it. Of a source that answers for the
 *   first time nobody knows since when: its tools become known without a word.
 * - Under other rules (another release, other fingerprints, another threshold) a scan is a new baseline, for who tells
 *   the two scans apart would tell what we learnt as what the company did.
 */
export function compare(before: Known | null, scan: Seen, options: CompareOptions): Comparison {
  const answers = new Map(scan.sources.map((source) => [source.source, lookOf(source)]));
  const looked = (source: string) => answers.get(source) ?? 0;
  const seen = new Map(scan.detections.map((detection) => [detection.id, knownOf(detection, scan, options)]));
  const known = before?.rules === options.rules ? before : null;
  const looks = added(known?.looks ?? {}, answers);
  const learning = Object.entries(looks).some(
    ([source, look]) => look < WHOLE_LOOK && look > (known?.looks[source] ?? 0),
  );
  if (!known) {
    const tools = [...seen.values()];
    return { known: { rules: options.rules, looks, tools }, changes: [], baseline: true, unsure: learning };
  }

  const former = new Map(known.tools.map((tool) => [tool.tool_id, tool]));
  const appeared = [...seen.values()].filter(
    ({ tool_id, sources }) =>
      !former.has(tool_id) && sources.some((source) => (known.looks[source] ?? 0) >= WHOLE_LOOK),
  );
  const unseen = known.tools.filter(({ tool_id }) => !seen.has(tool_id));
  const suppressed = unseen.filter(({ tool_id }) => options.forgotten.has(tool_id));
  const missing = unseen
    .filter(({ tool_id }) => !options.forgotten.has(tool_id))
    .map((tool) => ({ ...tool, missed: tool.missed + Math.min(...tool.sources.map(looked), WHOLE_LOOK) }));
  const disappeared = missing.filter(({ missed }) => missed >= GONE);
  const doubtful = missing.filter(({ missed }) => missed < GONE);
  const still = [...seen.values()].map((tool) => {
    // A source that could not look this time may tell it as well as before.
    const silent = former.get(tool.tool_id)?.sources.filter((source) => looked(source) < WHOLE_LOOK) ?? [];
    return { ...tool, sources: [...new Set([...tool.sources, ...silent])] };
  });
  return {
    known: {
      rules: options.rules,
      looks,
      tools: [...still, ...doubtful, ...suppressed],
    },
    changes: [
      ...appeared.map((tool) => changeOf("appeared", tool)),
      ...disappeared.map((tool) => changeOf("disappeared", tool)),
    ],
    baseline: false,
    unsure: learning || doubtful.some(({ tool_id, missed }) => missed > (former.get(tool_id)?.missed ?? 0)),
  };
}

/** A sentence beside an `ok` says that some look-ups got no answer. */
function lookOf({ status, detail }: SourceOutcome): number {
  if (status !== "ok" && status !== "empty") return 0;
  return detail === null ? WHOLE_LOOK : PART_LOOK;
}

function added(looks: Readonly<Record<string, number>>, answers: ReadonlyMap<string, number>): Record<string, number> {
  const all = { ...looks };
  for (const [source, look] of answers) all[source] = Math.min(WHOLE_LOOK, (all[source] ?? 0) + look);
  return all;
}

function knownOf(detection: Detection, scan: Seen, { needs }: CompareOptions): KnownTool {
  const { id, tool, category, confidence, evidence } = detection;
  const byId = new Map(scan.detections.map((one) => [one.id, one]));
  const sources = [...sourcesOf(detection, byId, needs, new Set())];
  return { tool_id: id, tool, category, confidence, evidence: proofOf(evidence[0]), sources, missed: 0 };
}

/** Of an implied tool the sources of what implies it, and of one that stands beside others theirs too. */
function sourcesOf(
  detection: Detection,
  told: ReadonlyMap<string, Detection>,
  needs: CompareOptions["needs"],
  passed: Set<string>,
): Set<string> {
  if (passed.has(detection.id)) return new Set();
  passed.add(detection.id);
  const own = detection.evidence.filter(({ signal }) => signal !== "implied").map(({ source }) => source);
  const implying = detection.evidence.filter(({ signal }) => signal === "implied").map(({ rule }) => rule);
  const others = [...implying.map((rule) => rule.slice(0, rule.indexOf("/"))), ...needs(detection.id)];
  const inherited = others.flatMap((id) => {
    const other = told.get(id);
    return other ? [...sourcesOf(other, told, needs, passed)] : [];
  });
  return new Set([...own, ...inherited]);
}

const proofOf = (evidence: Evidence | undefined): string =>
  evidence ? `${evidence.signal} ${evidence.value}`.slice(0, MAX_PROOF) : "";

const changeOf = (change: ToolChange["change"], tool: KnownTool): ToolChange => ({
  change,
  tool_id: tool.tool_id,
  tool: tool.tool,
  category: tool.category,
  confidence: tool.confidence,
  evidence: tool.evidence,
});
