import { raceAbort } from "../core/async.ts";
import { createEvidenceStore, excludable } from "./evidence.ts";
import type { Catalogue } from "./fingerprints/catalogue.ts";
import { type Scanner, Skipped } from "./scanners/scanner.ts";
import type { Signal } from "./signals.ts";
import { type Detection, PHASES, type Phase, type Report, type SourceOutcome } from "./types.ts";
import { observeVisit, type Visit } from "./visit/visit.ts";

interface GatherListener {
  signal(source: string, signal: Signal): void;
  ended(outcome: SourceOutcome, phase: Phase): void;
  /** A scanner threw what no scanner should: the scan goes on, and the bug must be heard of. */
  bug(source: string, error: unknown): void;
}

/** A scanner that floods us is stopped from filling memory; real companies stay far below. */
const MAX_SIGNALS = 20_000;

/**
 * Runs all scanners at once, each with its own limit and its own view of the visit, and says how each fared.
 *
 * @param deadline aborted when the whole scan is over; what has not ended then is a `timeout`
 * @returns one outcome a scanner, in the scanners' order; never rejects
 */
export function gather(
  visit: Visit,
  scanners: readonly Scanner[],
  deadline: AbortSignal,
  listener: GatherListener,
): Promise<SourceOutcome[]> {
  return Promise.all(
    scanners.map(async (scanner) => {
      const outcome = await run(scanner, visit, deadline, listener);
      listener.ended(outcome, scanner.phase);
      return outcome;
    }),
  );
}

async function run(
  scanner: Scanner,
  visit: Visit,
  deadline: AbortSignal,
  listener: GatherListener,
): Promise<SourceOutcome> {
  const began = performance.now();
  const limit = AbortSignal.any([deadline, AbortSignal.timeout(scanner.timeoutMs)]);
  const { visit: own, tally } = observeVisit(visit, limit);
  let signals = 0;
  let open = true;
  const emit = (signal: Signal) => {
    // What a scanner still emits after its limit would change a result that was already told.
    if (!open || signals >= MAX_SIGNALS) return;
    signals += 1;
    listener.signal(scanner.id, signal);
  };
  const outcome = (status: SourceOutcome["status"], detail: string | null): SourceOutcome => ({
    source: scanner.id,
    status,
    duration_ms: Math.round(performance.now() - began),
    detail,
  });
  try {
    await raceAbort(scanner.scan(own, emit), limit);
    const unanswered = tally.failed + tally.timeouts + tally.refused + tally.withheld;
    // The head of an error page tells something, and nothing of what is behind it.
    const shut = tally.withheld > 0 && tally.shown === 0;
    if (signals === 0 && tally.asked > 0 && tally.unrecorded === tally.asked)
      return outcome("skipped", "The recording holds nothing of this.");
    const partly = unanswered > 0 ? `${unanswered} of ${tally.asked} look-ups got no answer.` : null;
    if (shut)
      return outcome("failed", `The site showed no page: ${unanswered} of ${tally.asked} look-ups were in vain.`);
    if (signals > 0) return outcome("ok", partly);
    if (unanswered === 0) return outcome("empty", null);
    return outcome(tally.timeouts > 0 ? "timeout" : "failed", partly);
  } catch (error) {
    if (error instanceof Skipped) return outcome("skipped", error.message);
    if (limit.aborted) return outcome("timeout", `Stopped at its limit; ${signals} signals were seen until then.`);
    listener.bug(scanner.id, error);
    return outcome("failed", "The scanner broke on what it met.");
  } finally {
    open = false;
  }
}

/** Told while a scan runs. `phase` is the earliest one that has not ended, or the one that just did. */
export interface Progress {
  readonly phase: Phase;
  readonly detections: readonly Detection[];
}

export interface DetectOptions {
  /** 0.46–1. */
  readonly threshold?: number;
  /** Milliseconds for the whole scan. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProgress?: (progress: Progress) => void;
  readonly onBug?: (source: string, error: unknown) => void;
  /** `TOOL-ID/RULE-ID` of what must not tell its tool of this company. */
  readonly suppressed?: ReadonlySet<string>;
  /** Told of each signal whether a rule knew it. */
  readonly onSignal?: (signal: Signal, isKnown: boolean) => void;
}

/** How long tools found inside a phase wait for company before they are told. */
const PROGRESS_MS = 250;
/** Something is told by then, be it that nothing was found yet. */
const FIRST_WORD_MS = 1_500;

/**
 * Gathers signals, matches them and merges the claims: one scan of one company.
 *
 * Phases are told in their fixed order: one that ends before its turn is told when those before it have ended, while
 * its tools are told at once.
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
  const began = performance.now();
  const scannedAt = new Date(options.now()).toISOString();
  const { suppressed, onSignal } = options;
  const ledger = createEvidenceStore(catalogue, options.threshold, {
    ...(suppressed ? { suppressed } : {}),
    ...(onSignal ? { onSignal } : {}),
  });
  const held = excludable(catalogue);
  const phases = createPhases(scanners);
  const tell = (phase: Phase) => options.onProgress?.({ phase, detections: ledger.detections(held) });

  let changed = false;
  let spoken = false;
  const ticker = setInterval(() => {
    const phase = phases.current();
    if (!phase || !(changed || (!spoken && performance.now() - began >= FIRST_WORD_MS))) return;
    changed = false;
    spoken = true;
    tell(phase);
  }, PROGRESS_MS);

  try {
    const deadline = AbortSignal.any([visit.signal, AbortSignal.timeout(options.deadlineMs)]);
    const sources = await gather(visit, scanners, deadline, {
      signal: (source, signal) => {
        changed = ledger.add(source, signal) || changed;
      },
      ended: (_, phase) => {
        for (const over of phases.end(phase)) {
          spoken = true;
          changed = false;
          tell(over);
        }
      },
      bug: (source, error) => options.onBug?.(source, error),
    });
    visit.signal.throwIfAborted();
    return {
      domain: visit.domain.name,
      detections: ledger.detections(),
      sources,
      scanned_at: scannedAt,
      duration_ms: Math.round(performance.now() - began),
    };
  } finally {
    clearInterval(ticker);
  }
}

/** Keeps count of what runs in each phase; `end` answers which phases may now be told as ended, in order. */
function createPhases(scanners: readonly Scanner[]) {
  const running = new Map<Phase, number>(PHASES.map((phase) => [phase, 0]));
  for (const { phase } of scanners) running.set(phase, (running.get(phase) ?? 0) + 1);
  const waiting: Phase[] = [...PHASES];
  return {
    current: (): Phase | undefined => waiting[0],
    end(phase: Phase): Phase[] {
      running.set(phase, (running.get(phase) ?? 0) - 1);
      const over: Phase[] = [];
      for (let next = waiting[0]; next !== undefined && (running.get(next) ?? 0) <= 0; next = waiting[0]) {
        over.push(next);
        waiting.shift();
      }
      return over;
    },
  };
}
