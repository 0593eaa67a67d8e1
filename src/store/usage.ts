import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** Counts what each key used in each month. */
export interface Usage {
  /**
   * Adds `units` when the sum stays within `limit`, else nothing; one statement, so that of two callers for the last
   * unit exactly one is granted it. `used` is the count afterwards.
   *
   * @param month `YYYY-MM`
   */
  spend(keyId: string, month: string, units: number, limit: number): Promise<{ granted: boolean; used: number }>;
  /** Takes back what was spent, never below nothing; answers the count afterwards. */
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
