import type { Kysely, Transaction } from "kysely";
import { decodeCursor, encodeCursor } from "../../db/cursor.ts";
import type { Tables } from "../../db/schema.ts";
import type { FalsePositive, UnmatchedCount, UnmatchedKind, UnmatchedSignal } from "../types.ts";

export interface FalsePositivePage {
  readonly feedback: readonly FalsePositive[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** What the operator says was told wrongly, one report for a tool of a domain. */
export interface FeedbackRepository {
  /** A second report adds the rules that told the tool again; its note takes the place of the first. */
  save(report: Omit<FalsePositive, "reported_at">): Promise<FalsePositive>;
  /** @returns the report that was taken back, if there was one */
  delete(domain: string, toolId: string): Promise<FalsePositive | undefined>;
  /** Of one domain. */
  ofDomain(domain: string): Promise<readonly FalsePositive[]>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(page: { readonly limit?: number; readonly cursor?: string }): Promise<FalsePositivePage>;
}

const LIST = "feedback";
const PAGE = 20;

export function createFeedbackRepository(queries: Kysely<Tables>, clock: () => Date): FeedbackRepository {
  const find = (domain: string, toolId: string) =>
    queries
      .selectFrom("feedback")
      .selectAll()
      .where("domain", "=", domain)
      .where("tool_id", "=", toolId)
      .executeTakeFirst();

  return {
    async save({ domain, tool_id, tool, rules, note }) {
      return await queries.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom("feedback")
          .selectAll()
          .where("domain", "=", domain)
          .where("tool_id", "=", tool_id)
          .executeTakeFirst();
        const all = [...new Set([...(before ? reportOf(before).rules : []), ...rules])].sort();
        const told = { tool, rules: JSON.stringify(all), note: note ?? before?.note ?? null };
        const row = { domain, tool_id, ...told, reported_at: clock().toISOString() };
        await transaction
          .insertInto("feedback")
          .values(row)
          .onConflict((conflict) =>
            conflict.columns(["domain", "tool_id"]).doUpdateSet({ ...told, reported_at: row.reported_at }),
          )
          .execute();
        return reportOf(row);
      });
    },

    async delete(domain, toolId) {
      const row = await find(domain, toolId);
      await queries.deleteFrom("feedback").where("domain", "=", domain).where("tool_id", "=", toolId).execute();
      return row && reportOf(row);
    },

    async ofDomain(domain) {
      const rows = await queries
        .selectFrom("feedback")
        .selectAll()
        .where("domain", "=", domain)
        .orderBy("tool_id")
        .execute();
      return rows.map(reportOf);
    },

    async list({ limit = PAGE, cursor }) {
      const [at, domain, tool] =
        cursor === undefined ? ["", "", ""] : decodeCursor(LIST, ["string", "string", "string"], cursor);
      const rows = await queries
        .selectFrom("feedback")
        .selectAll()
        .$if(cursor !== undefined, (query) =>
          query.where((eb) =>
            eb.or([
              eb("reported_at", "<", at),
              eb.and([eb("reported_at", "=", at), eb("domain", ">", domain)]),
              eb.and([eb("reported_at", "=", at), eb("domain", "=", domain), eb("tool_id", ">", tool)]),
            ]),
          ),
        )
        .orderBy("reported_at", "desc")
        .orderBy("domain")
        .orderBy("tool_id")
        .limit(limit + 1)
        .execute();
      const { total } = await queries
        .selectFrom("feedback")
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      const feedback = rows.slice(0, limit).map(reportOf);
      const last = feedback.at(-1);
      const more = rows.length > limit && last;
      return {
        feedback,
        total,
        next_cursor: more ? encodeCursor(LIST, [last.reported_at, last.domain, last.tool_id]) : null,
      };
    },
  };
}

const reportOf = ({ rules, ...row }: Omit<FalsePositive, "rules"> & { readonly rules: string }): FalsePositive => ({
  ...row,
  rules: JSON.parse(rules),
});

/** What scans saw and no rule knew, one row a company, so that companies can be counted. */
export interface DiscoveryRepository {
  /** In place of what the domain's scan before saw. At most {@link MOST_OF_DOMAIN} are kept. */
  replace(domain: string, seenAt: string, unknowns: readonly UnmatchedSignal[]): Promise<void>;
  /** Those that most companies have first. */
  counts(filter: { readonly kind?: UnmatchedKind; readonly limit: number }): Promise<readonly UnmatchedCount[]>;
}

/** A page full of strangers' scripts must not fill the queue. */
const MOST_OF_DOMAIN = 200;
/** About 40 MB; what was seen longest ago goes first. */
const MOST = 300_000;
/** SQLite takes 32,766 parameters in a statement; a row has five. */
const ROWS_AT_ONCE = 200;

export function createDiscoveryRepository(queries: Kysely<Tables>, most = MOST): DiscoveryRepository {
  return {
    replace: (domain, seenAt, unknowns) =>
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
