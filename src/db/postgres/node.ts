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
/** Nodes that an alarm names. */
const MAX_NAMED = 5;

/** What the operator gives to each node, and other nodes compare. */
export interface NodeContents {
  /** Digest of everything that decides which tools a scan detects. */
  readonly rules: () => string;
  /** Id of the model of the search index. */
  readonly model: () => Promise<string | undefined>;
  /** What the operator should look after on this node. */
  readonly problem: () => string | null;
}

interface DatabaseNodeOptions {
  readonly queries: Kysely<Tables>;
  readonly time: DatabaseClock;
  /** Of this node's search index. */
  readonly indexId: string;
  /** Of the program. */
  readonly version: string;
  readonly contents: NodeContents;
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
  contents,
  deleteOld,
  onError,
}: DatabaseNodeOptions): ClusterNode {
  const id = crypto.randomUUID();
  let timer: ReturnType<typeof setInterval> | undefined;
  let beating: Promise<void> = Promise.resolve();

  const beat = async (): Promise<void> => {
    const model = (await contents.model()) ?? null;
    await sql`insert into nodes (id, host, index_id, started_at, seen_at, version, schema, rules, model, problem)
      values (${id}, ${hostname()}, ${indexId}, ${time(0)}, ${time(0)}, ${version}, ${MIGRATIONS.length},
        ${contents.rules()}, ${model}, ${contents.problem()})
      on conflict (id) do update set seen_at = excluded.seen_at, model = excluded.model, problem = excluded.problem`.execute(
      queries,
    );
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

/**
 * Problems of this node's release whose nodes do not detect the same: a scan would depend on the node that runs it, and a
 * watch would report changes that nobody made. Models need no check: a node that lacks the chosen one reports it itself.
 */
export const createNodeAlarms =
  ({ queries, time, version, contents }: Pick<DatabaseNodeOptions, "queries" | "time" | "version" | "contents">) =>
  async (): Promise<readonly string[]> => {
    const { rows } = await sql<{ host: string }>`select distinct host from nodes
      where version = ${version} and rules <> ${contents.rules()} and seen_at >= ${time(-SILENT_SECONDS)}
      order by host limit ${sql.lit(MAX_NAMED)}`.execute(queries);
    if (rows.length === 0) return [];
    const hosts = rows.map(({ host }) => host).join(", ");
    return [`Other fingerprints or settings of scans than on this node: ${hosts}. Give all nodes the same.`];
  };
