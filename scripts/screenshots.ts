/**
 * Takes a picture of every page of the console, in light, dark and at a phone's width.
 * `bun scripts/screenshots.ts FOLDER [NAME …]`; with names only those pages. It needs Chromium, and no internet.
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser, startService } from "../test/console/running.ts";
import { prepare, VIEWS, VISITS, visited } from "../test/console/visits.ts";

const [given, ...names] = process.argv.slice(2);
if (!given) throw new Error("Name the folder for the pictures.");
const folder = resolve(given);
await mkdir(folder, { recursive: true });

const service = await startService();
const browser = await openBrowser();
try {
  const key = await prepare(service);
  for (const view of VIEWS) {
    for (const visit of VISITS.filter(({ name }) => names.length === 0 || names.includes(name))) {
      await visited(browser, service, key, view, visit, (page) => picture(page, `${visit.name}-${view.name}`));
    }
  }
} finally {
  await browser.close();
  await service.stop();
}

async function picture(page: Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  // A dialog is of the window and not of the page.
  const whole = (await page.locator("dialog[open]").count()) === 0;
  await page.screenshot({ path, fullPage: whole, animations: "disabled" });
  console.log(path);
}
