import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { COMMAND } from "../../src/accounts/roles.ts";
import { NETWORK_DEFAULTS } from "../../src/net/client.ts";
import { openProviderFetch } from "../../src/net/provider-fetch.ts";
import { CALLBACK_PATH, createOidcSignIn, FLOW_SECONDS, type OidcSettings } from "../../src/operators/oidc.ts";
import { problemOf } from "../http/opened.ts";
import { CLIENT, openProvider, type Provider } from "./provider.ts";
import { FROM_CONSOLE, opened } from "./signed-in.ts";

const REDIRECT = `http://casefile.test${CALLBACK_PATH}`;

/** Casefile with a provider, and a browser that goes to it and comes back. */
async function withProvider(
  changes: Parameters<typeof openProvider>[0],
  settings: Partial<OidcSettings>,
  work: (parts: Awaited<ReturnType<typeof connected>>) => Promise<void>,
) {
  const provider = await openProvider(changes);
  const network = openProviderFetch(provider.issuer, NETWORK_DEFAULTS);
  try {
    await work(await connected(provider, network, settings));
  } finally {
    network.close();
    await provider.stop();
  }
}

async function connected(
  provider: Provider,
  network: ReturnType<typeof openProviderFetch>,
  settings: Partial<OidcSettings>,
) {
  let late = 0;
  const oidc = createOidcSignIn(
    {
      ...{ issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, scopes: ["openid", "email"] },
      ...{ roleClaim: null, roles: [], emails: [], redirectUrl: REDIRECT },
      ...settings,
    },
    network,
    () => Date.now() + late,
  );
  const service = await opened({ oidc });
  const start = async () => {
    const response = await service.ask("/console/session/provider", { method: "POST", headers: FROM_CONSOLE });
    return { response, cookie: service.cookieOf(response) };
  };
  const comeBack = (address: URL, cookie: string) =>
    service.ask(address.pathname + address.search, { headers: { cookie, "sec-fetch-site": "cross-site" } });
  return {
    ...service,
    provider,
    start,
    comeBack,
    wait: (seconds: number) => (late += seconds * 1_000),
    async signIn() {
      const { response, cookie } = await start();
      return await comeBack(provider.authorise((await service.json(response)).url), cookie);
    },
  };
}

const GROUPS = {
  roleClaim: "groups",
  roles: [
    { value: "staff", role: "reader" },
    { value: "casefile-admins", role: "admin" },
  ],
} as const;

const whereTo = (response: Response) => [response.status, response.headers.get("location")];
const sessionCookie = (response: Response) =>
  response.headers.getSetCookie().find((cookie) => cookie.startsWith("casefile_operator="));

