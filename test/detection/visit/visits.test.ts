import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PUBLIC_SOURCES } from "../../../src/core/data-sources.ts";
import { liveVisit } from "../../../src/detection/visit/live-visit.ts";
import { replayVisit } from "../../../src/detection/visit/replay-visit.ts";
import { parseSnapshot, stringifySnapshot } from "../../../src/detection/visit/snapshot-file.ts";
import { observeVisit } from "../../../src/detection/visit/visit.ts";
import { type NetworkClient, openNetworkClient } from "../../../src/net/client.ts";
import { unanswered } from "../../../src/net/exchange.ts";
import type { DnsAnswer, HttpExchange, Snapshot } from "../../../src/net/snapshot.ts";
import { type Box, openBox } from "../../box/box.ts";
import { never, settings } from "../../net/loopback.ts";

const ACME = { name: "acme.test", label: "acme" };
const WHEN = "2026-11-20T10:00:00.000Z";

describe("a live visit", () => {
  let box: Box;
  let door: NetworkClient;

  beforeEach(async () => {
    box = await openBox({
      companies: [
        {
          domain: "acme.test",
          records: { "": { MX: "10 mx.mail.test", TXT: "v=spf1 -all" }, help: { CNAME: "acme.desk.test" } },
          pages: {
            "/": { redirect: "https://www.acme.test/" },
            "www/": { body: "<h1>Acme</h1>", headers: { "Set-Cookie": "id=1", "X-Powered-By": ["a", "b"] } },
            "www/loop": { redirect: "/loop" },
            "www/evil": { redirect: "http://10.0.0.1/" },
            "www/icon": { body: new Uint8Array([1, 2, 255]), headers: { "Content-Type": "image/png" } },
          },
          certificate: { names: ["acme.test", "www.acme.test"], issuer: "Honest Trust" },
        },
      ],
      faults: [{ name: "broken.acme.test", fault: "servfail" }],
    });
    const { allow: allowCidrs, connectPorts, ca: extraCa } = box;
    door = openNetworkClient(settings({ dnsServers: [box.dns], allowCidrs, connectPorts, extraCa }));
  });
  afterEach(async () => {
    door.close();
    await box.close();
  });

  test("fetches each resource once for any number of callers", async () => {
    const visit = liveVisit(ACME, door, PUBLIC_SOURCES, never);
    const ask = () => [
      visit.dns("acme.test", "MX"),
      visit.dns("ACME.test.", "MX"),
      visit.http("https://www.acme.test/"),
      visit.certificate("www.acme.test"),
    ];
    const [first, second] = await Promise.all(ask());
    expect(second).toEqual(first as DnsAnswer);
    const before = box.hits.length;
    await Promise.all(ask());
    expect(box.hits).toHaveLength(before);
  });

  test("requests what a redirect leads to once, also when the redirect comes first", async () => {
    const ask = ["https://acme.test/", "https://www.acme.test/"];
    for (const urls of [ask, ask.toReversed()]) {
      const visit = liveVisit(ACME, door, PUBLIC_SOURCES, never);
      const before = box.hits.length;
      const answers = await Promise.all(urls.map((url) => visit.http(url)));
      const again = await visit.http("http://acme.test/");
      const requested = box.hits.slice(before).flatMap((hit) => ("url" in hit ? hit.url : []));
      expect(requested.toSorted()).toEqual(["http://acme.test/", ...ask]);
      expect(new Set([...answers, again].map(({ final }) => final.body))).toEqual(new Set(["<h1>Acme</h1>"]));
      expect(again.hops.map(({ url }) => url)).toEqual(["http://acme.test/", ...ask]);
    }
  });

  test("requests again what got no answer", async () => {
    let requests = 0;
    const failing: NetworkClient = {
      ...door,
      async http(url, options, signal) {
        requests += 1;
        if (url !== "https://www.acme.test/" || requests > 2) return await door.http(url, options, signal);
        const final = unanswered({ url, method: "GET" }, "failed", "the connection failed");
        return { hops: [final], final };
      },
    };
    const visit = liveVisit(ACME, failing, PUBLIC_SOURCES, never);
    expect((await visit.http("https://www.acme.test/")).final.status).toBe("failed");
    requests = 2;
    expect((await visit.http("https://acme.test/")).final.body).toBe("<h1>Acme</h1>");
  });

  test("repeats a request that redirects to itself", async () => {
    const visit = liveVisit(ACME, door, PUBLIC_SOURCES, never);
    expect((await visit.http("https://www.acme.test/loop")).hops).toHaveLength(6);
    expect(box.hits.filter((hit) => "url" in hit && hit.url.endsWith("/loop"))).toHaveLength(6);
  });

  test("distinguishes a POST from a GET, and one body from another", async () => {
    const visit = liveVisit(ACME, door, PUBLIC_SOURCES, never);
    for (const body of ["{}", "{}", "[]"]) await visit.http("https://www.acme.test/", { method: "POST", body });
    await visit.http("https://www.acme.test/");
    expect(box.hits.filter((hit) => "method" in hit)).toHaveLength(3);
  });

  test("replays a recording unchanged, also from a file", async () => {
    const live = liveVisit(ACME, door, PUBLIC_SOURCES, never);
    const look = async (visit: Pick<typeof live, "dns" | "http" | "certificate">) =>
      Promise.all([
        visit.dns("acme.test", "MX"),
        visit.dns("acme.test", "AAAA"),
        visit.dns("help.acme.test", "A"),
        visit.dns("gone.acme.test", "A"),
        visit.dns("broken.acme.test", "A"),
        visit.http("http://acme.test/"),
        visit.http("https://www.acme.test/"),
        visit.http("https://www.acme.test/loop"),
        visit.http("https://www.acme.test/evil"),
        visit.http("https://www.acme.test/missing"),
        visit.http("https://www.acme.test/icon", { binary: true }),
        visit.http("https://gone.acme.test/"),
        visit.certificate("acme.test"),
        visit.certificate("gone.acme.test"),
      ]);
    const seen = await look(live);
    const snapshot = live.snapshot("casefile 1.0.0", WHEN);
    const again = parseSnapshot(stringifySnapshot(snapshot));
    expect(again).toEqual(snapshot);
    expect(await look(replayVisit(again))).toEqual(seen);
  });

  test("a snapshot has a stable order and no secrets", async () => {
    const record = async (names: readonly string[]) => {
      const visit = liveVisit(ACME, door, PUBLIC_SOURCES, never);
      for (const name of names) await visit.dns(name, "A");
      await visit.http("https://www.acme.test/");
      return visit.snapshot("casefile 1.0.0", WHEN);
    };
    const one = await record(["acme.test", "gone.acme.test", "help.acme.test"]);
    expect(await record(["help.acme.test", "gone.acme.test", "acme.test"])).toEqual(one);
    expect(one.http[0]?.headers).toContainEqual(["set-cookie", "id=…"]);
  });

  test("refuses new requests beyond its budget, and keeps known answers", async () => {
    const budget = { dnsQuestions: 2, httpExchanges: 3, bodyBytes: 1_000_000 };
    const visit = liveVisit(ACME, door, PUBLIC_SOURCES, never, budget);
    const names = ["acme.test", "help.acme.test", "www.acme.test", "acme.test"];
    const answers = [];
    for (const name of names) answers.push((await visit.dns(name, "A")).status);
    expect(answers).toEqual(["ok", "ok", "refused", "ok"]);
    // Redirects count: http to https, https to www, and the page itself.
    const pages = ["http://acme.test/", "https://www.acme.test/loop", "http://acme.test/"];
    const ends = [];
    for (const url of pages) ends.push((await visit.http(url)).final);
    expect(ends.map(({ status, detail }) => [status, detail])).toEqual([
      ["ok", undefined],
      ["refused", "the scan has used up its limit of requests"],
      ["ok", undefined],
    ]);
    const { dns, http } = visit.snapshot("casefile 1.0.0", WHEN);
    expect([...dns, ...http].every(({ status }) => status === "ok")).toBe(true);
  });

  test("truncates the last body to the remaining budget", async () => {
    const budget = { dnsQuestions: 10, httpExchanges: 10, bodyBytes: 5 };
    const visit = liveVisit(ACME, door, PUBLIC_SOURCES, never, budget);
    expect((await visit.http("https://www.acme.test/")).final.body).toBe("<h1>A");
    expect((await visit.http("https://www.acme.test/other")).final.status).toBe("refused");
  });

  test("keeps within its budget when bodies are read at the same time", async () => {
    const budget = { dnsQuestions: 10, httpExchanges: 50, bodyBytes: 20 };
    const visit = liveVisit(ACME, door, PUBLIC_SOURCES, never, budget);
    const urls = Array.from({ length: 8 }, (_, at) => `https://www.acme.test/?${at}`);
    const bodies = (await Promise.all(urls.map((url) => visit.http(url)))).map(({ final }) => final.body);
    expect(bodies.join("").length).toBe(20);
  });

  test("rejects once it is over", async () => {
    const over = new AbortController();
    const visit = liveVisit(ACME, door, PUBLIC_SOURCES, over.signal);
    over.abort(new Error("over"));
    await expect(visit.dns("acme.test", "A")).rejects.toThrow("over");
    await expect(visit.http("https://acme.test/")).rejects.toThrow("over");
    await expect(visit.certificate("acme.test")).rejects.toThrow("over");
  });
});

