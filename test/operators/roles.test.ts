import { describe, expect, test } from "bun:test";
import { pino } from "pino";
import { COMMAND, NEEDED_ROLES } from "../../src/accounts/roles.ts";
import { createRoutesOf } from "../../src/api.ts";
import { hasRole, ROLES, type Role } from "../../src/core/roles.ts";
import { createMetrics } from "../../src/health/metrics.ts";
import { createMcpHttp } from "../../src/mcp/http.ts";
import { problemOf } from "../http/opened.ts";
import { openFakeApp } from "../services/fake-app.ts";
import { FROM_CONSOLE, opened } from "./signed-in.ts";

/** Method and pattern of every route of the operator's API. */
async function adminRoutes(): Promise<string[]> {
  const app = await openFakeApp();
  const routes = createRoutesOf({
    app,
    log: pino({ level: "silent" }),
    agents: createMcpHttp({ services: app, onBug() {} }),
    metrics: createMetrics(app),
    lifecycle: { state: "ready" },
    settings: { metricsPublic: false, trustProxyHops: 0, maxStreams: 1, addresses: { host: null, origins: [] } },
  });
  const all = routes.routes.map(({ method, path }) => `${method} ${path.replace(/(?<=.)\/$/, "")}`);
  return all.filter((route) => / \/admin(?:\/|$)/.test(route)).sort();
}

test("every route of the operator's API has a role, and every role a route", async () => {
  expect(await adminRoutes()).toEqual(Object.keys(NEEDED_ROLES).sort());
});

test("readers only read, and what admins alone may read is listed", () => {
  const routes = Object.entries(NEEDED_ROLES);
  expect(routes.filter(([route, role]) => role === "reader" && !route.startsWith("GET "))).toEqual([]);
  expect(routes.flatMap(([route, role]) => (role === "admin" && route.startsWith("GET ") ? route : []))).toEqual([
    "GET /admin/audit",
    "GET /admin/backups/:name",
    "GET /admin/operators",
    "GET /admin/privacy/:subject",
    "GET /admin/sessions",
    "GET /admin/webhooks",
  ]);
  expect(routes.flatMap(([route, role]) => (role === "reviewer" ? route : []))).toEqual([
    "PATCH /admin/casestudies/:id",
    "DELETE /admin/casestudies/:id",
    "DELETE /admin/casestudies/:id/corrections/:field",
    "POST /admin/feedback",
    "DELETE /admin/feedback/:domain/:tool",
    "PATCH /admin/submissions/:id",
    "POST /admin/submissions/:id/approve",
    "POST /admin/submissions/:id/reject",
    "POST /admin/submissions/:id/retry",
  ]);
});

describe.each(ROLES.map((role) => [role]))("a session of a %s", (role: Role) => {
  test("is refused by exactly the routes that need more", async () => {
    const { signedIn } = await opened();
    const browser = await signedIn("Ana", role);
    const refused: string[] = [];
    for (const route of await adminRoutes()) {
      const [method = "", pattern = ""] = route.split(" ");
      const path = pattern.replaceAll(/:\w+/g, "nothing.example");
      const json = /POST|PATCH|PUT/.test(method) ? { json: {} } : {};
      const response = await browser.ask(`/console${path}`, { method, ...json });
      expect(response.status).not.toBe(401);
      if (response.status === 403 && (await problemOf(response)).code === "operator.forbidden") refused.push(route);
    }
    const expected = Object.entries(NEEDED_ROLES).flatMap(([route, needed]) => (hasRole(role, needed) ? [] : route));
    expect(refused).toEqual(expected.sort());
    // What the console hides is what the API refuses.
    const session = Object(await (await browser.ask("/console/session")).json());
    expect(Object.keys(session.operator.refused).sort()).toEqual(refused);
  });
});

describe("a reader gets no more", () => {
  test("by paths that are written otherwise", async () => {
    const { signedIn, app } = await opened();
    const { ask } = await signedIn("Ana", "reader");
    const { link } = await app.operators.invite({ name: "Bo", role: "admin" }, COMMAND);
    const paths = ["//admin/keys", "/admin//operators", "/admin/operators/", "/ADMIN/operators", "/admin/%6fperators"];
    for (const path of [...paths, "/admin/keys/../operators", "/admin/keys/..%2foperators", "/admin/operators?x"]) {
      const response = await ask(`/console${path}`);
      const body = await response.text();
      if (response.status < 300) expect([path, new URL(`http://a.test/console${path}`).pathname]).toEqual([]);
      expect(body).not.toContain("Bo");
    }
    expect(link).toContain("#link=");
  });

  test("by a method that means another one", async () => {
    const { signedIn } = await opened();
    const { ask } = await signedIn("Ana", "reader");
    expect((await ask("/console/admin/operators", { method: "HEAD" })).status).toBe(403);
    const headers = { "x-http-method-override": "DELETE", "x-method": "DELETE" };
    expect((await ask("/console/admin/keys", { headers })).status).toBe(200);
    expect((await ask("/console/admin/opt-outs?_method=POST")).status).toBe(422);
  });

  test("from the routes of keys, of agents and of streams, whose key a session is not", async () => {
    const { signedIn } = await opened({ settings: { isIndexHidden: true } });
    const { ask } = await signedIn("Ana", "reader");
    const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    for (const at of ["", "/console"]) {
      for (const path of ["/v1/tools", "/v1/domains", "/v1/enrich/acme.example", "/v1/enrich-stream/acme.example"])
        expect([401, 404]).toContain((await ask(`${at}${path}`, { headers: { accept: "*/*" } })).status);
      const headers = { accept: "application/json, text/event-stream" };
      expect([401, 404]).toContain((await ask(`${at}/mcp`, { json: call, headers })).status);
    }
  });

  test("with headers that claim another caller", async () => {
    const { signedIn, ask } = await opened();
    const reader = await signedIn("Ana", "reader");
    const claims = { "x-role": "admin", "x-operator": "Bo", "x-session": "x", "x-casefile-session": "admin" };
    expect((await reader.ask("/console/admin/operators", { headers: claims })).status).toBe(403);
    // A session is no token: /admin itself does not take the cookie.
    const direct = await ask("/admin/jobs", { headers: { ...FROM_CONSOLE, ...claims, cookie: reader.cookie } });
    expect(direct.status).toBe(401);
  });

  test("with the operator token beside the session, which counts for nothing", async () => {
    const { signedIn, token, auditOf } = await opened();
    const { ask } = await signedIn("Ana", "reader");
    const response = await ask("/console/admin/opt-outs", { json: { pattern: "acme.example" }, operator: token });
    expect((await problemOf(response)).code).toBe("operator.forbidden");
    expect((await auditOf())[0]).toMatchObject({ operator: "Ana", by: "session", status: 403 });
  });
});

test("a change of the role counts at once, also for open sessions", async () => {
  const { signedIn, app } = await opened();
  const { ask, operator } = await signedIn("Ana", "admin");
  expect((await ask("/console/admin/operators")).status).toBe(200);
  await app.operators.setRole(operator.id, "reader", COMMAND);
  expect((await ask("/console/admin/operators")).status).toBe(403);
  await app.operators.remove("ana", COMMAND);
  expect((await ask("/console/admin/jobs")).status).toBe(401);
});
