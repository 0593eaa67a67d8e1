import type { Signal, SignalKind } from "../signals.ts";
import type { Phase } from "../types.ts";
import type { Visit } from "../visit/visit.ts";

/**
 * One way of looking at a company. Reports facts and never names a tool.
 *
 * A scanner has no `try` and no state. `gather` runs all at once, gives each its own limit and its own view of the
 * visit, and records how it fared: it counts the look-ups that went unanswered, so a scanner need not.
 */
export interface Scanner {
  /** The file's name; shown in `sources` and in evidence. */
  readonly id: string;
  readonly phase: Phase;
  /** Every kind that `scan` may emit. */
  readonly emits: readonly SignalKind[];
  readonly timeoutMs: number;
  /** Emits signals as it sees them; what was emitted before a time-out counts. */
  scan(visit: Visit, emit: (signal: Signal) => void): Promise<void>;
}

/** Thrown by a scanner that did not look, because its source is switched off or the recording has nothing for it. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}