const EMPTY: Snapshot = {
  format: "casefile-snapshot",
  version: 1,
  domain: "acme.test",
  captured_at: WHEN,
  origin: "records",
  dns: [],
  http: [],
  certificates: [],
  requests: [],
  zone: false,
};
const answer = (name: string, type: DnsAnswer["type"], ...values: string[]): DnsAnswer => ({
  name,
  type,
  status: "ok",
  records: values.map((value) => ({ name, type, value })),
});
const page = (url: string, more: Partial<HttpExchange> = {}): HttpExchange => ({
  method: "GET",
  url,
  status: "ok",
  code: 200,
  headers: [["content-type", "text/html; charset=utf-8"]],
  body: "page",
  ...more,
});
const to = (url: string, location: string) => page(url, { code: 301, headers: [["location", location]], body: "" });

describe("a replay", () => {
  const zone: Snapshot = {
    ...EMPTY,
    zone: true,
    dns: [
      answer("acme.test", "MX", "mx.mail.test"),
      answer("acme.test", "TXT", "one"),
      answer("acme.test", "TXT", "two"),
      answer("_sip._tls.voice.acme.test", "SRV", "sip.voice.test"),
      answer("help.acme.test", "CNAME", "www.acme.test"),
      answer("www.acme.test", "CNAME", "edge.cdn.test"),
      answer("edge.cdn.test", "A", "93.184.215.14"),
      answer("round.acme.test", "CNAME", "round.acme.test"),
    ],
  };

  test.each([
    ["acme.test", "MX", "ok", ["mx.mail.test"]],
    ["ACME.test.", "TXT", "ok", ["one", "two"]],
    ["acme.test", "A", "ok", []],
    ["voice.acme.test", "A", "ok", []],
    ["gone.acme.test", "A", "nxdomain", []],
    ["www.acme.test", "CNAME", "ok", ["edge.cdn.test"]],
    ["www.acme.test", "A", "ok", ["edge.cdn.test", "93.184.215.14"]],
    ["help.acme.test", "A", "ok", ["www.acme.test", "edge.cdn.test", "93.184.215.14"]],
    ["help.acme.test", "TXT", "ok", ["www.acme.test", "edge.cdn.test"]],
    ["round.acme.test", "A", "ok", ["round.acme.test"]],
    ["elsewhere.test", "A", "unrecorded", []],
    ["notacme.test", "A", "unrecorded", []],
    ["acme.test", "NS", "unrecorded", []],
    ["voice.acme.test", "NS", "ok", []],
  ] as const)("answers from a zone as a resolver does: %s %s", async (name, type, status, values) => {
    const reported = await replayVisit(zone).dns(name, type);
    expect([reported.status, reported.records.map(({ value }) => value)]).toEqual([status, [...values]]);
  });

  test("has the names of a complete zone, and an empty list for a partial recording", () => {
    expect(replayVisit(zone).known.names).toEqual([
      "acme.test",
      "_sip._tls.voice.acme.test",
      "help.acme.test",
      "www.acme.test",
      "round.acme.test",
    ]);
    expect(replayVisit({ ...zone, zone: false }).known.names).toEqual([]);
  });

  test("marks what a partial recording lacks as unrecorded", async () => {
    const visit = replayVisit({ ...zone, zone: false });
    expect((await visit.dns("gone.acme.test", "A")).status).toBe("unrecorded");
    expect((await visit.dns("acme.test", "A")).status).toBe("unrecorded");
    expect((await visit.certificate("acme.test")).status).toBe("unrecorded");
    expect((await visit.http("https://acme.test/")).final.status).toBe("unrecorded");
  });

  test.each([
    ["the very URL", "https://acme.test/a?b=1", "exact"],
    ["a fragment", "https://acme.test/a?b=1#c", "exact"],
    ["the other scheme", "http://acme.test/a?b=1", "exact"],
    ["a slash more", "https://acme.test/a/?b=1", "exact"],
    ["a slash less", "https://acme.test/b", "slash"],
    ["both", "http://acme.test/b", "slash"],
  ])("finds a page under %s", async (_, url, body) => {
    const http = [page("https://acme.test/a?b=1", { body: "exact" }), page("https://acme.test/b/", { body: "slash" })];
    expect((await replayVisit({ ...EMPTY, http }).http(url)).final.body).toBe(body);
  });

  test.each(["https://acme.test/a?b=2", "https://www.acme.test/a?b=1", "https://acme.test/"])(
    "does not find another page: %s",
    async (url) => {
      const http = [page("https://acme.test/a?b=1")];
      expect((await replayVisit({ ...EMPTY, http }).http(url)).final.status).toBe("unrecorded");
    },
  );

  test("follows recorded redirects, up to the end of the recording and without loops", async () => {
    const http = [
      to("http://acme.test/", "https://acme.test/"),
      to("https://acme.test/", "https://www.acme.test/"),
      page("https://www.acme.test/"),
      to("https://acme.test/out", "https://elsewhere.test/"),
      to("http://acme.test/circle", "https://acme.test/circle"),
    ];
    const visit = replayVisit({ ...EMPTY, http });
    const statuses = async (url: string) => (await visit.http(url)).hops.map(({ status, code }) => `${status} ${code}`);
    expect(await statuses("http://acme.test/")).toEqual(["ok 301", "ok 301", "ok 200"]);
    expect(await statuses("https://acme.test/out")).toEqual(["ok 301", "unrecorded 0"]);
    expect(await statuses("http://acme.test/circle")).toEqual(["ok 301", "unrecorded 0"]);
  });

  test("returns a body in the requested form and length", async () => {
    const png = page("https://acme.test/i", { body: "AQL/", encoding: "base64", headers: [] });
    const visit = replayVisit({ ...EMPTY, http: [page("https://acme.test/p", { body: "héllo" }), png] });
    const binary = await visit.http("https://acme.test/p", { binary: true });
    expect([binary.final.body, binary.final.encoding]).toEqual([btoa("h\xc3\xa9llo"), "base64"]);
    expect((await visit.http("https://acme.test/i")).final.body).toBe("\u0001\u0002\ufffd");
    const cut = (await visit.http("https://acme.test/p", { maxBytes: 2 })).final;
    expect([cut.body, cut.truncated]).toEqual(["hé", true]);
  });

  test("has the company's recorded pages in addition to its home page", () => {
    const http = [
      page("https://acme.test/"),
      page("https://www.acme.test/"),
      page("https://acme.test/legal"),
      page("https://jobs.acme.test/"),
      page("https://acme.test/missing", { code: 404 }),
      page("https://acme.test/app.js", { headers: [["content-type", "text/javascript"]] }),
      page("https://elsewhere.test/"),
    ];
    const requests = [{ url: "https://cdn.test/a.js", cookies: ["id"] }];
    const { known } = replayVisit({ ...EMPTY, http, requests });
    expect(known.pages).toEqual(["https://acme.test/legal", "https://jobs.acme.test/"]);
    expect(known.requests).toEqual(requests);
  });
});

