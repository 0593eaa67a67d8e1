import type { Detection, Evidence, SourceOutcome } from "./types.ts";

export const CHANGE_KINDS = ["appeared", "disappeared"] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A tool that appeared at a domain or disappeared. */
export interface ToolChange {
  readonly change: ChangeKind;
  readonly tool_id: string;
  readonly tool: string;
  /** Category label. */
  readonly category: string;
  /** 0–1, when the tool was last detected. */
  readonly confidence: number;
  /** The best evidence in one line, when the tool was last detected. */
  readonly evidence: string;
}

/** What the next scan of a domain is compared with. */
export interface Baseline {
  /** Digest of everything that decides which tools a scan detects: fingerprints, minimum confidence, release. */
  readonly rules: string;
  /** How well each data source was checked in the scans that were compared, up to {@link FULL_CHECK}. */
  readonly coverage: Readonly<Record<string, number>>;
  readonly tools: readonly KnownTool[];
}

export interface KnownTool extends Omit<ToolChange, "change"> {
  /** Data sources that detected the tool. */
  readonly sources: readonly string[];
  /** How well these were checked since without detecting it. */
  readonly missed: number;
}

export interface ScanResult {
  readonly detections: readonly Detection[];
  readonly sources: readonly SourceOutcome[];
}

export interface CompareOptions {
  readonly rules: string;
  /** Tools reported as false positives at this domain: neither their disappearance nor their return is a change. */
  readonly falsePositives: ReadonlySet<string>;
  /** Tools without which a tool is not detected. */
  readonly requires: (toolId: string) => readonly string[];
}

export interface Comparison {
  readonly baseline: Baseline;
  readonly changes: readonly ToolChange[];
  /** Nothing was compared: the scan is a new baseline. */
  readonly isFirst: boolean;
  /** A tool was missed, or a data source was checked only in part: rescan soon. */
  readonly needsVerification: boolean;
}

/** Three partial checks of a data source count as a full one. */
export const FULL_CHECK = 3;
const PARTIAL_CHECK = 1;
/** Checks after which an undetected tool has disappeared: one scan, even a complete one, is not enough. */
const DISAPPEARED = FULL_CHECK + PARTIAL_CHECK;
const MAX_EVIDENCE_LENGTH = 200;

/**
 * The changes at a domain between its baseline and a new scan.
 *
 * A change must be the company's and not an effect of the scan, so it counts only when the data sources were checked
 * before and now:
 *
 * - A tool has *disappeared* when every data source that detected it was checked and none found it, in two scans in a
 *   row. While one of them fails, times out or is skipped, the tool stays in the baseline. A data source that received a
 *   maintenance page or a bot wall instead of the home page has failed. After partial checks, which may have missed the
 *   signal, more scans are required.
 * - A tool has *appeared* when a data source that detects it was fully checked before without detecting it. The tools
 *   of a data source that was never checked before may have been in use for long, so they join the baseline without a
 *   change.
 * - Under other rules (another release, other fingerprints, another minimum confidence) the scan is a new baseline, because
 *   a comparison would report improvements of Casefile as changes at the company.
 */
