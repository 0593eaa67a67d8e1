import { afterAll, beforeAll } from "bun:test";
import type { Browser } from "playwright-core";
import { openBrowser, type Service, startService } from "./running.ts";
import { prepare } from "./visits.ts";

/** A service filled with data, a key and a browser. */
export interface Prepared {
  readonly service: Service;
  readonly key: string;
  readonly browser: Browser;
}

const SLOW = 240_000;

/** Starts one of each per file, before the first test. */
export function startPrepared(begin: (prepared: Prepared) => void): void {
  let service: Service | undefined;
  let browser: Browser | undefined;

  beforeAll(async () => {
    service = await startService();
    browser = await openBrowser();
    begin({ service, browser, key: await prepare(service) });
  }, SLOW);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
}
