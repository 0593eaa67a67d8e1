import { expect, test } from "bun:test";
import { openFakeApp } from "../services/fake-app.ts";
import { run } from "./fake-host.ts";

test("a new operator token is shown once and replaces the previous one", async () => {
  const app = await openFakeApp();
  const { token: former } = await app.operator.ensureOperatorToken();
  const { code, out, err } = await run(["operator", "reset-token"], { app });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^cf_operator_\w{40}\nStore it now: Casefile keeps only a hash\. The previous token and its console sessions no longer work\.\n$/,
  );
  expect(await app.operator.verifyOperatorToken(out.split("\n")[0])).toBe(true);
  expect(await app.operator.verifyOperatorToken(former ?? "")).toBe(false);
});

test("--json prints only the token, also for the first one", async () => {
  const app = await openFakeApp();
  const made: { token: string } = JSON.parse((await run(["operator", "reset-token", "--json"], { app })).out);
  expect(Object.keys(made)).toEqual(["token"]);
  expect(await app.operator.verifyOperatorToken(made.token)).toBe(true);
  expect(await app.operator.ensureOperatorToken()).toEqual({ token: null });
});
