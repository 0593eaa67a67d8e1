import { afterEach, beforeEach, expect } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { startPrepared } from "./prepared.ts";
import type { Service } from "./running.ts";

/** The start of a journey: a shared service, and a new browser context. */
export interface Journey {
  readonly service: Service;
  readonly key: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** All URLs requested so far. */
  readonly asked: readonly string[];
}

const TIMEOUT_MS = 30_000;

/** Starts one service and one browser per file, and a new browser context for each test. */
export function startJourneys(begin: (journey: Journey) => void): void {
  let service: Service;
  let browser: Browser;
  let key: string;
  let context: BrowserContext;
  let asked: string[];
  let errors: string[];

  startPrepared((prepared) => {
    ({ service, browser, key } = prepared);
  });

  beforeEach(async () => {
    context = await browser.newContext({ baseURL: service.url, permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    asked = [];
    errors = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) errors.push(message.text());
    });
    begin({ service, key, context, page, asked });
  });

  afterEach(async () => {
    // An answer under way at the end of a test is no error.
    for (const page of context.pages()) await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
    // Pages request only this service.
    expect(asked.filter((url) => !url.startsWith(service.url) && !/^(data|blob):/.test(url))).toEqual([]);
    expect(errors).toEqual([]);
  });
}

/** Stores the key in the tab once, so that the page may change it later. */
export const remember = (page: Page, key: string): Promise<unknown> =>
  page.addInitScript((held) => {
    if (sessionStorage.getItem("casefile.test") === null) sessionStorage.setItem("casefile.key", held);
    sessionStorage.setItem("casefile.test", "begun");
  }, key);
