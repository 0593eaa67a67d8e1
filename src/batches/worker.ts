import { Failure, type FailureCode } from "../core/errors.ts";
import type { DetectionService } from "../detection/service.ts";
import type { Handler } from "../jobs/runner.ts";
import type { BatchRepository, StoredBatch } from "./repository.ts";

export interface ScanItemOptions {
  readonly batches: Pick<BatchRepository, "recordResult" | "recordFailure" | "recordRetry">;
  /** Undefined when the batch does not run: it was paused, cancelled or deleted. */
  readonly findRunning: (id: string) => Promise<StoredBatch | undefined>;
  readonly enrich: DetectionService["enrich"];
  /** Ends the batch if this was its last item. */
  readonly onRecorded: (batch: StoredBatch) => Promise<void>;
}

/** The next attempt may succeed: the name server did not answer, which says nothing about the domain. */
const TRANSIENT: ReadonlySet<FailureCode> = new Set(["dns.unreachable", "store.unusable"]);
const BUSY_SECONDS = 5;

/** Handles a due item: scans its domain, and records the result, the failure, or when it is tried again. */
export const scanItem =
  ({ batches, findRunning, enrich, onRecorded }: ScanItemOptions): Handler =>
  async ({ id, payload, attempts }, signal) => {
    const batch = await findRunning(String(payload.batch));
    // Its turn comes when the batch is resumed.
    if (!batch) return { againInSeconds: 0 };
    const { max_age_seconds, only, min_confidence, retry_seconds } = batch.options;
    try {
      const result = await enrich(String(payload.domain), {
        maxAgeSeconds: max_age_seconds === null ? Number.POSITIVE_INFINITY : max_age_seconds,
        only,
        minConfidence: min_confidence,
        acceptStale: false,
        background: true,
        signal,
      });
      await batches.recordResult(id, result);
    } catch (error) {
      if (!(error instanceof Failure) || error.code === "service.draining") throw error;
      const { code, message, details } = error;
      // The service is busy, which is no attempt.
      if (code === "service.overloaded") return { againInSeconds: details.retryAfterSeconds ?? BUSY_SECONDS };
      const waitSeconds = TRANSIENT.has(code) ? retry_seconds[attempts - 1] : undefined;
      if (waitSeconds !== undefined) {
        await batches.recordRetry(id, code, message, waitSeconds);
        return undefined;
      }
      await batches.recordFailure(id, code, message);
    }
    await onRecorded(batch);
    return undefined;
  };
