import { describe, expect, test } from "bun:test";
import { createScanCoordinator } from "../../src/detection/scan-coordinator.ts";

interface Begun {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly watched: Promise<void>;
  readonly tell: (event: string) => void;
  readonly end: (result: string) => void;
  readonly fail: (error: unknown) => void;
}

/** A coordinator whose scans the test controls; each rejects when it is stopped. */
function desk() {
  const begun: Begun[] = [];
  const scans = createScanCoordinator<string, string>((key, signal, tell, watched) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    signal.addEventListener("abort", () => reject(signal.reason));
    begun.push({ key, signal, watched, tell, end: resolve, fail: reject });
    return promise;
  });
  const scan = (index = 0): Begun => {
    const found = begun[index];
    if (!found) throw new Error(`scan ${index} has not begun`);
    return found;
  };
  return { scans, begun, scan };
}
const all = (events: AsyncIterable<string>) => Array.fromAsync(events);

describe("callers for one domain", () => {
  test("share one scan", async () => {
    const { scans, begun, scan } = desk();
    const [first, second] = [scans.join("acme.example"), scans.join("acme.example")];
    expect(begun).toHaveLength(1);
    expect(scans.running()).toBe(1);
    scan().end("report");
    expect(await Promise.all([first.result, second.result])).toEqual(["report", "report"]);
  });

  test("get every event, including late callers", async () => {
    const { scans, scan } = desk();
    const first = all(scans.join("acme.example").events());
    scan().tell("one");
    scan().tell("two");
    const late = all(scans.join("acme.example").events());
    scan().tell("three");
    scan().end("report");
    expect(await first).toEqual(["one", "two", "three"]);
    expect(await late).toEqual(["one", "two", "three"]);
  });

  test("who read no events need none", async () => {
    const { scans, scan } = desk();
    scans.join("acme.example");
    let isWatched = false;
    scan().watched.then(() => {
      isWatched = true;
    });
    await Bun.sleep(0);
    expect(isWatched).toBe(false);
    scans.join("acme.example").events();
    await scan().watched;
    scan().end("report");
  });

  test("get an event when it happens, not at the end", async () => {
    const { scans, scan } = desk();
    const events = scans.join("acme.example").events()[Symbol.asyncIterator]();
    const next = events.next();
    scan().tell("one");
    expect(await next).toEqual({ done: false, value: "one" });
    scan().end("report");
    expect((await events.next()).done).toBe(true);
  });

  test("all get its failure", async () => {
    const { scans, scan } = desk();
    const callers = [scans.join("acme.example"), scans.join("acme.example")];
    const events = all(callers[0]?.events() ?? scans.join("never").events());
    scan().tell("one");
    scan().fail(new Error("no DNS"));
    for (const { result } of callers) await expect(result).rejects.toThrow("no DNS");
    expect(await events).toEqual(["one"]);
    expect(scans.running()).toBe(0);
  });
});

test("callers for different domains have separate scans", () => {
  const { scans, begun } = desk();
  scans.join("acme.example");
  scans.join("beta.example");
  expect(begun.map(({ key }) => key)).toEqual(["acme.example", "beta.example"]);
  expect(scans.running()).toBe(2);
});

describe("leaving", () => {
  test("of one caller keeps the scan for the others", async () => {
    const { scans, scan } = desk();
    const [first, second] = [scans.join("acme.example"), scans.join("acme.example")];
    first.leave();
    expect(scan().signal.aborted).toBe(false);
    scan().end("report");
    expect(await second.result).toBe("report");
  });

  test("of the last caller stops the scan", async () => {
    const { scans, scan } = desk();
    const [first, second] = [scans.join("acme.example"), scans.join("acme.example")];
    first.leave();
    second.leave();
    expect(scan().signal.aborted).toBe(true);
    await expect(second.result).rejects.toThrow("all callers of the scan disconnected");
    expect(scans.running()).toBe(0);
  });

  test("twice counts once", () => {
    const { scans, scan } = desk();
    const first = scans.join("acme.example");
    scans.join("acme.example");
    first.leave();
    first.leave();
    expect(scan().signal.aborted).toBe(false);
  });

  test("after the end stops nothing", async () => {
    const { scans, scan } = desk();
    const only = scans.join("acme.example");
    scan().end("report");
    await only.result;
    only.leave();
    expect(scan().signal.aborted).toBe(false);
  });

  test("causes no unhandled rejection", async () => {
    const { scans } = desk();
    const unhandled: unknown[] = [];
    const hear = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", hear);
    scans.join("acme.example").leave();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", hear);
    expect(unhandled).toEqual([]);
  });
});

