import { describe, expect, test } from "bun:test";
import { type Account, type Accounts, createAccounts, generateKey } from "../../src/accounts/service.ts";
import { openStore } from "../../src/store.ts";
import { inDirectory, refusalOf } from "../store/examples.ts";

/** A clock that stands until it is set. */
function clockAt(time: string) {
  const clock = () => new Date(clock.time);
  clock.time = time;
  return clock;
}

async function opened({ monthlyLimit = 10, dataDir = ":memory:", clock = clockAt("2026-05-04T12:00:00.000Z") } = {}) {
  const store = await openStore({ dataDir, clock });
  return { store, clock, accounts: createAccounts(store, { monthlyLimit, clock }) };
}

async function signedUp(accounts: Accounts, email = "ada@acme.example"): Promise<{ key: string; account: Account }> {
  const { api_key: key } = await accounts.issue(email);
  return { key, account: await accounts.authenticate(key) };
}

describe("issuing", () => {
  test("an address gets one key, which opens the account", async () => {
    const { accounts } = await opened();
    const issued = await accounts.issue("  Ada@Acme.Example ");
    expect(issued).toEqual({
      api_key: expect.stringMatching(/^cf_live_[0-9A-Za-z]{38}$/),
      email: "ada@acme.example",
      monthly_limit: 10,
      created_at: "2026-05-04T12:00:00.000Z",
    });
    expect(await accounts.authenticate(issued.api_key)).toMatchObject({ email: "ada@acme.example", monthlyLimit: 10 });
  });

  test("a second key for the same address is refused, however it is written", async () => {
    const { accounts } = await opened();
    await accounts.issue("ada@acme.example");
    expect((await refusalOf(accounts.issue(" ADA@acme.EXAMPLE "))).code).toBe("key.exists");
    await accounts.issue("bob@acme.example");
  });

  test("of many that ask at once for one address exactly one gets a key", async () => {
    const { accounts } = await opened();
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => accounts.issue("ada@acme.example")));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("what is no address is refused", async () => {
    const { accounts } = await opened();
    expect((await refusalOf(accounts.issue("ada"))).code).toBe("email.invalid");
  });

  test("neither the key nor more than its end is stored", async () => {
    await inDirectory(async (dataDir) => {
      const { accounts, store } = await opened({ dataDir });
      const { api_key } = await accounts.issue("ada@acme.example");
      await store.close();
      const file = await Bun.file(`${dataDir}/casefile.sqlite`).text();
      expect(file).toContain("ada@acme.example");
      expect(file).not.toContain(api_key.slice(8, 20));
    });
  });
});

describe("authenticating", () => {
  test("a missing, malformed, unknown and revoked key are refused in the same words", async () => {
    const { accounts } = await opened();
    const { key } = await signedUp(accounts);
    await accounts.revoke("ada@acme.example");
    const refusals = await Promise.all(
      [undefined, "", "nonsense", generateKey(), key].map((given) => refusalOf(accounts.authenticate(given))),
    );
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
    expect(refusals[0]?.code).toBe("key.invalid");
  });
});

