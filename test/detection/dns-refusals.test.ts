import { afterEach, describe, expect, test } from "bun:test";
import type { Fault } from "../box/company.ts";
import { fernhill } from "../services/fernhill.ts";
import { type Boxed, openBoxed, requestsOf } from "./boxed.ts";

const DOMAIN = "fernhill.test";
let boxed: Boxed;
afterEach(() => boxed.close());

/** The code of the refusal by either verb, and how long the slower one took. */
async function refusalOf(domain: string): Promise<{ codes: unknown[]; after: number }> {
  const began = performance.now();
  const codeOf = (failure: unknown) => Reflect.get(Object(failure), "code");
  const codes = await Promise.all([boxed.enrich(domain).catch(codeOf), boxed.enrichSteps(domain).catch(codeOf)]);
  return { codes, after: performance.now() - began };
}

test("a domain that does not exist is not found, and no page is requested", async () => {
  boxed = await openBoxed(fernhill());
  expect((await refusalOf("nobody-has-this.test")).codes).toEqual(["domain.not_found", "domain.not_found"]);
  expect(requestsOf(boxed.box.hits)).toEqual([]);
  expect(boxed.scansRunning()).toBe(0);
});

test("a public name counts as missing only where the resolver knows its top-level domain", async () => {
  boxed = await openBoxed({ companies: [{ domain: "brightpine.com", records: { "": { A: "192.0.2.1" } } }] });
  expect((await refusalOf("quayline.com")).codes).toEqual(["domain.not_found", "domain.not_found"]);
  expect((await refusalOf("quayline.de")).codes).toEqual(["dns.unreachable", "dns.unreachable"]);
});

describe("DNS counts as unreachable", () => {
  test.each<[string, Fault[]]>([
    ["hangs", [{ name: "*", fault: "hang" }]],
    ["fails for the domain", [{ name: DOMAIN, fault: "servfail" }]],
    ["refuses to answer", [{ name: "*", fault: "refused" }]],
    ["answers with garbage", [{ name: "*", fault: "garbage" }]],
    ["answers other questions than were asked", [{ name: "*", fault: "wrong-id" }]],
  ])("when it %s", async (_, faults) => {
    boxed = await openBoxed({ ...fernhill(), faults }, { flags: { "net-dns-timeout-ms": 200 } });
    const { codes, after } = await refusalOf(DOMAIN);
    expect(codes).toEqual(["dns.unreachable", "dns.unreachable"]);
    expect(after).toBeLessThan(5_000);
    expect(requestsOf(boxed.box.hits)).toEqual([]);
  });

  test("when no server listens, within the default limits", async () => {
    boxed = await openBoxed(fernhill(), { flags: { "net-resolvers": "127.0.0.9:9" } });
    const { codes, after } = await refusalOf(DOMAIN);
    expect(codes).toEqual(["dns.unreachable", "dns.unreachable"]);
    expect(after).toBeLessThan(10_000);
  });
});

test("a domain is scanned when one of two DNS questions is answered and the other hangs", async () => {
  const faults: Fault[] = [{ name: DOMAIN, type: "A", fault: "hang" }];
  boxed = await openBoxed(
    { ...fernhill(), faults },
    { flags: { "net-dns-timeout-ms": 800, "scan-deadline-ms": 4_000 } },
  );
  expect((await boxed.enrich(DOMAIN)).detections.map(({ id }) => id)).toEqual(["google-workspace"]);
});

test("the second resolver answers when the first is unreachable", async () => {
  boxed = await openBoxed(fernhill(), { flags: { "net-dns-timeout-ms": 200 } });
  const { box } = boxed;
  const second = await openBoxed(fernhill(), {
    flags: { "net-resolvers": `127.0.0.9:9,${box.dns}`, "net-dns-timeout-ms": 200 },
  });
  const { detections } = await second.enrich(DOMAIN).finally(() => second.close());
  expect(detections.map(({ id }) => id)).toContain("google-workspace");
});
