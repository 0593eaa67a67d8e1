import { describe, test } from "bun:test";
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
});
