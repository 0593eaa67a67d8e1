import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { CLIENT, openProvider, type Provider } from "../operators/provider.ts";
import { openBrowser, type Service, startService } from "./running.ts";

const SLOW = 120_000;
/** What the provider says about the person; a test changes it. */
const claims: Record<string, unknown> = {};

let provider: Provider;
let service: Service;
let browser: Browser;

beforeAll(async () => {
  provider = await openProvider({
    claims,
    answer: { "/authorise": (request) => Response.redirect(provider.authorise(request.url).href, 302) },
  });
  // The provider comes back to an address that is known before the service starts.
  const free = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(null) });
  const { port } = free;
  await free.stop(true);
  service = await startService([
    ...["--port", String(port), "--server-public-url", `http://127.0.0.1:${port}`],
    ...["--operators-oidc-issuer", provider.issuer, "--operators-oidc-client-id", CLIENT.id],
    ...["--operators-oidc-client-secret", CLIENT.secret, "--operators-oidc-role-claim", "groups"],
    ...["--operators-oidc-roles", "staff=reviewer"],
  ]);
  browser = await openBrowser();
}, SLOW);

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await provider?.stop();
});

/** Starts at the page Operator with the button of the identity provider, by the keyboard. */
async function atProvider(work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ baseURL: service.url });
  try {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) errors.push(message.text());
    });
    await page.goto("/operator");
    await page.getByRole("button", { name: "Sign in with your identity provider" }).press("Enter");
    await work(page);
    expect(errors).toEqual([]);
  } finally {
    await context.close();
  }
}

test(
  "an operator signs in at the identity provider, with the role that it gives, and out again",
  async () => {
    await atProvider(async (page) => {
      await page.getByText("Ana Bright, reviewer").waitFor();
      // No code or state stays in the address or in a script's reach.
      expect(page.url()).toBe(`${service.url}/operator`);
      expect(await page.evaluate("document.cookie + localStorage.length + sessionStorage.length")).toBe("00");
      const [cookie] = await page.context().cookies(`${service.url}/console/`);
      expect(cookie).toMatchObject({ name: "casefile_operator", httpOnly: true, sameSite: "Strict" });
      expect((await service.manage("sessions")).sessions).toMatchObject([
        { operator: "Ana Bright", role: "reviewer", way: "identity_provider" },
      ]);
      await page.reload();
      await page.getByText("Ana Bright, reviewer").waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in with your identity provider" }).waitFor();
      expect((await service.manage("sessions")).total).toBe(0);
    });
  },
  SLOW,
);

test(
  "whoever has no role there is told whom to ask",
  async () => {
    claims.groups = ["visitors"];
    await atProvider(async (page) => {
      await page.getByRole("alert").getByText("Your account has no role here: ask an admin to invite you.").waitFor();
      expect((await service.manage("sessions")).total).toBe(0);
    });
  },
  SLOW,
);

test(
  "a provider whose token is not valid signs nobody in",
  async () => {
    claims.groups = ["staff"];
    claims.aud = "another-client";
    await atProvider(async (page) => {
      await page.getByRole("alert").getByText("The identity provider did not confirm the sign-in.").waitFor();
      expect((await service.manage("sessions")).total).toBe(0);
    });
  },
  SLOW,
);