describe("sign-in at an identity provider", () => {
  test("opens a session with the role of a claim", async () => {
    await withProvider({}, GROUPS, async ({ signIn, provider, operators, browserOf, json, start, auditOf }) => {
      const response = await signIn();
      expect(whereTo(response)).toEqual([303, "/operator"]);
      const cookie = sessionCookie(response) ?? "";
      expect(cookie).toMatch(
        /^casefile_operator=[\w-]{43}; Path=\/console\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
      );
      expect(response.headers.getSetCookie()[1]).toMatch(/^casefile_sign_in=; .*Max-Age=0;/);
      const { ask } = browserOf(cookie.split(";")[0] ?? "");
      expect(await json(await ask("/console/session"))).toMatchObject({
        operator: { name: "Ana Bright", role: "reader" },
      });
      expect((await operators.list()).operators).toMatchObject([
        { name: "Ana Bright", email: "ana@brightpine.test", role: "reader", provisioned: true, sessions: 1 },
      ]);
      expect((await auditOf())[0]).toMatchObject({ action: "sign in", target: "identity_provider" });
      // A second time it is the same operator.
      await signIn();
      expect((await operators.list()).total).toBe(1);
      const asked = new URL((await json((await start()).response)).url).searchParams;
      expect([asked.get("redirect_uri"), asked.get("code_challenge_method")]).toEqual([REDIRECT, "S256"]);
      expect(provider.requests.filter(({ path }) => path === "/token")[0]?.form.get("redirect_uri")).toBe(REDIRECT);
    });
  });

  test.each([
    ["the highest of several roles", { groups: ["staff", "casefile-admins", 7, null] }, GROUPS, "admin"],
    [
      "a claim inside another one",
      { realm_access: { roles: ["staff"] } },
      { ...GROUPS, roleClaim: "realm_access.roles" },
      "reader",
    ],
    [
      "a claim with dots in its name",
      { "https://acme.test/roles": "staff" },
      { ...GROUPS, roleClaim: "https://acme.test/roles" },
      "reader",
    ],
    ["a verified address", {}, { emails: [{ value: "Ana@brightpine.test", role: "reviewer" }] }, "reviewer"],
  ] as const)("takes the role of %s", async (_, claims, settings, role) => {
    await withProvider({ claims }, settings, async ({ signIn, operators }) => {
      await signIn();
      expect((await operators.list()).operators[0]?.role).toBe(role);
    });
  });

  test.each([
    ["without a role", { groups: [] }, GROUPS],
    ["with an inherited property as a claim", {}, { ...GROUPS, roleClaim: "constructor.name" }],
    [
      "with an address that is not verified",
      { email_verified: "true" },
      { emails: [{ value: "ana@brightpine.test", role: "admin" }] },
    ],
  ] as const)("refuses an account %s", async (_, claims, settings) => {
    await withProvider({ claims }, settings, async ({ signIn, operators }) => {
      const response = await signIn();
      expect(whereTo(response)).toEqual([303, "/operator?sign_in=refused"]);
      expect(sessionCookie(response)).toBeUndefined();
      expect((await operators.list()).total).toBe(0);
    });
  });

  test("keeps the role that an invited operator has here, and is bound to one account", async () => {
    await withProvider({}, { ...GROUPS, roles: [{ value: "staff", role: "admin" }] }, async ({ signIn, operators }) => {
      await operators.invite({ name: "Ana", role: "reviewer", email: "ana@brightpine.test" }, COMMAND);
      await signIn();
      expect((await operators.list()).operators).toMatchObject([{ name: "Ana", role: "reviewer", provisioned: false }]);
    });
    const emails = { emails: [] };
    await withProvider({ claims: { sub: "subject-2" } }, emails, async ({ signIn, operators }) => {
      const { operator } = await operators.invite(
        { name: "Ana", role: "admin", email: "ana@brightpine.test" },
        COMMAND,
      );
      const client = { address: "192.0.2.1", agent: null, session: "" };
      const identity = { issuer: "https://a.test", subject: "subject-1", email: "ana@brightpine.test", name: "Ana" };
      await operators.signInByIdentity({ ...identity, role: null }, client);
      // The same address of another account is another person.
      expect(whereTo(await signIn())).toEqual([303, "/operator?sign_in=refused"]);
      expect((await operators.list()).operators).toMatchObject([{ id: operator.id, sessions: 1 }]);
    });
  });

  test("ends what the provider takes away", async () => {
    let groups = ["casefile-admins"];
    const claims = {
      get groups() {
        return groups;
      },
    };
    await withProvider({ claims }, GROUPS, async ({ signIn, browserOf, operators }) => {
      const { ask } = browserOf(sessionCookie(await signIn())?.split(";")[0] ?? "");
      expect((await ask("/console/admin/operators")).status).toBe(200);
      groups = ["staff"];
      await signIn();
      expect((await ask("/console/admin/operators")).status).toBe(403);
      await expect(operators.setRole("Ana Bright", "admin", COMMAND)).rejects.toMatchObject({
        code: "operator.conflict",
      });
      await expect(operators.createLink("Ana Bright", COMMAND)).rejects.toMatchObject({ code: "operator.conflict" });
      groups = [];
      await signIn();
      expect((await ask("/console/admin/jobs")).status).toBe(401);
      expect((await operators.list()).total).toBe(0);
    });
  });
});

