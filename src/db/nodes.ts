import { hostname } from "node:os";
import { type Kysely, sql } from "kysely";
import { type DatabaseClock, MAX_SKEW_MS } from "./clock.ts";
import type { ClusterNode } from "./node.ts";
import type { NodeContents } from "./postgres/node.ts";
import type { Tables } from "./schema.ts";

/** A node as `casefile nodes` lists it. */
export interface NodeEntry {
  readonly id: string;
  readonly host: string;
  readonly started_at: string;
  readonly seen_at: string;
  /** Of the program; null for a release that does not say. */
  readonly version: string | null;
  /** Digest of everything that decides which tools its scans detect; null for a release that does not say. */
  readonly rules: string | null;
  /** Id of the model of its search index; null while it has none. */
  readonly model: string | null;
  /** Changes that its search index lacks. */
  readonly waiting: number;
  /** Jobs, rescans, deliveries and domains of batches that it works on. */
  readonly working: number;
  /** What the operator should look after on this node: content of other nodes that it lacks, or a snapshot. */
  readonly problem: string | null;
  /** The process that answers. */
  readonly own: boolean;
  /** How far its clock is ahead of the database's. Each node knows its own only. */
  readonly clock_ahead_ms: number | null;
  /** Whether that is so much that the node is not ready. */
  readonly clock_off: boolean | null;
}

export interface NodeRepository {
  /** Lists this process too, while it runs. */
  enter(): Promise<void>;
  /** Oldest first. A SQLite file is served by this process alone, once it has entered. */
  list(): Promise<readonly NodeEntry[]>;
}

interface NodesOptions {
  readonly queries: Kysely<Tables>;
  readonly time: DatabaseClock;
  readonly clock: () => Date;
  readonly node: ClusterNode;
  /** Of this node's search index. */
  readonly indexId: string;
  readonly version: string;
  readonly contents: NodeContents;
  /** Whether other nodes serve the same database. */
  readonly isShared: boolean;
}

/** Lease queues, and the condition that its index of leased rows has. */
const QUEUES = { jobs: "", watches: "", deliveries: "", batch_items: "and state = 'waiting'" };

export function createNodeRepository(options: NodesOptions): NodeRepository {
  const { queries, time, clock, node, indexId, version, contents, isShared } = options;
  let startedAt: string | undefined;

  /** Leases are few: each is a worker that is busy now. */
  const workingOf = async (): Promise<ReadonlyMap<string, number>> => {
    const counts = new Map<string, number>();
    for (const [table, condition] of Object.entries(QUEUES)) {
      const { rows } = await sql<{ lease: string }>`select lease from ${sql.table(table)}
        where lease is not null and leased_until >= ${time(0)} ${sql.raw(condition)}`.execute(queries);
      for (const { lease } of rows) {
        const id = lease.slice(0, lease.indexOf(":"));
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    return counts;
  };

  /** The database reads its clock halfway between question and answer, as far as known. */
  const clockAhead = async (): Promise<number> => {
    const asked = clock().getTime();
    const { rows } = await sql<{ at: string }>`select ${time(0)} as at`.execute(queries);
    return Math.round((asked + clock().getTime()) / 2 - Date.parse(rows[0]?.at ?? ""));
  };

  const waitingOf = (id: ReturnType<typeof sql>) =>
    sql<number>`(select count(*) from outbox where outbox.index_id = ${id} and outbox.failed_at is null)`;

  return {
    async enter() {
      startedAt ??= clock().toISOString();
      if (isShared) await node.enter();
    },

    async list() {
      if (!isShared && startedAt === undefined) return [];
      const working = await workingOf();
      const ahead = await clockAhead();
      const complete = (row: Omit<NodeEntry, "working" | "own" | "clock_ahead_ms" | "clock_off">): NodeEntry => ({
        ...row,
        waiting: Number(row.waiting),
        working: working.get(row.id) ?? 0,
        own: row.id === node.id,
        clock_ahead_ms: row.id === node.id ? ahead : null,
        clock_off: row.id === node.id ? Math.abs(ahead) > MAX_SKEW_MS : null,
      });
      if (isShared) {
        const rows = await queries
          .selectFrom("nodes")
          .select([
            "id",
            "host",
            "started_at",
            "seen_at",
            "version",
            "rules",
            "model",
            "problem",
            waitingOf(sql`nodes.index_id`).as("waiting"),
          ])
          .orderBy("started_at")
          .orderBy("id")
          .execute();
        return rows.map(complete);
      }
      const { rows } = await sql<{ waiting: number }>`select ${waitingOf(sql`${indexId}`)} as waiting`.execute(queries);
      const now = clock().toISOString();
      const self = { id: node.id, host: hostname(), version, started_at: startedAt ?? now, seen_at: now };
      const own = { rules: contents.rules(), model: (await contents.model()) ?? null, problem: contents.problem() };
      return [complete({ ...self, ...own, waiting: rows[0]?.waiting ?? 0 })];
    },
  };
}
