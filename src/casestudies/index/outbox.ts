import type { Kysely, Transaction } from "kysely";
import { inChunks } from "../../db/cursor.ts";
import type { Tables } from "../../db/schema.ts";

/** One case study that the search index has yet to learn or to forget. */
export interface OutboxEntry {
  readonly id: number;
  readonly case_study_id: string;
  readonly action: "upsert" | "delete";
  /** The revision that is to be learnt; null when the case study is no more. */
  readonly revision: number | null;
  /** How often it failed. */
  readonly attempts: number;
  readonly last_error: string | null;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

/** What changed in SQLite and is not in the search index yet. Written in the transaction of the change. */
export interface OutboxRepository {
  /**
   * At most `limit` entries, oldest first and one for each case study: a later change stands for the ones before it.
   * They are the caller's for `leaseSeconds`: nobody else is given their case studies before then, unless the caller
   * says that they are done or failed.
   */
  pending(limit: number, leaseSeconds?: number): Promise<readonly OutboxEntry[]>;
  /** Forgets entries and what they stood for; a change that came meanwhile stays. */
  done(ids: readonly number[]): Promise<void>;
  /** Keeps an entry for a later attempt: after 10 seconds, then twice as long each time, up to ten minutes. */
  failed(id: number, error: string): Promise<void>;
  /** Ends every lease: the process that held them is gone. */
  release(): Promise<void>;
  /** Case studies that wait. */
  depth(): Promise<number>;
  /** Age of the oldest entry; 0 when nothing waits. */
  oldestSeconds(): Promise<number>;
  /**
   * Lets every case study wait that `model` has not embedded as it now is, for an index that is built anew under
   * another model; without a model lets all wait. Answers how many were added.
   */
  requeueAll(model?: string): Promise<number>;
}

const LEASE_SECONDS = 120;
const FIRST_RETRY_SECONDS = 10;
const LAST_RETRY_SECONDS = 600;
const MAX_ERROR_CHARACTERS = 500;

export function createOutboxRepository(queries: Kysely<Tables>, clock: () => Date): OutboxRepository {
  const inSeconds = (seconds: number) => new Date(clock().getTime() + seconds * 1_000).toISOString();

  return {
    pending: (limit, leaseSeconds = LEASE_SECONDS) =>
      queries.transaction().execute(async (transaction) => {
        const now = inSeconds(0);
        const entries = await transaction
          .selectFrom("outbox as entry")
          .leftJoin("case_studies", "case_studies.id", "entry.case_study_id")
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("outbox as other")
                  .select("other.id")
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
      }),

    async done(ids) {
      await inChunks(ids, (chunk) =>
        queries
          .deleteFrom("outbox")
          .where("id", "in", (eb) =>
            eb
              .selectFrom("outbox as entry")
              .innerJoin("outbox as earlier", "earlier.case_study_id", "entry.case_study_id")
              .whereRef("earlier.id", "<=", "entry.id")
              .where("entry.id", "in", chunk)
              .select("earlier.id"),
          )
          .execute(),
      );
    },

    failed: (id, error) =>
      queries.transaction().execute(async (transaction) => {
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

    async release() {
      // Waiting after a failure is kept in the same column; trying once more at a start does no harm.
      await queries.updateTable("outbox").set({ leased_until: null }).execute();
    },

    async depth() {
      const { depth } = await queries
        .selectFrom("outbox")
        .select((eb) => eb.fn.count<number>("case_study_id").distinct().as("depth"))
        .executeTakeFirstOrThrow();
      return depth;
    },

    async oldestSeconds() {
      const oldest = await queries.selectFrom("outbox").select("created_at").orderBy("id").limit(1).executeTakeFirst();
      if (!oldest) return 0;
      return Math.max(0, (clock().getTime() - Date.parse(oldest.created_at)) / 1_000);
    },

    async requeueAll(model) {
      let studies = queries
        .selectFrom("case_studies as study")
        .select(["study.id", (eb) => eb.val("upsert").as("action"), (eb) => eb.val(inSeconds(0)).as("created_at")])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("outbox")
                .select("outbox.id")
                .whereRef("outbox.case_study_id", "=", "study.id")
                .where("outbox.attempts", "=", 0)
                .where("outbox.leased_until", "is", null),
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
                .where("embeddings.model", "=", model),
            ),
          ),
        );
      }
      const { numInsertedOrUpdatedRows } = await queries
        .insertInto("outbox")
        .columns(["case_study_id", "action", "created_at"])
        .expression(studies)
        .executeTakeFirstOrThrow();
      return Number(numInsertedOrUpdatedRows ?? 0);
    },
  };
}

/** Notes a change for the search index, in the transaction that makes the change. */
export async function enqueue(
  transaction: Transaction<Tables>,
  action: "upsert" | "delete",
  ids: readonly string[],
  now: string,
): Promise<void> {
  await inChunks(ids, (chunk) =>
    transaction
      .insertInto("outbox")
      .values(chunk.map((case_study_id) => ({ case_study_id, action, created_at: now })))
      .execute(),
  );
}
