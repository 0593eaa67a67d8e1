import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { usageIn } from "../accounts/repository.ts";
import type { Charge } from "../accounts/service.ts";
import { countRows, type PageRequest, readPage } from "../db/cursor.ts";
import type { BatchRow, Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Enrichment } from "../detection/types.ts";
import { createLeaseQueue, type LeaseQueue, type Leasing } from "../jobs/lease-queue.ts";
import type { BatchItem, BatchState, ItemState, StoredOptions } from "./types.ts";

export interface NewBatch {
  readonly id: string;
  readonly owner: string;
  readonly name: string | null;
  readonly idempotencyKey: string | null;
  readonly digest: string;
  readonly options: StoredOptions;
  readonly webhook: string | null;
  readonly total: number;
  readonly domains: number;
}

export interface NewItem {
  readonly position: number;
  readonly input: string;
  readonly cells: Readonly<Record<string, string>> | null;
  readonly domain: string | null;
  readonly state: "waiting" | "invalid" | "duplicate";
  readonly duplicateOf: number | null;
  readonly error: { readonly code: string; readonly detail: string } | null;
}

export interface StoredBatch extends Omit<Selectable<BatchRow>, "options" | "state"> {
  readonly state: BatchState;
  readonly options: StoredOptions;
}

/** How many items there are of each state, with the code of their error. */
export interface ItemCount {
  readonly state: ItemState;
  readonly error_code: string | null;
  readonly count: number;
}

/** Queues the message about the end of a batch in the transaction that ends it. */
export type Notify = (
  webhook: string,
  at: string,
  data: Readonly<Record<string, unknown>>,
  transaction: Transaction<Tables>,
) => Promise<void>;

/** Batches; their domains are due as jobs, those of all running batches in turn. */
export interface BatchRepository extends LeaseQueue {
  /**
   * Stores a batch and counts its domains, in one commit that is on the disk when it returns.
   *
   * @returns the batch, or the one that has the idempotency key already
   * @throws the refusal of `charge`
   */
  add(batch: NewBatch, items: Iterable<NewItem>, charge: Charge | undefined): Promise<StoredBatch>;
  find(id: string, owner: string): Promise<StoredBatch | undefined>;
  /** Of any owner, unless it was deleted. */
  findAny(id: string): Promise<StoredBatch | undefined>;
  findByKey(owner: string, idempotencyKey: string): Promise<StoredBatch | undefined>;
  /** The newest batch of an owner with this digest. */
  findByDigest(owner: string, digest: string): Promise<StoredBatch | undefined>;
  /** Newest first. @throws Failure `cursor.invalid` */
  list(
    owner: string,
    page: PageRequest,
  ): Promise<{ readonly batches: readonly StoredBatch[]; readonly total: number; readonly next_cursor: string | null }>;
  counts(id: string): Promise<readonly ItemCount[]>;
  leased(id: string): Promise<number>;
  /** False when the batch is in none of the states `from`. */
  setState(id: string, from: readonly BatchState[], to: "running" | "paused"): Promise<boolean>;
  /** Ends a batch; the domains that were not scanned are not counted. False when it has ended already. */
  cancel(id: string): Promise<boolean>;
  /** Makes the failed items of a finished batch wait again and counts them. Returns how many. */
  retryFailed(id: string, charge: Charge | undefined): Promise<number>;
  /** Ends a running batch without waiting items. Failed domains are not counted. True when this call ended it. */
  finish(id: string, notify: Notify): Promise<boolean>;
  /** Running batches without waiting items: the process ended between the last result and the end of the batch. */
  unfinished(): Promise<readonly string[]>;
  recordResult(number: number, result: Enrichment): Promise<void>;
  recordFailure(number: number, code: string, detail: string): Promise<void>;
  recordRetry(number: number, code: string, detail: string, waitSeconds: number): Promise<void>;
  /** Items after a position, in the order of the list; `state` is that of the result. */
  items(id: string, after: number, limit: number, state?: ItemState): Promise<readonly BatchItem[]>;
  /** Deletes batches that ended before the date, and those whose upload was interrupted. */
  deleteOld(before: Date): Promise<number>;
}

const ITEMS_PER_INSERT = 1_000;
const MAX_ERROR = 500;
/** Attempts that ended with the process or with a bug. */
const MAX_CRASHES = 5;
const LOADING_MS = 3_600_000;
const NEWEST_FIRST = { list: "batches", columns: [["number", "number", "desc"]] } as const;
const FREE = { lease: null, leased_until: null };
const CRASHED = "The scan of this domain ended its process each time.";

