import type { Visit } from "../net/visit.ts";
import { watchVisit } from "../net/watch.ts";
import { type Scanner, Skipped } from "../scanners/scanner.ts";
import type { Phase, SourceOutcome } from "../vocabulary/scan.ts";
import type { Signal } from "../vocabulary/signal.ts";

export interface GatherListener {
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
  const { visit: own, tally } = watchVisit(visit, limit);
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
    await Promise.race([scanner.scan(own, emit), aborted(limit)]);
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

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
