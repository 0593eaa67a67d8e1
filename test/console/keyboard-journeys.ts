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

const evidence = (name: string) => page.getByRole("complementary", { name });

test("arrow keys move between tools, and the open evidence follows", async () => {
  await page.goto("/lookup/harbourline.example");
  await button(/^Stripe/).press("Enter");
  await evidence("Stripe").waitFor();
  await page.keyboard.press("ArrowUp");
  await evidence("Stripe").waitFor({ state: "detached" });
  const [opened] = await page.locator(".docked h2").allTextContents();
  expect(await page.evaluate("document.activeElement.textContent")).toContain(`${opened}`);
  await page.keyboard.press("ArrowDown");
  await evidence("Stripe").waitFor();
  await page.keyboard.press("Escape");
  await evidence("Stripe").waitFor({ state: "detached" });
  // A monogram may come before the name.
  expect(await at()).toContain("Strip");
});

test("arrow keys in the open evidence keep the focus there, and Escape returns it to the tool shown", async () => {
  await page.goto("/lookup/harbourline.example?tool=Stripe");
  const copy = button("Copy proof");
  await copy.focus();
  await page.keyboard.press("ArrowDown");
  await evidence("Stripe").waitFor({ state: "detached" });
  const inside = () => page.evaluate<boolean>("document.querySelector('.docked').contains(document.activeElement)");
  expect(await inside()).toBeTrue();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  expect(await inside()).toBeTrue();
  const opened = (await page.locator(".docked h2").textContent()) ?? "";
  await page.keyboard.press("Escape");
  await page.locator(".docked").waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.dataset.name")).toBe(opened);
});

test("a report starts in its field, speaks of the evidence shown, and ends at what happened", async () => {
  await page.goto("/lookup/harbourline.example?tool=Stripe");
  await button("Report as wrong").press("Enter");
  await page.getByRole("heading", { name: "harbourline.example does not use Stripe?" }).waitFor();
  const focused = (): Promise<string> =>
    page.evaluate("(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()");
  expect(await focused()).toStartWith("How do you know");
  await page.keyboard.type("They moved in March.");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("The report is copied.").waitFor();
  expect(await focused()).toStartWith("The report is copied.");
  const report = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(report).toStartWith("harbourline.example does not use Stripe. They moved in March.\n- ");
});

test("the table is one stop of the Tab key, sorts, and opens a row with Enter", async () => {
  await page.goto("/lookup/harbourline.example");
  await button("Table view").click();
  await page.getByRole("button", { name: "Tool", exact: true }).press("Enter");
  const first = page.locator(".dense tbody .row-open").first();
  expect(await first.textContent()).toContain("1Password");
  expect(await page.locator('.dense tbody .row-open[tabindex="0"]').count()).toBe(1);
  await first.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await evidence("1Password").waitFor();
});

test("a narrow window shows evidence as a dialog that returns the focus", async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/lookup/harbourline.example");
  await button(/^Stripe/).press("Enter");
  await page.getByRole("dialog", { name: "Stripe" }).waitFor();
  expect(await page.evaluate("document.querySelector('dialog[open]').scrollTop")).toBe(0);
  await button("Close").press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // A monogram may come before the name.
  expect(await at()).toContain("Strip");
});

test("the command palette finds tools and pages without counting a request", async () => {
  await remember(page, key);
  const counted: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/v1/")) counted.push(request.url());
  });
  await page.goto("/key");
  await page.getByText("requests used").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("hubsp", { delay: 20 });
  await page.getByRole("option", { name: /^HubSpot CRM/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/tools/hubspot");
  expect(counted).toEqual([]);
  await page.locator("h1").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("vendors");
  await page.getByRole("option", { name: "Vendors", exact: true }).click();
  await page.waitForURL("**/companies");
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
  await page.getByLabel("Name or domain").press("Enter");
  await page.getByText("No connection").waitFor();
  await context.setOffline(false);
  await button("Try again").press("Enter");
  await page.getByRole("link", { name: /Apache Beam/ }).waitFor();
  expect(await at()).toBe("main");
});
