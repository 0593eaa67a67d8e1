import { describe, expect, test } from "bun:test";
import { type Account, type Accounts, createAccounts, generateKey } from "../../src/accounts/service.ts";
import { openStore } from "../../src/store.ts";
import { inDirectory, refusalOf } from "../store/examples.ts";

/** A clock that only moves when it is set. */
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
  test("an email address gets one key, which authenticates the account", async () => {
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

  test("a second key for the same address is refused in any spelling", async () => {
    const { accounts } = await opened();
    await accounts.issue("ada@acme.example");
    expect((await refusalOf(accounts.issue(" ADA@acme.EXAMPLE "))).code).toBe("key.exists");
    await accounts.issue("bob@acme.example");
  });

  test("of many concurrent requests for one address exactly one gets a key", async () => {
    const { accounts } = await opened();
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => accounts.issue("ada@acme.example")));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("an invalid address is refused", async () => {
    const { accounts } = await opened();
    expect((await refusalOf(accounts.issue("ada"))).code).toBe("email.invalid");
  });

  test("only the last characters of the key are stored", async () => {
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
  test("a missing, malformed, unknown and revoked key get the same error", async () => {
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
  test("of a hundred concurrent requests on a limit of ten exactly ten succeed", async () => {
    const { accounts } = await opened();
    const { account } = await signedUp(accounts);
    const spent = await Promise.allSettled(Array.from({ length: 100 }, () => accounts.spend(account, 1)));
    expect(spent.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect((await accounts.quota(account)).remaining).toBe(0);
  });

  test("of two processes that race for the last unit exactly one succeeds", async () => {
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

  test("a batch that exceeds the quota is refused as a whole", async () => {
    const { accounts } = await opened();
    const { account } = await signedUp(accounts);
    expect((await refusalOf(accounts.spend(account, 11))).code).toBe("quota.exceeded");
    await accounts.spend(account, 8);
    expect((await refusalOf(accounts.spend(account, 3))).message).toContain("only 2 are left");
    expect((await accounts.quota(account)).remaining).toBe(2);
    expect((await accounts.spend(account, 2)).remaining).toBe(0);
  });

  test("the quota states the month's length, its remaining time and the remaining units", async () => {
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

  test("a new UTC month starts with the full limit", async () => {
    const { accounts, clock } = await opened();
    const { account } = await signedUp(accounts);
    await accounts.spend(account, 10);
    clock.time = "2026-06-01T00:00:00.000Z";
    expect((await accounts.quota(account)).remaining).toBe(10);
  });

  test("usage survives a restart", async () => {
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

  test("a refund goes to the month that was charged, and never exceeds the charge", async () => {
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

  test.each([0, -1, 1.5, Number.NaN])("%p units throw", async (units) => {
    const { accounts } = await opened();
    const { account } = await signedUp(accounts);
    await expect(accounts.spend(account, units)).rejects.toThrow(RangeError);
    await expect(accounts.refund(account, units)).rejects.toThrow(RangeError);
  });
});

describe("the operator's actions", () => {
  test("a revoked address can get a new key", async () => {
    const { accounts } = await opened();
    await accounts.issue("ada@acme.example");
    await accounts.revoke(" Ada@acme.example");
    expect((await refusalOf(accounts.revoke("ada@acme.example"))).code).toBe("key.not_found");
    await accounts.issue("ada@acme.example");
  });

  test("a revoked address cannot sign up again, so that nobody inherits its batches", async () => {
    const { accounts } = await opened();
    await accounts.signUp("ada@acme.example");
    await accounts.reissue("ada@acme.example");
    expect((await refusalOf(accounts.signUp("ada@acme.example"))).code).toBe("key.exists");
    await accounts.revoke("ada@acme.example");
    expect((await refusalOf(accounts.signUp(" ADA@acme.example"))).code).toBe("key.sign_up_closed");
    await accounts.issue("ada@acme.example");
    await accounts.signUp("bob@acme.example");
  });

  test("a reissued key replaces the old one and keeps its limit and usage", async () => {
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

  test("a key can be selected by its id", async () => {
    const { accounts } = await opened();
    const { key, account } = await signedUp(accounts);
    await accounts.setLimit(account.id, 0);
    expect((await refusalOf(accounts.spend(await accounts.authenticate(key), 1))).code).toBe("quota.exceeded");
    await accounts.revoke(account.id);
    expect((await refusalOf(accounts.authenticate(key))).code).toBe("key.invalid");
  });

  test.each(["nobody@acme.example", "key_nothing", ""])("%p selects no key", async (given) => {
    const { accounts } = await opened();
    const attempts = [() => accounts.revoke(given), () => accounts.reissue(given), () => accounts.setLimit(given, 5)];
    for (const attempt of attempts) {
      expect((await refusalOf(attempt())).code).toBe("key.not_found");
    }
  });

  test("the list pages through all keys, and never shows a key's secret", async () => {
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
