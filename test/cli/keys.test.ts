import { describe, expect, test } from "bun:test";
import { openFakeApp } from "../services/fake-app.ts";
import { run } from "./fake-host.ts";

/** One installation for all commands of a test. */
async function installation() {
  let seconds = 0;
  const app = await openFakeApp({ monthlyLimit: 10, clock: () => new Date(Date.UTC(2026, 4, 4, 12, 0, seconds++)) });
  return { app, keys: (...argv: string[]) => run(["keys", ...argv], { app }) };
}

describe("keys", () => {
  test("are issued and shown once", async () => {
    const { keys } = await installation();
    const { code, out } = await keys("issue", "ana@brightpine.test");
    expect(out).toMatch(
      /^cf_live_[0-9A-Za-z]{38}\nStore it now: Casefile keeps only a hash\. 10 requests a month\.\n$/,
    );
    expect(code).toBe(0);
    const again = await keys("issue", "ANA@brightpine.test");
    expect([again.code, again.out]).toEqual([1, ""]);
    expect(again.err).toBe(
      "casefile: This email address already has an active key. If you lost the key, run: casefile keys reissue ANA@brightpine.test\n",
    );
  });

  test("--json prints an issued key as the API does", async () => {
    const { keys } = await installation();
    const { out } = await keys("issue", "ana@brightpine.test", "--json");
    expect(Object.keys(JSON.parse(out))).toEqual(["api_key", "email", "monthly_limit", "created_at"]);
  });

  test("are listed in a table", async () => {
    const { app, keys } = await installation();
    expect((await keys("list")).out).toBe("No keys.\n");
    await keys("issue", "ana@brightpine.test");
    await keys("issue", "bo@brightpine.test");
    await keys("revoke", "bo@brightpine.test");
    const { keys: entries } = await app.accounts.list();
    const [ana, bo] = entries;
    expect((await keys("list")).out).toBe(
      [
        "ID                    EMAIL                KEY    THIS MONTH  SINCE       STATE",
        `${ana?.id}  ana@brightpine.test  …${ana?.hint}  0/10        2026-05-04  active`,
        `${bo?.id}  bo@brightpine.test   …${bo?.hint}  0/10        2026-05-04  revoked`,
        "",
      ].join("\n"),
    );
    expect(await keys()).toEqual(await keys("list"));
    expect(JSON.parse((await keys("--json")).out).total).toBe(2);
  });

  test("are listed over all pages", async () => {
    const { app, keys } = await installation();
    for (let number = 0; number < 1_002; number++) await app.accounts.issue(`user${number}@brightpine.test`);
    const { keys: all, total, next_cursor } = JSON.parse((await keys("list", "--json")).out);
    expect([all.length, total, next_cursor]).toEqual([1_002, 1_002, null]);
  });

  test("can be revoked, reissued and limited, by email or id", async () => {
    const { app, keys } = await installation();
    await keys("issue", "ana@brightpine.test");
    const id = (await app.accounts.list()).keys[0]?.id ?? "";
    expect((await keys("limit", id, "0")).out).toBe("0 requests a month from now on.\n");
    expect(JSON.parse((await keys("limit", id, "7", "--json")).out)).toMatchObject({ id, monthly_limit: 7 });
    expect((await keys("reissue", "ana@brightpine.test")).out).toMatch(
      /^cf_live_\S{38}\nThe previous key no longer works\.\n$/,
    );
    expect((await keys("revoke", "ana@brightpine.test")).out).toBe("Revoked.\n");
    expect(await keys("revoke", id)).toMatchObject({ code: 1, out: "", left: 0 });
  });

  test.each([
    [["issue", "ana"], 2, 'casefile: "ana" is not an email address: give one email address'],
    [["limit", "ana@brightpine.test", "many"], 2, "Give a whole number, 0 or more."],
    [["limit", "ana@brightpine.test", "-5"], 2, "Give a whole number, 0 or more."],
    [["revoke", "nobody@brightpine.test"], 1, "No active key"],
    [["reissue", "nobody@brightpine.test"], 1, "No active key"],
    [["limit", "nobody@brightpine.test", "5"], 1, "No active key"],
  ])("%p exits with %d", async (argv, expected, advice) => {
    const { keys } = await installation();
    const { code, out, err } = await keys(...argv);
    expect(err).toContain(advice);
    expect([code, out]).toEqual([expected, ""]);
  });
});
