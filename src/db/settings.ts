import type { Kysely } from "kysely";
import type { Tables } from "./schema.ts";

/** A few single values that belong to the installation, such as the hash of the operator's token. */
export interface Settings {
  find(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  /** Sets the value unless there is one; of several callers at once exactly one is told `true`. */
  setIfAbsent(name: string, value: string): Promise<boolean>;
}

export function settingsIn(queries: Kysely<Tables>): Settings {
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
