import { expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { remember, startJourneys } from "./journey.ts";

let key: string;
let context: BrowserContext;
let page: Page;

startJourneys((given) => {
  ({ key, context, page } = given);
});

const button = (name: string | RegExp) => page.getByRole("button", { name });
/** What the keyboard acts on: its element, or its name. */
const at = (): Promise<string> =>
  page.evaluate("document.activeElement.id || document.activeElement.textContent.slice(0, 6)");

test.each([
  ["Escape", () => page.keyboard.press("Escape")],
  ["its button", () => button("Close").press("Enter")],
])("evidence that %s closes gives the keyboard back to its tool", async (_, close) => {
  await page.goto("/lookup/harbourline.example");
  await button(/^Stripe/).press("Enter");
  await page.getByRole("dialog").waitFor();
  await close();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await at()).toBe("Stripe");
});

test("a vendor that is chosen leaves the keyboard where the next one is typed", async () => {
  await remember(page, key);
  await page.goto("/compare");
  const field = page.getByLabel("Add a vendor");
  await field.fill("kube");
  await button(/^KubeEdge/).press("Enter");
  await page.getByRole("link", { name: "KubeEdge", exact: true }).waitFor();
  expect(await at()).toBe(await field.evaluate(({ id }) => id));
});

test("a fault that goes away leaves the keyboard on the page", async () => {
  await remember(page, key);
  await page.goto("/companies");
  await page.getByText("32 companies").waitFor();
  await context.setOffline(true);
  await page.getByLabel("Name or domain").fill("apache");
  await page.getByText("No connection").waitFor();
  await context.setOffline(false);
  await button("Try again").press("Enter");
  await page.getByRole("link", { name: /Apache Beam/ }).waitFor();
  expect(await at()).toBe("main");
});
