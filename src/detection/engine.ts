import { raceAbort } from "../core/async.ts";
import { createEvidenceStore, excludableTools } from "./evidence.ts";
import type { Catalogue } from "./fingerprints/catalogue.ts";
import { createRawSignalCollector } from "./raw-signals.ts";
import { type Scanner, Skipped } from "./scanners/scanner.ts";
import type { Signal } from "./signals.ts";
import { createThirdPartyCollector } from "./third-parties/collector.ts";
import { type Detection, PHASES, type Phase, type Report, type SourceOutcome } from "./types.ts";
import { observeVisit, type Visit } from "./visit/visit.ts";

interface ScannerListener {
  onSignal(source: string, signal: Signal): void;
  onFinished(outcome: SourceOutcome, phase: Phase): void;
  /** A scanner threw. The scan continues. */
  onBug(source: string, error: unknown): void;
}

/** Limit per scanner, so that a hostile site cannot fill the memory; real companies stay far below. */
const MAX_SIGNALS = 20_000;

/**
 * Runs all scanners concurrently, each with its own view of the visit and, unless that is a recording, its own time limit.
 *
 * @param deadline aborted at the end of the scan; scanners still running then are a `timeout`
 * @returns one outcome per scanner, in the order of the scanners; never rejects
 */
export function runScanners(
  visit: Visit,
  scanners: readonly Scanner[],
  deadline: AbortSignal,
  listener: ScannerListener,
): Promise<SourceOutcome[]> {
  return Promise.all(
    scanners.map(async (scanner) => {
      const outcome = await runScanner(scanner, visit, deadline, listener);
      listener.onFinished(outcome, scanner.phase);
      return outcome;
    }),
  );
}

async function runScanner(
  scanner: Scanner,
  visit: Visit,
  deadline: AbortSignal,
  listener: ScannerListener,
): Promise<SourceOutcome> {
  if (scanner.needs && visit.known.lacks.includes(scanner.needs))
    return { source: scanner.id, status: "skipped", duration_ms: 0, detail: NO_DATA };
  const startedAt = performance.now();
  // A recording gives the same report on a busy machine: its scanners have the time of the whole scan.
  const limit = visit.known.isRecorded ? deadline : AbortSignal.any([deadline, AbortSignal.timeout(scanner.timeoutMs)]);
  const { visit: observed, counts, observedAt } = observeVisit(visit, limit);
  let signals = 0;
  let finished = false;
  const emit = (signal: Signal) => {
    // Signals after the limit would change a result that was already reported.
    if (finished || signals >= MAX_SIGNALS) return;
    signals += 1;
    listener.onSignal(scanner.id, signal);
  };
  const outcome = (status: SourceOutcome["status"], detail: string | null): SourceOutcome => ({
    source: scanner.id,
    status,
    duration_ms: Math.round(performance.now() - startedAt),
    detail,
    ...datedOf(observedAt()),
  });
  try {
    await raceAbort(scanner.scan(observed, emit), limit);
    // A company with a home page need not have both names, or a page at each vendor.
    const absent = counts.shown > 0 ? 0 : counts.absent;
    const unanswered = counts.failed + counts.timeouts + counts.refused + counts.withheld + absent;
    if (signals === 0 && counts.asked > 0 && counts.unrecorded === counts.asked) return outcome("skipped", NO_DATA);
    // The headers of an error page are signals, but say nothing about the page that was withheld.
    if (counts.withheld > 0 && counts.shown === 0)
      return outcome("failed", `The site served no page: ${unanswered} of ${counts.asked} lookups failed.`);
    const notes = [
      ...(counts.overHttp.size > 0 ? [`Read over HTTP because HTTPS failed for ${listed(counts.overHttp)}.`] : []),
      ...(unanswered > 0 ? [`${unanswered} of ${counts.asked} lookups got no answer.`] : []),
      ...(counts.browserFault === undefined ? [] : [sentence(counts.browserFault)]),
      ...(counts.disallowed > 0 ? [`${counts.disallowed} of ${counts.asked} lookups skipped: ${ROBOTS}.`] : []),
    ];
    const detail = notes.length > 0 ? notes.join(" ") : null;
    if (signals > 0) return outcome("ok", detail);
    // A source that was not allowed to look everywhere must not say that a tool is gone.
    if (unanswered === 0) return outcome(counts.disallowed > 0 ? "skipped" : "empty", detail);
    return outcome(counts.timeouts > 0 ? "timeout" : "failed", detail);
  } catch (error) {
    if (error instanceof Skipped) return outcome("skipped", error.message);
    if (limit.aborted) return outcome("timeout", `Stopped at its time limit after ${signals} signals.`);
    listener.onBug(scanner.id, error);
    return outcome("failed", "The data source failed on unexpected input.");
  } finally {
    finished = true;
  }
}

