import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { openBrowser, type Service, startService } from "./running.ts";

const ENTRY = fileURLToPath(import.meta.resolve("../../client/src/index.ts"));
const SLOW = 60_000;

let service: Service;
let browser: Browser;
let key: string;
let page: Page;
/** Another web site, which proxies /v1 to the service. */
let site: Bun.Server<undefined>;

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  key = await service.key();
  const built = await Bun.build({ entrypoints: [ENTRY], target: "browser", format: "esm" });
  const script = (await built.outputs[0]?.text()) ?? "";
  site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (pathname.startsWith("/v1/")) return fetch(`${service.url}${pathname}${search}`, request);
      if (pathname !== "/client.js")
        return new Response("<!doctype html>", { headers: { "content-type": "text/html" } });
      return new Response(script, { headers: { "content-type": "text/javascript" } });
    },
  });
}, SLOW);

afterAll(async () => {
  await browser?.close();
  await site?.stop(true);
  await service?.stop();
});

beforeEach(async () => {
  page = await browser.newPage();
  await page.goto(site.url.href);
});

afterEach(() => page.close());

/** Runs the body of an asynchronous function in the page; it knows `casefile`, a client of `baseUrl`. */
const inPage = (baseUrl: string, body: string): Promise<unknown> =>
  page.evaluate(`(async () => {
    const { createClient, CasefileProblem } = await import("/client.js");
    const casefile = createClient(${JSON.stringify({ baseUrl, apiKey: key, retries: 0 })});
    ${body}
  })()`);

test("in a browser the client reads a stream event by event to its end", async () => {
  const phases = await inPage(
    site.url.origin,
    `const seen = [];
    for await (const { phase, tools_detected, done } of casefile.enrichStream("harbourline.test", { max_age: 0 }))
      seen.push({ phase, tools_detected, done });
    return seen;`,
  );
  expect(phases).toBeArray();
  const seen = phases as { phase: string; tools_detected: number; done: boolean }[];
  expect(seen.length).toBeGreaterThan(3);
  expect(seen.map(({ done }) => done)).toEqual([...seen.slice(1).map(() => false), true]);
  expect(seen.at(-1)).toMatchObject({ phase: "complete" });
  expect(seen.at(-1)?.tools_detected).toBeGreaterThan(25);
});

test("in a browser leaving the loop ends the stream, and the next call works", async () => {
  const first = await inPage(
    site.url.origin,
    `for await (const { phase } of casefile.enrichStream("harbourline.test", { max_age: 0 })) {
      const { version } = await casefile.getStats();
      return [phase, typeof version];
    }`,
  );
  expect(first).toEqual([expect.any(String), "string"]);
});

test("in a browser a problem has its code", async () => {
  const result = await inPage(
    site.url.origin,
    `return casefile.getCompany("nobody").catch((error) => [error instanceof CasefileProblem, error.status, error.code]);`,
  );
  expect(result).toEqual([true, 404, "company.not_found"]);
});

test("a page of another origin gets an error that explains why", async () => {
  const result = await inPage(service.url, `return casefile.getStats().catch((error) => [error.code, error.detail]);`);
  const advice = `Pages of ${site.url.origin} cannot read responses of ${service.url}; serve both under one origin.`;
  expect(result).toEqual(["server.unreachable", advice]);
});