describe("the monthly quota", () => {
  test("of a hundred at once on a limit of ten exactly ten win", async () => {
    const { accounts } = await opened();
    const { account } = await signedUp(accounts);
    const spent = await Promise.allSettled(Array.from({ length: 100 }, () => accounts.spend(account, 1)));
    expect(spent.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect((await accounts.quota(account)).remaining).toBe(0);
  });

  test("two processes that race for the last unit: exactly one wins", async () => {
    await inDirectory(async (dataDir) => {
      const one = await opened({ dataDir });
      const two = await opened({ dataDir });
      const { account } = await signedUp(one.accounts);
      await one.accounts.spend(account, 9);
      const spent = await Promise.allSettled([one.accounts.spend(account, 1), two.accounts.spend(account, 1)]);
      expect(spent.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await one.store.close();
      await two.store.close();
    });
  });

  test("a batch that does not fit is refused whole", async () => {
    const { accounts } = await opened();
    const { account } = await signedUp(accounts);
    expect((await refusalOf(accounts.spend(account, 11))).code).toBe("quota.exceeded");
    await accounts.spend(account, 8);
    expect((await refusalOf(accounts.spend(account, 3))).message).toContain("only 2 are left");
    expect((await accounts.quota(account)).remaining).toBe(2);
    expect((await accounts.spend(account, 2)).remaining).toBe(0);
  });

  test("the quota tells the month's length and what is left of it", async () => {
    const { accounts, clock } = await opened();
    const { account } = await signedUp(accounts);
    clock.time = "2028-02-29T23:59:00.500Z";
    expect(await accounts.spend(account, 1)).toEqual({
      limit: 10,
      remaining: 9,
      windowSeconds: 29 * 86_400,
      resetSeconds: 60,
      month: "2028-02",
    });
    const refusal = await refusalOf(accounts.spend(account, 10));
    expect(refusal.details.retryAfterSeconds).toBe(60);
  });

  test("a new month in UTC begins with the whole limit", async () => {
    const { accounts, clock } = await opened();
    const { account } = await signedUp(accounts);
    await accounts.spend(account, 10);
    clock.time = "2026-06-01T00:00:00.000Z";
    expect((await accounts.quota(account)).remaining).toBe(10);
  });

  test("what was used survives a restart", async () => {
    await inDirectory(async (dataDir) => {
      const before = await opened({ dataDir });
      const { key, account } = await signedUp(before.accounts);
      await before.accounts.spend(account, 7);
      await before.store.close();
      const after = await opened({ dataDir });
      expect((await after.accounts.quota(await after.accounts.authenticate(key))).remaining).toBe(3);
      await after.store.close();
    });
  });

  test("a refund gives back to the month that paid, and never more than was paid", async () => {
    const { accounts, clock } = await opened();
    const { account } = await signedUp(accounts);
    const { month } = await accounts.spend(account, 4);
    expect((await accounts.refund(account, 1)).remaining).toBe(7);
    clock.time = "2026-06-01T00:00:00.000Z";
    await accounts.spend(account, 2);
    expect((await accounts.refund(account, 50, month)).remaining).toBe(8);
    clock.time = "2026-05-31T23:59:59.000Z";
    expect((await accounts.quota(account)).remaining).toBe(10);
  });

  test.each([0, -1, 1.5, Number.NaN])("%p units are a bug of the caller", async (units) => {
    const { accounts } = await opened();
    const { account } = await signedUp(accounts);
    await expect(accounts.spend(account, units)).rejects.toThrow(RangeError);
    await expect(accounts.refund(account, units)).rejects.toThrow(RangeError);
  });
});

describe("the operator's part", () => {
  test("a revoked address may ask for a key again", async () => {
    const { accounts } = await opened();
    await accounts.issue("ada@acme.example");
    await accounts.revoke(" Ada@acme.example");
    expect((await refusalOf(accounts.revoke("ada@acme.example"))).code).toBe("key.not_found");
    await accounts.issue("ada@acme.example");
  });

  test("a reissued key takes the place of the old one, with its limit and what was used", async () => {
    const { accounts } = await opened();
    const { key, account } = await signedUp(accounts);
    await accounts.setLimit("ada@acme.example", 50);
    await accounts.spend(account, 5);
    const issued = await accounts.reissue("ada@acme.example");
    expect(issued.monthly_limit).toBe(50);
    expect((await refusalOf(accounts.authenticate(key))).code).toBe("key.invalid");
    expect(await accounts.quota(await accounts.authenticate(issued.api_key))).toMatchObject({
      limit: 50,
      remaining: 45,
    });
  });

  test("a key can be meant by its id", async () => {
    const { accounts } = await opened();
    const { key, account } = await signedUp(accounts);
    await accounts.setLimit(account.id, 0);
    expect((await refusalOf(accounts.spend(await accounts.authenticate(key), 1))).code).toBe("quota.exceeded");
    await accounts.revoke(account.id);
    expect((await refusalOf(accounts.authenticate(key))).code).toBe("key.invalid");
  });

  test.each(["nobody@acme.example", "key_nothing", ""])("%p means no key", async (given) => {
    const { accounts } = await opened();
    for (const attempt of [accounts.revoke(given), accounts.reissue(given), accounts.setLimit(given, 5)]) {
      expect((await refusalOf(attempt)).code).toBe("key.not_found");
    }
  });

  test("the list shows each key page by page, and never a key itself", async () => {
    const { accounts, clock } = await opened();
    const { key, account } = await signedUp(accounts);
    await accounts.spend(account, 3);
    clock.time = "2026-05-05T00:00:00.000Z";
    await accounts.revoke("ada@acme.example");
    for (const name of ["bob", "cy", "dee"]) await accounts.issue(`${name}@acme.example`);
    const first = await accounts.list({ limit: 2 });
    expect(first.total).toBe(4);
    expect(first.keys[0]).toEqual({
      id: account.id,
      email: "ada@acme.example",
      hint: key.slice(-4),
      monthly_limit: 10,
      used_this_month: 3,
      created_at: "2026-05-04T12:00:00.000Z",
      revoked_at: "2026-05-05T00:00:00.000Z",
    });
    const second = await accounts.list({ limit: 2, cursor: first.next_cursor ?? "" });
    expect(second.next_cursor).toBeNull();
    const emails = [...first.keys, ...second.keys].map(({ email }) => email.split("@")[0]);
    expect(emails.sort()).toEqual(["ada", "bob", "cy", "dee"]);
  });
});