describe("a new caller", () => {
  test("after a stop gets a new scan", async () => {
    const { scans, begun, scan } = desk();
    scans.join("acme.example").leave();
    const next = scans.join("acme.example");
    expect(begun).toHaveLength(2);
    scan(1).tell("fresh");
    scan(1).end("report");
    expect(await next.result).toBe("report");
    expect(await all(next.events())).toEqual(["fresh"]);
  });

  test("gets a new scan that the end of the stopped one does not remove", async () => {
    const { scans, scan } = desk();
    const stopped = scans.join("acme.example");
    stopped.leave();
    scans.join("acme.example");
    await stopped.result.catch(() => {});
    expect(scans.running()).toBe(1);
    expect(scan(1).signal.aborted).toBe(false);
  });

  test("after the end gets a new scan", async () => {
    const { scans, begun, scan } = desk();
    const first = scans.join("acme.example");
    scan().end("report");
    await first.result;
    expect(scans.running()).toBe(0);
    scans.join("acme.example");
    expect(begun).toHaveLength(2);
  });
});

test("stopping all stops every scan with the reason", async () => {
  const { scans } = desk();
  const callers = [scans.join("acme.example"), scans.join("beta.example")];
  scans.stopAll(new Error("the service is stopping"));
  for (const { result } of callers) await expect(result).rejects.toThrow("the service is stopping");
});

test("one caller may start half of the scans, and join all", async () => {
  const ends: (() => void)[] = [];
  const scans = createScanCoordinator<string, string>(
    () => new Promise((resolve) => ends.push(() => resolve("end"))),
    4,
  );
  scans.join("a.example", { caller: "one" });
  const second = scans.join("b.example", { caller: "one" });
  expect(() => scans.join("c.example", { caller: "one" })).toThrow(/^2 scans of this API key are running/);
  scans.join("c.example", { caller: "two" });
  scans.join("c.example", { caller: "one" });
  // A scan whose callers left holds its place until it has ended.
  second.leave();
  expect(() => scans.join("d.example", { caller: "one" })).toThrow(/API key/);
  ends[1]?.();
  await second.result;
  scans.join("d.example", { caller: "one" });
});

test("a background scan waits while others run, unless it is the only one in the background", async () => {
  const { scans, begun, scan } = desk();
  const started = () => begun.map(({ key }) => key);
  await scans.joinInBackground("one.example", undefined);
  await scans.joinInBackground("two.example", undefined);
  scans.join("asked.example");
  const later = ["three.example", "four.example"].map((key) => scans.joinInBackground(key, undefined));
  expect(started()).toEqual(["one.example", "two.example", "asked.example"]);
  scan(0).end("report");
  scan(1).end("report");
  await Promise.race(later);
  expect(started()).toEqual(["one.example", "two.example", "asked.example", "three.example"]);
  scan(2).end("report");
  await Promise.all(later);
  expect(started().at(-1)).toBe("four.example");
});

test("a background scan that is asked for counts as any other", async () => {
  const { scans, begun } = desk();
  await scans.joinInBackground("one.example", undefined);
  scans.join("one.example");
  await scans.joinInBackground("two.example", undefined);
  const aborted = new AbortController();
  const third = scans.joinInBackground("three.example", aborted.signal);
  aborted.abort(new Error("paused"));
  expect(third).rejects.toThrow("paused");
  expect(begun.map(({ key }) => key)).toEqual(["one.example", "two.example"]);
});
