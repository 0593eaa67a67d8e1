/** One scan that several callers wait for. */
export interface SharedScan<Event, Result> {
  /** Every event from the scan's start on, also to a caller who came late; ends when the scan does. */
  events(): AsyncIterable<Event>;
  readonly result: Promise<Result>;
  /** The caller waits no more. The scan stops when nobody does. */
  leave(): void;
}

interface Shared<Event, Result> {
  readonly past: Event[];
  readonly stop: AbortController;
  result: Promise<Result>;
  callers: number;
  over: boolean;
  wake: (() => void)[];
}

/**
 * Sees to it that there is one scan a domain at a time, and that it stops when its last caller leaves.
 *
 * @param start begins a scan; it must reject soon after `signal` aborts
 */
export function createScanCoordinator<Event, Result>(
  start: (key: string, signal: AbortSignal, tell: (event: Event) => void) => Promise<Result>,
): {
  join(key: string): SharedScan<Event, Result>;
  has(key: string): boolean;
  readonly running: () => number;
  stopAll(reason: unknown): void;
} {
  const scans = new Map<string, Shared<Event, Result>>();

  const open = (key: string): Shared<Event, Result> => {
    const stop = new AbortController();
    const shared: Shared<Event, Result> = {
      past: [],
      stop,
      result: Promise.resolve(undefined as never),
      callers: 0,
      over: false,
      wake: [],
    };
    const ring = () => {
      for (const wake of shared.wake.splice(0)) wake();
    };
    shared.result = start(key, stop.signal, (event) => {
      shared.past.push(event);
      ring();
    }).finally(() => {
      shared.over = true;
      if (scans.get(key) === shared) scans.delete(key);
      ring();
    });
    // A caller that left does not wait for the result; its rejection must not be unhandled.
    shared.result.catch(() => {});
    scans.set(key, shared);
    return shared;
  };

  return {
    join(key) {
      const shared = scans.get(key) ?? open(key);
      shared.callers += 1;
      let here = true;
      return {
        result: shared.result,
        events: () => eventsOf(shared),
        leave() {
          if (!here) return;
          here = false;
          shared.callers -= 1;
          if (shared.callers > 0 || shared.over) return;
          // The next caller must get a scan of its own, not the rest of one that is being stopped.
          if (scans.get(key) === shared) scans.delete(key);
          shared.stop.abort(new Error("nobody waits for this scan any more"));
        },
      };
    },
    has: (key) => scans.has(key),
    running: () => scans.size,
    stopAll(reason) {
      for (const shared of scans.values()) shared.stop.abort(reason);
    },
  };
}

async function* eventsOf<Event, Result>(shared: Shared<Event, Result>): AsyncGenerator<Event> {
  for (let next = 0; ; ) {
    while (next < shared.past.length) yield shared.past[next++]!;
    if (shared.over) return;
    await new Promise<void>((resolve) => shared.wake.push(resolve));
  }
}