describe("an observed visit", () => {
  test("counts the results of lookups", async () => {
    const http = [
      page("https://acme.test/", { code: 500 }),
      page("https://acme.test/t", { status: "timeout", code: 0 }),
    ];
    const dns = [answer("acme.test", "A"), { ...answer("x.acme.test", "A"), status: "failed" as const }];
    const { visit, counts } = observeVisit(replayVisit({ ...EMPTY, zone: true, dns, http }), never);
    await visit.dns("acme.test", "A");
    await visit.dns("gone.acme.test", "A");
    await visit.dns("x.acme.test", "A");
    await visit.http("https://acme.test/");
    await visit.http("https://acme.test/t");
    await visit.certificate("acme.test");
    expect(counts).toEqual({
      ...{ asked: 6, answered: 3, failed: 1, timeouts: 1, refused: 0, disallowed: 0, unrecorded: 1 },
      ...{ absent: 0, overHttp: new Set(), shown: 0, withheld: 1 },
    });
  });

  test("ends when its signal aborts, while the visit continues", async () => {
    const own = new AbortController();
    const all = new AbortController();
    const stuck = { ...replayVisit(EMPTY, PUBLIC_SOURCES, all.signal), dns: () => new Promise<DnsAnswer>(() => {}) };
    const { visit, counts } = observeVisit(stuck, own.signal);
    const asked = visit.dns("acme.test", "A");
    own.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await expect(visit.http("https://acme.test/")).rejects.toThrow("enough");
    expect([visit.signal.aborted, all.signal.aborted, counts.asked, counts.answered]).toEqual([true, false, 1, 0]);
  });
});
