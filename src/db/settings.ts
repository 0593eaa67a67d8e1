import { type Kysely, sql, type Transaction } from "kysely";
import type { Tables } from "./schema.ts";

/** Single values of the installation, such as the hash of the operator token. */
export interface SettingsRepository {
  find(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** Sets a value that is not set yet. Of several concurrent callers exactly one gets `true`. */
  setIfAbsent(name: string, value: string): Promise<boolean>;
}

export function createSettingsRepository(queries: Kysely<Tables>): SettingsRepository {
  return {
    async find(name) {
      const row = await queries.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
      return row?.value;
    },

    async set(name, value) {
      await queries
        .insertInto("settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    },

    async setIfAbsent(name, value) {
      const row = await queries
        .insertInto("settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.doNothing())
        .returning("name")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

/** Adds 1 to a value that counts. */
export async function countUp(transaction: Transaction<Tables>, name: string): Promise<void> {
  await transaction
    .insertInto("settings")
    .values({ name, value: "1" })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet({ value: sql<string>`cast(cast(settings.value as bigint) + 1 as text)` }),
    )
    .execute();
}
