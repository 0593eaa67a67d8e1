import { raceAbort } from "../core/async.ts";
import { Failure } from "../core/errors.ts";

interface Joining {
  readonly caller?: string | undefined;
  /** Counts for no limit. */
  readonly background?: boolean | undefined;
}

/** A running scan, as one of its callers sees it. */
export interface SharedScan<Event, Result> {
  /**
   * Every event since the start of the scan, also for a caller that joined later; ends with the scan. There may be none
   * before the first call.
   */
  events(): AsyncIterable<Event>;
  readonly result: Promise<Result>;
  /** The caller stops waiting. The scan stops when its last caller leaves. */
  leave(): void;
}

interface RunningScan<Event, Result> {
  readonly events: Event[];
  readonly controller: AbortController;
  result: Promise<Result>;
  readonly watch: () => void;
  callers: number;
  /** Nobody but a background caller has joined it. */
  background: boolean;
  finished: boolean;
  /** Wakes the callers that wait for the next event. */
  waiters: (() => void)[];
}

/**
 * Runs at most one scan per key at a time, shares it among its callers, and stops it when the last one leaves.
 *
 * @param start begins a scan; it must reject soon after `signal` aborts. `watched` resolves when somebody reads its events
 * @param concurrency maximum number of running scans
 */
export function createScanCoordinator<Event, Result>(
  start: (key: string, signal: AbortSignal, onEvent: (event: Event) => void, watched: Promise<void>) => Promise<Result>,
  concurrency = Number.POSITIVE_INFINITY,
) {
  const scans = new Map<string, RunningScan<Event, Result>>();
  /** Scans that did not end yet, also those whose callers left, by who started them. */
  const started = new Map<string, number>();
  const perCaller = Math.ceil(concurrency / 2);

  const inBackground = () => [...scans.values()].filter(({ background }) => background).length;
  const inForeground = () => scans.size - inBackground();
  /** Wakes background callers when a scan has ended. */
  const waiting = new Set<() => void>();

  const open = (key: string, { caller, background = false }: Joining): RunningScan<Event, Result> => {
    const isFull = !background && inForeground() >= concurrency;
    const own = caller === undefined ? 0 : (started.get(caller) ?? 0);
    if (isFull || own >= perCaller) {
      const who = isFull ? "Too many scans are running" : `${own} scans of this API key are running`;
      throw new Failure("service.overloaded", `${who}; try again in a few seconds.`, { retryAfterSeconds: 5 });
    }
    if (caller !== undefined) started.set(caller, own + 1);
    const watched = Promise.withResolvers<void>();
    const scan: RunningScan<Event, Result> = {
      watch: watched.resolve,
      events: [],
      controller: new AbortController(),
      result: Promise.resolve(undefined as never),
      callers: 0,
      background,
      finished: false,
      waiters: [],
    };
    const wake = () => {
      for (const waiter of scan.waiters.splice(0)) waiter();
    };
    const take = (event: Event) => {
      scan.events.push(event);
      wake();
    };
    scan.result = start(key, scan.controller.signal, take, watched.promise).finally(() => {
      scan.finished = true;
      if (caller !== undefined) {
        const left = (started.get(caller) ?? 1) - 1;
        if (left > 0) started.set(caller, left);
        else started.delete(caller);
      }
      if (scans.get(key) === scan) scans.delete(key);
      wake();
      for (const resume of [...waiting]) resume();
    });
    // Callers that left do not handle the rejection.
    scan.result.catch(() => {});
    scans.set(key, scan);
    return scan;
  };

  const coordinator = {
    /**
     * Joins the running scan of `key`, or starts one. One `caller` may start half of the scans, so that it cannot keep
     * all others waiting.
     *
     * @throws Failure `service.overloaded`
     */
    join(key: string, joining: Joining = {}): SharedScan<Event, Result> {
      const scan = scans.get(key) ?? open(key, joining);
      scan.background &&= joining.background ?? false;
      scan.callers += 1;
      let joined = true;
      return {
        result: scan.result,
        events() {
          scan.watch();
          return eventsOf(scan);
        },
        leave() {
          if (!joined) return;
          joined = false;
          scan.callers -= 1;
          if (scan.callers > 0 || scan.finished) return;
          // A new caller must start a new scan instead of joining one that is being aborted.
          if (scans.get(key) === scan) scans.delete(key);
          scan.controller.abort(new Error("all callers of the scan disconnected"));
        },
      };
    },
    /**
     * Joins in the background: at once while no other scan runs. While others run, there is one in the background at
     * most, so that it neither delays them nor waits for ever.
     *
     * @throws the signal's reason when it aborts first
     */
    async joinInBackground(key: string, signal: AbortSignal | undefined): Promise<SharedScan<Event, Result>> {
      while (inForeground() > 0 && inBackground() > 0) {
        let resume = () => {};
        const ended = new Promise<void>((resolve) => {
          resume = resolve;
        });
        waiting.add(resume);
        await raceAbort(ended, signal).finally(() => waiting.delete(resume));
      }
      return coordinator.join(key, { background: true });
    },
    running: (): number => scans.size,
    stopAll(reason: unknown): void {
      for (const { controller } of scans.values()) controller.abort(reason);
    },
  };
  return coordinator;
}

async function* eventsOf<Event, Result>(scan: RunningScan<Event, Result>): AsyncGenerator<Event> {
  for (let next = 0; ; ) {
    while (next < scan.events.length) yield scan.events[next++]!;
    if (scan.finished) return;
    await new Promise<void>((resolve) => scan.waiters.push(resolve));
  }
}
