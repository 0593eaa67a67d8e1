import { describe, expect, test } from "bun:test";
import { createClient } from "../../client/src/client.ts";
import { CasefileProblem } from "../../client/src/problem.ts";
import { answering, refusal, served } from "./served.ts";

/** The error a promise was rejected with. */
const problemOf = async (asked: Promise<unknown>): Promise<CasefileProblem> => {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CasefileProblem)) throw new Error(`no problem but ${error}`);
  return error;
};

const collected = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe("calls", () => {
  test("each returns the service's response", async () => {
    const { client } = await served();
    expect(await client.enrich("brightpine.test", { include: "evidence,sources", max_age: 0 })).toMatchObject({
      domain: "brightpine.test",
      tools_detected: 3,
      cached: false,
    });
    expect((await client.listCaseStudies({ company: "tidewell", limit: 1 })).case_studies).toHaveLength(1);
    expect((await client.getCaseStudy("tidewell-northgate")).client.name).toBe("Northgate Savings");
    expect((await client.searchCaseStudies({ query: "bank", limit: 2 })).query).toBe("bank");
    expect(
      (await client.searchCaseStudiesBatch({ queries: [{ query: "bank" }, { query: "parcels" }] })).results,
    ).toHaveLength(2);
    expect((await client.listIndustries()).industries[0]?.slug).toBe("financial-services");
    expect((await client.findCompanies({ q: "tidwell" })).companies[0]?.slug).toBe("tidewell");
    expect((await client.getCompany("tidewell")).slug).toBe("tidewell");
    expect((await client.analyseCompany("tidewell")).company.slug).toBe("tidewell");
    expect((await client.companyTimeline("tidewell")).company.slug).toBe("tidewell");
    expect((await client.compareCompanies({ companies: ["tidewell", "quayline"] })).companies).toHaveLength(2);
    expect((await client.issueKey({ email: "new@brightpine.test" })).api_key).toStartWith("cf_live_");
    expect((await client.getStats()).case_studies).toBe(7);
    expect((await problemOf(client.getHistory("nobody.test"))).code).toBe("history.not_found");
    expect((await client.listTools({ q: "widget" })).total).toBe(1);
    expect((await client.getTool("widget")).name).toBe("Widget");
    expect((await client.listToolCompanies("widget", { limit: 1 })).total).toBe(0);
    expect((await client.listDomains({ tool: "widget" })).domains).toEqual([]);
    expect((await client.searchDomains({ all: ["widget"], none: ["gadget"] })).total).toBe(0);
  });

  test("a domain pasted as a URL is sent unchanged", async () => {
    const { client, requests } = await served();
    expect((await client.enrich("https://www.Brightpine.test/a?b")).domain).toBe("brightpine.test");
    expect(requests[0]?.url).toBe("http://casefile.test/v1/enrich/https%3A%2F%2Fwww.Brightpine.test%2Fa%3Fb");
  });

  test("all pages of a list are returned in order", async () => {
    const { client, requests } = await served();
    const slugs = (await collected(client.eachCompany({ limit: 2 }))).map(({ slug }) => slug);
    expect([slugs.length, new Set(slugs).size, requests.length]).toEqual([3, 3, 2]);
    expect(await collected(client.eachCaseStudy())).toHaveLength(7);
  });

  test("redirects are not followed, so only the service gets the key", async () => {
    const { client, requests } = await served();
    await client.getStats();
    expect(requests[0]?.redirect).toBe("error");
  });
});

describe("problems", () => {
  test("contain code, fields and request id", async () => {
    const { client } = await served();
    const problem = await problemOf(client.searchCaseStudies({ query: "bank", limit: 99 }));
    expect(problem).toMatchObject({ status: 422, code: "request.invalid", problems: [{ pointer: "/limit" }] });
    expect(problem.more.requestId).toMatch(/^[\w-]{36}$/);
    expect(problem.message).toBe(problem.detail);
    expect((await problemOf(client.compareCompanies({ companies: ["nobody"] }))).more.unknown).toEqual(["nobody"]);
    expect(
      await problemOf(createClient({ baseUrl: "x", fetch: answering(() => refusal(401)).fetch }).getStats()),
    ).toMatchObject({
      status: 401,
    });
  });

  test("of a proxy are reported too", async () => {
    const { fetch } = answering(() => new Response("<html>Bad gateway", { status: 502 }));
    const problem = await problemOf(createClient({ baseUrl: "http://casefile.test", fetch }).getStats());
    expect(problem).toMatchObject({ status: 502, code: "http.502", problems: [] });
    expect(problem.detail).toContain("Bad gateway");
  });
});

