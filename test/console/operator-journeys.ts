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
    await see("Invalid operator token");
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

  test("sees what the service did, over a day and over a month, as charts and as tables", async () => {
    await signIn(page, service);
    await page.getByRole("img", { name: /^\d+ requests: 96 values of Requests/ }).waitFor();
    await page.getByText(/^Latency, p50 \/ p95: \d/).waitFor();
    await page.getByRole("radio", { name: "30 days" }).check();
    await page.waitForURL(/range=30d/);
    await page.getByRole("img", { name: /^\d+ scans: 120 values of Scans/ }).waitFor();
    await button(/^Show table of \d+ scans/).click();
    const scans = await page
      .getByRole("region", { name: /scans$/ })
      .locator("td")
      .allTextContents();
    expect(scans.map(Number).reduce((all, count) => all + count)).toBeGreaterThan(0);
    await page.reload();
    await page.getByRole("radio", { name: "30 days", checked: true }).waitFor();
  });

  test("sees the error of a page that fails on that page only", async () => {
    // The failure is intended: without this it would count as a defect of the page.
    await page.addInitScript(() => addEventListener("error", (event) => event.preventDefault()));
    await page.route(/\/console\/admin\/jobs/, (route) => route.fulfill({ json: { jobs: [null], total: 1 } }));
    await signIn(page, service);
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.getByRole("main").getByRole("alert").waitFor();
    await page.getByRole("link", { name: "Keys", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
    await page.getByRole("main").locator("tbody tr").first().waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("previews a submission and rejects it", async () => {
    await signIn(page, service);
    await page.getByRole("link", { name: "Submissions", exact: true }).click();
    await page.getByRole("link", { name: /Tidewell again/ }).click();
    await see(/Preview: \d+ case studies/);
    await page.getByLabel("Reason for rejection").fill("These are here already.");
    await button("Reject").click();
    await see("These are here already.");
    await see("This submission is decided.");
  });

  test(
    "lists jobs, sets a limit, lists scans, and creates a backup",
    async () => {
      await signIn(page, service);
      await page.goto("/operator/jobs?state=done");
      await see("Structure");
      await page
        .getByRole("link", { name: /^tidewell\.test\/customers\/\w/ })
        .first()
        .waitFor();
      await page.goto("/operator/keys");
      await page.getByLabel("Monthly limit of person1@brightpine.test").fill("500000");
      await button("Save").click();
      await button("Save").waitFor({ state: "detached" });
      await page.goto("/operator/scans");
      await page.getByRole("link", { name: "harbourline.test" }).waitFor();
      await page.goto("/operator/backups");
      await button("Create backup").click();
      await page.getByRole("cell", { name: "Manual" }).first().waitFor();
    },
    SLOW,
  );

  test("finds a tool, and reads its rules and latest detections", async () => {
    await signIn(page, service);
    await page.goto("/operator/fingerprints");
    await page.getByLabel("Tool", { exact: true }).fill("strip");
    await page.waitForURL(/q=strip/);
    await page.getByRole("link", { name: "Stripe", exact: true }).click();
    await see("Payment pages under the company's own name.");
    await button("harbourline.test").click();
    await see("hosted-checkout.stripecdn.com");
    await page.getByRole("link", { name: "Stripe at harbourline.test" }).waitFor();
  });

  test("reports a false positive, and is read what became of it", async () => {
    await signIn(page, service);
    await page.goto("/operator/fingerprints");
    await page.getByLabel("Domain").fill("harbourline.test");
    await page.getByLabel("Tool not in use").fill("Zoom");
    await page.keyboard.press("Enter");
    await see("Zoom is no longer listed for harbourline.test.");
    expect(await page.evaluate<string>("document.activeElement.textContent")).toStartWith("Zoom is no longer listed");
    await button("Remove the report of Zoom at harbourline.test").click();
    await button("Remove the report of Zoom at harbourline.test").waitFor({ state: "detached" });
  });

  test("sees the status of data sources and their external services", async () => {
    await signIn(page, service);
    await page.goto("/operator/sources");
    // No browser renders pages here, so it is always skipped.
    await see(/Last \d+ scans: \d+ work · 1 skipped \(Browser: no scan\.browser_url\)\./);
    const logs = page.getByRole("row").filter({ has: button("Certificate logs") });
    await logs.getByRole("cell", { name: /^\d+ on$/ }).waitFor();
    expect(await page.getByText("crt.sh").count()).toBe(0);
    await button("Certificate logs").press("Enter");
    await see("crt.sh");
    await see(/^\d+ signals found/);
    await button("Certificate logs").press("Enter");
    await page.getByText("crt.sh").waitFor({ state: "detached" });
  });

  test("lists emails by state, and opens the submission of one", async () => {
    await signIn(page, service);
    await page.goto("/operator/mails");
    await see(/^\d+ emails$/);
    await page.getByLabel("State").selectOption("failed");
    await see("No emails");
    await page.goBack();
    await see(/^\d+ emails$/);
    expect(await page.getByLabel("State").inputValue()).toBe("");
    await page.getByLabel("State").selectOption("waiting");
    await page.getByRole("link", { name: /The case studies of Tidewell were approved/ }).click();
    await see(/Preview: /);
  });

  test(
    "watches a domain, sees the changes at another, and removes the watch",
    async () => {
      await signIn(page, service);
      await page.goto("/operator/watches");
      await page.getByRole("row", { name: /^Stripe Appeared brightpine\.test/ }).waitFor();
      await page.getByLabel("Company domain").fill("no domain");
      await button("Watch").click();
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Company domain").fill("https://www.tidewell.test/x");
      await page.getByLabel("Interval").selectOption("24");
      await button("Watch").click();
      const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "tidewell.test", exact: true }) });
      await row.getByText(/Every day/).waitFor();
      await row.getByRole("button", { name: /Pause/ }).click();
      await row.getByText("Paused").waitFor();
      await row.getByRole("button", { name: /Remove/ }).click();
      await row.getByRole("button", { name: "Confirm removal" }).click();
      await row.waitFor({ state: "detached" });
    },
    SLOW,
  );

  test("sees which rescan is early, to verify the last one", async () => {
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
      const row = page.getByRole("row", { name: /^brightpine\.test/ });
      await row.getByRole("cell", { name: "Every day" }).waitFor();
      return (await row.textContent()) ?? "";
    };
    expect(await nextAfter(1)).toContain(" to verify");
    expect(await nextAfter(24)).not.toContain("to verify");
  });

  test("adds a webhook, whose secret is shown once, tests it and removes it", async () => {
    await signIn(page, service);
    await page.goto("/operator/webhooks");
    await page.getByLabel("Endpoint URL").fill("ftp://hooks.brightpine.test");
    await button("Add").click();
    await page.locator("[aria-invalid=true]").waitFor();
    const url = `${service.listener}mine`;
    await page.getByLabel("Endpoint URL").fill(url);
    await button("Add").click();
    expect(await page.locator(".secret code").textContent()).toMatch(/^whsec_/);
    const row = page.getByRole("row").filter({ hasText: url });
    await row.getByText("None yet").waitFor();
    await row.getByRole("button", { name: /Send test/ }).click();
    await row.getByText("None yet").waitFor({ state: "detached" });
    await row.getByRole("button", { name: /Remove/ }).click();
    await row.getByRole("button", { name: "Confirm removal" }).click();
    await row.waitFor({ state: "detached" });
  });

  test("corrects a vendor, with errors at their fields, and merges two", async () => {
    await signIn(page, service);
    await page.goto("/operator/companies");
    await page.getByLabel("Name or domain").fill("zulip");
    await page.getByRole("link", { name: /^Zulip/ }).click();
    await page.getByLabel("Domain").fill("no domain");
    await button("Save").click();
    await page.locator("[aria-invalid=true]").waitFor();
    await page.getByLabel("Domain").fill("zulip.test");
    await page.getByLabel("Slug").fill("zulip-chat");
    await button("Save").click();
    await page.waitForURL(/companies\/zulip-chat$/);
    expect(await page.getByLabel("Domain").inputValue()).toBe("zulip.test");
    await page.getByLabel("Merge into").fill("volcano");
    await button(/^Volcano/).click();
    await see("This cannot be undone.");
    await button("Merge into Volcano").click();
    await page.getByRole("heading", { level: 2, name: "Volcano" }).waitFor();
    expect((await service.manage("companies?q=zulip")).total).toBe(0);
  });

  test(
    "migrates to another model and sees when it is in use",
    async () => {
      await signIn(page, service);
      await page.goto("/operator/models");
      const tiny = page.getByRole("row", { name: /^tiny/ });
      await tiny.getByRole("button", { name: /Use/ }).click();
      await button("Confirm migration").click();
      await tiny.getByText("In use", { exact: true }).waitFor({ timeout: 45_000 });
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

  test("starts with the lowest confidence, and is filtered without a key", async () => {
    await signIn(page, service);
    await page.goto("/operator/studies");
    await see("330 case studies");
    expect(await page.locator("tbody .tag").first().textContent()).toMatch(/\d+%/);
    await page.getByLabel("Industry").selectOption("Food & Beverage");
    await page.waitForURL(/industry=Food/);
    await page.getByLabel("Vendor").fill("tidewell");
    await page.waitForURL(/company=tidewell/);
    await page.getByRole("link", { name: ALDERBROOK }).click();
    await page.getByRole("link", { name: "All case studies" }).click();
    expect(new URL(page.url()).searchParams.get("company")).toBe("tidewell");
  });

  test("highlights the source sentence of the focused field", async () => {
    await open();
    const sentence = "Delivery costs fell by 23% within the first year.";
    const rows = field("Outcomes").getByLabel("Value");
    for (let row = 0; row < (await rows.count()); row++) {
      await rows.nth(row).focus();
      if ((await page.locator(".source-text mark").textContent()) === sentence) break;
    }
    expect(await page.locator(".source-text mark").textContent()).toBe(sentence);
    expect(await field("Outcomes").locator("blockquote").textContent()).toContain(sentence);
    await field("Country").getByLabel("Country").focus();
    expect(await page.locator(".source-text mark", { hasText: sentence }).count()).toBe(0);
  });

  test("shows an error at its field, saves a correction and reverts it", async () => {
    await open();
    const country = field("Country").getByLabel("Country");
    const before = await country.inputValue();
    await country.fill("Nowhere");
    await button("Save country").click();
    await field("Country").getByRole("alert").waitFor();
    expect(await country.getAttribute("aria-invalid")).toBe("true");
    await country.fill("FI");
    await button("Save country").click();
    await see("Corrected: country.");
    expect(await country.inputValue()).toBe("FI");
    await page.reload();
    await field("Country").getByText("Corrected", { exact: true }).waitFor();
    await button("Revert country").click();
    await see("No corrections.");
    expect(await country.inputValue()).toBe(before);
    await field("Country")
      .getByText(/Extracted from the page/)
      .waitFor();
  });

  test("corrects outcomes row by row, and rejects an invalid client domain", async () => {
    await open();
    const outcomes = field("Outcomes");
    const rows = await outcomes.getByLabel("Metric").count();
    await button("Add outcome").click();
    await button("Save outcomes").click();
    await outcomes.getByRole("alert").first().waitFor();
    await outcomes.getByLabel("Metric").last().fill("waste");
    await outcomes.getByLabel("Direction").last().selectOption("decrease");
    await outcomes.getByLabel("Value").last().fill("31");
    await outcomes.getByLabel("Unit").last().fill("%");
    await outcomes.getByLabel("Source sentence").last().fill("31% less is thrown away");
    await button("Save outcomes").click();
    await see("Corrected: outcomes.");
    await button(`Remove outcome ${rows + 1}`).click();
    await button("Undo").click();
    expect(await outcomes.getByLabel("Value").last().inputValue()).toBe("31");
    await field("Client").getByLabel("Client domain").fill("no domain");
    await button("Save client").click();
    await field("Client").getByRole("alert").waitFor();
    await button("Undo").click();
    await button("Revert outcomes").click();
    await see("No corrections.");
    expect(await outcomes.getByLabel("Metric").count()).toBe(rows);
  });
});

