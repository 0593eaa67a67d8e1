import { describe, expect, test } from "bun:test";
import { createSessionStore, SESSION_SECONDS } from "../../src/console/sessions.ts";
import { jsonOf } from "../http/opened.ts";
import { FROM_CONSOLE, served } from "./served.ts";

async function signedIn(options: Parameters<typeof served>[0] = {}) {
  const service = await served(options);
  const headers = { ...FROM_CONSOLE, authorization: `Bearer ${service.token}` };
  const answer = await service.answered("/console/session", headers, "POST");
  const set = answer.headers.get("set-cookie") ?? "";
  return { ...service, set, cookie: set.split(";")[0] ?? "" };
}

describe("signing in", () => {
  test("exchanges the token for an HttpOnly cookie of the console", async () => {
    const { set, token } = await signedIn();
    expect(set).toMatch(/^casefile_operator=[\w-]{43}; Path=\/console\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    expect(set).not.toContain(token);
  });

  test("over HTTPS the cookie is Secure", async () => {
    const { answered, token } = await served();
    const headers = { ...FROM_CONSOLE, origin: "https://casefile.acme.example", authorization: `Bearer ${token}` };
    const answer = await answered("/console/session", headers, "POST");
    expect(answer.headers.get("set-cookie")).toEndWith("; Secure");
  });

  test.each([
    ["a wrong token", { ...FROM_CONSOLE, authorization: "Bearer cf_operator_wrong" }],
    ["no token", FROM_CONSOLE],
  ])("with %s is refused", async (_, headers) => {
    const { answered } = await served();
    await expect(answered("/console/session", headers, "POST")).rejects.toMatchObject({ code: "operator.invalid" });
  });
});

describe("a session", () => {
  test("forwards operator requests with the token and without the cookie", async () => {
    const { ask, cookie, token } = await signedIn();
    const { request } = await ask("/console/admin/keys?limit=5", { ...FROM_CONSOLE, cookie });
    expect(request?.url).toBe("http://casefile.test/admin/keys?limit=5");
    expect(request?.headers.get("authorization")).toBe(`Bearer ${token}`);
    expect(request?.headers.has("cookie")).toBe(false);
  });

  test("does not open /admin itself", async () => {
    const { ask, cookie } = await signedIn();
    const { request } = await ask("/admin/keys", { ...FROM_CONSOLE, cookie });
    expect(request?.headers.has("authorization")).toBe(false);
  });

  test.each([
    ["without the console header", { origin: "http://casefile.test" }],
    ["of another site", { ...FROM_CONSOLE, "sec-fetch-site": "cross-site" }],
    ["of a sibling site", { ...FROM_CONSOLE, "sec-fetch-site": "same-site" }],
  ])("a request %s is refused despite the cookie", async (_, headers) => {
    const { ask, cookie } = await signedIn();
    const paths = ["/console/admin/keys", "/console/operator/overview", "/console/operator/scans"];
    for (const path of paths) {
      await expect(ask(path, { ...headers, cookie })).rejects.toMatchObject({ code: "operator.invalid" });
    }
    await expect(ask("/console/session", { ...headers, cookie }, "DELETE")).rejects.toMatchObject({
      code: "operator.invalid",
    });
  });

  test.each([
    "/console/admin/keys",
    "/console/operator/overview",
    "/console/operator/scans",
    "/console/operator/industries",
  ])("%s needs one", async (path) => {
    const { ask } = await served();
    await expect(ask(path, FROM_CONSOLE)).rejects.toMatchObject({ code: "operator.invalid" });
  });

  test("ends when the operator signs out", async () => {
    const { answered, ask, cookie } = await signedIn();
    const answer = await answered("/console/session", { ...FROM_CONSOLE, cookie }, "DELETE");
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
    await expect(ask("/console/admin/keys", { ...FROM_CONSOLE, cookie })).rejects.toMatchObject({
      code: "operator.invalid",
    });
  });

  test("ends when the token is replaced", async () => {
    const { app, answered, cookie } = await signedIn();
    const status = async () => jsonOf(await answered("/console/session", { ...FROM_CONSOLE, cookie }));
    expect(await status()).toEqual({ signed_in: true });
    await app.operator.replaceOperatorToken();
    expect(await status()).toEqual({ signed_in: false });
  });

  test("expires after 12 hours, and the oldest is dropped when there are too many", () => {
    let now = 0;
    const sessions = createSessionStore(() => now);
    const first = sessions.open("one");
    expect(sessions.find(first)).toBe("one");
    now = SESSION_SECONDS * 1_000 + 1;
    expect(sessions.find(first)).toBeUndefined();
    const second = sessions.open("two");
    for (let count = 0; count < 100; count += 1) sessions.open("more");
    expect(sessions.find(second)).toBeUndefined();
  });

  test("returns the overview and the recent scans", async () => {
    const { answered, cookie } = await signedIn();
    const overview = await jsonOf(await answered("/console/operator/overview", { ...FROM_CONSOLE, cookie }));
    expect(Object.keys(overview).sort()).toEqual([
      ...["alarms", "jobs", "mail_configured", "mails", "scans_running", "stats", "submissions", "waiting_for_index"],
    ]);
    expect(await jsonOf(await answered("/console/operator/scans", { ...FROM_CONSOLE, cookie }))).toEqual({
      scans: [],
    });
  });
});
