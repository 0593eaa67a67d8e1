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
  test("names the field that is wrong, then is received", async () => {
    await page.goto("/submit");
    await page.getByLabel("Company").fill("Quayline");
    await page.getByLabel("Page that lists").fill("ftp://quayline.test");
    await page.getByLabel("E-mail address").fill("mara@quayline.test");
    await button("Submit").click();
    await page.locator("[aria-invalid=true]").waitFor();
    await page.getByLabel("Page that lists").fill("https://quayline.test/customers");
    await button("Submit").click();
    await page.getByRole("heading", { level: 1, name: "Received" }).waitFor();
  });
});

describe("what goes wrong", () => {
  test("a key that is not valid any more leads to a new one", async () => {
    await withKey("cf_live_00000000000000000000000000000000000000");
    await page.goto("/studies");
    await see("This key is not valid any more");
    await page.getByLabel("E-mail address").waitFor();
  });

  test("a page that needs a key goes on by itself when there is one", async () => {
    await page.goto("/companies");
    await see("This needs a key");
    await button("I have a key").click();
    await page.getByLabel("Your key").fill(key);
    await button("Use this key").click();
    await see("32 companies");
  });

  test("a domain that does not exist, and one that is none", async () => {
    await withKey();
    await page.goto("/lookup/no-such-company.test");
    await see("Domain does not exist");
    await page.goto("/lookup/com");
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Company domain").waitFor();
  });

  test("a month that is used up tells when the next one begins", async () => {
    const spent = await service.key();
    await service.limit("person2@brightpine.test", 0);
    await withKey(spent);
    await page.goto("/studies");
    await see("Monthly limit exceeded");
    await see(/Try again in \d+ (day|hour|minute)/);
  });

  test("a service that is out of reach is told, and asked again", async () => {
    await withKey();
    await page.goto("/companies");
    await see("32 companies");
    await context.setOffline(true);
    await page.getByLabel("Name or domain").fill("apache");
    await see("No connection");
    await context.setOffline(false);
    await button("Try again").click();
    await page.getByRole("link", { name: /Apache Beam/ }).waitFor();
  });

  test("a scan that breaks off keeps the tools that were found", async () => {
    await withKey();
    const tools = [{ tool: "Stripe", category: "Payments" }];
    const event = { phase: "website", tools_detected: 1, tools, by_category: {}, done: false };
    const body = `data: ${JSON.stringify(event)}\n\n`;
    await page.route("**/v1/enrich-stream/**", (route) => route.fulfill({ contentType: "text/event-stream", body }));
    await page.goto("/lookup/harbourline.test");
    await see("The scan broke off");
    await see("1 tool found before it broke off");
    await page.getByText("Stripe", { exact: true }).waitFor();
  });

  test("a name without an end is broken and makes no page wider than a telephone", async () => {
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
