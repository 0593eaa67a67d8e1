import { describe, expect, test } from "bun:test";
import { certificateLogs, certificateLogsAfter } from "../../../src/detection/scanners/certificates.ts";
import { Skipped } from "../../../src/detection/scanners/scanner.ts";
import { seenBy } from "./emitted-by.ts";
import { type FakeVisit, fakeVisit } from "./fake-visit.ts";

const sources = { certificateLogs: ["https://first.test/?q={domain}", "https://second.test/?q={domain}"] };
const FIRST = "https://first.test/?q=acme.example";
const SECOND = "https://second.test/?q=acme.example";
const dns = { "orders.acme.example CNAME": ["acme.orders.test"] };
const SEEN = ["dns.cname acme.orders.test @ orders.acme.example CNAME"];

test.each([
  [[{ name_value: "dead.acme.example\norders.acme.example" }, { name_value: "*.acme.example" }]],
  [[{ dns_names: ["orders.acme.example", "stranger.test", 7] }, null]],
])("a logged name counts only if it is an alias today: %j", async (entries) => {
  expect(await seenBy(certificateLogs, { sources, dns, http: { [FIRST]: JSON.stringify(entries) } })).toEqual(SEEN);
});

test("the second log is queried only when the first returns no list", async () => {
  const list = JSON.stringify([{ dns_names: ["orders.acme.example"] }]);
  const busy = { code: 502, body: "busy" };
  expect(await seenBy(certificateLogs, { sources, dns, http: { [FIRST]: busy, [SECOND]: list } })).toEqual(SEEN);
  expect(await seenBy(certificateLogs, { sources, dns, http: { [FIRST]: "<html>", [SECOND]: list } })).toEqual(SEEN);
  const visit = fakeVisit({ sources, dns, http: { [FIRST]: "[]", [SECOND]: list } });
  await certificateLogs.scan(visit, () => {});
  expect(visit.asked).toEqual([`GET ${FIRST}`]);
});

describe("a log that does not respond", () => {
  const list = JSON.stringify([{ dns_names: ["orders.acme.example"] }]);
  const silentUntil = (url: string, later: Promise<unknown>, http: Record<string, string>): FakeVisit => {
    const visit = fakeVisit({ sources, dns, http });
    return {
      ...visit,
      http: async (asked, options) => {
        const answer = visit.http(asked, options);
        if (asked === url) await later;
        return answer;
      },
    };
  };
  const seenIn = async (visit: FakeVisit) => {
    const seen: string[] = [];
    await certificateLogsAfter(5).scan(visit, ({ value }) => void seen.push(value));
    return seen;
  };

  test("does not delay the query to the next", async () => {
    const visit = silentUntil(FIRST, new Promise(() => {}), { [SECOND]: list });
    expect(await seenIn(visit)).toEqual(["acme.orders.test"]);
  });

  test("is still used when the next has no list", async () => {
    const second = Promise.withResolvers<void>();
    const visit = silentUntil(FIRST, second.promise, { [FIRST]: list, [SECOND]: "busy" });
    const asking = visit.http;
    const reported = seenIn({
      ...visit,
      http: async (asked, options) => {
        const answer = await asking(asked, options);
        // After everything that the answer sets off.
        if (asked === SECOND) setTimeout(second.resolve, 0);
        return answer;
      },
    });
    expect(await reported).toEqual(["acme.orders.test"]);
  });
});

test("a truncated list is read up to the cut", async () => {
  const body = `[{"name_value":"orders.acme.example"},{"name_value":"x.acme.exa`;
  expect(await seenBy(certificateLogs, { sources, dns, http: { [FIRST]: { body, truncated: true } } })).toEqual(SEEN);
});

test("at most eighty names are looked up, the shortest first, and none that are scanned anyway", async () => {
  const names = Array.from({ length: 400 }, (_, n) => `host${n}.deep.acme.example`);
  const entries = [{ dns_names: [...names, "orders.acme.example", "status.acme.example"] }];
  const visit = fakeVisit({ sources, dns, http: { [FIRST]: JSON.stringify(entries) } });
  await certificateLogs.scan(visit, () => {});
  const asked = visit.asked.filter((question) => /^(?:host|orders|status)/.test(question));
  expect(asked).toHaveLength(80);
  expect(asked[0]).toBe("orders.acme.example CNAME");
  expect(asked).not.toContain("status.acme.example CNAME");
});

test("without a configured log the source is skipped", async () => {
  await expect(certificateLogs.scan(fakeVisit(), () => {})).rejects.toThrow(Skipped);
});
