import { loadavg } from "node:os";
import { openBrowser, startService } from "../../test/console/running.ts";
import { quantile } from "./search-latency.ts";

/**
 * Opens pages of the console in Chromium, each in a new context without a cache: `npx bun research/benchmarks/first-paint.ts`.
 * Prints milliseconds until the first contentful paint, and the layout shift of the load (CLS).
 */
const PAGES = ["/", "/lookup/harbourline.example", "/studies"];
const LOADS = 15;

const service = await startService();
const browser = await openBrowser();
try {
  for (const path of PAGES) {
    const paints: number[] = [];
    const shifts: number[] = [];
    for (let load = 0; load <= LOADS; load += 1) {
      const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } });
      const page = await context.newPage();
      await page.goto(`${service.url}${path}`, { waitUntil: "networkidle" });
      const { paint, shift } = await page.evaluate(async () => {
        const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
        // The DOM's types lack entries of layout shifts. Loading is over, so no later one is waited for.
        const shift = await new Promise<number>((resolve) => {
          const observer = new PerformanceObserver((list) =>
            resolve(list.getEntries().reduce((sum, entry) => sum + Number(Reflect.get(entry, "value")), 0)),
          );
          observer.observe(Object({ type: "layout-shift", buffered: true }));
          setTimeout(() => resolve(0), 200);
        });
        return { paint, shift };
      });
      await context.close();
      // The first load packs the scripts.
      if (load === 0) continue;
      paints.push(paint);
      shifts.push(shift);
    }
    const [half, most] = [quantile(paints, 0.5), quantile(paints, 0.95)].map((ms) => Math.round(ms));
    const shift = Math.max(...shifts).toFixed(4);
    console.log(
      `${path}: first paint p50 ${half} ms, p95 ${most} ms; CLS at most ${shift}; load ${loadavg()[0]?.toFixed(0)}`,
    );
  }
} finally {
  await browser.close();
  await service.stop();
}