test("an unreachable server is a problem, an aborted request is not", async () => {
  const fetch = (_url: string, { signal }: RequestInit) =>
    Promise.reject(signal?.aborted ? signal.reason : new TypeError("no"));
  const client = createClient({ baseUrl: "http://casefile.test:1/", fetch });
  expect(await problemOf(client.getStats())).toMatchObject({ status: 0, code: "server.unreachable" });
  const gone = AbortSignal.abort(new Error("enough"));
  await expect(client.getStats({ signal: gone })).rejects.toThrow("enough");
});

describe("retries", () => {
  const good = () => Response.json({ ok: true });
  const asked = (...answers: Parameters<typeof answering>) => {
    const server = answering(...answers);
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    return { ...server, waits, client: createClient({ baseUrl: "http://casefile.test", fetch: server.fetch, wait }) };
  };

  test.each([[429], [503]])("after %d wait as long as the service says", async (status) => {
    const { client, waits } = asked(
      () => refusal(status, { "retry-after": "7" }),
      () => refusal(status),
      good,
    );
    await client.getStats();
    expect(waits).toEqual([7_000, 2_000]);
  });

  test("are limited", async () => {
    const { client, asked: count } = asked(() => refusal(503, { "retry-after": "1" }));
    expect((await problemOf(client.getStats())).status).toBe(503);
    expect(count()).toBe(3);
  });

  test("do not wait for the end of a month", async () => {
    const { client, waits, requests } = await served({ service: { monthlyLimit: 1 } });
    await client.getCompany("tidewell");
    const problem = await problemOf(client.getCompany("tidewell"));
    expect(problem.code).toBe("quota.exceeded");
    expect(problem.more.retryAfterSeconds).toBeGreaterThan(60);
    expect([waits, requests.length]).toEqual([[], 2]);
  });

  test.each([
    ["a date", "Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["what is neither a number nor a date as nothing", "1.5", 1_000],
  ])("parse %s", async (_what, value, wait) => {
    const { client, waits } = asked(() => refusal(503, { "retry-after": value }), good);
    await client.getStats();
    expect(waits).toEqual([wait]);
  });

  test.each([[404], [422], [500]])("%d is not retried", async (status) => {
    const { client, asked: count } = asked(() => refusal(status, { "retry-after": "1" }));
    await problemOf(client.getStats());
    expect(count()).toBe(1);
  });

  test("end at once when the caller aborts during a wait", async () => {
    const gone = new AbortController();
    const { fetch } = answering(() => refusal(503, { "retry-after": "30" }));
    const asking = createClient({ baseUrl: "http://casefile.test", fetch }).getStats({ signal: gone.signal });
    gone.abort(new Error("enough"));
    await expect(asking).rejects.toThrow("enough");
  });
});

describe("the stream", () => {
  test("yields event by event, and the last is done", async () => {
    const { client, requests } = await served();
    const events = await collected(client.enrichStream("brightpine.test", { max_age: 0 }));
    expect(events.map(({ phase, done }) => [phase, done])).toEqual([
      ["identity", false],
      ["website", false],
      ["complete", true],
    ]);
    expect(requests[0]?.headers.get("accept")).toBe("text/event-stream");
  });

  test("leaving the loop stops the scan", async () => {
    const { client, calls } = await served();
    for await (const event of client.enrichStream("stalling.test")) {
      expect(event.phase).toBe("identity");
      break;
    }
    expect(calls.at(-1)?.options.signal?.aborted).toBe(true);
  });

  test("that is cut off is a problem, after its events", async () => {
    const { client } = await served();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { phase } of client.enrichStream("breaking.test")) seen.push(phase);
    })();
    expect((await problemOf(reading)).code).toBe("stream.cut");
    expect(seen).toEqual(["identity"]);
  });

  test("a refusal before the first event is a problem", async () => {
    const { client } = await served();
    expect((await problemOf(collected(client.enrichStream("missing.test")))).code).toBe("domain.not_found");
  });

  const EVENT = JSON.stringify({ phase: "complete", tools_detected: 0, tools: [], by_category: {}, done: true });
  const CUT = EVENT.indexOf(",") + 1;
  test.each([["\n"], ["\r\n"], ["\r"]])("is parsed with lines that end in %j, in chunks of any size", async (end) => {
    const text = [
      `: hello`,
      `id: 1`,
      `data: ${EVENT}`,
      "",
      `data:${EVENT.slice(0, CUT)}`,
      `data: ${EVENT.slice(CUT)}`,
      "",
      "",
    ].join(end);
    const bytes = new TextEncoder().encode(text.replace("hello", "h\u00e9llo"));
    for (const size of [1, 2, 7, 1_000]) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      });
      const { fetch } = answering(() => new Response(body));
      const events = await collected(createClient({ baseUrl: "http://casefile.test", fetch }).enrichStream("a.test"));
      expect(events.map(({ phase }) => phase)).toEqual(["complete", "complete"]);
    }
  });
});
