import type { Kysely } from "kysely";
import { inChunks } from "../../db/cursor.ts";
import type { Tables } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { embeddedModel } from "./outbox.ts";

/** A copy of a search index in object storage, whose files are named by their number. */
export interface IndexSnapshot {
  readonly id: string;
  /** Of the table's columns. */
  readonly format: number;
  /** Id of the model that computed the vectors. */
  readonly model: string;
  readonly dimensions: number;
  readonly passages: number;
  /** ISO 8601 UTC. */
  readonly made_at: string;
  readonly files: readonly SnapshotFile[];
}

interface SnapshotFile {
  /** Path below the folder of the table. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Objects in the storage that no reader needs any more, or will not need when one that is being made fails. */
export interface DoomedSnapshot {
  readonly id: string;
  /** Number of its files. */
  readonly files: number;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/**
 * What the database knows about snapshots. It alone decides which one counts and what its files must be; the storage only
 * keeps bytes, and needs neither lists of objects nor conditional writes.
 */
export interface SnapshotRecords {
  current(): Promise<IndexSnapshot | undefined>;
  /** Whether this index has a revision of a case study that the snapshot lacks. */
  hasMore(snapshot: Pick<IndexSnapshot, "id" | "model">): Promise<boolean>;
  /** Before its first file is sent. Remembers which case studies the index has, at which revision. */
  begin(snapshot: Pick<IndexSnapshot, "id" | "model">, files: number): Promise<void>;
  /** When its last file is stored. @returns false when it was removed meanwhile */
  finish(snapshot: IndexSnapshot): Promise<boolean>;
  /**
   * The storage has lost it: from here on no snapshot counts, so that a new one is made. Once an hour at most, since the
   * fault may be on the way to this node. @returns whether that is so
   */
  reject(id: string): Promise<boolean>;
  doomed(): Promise<readonly DoomedSnapshot[]>;
  /** When its objects were removed. Also removes what the database knows about indexes that no longer exist. */
  forget(id: string): Promise<void>;
  /**
   * Before the files of a snapshot become the index: from here on the index has what the snapshot had of the current
   * revisions, and everything else is queued. @returns number of case studies that need not be indexed again
   */
  takeOver(snapshot: IndexSnapshot): Promise<number>;
  /** Those of the case studies that no longer exist. */
  unknown(ids: readonly string[]): Promise<readonly string[]>;
}

const SETTING = "index.snapshots";
const ID_CHARACTERS = 36;
const REJECTED_MS = 3_600_000;

interface State {
  /** The database that this is about. Its copies have the same row, but must not remove its objects. */
  readonly owner?: string;
  readonly rejected_at?: string;
  readonly current: IndexSnapshot | null;
  readonly doomed: readonly DoomedSnapshot[];
}

const NOTHING: State = { current: null, doomed: [] };

export function createSnapshotRecords(
  queries: Kysely<Tables>,
  indexId: string,
  requeueAll: (model: string) => Promise<unknown>,
  clock: () => Date,
  identity: () => Promise<string>,
): SnapshotRecords {
  const read = async (from: Kysely<Tables>): Promise<State> => {
    const row = await from.selectFrom("settings").select("value").where("name", "=", SETTING).executeTakeFirst();
    const state: State = row ? JSON.parse(row.value) : NOTHING;
    // Releases before wrote no owner.
    return state.owner === undefined || state.owner === (await identity()) ? state : NOTHING;
  };
  const change = <Result>(work: (transaction: Kysely<Tables>, state: State) => Promise<[State | undefined, Result]>) =>
    inTransaction(queries, SETTING, async (transaction) => {
      const state = await read(transaction);
      const [next, result] = await work(transaction, state);
      if (next === undefined) return result;
      const value = JSON.stringify({ rejected_at: state.rejected_at, ...next, owner: await identity() });
      await transaction
        .insertInto("settings")
        .values({ name: SETTING, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
      return result;
    });
  const now = () => clock().toISOString();

  return {
    current: async () => (await read(queries)).current ?? undefined,

    async hasMore({ id, model }) {
      const more = queries
        .selectFrom("embeddings as own")
        .innerJoin("case_studies as study", (join) =>
          join.onRef("study.number", "=", "own.study_number").onRef("study.revision", "=", "own.revision"),
        )
        .where("own.model", "=", embeddedModel(model, indexId))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("embeddings as its")
                .select("its.model")
                .whereRef("its.study_number", "=", "own.study_number")
                .whereRef("its.revision", "=", "own.revision")
                .where("its.model", "=", embeddedModel(model, id)),
            ),
          ),
        )
        .select("own.study_number")
        .limit(1);
      return (await more.executeTakeFirst()) !== undefined;
    },

    begin: ({ id, model }, files) =>
      change(async (transaction, { current, doomed }) => {
        await transaction
          .insertInto("embeddings")
          .columns(["study_number", "model", "revision", "embedded_at"])
          .expression((eb) =>
            eb
              .selectFrom("embeddings")
              .where("model", "=", embeddedModel(model, indexId))
              .select((own) => [
                "study_number",
                own.val(embeddedModel(model, id)).as("model"),
                "revision",
                "embedded_at",
              ]),
          )
          .execute();
        return [{ current, doomed: [...doomed, { id, files, since: now() }] }, undefined];
      }),

    finish: (snapshot) =>
      change(async (_transaction, { current, doomed }) => {
        if (!doomed.some(({ id }) => id === snapshot.id)) return [undefined, false];
        const others = doomed.filter(({ id }) => id !== snapshot.id);
        // Another node may be loading it.
        const former = current === null ? [] : [{ id: current.id, files: current.files.length, since: now() }];
        return [{ current: snapshot, doomed: [...others, ...former] }, true];
      }),

    reject: (id) =>
      change(async (_transaction, { current, doomed, rejected_at }) => {
        const since = now();
        const isTooSoon = Date.parse(since) - Date.parse(rejected_at ?? "") < REJECTED_MS;
        if (current?.id !== id || isTooSoon) return [undefined, false];
        const lost = { id, files: current.files.length, since };
        return [{ current: null, doomed: [...doomed, lost], rejected_at: since }, true];
      }),

    doomed: async () => (await read(queries)).doomed,

    forget: (removed) =>
      change(async (transaction, { current, doomed }) => {
        const left = doomed.filter(({ id }) => id !== removed);
        const kept = [...left.map(({ id }) => id), ...(current === null ? [] : [current.id])];
        await transaction
          .deleteFrom("embeddings")
          .where((eb) =>
            eb(eb.fn("right", ["model", eb.val(ID_CHARACTERS)]), "not in", eb.selectFrom("node_indexes").select("id")),
          )
          .$if(kept.length > 0, (old) =>
            old.where((eb) => eb(eb.fn("right", ["model", eb.val(ID_CHARACTERS)]), "not in", kept)),
          )
          .execute();
        return [{ current, doomed: left }, undefined];
      }),

    async takeOver({ id, model }) {
      const own = embeddedModel(model, indexId);
      const taken = await inTransaction(queries, "case studies", async (transaction) => {
        await transaction.deleteFrom("embeddings").where("model", "=", own).execute();
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto("embeddings")
          .columns(["study_number", "model", "revision", "embedded_at"])
          .expression((eb) =>
            eb
              .selectFrom("embeddings as its")
              .innerJoin("case_studies as study", (join) =>
                join.onRef("study.number", "=", "its.study_number").onRef("study.revision", "=", "its.revision"),
              )
              .where("its.model", "=", embeddedModel(model, id))
              .select((row) => ["its.study_number", row.val(own).as("model"), "its.revision", "its.embedded_at"]),
          )
          .executeTakeFirstOrThrow();
        return Number(numInsertedOrUpdatedRows ?? 0);
      });
      await requeueAll(model);
      return taken;
    },

    async unknown(ids) {
      const known = await inChunks(ids, (chunk) =>
        queries.selectFrom("case_studies").select("id").where("id", "in", chunk).execute(),
      );
      const found = new Set(known.map(({ id }) => id));
      return ids.filter((id) => !found.has(id));
    },
  };
}
