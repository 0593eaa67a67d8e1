import { setTimeout as delay } from "node:timers/promises";

/** Runs `open` once, at the first `get`, for all callers. After a failure the next `get` runs it again. */
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
    /** The value, if it was opened. */
    opened: async (): Promise<T | undefined> => opening?.catch(() => undefined),
  };
}

/** Runs `read` for all callers of the next `milliseconds` together; after `clear`, the next caller reads again. */
export function cachedFor<T>(milliseconds: number, read: () => Promise<T>) {
  let latest: Promise<T> | undefined;
  let until = 0;
  return {
    get(): Promise<T> {
      const now = performance.now();
      if (latest === undefined || now >= until) {
        latest = read();
        until = now + milliseconds;
      }
      return latest;
    },
    clear(): void {
      latest = undefined;
    },
  };
}

/**
 * Calls `listener` once when the signal aborts, or at once if it has aborted: an event listener alone would never be
 * called then, and its caller would wait for ever.
 *
 * @returns removes the listener
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const hub = hubs.get(signal) ?? openHub(signal);
  // The same listener may be added twice.
  const entry = () => listener();
  hub.entries.add(entry);
  return () => {
    hub.entries.delete(entry);
    if (hub.entries.size === 0 && hubs.get(signal) === hub) hub.close();
  };
}

/** The listeners of a signal behind one event listener: a scan has a hundred, and the runtime needs 2.5 µs for each of its own. */
interface Hub {
  readonly entries: Set<() => void>;
  close(): void;
}

const hubs = new WeakMap<AbortSignal, Hub>();

function openHub(signal: AbortSignal): Hub {
  const entries = new Set<() => void>();
  const call = () => {
    hubs.delete(signal);
    for (const entry of entries) entry();
  };
  const hub: Hub = {
    entries,
    // A signal that depends on others is kept while it has a listener.
    close() {
      hubs.delete(signal);
      signal.removeEventListener("abort", call);
    },
  };
  hubs.set(signal, hub);
  signal.addEventListener("abort", call, { once: true });
  return hub;
}

/** Settles as `promise` does. @throws the signal's reason when the signal aborts first */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
    promise.then(
      (value) => {
        stopListening();
        resolve(value);
      },
      (error) => {
        stopListening();
        reject(error);
      },
    );
  });
}

/** @throws the signal's reason when it aborts first */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch {
    signal?.throwIfAborted();
  }
}

/**
 * Resolves in a turn of the event loop that no other caller gets. Callers that wait for the same thing otherwise continue
 * together when it comes, and the event loop with its requests waits for all of them.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
}

/** Runs `work` for every item, at most `limit` at a time. Rejects with the first rejection. */
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

/** At most `max` holders at a time; the others wait in order until they acquire it or their signal aborts. */
export interface Semaphore {
  /** Resolves to the function that releases it; calling that more than once does no harm. */
  acquire(signal: AbortSignal): Promise<() => void>;
  /** Nobody holds it or waits for it. */
  readonly idle: boolean;
}

export function createSemaphore(max: number): Semaphore {
  let holders = 0;
  const waiting = new Set<() => void>();

  function hold(): () => void {
    holders += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      holders -= 1;
      const [next] = waiting;
      next?.();
    };
  }

  return {
    get idle() {
      return holders === 0 && waiting.size === 0;
    },
    acquire(signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      if (holders < max) return Promise.resolve(hold());
      return new Promise((resolve, reject) => {
        const next = () => {
          waiting.delete(next);
          stopListening();
          resolve(hold());
        };
        waiting.add(next);
        const stopListening = onAbort(signal, () => {
          waiting.delete(next);
          reject(signal.reason);
        });
      });
    },
  };
}

/** One semaphore per key, deleted when it is idle. Resolves to the function that releases it. */
export function createKeyedSemaphore(max: number): (key: string, signal: AbortSignal) => Promise<() => void> {
  const semaphores = new Map<string, Semaphore>();
  return async (key, signal) => {
    const semaphore = semaphores.get(key) ?? createSemaphore(max);
    semaphores.set(key, semaphore);
    const deleteIdle = () => {
      if (semaphore.idle && semaphores.get(key) === semaphore) semaphores.delete(key);
    };
    try {
      const release = await semaphore.acquire(signal);
      return () => {
        release();
        deleteIdle();
      };
    } catch (error) {
      deleteIdle();
      throw error;
    }
  };
}

/** Callers that ask for the same key at the same time share one call, which is aborted when the last caller left. */
interface SingleFlight<T> {
  /** Settles as `start` does, or rejects with the reason of `signal`. */
  join(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts every call in flight. */
  cancel(reason: unknown): void;
}

interface Flight<T> {
  readonly result: Promise<T>;
  readonly control: AbortController;
  waiters: number;
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  function open(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const control = new AbortController();
    const flight: Flight<T> = { control, waiters: 0, result: start(control.signal) };
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.result.then(land, land);
    flights.set(key, flight);
    return flight;
  }

  return {
    async join(key, signal, start) {
      signal.throwIfAborted();
      const flight = flights.get(key) ?? open(key, start);
      flight.waiters += 1;
      try {
        return await raceAbort(flight.result, signal);
      } finally {
        flight.waiters -= 1;
        if (flight.waiters === 0 && signal.aborted) {
          // A new caller must not join a call that was aborted.
          if (flights.get(key) === flight) flights.delete(key);
          flight.control.abort(signal.reason);
        }
      }
    },
    cancel(reason) {
      for (const flight of flights.values()) flight.control.abort(reason);
    },
  };
}
