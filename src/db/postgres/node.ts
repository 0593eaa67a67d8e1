import { hostname } from "node:os";
import { type Kysely, sql } from "kysely";
import type { DatabaseClock } from "../clock.ts";
import { MIGRATIONS } from "../migrations.ts";
import type { ClusterNode } from "../node.ts";
import type { Tables } from "../schema.ts";

/** Five times as often as a node may be silent. */
const HEARTBEAT_MS = 6_000;
export const SILENT_SECONDS = 30;
/** Changes are kept for the index of a stopped node this long; after it, the index is rebuilt when the node returns. */
const INDEX_KEPT_SECONDS = 86_400;

interface DatabaseNodeOptions {
  readonly queries: Kysely<Tables>;
  readonly time: DatabaseClock;
  /** Of this node's search index. */
  readonly indexId: string;
  /** Of the program. */
  readonly version: string;
  /** Deletes what the nodes shared. */
  readonly deleteOld: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** A node whose database is on another machine. It runs as long as it renews its row, by the database's clock. */
export function createDatabaseNode({
  queries,
  time,
  indexId,
  version,
  deleteOld,
  onError,
}: DatabaseNodeOptions): ClusterNode {
  const id = crypto.randomUUID();
  let timer: ReturnType<typeof setInterval> | undefined;
  let beating: Promise<void> = Promise.resolve();

  const beat = async (): Promise<void> => {
    await sql`insert into nodes (id, host, index_id, started_at, seen_at, version, schema)
      values (${id}, ${hostname()}, ${indexId}, ${time(0)}, ${time(0)}, ${version}, ${MIGRATIONS.length})
      on conflict (id) do update set seen_at = excluded.seen_at`.execute(queries);
    await sql`update node_indexes set seen_at = ${time(0)} where id = ${indexId}`.execute(queries);
    await sql`delete from nodes where seen_at < ${time(-10 * SILENT_SECONDS)}`.execute(queries);
    await sql`delete from outbox where index_id in
      (select id from node_indexes where seen_at < ${time(-INDEX_KEPT_SECONDS)})`.execute(queries);
    await sql`delete from node_indexes where seen_at < ${time(-INDEX_KEPT_SECONDS)}`.execute(queries);
    await deleteOld();
  };

  return {
    id,
    async enter() {
      if (timer) return;
      timer = setInterval(() => {
        beating = beating.then(beat).catch(onError);
      }, HEARTBEAT_MS);
      timer.unref();
      await beat();
    },
    async hasEnded(other) {
      if (other === id) return false;
      const { rows } =
        await sql`select id from nodes where id = ${other} and seen_at >= ${time(-SILENT_SECONDS)}`.execute(queries);
      return rows.length === 0;
    },
    async leave() {
      if (!timer) return;
      clearInterval(timer);
      timer = undefined;
      await beating;
      await queries.deleteFrom("nodes").where("id", "=", id).execute().catch(onError);
    },
  };
}
