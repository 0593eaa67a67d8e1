import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Watch } from "../../src/watches/types.ts";
import { until } from "../services/boxed-app.ts";
import { type Service, STRIPE, worldWith } from "./running.ts";

export interface View {
  readonly name: string;
  readonly options: BrowserContextOptions;
}

/** Every page is looked at like this. */
export const VIEWS: readonly View[] = [
  { name: "light", options: { viewport: { width: 1280, height: 860 }, colorScheme: "light" } },
  { name: "dark", options: { viewport: { width: 1280, height: 860 }, colorScheme: "dark" } },
  { name: "phone", options: { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true } },
];

export interface Visit {
  readonly name: string;
  readonly path: string;
  /** Nobody is signed up; by default somebody is. */
  readonly keyless?: boolean;
  /** Signed in as the operator. */
  readonly operator?: boolean;
  /** What is done before the page is as it should be. */
  readonly ready: (page: Page) => Promise<unknown>;
}

const seen = (text: string) => (page: Page) => page.getByText(text, { exact: false }).first().waitFor();

/** Every page of the console, and the states of it that a person meets. */
export const VISITS: readonly Visit[] = [
  { name: "home", path: "/", keyless: true, ready: seen("From the case studies") },
  { name: "example", path: "/lookup/harbourline.example", keyless: true, ready: seen("What was checked") },
  {
    name: "evidence",
    path: "/lookup/harbourline.example?tool=Stripe",
    keyless: true,
    ready: (page) => page.getByRole("dialog").waitFor(),
  },
  { name: "key-needed", path: "/studies", keyless: true, ready: seen("This needs a key") },
  { name: "lookup", path: "/lookup/harbourline.test", ready: seen("What was checked") },
  { name: "studies", path: "/studies", ready: seen("newest first") },
  { name: "search", path: "/studies?q=cut+the+cost+of+the+cloud", ready: seen("best match") },
  { name: "nothing-found", path: "/studies?industry=nothing-of-the-kind", ready: seen("Nothing was found") },
  { name: "study", path: "/studies/apache-beam--paloalto", ready: seen("Where it is from") },
  { name: "companies", path: "/companies", ready: seen("companies") },
  { name: "company", path: "/companies/apache-beam", ready: seen("What customers report") },
  { name: "compare", path: "/compare?c=kubernetes,prometheus,apache-beam", ready: seen("Notable clients") },
  { name: "compare-empty", path: "/compare", ready: seen("Choose the first vendor") },
  { name: "key-sign-up", path: "/key", keyless: true, ready: seen("Quick start") },
  { name: "key", path: "/key", ready: seen("requests used") },
  { name: "submit", path: "/submit", keyless: true, ready: seen("No key is needed") },
  { name: "operator-sign-in", path: "/operator", keyless: true, ready: seen("Its first start") },
  { name: "operator", path: "/operator", operator: true, ready: seen("Submissions to review") },
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
      await page.getByText("What a crawl would find").waitFor();
    },
  },
  { name: "operator-studies", path: "/operator/studies", operator: true, ready: seen("% sure") },
  {
    name: "operator-study",
    path: "/operator/studies?company=tidewell",
    operator: true,
    async ready(page) {
      await page.getByRole("link", { name: "Alderbrook Foods" }).click();
      await page.getByLabel("What was measured").last().focus();
      await page.locator(".source-text mark").first().waitFor();
    },
  },
  { name: "operator-companies", path: "/operator/companies", operator: true, ready: seen("companies") },
  {
    name: "operator-company",
    path: "/operator/companies/kubernetes",
    operator: true,
    async ready(page) {
      await page.getByLabel("The company that stays").fill("apache");
      await page.getByRole("list", { name: "Companies found" }).waitFor();
    },
  },
  { name: "operator-models", path: "/operator/models", operator: true, ready: seen("The program's own") },
  { name: "operator-jobs", path: "/operator/jobs", operator: true, ready: seen("Attempts") },
  { name: "operator-keys", path: "/operator/keys", operator: true, ready: seen("Monthly limit") },
  { name: "operator-scans", path: "/operator/scans", operator: true, ready: seen("harbourline.test") },
  { name: "operator-fingerprints", path: "/operator/fingerprints", operator: true, ready: seen("Told wrongly") },
  {
    name: "operator-fingerprint",
    path: "/operator/fingerprints/stripe",
    operator: true,
    ready: seen("harbourline.test"),
  },
  { name: "operator-watches", path: "/operator/watches", operator: true, ready: seen("Stripe") },
  { name: "operator-webhooks", path: "/operator/webhooks", operator: true, ready: seen("answered 204") },
  { name: "operator-sources", path: "/operator/sources", operator: true, ready: seen("saw nothing") },
  { name: "operator-mails", path: "/operator/mails", operator: true, ready: seen("mara@tidewell.test") },
  { name: "operator-backups", path: "/operator/backups", operator: true, ready: seen("Make a backup now") },
  { name: "not-found", path: "/nowhere/at/all", ready: seen("There is no such page") },
  { name: "unknown-study", path: "/studies/no-such-study", ready: seen("No such case study") },
];

/** Opens a page in a browser of its own, as the visit wants it, and closes it after. */
export async function visited<T>(
  browser: Browser,
  service: Service,
  key: string,
  view: View,
  visit: Visit,
  look: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ ...view.options, baseURL: service.url, reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    const broken: string[] = [];
    page.on("pageerror", (error) => broken.push(String(error)));
    if (!visit.keyless) await page.addInitScript((given) => sessionStorage.setItem("casefile.key", given), key);
    if (visit.operator) await signIn(page, service);
    await page.goto(visit.path);
    await visit.ready(page);
    const found = await look(page);
    if (broken.length > 0) throw new Error(`the page broke: ${broken.join("; ")}`);
    return found;
  } finally {
    await context.close();
  }
}

/**
 * What the pages show: a vendor whose stories were crawled, another that waits, a company that was looked up, and one
 * that is watched and changed.
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
  await service.manage("watches/brightpine.test", "PUT", {});
  await until(async () => (await watched(service)).last_outcome === "baseline");
  service.box.describe(worldWith(STRIPE));
  service.makeDue();
  await service.manage("watches/brightpine.test", "PUT", {});
  await until(async () => (await watched(service)).last_outcome === "changed");
  return key;
}

/** The only domain that is watched. */
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