const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1).replace(/\.$/, "")}.`;

const listed = (hosts: ReadonlySet<string>): string => [...hosts].sort().join(" and ");

const ROBOTS = "robots.txt forbids them or cannot be read (scan.robots)";
const NO_DATA = "The recording has no data for this data source.";

const datedOf = (observed_at: string | undefined) => (observed_at === undefined ? {} : { observed_at });

/** Reported while a scan runs, with the same lists while they do not change. `phase` is the earliest unfinished one, or the one that just finished. */
export interface Progress {
  readonly phase: Phase;
  readonly detections: readonly Detection[];
  /** Below the minimum confidence. */
  readonly possible: readonly Detection[];
}

export interface DetectOptions {
  /** 0.46–1. */
  readonly minConfidence?: number;
  /** Milliseconds for the whole scan. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Resolves when somebody reads the progress, by default at once. Before, it is reported every two seconds: to compute it
   * costs a tenth of a scan.
   */
  readonly watched?: Promise<void> | undefined;
  readonly onBug?: (source: string, error: unknown) => void;
  /** Receives the outcome of each scanner when it finished. */
  readonly onOutcome?: ((outcome: SourceOutcome) => void) | undefined;
  /** `TOOL-ID/RULE-ID` of rules that must not match for this company. */
  readonly suppressed?: ReadonlySet<string>;
  /** Receives each signal, and whether a rule matched it. */
  readonly onSignal?: (signal: Signal, isMatched: boolean) => void;
}

/** Detections within a phase are reported at most this often. */
const PROGRESS_MS = 250;
/** The first progress is reported by then, even without detections. */
const FIRST_PROGRESS_MS = 1_500;
const UNWATCHED_PROGRESS_MS = 2_000;

/**
 * One scan of one company: runs the scanners, matches their signals, and merges the evidence.
 *
 * Phases finish in their fixed order for the listener: one that ends early is reported after those before it, while its
 * detections are reported at once.
 *
 * @returns the report, after `deadlineMs` at the latest, whatever hangs
 * @throws the visit's abort reason when the visit is aborted before the scan ends
 */
export async function detect(
  visit: Visit,
  scanners: readonly Scanner[],
  catalogue: Catalogue,
  options: DetectOptions,
): Promise<Report> {
  const startedAt = performance.now();
  const scannedAt = new Date(options.now()).toISOString();
  const thirdParties = createThirdPartyCollector(visit.domain);
  const rawSignals = createRawSignalCollector(visit.domain);
  const evidence = createEvidenceStore(catalogue, options.minConfidence, {
    ...(options.suppressed && { suppressed: options.suppressed }),
    onSignal(signal, isMatched) {
      thirdParties.add(signal, isMatched);
      rawSignals.add(signal);
      options.onSignal?.(signal, isMatched);
    },
  });
  // Only progress needs them.
  const excludable = options.onProgress ? excludableTools(catalogue) : new Set<string>();
  const phases = createPhases(scanners);

  let changed = false;
  let latest: Omit<Progress, "phase"> | undefined;
  let reportedAt = startedAt;
  const report = (phase: Phase) => {
    if (!options.onProgress) return;
    if (changed || !latest)
      latest = { detections: evidence.detections(excludable), possible: evidence.possible(excludable) };
    changed = false;
    reportedAt = performance.now();
    options.onProgress({ phase, ...latest });
  };
  let reportedPhases = 0;
  /** Phases are reported in their order: the current one comes after all that have ended. */
  const reportFinished = () => {
    for (const finished of phases.finished().slice(reportedPhases)) {
      reportedPhases += 1;
      report(finished);
    }
  };
  let isOver = false;
  let isWatched = options.watched === undefined;
  options.watched?.then(() => {
    if (isOver) return;
    isWatched = true;
    reportFinished();
  });
  const ticker = setInterval(() => {
    const phase = phases.current();
    const isDue = changed || (!latest && performance.now() - startedAt >= FIRST_PROGRESS_MS);
    const isRead = isWatched || performance.now() - reportedAt >= UNWATCHED_PROGRESS_MS;
    if (!phase || !isDue || !isRead) return;
    reportFinished();
    report(phase);
  }, PROGRESS_MS);

  try {
    const deadline = AbortSignal.any([visit.signal, AbortSignal.timeout(options.deadlineMs)]);
    const sources = await runScanners(visit, scanners, deadline, {
      onSignal(source, signal) {
        changed = evidence.add(source, signal) || changed;
      },
      onFinished(outcome, phase) {
        options.onOutcome?.(outcome);
        phases.finish(phase);
        if (isWatched) reportFinished();
      },
      onBug: (source, error) => options.onBug?.(source, error),
    });
    visit.signal.throwIfAborted();
    return {
      domain: visit.domain.name,
      detections: evidence.detections(),
      possible: evidence.possible(),
      third_parties: thirdParties.list(),
      raw_signals: rawSignals.list(),
      sources,
      scanned_at: scannedAt,
      duration_ms: Math.round(performance.now() - startedAt),
    };
  } finally {
    isOver = true;
    clearInterval(ticker);
  }
}

/** Counts the running scanners per phase. `finished` returns the phases that may be reported as finished, in order. */
function createPhases(scanners: readonly Scanner[]) {
  const running = new Map<Phase, number>(PHASES.map((phase) => [phase, 0]));
  for (const { phase } of scanners) running.set(phase, (running.get(phase) ?? 0) + 1);
  const waiting: Phase[] = [...PHASES];
  return {
    current: (): Phase | undefined => waiting[0],
    finished: (): readonly Phase[] => PHASES.filter((phase) => !waiting.includes(phase)),
    finish(phase: Phase): void {
      running.set(phase, (running.get(phase) ?? 0) - 1);
      const unfinished = waiting.findIndex((next) => (running.get(next) ?? 0) > 0);
      waiting.splice(0, unfinished < 0 ? waiting.length : unfinished);
    },
  };
}