export function createBatchRepository(queries: Kysely<Tables>, leasing: Leasing, clock: () => Date): BatchRepository {
  const now = () => clock().toISOString();
  const { lazyQueries } = leasing;
  const queue = createLeaseQueue(leasing, {
    table: "batch_items",
    key: "number",
    kindColumn: "batch_id",
    open: "state = 'waiting'",
    crashPauseSeconds: 30,
    toJob: ({ number: id, batch_id, domain, attempts }) => ({
      id,
      kind: "batch",
      payload: { batch: batch_id, domain },
      attempts,
      max_attempts: Number.POSITIVE_INFINITY,
    }),
  });
  /** The number of the batch whose turn was last. */
  let last = 0;

  const countsIn = async (database: Kysely<Tables>, id: string): Promise<readonly ItemCount[]> =>
    await database
      .selectFrom("batch_items")
      .select(["state", "error_code", (eb) => eb.fn.countAll<number>().as("count")])
      .where("batch_id", "=", id)
      .groupBy(["state", "error_code"])
      .orderBy("state")
      .orderBy("error_code")
      .execute();

  /** Gives back what was counted for domains without a result. */
  const refund = async (transaction: Transaction<Tables>, batch: StoredBatch, states: readonly ItemState[]) => {
    if (batch.charged_key === null || batch.charged_month === null) return;
    const counts = await countsIn(transaction, batch.id);
    const units = counts.filter(({ state }) => states.includes(state)).reduce((sum, { count }) => sum + count, 0);
    if (units > 0) await usageIn(transaction).refund(batch.charged_key, batch.charged_month, units);
  };

  const spend = async (transaction: Transaction<Tables>, charge: Charge | undefined, units: number) => {
    if (charge === undefined || units === 0) return;
    const { granted, used } = await usageIn(transaction).spend(charge.keyId, charge.month, units, charge.limit);
    if (!granted) throw charge.refusal(used, units);
  };

  const findIn = async (database: Kysely<Tables>, id: string): Promise<StoredBatch | undefined> => {
    const row = await database.selectFrom("batches").selectAll().where("id", "=", id).executeTakeFirst();
    return row && storedBatchOf(row);
  };

  const visible = (owner: string) =>
    queries.selectFrom("batches").selectAll().where("owner", "=", owner).where("state", "<>", "loading");

  /** Only the first result counts: an item runs at least once. */
  const settle = (number: number) =>
    lazyQueries.updateTable("batch_items").where("number", "=", number).where("state", "=", "waiting");

  const repository: BatchRepository = {
    ...queue,

    async claim(_, leaseSeconds) {
      const running = await lazyQueries
        .selectFrom("batches")
        .select(["number", "id"])
        .where("state", "=", "running")
        .orderBy("number")
        .execute();
      const next = Math.max(
        running.findIndex(({ number }) => number > last),
        0,
      );
      for (const { number, id } of [...running.slice(next), ...running.slice(0, next)]) {
        const job = await queue.claim([id], leaseSeconds);
        if (!job) continue;
        last = number;
        if (job.attempts <= MAX_CRASHES) return job;
        await repository.recordFailure(job.id, "internal", CRASHED);
      }
      return undefined;
    },

    // The result was recorded with the end of the lease.
    async done() {},

    async failed(job, error, { waitSeconds }) {
      const isLast = job.attempts >= MAX_CRASHES;
      if (isLast) await repository.recordFailure(job.id, "internal", error);
      else await repository.recordRetry(job.id, "internal", error, waitSeconds);
      return isLast ? "dead" : "waiting";
    },

    async add({ options, idempotencyKey, webhook, ...batch }, items, charge) {
      const created_at = now();
      await lazyQueries
        .insertInto("batches")
        .values({
          ...batch,
          webhook_id: webhook,
          options: JSON.stringify(options),
          state: "loading",
          idempotency_key: null,
          charged_key: charge?.keyId ?? null,
          charged_month: charge?.month ?? null,
          created_at,
          resumed_at: created_at,
          resumed_finished: 0,
          finished_at: null,
        })
        .execute();
      try {
        for (const chunk of chunksOf(items, ITEMS_PER_INSERT))
          await lazyQueries
            .insertInto("batch_items")
            .values(
              chunk.map(({ position, input, cells, domain, state, duplicateOf, error }) => ({
                batch_id: batch.id,
                position,
                input,
                cells: cells && JSON.stringify(cells),
                domain,
                state,
                duplicate_of: duplicateOf,
                error_code: error?.code ?? null,
                error: error?.detail ?? null,
                result: null,
                finished_at: null,
                run_after: created_at,
                ...FREE,
              })),
            )
            .execute();
        return await inTransaction(queries, `batches ${batch.owner}`, async (transaction) => {
          if (idempotencyKey !== null) {
            const existing = await transaction
              .selectFrom("batches")
              .selectAll()
              .where("owner", "=", batch.owner)
              .where("idempotency_key", "=", idempotencyKey)
              .executeTakeFirst();
            if (existing) {
              await transaction.deleteFrom("batches").where("id", "=", batch.id).execute();
              return storedBatchOf(existing);
            }
          }
          await spend(transaction, charge, batch.domains);
          const row = await transaction
            .updateTable("batches")
            .set({ state: "running", idempotency_key: idempotencyKey })
            .where("id", "=", batch.id)
            .returningAll()
            .executeTakeFirstOrThrow();
          return storedBatchOf(row);
        });
      } catch (error) {
        await lazyQueries.deleteFrom("batches").where("id", "=", batch.id).execute();
        throw error;
      }
    },

    async find(id, owner) {
      const row = await visible(owner).where("id", "=", id).executeTakeFirst();
      return row && storedBatchOf(row);
    },

    findAny: (id) => findIn(queries, id),

    async findByKey(owner, idempotencyKey) {
      const row = await visible(owner).where("idempotency_key", "=", idempotencyKey).executeTakeFirst();
      return row && storedBatchOf(row);
    },

    async findByDigest(owner, digest) {
      const row = await visible(owner)
        .where("digest", "=", digest)
        .orderBy("number", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && storedBatchOf(row);
    },

    async list(owner, page) {
      const own = queries.selectFrom("batches").where("owner", "=", owner).where("state", "<>", "loading");
      const { rows, next_cursor } = await readPage(own.selectAll(), NEWEST_FIRST, page);
      return { batches: rows.map(storedBatchOf), total: await countRows(own), next_cursor };
    },

    counts: (id) => countsIn(queries, id),

    leased: (id) =>
      countRows(
        queries
          .selectFrom("batch_items")
          .where("batch_id", "=", id)
          .where("state", "=", "waiting")
          .where("lease", "is not", null),
      ),

    setState: (id, from, to) =>
      inTransaction(queries, `batch ${id}`, async (transaction) => {
        const counts = await countsIn(transaction, id);
        const finished = counts.filter(({ state }) => state === "done" || state === "failed");
        const { numUpdatedRows } = await transaction
          .updateTable("batches")
          .set({
            state: to,
            resumed_at: now(),
            resumed_finished: finished.reduce((sum, { count }) => sum + count, 0),
          })
          .where("id", "=", id)
          .where("state", "in", from)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),

    cancel: (id) =>
      inTransaction(queries, `batch ${id}`, async (transaction) => {
        const batch = await findIn(transaction, id);
        if (batch?.state !== "running" && batch?.state !== "paused") return false;
        await transaction
          .updateTable("batch_items")
          .set({ state: "cancelled", error_code: null, error: null, ...FREE })
          .where("batch_id", "=", id)
          .where("state", "=", "waiting")
          .execute();
        // Counted after it: another node may record a result until the rows are locked.
        await refund(transaction, batch, ["cancelled", "failed"]);
        await transaction
          .updateTable("batches")
          .set({ state: "cancelled", finished_at: now() })
          .where("id", "=", id)
          .execute();
        return true;
      }),

    retryFailed: (id, charge) =>
      inTransaction(queries, `batch ${id}`, async (transaction) => {
        const failed = (await countsIn(transaction, id)).filter(({ state }) => state === "failed");
        const units = failed.reduce((sum, { count }) => sum + count, 0);
        if (units === 0) return 0;
        const { numUpdatedRows } = await transaction
          .updateTable("batches")
          .set((eb) => ({
            state: "running" as const,
            charged_key: charge?.keyId ?? null,
            charged_month: charge?.month ?? null,
            resumed_at: now(),
            resumed_finished: eb("domains", "-", units),
            finished_at: null,
          }))
          .where("id", "=", id)
          .where("state", "=", "done")
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return 0;
        await spend(transaction, charge, units);
        await transaction
          .updateTable("batch_items")
          .set({ state: "waiting", attempts: 0, run_after: now(), error_code: null, error: null, finished_at: null })
          .where("batch_id", "=", id)
          .where("state", "=", "failed")
          .execute();
        return units;
      }),

    async finish(id, notify) {
      const isWaiting = async (database: Kysely<Tables>): Promise<boolean> =>
        (await database
          .selectFrom("batch_items")
          .select("number")
          .where("batch_id", "=", id)
          .where("state", "=", "waiting")
          .limit(1)
          .executeTakeFirst()) !== undefined;
      if (await isWaiting(lazyQueries)) return false;
      return await inTransaction(queries, `batch ${id}`, async (transaction) => {
        // Failed domains may have been retried meanwhile.
        if (await isWaiting(transaction)) return false;
        const row = await transaction
          .updateTable("batches")
          .set({ state: "done", finished_at: now() })
          .where("id", "=", id)
          .where("state", "=", "running")
          .returningAll()
          .executeTakeFirst();
        if (!row) return false;
        const batch = storedBatchOf(row);
        await refund(transaction, batch, ["failed"]);
        if (batch.webhook_id !== null) {
          const counts = await countsIn(transaction, id);
          const sum = (wanted: ItemState) =>
            counts.filter(({ state }) => state === wanted).reduce((all, { count }) => all + count, 0);
          const { name, total, domains } = batch;
          const data = { id, name, total, domains, done: sum("done"), failed: sum("failed") };
          await notify(batch.webhook_id, batch.finished_at ?? now(), data, transaction);
        }
        return true;
      });
    },

    async unfinished() {
      const rows = await queries
        .selectFrom("batches")
        .select("id")
        .where("state", "=", "running")
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("batch_items")
                .select("number")
                .whereRef("batch_items.batch_id", "=", "batches.id")
                .where("batch_items.state", "=", "waiting"),
            ),
          ),
        )
        .orderBy("id")
        .execute();
      return rows.map(({ id }) => id);
    },

    async recordResult(number, result) {
      const content = new Uint8Array(await Bun.zstdCompress(JSON.stringify(result)));
      await settle(number)
        .set({ state: "done", result: content, error_code: null, error: null, finished_at: now(), ...FREE })
        .execute();
    },

    async recordFailure(number, code, detail) {
      await settle(number)
        .set({
          state: "failed",
          error_code: code,
          error: detail.slice(0, MAX_ERROR),
          finished_at: now(),
          ...FREE,
        })
        .execute();
    },

    async recordRetry(number, code, detail, waitSeconds) {
      await settle(number)
        .set({
          error_code: code,
          error: detail.slice(0, MAX_ERROR),
          run_after: new Date(clock().getTime() + waitSeconds * 1_000).toISOString(),
          ...FREE,
        })
        .execute();
    },

    async items(id, after, limit, state) {
      let rows = queries
        .selectFrom("batch_items as item")
        .leftJoin("batch_items as first", (join) =>
          join.onRef("first.batch_id", "=", "item.batch_id").onRef("first.position", "=", "item.duplicate_of"),
        )
        .select([
          "item.position",
          "item.input",
          "item.cells",
          "item.domain",
          sql<Exclude<ItemState, "duplicate">>`coalesce(first.state, item.state)`.as("state"),
          sql<string | null>`coalesce(first.error_code, item.error_code)`.as("error_code"),
          sql<string | null>`coalesce(first.error, item.error)`.as("error"),
          sql<Uint8Array | null>`coalesce(first.result, item.result)`.as("result"),
        ])
        .where("item.batch_id", "=", id)
        .where("item.position", ">", after);
      if (state !== undefined) rows = rows.where(sql`coalesce(first.state, item.state)`, "=", state);
      const found = await rows.orderBy("item.position").limit(limit).execute();
      return await Promise.all(
        found.map(async ({ cells, error_code, error, result, ...item }) => ({
          ...item,
          cells: cells === null ? {} : JSON.parse(cells),
          // A row that waits may have the error of its last attempt; it has not failed.
          error: error_code === null || item.state === "waiting" ? null : { code: error_code, detail: error ?? "" },
          result: result && (await resultOf(result)),
        })),
      );
    },

    async deleteOld(before) {
      const { numDeletedRows } = await queries
        .deleteFrom("batches")
        .where(({ or, eb, and }) =>
          or([
            eb("finished_at", "<", before.toISOString()),
            and([
              eb("state", "=", "loading"),
              eb("created_at", "<", new Date(clock().getTime() - LOADING_MS).toISOString()),
            ]),
          ]),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
  return repository;
}

async function resultOf(content: Uint8Array): Promise<Enrichment> {
  const bytes = await Bun.zstdDecompress(Uint8Array.from(content));
  const result: Enrichment = JSON.parse(new TextDecoder().decode(bytes));
  return result;
}

function storedBatchOf({ options, state, ...row }: Selectable<BatchRow>): StoredBatch {
  if (state === "loading") throw new Error(`batch ${row.id} is not stored completely`);
  return { ...row, state, options: JSON.parse(options) };
}

function* chunksOf<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let chunk: T[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