describe("a sign-in that someone else prepared", () => {
  test("is refused in another browser, without its cookie, and with a cookie of another sign-in", async () => {
    await withProvider({}, GROUPS, async ({ start, comeBack, provider, json, operators }) => {
      const victim = await start();
      const attacker = await start();
      const back = provider.authorise((await json(attacker.response)).url);
      for (const cookie of ["", victim.cookie, "casefile_sign_in=x", `casefile_sign_in=1.${"A".repeat(43)}`])
        expect(whereTo(await comeBack(back, cookie))).toEqual([303, "/operator?sign_in=failed"]);
      expect((await operators.list()).total).toBe(0);
      // The code was not used by any of them.
      expect(whereTo(await comeBack(back, attacker.cookie))).toEqual([303, "/operator"]);
      expect(whereTo(await comeBack(back, attacker.cookie))).toEqual([303, "/operator?sign_in=failed"]);
    });
  });

  test.each([
    ["another state", (url: URL) => url.searchParams.set("state", "x".repeat(43))],
    ["no state", (url: URL) => url.searchParams.delete("state")],
    ["another issuer", (url: URL) => url.searchParams.set("iss", "https://evil.example")],
    ["no issuer", (url: URL) => url.searchParams.delete("iss")],
    ["an error", (url: URL) => url.searchParams.set("error", "access_denied")],
    ["another code", (url: URL) => url.searchParams.set("code", "x")],
    ["a huge code", (url: URL) => url.searchParams.set("code", "x".repeat(10_000))],
  ])("fails with %s", async (_, spoil) => {
    await withProvider({}, GROUPS, async ({ start, comeBack, provider, json }) => {
      const { response, cookie } = await start();
      const back = provider.authorise((await json(response)).url);
      spoil(back);
      expect(whereTo(await comeBack(back, cookie))).toEqual([303, "/operator?sign_in=failed"]);
    });
  });

  test("fails after ten minutes, also when the browser changes the time in the cookie", async () => {
    await withProvider({}, GROUPS, async ({ start, comeBack, provider, json, wait }) => {
      const { response, cookie } = await start();
      const back = provider.authorise((await json(response)).url);
      wait(FLOW_SECONDS + 5);
      const [, seconds = "", secret = ""] = /=(\d+)\.(.+)$/.exec(cookie) ?? [];
      for (const sent of [cookie, `casefile_sign_in=${Number(seconds) + FLOW_SECONDS}.${secret}`])
        expect(whereTo(await comeBack(back, sent))).toEqual([303, "/operator?sign_in=failed"]);
    });
  });

  test("cannot be begun by another site", async () => {
    await withProvider({}, GROUPS, async ({ ask }) => {
      const headers = { ...FROM_CONSOLE, "sec-fetch-site": "cross-site" };
      const response = await ask("/console/session/provider", { method: "POST", headers });
      expect((await problemOf(response)).code).toBe("operator.invalid");
    });
  });
});

describe("an ID token", () => {
  const now = () => Math.floor(Date.now() / 1_000);
  const hmac = (input: string) => createHmac("sha256", CLIENT.secret).update(input).digest("base64url");
  const bad: readonly (readonly [string, NonNullable<Parameters<typeof openProvider>[0]>])[] = [
    ["of another issuer", { claims: { iss: "https://evil.example" } }],
    ["for another client", { claims: { aud: "other" } }],
    ["for several clients without this one as its party", { claims: { aud: ["casefile", "other"], azp: "other" } }],
    ["without a nonce", { claims: { nonce: undefined } }],
    ["with another nonce", { claims: { nonce: "x" } }],
    ["that has expired", { claims: { exp: now() - 120 } }],
    ["of a clock that is two minutes ahead and not valid yet", { claims: { nbf: now() + 120 } }],
    ["without a subject", { claims: { sub: undefined } }],
    ["with a subject that is no text", { claims: { sub: { a: 1 } } }],
    ["with a subject of 300 characters", { claims: { sub: "s".repeat(300) } }],
    ["signed with a foreign key", { foreignKey: true }],
    ["without a signature", { header: { alg: "none" }, signature: () => "" }],
    ["signed with the client's secret", { header: { alg: "HS256" }, signature: hmac }],
    ["with an unknown critical header", { header: { crit: ["x"], x: 1 } }],
    ["of 40 KiB", { claims: { filler: "x".repeat(30_000) } }],
    ["of 200 KiB", { claims: { filler: "x".repeat(200_000) } }],
  ];
  test.each(bad)("%s is refused", async (_, changes) => {
    await withProvider(changes, GROUPS, async ({ signIn, operators }) => {
      expect(whereTo(await signIn())).toEqual([303, "/operator?sign_in=failed"]);
      expect((await operators.list()).total).toBe(0);
    });
  });

  test.each([
    ["expired half a minute ago", { claims: { exp: now() - 30 } }],
    ["is from a clock that is half a minute ahead", { skew: 30 }],
  ])("that %s is accepted", async (_, changes) => {
    await withProvider(changes, GROUPS, async ({ signIn }) => {
      expect(whereTo(await signIn())).toEqual([303, "/operator"]);
    });
  });

  test("with hostile texts and thousands of roles gives a short name and the role", async () => {
    const claims = { name: `<b>\u202e${"x".repeat(5_000)}`, groups: [...Array.from({ length: 900 }, String), "staff"] };
    await withProvider({ claims }, GROUPS, async ({ signIn, operators }) => {
      await signIn();
      const [ana] = (await operators.list()).operators;
      expect(ana).toMatchObject({ role: "reader" });
      expect(ana?.name).toMatch(/^<b> x{40,60}$/);
    });
  });
});

