import { hostname } from "node:os";
import type { Kysely, Transaction } from "kysely";
import { inChunks } from "../../db/cursor.ts";
import { isPostgres } from "../../db/engine.ts";
import type { Tables } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";

/** A change of one case study that is not in the search index yet. */
export interface OutboxEntry {
  readonly id: number;
  readonly case_study_id: string;
  readonly action: "upsert" | "delete";
  /** The current revision; null when the case study was removed. */
  readonly revision: number | null;
  /** Number of failed attempts. */
  readonly attempts: number;
  readonly last_error: string | null;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

/** A case study that the model cannot embed: searches find it by its words only. */
export interface IndexFailure {
  readonly case_study_id: string;
  readonly error: string;
}

/** Changes that are not in the search index yet. Entries are written in the transaction of the change. */
export interface OutboxRepository {
  /**
   * From here on every change is queued for this index. On PostgreSQL `true` when it was not before: the index lacks
   * changes, or is new, and must be rebuilt. Every case study is then queued, in case that is interrupted.
   */
  join(): Promise<boolean>;
  /**
   * Leases at most `limit` entries for `leaseSeconds`, oldest first and one per case study: the latest change replaces
   * earlier ones. Other callers get these case studies after the lease, or after `done` or `failed`.
   */
  pending(limit: number, leaseSeconds?: number): Promise<readonly OutboxEntry[]>;
  /** Deletes entries and the earlier ones of the same case study; changes made meanwhile stay. */
  done(ids: readonly number[]): Promise<void>;
  /** Schedules another attempt: after 10 seconds, then twice as long each time, up to ten minutes. */
  failed(id: number, error: string): Promise<void>;
  /** The entry is not retried until its case study changes or everything is queued again. */
  failedForGood(id: number, error: string): Promise<void>;
  /** Replaces all entries that failed for good by those of a rebuild; case studies that wait are skipped. */
  replaceFailures(failures: readonly IndexFailure[]): Promise<void>;
  /** Entries that failed for good: their number, and the first `limit` of them. */
  failures(limit: number): Promise<{ readonly total: number; readonly first: readonly IndexFailure[] }>;
  /** Ends these leases; without ids every lease, after the process that held them has ended. */
  release(ids?: readonly number[]): Promise<void>;
  /** Number of case studies that wait. Reads all of them. */
  depth(): Promise<number>;
  /** Whether none wait. */
  isEmpty(): Promise<boolean>;
  /** Age of the oldest entry in seconds; 0 when nothing waits. */
  oldestSeconds(): Promise<number>;
  /**
   * Queues every case study whose current revision `model` has not embedded; without a model, queues all. Returns the
   * number of added entries.
   */
  requeueAll(model?: string): Promise<number>;
  /** When the index was filled in one piece: removes entries of case studies whose current revision `model` has embedded. */
  settle(model: string): Promise<void>;
}

const LEASE_SECONDS = 120;
const FIRST_RETRY_SECONDS = 10;
const LAST_RETRY_SECONDS = 600;
const MAX_ERROR_CHARACTERS = 500;

export function createOutboxRepository(
  queries: Kysely<Tables>,
  clock: () => Date,
  indexId = LOCAL_INDEX,
): OutboxRepository {
  const inSeconds = (seconds: number) => new Date(clock().getTime() + seconds * 1_000).toISOString();

  const requeue = async (on: Kysely<Tables>, model?: string): Promise<number> => {
    let studies = on
      .selectFrom("case_studies as study")
      .select((eb) => eb.val(indexId).as("index_id"))
      .select(["study.id", (eb) => eb.val("upsert").as("action"), (eb) => eb.val(inSeconds(0)).as("created_at")])
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("outbox")
              .select("outbox.id")
              .where("outbox.index_id", "=", indexId)
              .whereRef("outbox.case_study_id", "=", "study.id")
              .where("outbox.attempts", "=", 0)
              .where("outbox.leased_until", "is", null)
              .where("outbox.failed_at", "is", null),
          ),
        ),
      )
      .orderBy("study.number");
    if (model !== undefined) {
      studies = studies.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("embeddings")
              .select("embeddings.model")
              .whereRef("embeddings.study_number", "=", "study.number")
              .whereRef("embeddings.revision", "=", "study.revision")
              .where("embeddings.model", "=", embeddedModel(model, indexId)),
          ),
        ),
      );
    }
    const { numInsertedOrUpdatedRows } = await on
      .insertInto("outbox")
      .columns(["index_id", "case_study_id", "action", "created_at"])
      .expression(studies)
      .executeTakeFirstOrThrow();
    return Number(numInsertedOrUpdatedRows ?? 0);
  };

  return {
    async join() {
      if (!isPostgres(queries)) return false;
      const known = queries.selectFrom("node_indexes").select("id").where("id", "=", indexId);
      if (await known.executeTakeFirst()) return false;
      return await inTransaction(queries, "case studies", async (transaction) => {
        const row = await transaction
          .insertInto("node_indexes")
          .values({ id: indexId, host: hostname(), seen_at: inSeconds(0) })
          .onConflict((conflict) => conflict.doNothing())
          .returning("id")
          .executeTakeFirst();
        if (row) await requeue(transaction);
        return row !== undefined;
      });
    },

    async pending(limit, leaseSeconds = LEASE_SECONDS) {
      // Usually nothing waits, and a read does not need the write lock.
      if ((await waiting(queries, indexId, inSeconds(0), 1)).length === 0) return [];
      return await inTransaction(queries, `outbox ${indexId}`, async (transaction) => {
        const entries = await waiting(transaction, indexId, inSeconds(0), limit);
        await inChunks(entries, (chunk) =>
          transaction
            .updateTable("outbox")
            .set({ leased_until: inSeconds(leaseSeconds) })
            .where(
              "id",
              "in",
              chunk.map(({ id }) => id),
            )
            .execute(),
        );
        return entries;
      });
    },

    async done(ids) {
      await inChunks(ids, (chunk) =>
        queries
          .deleteFrom("outbox")
          .where("id", "in", (eb) =>
            eb
              .selectFrom("outbox as entry")
              .innerJoin("outbox as earlier", "earlier.case_study_id", "entry.case_study_id")
              .whereRef("earlier.index_id", "=", "entry.index_id")
              .whereRef("earlier.id", "<=", "entry.id")
              .where("entry.id", "in", chunk)
              .select("earlier.id"),
          )
          .execute(),
      );
    },

    failed: (id, error) =>
      inTransaction(queries, `outbox ${indexId}`, async (transaction) => {
        const entry = await transaction.selectFrom("outbox").select("attempts").where("id", "=", id).executeTakeFirst();
        if (!entry) return;
        const wait = Math.min(FIRST_RETRY_SECONDS * 2 ** entry.attempts, LAST_RETRY_SECONDS);
        await transaction
          .updateTable("outbox")
          .set({
            attempts: entry.attempts + 1,
            last_error: error.slice(0, MAX_ERROR_CHARACTERS),
            leased_until: inSeconds(wait),
          })
          .where("id", "=", id)
          .execute();
      }),

    failedForGood: (id, error) =>
      inTransaction(queries, `outbox ${indexId}`, async (transaction) => {
        const entry = await transaction
          .updateTable("outbox")
          .set((eb) => ({
            attempts: eb("attempts", "+", 1),
            last_error: error.slice(0, MAX_ERROR_CHARACTERS),
            leased_until: null,
            failed_at: inSeconds(0),
          }))
          .where("id", "=", id)
          .returning("case_study_id")
          .executeTakeFirst();
        if (!entry) return;
        await transaction
          .deleteFrom("outbox")
          .where("index_id", "=", indexId)
          .where("case_study_id", "=", entry.case_study_id)
          .where("id", "<", id)
          .execute();
      }),

    replaceFailures: (failures) =>
      inTransaction(queries, `outbox ${indexId}`, async (transaction) => {
        await transaction
          .deleteFrom("outbox")
          .where("index_id", "=", indexId)
          .where("failed_at", "is not", null)
          .execute();
        const now = inSeconds(0);
        for (const { case_study_id, error } of failures) {
          const waits = await transaction
            .selectFrom("outbox")
            .select("id")
            .where("index_id", "=", indexId)
            .where("case_study_id", "=", case_study_id)
            .executeTakeFirst();
          if (waits) continue;
          const last_error = error.slice(0, MAX_ERROR_CHARACTERS);
          await transaction
            .insertInto("outbox")
            .values({
              ...{ index_id: indexId, case_study_id, action: "upsert", attempts: 1 },
              ...{ last_error, created_at: now, failed_at: now },
            })
            .execute();
        }
      }),

    async failures(limit) {
      const failed = queries.selectFrom("outbox").where("index_id", "=", indexId).where("failed_at", "is not", null);
      const { total } = await failed.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await failed.select(["case_study_id", "last_error"]).orderBy("id").limit(limit).execute();
      return {
        total,
        first: rows.map(({ case_study_id, last_error }) => ({ case_study_id, error: last_error ?? "" })),
      };
    },

    async release(ids) {
      const held = queries.updateTable("outbox").set({ leased_until: null }).where("index_id", "=", indexId);
      // The same column holds the wait after a failure; an early attempt at start does no harm.
      if (ids === undefined) await held.execute();
      else await inChunks(ids, (chunk) => held.where("id", "in", chunk).execute());
    },

    async depth() {
      const { depth } = await queries
        .selectFrom("outbox")
        .select((eb) => eb.fn.count<number>("case_study_id").distinct().as("depth"))
        .where("index_id", "=", indexId)
        .where("failed_at", "is", null)
        .executeTakeFirstOrThrow();
      return depth;
    },

    async isEmpty() {
      const waits = queries
        .selectFrom("outbox")
        .select("id")
        .where("index_id", "=", indexId)
        .where("failed_at", "is", null)
        .limit(1);
      return (await waits.executeTakeFirst()) === undefined;
    },

    async oldestSeconds() {
      const oldest = await queries
        .selectFrom("outbox")
        .select("created_at")
        .where("index_id", "=", indexId)
        .where("failed_at", "is", null)
        .orderBy("id")
        .limit(1)
        .executeTakeFirst();
      if (!oldest) return 0;
      return Math.max(0, (clock().getTime() - Date.parse(oldest.created_at)) / 1_000);
    },

    requeueAll: (model) => requeue(queries, model),

    async settle(model) {
      await queries
        .deleteFrom("outbox")
        .where("index_id", "=", indexId)
        .where("action", "=", "upsert")
        .where("failed_at", "is", null)
        .where("case_study_id", "in", (eb) =>
          eb
            .selectFrom("case_studies as study")
            .innerJoin("embeddings as own", (join) =>
              join.onRef("own.study_number", "=", "study.number").onRef("own.revision", "=", "study.revision"),
            )
            .where("own.model", "=", embeddedModel(model, indexId))
            .select("study.id"),
        )
        .execute();
    },
  };
}

