import { describe, expect, test } from "bun:test";
import { COMMAND } from "../../src/accounts/roles.ts";
import { openStore } from "../../src/store.ts";
import { problemOf } from "../http/opened.ts";
import { opened } from "./signed-in.ts";

describe("operators", () => {
  test("are invited, changed and removed through the API", async () => {
    const { byToken, json } = await opened();
    const { ask } = await byToken();
    const invited = await json(
      await ask("/console/admin/operators", { json: { name: " Ana  Bright ", role: "reader" } }),
    );
    expect(invited.operator).toEqual({
      id: expect.stringMatching(/^op_\w{16}$/),
      ...{ name: "Ana Bright", email: null, role: "reader", provisioned: false, sessions: 0 },
      ...{ created_at: expect.any(String), last_sign_in_at: null },
    });
    const path = `/console/admin/operators/${invited.operator.id}`;
    expect(await json(await ask(path, { method: "PATCH", json: { role: "admin" } }))).toMatchObject({ role: "admin" });
    expect(await json(await ask(`${path}/link`, { method: "POST" }))).toMatchObject({ sent_to: null });
    expect(await json(await ask("/console/admin/operators"))).toMatchObject({ total: 1, next_cursor: null });
    expect((await ask(path, { method: "DELETE" })).status).toBe(200);
    expect((await problemOf(await ask(path, { method: "DELETE" }))).code).toBe("operator.not_found");
  });

  test.each([
    ["a taken name", { name: "ana", role: "reader" }, "operator.conflict"],
    ["a taken address", { name: "Bo", role: "reader", email: "ANA@brightpine.test" }, "operator.conflict"],
    ["an empty name", { name: "  ", role: "reader" }, "operator.malformed"],
    ["control characters", { name: "A\u0000na", role: "reader" }, "operator.malformed"],
    ["the name of the token", { name: "Operator  TOKEN", role: "reader" }, "operator.malformed"],
    ["another role", { name: "Bo", role: "owner" }, "request.invalid"],
    ["no address", { name: "Bo", role: "reader", email: "nobody" }, "email.invalid"],
  ])("with %s are refused", async (_, json, code) => {
    const { byToken, operators } = await opened();
    await operators.invite({ name: "Ana", role: "reader", email: "ana@brightpine.test" }, COMMAND);
    const { ask } = await byToken();
    expect((await problemOf(await ask("/console/admin/operators", { json }))).code).toBe(code);
    expect((await operators.list()).total).toBe(1);
  });

  test("keep one admin, whoever among them tries, and two at once", async () => {
    const { signedIn, operators } = await opened();
    const [ana, bo] = [await signedIn("Ana", "admin"), await signedIn("Bo", "admin")];
    const removals = await Promise.all([
      ana.ask(`/console/admin/operators/${bo.operator.id}`, { method: "DELETE" }),
      bo.ask(`/console/admin/operators/${ana.operator.id}`, { method: "PATCH", json: { role: "reader" } }),
    ]);
    expect(removals.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    const left = (await operators.list()).operators.filter(({ role }) => role === "admin");
    expect(left).toHaveLength(1);
    const last = left[0]?.id === ana.operator.id ? ana : bo;
    const path = `/console/admin/operators/${last.operator.id}`;
    for (const change of [{ method: "DELETE" }, { method: "PATCH", json: { role: "reviewer" } }] as const)
      expect((await problemOf(await last.ask(path, change))).code).toBe("operator.conflict");
    // The token is left.
    expect((await operators.remove(last.operator.id, COMMAND)).role).toBe("admin");
  });

  test("who are no admin any more change nothing, also in a request that had begun", async () => {
    const { operators } = await opened();
    const { operator } = await operators.invite({ name: "Ana", role: "reader" }, COMMAND);
    const stale = { ...COMMAND, kind: "session" as const, operatorId: operator.id, name: "Ana" };
    await expect(operators.setRole("Ana", "admin", stale)).rejects.toMatchObject({ code: "operator.forbidden" });
    await expect(operators.invite({ name: "Bo", role: "admin" }, stale)).rejects.toMatchObject({
      code: "operator.forbidden",
    });
    await expect(operators.createLink("Ana", stale)).rejects.toMatchObject({ code: "operator.forbidden" });
  });
});

describe("the audit trail", () => {
  test("has each change with its operator, target and result, and no reading", async () => {
    const { signedIn, ask, token, auditOf } = await opened();
    const ana = await signedIn("Ana", "reviewer");
    await ana.ask("/console/admin/jobs");
    await ana.ask("/console/admin/casestudies/nothing", { method: "DELETE" });
    await ana.ask("/console/admin/keys/bo@brightpine.test", { method: "DELETE" });
    await ask("/admin/opt-outs", { json: { pattern: "acme.example" }, operator: token });
    const entries = (await auditOf()).map(({ operator, by, action, target, status }) => [
      ...[operator, by, action, target, status],
    ]);
    expect(entries).toEqual([
      ["operator token", "token", "POST /admin/opt-outs", "acme.example", 200],
      ["Ana", "session", "DELETE /admin/keys/:key", "bo@brightpine.test", 403],
      ["Ana", "session", "DELETE /admin/casestudies/:id", "nothing", 404],
      ["Ana", "session", "sign in", "link", 200],
    ]);
    expect((await auditOf())[1]).toMatchObject({ session: expect.stringMatching(/^ses_/), client: "127.0.0.1" });
  });

  test("has no secret of a body, and nothing about an erasure", async () => {
    const { ask, token, auditOf } = await opened();
    const url = "https://hooks.example.test/services/T0/secret-part";
    await ask("/admin/webhooks", { json: { url }, operator: token });
    await ask("/admin/privacy/cy@brightpine.test", { method: "DELETE", operator: token });
    const stored = JSON.stringify(await auditOf());
    expect(stored).not.toContain("secret-part");
    expect(stored).not.toContain("cy@");
    expect(await auditOf()).toHaveLength(2);
  });

  test("is written before the change: without it nothing changes", async () => {
    const store = await openStore({ dataDir: ":memory:" });
    const { ask, token, app } = await opened({ store });
    await app.accounts.issue("ana@brightpine.test");
    await store.queries.schema.alterTable("audit").renameTo("gone").execute();
    const response = await ask("/admin/keys/ana@brightpine.test", { method: "DELETE", operator: token });
    expect(response.status).toBe(500);
    expect((await app.accounts.list()).keys[0]?.revoked_at).toBeNull();
  });

  test("is listed page by page, filtered, and exported as CSV and NDJSON without formulas", async () => {
    const { signedIn, ask, token, json } = await opened();
    const { operator } = await signedIn("=HYPERLINK(1)", "reviewer");
    for (const name of ["a", "b", "c"]) await ask(`/admin/jobs/${name}/retry`, { method: "POST", operator: token });
    const first = await json(await ask("/admin/audit?limit=2", { operator: token }));
    expect(first).toMatchObject({ total: 4, entries: [{ target: "c" }, { target: "b" }] });
    const second = await json(await ask(`/admin/audit?limit=2&cursor=${first.next_cursor}`, { operator: token }));
    expect(second.entries.map(({ action }: { action: string }) => action)).toEqual([
      "POST /admin/jobs/:id/retry",
      "sign in",
    ]);
    const own = `/admin/audit?operator=${encodeURIComponent(operator.name)}`;
    expect((await json(await ask(own, { operator: token }))).total).toBe(1);
    const since = new Date(Date.now() + 60_000).toISOString();
    expect((await json(await ask(`/admin/audit?since=${since}`, { operator: token }))).total).toBe(0);
    const csv = await ask("/admin/audit?format=csv", { operator: token });
    expect(csv.headers.get("content-disposition")).toBe('attachment; filename="casefile-audit.csv"');
    const lines = (await csv.text()).split("\r\n");
    expect(lines[0]).toBe("at,operator,role,by,action,target,status,client,session");
    expect(lines[4]).toContain(",'=HYPERLINK(1),reviewer,session,sign in,link,200,");
    const rows = (await (await ask("/admin/audit?format=ndjson", { operator: token })).text()).trim().split("\n");
    expect(JSON.parse(rows[0] ?? "")).toMatchObject({ operator: "operator token", target: "c" });
  });

  test("keeps entries for the configured days", async () => {
    let now = Date.parse("2026-01-01T00:00:00.000Z");
    const store = await openStore({ dataDir: ":memory:", clock: () => new Date(now) });
    const { ask, token, operators, auditOf } = await opened({ store });
    const act = () => ask("/admin/jobs/1/retry", { method: "POST", operator: token });
    await act();
    now += 365 * 86_400_000;
    await act();
    await operators.maintenance.queueDue();
    expect(await auditOf()).toHaveLength(2);
    now += 1_000;
    await operators.maintenance.queueDue();
    expect(await auditOf()).toHaveLength(1);
  });

  test("and operators are exported and erased with an address", async () => {
    const { app, operators, ask, token, auditOf } = await opened();
    await operators.invite({ name: "Ana", role: "reader", email: "ana@brightpine.test" }, COMMAND);
    await ask("/admin/keys/ana@brightpine.test", { method: "DELETE", operator: token });
    await ask("/admin/watches/acme.example", { method: "DELETE", operator: token });
    const { data } = await app.privacy.export("ana@brightpine.test");
    expect(data.operators).toMatchObject([{ name: "Ana", email: "ana@brightpine.test" }]);
    expect(data.audit).toMatchObject([{ target: "ana@brightpine.test" }]);
    const receipt = await app.privacy.erase("ana@brightpine.test");
    expect(receipt.erased).toEqual(
      expect.arrayContaining([
        { table: "operators", rows: 1 },
        { table: "audit", rows: 1 },
      ]),
    );
    expect((await operators.list()).total).toBe(0);
    await app.privacy.erase("acme.example");
    expect((await auditOf()).map(({ action, target }) => [action, target])).toEqual([
      ["DELETE /admin/watches/:domain", null],
      ["DELETE /admin/keys/:key", null],
    ]);
  });

  test("names nobody whose address was erased", async () => {
    const { app, signedIn, auditOf, operators } = await opened();
    const { operator } = await operators.invite({ name: "Ana", role: "admin", email: "ana@brightpine.test" }, COMMAND);
    const { link } = await operators.createLink(operator.id, COMMAND);
    expect(link).not.toBeNull();
    const bo = await signedIn("Bo", "reader");
    await operators.audit.begin({
      ...COMMAND,
      ...{ kind: "session", operatorId: operator.id, name: "Ana", action: "POST /admin/backup", target: null },
    });
    await app.privacy.erase("ana@brightpine.test");
    expect((await auditOf()).map(({ operator: name }) => name)).toEqual(["erased", bo.operator.name]);
  });
});