describe("several operators", () => {
  /** Signs in with a link in a browser of its own, by the keyboard. */
  async function signInBy(link: string): Promise<Page> {
    const browser = context.browser();
    if (!browser) throw new Error("the context has no browser");
    const other = await browser.newContext({ baseURL: service.url });
    const opened = await other.newPage();
    await opened.goto(`/operator${new URL(link).hash}`);
    await opened.getByText("This link signs you in").waitFor();
    // The secret is in the address no more.
    expect(opened.url()).toBe(`${service.url}/operator`);
    await opened.getByRole("button", { name: "Sign in" }).press("Enter");
    await opened.getByRole("button", { name: "Sign out" }).or(opened.getByRole("alert")).first().waitFor();
    return opened;
  }

  test(
    "are invited by a link that works once, see what their role allows, and are removed",
    async () => {
      await signIn(page, service);
      await page.getByRole("link", { name: "Operators", exact: true }).click();
      const form = field("Invite an operator");
      await form.getByLabel("Name").fill("Bo Quarry");
      await form.getByLabel("Role").selectOption("reviewer");
      await form.getByRole("button", { name: "Invite" }).press("Enter");
      const invitation = page.getByRole("status", { name: "Sign-in link" });
      await invitation.getByText("Give this link to Bo Quarry").waitFor();
      const link = (await invitation.textContent())?.match(/http\S+?#link=\w{40}/)?.[0] ?? "";

      const bo = await signInBy(link);
      try {
        await bo.getByText("Bo Quarry, reviewer").waitFor();
        const names = await bo.getByRole("navigation", { name: "Operator" }).getByRole("link").allTextContents();
        expect(names).toContain("Submissions");
        expect(names).not.toContain("Operators");
        await bo.goto("/operator/audit");
        await bo.getByText("This needs the role admin, and yours is reviewer").waitFor();
        const again = await signInBy(link);
        await again.getByText("This link was used, has expired").waitFor();
        await again.context().close();

        await page.getByLabel("Role of Bo Quarry").selectOption("admin");
        await bo.reload();
        await bo
          .getByRole("row", { name: /Bo Quarry.*GET \/admin\/audit.*Refused/ })
          .first()
          .waitFor();
        await page
          .getByRole("row", { name: /Bo Quarry/ })
          .getByRole("button", { name: /^Remove/ })
          .click();
        await button("Confirm removal").click();
        await page.getByRole("row", { name: /Bo Quarry/ }).waitFor({ state: "detached" });
        await bo.reload();
        await bo.getByLabel("Operator token").waitFor();
      } finally {
        await bo.context().close();
      }
    },
    SLOW,
  );

  test(
    "see only the controls that their role may use, and why the others are missing",
    async () => {
      const pages = [
        "submissions",
        "studies",
        "companies",
        "models",
        "watches",
        "fingerprints",
        "jobs",
        "keys",
        "backups",
      ];
      /** On each page: the note, and every control that changes something. */
      const controlsFor = async (role: string) => {
        const name = `A ${role}`;
        const { link } = await service.manage("operators", "POST", { name, role });
        const signedIn = await signInBy(String(link));
        try {
          const found: Record<string, { readonly note: boolean; readonly controls: number }> = {};
          for (const each of pages) {
            await signedIn.goto(`/operator/${each}`);
            await signedIn.locator(".operator-page :is(table, .empty)").first().waitFor();
            const main = signedIn.locator(".operator-page");
            const note = main.getByText(`and yours is ${role}.`);
            const controls = main
              .locator("button:not(.page-head *, .row-open), form, td input")
              .filter({ hasNotText: "Show more" });
            found[each] = { note: (await note.count()) > 0, controls: await controls.count() };
          }
          await signedIn.goto("/operator/submissions");
          await signedIn
            .getByRole("link", { name: /^Tidewell/ })
            .first()
            .click();
          await signedIn.getByText("Preview: ").waitFor();
          const canDecide = (await signedIn.getByRole("heading", { name: "Decision" }).count()) > 0;
          return { found, canDecide };
        } finally {
          await signedIn.context().close();
          await service.manage(`operators/${encodeURIComponent(name)}`, "DELETE");
        }
      };
      const reader = await controlsFor("reader");
      expect(reader.canDecide).toBeFalse();
      expect(Object.entries(reader.found).filter(([, { note, controls }]) => !note || controls > 0)).toEqual([]);
      const reviewer = await controlsFor("reviewer");
      expect(reviewer.canDecide).toBeTrue();
      const open = Object.entries(reviewer.found).flatMap(([each, { note }]) => (note ? [] : each));
      expect(open).toEqual(["submissions", "studies", "fingerprints"]);
      expect(reviewer.found.fingerprints?.controls).toBeGreaterThan(0);
      expect(reviewer.found.keys?.controls).toBe(0);
    },
    SLOW,
  );

  test(
    "have sessions that an admin ends, and an audit trail that is filtered and exported",
    async () => {
      const { link } = await service.manage("operators/Ana%20Bright/link", "POST");
      const ana = await signInBy(String(link));
      try {
        await signIn(page, service);
        await page.goto("/operator/sessions");
        await page.getByRole("row", { name: /operator token this browser/ }).waitFor();
        const row = page.getByRole("row", { name: /^Ana Bright/ });
        await row.getByRole("button", { name: /^End/ }).click();
        await row.getByRole("button", { name: "Confirm end" }).click();
        await row.waitFor({ state: "detached" });
        await ana.reload();
        await ana.getByLabel("Operator token").waitFor();
      } finally {
        await ana.context().close();
      }
      await page.goto("/operator/audit");
      await page
        .getByRole("row", { name: /DELETE \/admin\/sessions\/:session/ })
        .first()
        .waitFor();
      await page.getByRole("textbox", { name: "Operator" }).fill("Ana Bright");
      await page.waitForURL(/operator=Ana/);
      await page
        .getByRole("row", { name: /DELETE/ })
        .first()
        .waitFor({ state: "detached" });
      await page
        .getByRole("row", { name: /Ana Bright.*sign in.*link.*Done/ })
        .first()
        .waitFor();
      const downloading = page.waitForEvent("download");
      await button("Export CSV").click();
      const file = await downloading;
      expect(file.suggestedFilename()).toBe("casefile-audit.csv");
      const text = await Bun.file(await file.path()).text();
      expect(text).toMatch(/^at,operator,role,by,action,target,status,client,session\r\n20\S+,Ana Bright,/);
    },
    SLOW,
  );
});
