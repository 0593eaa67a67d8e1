/** Opens at the first call, once for all who call; a failed opening is tried again at the next call. */
export function lazy<T>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  return {
    get: (): Promise<T> => {
      opening ??= open().catch((error) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    opened: async (): Promise<T | undefined> => opening?.catch(() => undefined),
  };
}

/** Waits as long as the caller does. @throws the signal's reason when it aborts first */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

/** Works through `items` with at most `limit` under way at once, so that a resolver is not flooded; rejects with the first rejection. */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}

/** Lets at most `max` holders in at a time; the others wait in line, and an abort takes them out of it. */
export interface Semaphore {
  /** Resolves to the function that gives the place back; it may be called more than once. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Whether nobody is inside or in line. */
  readonly idle: boolean;
}

export function createSemaphore(max: number): Semaphore {
  let inside = 0;
  const line = new Set<() => void>();

  function leaver(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside -= 1;
      const [next] = line;
      next?.();
    };
  }

  return {
    get idle() {
      return inside === 0 && line.size === 0;
    },
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (inside < max) {
        inside += 1;
        return Promise.resolve(leaver());
      }
      return new Promise((resolve, reject) => {
        const step = () => {
          line.delete(step);
          signal.removeEventListener("abort", leave);
          inside += 1;
          resolve(leaver());
        };
        const leave = () => {
          line.delete(step);
          reject(signal.reason);
        };
        line.add(step);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}

/** One gate for each key, forgotten when nobody needs it. */
export function createKeyedSemaphore(max: number): (key: string, signal: AbortSignal) => Promise<() => void> {
  const gates = new Map<string, Semaphore>();
  return async (key, signal) => {
    const gate = gates.get(key) ?? createSemaphore(max);
    gates.set(key, gate);
    const leave = await gate.enter(signal);
    return () => {
      leave();
      if (gate.idle && gates.get(key) === gate) gates.delete(key);
    };
  };
}

/**
 * Callers who ask for the same thing at the same time share one flight. Each may leave by its own signal;
 * the flight is called off when the last one has left.
 */
interface SingleFlight<T> {
  /** Rejects with the signal's reason when `signal` aborts, else settles as `start` does. */
  join(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Calls off every flight. */
  cancel(reason: unknown): void;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly control: AbortController;
  passengers: number;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function open(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const control = new AbortController();
    const flight: Flight<T> = { control, passengers: 0, result: start(control.signal) };
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(land, land);
    flights.set(key, flight);
    return flight;
  }

  return {
    join(key, signal, start) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const flight = flights.get(key) ?? open(key, start);
      flight.passengers += 1;
      return new Promise((resolve, reject) => {
        const leave = () => {
          flight.passengers -= 1;
          if (flight.passengers === 0) {
            // A newcomer must not board a flight that has been called off.
            if (flights.get(key) === flight) flights.delete(key);
            flight.control.abort(signal.reason);
          }
          reject(signal.reason);
        };
        signal.addEventListener("abort", leave, { once: true });
        flight.result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
      });
    },
    cancel(reason) {
      for (const flight of flights.values()) flight.control.abort(reason);
    },
  };
}
