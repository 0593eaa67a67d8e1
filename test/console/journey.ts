import { afterEach, beforeEach, expect } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startPrepared } from "./prepared.ts";
import type { Service } from "./running.ts";

/** What a journey begins with: a service that others may have used, and a browser that nobody has. */
export interface Journey {
  readonly service: Service;
  readonly key: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Every address that the pages asked for so far. */
  readonly asked: readonly string[];
}

const PATIENCE_MS = 10_000;

/** For the tests of a file: one service and one browser for all, and a context for each, which is told before it. */
export function startJourneys(begin: (journey: Journey) => void): void {
  let service: Service;
  let browser: Browser;
  let key: string;
  let context: BrowserContext;
  let asked: string[];
  let complaints: string[];

  startPrepared((prepared) => {
    ({ service, browser, key } = prepared);
  });

  beforeEach(async () => {
    context = await browser.newContext({ baseURL: service.url, permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    asked = [];
    complaints = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) complaints.push(message.text());
    });
    begin({ service, key, context, page, asked });
  });

  afterEach(async () => {
    await context.close();
    // What a page loads or asks is of this service alone, whatever the journey.
    expect(asked.filter((url) => !url.startsWith(service.url) && !/^(data|blob):/.test(url))).toEqual([]);
    expect(complaints).toEqual([]);
  });
}

/** Gives a tab the key, once: what the page does with it later stays. */
export const remember = (page: Page, key: string): Promise<unknown> =>
  page.addInitScript((held) => {
    if (sessionStorage.getItem("casefile.test") === null) sessionStorage.setItem("casefile.key", held);
    sessionStorage.setItem("casefile.test", "begun");
  }, key);
