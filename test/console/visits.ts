import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Watch } from "../../src/watches/types.ts";
import { until } from "../services/boxed-app.ts";
import { type Service, STRIPE, worldWith } from "./running.ts";

export interface View {
  readonly name: string;
  readonly options: BrowserContextOptions;
}

/** How every page is shown. */
export const VIEWS: readonly View[] = [
  { name: "light", options: { viewport: { width: 1280, height: 860 }, colorScheme: "light" } },
  { name: "dark", options: { viewport: { width: 1280, height: 860 }, colorScheme: "dark" } },
  { name: "phone", options: { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true } },
];

export interface Visit {
  readonly name: string;
  readonly path: string;
  /** Without an API key. */
  readonly keyless?: boolean;
  /** Signed in as the operator. */
  readonly operator?: boolean;
  /** Resolves when the page shows the state to check. */
  readonly ready: (page: Page) => Promise<unknown>;
}

/** Some row of a table is there: of a list whose rows depend on what ran before. */
const listed = (page: Page) => page.locator("tbody tr").first().waitFor();
const seen = (text: string) => (page: Page) => page.getByText(text, { exact: false }).first().waitFor();

/** Every page of the console in its main states. */
export const VISITS: readonly Visit[] = [
  { name: "home", path: "/", keyless: true, ready: seen("Included case studies") },
  { name: "example", path: "/lookup/harbourline.example", keyless: true, ready: seen("Coverage") },
  {
    name: "evidence",
    path: "/lookup/harbourline.example?tool=Stripe",
    keyless: true,
    ready: (page) => page.getByRole("button", { name: "Copy proof" }).waitFor(),
  },
  {
    name: "example-table",
    path: "/lookup/harbourline.example",
    keyless: true,
    async ready(page) {
      await page.getByRole("button", { name: "Table view" }).click();
      await page.getByRole("columnheader", { name: "Confidence" }).waitFor();
    },
  },
  { name: "timeline", path: "/lookup/brightpine.test?tab=timeline", ready: seen("One day of observations") },
  { name: "changes", path: "/lookup/brightpine.test?tab=changes", ready: seen("1 change in 2 observations") },
  { name: "coverage", path: "/lookup/harbourline.example?tab=coverage", keyless: true, ready: seen("Coverage") },
  { name: "proof", path: "/lookup/harbourline.example?tab=proof", ready: seen("Best 10 of") },
  {
    name: "compare-stacks",
    path: "/lookup/harbourline.example?with=harbourline.test",
    ready: seen("in common"),
  },
  {
    name: "palette",
    path: "/",
    async ready(page) {
      await page.getByText("Included case studies").waitFor();
      await page.keyboard.press("/");
      await page.getByRole("combobox", { name: /Search companies/ }).fill("strip");
      await page
        .getByRole("option", { name: /Stripe/ })
        .first()
        .waitFor();
    },
  },
  {
    name: "menu",
    path: "/tools",
    async ready(page) {
      const menu = page.getByRole("button", { name: "Menu" });
      const link = page.getByRole("link", { name: /^Vendors/ });
      await page.locator("h1").waitFor();
      if (await menu.isVisible()) await menu.click();
      await link.waitFor();
    },
  },
  { name: "key-needed", path: "/studies", keyless: true, ready: seen("API key required") },
  { name: "lookup", path: "/lookup/harbourline.test", ready: seen("Coverage") },
  { name: "studies", path: "/studies", ready: seen("newest first") },
  { name: "search", path: "/studies?q=cut+the+cost+of+the+cloud", ready: seen("best match") },
  {
    name: "answer",
    path: "/studies?q=how+much+did+companies+save+on+infrastructure&view=answer",
    ready: (page) => page.getByRole("listitem").filter({ hasText: "→" }).first().waitFor(),
  },
  { name: "nothing-found", path: "/studies?country=AQ", ready: seen("No case studies found") },
  { name: "study", path: "/studies/apache-beam--paloalto", ready: seen("Original at") },
  { name: "tools", path: "/tools", ready: (page) => page.getByText(/^[\d,]+ tools$/).waitFor() },
  { name: "tool", path: "/tools/zendesk", ready: seen("Others in Customer Support") },
  {
    name: "query",
    path: "/query?all=stripe&none=category:CRM",
    ready: (page) => page.getByText("compan").nth(2).waitFor(),
  },
  { name: "query-empty", path: "/query", ready: seen("Ask which companies use a tool") },
  { name: "lists", path: "/lists", ready: seen("No lists yet") },
  { name: "companies", path: "/companies", ready: seen("32 vendors") },
  { name: "company", path: "/companies/apache-beam", ready: seen("Reported outcomes") },
  { name: "compare", path: "/compare?c=kubernetes,prometheus,apache-beam", ready: seen("Notable clients") },
  { name: "compare-empty", path: "/compare", ready: seen("No vendors selected") },
  { name: "key-sign-up", path: "/key", keyless: true, ready: seen("Quick start") },
  { name: "key", path: "/key", ready: seen("requests used") },
  { name: "submit", path: "/submit", keyless: true, ready: seen("No key is needed") },
  {
    name: "try-page",
    path: "/submit",
    async ready(page) {
      await page.getByLabel("Address of the page").fill("https://quayline.example/stories/brackwater");
      await page
        .getByLabel("Or paste its text")
        .fill(
          "# How Brackwater cut waiting time\n\nBrackwater is a Dutch online retailer that sells garden tools in four countries. Its team uses PostgreSQL and Kafka, and cut waiting time by 40%. Customers get an answer on the same day, and nobody works at night.",
        );
      await page.getByRole("button", { name: "Read page" }).click();
      await page.getByRole("columnheader", { name: "Sentence" }).waitFor({ state: "attached" });
    },
  },
  { name: "reference", path: "/docs", keyless: true, ready: seen("Enrichment") },
  {
    name: "operation",
    path: "/docs/searchCaseStudies",
    async ready(page) {
      await page.getByText("Example").first().click();
      await page.getByText("Fields").first().click();
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText(/^Answered in/).waitFor();
    },
  },
  { name: "operator-sign-in", path: "/operator", keyless: true, ready: seen("The first start") },
  {
    name: "operator",
    path: "/operator",
    operator: true,
    async ready(page) {
      await page.getByText("Submissions to review").waitFor();
      await page.getByRole("img", { name: /^Latency/ }).waitFor();
    },
  },
  {
    name: "operator-activity",
    path: "/operator?range=30d",
    operator: true,
    async ready(page) {
      await page.getByRole("button", { name: /^Show table of Queue depth/ }).click();
      await page.getByRole("columnheader", { name: "Waiting jobs" }).waitFor();
    },
  },
  {
    name: "operator-submissions",
    path: "/operator/submissions",
    operator: true,
    ready: seen("tidewell.test/customers"),
  },
  {
    name: "operator-submission",
    path: "/operator/submissions",
    operator: true,
    async ready(page) {
      await page.getByText("Tidewell").first().click();
      await page.getByText("Preview: ").waitFor();
    },
  },
  { name: "operator-studies", path: "/operator/studies", operator: true, ready: seen("Least certain") },
  {
    name: "operator-study",
    path: "/operator/studies?company=tidewell",
    operator: true,
    async ready(page) {
      await page.getByRole("link", { name: "Alderbrook Foods" }).click();
      await page.getByLabel("Metric").last().focus();
      await page.locator(".source-text mark").first().waitFor();
    },
  },
  {
    name: "operator-companies",
    path: "/operator/companies",
    operator: true,
    ready: (page) =>
      page
        .getByText(/\d+ vendors/)
        .first()
        .waitFor(),
  },
  {
    name: "operator-company",
    path: "/operator/companies/kubernetes",
    operator: true,
    async ready(page) {
      await page.getByLabel("Merge into").fill("apache");
      await page.getByRole("list", { name: "Matching vendors" }).waitFor();
    },
  },
  {
    name: "operator-models",
    path: "/operator/models",
    operator: true,
    async ready(page) {
      await page.getByRole("button", { name: "Built-in model" }).click();
      await page.getByText("One vector per token").waitFor();
    },
  },
  { name: "operator-jobs", path: "/operator/jobs", operator: true, ready: seen("Attempts") },
  { name: "operator-keys", path: "/operator/keys", operator: true, ready: seen("Monthly limit") },
  { name: "operator-scans", path: "/operator/scans", operator: true, ready: seen("harbourline.test") },
  {
    name: "operator-fingerprints",
    path: "/operator/fingerprints",
    operator: true,
    async ready(page) {
      await seen("quarrymetrics-site-verification")(page);
      await page.getByRole("button", { name: "Okta", exact: true }).click();
      await page.getByText("Not applied at harbourline.test").waitFor();
    },
  },
  {
    name: "operator-fingerprint",
    path: "/operator/fingerprints/stripe",
    operator: true,
    async ready(page) {
      await page.getByRole("button", { name: "harbourline.test" }).click();
      await page.getByText("hosted-checkout.stripecdn.com").first().waitFor();
    },
  },
  { name: "operator-watches", path: "/operator/watches", operator: true, ready: seen("Stripe") },
  { name: "operator-webhooks", path: "/operator/webhooks", operator: true, ready: seen("status 204") },
  {
    name: "operator-sources",
    path: "/operator/sources",
    operator: true,
    async ready(page) {
      await page.getByRole("button", { name: "Tenants" }).click();
      await page.getByText("sources.tenant_lookups").waitFor();
    },
  },
  { name: "operator-mails", path: "/operator/mails", operator: true, ready: seen("mara@tidewell.test") },
  { name: "operator-nodes", path: "/operator/nodes", operator: true, ready: seen("answered this page") },
  { name: "operator-operators", path: "/operator/operators", operator: true, ready: seen("Ana Bright") },
  { name: "operator-sessions", path: "/operator/sessions", operator: true, ready: seen("this browser") },
  { name: "operator-audit", path: "/operator/audit", operator: true, ready: listed },
  {
    name: "operator-link",
    path: `/operator#link=${"a".repeat(40)}`,
    keyless: true,
    ready: seen("This link signs you in"),
  },
  { name: "operator-backups", path: "/operator/backups", operator: true, ready: seen("No backups") },
  { name: "not-found", path: "/nowhere/at/all", ready: seen("Page not found") },
  { name: "unknown-study", path: "/studies/no-such-study", ready: seen("No such case study") },
];

