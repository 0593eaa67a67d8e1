import { expect, test } from "bun:test";
import { createOperator } from "../../src/accounts/service.ts";
import { openStore } from "../../src/store.ts";

const opened = async () =>
  createOperator((await openStore({ dataDir: ":memory:", clock: () => new Date(0) })).settings);

test("the token is shown once", async () => {
  const operator = await opened();
  const shown = await Promise.all([1, 2, 3].map(() => operator.ensureOperatorToken()));
  const tokens = shown.flatMap(({ token }) => (token ? [token] : []));
  expect(tokens).toHaveLength(1);
  expect(await operator.ensureOperatorToken()).toEqual({ token: null });
  expect(await operator.verifyOperatorToken(tokens[0])).toBe(true);
});

test("any other value is refused, and every value before a token exists", async () => {
  const operator = await opened();
  expect(await operator.verifyOperatorToken("")).toBe(false);
  const { token } = await operator.ensureOperatorToken();
  for (const wrong of [undefined, "", `${token}x`, token?.toLowerCase(), "x".repeat(100_000)]) {
    expect(await operator.verifyOperatorToken(wrong)).toBe(false);
  }
});

test("a new token replaces the old one", async () => {
  const operator = await opened();
  const { token: old } = await operator.ensureOperatorToken();
  const { token } = await operator.replaceOperatorToken();
  expect(await operator.verifyOperatorToken(token)).toBe(true);
  expect(await operator.verifyOperatorToken(old ?? "")).toBe(false);
});
