import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Visit } from "../net/visit.ts";
import type { Scanner } from "../scanners/scanner.ts";
import { type Detection, PHASES, type Phase, type Report } from "../vocabulary/scan.ts";
import type { Signal } from "../vocabulary/signal.ts";
import { gather } from "./gather.ts";
import { createLedger } from "./ledger.ts";
import { excludable } from "./relations.ts";

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
  const ledger = createLedger(catalogue, options.threshold, {
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
