import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openBrowser, startService } from "../test/console/running.ts";
import { prepare, VIEWS, VISITS, visited } from "../test/console/visits.ts";

/**
 * Takes screenshots of every page of the console: light, dark, and at the width of a phone.
 * `npx bun scripts/screenshots.ts FOLDER [NAME …]`; with names, only those pages. `--readme` takes the small, light
 * screenshots of the README. Needs Chromium, but no internet.
 */

/** File names of the README's screenshots, by visit. */
const README: Readonly<Record<string, string>> = {
  evidence: "look-up",
  proof: "proof",
  search: "search",
  compare: "compare",
  "operator-study": "review",
};
const README_FOLDER = join(import.meta.dir, "../docs/screens");
const QUALITY = 0.7;
/** Sources that do not respond in the recorded example. */
const UNRECORDED = 1;

const [given, ...rest] = process.argv.slice(2);
if (!given) throw new Error("Give a folder for the screenshots, or --readme.");
const forReadme = given === "--readme";
const names = forReadme ? Object.keys(README) : rest;
const folder = forReadme ? README_FOLDER : resolve(given);
await mkdir(folder, { recursive: true });

const service = await startService();
const browser = await openBrowser();
try {
  const key = await prepare(service);
  for (const view of forReadme ? VIEWS.slice(0, 1) : VIEWS) {
    for (const visit of VISITS.filter(({ name }) => names.length === 0 || names.includes(name))) {
      await visited(browser, service, key, view, visit, (page) =>
        forReadme ? small(page, README[visit.name] ?? visit.name) : whole(page, `${visit.name}-${view.name}`),
      );
    }
  }
} finally {
  await browser.close();
  await service.stop();
}

async function whole(page: Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  await page.waitForLoadState("networkidle");
  // A dialog covers the window, not the whole page.
  const fullPage = (await page.locator("dialog[open]").count()) === 0;
  await page.screenshot({ path, fullPage, animations: "disabled" });
  console.log(path);
}

/** The visible window as WebP, a tenth of the size of PNG. */
async function small(page: Page, name: string): Promise<void> {
  // The icons of brands come after the page.
  await page.waitForLoadState("networkidle");
  const counts = /(\d+) of (\d+) sources responded/.exec((await page.locator("body").textContent()) ?? "");
  if (counts && Number(counts[2]) - Number(counts[1]) > UNRECORDED) {
    throw new Error(`${counts[0]} on ${name}: the machine was too busy for the example, so try again.`);
  }
  const picture = await page.screenshot({ animations: "disabled" });
  const bytes = await webp(browser, picture);
  const path = join(folder, `${name}.webp`);
  await Bun.write(path, bytes);
  console.log(`${path}: ${bytes.byteLength} bytes`);
}

/** Encodes with the browser, so that no image library is needed. */
async function webp(browser: Browser, png: Uint8Array): Promise<Uint8Array> {
  const page = await browser.newPage();
  try {
    const encoded: string = await page.evaluate(`(async () => {
      const png = Uint8Array.from(atob(${JSON.stringify(Buffer.from(png).toString("base64"))}), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([png], { type: "image/png" }));
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext("2d").drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", ${QUALITY});
    })()`);
    return Buffer.from(encoded.slice(encoded.indexOf(",") + 1), "base64");
  } finally {
    await page.close();
  }
}
