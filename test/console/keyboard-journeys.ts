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
/** The id or the text of the focused element. */
const at = (): Promise<string> =>
  page.evaluate("document.activeElement.id || document.activeElement.textContent.slice(0, 6)");

test.each([
  ["Escape", () => page.keyboard.press("Escape")],
  ["its button", () => button("Close").press("Enter")],
])("the focus returns to the tool when %s closes its evidence", async (_, close) => {
  await page.goto("/lookup/harbourline.example");
  await button(/^Stripe/).press("Enter");
  await page.getByRole("dialog").waitFor();
  await close();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await at()).toBe("Stripe");
});

test("adding a vendor keeps the focus in the field", async () => {
  await remember(page, key);
  await page.goto("/compare");
  const field = page.getByLabel("Add a vendor");
  await field.fill("kube");
  await button(/^KubeEdge/).press("Enter");
  await page.getByRole("link", { name: "KubeEdge", exact: true }).waitFor();
  expect(await at()).toBe(await field.evaluate(({ id }) => id));
});

test("retrying after an error moves the focus to the page", async () => {
  await remember(page, key);
  await page.goto("/companies");
  await page.getByText("32 vendors").waitFor();
  await context.setOffline(true);
  await page.getByLabel("Name or domain").fill("apache");
  await page.getByText("No connection").waitFor();
  await context.setOffline(false);
  await button("Try again").press("Enter");
  await page.getByRole("link", { name: /Apache Beam/ }).waitFor();
  expect(await at()).toBe("main");
});