export function compare(before: Baseline | null, scan: ScanResult, options: CompareOptions): Comparison {
  const checks = new Map(scan.sources.map((source) => [source.source, checkOf(source)]));
  const checked = (source: string) => checks.get(source) ?? 0;
  const detected = new Map(scan.detections.map((detection) => [detection.id, toKnownTool(detection, scan, options)]));
  const previous = before?.rules === options.rules ? before : null;
  const coverage = addCoverage(previous?.coverage ?? {}, checks);
  const isIncomplete = Object.entries(coverage).some(
    ([source, check]) => check < FULL_CHECK && check > (previous?.coverage[source] ?? 0),
  );
  if (!previous) {
    const baseline = { rules: options.rules, coverage, tools: [...detected.values()] };
    return { baseline, changes: [], isFirst: true, needsVerification: isIncomplete };
  }

  const known = new Map(previous.tools.map((tool) => [tool.tool_id, tool]));
  const appeared = [...detected.values()].filter(
    ({ tool_id, sources }) =>
      !known.has(tool_id) && sources.some((source) => (previous.coverage[source] ?? 0) >= FULL_CHECK),
  );
  const undetected = previous.tools.filter(({ tool_id }) => !detected.has(tool_id));
  const suppressed = undetected.filter(({ tool_id }) => options.falsePositives.has(tool_id));
  const missing = undetected
    .filter(({ tool_id }) => !options.falsePositives.has(tool_id))
    .map((tool) => ({ ...tool, missed: tool.missed + Math.min(...tool.sources.map(checked), FULL_CHECK) }));
  const disappeared = missing.filter(({ missed }) => missed >= DISAPPEARED);
  const uncertain = missing.filter(({ missed }) => missed < DISAPPEARED);
  const present = [...detected.values()].map((tool) => {
    // A data source that could not be checked now may still detect the tool.
    const unchecked = known.get(tool.tool_id)?.sources.filter((source) => checked(source) < FULL_CHECK) ?? [];
    return { ...tool, sources: [...new Set([...tool.sources, ...unchecked])] };
  });
  return {
    baseline: { rules: options.rules, coverage, tools: [...present, ...uncertain, ...suppressed] },
    changes: [
      ...appeared.map((tool) => toChange("appeared", tool)),
      ...disappeared.map((tool) => toChange("disappeared", tool)),
    ],
    isFirst: false,
    needsVerification:
      isIncomplete || uncertain.some(({ tool_id, missed }) => missed > (known.get(tool_id)?.missed ?? 0)),
  };
}

/** How well a data source was checked. A detail on an `ok` or `empty` one says that some of its requests failed. */
export function checkOf({ status, detail }: SourceOutcome): number {
  if (status !== "ok" && status !== "empty") return 0;
  return detail === null ? FULL_CHECK : PARTIAL_CHECK;
}

/** Whether a data source was checked so well that what it did not see was not there to be seen. */
export const isFullCheck = (outcome: SourceOutcome): boolean => checkOf(outcome) === FULL_CHECK;

function addCoverage(
  coverage: Readonly<Record<string, number>>,
  checks: ReadonlyMap<string, number>,
): Record<string, number> {
  const sum = { ...coverage };
  for (const [source, check] of checks) sum[source] = Math.min(FULL_CHECK, (sum[source] ?? 0) + check);
  return sum;
}

function toKnownTool(detection: Detection, scan: ScanResult, { requires }: CompareOptions): KnownTool {
  const { id, tool, category, confidence, evidence } = detection;
  const byId = new Map(scan.detections.map((each) => [each.id, each]));
  const sources = [...sourcesOf(detection, byId, requires, new Set())];
  return { tool_id: id, tool, category, confidence, evidence: formatEvidence(evidence[0]), sources, missed: 0 };
}

/** The data sources of a tool, including those of the tools that imply it and of the tools that it requires. */
function sourcesOf(
  detection: Detection,
  detections: ReadonlyMap<string, Detection>,
  requires: CompareOptions["requires"],
  visited: Set<string>,
): Set<string> {
  if (visited.has(detection.id)) return new Set();
  visited.add(detection.id);
  const direct = detection.evidence.filter(({ signal }) => signal !== "implied").map(({ source }) => source);
  const implying = detection.evidence.filter(({ signal }) => signal === "implied").map(({ rule }) => rule);
  const related = [...implying.map((rule) => rule.slice(0, rule.indexOf("/"))), ...requires(detection.id)];
  const inherited = related.flatMap((id) => {
    const other = detections.get(id);
    return other ? [...sourcesOf(other, detections, requires, visited)] : [];
  });
  return new Set([...direct, ...inherited]);
}

const formatEvidence = (evidence: Evidence | undefined): string =>
  evidence ? `${evidence.signal} ${evidence.value}`.slice(0, MAX_EVIDENCE_LENGTH) : "";

const toChange = (change: ToolChange["change"], { sources: _, missed: __, ...tool }: KnownTool): ToolChange => ({
  change,
  ...tool,
});
