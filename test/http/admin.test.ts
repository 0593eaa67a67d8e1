import { describe, expect, test } from "bun:test";
import { managed } from "./managed.ts";
import { type Asked, jsonOf, problemOf } from "./opened.ts";

const opened = (limit?: number) => managed(limit === undefined ? {} : { monthlyLimit: limit });

describe("the operator's token", () => {
  test.each([
    ["GET", "/admin/keys"],
    ["DELETE", "/admin/keys/ana@brightpine.test"],
    ["POST", "/admin/keys/ana@brightpine.test/reissue"],
    ["PATCH", "/admin/keys/ana@brightpine.test"],
  ])("is required for %s %s", async (method, path) => {
    const { ask, key, token } = await opened();
    const own = await key();
    const body = method === "PATCH" ? { json: { monthly_limit: 5 } } : {};
    const attempts: Asked[] = [
      {},
      { operator: `${token}x` },
      { operator: own },
      { key: own },
      { headers: { authorization: `Basic ${token}` } },
      { headers: { authorization: token ?? "" } },
      { headers: { "x-api-key": token ?? "" } },
    ];
    for (const attempt of attempts) {
      const answer = await ask(path, { method, ...body, ...attempt });
      expect((await problemOf(answer)).code).toBe("operator.invalid");
    }
    expect((await ask(path, { method, ...body, operator: token })).status).toBe(200);
  });

  test("the scheme Bearer is case-insensitive", async () => {
    const { ask, token } = await opened();
    expect((await ask("/admin/keys", { headers: { authorization: `bearer ${token}` } })).status).toBe(200);
  });
});

describe("keys", () => {
  test("are listed oldest first, page by page, without the secret", async () => {
    const { manage, key } = await opened(7);
    const own = await key("ana@brightpine.test");
    for (const name of ["bo", "cy"]) await key(`${name}@brightpine.test`);
    const first = await jsonOf(await manage("/admin/keys?limit=2"));
    expect(Object.keys(first)).toEqual(["keys", "total", "next_cursor"]);
    expect(first.total).toBe(3);
    expect(first.keys[0]).toEqual({
      id: expect.stringMatching(/^key_/),
      email: "ana@brightpine.test",
      hint: own.slice(-4),
      monthly_limit: 7,
      used_this_month: 0,
      created_at: expect.stringMatching(/Z$/),
      revoked_at: null,
    });
    const second = await jsonOf(await manage(`/admin/keys?limit=2&cursor=${first.next_cursor}`));
    expect(second.next_cursor).toBeNull();
    const emails = [...first.keys, ...second.keys].map(({ email }) => email);
    expect(emails.sort()).toEqual(["ana@brightpine.test", "bo@brightpine.test", "cy@brightpine.test"]);
    expect(JSON.stringify(first)).not.toContain(own);
  });

  test.each(["limit=0", "limit=101", "limit=x", "page=2"])("a list with %s is 422", async (query) => {
    const { manage } = await opened();
    expect((await manage(`/admin/keys?${query}`)).status).toBe(422);
  });

  test("a revoked key is refused at once", async () => {
    const { manage, ask, key } = await opened();
    const own = await key();
    const answer = await manage("/admin/keys/ana%40brightpine.test", { method: "DELETE" });
    expect(await jsonOf(answer)).toMatchObject({
      email: "ana@brightpine.test",
      revoked_at: expect.stringMatching(/Z$/),
    });
    expect((await ask("/v1/enrich/brightpine.test", { key: own })).status).toBe(401);
    expect((await problemOf(await manage("/admin/keys/ana@brightpine.test", { method: "DELETE" }))).status).toBe(404);
  });

  test("a reissued key replaces the previous one, and is shown", async () => {
    const { manage, ask, key } = await opened();
    const own = await key();
    const answer = await manage("/admin/keys/ana@brightpine.test/reissue", { method: "POST" });
    const issued = await jsonOf(answer);
    expect(Object.keys(issued)).toEqual(["api_key", "email", "monthly_limit", "created_at"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await ask("/v1/enrich/brightpine.test", { key: own })).status).toBe(401);
    expect((await ask("/v1/enrich/brightpine.test", { key: issued.api_key })).status).toBe(200);
  });

  test("a new limit applies at once", async () => {
    const { manage, ask, key } = await opened();
    const own = await key();
    const answer = await manage("/admin/keys/ana@brightpine.test", { method: "PATCH", json: { monthly_limit: 0 } });
    expect(await jsonOf(answer)).toMatchObject({ monthly_limit: 0, used_this_month: 0 });
    expect((await ask("/v1/enrich/brightpine.test", { key: own })).status).toBe(429);
  });

  test.each([
    [{ monthly_limit: -1 }, "/monthly_limit"],
    [{ monthly_limit: 1.5 }, "/monthly_limit"],
    [{ monthly_limit: "5" }, "/monthly_limit"],
    [{ monthly_limit: 1_000_000_001 }, "/monthly_limit"],
    [{}, "/monthly_limit"],
    [{ monthly_limit: 5, email: "x" }, "/email"],
  ])("a limit of %p is 422", async (json, pointer) => {
    const { manage, key } = await opened();
    await key();
    const answer = await manage("/admin/keys/ana@brightpine.test", { method: "PATCH", json });
    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  test("operator requests count on no key", async () => {
    const { manage, key } = await opened();
    const own = await key();
    const answer = await manage("/admin/keys", { key: own });
    expect(answer.headers.has("ratelimit")).toBe(false);
    expect((await jsonOf(answer)).keys[0].used_this_month).toBe(0);
  });
});
