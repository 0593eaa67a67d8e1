import type { Kysely } from "kysely";
import type { Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { type NewRecording, type ScansOptions, saveScans } from "../detection/repository.ts";
import { addCounts, type Counts, noCounts } from "./outcomes.ts";

/** How far a part of a file was read. */
export interface PartProgress {
  readonly position: number;
  readonly done: boolean;
  readonly counts: Counts;
}

export interface IngestRepository {
  /** By the start of each part. */
  progress(digest: string): Promise<ReadonlyMap<number, PartProgress>>;
  /**
   * Stores recordings and the position behind them in one transaction; counts are added.
   *
   * @returns the number of recordings that were not stored before
   */
  store(part: StoredPart, recordings: readonly NewRecording[]): Promise<number>;
  /** Forgets the progress of a file, so that it is read again. */
  forget(digest: string): Promise<void>;
}

export interface StoredPart extends PartProgress {
  readonly digest: string;
  readonly start: number;
}

export function createIngestRepository(queries: Kysely<Tables>, options: ScansOptions): IngestRepository {
  return {
    async progress(digest) {
      const rows = await queries.selectFrom("ingests").selectAll().where("digest", "=", digest).execute();
      return new Map(
        rows.map((row) => [row.start, { position: row.position, done: row.done === 1, counts: countsOf(row.counts) }]),
      );
    },

    async store({ digest, start, position, done, counts }, recordings) {
      return inTransaction(queries, `ingest ${digest}`, async (transaction) => {
        const { added } = await saveScans(transaction, recordings, options);
        const before = await transaction
          .selectFrom("ingests")
          .select("counts")
          .where("digest", "=", digest)
          .where("start", "=", start)
          .executeTakeFirst();
        const sum = before ? countsOf(before.counts) : noCounts();
        addCounts(sum, counts);
        const row = {
          position,
          done: done ? 1 : 0,
          counts: JSON.stringify(sum),
          updated_at: options.clock().toISOString(),
        };
        await transaction
          .insertInto("ingests")
          .values({ digest, start, ...row })
          .onConflict((conflict) => conflict.columns(["digest", "start"]).doUpdateSet(row))
          .execute();
        return added;
      });
    },

    async forget(digest) {
      await queries.deleteFrom("ingests").where("digest", "=", digest).execute();
    },
  };
}

const countsOf = (text: string): Counts => JSON.parse(text);
