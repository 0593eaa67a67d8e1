import { type Kysely, sql } from "kysely";
import { countRows, type Page, type PageRequest, readPage } from "../db/cursor.ts";
import type { KeyRow, Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";

type StoredKey = Readonly<KeyRow>;

interface KeyPage extends Page {
  readonly keys: readonly StoredKey[];
}

/** API keys, stored as hashes. An address has at most one active key. */
export interface Keys {
  /** False, and nothing added, when the address has an active key. */
  add(key: StoredKey): Promise<boolean>;
  findActive(by: { hash: string } | { email: string } | { id: string }): Promise<StoredKey | undefined>;
  /** Whether an address had a key and has no active one. */
  isRevoked(email: string): Promise<boolean>;
  /** False when no active key has the id. */
  revoke(id: string, at: string): Promise<boolean>;
  /**
   * Revokes `id` and adds `next`, which takes over the usage of `month`: a new key is not a new quota.
   * False, and nothing changed, when `id` is not active.
   */
  replace(id: string, next: StoredKey, month: string): Promise<boolean>;
  setLimit(id: string, monthlyLimit: number): Promise<void>;
  /** Oldest first, including revoked keys. @throws Failure `cursor.invalid` */
  list(page: PageRequest): Promise<KeyPage>;
}

const OLDEST_FIRST = {
  list: "keys",
  columns: [
    ["created_at", "string"],
    ["id", "string"],
  ],
} as const;

export function keysIn(queries: Kysely<Tables>): Keys {
  return {
    async add(key) {
      const row = await queries
        .insertInto("keys")
        .values(key)
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    async findActive(by) {
      const active = queries.selectFrom("keys").selectAll().where("revoked_at", "is", null);
      if ("hash" in by) return active.where("hash", "=", by.hash).executeTakeFirst();
      if ("email" in by) return active.where("email_folded", "=", by.email).executeTakeFirst();
      return active.where("id", "=", by.id).executeTakeFirst();
    },

    async isRevoked(email) {
      const keys = await queries
        .selectFrom("keys")
        .select("revoked_at")
        .where("email_folded", "=", email)
        .orderBy(sql`revoked_at is null`, "desc")
        .executeTakeFirst();
      return typeof keys?.revoked_at === "string";
    },

    revoke: (id, at) => revoke(queries, id, at),

    replace: (id, next, month) =>
      inTransaction(queries, `key ${id}`, async (transaction) => {
        if (!(await revoke(transaction, id, next.created_at))) return false;
        await transaction.insertInto("keys").values(next).execute();
        const spent = await transaction
          .selectFrom("usage")
          .select("used")
          .where("key_id", "=", id)
          .where("month", "=", month)
          .executeTakeFirst();
        if (spent) await transaction.insertInto("usage").values({ key_id: next.id, month, used: spent.used }).execute();
        return true;
      }),

    async setLimit(id, monthlyLimit) {
      await queries.updateTable("keys").set({ monthly_limit: monthlyLimit }).where("id", "=", id).execute();
    },

    async list(page) {
      const keys = queries.selectFrom("keys");
      const { rows, next_cursor } = await readPage(keys.selectAll(), OLDEST_FIRST, page);
      return { keys: rows, total: await countRows(keys), next_cursor };
    },
  };
}

async function revoke(queries: Kysely<Tables>, id: string, at: string): Promise<boolean> {
  const row = await queries
    .updateTable("keys")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Requests by key and month. */
export interface Usage {
  /**
   * Adds `units` if the sum stays within `limit`. One statement, so that of two callers for the last unit exactly one
   * gets it. `used` is the count afterwards.
   *
   * @param month `YYYY-MM`
   */
  spend(keyId: string, month: string, units: number, limit: number): Promise<{ granted: boolean; used: number }>;
  /** Subtracts `units`, not below 0. @returns the count afterwards */
  refund(keyId: string, month: string, units: number): Promise<number>;
  used(keyId: string, month: string): Promise<number>;
}

export function usageIn(queries: Kysely<Tables>): Usage {
  const used = async (keyId: string, month: string) => {
    const row = await queries
      .selectFrom("usage")
      .select("used")
      .where("key_id", "=", keyId)
      .where("month", "=", month)
      .executeTakeFirst();
    return row?.used ?? 0;
  };

  return {
    used,

    async spend(keyId, month, units, limit) {
      if (units > limit) return { granted: false, used: await used(keyId, month) };
      const row = await queries
        .insertInto("usage")
        .values({ key_id: keyId, month, used: units })
        .onConflict((conflict) =>
          conflict
            .columns(["key_id", "month"])
            .doUpdateSet((eb) => ({ used: eb("usage.used", "+", units) }))
            .where((eb) => eb(eb("usage.used", "+", units), "<=", limit)),
        )
        .returning("used")
        .executeTakeFirst();
      return row ? { granted: true, used: row.used } : { granted: false, used: await used(keyId, month) };
    },

    async refund(keyId, month, units) {
      const row = await queries
        .updateTable("usage")
        .set((eb) => ({
          used: eb
            .case()
            .when("used", ">", units)
            .then(eb("used", "-", units))
            .else(0)
            .end(),
        }))
        .where("key_id", "=", keyId)
        .where("month", "=", month)
        .returning("used")
        .executeTakeFirst();
      return row?.used ?? 0;
    },
  };
}
