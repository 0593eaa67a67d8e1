import { describe, expect, test } from "bun:test";
import { jsonOf, type Opened, open, problemOf } from "./opened.ts";

describe("POST /v1/keys", () => {
  test("issues a key for the normalised address, and shows it once", async () => {
    const { ask } = await open({ clock: () => new Date("2026-05-04T12:00:00.000Z") });
    const answer = await ask("/v1/keys", { json: { email: "  Ana@Brightpine.TEST " } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const body: unknown = await answer.json();
    expect(body).toEqual({
      api_key: expect.stringMatching(/^cf_live_[0-9A-Za-z]{38}$/),
      email: "ana@brightpine.test",
      monthly_limit: 1000,
      created_at: "2026-05-04T12:00:00.000Z",
    });
    expect(Object.keys(Object(body))).toEqual(["api_key", "email", "monthly_limit", "created_at"]);
  });

  test("an address has one active key in any spelling", async () => {
    const { ask } = await open();
    await ask("/v1/keys", { json: { email: "ana@brightpine.test" } });
    const answer = await ask("/v1/keys", { json: { email: " ANA@brightpine.test\t" } });
    expect(await problemOf(answer)).toMatchObject({
      type: "urn:casefile:problem:key.exists",
      title: "Address has an active key",
      status: 409,
      code: "key.exists",
    });
  });

  test("an issued key authenticates requests", async () => {
    const { ask } = await open();
    const { api_key: key } = await jsonOf(await ask("/v1/keys", { json: { email: "ana@brightpine.test" } }));
    expect((await ask("/v1/enrich/brightpine.test", { key })).status).toBe(200);
  });

  test.each([
    ["no address", { email: "ana" }, "email.invalid", undefined],
    ["two addresses", { email: "a@b.test,c@d.test" }, "email.invalid", undefined],
    ["no field", {}, "request.invalid", "/email"],
    ["a number", { email: 5 }, "request.invalid", "/email"],
    ["an address without end", { email: `${"a".repeat(400)}@b.test` }, "request.invalid", "/email"],
    ["a field that is not known", { email: "a@b.test", name: "A" }, "request.invalid", "/name"],
    ["no object", [], "request.invalid", ""],
    ["null", null, "request.invalid", ""],
  ])("%s is 422", async (_, json, code, pointer) => {
    const { ask } = await open();
    const answer = await ask("/v1/keys", { json });
    expect(answer.status).toBe(422);
    const problem = await problemOf(answer);
    expect(problem.code).toBe(code);
    expect(problem.errors?.map((error) => error.pointer)).toEqual(pointer === undefined ? undefined : [pointer]);
  });

  test("a prototype key in a body is refused like any unknown field", async () => {
    const { ask } = await open();
    const body = '{"email":"a@b.test","__proto__":{"monthly_limit":9}}';
    const answer = await ask("/v1/keys", { body, headers: { "content-type": "application/json" } });
    expect((await problemOf(answer)).errors?.[0]?.pointer).toBe("/__proto__");
  });
});

describe("GET /v1/stats", () => {
  test("returns the counts without a key", async () => {
    const { ask } = await open();
    const answer = await ask("/v1/stats");
    expect(answer.status).toBe(200);
    expect(await jsonOf(answer)).toEqual({
      ...{ companies: 0, case_studies: 0, industries: 0, tools: 2, categories: 1, domains_enriched: 0 },
      by_origin: { starter: 0, submitted: 0, imported: 0 },
      ...{ updated_at: null, version: "1.2.3" },
    });
  });

  test("accepts no query parameter", async () => {
    const { ask } = await open();
    expect((await problemOf(await ask("/v1/stats?verbose=1"))).errors?.[0]?.pointer).toBe("/verbose");
  });
});

describe("the policy of sign-up", () => {
  const signUp = (ask: Opened["ask"], email: string) => ask("/v1/keys", { json: { email } });

  test("closes it for everyone, but not for the operator", async () => {
    const { ask, app } = await open({ signUpPolicy: { signUp: "closed", signUpDomains: [] } });
    const answer = await signUp(ask, "ana@brightpine.test");
    expect(await problemOf(answer)).toMatchObject({
      status: 403,
      code: "key.sign_up_closed",
      title: "No sign-up for this address",
      detail: "Sign-up is closed; ask the operator for a key.",
    });
    expect((await app.accounts.issue("ana@brightpine.test")).api_key).toStartWith("cf_live_");
  });

  test("limits it to domains, not to those below or beside them", async () => {
    const { ask } = await open({ signUpPolicy: { signUp: "domains", signUpDomains: ["brightpine.test"] } });
    expect((await signUp(ask, " Ana@BrightPine.test ")).status).toBe(201);
    for (const domain of ["mail.brightpine.test", "notbrightpine.test", "brightpine.test.other.example"]) {
      const { code, detail } = await problemOf(await signUp(ask, `ana@${domain}`));
      expect(code).toBe("key.sign_up_closed");
      expect(detail).toBe("Only email addresses of brightpine.test may sign up; ask the operator for a key.");
    }
  });
});

describe("POST /v1/keys/rotate", () => {
  const rotate = (ask: Opened["ask"], key?: string) =>
    ask("/v1/keys/rotate", { method: "POST", ...(key === undefined ? {} : { key }) });

  test("replaces the key, with its limit and usage", async () => {
    const { ask, key } = await open();
    const first = await key("ana@brightpine.test", 2);
    expect((await ask("/v1/enrich/brightpine.test", { key: first })).status).toBe(200);
    const answer = await rotate(ask, first);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("ratelimit")).toContain("r=1;");
    const issued = await jsonOf(answer);
    expect(issued).toMatchObject({ email: "ana@brightpine.test", monthly_limit: 2 });
    expect(issued.api_key).not.toBe(first);
    expect((await ask("/v1/enrich/brightpine.test", { key: first })).status).toBe(401);
    const next = () => ask("/v1/enrich/brightpine.test", { key: issued.api_key });
    expect([(await next()).status, (await next()).status]).toEqual([200, 429]);
  });

  test("of two at once one gets a key", async () => {
    const { ask, key, app } = await open();
    const first = await key();
    const statuses = (await Promise.all([rotate(ask, first), rotate(ask, first)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401]);
    expect((await app.accounts.list()).keys.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(1);
  });

  test("needs a key", async () => {
    const { ask } = await open();
    expect((await problemOf(await rotate(ask))).code).toBe("key.invalid");
  });
});