/** The latest change of each case study that nobody has leased, oldest first. */
const waiting = (queries: Kysely<Tables>, indexId: string, now: string, limit: number): Promise<OutboxEntry[]> =>
  queries
    .selectFrom("outbox as entry")
    .leftJoin("case_studies", "case_studies.id", "entry.case_study_id")
    // A database file has one index: by `index_id`, SQLite would read and sort the whole queue for each batch.
    .where((eb) =>
      eb(isPostgres(queries) ? eb.ref("entry.index_id") : eb.fn.coalesce("entry.index_id", eb.val("")), "=", indexId),
    )
    .where("entry.failed_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("outbox as other")
            .select("other.id")
            .where("other.index_id", "=", indexId)
            .whereRef("other.case_study_id", "=", "entry.case_study_id")
            .where((eb) => eb.or([eb("other.id", ">", eb.ref("entry.id")), eb("other.leased_until", ">", now)])),
        ),
      ),
    )
    .select([
      "entry.id",
      "entry.case_study_id",
      "entry.action",
      "case_studies.revision",
      "entry.attempts",
      "entry.last_error",
      "entry.created_at",
    ])
    .orderBy("entry.id")
    .limit(limit)
    .execute();

/** The only index of an installation with a database file. */
export const LOCAL_INDEX = "local";

/** What `embeddings` has for a model in an index. */
export const embeddedModel = (model: string, indexId: string): string =>
  indexId === LOCAL_INDEX ? model : `${model} ${indexId}`;

/**
 * Queues changes for every search index, in the transaction that makes them. On PostgreSQL the transaction has the lock of
 * case studies, which an index takes to join: it gets each change or finds it when it is built.
 */
export async function enqueue(
  transaction: Transaction<Tables>,
  action: "upsert" | "delete",
  ids: readonly string[],
  now: string,
): Promise<void> {
  const indexes = isPostgres(transaction)
    ? await transaction.selectFrom("node_indexes").select("id").orderBy("id").execute()
    : [{ id: LOCAL_INDEX }];
  const entries = ids.flatMap((case_study_id) =>
    indexes.map(({ id: index_id }) => ({ index_id, case_study_id, action, created_at: now })),
  );
  await inChunks(entries, (chunk) => transaction.insertInto("outbox").values(chunk).execute());
}
