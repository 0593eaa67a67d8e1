import { describe, expect, test } from "bun:test";
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
  test("forwards operator requests in its name, without the cookie and without keys", async () => {
    const { ask, cookie } = await signedIn();
    const headers = { ...FROM_CONSOLE, cookie, authorization: "Bearer cf_operator_x", "x-api-key": "cf_live_x" };
    const { request, session } = await ask("/console/admin/keys?limit=5", headers);
    expect(request?.url).toBe("http://casefile.test/admin/keys?limit=5");
    expect(session).toMatchObject({ name: "operator token", role: "admin", operatorId: null });
    for (const name of ["cookie", "authorization", "x-api-key"]) expect(request?.headers.has(name)).toBe(false);
  });

  test("does not open /admin itself", async () => {
    const { ask, cookie } = await signedIn();
    const { request, session } = await ask("/admin/keys", { ...FROM_CONSOLE, cookie });
    expect(request?.headers.has("authorization")).toBe(false);
    expect(session).toBeUndefined();
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
    expect(await status()).toMatchObject({ signed_in: true, operator: { name: "operator token", role: "admin" } });
    await app.operator.replaceOperatorToken();
    expect(await status()).toMatchObject({ signed_in: false, operator: null });
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