/** Opens a page in a new browser context, waits until it is ready, and closes it afterwards. */
export async function visited<T>(
  browser: Browser,
  service: Service,
  key: string,
  view: View,
  visit: Visit,
  check: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ ...view.options, baseURL: service.url, reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    if (!visit.keyless) await page.addInitScript((given) => sessionStorage.setItem("casefile.key", given), key);
    if (visit.operator) await signIn(page, service);
    await page.goto(visit.path);
    await visit.ready(page);
    const result = await check(page);
    if (errors.length > 0) throw new Error(`the page failed: ${errors.join("; ")}`);
    return result;
  } finally {
    await context.close();
  }
}

/**
 * Fills the service: a vendor with crawled case studies, a submission to review, a scanned domain, and a watched
 * domain that changed.
 */
export async function prepare(service: Service): Promise<string> {
  const key = await service.key();
  const crawled = await service.submit("Tidewell", "https://tidewell.test/customers");
  await service.manage(`submissions/${crawled}/approve`, "POST");
  await until(async () => (await service.manage(`submissions/${crawled}`)).state === "available");
  await service.submit("Tidewell again", "https://tidewell.test/customers?page=2");
  const headers = { "x-api-key": key };
  await (await fetch(`${service.url}/v1/enrich/harbourline.test`, { headers })).text();
  await service.manage("webhooks", "POST", { url: service.listener });
  await service.manage("operators", "POST", { name: "Ana Bright", role: "reviewer" });
  await service.manage("feedback", "POST", { domain: "harbourline.test", tool: "Okta" });
  await service.manage("watches/brightpine.test", "PUT", {});
  await until(async () => (await watched(service)).last_outcome === "baseline");
  service.box.describe(worldWith(STRIPE));
  service.makeDue();
  await service.manage("watches/brightpine.test", "PUT", {});
  await until(async () => (await watched(service)).last_outcome === "changed");
  return key;
}

/** The only watch. */
async function watched(service: Service): Promise<Partial<Watch>> {
  const { watches } = await service.manage("watches");
  return Array.isArray(watches) ? watches[0] : {};
}

export async function signIn(page: Page, service: Service): Promise<void> {
  await page.goto("/operator");
  await page.getByLabel("Operator token").fill(service.operatorToken);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}
