import type { Kysely, Transaction } from "kysely";
import { countRows, type Page, readPage } from "../../db/cursor.ts";
import type { Tables } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { queueForIndex } from "../repository.ts";
import type { FalsePositive, UnmatchedCount, UnmatchedKind, UnmatchedSignal } from "../types.ts";

export interface FalsePositivePage extends Page {
  readonly feedback: readonly FalsePositive[];
}

/** False positives reported by the operator, one per domain and tool. */
export interface FeedbackRepository {
  /** A second report for the same tool adds its rules and replaces the note. */
  save(report: Omit<FalsePositive, "reported_at">): Promise<FalsePositive>;
  /** @returns the deleted report, if there was one */
  delete(domain: string, toolId: string): Promise<FalsePositive | undefined>;
  ofDomain(domain: string): Promise<readonly FalsePositive[]>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(page: { readonly limit?: number; readonly cursor?: string }): Promise<FalsePositivePage>;
}

const NEWEST_FIRST = {
  list: "feedback",
  columns: [
    ["reported_at", "string", "desc"],
    ["domain", "string"],
    ["tool_id", "string"],
  ],
} as const;
const PAGE = 20;

export function createFeedbackRepository(queries: Kysely<Tables>, clock: () => Date): FeedbackRepository {
  return {
    async save({ domain, tool_id, tool, rules, note }) {
      return await inTransaction(queries, `feedback ${domain}`, async (transaction) => {
        const before = await transaction
          .selectFrom("feedback")
          .selectAll()
          .where("domain", "=", domain)
          .where("tool_id", "=", tool_id)
          .executeTakeFirst();
        const all = [...new Set([...(before ? falsePositiveOf(before).rules : []), ...rules])].sort();
        const values = {
          tool,
          rules: JSON.stringify(all),
          note: note ?? before?.note ?? null,
          reported_at: clock().toISOString(),
        };
        const row = { domain, tool_id, ...values };
        await transaction
          .insertInto("feedback")
          .values(row)
          .onConflict((conflict) => conflict.columns(["domain", "tool_id"]).doUpdateSet(values))
          .execute();
        await queueForIndex(transaction, [domain]);
        return falsePositiveOf(row);
      });
    },

    async delete(domain, toolId) {
      return await inTransaction(queries, "feedback", async (transaction) => {
        const row = await transaction
          .deleteFrom("feedback")
          .where("domain", "=", domain)
          .where("tool_id", "=", toolId)
          .returningAll()
          .executeTakeFirst();
        await queueForIndex(transaction, [domain]);
        return row && falsePositiveOf(row);
      });
    },

    async ofDomain(domain) {
      const rows = await queries
        .selectFrom("feedback")
        .selectAll()
        .where("domain", "=", domain)
        .orderBy("tool_id")
        .execute();
      return rows.map(falsePositiveOf);
    },

    async list({ limit = PAGE, cursor }) {
      const reports = queries.selectFrom("feedback");
      const { rows, next_cursor } = await readPage(reports.selectAll(), NEWEST_FIRST, { limit, cursor });
      return { feedback: rows.map(falsePositiveOf), total: await countRows(reports), next_cursor };
    },
  };
}

const falsePositiveOf = ({
  rules,
  ...row
}: Omit<FalsePositive, "rules"> & { readonly rules: string }): FalsePositive => ({
  ...row,
  rules: JSON.parse(rules),
});

/** Unmatched signals, one row per company, so that companies can be counted. */
export interface DiscoveryRepository {
  /** Replaces the entries of the domain's previous scan. At most {@link MAX_PER_DOMAIN} are kept. */
  replace(domain: string, seenAt: string, signals: readonly UnmatchedSignal[]): Promise<void>;
  /** Most companies first. */
  counts(filter: {
    readonly kind?: UnmatchedKind | undefined;
    readonly limit: number;
  }): Promise<readonly UnmatchedCount[]>;
}

/** A page full of third-party scripts must not fill the table. */
const MAX_PER_DOMAIN = 200;
/** About 40 MB; the oldest entries are deleted first. */
const MAX_ROWS = 300_000;

export function createDiscoveryRepository(queries: Kysely<Tables>, maxRows = MAX_ROWS): DiscoveryRepository {
  return {
    replace: (domain, seenAt, signals) =>
      inTransaction(queries, `unknowns ${domain}`, async (transaction) => {
        const newest = await transaction
          .selectFrom("unknowns")
          .select((eb) => eb.fn.max("seen_at").as("at"))
          .where("domain", "=", domain)
          .executeTakeFirst();
        // A recording may be older than the newest scan.
        if (newest?.at && newest.at > seenAt) return;
        await transaction.deleteFrom("unknowns").where("domain", "=", domain).execute();
        const rows = signals.slice(0, MAX_PER_DOMAIN).map((signal) => ({ ...signal, domain, seen_at: seenAt }));
        if (rows.length > 0) {
          await transaction
            .insertInto("unknowns")
            .values(rows)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
        await deleteOldest(transaction, maxRows);
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

async function deleteOldest(transaction: Transaction<Tables>, maxRows: number): Promise<void> {
  const { count } = await transaction
    .selectFrom("unknowns")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count <= maxRows) return;
  const oldest = await transaction
    .selectFrom("unknowns")
    .select("seen_at")
    .orderBy("seen_at")
    .offset(count - maxRows - 1)
    .limit(1)
    .executeTakeFirstOrThrow();
  await transaction.deleteFrom("unknowns").where("seen_at", "<=", oldest.seen_at).execute();
}
