import { type Kysely, sql } from "kysely";
import type { DatabaseClock } from "../db/clock.ts";
import type { SharedModelRow, Tables } from "../db/schema.ts";

/** A custom model that one node shares with the others. */
export interface SharedModel {
  readonly id: string;
  /** Its id when it was removed. */
  readonly name: string;
  /** Text of `manifest.json`. */
  readonly manifest: string;
  /** The database whose object storage has its files; null while this database has them. */
  readonly storage: string | null;
  /** All its files are stored. */
  readonly isStored: boolean;
  /** A node found a file missing or damaged. */
  readonly isLost: boolean;
  /** It remains for nodes that have not removed it yet. */
  readonly isRemoved: boolean;
}

/** What the database knows about shared models, and their files where there is no object storage. */
export interface SharedModelRepository {
  /** Also those that were removed in the last 30 days. */
  list(): Promise<readonly SharedModel[]>;
  /** @returns false when a model of this name is shared already */
  begin(model: Pick<SharedModel, "id" | "name" | "manifest" | "storage">): Promise<boolean>;
  /** All its files are stored. @returns false when it was removed meanwhile */
  finish(id: string): Promise<boolean>;
  markLost(id: string): Promise<void>;
  /** Removes the parts of an interrupted attempt. */
  clear(id: string): Promise<void>;
  writePart(id: string, file: number, part: number, content: Uint8Array): Promise<void>;
  readPart(id: string, file: number, part: number): Promise<Uint8Array | undefined>;
  /** From here on no node may keep it. Removes its parts. */
  remove(id: string): Promise<void>;
  /** Its objects are removed from the storage. */
  emptied(id: string): Promise<void>;
  /** Deletes parts that were written after the removal of their model, and what is known about models removed long ago. */
  forgetOld(): Promise<void>;
  /** Hosts of the running nodes whose index has the vectors of a model. */
  usersOf(manifestId: string): Promise<readonly string[]>;
}

const modelOf = (row: SharedModelRow): SharedModel => ({
  id: row.id,
  name: row.name ?? row.id,
  manifest: row.manifest,
  storage: row.storage,
  isStored: row.stored_at !== null,
  isLost: row.lost_at !== null,
  isRemoved: row.name === null,
});

const MAX_LISTED = 10_000;
/** A node that was away for longer shares its copy of a removed model again. */
const REMOVED_SECONDS = 30 * 86_400;

export function createSharedModelRepository(
  queries: Kysely<Tables>,
  time: DatabaseClock,
  silentSeconds: number,
): SharedModelRepository {
  const update = async (
    id: string,
    values: Partial<Record<"name" | "storage" | "stored_at" | "lost_at" | "removed_at", unknown>>,
  ) => {
    await queries
      .updateTable("shared_models")
      .set(values as object)
      .where("id", "=", id)
      .execute();
  };
  const clear = async (id: string) => {
    await queries.deleteFrom("shared_model_parts").where("model_id", "=", id).execute();
  };
  return {
    async list() {
      const rows = await queries.selectFrom("shared_models").selectAll().orderBy("name").limit(MAX_LISTED).execute();
      return rows.map(modelOf);
    },
    async begin({ id, name, manifest, storage }) {
      const { rows } = await sql`insert into shared_models (id, name, manifest, storage, created_at)
        values (${id}, ${name}, ${manifest}, ${storage}, ${time(0)})
        on conflict (name) do nothing returning id`.execute(queries);
      return rows.length > 0;
    },
    async finish(id) {
      const { rows } = await sql`update shared_models set stored_at = ${time(0)}, lost_at = null
        where id = ${id} and name is not null returning id`.execute(queries);
      return rows.length > 0;
    },
    markLost: (id) => update(id, { lost_at: time(0) }),
    clear,
    async writePart(model_id, file, part, content) {
      await queries.insertInto("shared_model_parts").values({ model_id, file, part, content }).execute();
    },
    async readPart(id, file, part) {
      const row = await queries
        .selectFrom("shared_model_parts")
        .select("content")
        .where("model_id", "=", id)
        .where("file", "=", file)
        .where("part", "=", part)
        .executeTakeFirst();
      return row?.content;
    },
    async remove(id) {
      await update(id, { name: null, removed_at: time(0) });
      await clear(id);
    },
    emptied: (id) => update(id, { storage: null }),
    async forgetOld() {
      await sql`delete from shared_model_parts
        where model_id in (select id from shared_models where name is null)`.execute(queries);
      await queries
        .deleteFrom("shared_models")
        .where("removed_at", "<", time(-REMOVED_SECONDS))
        .where("storage", "is", null)
        .execute();
    },
    async usersOf(manifestId) {
      const { rows } = await sql<{ host: string }>`select distinct host from nodes
        where model = ${manifestId} and seen_at >= ${time(-silentSeconds)} order by host limit 10`.execute(queries);
      return rows.map(({ host }) => host);
    },
  };
}
