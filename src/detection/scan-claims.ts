import { sleep } from "../core/async.ts";
import { Failure } from "../core/errors.ts";
import type { SharedClaims } from "../db/shared-state.ts";

/** Scans of all nodes: of each domain one node at a time runs one. */
export interface ScanClaims {
  /**
   * Runs `scan` unless another node runs the same one; then waits until that has ended and returns its stored result,
   * or runs `scan` when there is none: it failed, or its node was killed.
   *
   * @param newest the id of the newest stored scan; 0 without one
   * @param stored the result of a scan with a higher id
   * @throws Failure `service.overloaded` when the other scan has ended without a result after `maxWaitMs`
   */
  run<Result>(
    key: string,
    signal: AbortSignal,
    parts: {
      readonly newest: () => Promise<number>;
      readonly stored: (after: number) => Promise<Result | undefined>;
      readonly scan: () => Promise<Result>;
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
  const runClaimed = async <Result>(key: string, lease: string, scan: () => Promise<Result>): Promise<Result> => {
    let renewing: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      renewing = claims.renew(key, lease, LEASE_SECONDS).catch(onError);
    }, RENEW_MS);
    try {
      return await scan();
    } finally {
      clearInterval(timer);
      await renewing;
      // A claim that is not released expires.
      await claims.release(key, lease).catch(onError);
    }
  };

  return {
    async run(key, signal, { newest, stored, scan, maxWaitMs }) {
      const lease = `${node.id}:${crypto.randomUUID()}`;
      const startedAt = performance.now();
      const before = await newest();
      while (!(await claims.claim(key, lease, LEASE_SECONDS))) {
        await sleep(POLL_MS, signal);
        const found = await stored(before);
        if (found !== undefined) return found;
      }
      return await runClaimed(key, lease, async () => {
        // Another node's scan may have ended between the two questions.
        const found = await stored(before);
        if (found !== undefined) return found;
        if (performance.now() - startedAt < maxWaitMs) return await scan();
        throw new Failure("service.overloaded", "The scan of this domain ended without a result; try again.", {
          retryAfterSeconds: 1,
        });
      });
    },
  };
}
