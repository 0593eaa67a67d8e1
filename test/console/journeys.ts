import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { until } from "../app/boxed-app.ts";
import { harbourline } from "../box/companies.ts";
import { together } from "../box/company.ts";
import { tidewell } from "../box/tidewell/tidewell.ts";
import { openBrowser, type Service, startService } from "./running.ts";
import { prepare, signIn } from "./visits.ts";

const SLOW = 60_000;
const MAX_SCRIPT_BYTES = 150 * 1024;
const LIVE = "/lookup/harbourline.test";

let service: Service;
let browser: Browser;
let key: string;
let context: BrowserContext;
let page: Page;
let asked: string[];
let complaints: string[];

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  key = await prepare(service);
}, SLOW);

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  context = await browser.newContext({ baseURL: service.url, permissions: ["clipboard-read", "clipboard-write"] });
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
  asked = [];
  complaints = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) complaints.push(message.text());
  });
});

afterEach(async () => {
  await context.close();
  // What a page loads or asks is of this service alone, whatever the journey.
  expect(asked.filter((url) => !url.startsWith(service.url) && !/^(data|blob):/.test(url))).toEqual([]);
  expect(complaints).toEqual([]);
});

const withKey = (given = key) =>
  page.addInitScript((held) => {
    if (sessionStorage.getItem("casefile.test") === null) sessionStorage.setItem("casefile.key", held);
    sessionStorage.setItem("casefile.test", "begun");
  }, given);
const button = (name: string | RegExp) => page.getByRole("button", { name });
const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
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
      await see("61 tools");
      await button("Look anew").click();
      await until(() =>
        page.evaluate("globalThis.told.filter((text) => text.startsWith('61 tools found')).length > 1"),
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
    expect(csv.text.trim().split("\r\n")).toHaveLength(62);
    const json = await saved("JSON");
    expect(JSON.parse(json.text)).toMatchObject({ domain: "harbourline.example", tools_detected: 61 });
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
    await button("Take Kubernetes away").click();
    await page.getByRole("columnheader", { name: /Kubernetes/ }).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?c=prometheus");
  });
});

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

describe("the operator", () => {
  test("signs in for a cookie that no script reads, and out again", async () => {
    await page.goto("/operator");
    await page.getByLabel("Operator token").fill("cf_operator_wrong");
    await button("Sign in").click();
    await see("This is not the operator token");
    await signIn(page, service);
    const [cookie] = await context.cookies(`${service.url}/console/`);
    expect(cookie).toMatchObject({ name: "casefile_operator", httpOnly: true, sameSite: "Strict", path: "/console/" });
    expect(cookie?.value).not.toContain(service.operatorToken);
    expect(await page.evaluate("document.cookie + localStorage.length + sessionStorage.length")).toBe("00");
    await page.reload();
    await see("Submissions to review");
    await button("Sign out").click();
    await page.getByLabel("Operator token").waitFor();
  });

  test("sees what a submission would bring, and rejects it", async () => {
    await signIn(page, service);
    await page.getByRole("link", { name: "Submissions", exact: true }).click();
    await page.getByRole("link", { name: /Tidewell again/ }).click();
    await see(/What a crawl would find: \d+ case studies/);
    await page.getByLabel("Or reject it").fill("These are here already.");
    await button("Reject").click();
    await see("These are here already.");
    await see("It was decided.");
  });

  test("corrects a field beside the text that it was read from", async () => {
    await signIn(page, service);
    await withKey();
    await page.goto("/operator/studies?company=tidewell");
    await page.getByRole("link", { name: /Alderbrook Foods/ }).click();
    await page.getByLabel("Country").focus();
    await page.getByLabel("Country").fill("Nowhere");
    await button("Save country").click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Country").fill("FI");
    await button("Save country").click();
    await see("corrected by the operator");
    await page.getByLabel("Outcomes").focus();
    expect(await page.locator(".source-text mark").count()).toBeGreaterThan(0);
  });

  test(
    "watches work, sets a limit, sees scans, and makes a backup",
    async () => {
      await signIn(page, service);
      await page.goto("/operator/jobs?state=done");
      await see("Structure");
      await page.goto("/operator/keys");
      await page.getByLabel("Monthly limit of person1@brightpine.test").fill("500000");
      await button("Set").click();
      await button("Set").waitFor({ state: "detached" });
      await page.goto("/operator/scans");
      await page.getByRole("link", { name: "harbourline.test" }).waitFor();
      await page.goto("/operator/backups");
      await button("Make a backup now").click();
      await see(/Manual, /);
    },
    SLOW,
  );
});
