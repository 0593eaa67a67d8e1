import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** Passages that stand together are read together: as a sample they say nearly as much, and cost a twentieth. */
const IN_A_ROW = 20;

/** Ids of about `most` passages, evenly spread over all, the same ones as long as nothing is added. */
export async function samplePassageIds(queries: Kysely<Tables>, most: number): Promise<readonly number[]> {
  const { first, last } = await queries
    .selectFrom("passages")
    .select([sql<number | null>`min(id)`.as("first"), sql<number | null>`max(id)`.as("last")])
    .executeTakeFirstOrThrow();
  if (first === null || last === null) return [];
  const places = Math.ceil(most / IN_A_ROW);
  const ids = new Set<number>();
  for (let place = 0; place < places; place += 1) {
    const rows = await queries
      .selectFrom("passages")
      .select("id")
      .where("id", ">=", first + Math.floor(((last - first + 1) * place) / places))
      .orderBy("id")
      .limit(IN_A_ROW)
      .execute();
    for (const { id } of rows) ids.add(id);
  }
  return [...ids];
}
