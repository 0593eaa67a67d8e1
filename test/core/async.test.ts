import { describe, expect, test } from "bun:test";
import {
  cachedFor,
  createKeyedSemaphore,
  createSemaphore,
  createSingleFlight,
  createTurns,
  onAbort,
  raceAbort,
  sleep,
} from "../../src/core/async.ts";

const never = new AbortController().signal;

describe("onAbort", () => {
  test("calls the listener once, also for a signal that has aborted, unless it was removed", () => {
    const control = new AbortController();
    const called: string[] = [];
    onAbort(undefined, () => called.push("never"))();
    onAbort(control.signal, () => called.push("removed"))();
    const stopListening = onAbort(control.signal, () => called.push("before"));
    expect(called).toEqual([]);
    control.abort();
    expect(called).toEqual(["before"]);
    onAbort(control.signal, () => called.push("after"))();
    stopListening();
    expect(called).toEqual(["before", "after"]);
  });

  test("removes one of two listeners that are the same function", () => {
    const control = new AbortController();
    let calls = 0;
    const count = () => {
      calls += 1;
    };
    onAbort(control.signal, count);
    onAbort(control.signal, count)();
    control.abort();
    expect(calls).toBe(1);
  });

  test("has one event listener of a signal, and none after the last was removed", () => {
    const control = new AbortController();
    const { signal } = control;
    const events: string[] = [];
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...listener: Parameters<typeof add>) => {
      events.push("added");
      add(...listener);
    };
    signal.removeEventListener = (...listener: Parameters<typeof remove>) => {
      events.push("removed");
      remove(...listener);
    };
    const called: string[] = [];
    for (const round of ["first", "second"]) {
      const stops = [1, 2, 3].map((each) => onAbort(signal, () => called.push(`${round} ${each}`)));
      for (const stop of stops) stop();
      stops[0]?.();
    }
    expect(events).toEqual(["added", "removed", "added", "removed"]);
    onAbort(signal, () => stopLast());
    onAbort(signal, () => called.push("kept"));
    const stopLast = onAbort(signal, () => called.push("removed by another"));
    control.abort();
    expect(called).toEqual(["kept"]);
  });
});

describe("raceAbort", () => {
  test("settles as the promise does, or rejects with the reason of the signal", async () => {
    const control = new AbortController();
    expect(await raceAbort(Promise.resolve(1), control.signal)).toBe(1);
    const pending = raceAbort(new Promise(() => {}), control.signal);
    control.abort("stopped");
    await expect(pending).rejects.toBe("stopped");
    await expect(raceAbort(new Promise(() => {}), control.signal)).rejects.toBe("stopped");
  });
});

describe("sleep", () => {
  test("rejects with the reason of the signal", async () => {
    const control = new AbortController();
    const sleeping = sleep(60_000, control.signal);
    control.abort("stopped");
    await expect(sleeping).rejects.toBe("stopped");
    await sleep(0);
  });
});

describe("a semaphore", () => {
  test("admits the next waiter when a holder releases it, once per holder", async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire(never);
    const second = semaphore.acquire(never);
    const third = semaphore.acquire(never);
    release();
    release();
    const releaseSecond = await second;
    expect(await Promise.race([third, Promise.resolve("waits")])).toBe("waits");
    releaseSecond();
    (await third)();
    expect(semaphore.idle).toBe(true);
  });

  test("forgets a waiter whose signal aborts", async () => {
    const semaphore = createSemaphore(1);
    const control = new AbortController();
    const release = await semaphore.acquire(never);
    const waiting = semaphore.acquire(control.signal);
    control.abort("stopped");
    await expect(waiting).rejects.toBe("stopped");
    release();
    expect(semaphore.idle).toBe(true);
  });

  test("of one key does not delay another key", async () => {
    const acquire = createKeyedSemaphore(1);
    const release = await acquire("a", never);
    (await acquire("b", never))();
    const waiting = acquire("a", never);
    expect(await Promise.race([waiting, Promise.resolve("waits")])).toBe("waits");
    release();
    (await waiting)();
  });
});

describe("a single flight", () => {
  test("shares one call per key and aborts it when the last caller left", async () => {
    const flights = createSingleFlight<string>();
    const controls = [new AbortController(), new AbortController()];
    let calls = 0;
    let aborted: unknown;
    const start = (signal: AbortSignal) => {
      calls += 1;
      return new Promise<string>((_, reject) => {
        signal.addEventListener("abort", () => {
          aborted = signal.reason;
          reject(signal.reason);
        });
      });
    };
    const joined = controls.map(({ signal }) => flights.join("key", signal, start));
    expect(calls).toBe(1);
    controls[0]?.abort("first");
    await expect(joined[0]).rejects.toBe("first");
    expect(aborted).toBeUndefined();
    controls[1]?.abort("second");
    await expect(joined[1]).rejects.toBe("second");
    expect(aborted).toBe("second");
    expect(await flights.join("key", never, async () => "again")).toBe("again");
  });
});

describe("a cached value", () => {
  test("is read once for all callers, and again when it is cleared or old", async () => {
    let reads = 0;
    const cached = cachedFor(60_000, async () => ++reads);
    expect(await Promise.all([cached.get(), cached.get()])).toEqual([1, 1]);
    cached.clear();
    expect([await cached.get(), await cached.get()]).toEqual([2, 2]);
    const never = cachedFor(0, async () => ++reads);
    expect([await never.get(), await never.get()]).toEqual([3, 4]);
  });
});

test("callers that wait together go on in order, each in a turn of the event loop of its own", async () => {
  const ownTurn = createTurns();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const went: { caller: number; turn: number }[] = [];
  const callers = Array.from({ length: 20 }, async (_, caller) => {
    await ownTurn();
    // What follows a turn at once belongs to it.
    await Promise.resolve();
    went.push({ caller, turn: turns });
  });
  await Promise.all(callers);
  await ownTurn();
  isOver = true;
  expect(went.map(({ caller }) => caller)).toEqual([...callers.keys()]);
  expect(new Set(went.map(({ turn }) => turn)).size).toBe(20);
});
