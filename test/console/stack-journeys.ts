import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../services/boxed-app.ts";
import { remember, startJourneys } from "./journey.ts";

let key: string;
let page: Page;

startJourneys((given) => {
  ({ key, page } = given);
});

const button = (name: string | RegExp) => page.getByRole("button", { name });

test("a question is asked by keyboard, shared by its address, saved and exported", async () => {
  await remember(page, key);
  await page.goto("/query");
  await page.getByText("Ask which companies use a tool").waitFor();
  const all = page.getByRole("combobox", { name: "Uses all: add a tool or category" });
  await all.fill("hubsot");
  await all.press("Enter");
  await page.getByRole("alert").getByText("No tool is called “hubsot”.").waitFor();
  await button("Add HubSpot").click();
  await button(/^Remove HubSpot/).click();
  await all.fill("stri");
  await page.getByRole("option", { name: /^Stripe/ }).waitFor();
  await all.press("Enter");
  await page.getByRole("link", { name: "harbourline.example" }).first().waitFor();
  expect(new URL(page.url()).search).toBe("?all=stripe");
  await until(() => page.evaluate("document.title.startsWith('Stripe')"));
  await button("Save query").click();
  await page.getByRole("navigation", { name: "Saved queries" }).getByRole("link").waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), button("Export").click()]);
  const csv = await Bun.file((await file.path()) ?? "").text();
  expect(csv.split("\n")[0]).toContain("domain");
  expect(csv).toContain("harbourline.example");
  await button(/^Remove Stripe from uses all/).click();
  await page.getByText("Ask which companies use a tool").waitFor();
  await page.goto("/query?all=stripe&none=stripe");
  await page.getByText("No company matches").waitFor();
  await page.getByText("Nothing to export").waitFor();
  expect(await button("Export").isDisabled()).toBeTrue();
});

test("a tool's page lists the companies that use it and its rivals", async () => {
  await remember(page, key);
  await page.goto("/tools?q=zendes");
  await page.getByRole("link", { name: "Zendesk", exact: true }).click();
  await page.getByRole("heading", { name: "Zendesk", level: 1 }).waitFor();
  await page.getByRole("link", { name: "harbourline.example" }).waitFor();
  await page.getByRole("heading", { name: "Others in Customer Support" }).waitFor();
  // Intercom; the catalogue's others are used by no company here.
  await page.locator(".rivals li").first().waitFor();
  expect(await page.locator(".rivals li").count()).toBe(1);
  await page.getByRole("link", { name: "Use in a query" }).click();
  await button(/^Remove Zendesk from uses all/).waitFor();
});

test("a pasted list is scanned, and its results are downloaded with their own columns", async () => {
  await remember(page, key);
  await page.goto("/lists");
  await button("Scan list").click();
  await page.getByText("Paste domains, or choose a file.").waitFor();
  await page.getByLabel("Domains").fill("domain,owner\nharbourline.example,Ann\nnot a domain,Bob\n");
  await page.getByLabel(/^Name/).fill("Customers");
  await button("Scan list").click();
  await page.getByRole("heading", { name: "Customers", level: 1 }).waitFor();
  await page.getByText("1 row is not a domain").waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), button("Download").click()]);
  const csv = await Bun.file((await file.path()) ?? "").text();
  expect(csv).toContain("Ann");
  await page.goto("/lists");
  await page.getByRole("link", { name: "Customers" }).waitFor();
});

test("a double click starts one list, and the same domains can be scanned again", async () => {
  await remember(page, key);
  for (let times = 0; times < 2; times += 1) {
    await page.goto("/lists");
    await page.getByLabel("Domains").fill("driftwood.test\nbrightpine.test\n");
    await button("Scan list").dblclick();
    await page.getByRole("heading", { name: /^2 domains, / }).waitFor();
  }
  await page.goto("/lists");
  const lists = page.getByRole("link", { name: /^2 domains, / });
  await lists.first().waitFor();
  expect(await lists.count()).toBe(2);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
});
