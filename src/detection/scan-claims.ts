import { sleep } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import type { SharedClaims } from "../db/shared-state.ts";

/** Scans of all nodes: of each domain one node at a time runs one. */
export interface ScanClaims {
  /**
   * Runs `scan` unless another node runs the same one; then waits until that has ended and returns its stored result,
   * or runs `scan` when there is none: it failed, or its node was killed.
   *
   * @param scan is given a function that forwards what was found so far to the nodes that wait
   * @param onForwarded receives what another node forwards; each event replaces the one before
   * @param newest the id of the newest stored scan; 0 without one
   * @param stored the result of a scan with a higher id
   * @throws Failure `service.overloaded` when the other scan has ended without a result after `maxWaitMs`
   */
  run<Result, Event>(
    key: string,
    signal: AbortSignal,
    parts: {
      readonly newest: () => Promise<number>;
      readonly stored: (after: number) => Promise<Result | undefined>;
      readonly scan: (forward: (event: Event) => void) => Promise<Result>;
      readonly onForwarded: (event: Event) => void;
      readonly maxWaitMs: number;
    },
  ): Promise<Result>;
}

/** A node that was killed keeps others waiting this long. */
const LEASE_SECONDS = 6;
const RENEW_MS = 2_000;
const POLL_MS = 200;

export function createScanClaims(
  claims: SharedClaims,
  node: { readonly id: string },
  onError: (error: unknown) => void,
): ScanClaims {
  /** Writes the latest event when another node waits, one at a time. */
  const forwarding = <Event>(key: string, lease: string) => {
    let latest: Event | undefined;
    let writing: Promise<void> | undefined;
    const write = async (): Promise<void> => {
      while (latest !== undefined && (await claims.isWatched(key, lease))) {
        const text = JSON.stringify(latest);
        latest = undefined;
        await claims.publish(key, lease, text);
      }
    };
    const wake = (): void => {
      writing ??= write()
        .catch(onError)
        .finally(() => {
          writing = undefined;
        });
    };
    return {
      forward(event: Event): void {
        latest = event;
        wake();
      },
      /** A node may wait since the last event. */
      wake,
      written: () => writing,
    };
  };

  const runClaimed = async <Result, Event>(
    key: string,
    lease: string,
    scan: (forward: (event: Event) => void) => Promise<Result>,
  ): Promise<Result> => {
    let renewing: Promise<unknown> = Promise.resolve();
    const progress = forwarding<Event>(key, lease);
    const timer = setInterval(() => {
      renewing = claims.renew(key, lease, LEASE_SECONDS).catch(onError);
      progress.wake();
    }, RENEW_MS);
    try {
      return await scan(progress.forward);
    } finally {
      clearInterval(timer);
      await renewing;
      await progress.written();
      // A claim that is not released expires.
      await claims.release(key, lease).catch(onError);
    }
  };

  return {
    async run(key, signal, { newest, stored, scan, onForwarded, maxWaitMs }) {
      const lease = `${node.id}:${crypto.randomUUID()}`;
      const startedAt = performance.now();
      const before = await newest();
      let seen = 0;
      while (!(await claims.claim(key, lease, LEASE_SECONDS))) {
        await sleep(POLL_MS, signal);
        const found = await stored(before);
        if (found !== undefined) return found;
        const progress = await claims.watch(key, seen);
        if (progress === undefined) continue;
        seen = progress.event;
        onForwarded(JSON.parse(progress.text));
      }
      return await runClaimed(key, lease, async (forward) => {
        // Another node's scan may have ended between the two questions.
        const found = await stored(before);
        if (found !== undefined) return found;
        if (performance.now() - startedAt < maxWaitMs) return await scan(forward);
        throw new Failure("service.overloaded", "The scan of this domain ended without a result; try again.", {
          retryAfterSeconds: 1,
        });
      });
    },
  };
}
