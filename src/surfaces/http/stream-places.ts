import { Failure } from "../../vocabulary/failure.ts";
import type { Metrics } from "./metrics.ts";

/** Bounds how many event streams are open at once. */
export interface StreamPlaces {
  /** @throws Failure `service.overloaded` when all are taken */
  take(): { leave(): void };
}

export function createStreamPlaces(limit: number, metrics: Metrics): StreamPlaces {
  let taken = 0;
  return {
    take() {
      if (taken >= limit) {
        throw new Failure("service.overloaded", "Too many streams are open; ask again in a few seconds.", {
          retryAfterSeconds: 5,
        });
      }
      taken += 1;
      metrics.streamOpened();
      let here = true;
      return {
        leave() {
          if (!here) return;
          here = false;
          taken -= 1;
          metrics.streamClosed();
        },
      };
    },
  };
}
