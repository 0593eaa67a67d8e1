import { describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { remember, startJourneys } from "./journey.ts";
import type { Service } from "./running.ts";

let service: Service;
let key: string;
let context: BrowserContext;
let page: Page;

startJourneys((given) => {
  ({ service, key, context, page } = given);
});

const withKey = (given = key) => remember(page, given);
const button = (name: string | RegExp) => page.getByRole("button", { name });
const see = (text: string | RegExp) => page.getByText(text).first().waitFor();

describe("a submission", () => {
  test("shows the error at its field, then is received", async () => {
    await page.goto("/submit");
    await page.getByLabel("Company").fill("Quayline");
    await page.getByLabel("Case-study page").fill("ftp://quayline.test");
    await page.getByLabel("Email address").fill("mara@quayline.test");
    await button("Submit").click();
    await page.locator("[aria-invalid=true]").waitFor();
    await page.getByLabel("Case-study page").fill("https://quayline.test/customers");
    await button("Submit").click();
    await page.getByRole("heading", { level: 1, name: "Submission received" }).waitFor();
  });
});

describe("errors", () => {
  test("an invalid key leads to a new one", async () => {
    await withKey("cf_live_00000000000000000000000000000000000000");
    await page.goto("/studies");
    await see("Invalid API key");
    await page.getByLabel("Email address").waitFor();
  });

  test("a page that needs a key loads once a key is entered", async () => {
    await page.goto("/companies");
    await see("API key required");
    await button("I have a key").click();
    await page.getByLabel("API key", { exact: true }).fill(key);
    await button("Use this key").click();
    await see("32 vendors");
  });

  test("a domain that does not exist, and a public suffix", async () => {
    await withKey();
    await page.goto("/lookup/no-such-company.test");
    await see("There is no domain no-such-company.test");
    await page.goto("/lookup/com");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Company domain").waitFor();
  });

  test("an exceeded quota shows when it resets", async () => {
    const spent = await service.key();
    await service.limit("person2@brightpine.test", 0);
    await withKey(spent);
    await page.goto("/studies");
    await see("Monthly limit exceeded");
    await see(/Try again in \d+ (day|hour|minute)/);
  });

  test("an unreachable service can be retried", async () => {
    await withKey();
    await page.goto("/companies");
    await see("32 vendors");
    await context.setOffline(true);
    await page.getByLabel("Name or domain").fill("apache");
    await page.getByLabel("Name or domain").press("Enter");
    await see("No connection");
    await context.setOffline(false);
    await button("Try again").click();
    await page.getByRole("link", { name: /Apache Beam/ }).waitFor();
  });

  test("an interrupted scan keeps the tools detected so far", async () => {
    await withKey();
    const tools = [{ tool: "Stripe", category: "Payments" }];
    const event = { phase: "website", tools_detected: 1, tools, by_category: {}, done: false };
    const body = `data: ${JSON.stringify(event)}\n\n`;
    await page.route("**/console/lookup/**", (route) => route.fulfill({ json: { lookup: null } }));
    await page.route("**/v1/enrich-stream/**", (route) => route.fulfill({ contentType: "text/event-stream", body }));
    await page.goto("/lookup/harbourline.test");
    await see("Scan interrupted");
    await see("1 tool detected before the scan was interrupted");
    await page.getByText("Stripe", { exact: true }).waitFor();
  });

  test("a very long name is broken and makes no page wider than a phone", async () => {
    await withKey();
    await page.setViewportSize({ width: 360, height: 740 });
    const name = "Donaudampfschiff".repeat(6);
    await page.route("**/v1/**", async (route) => {
      const answer = await route.fetch();
      const text = (await answer.text()).replace(/"(name|industry|title|metric)":"[^"]*"/g, `"$1":"${name}"`);
      await route.fulfill({ response: answer, body: text });
    });
    for (const path of ["/companies", "/companies/apache-beam", "/studies", "/studies/apache-beam--paloalto"]) {
      await page.goto(path);
      await see(name);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    }
  });
});
