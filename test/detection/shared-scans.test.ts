import { afterEach, describe, expect, spyOn, test } from "bun:test";
import type { Failure } from "../../src/core/errors.ts";
import { fernhill } from "../services/fernhill.ts";
import { type Boxed, idsOf, openBoxed, requestsOf, stepsOf } from "./boxed.ts";

const DOMAIN = "fernhill.test";
/** Held for long enough that callers can come and go while it is fetched. */
const SLOW = {
  companies: [
    {
      domain: DOMAIN,
      records: { "": { MX: "1 aspmx.l.google.com", NS: "ns1.dns.test" } },
      pages: { "/": { body: "<script src=https://static.hotjar.com/c/hotjar-1.js></script>", delayMs: 300 } },
    },
  ],
};
const HANGING = { ...fernhill(), faults: [{ host: DOMAIN, fault: "hang" } as const] };

let boxed: Boxed;
afterEach(() => boxed.close());
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => "none",
    (failure: Failure) => failure.code,
  );
/** Waits until the scan has requested a page. */
async function underWay(): Promise<void> {
  while (requestsOf(boxed.box.hits).length === 0) await Bun.sleep(5);
}

describe("two callers for one domain", () => {
  test("share one scan, in which each page is requested once", async () => {
    boxed = await openBoxed(SLOW);
    const [one, other, stream] = await Promise.all([
      boxed.enrich(DOMAIN),
      boxed.enrich(`https://www.${DOMAIN.toUpperCase()}/about`),
      stepsOf(boxed.enrichSteps(DOMAIN)),
    ]);
    expect(one).toEqual(other);
    expect(stream.at(-1)?.step).toEqual({ phase: "complete", enrichment: one });
    const urls = requestsOf(boxed.box.hits);
    expect(urls.toSorted()).toEqual([...new Set(urls)].sort());
    expect(boxed.ended).toHaveLength(1);
  });

  test("get all events from the start, even if one comes late", async () => {
    boxed = await openBoxed(SLOW);
    const first = stepsOf(boxed.enrichSteps(DOMAIN));
    await underWay();
    const second = stepsOf(boxed.enrichSteps(DOMAIN));
    const [early, late] = await Promise.all([first, second]);
    expect(late.map(({ step }) => step)).toEqual(early.map(({ step }) => step));
  });

  test("are independent: one leaves, and the other still gets the result", async () => {
    boxed = await openBoxed(SLOW);
    const leaving = new AbortController();
    const gone = boxed.enrich(DOMAIN, { signal: leaving.signal }).catch((reason: unknown) => reason);
    const staying = boxed.enrich(DOMAIN);
    await underWay();
    leaving.abort("gone");
    expect(await gone).toBe("gone");
    expect(idsOf((await staying).detections)).toEqual(["google-workspace", "hotjar"]);
  });

  test("stop the scan when both leave, and no further request is made", async () => {
    boxed = await openBoxed(HANGING);
    const leaving = new AbortController();
    const gone = [1, 2].map(() => boxed.enrich(DOMAIN, { signal: leaving.signal }).catch((reason: unknown) => reason));
    await underWay();
    leaving.abort("gone");
    expect(await Promise.all(gone)).toEqual(["gone", "gone"]);
    expect(boxed.scansRunning()).toBe(0);
    // What was on its way arrives yet.
    await Bun.sleep(300);
    const asked = boxed.box.hits.length;
    await Bun.sleep(300);
    expect(boxed.box.hits).toHaveLength(asked);
    expect(boxed.ended).toEqual([]);
  });
});

describe("a reader of events", () => {
  test("who stops reading leaves the scan", async () => {
    boxed = await openBoxed(HANGING);
    for await (const step of await boxed.enrichSteps(DOMAIN)) {
      expect(step.phase).toBe("identity");
      break;
    }
    expect(boxed.scansRunning()).toBe(0);
  });

  test("who disconnects before the first event leaves the scan", async () => {
    boxed = await openBoxed(HANGING);
    const leaving = new AbortController();
    await boxed.enrichSteps(DOMAIN, { signal: leaving.signal });
    expect(boxed.scansRunning()).toBe(1);
    leaving.abort("gone");
    expect(boxed.scansRunning()).toBe(0);
  });

  test("leaves no listener at a signal that outlives the scan", async () => {
    boxed = await openBoxed(SLOW);
    const { signal } = new AbortController();
    const added = spyOn(signal, "addEventListener");
    const removed = spyOn(signal, "removeEventListener");
    await stepsOf(boxed.enrichSteps(DOMAIN, { signal }));
    expect(added).toHaveBeenCalled();
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      expect.arrayContaining(added.mock.calls.map(([, listener]) => listener)),
    );
  });

  test("who comes after the last caller left gets a new scan", async () => {
    boxed = await openBoxed(SLOW);
    const leaving = new AbortController();
    const gone = boxed.enrich(DOMAIN, { signal: leaving.signal }).catch((reason: unknown) => reason);
    await underWay();
    leaving.abort("gone");
    await gone;
    expect((await boxed.enrich(DOMAIN)).detections.length).toBeGreaterThan(0);
  });
});

describe("at the limit of concurrent scans", () => {
  test("another domain is refused temporarily, and the same one joins", async () => {
    const other = { companies: [{ domain: "millbrook.test", pages: { "/": "" } }] };
    boxed = await openBoxed(
      { companies: [...SLOW.companies, ...other.companies] },
      { flags: { "scan-concurrency": 1 } },
    );
    const running = boxed.enrich(DOMAIN);
    await underWay();
    const refused = await boxed.enrich("millbrook.test").catch((failure: unknown) => failure);
    expect(refused).toMatchObject({ code: "service.overloaded", details: { retryAfterSeconds: 5 } });
    expect(await codeOf(boxed.enrichSteps("millbrook.test"))).toBe("service.overloaded");
    expect(await boxed.enrich(DOMAIN)).toEqual(await running);
    expect((await boxed.enrich("millbrook.test")).domain).toBe("millbrook.test");
  });

  test("a shutdown ends them and rejects the waiting callers", async () => {
    boxed = await openBoxed(HANGING);
    const waiting = codeOf(boxed.enrich(DOMAIN));
    await underWay();
    boxed.stop();
    expect(await waiting).toBe("service.draining");
  });
});