describe("a hostile provider", () => {
  const fails = async (changes: Parameters<typeof openProvider>[0]) => {
    let code = "";
    await withProvider(changes, GROUPS, async ({ start, provider, comeBack, json }) => {
      const { response, cookie } = await start();
      if (!response.ok) {
        code = (await problemOf(response)).code;
        return;
      }
      const back = await comeBack(provider.authorise((await json(response)).url), cookie);
      code = whereTo(back).join(" ");
    });
    return code;
  };

  test.each([
    ["another issuer in its document", { metadata: () => ({ issuer: "https://evil.example" }) }],
    ["a document without an end", { metadata: () => ({ filler: "x".repeat(1_000_000) }) }],
    [
      "a redirect in place of its document",
      { answer: { "/.well-known/openid-configuration": () => Response.redirect("http://127.0.0.1:9/") } },
    ],
  ])("with %s starts no sign-in", async (_, changes) => {
    expect(await fails(changes)).toBe("sign_in.failed");
  });

  test.each([
    [
      "a token endpoint without TLS on another machine",
      { metadata: () => ({ token_endpoint: "http://10.0.0.1/token" }) },
    ],
    ["a token endpoint in the private network", { metadata: () => ({ token_endpoint: "https://10.0.0.1/token" }) }],
    ["keys at another port of this machine", { metadata: () => ({ jwks_uri: "https://127.0.0.1:9/keys" }) }],
    ["a redirect at its token endpoint", { answer: { "/token": () => Response.redirect("http://10.0.0.1/", 307) } }],
    ["no JSON at its token endpoint", { answer: { "/token": () => new Response("{") } }],
    ["keys of 1 MB", { answer: { "/keys": () => Response.json({ keys: [], filler: "x".repeat(1_000_000) }) } }],
  ])("with %s finishes none", async (_, changes) => {
    expect(await fails(changes)).toBe("303 /operator?sign_in=failed");
  });

  test("is not asked again at once when its document was good, and is when it was not", async () => {
    let isDown = true;
    const answer = {
      "/.well-known/openid-configuration": (request: Request) =>
        isDown ? new Response(null, { status: 503 }) : Response.json(documentOf(new URL(request.url).origin)),
    };
    const documentOf = (issuer: string) => ({
      ...{ issuer, authorization_endpoint: `${issuer}/authorise`, token_endpoint: `${issuer}/token` },
      jwks_uri: `${issuer}/keys`,
    });
    await withProvider({ answer }, GROUPS, async ({ start, provider }) => {
      expect((await start()).response.status).toBe(502);
      isDown = false;
      expect((await start()).response.status).toBe(200);
      expect((await start()).response.status).toBe(200);
      expect(provider.requests).toHaveLength(2);
    });
  });
});
