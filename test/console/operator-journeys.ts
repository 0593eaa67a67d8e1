import { describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { startJourneys } from "./journey.ts";
import type { Service } from "./running.ts";
import { signIn } from "./visits.ts";

const SLOW = 60_000;
const ALDERBROOK = /Alderbrook Foods/;

let service: Service;
let context: BrowserContext;
let page: Page;

startJourneys((given) => {
  ({ service, context, page } = given);
});

const button = (name: string | RegExp) => page.getByRole("button", { name });
const see = (text: string | RegExp) => page.getByText(text).first().waitFor();
const field = (name: string) => page.getByRole("form", { name, exact: true });

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

  test("finds a tool, and reads its rules and where it was told last", async () => {
    await signIn(page, service);
    await page.goto("/operator/fingerprints");
    await page.getByLabel("Tool", { exact: true }).fill("strip");
    await page.waitForURL(/q=strip/);
    await page.getByRole("link", { name: /^Stripe / }).click();
    await see("Payment pages under the company's own name.");
    await see("hosted-checkout.stripecdn.com");
    await page.getByRole("link", { name: "harbourline.test" }).waitFor();
  });

  test("sees how the ways of looking fared, and which outside services are on", async () => {
    await signIn(page, service);
    await page.goto("/operator/sources");
    await see(/Of the latest \d+ scans/);
    const logs = page.getByRole("listitem").filter({ hasText: "Certificate logs" });
    await logs.getByText("crt.sh").waitFor();
    expect(await logs.textContent()).toMatch(/saw something/);
  });

  test("sees what contacts were told, by state, and comes from there to the submission", async () => {
    await signIn(page, service);
    await page.goto("/operator/mails");
    await see(/^\d+ mails$/);
    await page.getByLabel("State").selectOption("failed");
    await see("No mail stands there");
    await page.getByLabel("State").selectOption("waiting");
    await page.getByRole("link", { name: /The case studies of Tidewell were approved/ }).click();
    await see(/What a crawl would find/);
  });

  test(
    "watches a company, sees what changed at another, and stops",
    async () => {
      await signIn(page, service);
      await page.goto("/operator/watches");
      await page.getByText("Stripe at brightpine.test").waitFor();
      await page.getByLabel("Company domain").fill("no domain");
      await button("Watch").click();
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Company domain").fill("https://www.tidewell.test/x");
      await page.getByLabel("How often").selectOption("24");
      await button("Watch").click();
      const row = page
        .getByRole("listitem")
        .filter({ has: page.getByRole("link", { name: "tidewell.test", exact: true }) });
      await row.getByText(/Every day/).waitFor();
      await row.getByRole("button", { name: /Pause/ }).click();
      await row.getByText("Paused").waitFor();
      await row.getByRole("button", { name: /Remove/ }).click();
      await row.getByRole("button", { name: "Yes, watch it no more" }).click();
      await row.waitFor({ state: "detached" });
    },
    SLOW,
  );

  test("sees which look comes early, to make sure of what the last one saw", async () => {
    await signIn(page, service);
    const nextAfter = async (hours: number) => {
      await page.route(/\/console\/admin\/watches(?:\?|$)/, async (route) => {
        const { watches, ...rest } = await (await route.fetch()).json();
        const early = watches.map((watch: { last_scan_at: string }) => ({
          ...{ ...watch, last_outcome: "unchanged", every_hours: 24 },
          next_scan_at: new Date(Date.parse(watch.last_scan_at) + hours * 3_600_000).toISOString(),
        }));
        await route.fulfill({ json: { ...rest, watches: early } });
      });
      await page.goto("/operator/watches");
      return (await page.getByText(/Every day, next/).textContent()) ?? "";
    };
    expect(await nextAfter(1)).toEndWith(" UTC to make sure");
    expect(await nextAfter(24)).toEndWith(" UTC");
  });

  test("tells an endpoint, which is tested, has its secret shown once, and is removed", async () => {
    await signIn(page, service);
    await page.goto("/operator/webhooks");
    await page.getByLabel("Address that is told").fill("ftp://hooks.brightpine.test");
    await button("Add").click();
    await page.locator("[aria-invalid=true]").waitFor();
    const url = `${service.listener}mine`;
    await page.getByLabel("Address that is told").fill(url);
    await button("Add").click();
    expect(await page.locator(".secret code").textContent()).toMatch(/^whsec_/);
    const row = page.getByRole("listitem").filter({ hasText: url });
    await row.getByRole("button", { name: /Send a test/ }).click();
    await row.getByText(/It last took one/).waitFor();
    await row.getByRole("button", { name: /Remove/ }).click();
    await row.getByRole("button", { name: "Yes, tell it no more" }).click();
    await row.waitFor({ state: "detached" });
  });

  test("corrects a company, told what is wrong at its field, and merges two", async () => {
    await signIn(page, service);
    await page.goto("/operator/companies");
    await page.getByLabel("Name or domain").fill("zulip");
    await page.getByRole("link", { name: /^Zulip/ }).click();
    await page.getByLabel("Domain").fill("no domain");
    await button("Save").click();
    await page.locator("[aria-invalid=true]").waitFor();
    await page.getByLabel("Domain").fill("zulip.test");
    await page.getByLabel("Short name in addresses").fill("zulip-chat");
    await button("Save").click();
    await page.waitForURL(/companies\/zulip-chat$/);
    expect(await page.getByLabel("Domain").inputValue()).toBe("zulip.test");
    await page.getByLabel("The company that stays").fill("volcano");
    await button(/^Volcano/).click();
    await see("It cannot be undone.");
    await button("Merge into Volcano").click();
    await page.getByRole("heading", { level: 2, name: "Volcano" }).waitFor();
    expect((await service.manage("companies?q=zulip")).total).toBe(0);
  });

  test(
    "chooses another model, sees how far it is, and when it has taken over",
    async () => {
      await signIn(page, service);
      await page.goto("/operator/models");
      const tiny = page.getByRole("listitem").filter({ hasText: "tiny" });
      await tiny.getByRole("button", { name: /Use/ }).click();
      await button("Yes, embed everything with it").click();
      await tiny.getByText("In use").waitFor({ timeout: 45_000 });
      expect((await service.manage("models")).progress).toBeNull();
    },
    SLOW,
  );
});

