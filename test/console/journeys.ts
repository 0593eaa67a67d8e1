import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { harbourline } from "../box/companies/harbourline.ts";
import { together } from "../box/company.ts";
import { tidewell } from "../box/tidewell/tidewell.ts";
import { until } from "../services/boxed-app.ts";
import { remember, startJourneys } from "./journey.ts";
import type { Service } from "./running.ts";

const SLOW = 60_000;
const MAX_SCRIPT_BYTES = 150 * 1024;
const LIVE = "/lookup/harbourline.test";

let service: Service;
let key: string;
let page: Page;
let asked: readonly string[];

startJourneys((given) => {
  ({ service, key, page, asked } = given);
});

const withKey = (given = key) => remember(page, given);
const button = (name: string | RegExp) => page.getByRole("button", { name });
const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
/** The catalogue grows; the golden files pin what it tells. */
const toolsOf = async (domain: string): Promise<number> => {
  const answer = await fetch(`${service.url}/v1/enrich/${domain}`, { headers: { "x-api-key": key } });
  return JSON.parse(await answer.text()).tools_detected;
};
const clipboard = (): Promise<string> => page.evaluate("navigator.clipboard.readText()");

describe("a first visit", () => {
  test("shows a result with its evidence before anybody signed up, by keyboard alone", async () => {
    await page.goto("/");
    await page.getByRole("link", { name: /the recorded scan of harbourline.example/ }).press("Enter");
    await see("What was checked");
    await button(/^Stripe/).press("Enter");
    await page.getByRole("dialog", { name: "Stripe" }).waitFor();
    await see("stripe/checkout-alias");
    expect(new URL(page.url()).search).toBe("?tool=Stripe");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toContain("Stripe");
  });

  test("can be read from a case study of the start page", async () => {
    await page.goto("/");
    const title = page.locator(".study-card h3 a").first();
    const text = (await title.textContent()) ?? "";
    await title.click();
    await page.getByRole("heading", { level: 1, name: text }).waitFor();
    await see("Where it is from");
  });

  test("loads little and is ready soon", async () => {
    const sizes = new Map<string, number>();
    page.on("response", async (response) => {
      if (!response.url().endsWith(".js")) return;
      sizes.set(response.url(), (await response.request().sizes()).responseBodySize);
    });
    await page.goto("/");
    await page.getByLabel("Company domain").fill("acme.com");
    const ready: number = await page.evaluate("performance.now()");
    await see("From the case studies");
    const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    console.log(`  first load: ${bytes} bytes of script, gzipped; ready after ${Math.round(ready)} ms`);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  test("a colour is chosen for good, before the first paint", async () => {
    await page.goto("/");
    await button(/Colours: Colours of the system/).click();
    await button(/Colours: Light/).click();
    await page.reload();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  });
});

describe("a key", () => {
  test("is shown once, copied, used, and forgotten with the tab", async () => {
    await page.goto("/key");
    await page.getByLabel("E-mail address").fill("nobody");
    await button("Get a key").click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("E-mail address").fill("ana@quayline.test");
    await button("Get a key").click();
    await button("Copy key").click();
    await see("Copied");
    expect(await clipboard()).toMatch(/^cf_live_[0-9A-Za-z]{38}$/);
    await button("I have copied it, go on").click();
    await see("requests used");
    expect(await page.evaluate("[localStorage.length, sessionStorage.length]")).toEqual([0, 1]);
    expect(await page.locator("body").textContent()).not.toContain(await clipboard());
    for (const language of ["TypeScript", "Python", "MCP"]) {
      await page.getByRole("radio", { name: language }).check();
      expect(await page.locator("pre").textContent()).toContain(service.url);
    }
    await button("Forget it here").click();
    await button("Get a key").waitFor();
  });

  test("that exists already is refused in a sentence, and one that is known is entered and remembered", async () => {
    await page.goto("/key");
    await page.getByLabel("E-mail address").fill("person1@brightpine.test");
    await button("Get a key").click();
    await page.getByText(/already|active key/).waitFor();
    await button("I have a key").click();
    await page.getByLabel("Your key").fill(key);
    await page.getByRole("checkbox").check();
    await button("Use this key").click();
    await see("It is remembered on this device");
    expect(await page.evaluate("localStorage.getItem('casefile.key')")).toBe(key);
  });
});

describe("a look-up", () => {
  test(
    "is live: tools grow while phases light up, and then carry their evidence",
    async () => {
      await page.addInitScript(() => {
        const told: string[] = [];
        Reflect.set(globalThis, "told", told);
        const { MutationObserver: Observer, document: shown } = globalThis as unknown as {
          MutationObserver: new (heard: () => void) => { observe(node: unknown, what: unknown): void };
          document: { querySelector(words: string): { textContent: string } | null };
        };
        new Observer(() => {
          const text = shown.querySelector("p[role=status]")?.textContent ?? "";
          if (text !== told.at(-1)) told.push(text);
        }).observe(shown, { subtree: true, childList: true, characterData: true });
      });
      await withKey();
      await page.goto("/");
      await page.getByLabel("Company domain").fill("https://WWW.harbourline.test/pricing");
      await page.keyboard.press("Enter");
      await see("What was checked");
      const all = await toolsOf("harbourline.test");
      await see(`${all} tools`);
      await button("Look anew").click();
      await until(() =>
        page.evaluate(`globalThis.told.filter((text) => text.startsWith('${all} tools found')).length > 1`),
      );
      const told: string[] = await page.evaluate("globalThis.told");
      const counts = told.flatMap((text) => /; (\d+) tools so far/.exec(text)?.[1] ?? []).map(Number);
      expect(new Set(counts).size).toBeGreaterThan(2);
      expect(asked.some((url) => url.includes("/v1/enrich-stream/"))).toBe(true);
      await see(/^Nothing changed since/);
      expect(await page.locator(".area").count()).toBe(9);
    },
    SLOW,
  );

  test(
    "tells what changed since the scan before",
    async () => {
      await withKey();
      const world = together(harbourline(), tidewell());
      const fault = "reset" as const;
      service.box.describe({
        ...world,
        faults: ["www.", ""].map((www) => ({ host: `${www}harbourline.test`, fault })),
      });
      try {
        await page.goto(LIVE);
        await button("Look anew").click();
        await see("Not seen any more");
        await see("Intercom");
        await see(/ways? of looking out of 19 could not be used/);
        await see(/what is missing may still be there/);
      } finally {
        service.box.describe(world);
      }
    },
    SLOW,
  );

  test("is exported as CSV and JSON, and copied as curl without the key", async () => {
    await withKey();
    await page.goto("/lookup/harbourline.example");
    const saved = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent("download"), button(name).click()]);
      return { name: download.suggestedFilename(), text: await Bun.file(await download.path()).text() };
    };
    const csv = await saved("CSV");
    expect(csv.name).toBe("harbourline.example.csv");
    expect(csv.text.split("\r\n")[0]).toStartWith("tool,category,confidence,vendor");
    const json = await saved("JSON");
    expect(json.name).toBe("harbourline.example.json");
    const { domain, tools_detected } = JSON.parse(json.text);
    expect(domain).toBe("harbourline.example");
    expect(tools_detected).toBeGreaterThan(60);
    expect(csv.text.trim().split("\r\n")).toHaveLength(1 + tools_detected);
    await button(/Copy as curl/).click();
    await see("Copied");
    expect(await clipboard()).toContain(`${service.url}/v1/enrich/harbourline.example?include=evidence,sources`);
    expect(await clipboard()).not.toContain(key);
  });
});

