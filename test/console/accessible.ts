import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { startPrepared } from "./prepared.ts";
import type { Service } from "./running.ts";
import { VIEWS, VISITS, visited } from "./visits.ts";

const AXE = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));
const SLOW = 240_000;

let service: Service;
let browser: Browser;
let key: string;

startPrepared((prepared) => {
  ({ service, browser, key } = prepared);
});

describe.each(VIEWS.map((view) => [view.name, view] as const))("every page in %s", (_, view) => {
  test.each(VISITS.map((visit) => [visit.name, visit] as const))(
    "%s has no axe violations, nothing cut off, and an intact layout",
    async (_name, visit) => {
      const faults = await visited(browser, service, key, view, visit, async (page) => [
        ...(await violations(page)),
        ...(await cutOff(page)),
      ]);
      expect(faults).toEqual([]);
    },
    SLOW,
  );
});

/** What axe-core finds, rule by rule, with the first elements. */
async function violations(page: Page): Promise<string[]> {
  // As a test and not as the page: the policy lets no other script in.
  await page.evaluate(await Bun.file(AXE).text());
  const found: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[] = await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ target, failureSummary }) => ({ target: target.map(String), failureSummary })) })))",
  );
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`).join("; ")}`,
  );
}

/** A page never scrolls sideways; what is wide scrolls inside itself. */
async function cutOff(page: Page): Promise<string[]> {
  const over: number = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  return over > 0 ? [`the page is ${over} pixels wider than the window`] : [];
}
