import type { Kysely, Transaction } from "kysely";
import type { Unknown, UnknownCount, UnknownKind } from "../vocabulary/discovery.ts";
import type { Tables } from "./tables.ts";

/** What scans saw and no rule knew, one row a company, so that companies can be counted. */
export interface Discovery {
  /** In place of what the domain's scan before saw. At most {@link MOST_OF_DOMAIN} are kept. */
  keep(domain: string, seenAt: string, unknowns: readonly Unknown[]): Promise<void>;
  /** Those that most companies have first. */
  counts(filter: { readonly kind?: UnknownKind; readonly limit: number }): Promise<readonly UnknownCount[]>;
}

/** A page full of strangers' scripts must not fill the queue. */
const MOST_OF_DOMAIN = 200;
/** About 40 MB; what was seen longest ago goes first. */
const MOST = 300_000;
/** SQLite takes 32,766 parameters in a statement; a row has five. */
const ROWS_AT_ONCE = 200;

export function discoveryIn(queries: Kysely<Tables>, most = MOST): Discovery {
  return {
    keep: (domain, seenAt, unknowns) =>
      queries.transaction().execute(async (transaction) => {
        const newest = await transaction
          .selectFrom("unknowns")
          .select((eb) => eb.fn.max("seen_at").as("at"))
          .where("domain", "=", domain)
          .executeTakeFirst();
        // A recording may be older than the scan that is known.
        if (newest?.at && newest.at > seenAt) return;
        await transaction.deleteFrom("unknowns").where("domain", "=", domain).execute();
        const rows = unknowns.slice(0, MOST_OF_DOMAIN).map((one) => ({ ...one, domain, seen_at: seenAt }));
        for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
          await transaction
            .insertInto("unknowns")
            .values(rows.slice(start, start + ROWS_AT_ONCE))
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
        await forgetOldest(transaction, most);
      }),

    counts({ kind, limit }) {
      let rows = queries
        .selectFrom("unknowns")
        .select(["kind", "value"])
        .select((eb) => [
          eb.fn.countAll<number>().as("companies"),
          eb.fn.min("example").as("example"),
          eb.fn.min("domain").as("domain"),
          eb.fn.max("seen_at").as("last_seen"),
        ])
        .groupBy(["kind", "value"])
        .orderBy("companies", "desc")
        .orderBy("kind")
        .orderBy("value")
        .limit(limit);
      if (kind) rows = rows.where("kind", "=", kind);
      return rows.execute();
    },
  };
}

async function forgetOldest(transaction: Transaction<Tables>, most: number): Promise<void> {
  const { count } = await transaction
    .selectFrom("unknowns")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count <= most) return;
  const oldest = await transaction
    .selectFrom("unknowns")
    .select("seen_at")
    .orderBy("seen_at")
    .offset(count - most - 1)
    .limit(1)
    .executeTakeFirstOrThrow();
  await transaction.deleteFrom("unknowns").where("seen_at", "<=", oldest.seen_at).execute();
}
