import type { LookupStatus } from "../vocabulary/snapshot.ts";
import type { Visit } from "./visit.ts";
import { cutOff } from "./web/body.ts";
import { isFront, isShown } from "./web/shown.ts";

/** How the look-ups of one scanner ended. Only ever counts up while the scanner runs. */
export interface Tally {
  asked: number;
  /** "No such name" and every HTTP code are answers; a page that broke off inside is none. */
  answered: number;
  failed: number;
  timeouts: number;
  refused: number;
  unrecorded: number;
  /** Of the answers: fronts of sites that were shown, and those that an error or a question for bots stood in for. */
  shown: number;
  withheld: number;
}

const COUNTS: Readonly<Record<LookupStatus | "nxdomain", Exclude<keyof Tally, "asked" | "shown" | "withheld">>> = {
  ok: "answered",
  nxdomain: "answered",
  failed: "failed",
  timeout: "timeouts",
  refused: "refused",
  unrecorded: "unrecorded",
};

/**
 * One scanner's own view of a visit: counts how its look-ups end, and lets go of them when `signal` aborts, while the
 * visit goes on fetching for others.
 */
export function watchVisit(visit: Visit, signal: AbortSignal): { readonly visit: Visit; readonly tally: Tally } {
  const tally: Tally = {
    asked: 0,
    answered: 0,
    failed: 0,
    timeouts: 0,
    refused: 0,
    unrecorded: 0,
    shown: 0,
    withheld: 0,
  };
  const either = AbortSignal.any([visit.signal, signal]);

  async function count<T>(fetch: () => Promise<T>, statusOf: (answer: T) => LookupStatus | "nxdomain"): Promise<T> {
    either.throwIfAborted();
    tally.asked += 1;
    const answer = await orAbort(fetch(), either);
    tally[COUNTS[statusOf(answer)]] += 1;
    return answer;
  }

  return {
    tally,
    visit: {
      domain: visit.domain,
      signal: either,
      sources: visit.sources,
      known: visit.known,
      dns: (name, type) =>
        count(
          () => visit.dns(name, type),
          (answer) => answer.status,
        ),
      async http(url, options) {
        const answer = await count(
          () => visit.http(url, options),
          ({ final }) => cutOff(final) ?? final.status,
        );
        const whole = answer.final.status === "ok" && cutOff(answer.final) === undefined;
        // Who does not follow a redirect asked for it.
        if (whole && isFront(url) && options?.follow !== false)
          tally[isShown(answer.final) ? "shown" : "withheld"] += 1;
        return answer;
      },
      certificate: (host) =>
        count(
          () => visit.certificate(host),
          (answer) => answer.status,
        ),
    },
  };
}

function orAbort<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