describe("case studies", () => {
  test("are found as one types, with the words marked, and the address holds the search", async () => {
    await withKey();
    await page.goto("/studies");
    await page.getByLabel("Question").pressSequentially("cut cloud cost", { delay: 15 });
    await see(/best match/);
    expect(await page.locator("mark").count()).toBeGreaterThan(0);
    expect(new URL(page.url()).search).toBe("?q=cut+cloud+cost");
    expect(asked.filter((url) => url.endsWith("/semantic"))).toHaveLength(1);
    await page.getByRole("radio", { name: "Words" }).check();
    await page.waitForURL(/mode=keyword/);
    await page.reload();
    expect(await page.getByLabel("Question").inputValue()).toBe("cut cloud cost");
    await page.locator(".study-card h2 a").first().click();
    await see("Where it is from");
    await page.goBack();
    await see(/best match/);
  });

  test("are narrowed by filters", async () => {
    await withKey();
    await page.goto("/studies");
    await page.locator("summary", { hasText: "Filters" }).click();
    await page.getByLabel("Vendor").fill("tidewell");
    await see("12 case studies, newest first");
    await button("Take all filters away").click();
    const option = page.getByRole("option", { name: /^Healthcare \(\d+\)$/ });
    await option.waitFor({ state: "attached" });
    const count = /\d+/.exec((await option.textContent()) ?? "")?.[0];
    await page.getByLabel("Industry").selectOption("Healthcare");
    await see(`${count} case studies, newest first`);
    expect(new URL(page.url()).search).toBe("?industry=Healthcare");
    await button("Take all filters away").click();
    await see("330 case studies, newest first");
    await button("Show more").click();
    await until(() => page.evaluate("document.querySelectorAll('.study-card').length === 40"));
  });
});

describe("companies", () => {
  test("are found despite a typing error, analysed and shown in time", async () => {
    await withKey();
    await page.goto("/companies");
    await page.getByLabel("Name or domain").fill("tidewel");
    await page
      .getByRole("link", { name: /Tidewell/ })
      .first()
      .click();
    await see("What customers report");
    expect(await page.locator(".bars li").count()).toBeGreaterThan(2);
    expect(await page.getByRole("img", { name: /12 case studies of Tidewell from/ }).count()).toBe(1);
    expect(await page.locator("circle.dot").count()).toBe(12);
  });

  test("are compared side by side at an address that can be shared", async () => {
    await withKey();
    await page.goto("/compare");
    await page.getByLabel("Add a vendor").fill("kubern");
    await page.getByRole("button", { name: /Kubernetes/ }).click();
    await see("Notable clients");
    await page.getByLabel("Add a vendor").fill("prometh");
    await page.getByRole("list", { name: "Vendors found" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("columnheader", { name: /Prometheus/ }).waitFor();
    expect(new URL(page.url()).search).toBe("?c=kubernetes,prometheus");
    await page.getByRole("option", { name: /^Healthcare/ }).waitFor({ state: "attached" });
    await page.getByLabel("Your industry").selectOption("Healthcare");
    await page.waitForURL(/industry=Healthcare/);
    await page.getByLabel("Your industry").selectOption("");
    await page.waitForURL(/prometheus$/);
    await button("Take Kubernetes away").click();
    await page.getByRole("columnheader", { name: /Kubernetes/ }).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?c=prometheus");
  });
});
