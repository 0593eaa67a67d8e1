import type { Signal, SignalKind } from "../signals.ts";
import type { Phase } from "../types.ts";
import type { Part, Visit } from "../visit/visit.ts";

/**
 * Finds signals of one kind of source. It reports facts and never names a tool.
 *
 * A scanner catches no errors and has no state. The engine runs all scanners concurrently, each with its own time limit
 * and view of the visit, counts unanswered lookups, and records the outcome.
 */
export interface Scanner {
  /** Shown in `sources` and in evidence. */
  readonly id: string;
  readonly phase: Phase;
  /** Every kind that `scan` may emit. */
  readonly emits: readonly SignalKind[];
  readonly timeoutMs: number;
  /** The part of a recording without which the scanner finds nothing. */
  readonly needs?: Part;
  /** Emits signals as it finds them; those before a timeout count. */
  scan(visit: Visit, emit: (signal: Signal) => void): Promise<void>;
}

/** Thrown by a scanner whose data source is disabled. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}