describe("a review", () => {
  const open = async () => {
    await signIn(page, service);
    await page.goto("/operator/studies?company=tidewell");
    await page.getByRole("link", { name: ALDERBROOK }).click();
    await field("Title").waitFor();
  };

  test("begins with what was read with least confidence, and is narrowed without a key", async () => {
    await signIn(page, service);
    await page.goto("/operator/studies");
    await see("330 case studies");
    expect(await page.locator(".row-link .tag").first().textContent()).toMatch(/\d+ % sure/);
    await page.getByLabel("Industry").selectOption("Food & Beverage");
    await page.waitForURL(/industry=Food/);
    await page.getByLabel("Vendor").fill("tidewell");
    await page.waitForURL(/company=tidewell/);
    await page.getByRole("link", { name: ALDERBROOK }).click();
    await page.getByRole("link", { name: "All to review" }).click();
    expect(new URL(page.url()).searchParams.get("company")).toBe("tidewell");
  });

  test("shows the sentence that a field stands on, in the source too", async () => {
    await open();
    await field("Outcomes").getByLabel("Value").last().focus();
    const sentence = "Delivery costs fell by 23% within the first year.";
    expect(await page.locator(".source-text mark").textContent()).toBe(sentence);
    expect(await field("Outcomes").locator("blockquote").textContent()).toContain(sentence);
    await field("Country").getByLabel("Country").focus();
    expect(await page.locator(".source-text mark", { hasText: sentence }).count()).toBe(0);
  });

  test("says at the field what is wrong, saves what is right, and takes it back", async () => {
    await open();
    const country = field("Country").getByLabel("Country");
    const before = await country.inputValue();
    await country.fill("Nowhere");
    await button("Save country").click();
    await field("Country").getByRole("alert").waitFor();
    expect(await country.getAttribute("aria-invalid")).toBe("true");
    await country.fill("FI");
    await button("Save country").click();
    await see("Corrected by hand: country.");
    expect(await country.inputValue()).toBe("FI");
    await page.reload();
    await field("Country").getByText("Corrected by hand").waitFor();
    await button("Take correction back of country").click();
    await see("Nothing was corrected.");
    expect(await country.inputValue()).toBe(before);
    await field("Country")
      .getByText(/Read from the page/)
      .waitFor();
  });

  test("corrects outcomes row by row, and a client without a domain that is none", async () => {
    await open();
    const outcomes = field("Outcomes");
    const rows = await outcomes.getByLabel("What was measured").count();
    await button("Add an outcome").click();
    await button("Save outcomes").click();
    await outcomes.getByRole("alert").first().waitFor();
    await outcomes.getByLabel("What was measured").last().fill("waste");
    await outcomes.getByLabel("Direction").last().selectOption("decrease");
    await outcomes.getByLabel("Value").last().fill("31");
    await outcomes.getByLabel("Unit").last().fill("%");
    await outcomes.getByLabel("As the source states it").last().fill("31% less is thrown away");
    await button("Save outcomes").click();
    await see("Corrected by hand: outcomes.");
    await button(`Remove outcome ${rows + 1}`).click();
    await button("Undo").click();
    expect(await outcomes.getByLabel("Value").last().inputValue()).toBe("31");
    await field("Client").getByLabel("Client's domain").fill("no domain");
    await button("Save client").click();
    await field("Client").getByRole("alert").waitFor();
    await button("Undo").click();
    await button("Take correction back of outcomes").click();
    await see("Nothing was corrected.");
    expect(await outcomes.getByLabel("What was measured").count()).toBe(rows);
  });
});
