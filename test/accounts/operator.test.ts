import { describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOperator, type Operator } from "../../src/accounts/service.ts";
import { openStore } from "../../src/store.ts";

const opened = async () => {
  const { settings, operators } = await openStore({ dataDir: ":memory:", clock: () => new Date(0) });
  return createOperator(settings, undefined, operators.audit);
};

test("without a disk the token is shown once", async () => {
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

describe("on a disk", () => {
  const withFolder = async (use: (folder: string, start: () => Promise<Operator>) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), "casefile-operator-"));
    const { settings, operators } = await openStore({ dataDir: ":memory:" });
    try {
      await use(folder, async () => createOperator(settings, join(folder, "operator-token"), operators.audit));
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  const shownBy = async (operator: Operator) => (await operator.ensureOperatorToken()).token;

  test("the token is shown at each start until it has been used once", async () => {
    await withFolder(async (folder, start) => {
      const shown = await shownBy(await start());
      expect((await stat(join(folder, "operator-token"))).mode & 0o777).toBe(0o600);
      expect(await shownBy(await start())).toBe(shown);
      const later = await start();
      expect(await later.verifyOperatorToken("cf_operator_wrong")).toBe(false);
      expect(await shownBy(later)).toBe(shown);
      expect(await later.verifyOperatorToken(shown ?? "")).toBe(true);
      expect(await readdir(folder)).toEqual([]);
      expect(await shownBy(await start())).toBeNull();
    });
  });

  test("several first starts at once show one token", async () => {
    await withFolder(async (folder, start) => {
      const tokens = await Promise.all([1, 2, 3].map(async () => await shownBy(await start())));
      expect(new Set(tokens.filter((token) => token !== null)).size).toBe(1);
      const shown = await shownBy(await start());
      expect(tokens).toContain(shown);
      expect(await readdir(folder)).toEqual(["operator-token"]);
    });
  });

  test("a start that was killed before it stored the token's hash leaves the token to the next one", async () => {
    await withFolder(async (folder, start) => {
      const left = `cf_operator_${"a".repeat(40)}`;
      await writeFile(join(folder, "operator-token"), `${left}\n`);
      expect(await shownBy(await start())).toBe(left);
    });
  });

  test("a damaged file is replaced at the first start and ignored later", async () => {
    await withFolder(async (folder, start) => {
      await writeFile(join(folder, "operator-token"), "cf_oper");
      const shown = await shownBy(await start());
      expect(shown).toMatch(/^cf_operator_/);
      await writeFile(join(folder, "operator-token"), "cf_oper");
      expect(await shownBy(await start())).toBeNull();
    });
  });

  test("a replaced token is not shown again", async () => {
    await withFolder(async (_, start) => {
      await shownBy(await start());
      await (await start()).replaceOperatorToken();
      expect(await shownBy(await start())).toBeNull();
    });
  });
});
