import { type Kysely, sql } from "kysely";
import type { AuditEntry, AuditTrail } from "../accounts/roles.ts";
import { hasRole, type Role } from "../core/roles.ts";
import type { DatabaseClock } from "../db/clock.ts";
import { countRows, type Page, type PageRequest, readPage } from "../db/cursor.ts";
import type { AuditRow, OperatorRow, OperatorSessionRow, Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";

export type StoredOperator = Readonly<OperatorRow>;
export type StoredEntry = Readonly<Omit<AuditRow, "number">> & { readonly number: number };
export type SignInWay = OperatorSessionRow["way"];

/** A session with the operator that it belongs to: both are null for one that the operator token opened. */
export type StoredSession = Readonly<Omit<OperatorSessionRow, "hash">> & {
  readonly operator: string | null;
  readonly role: Role | null;
};

export interface AuditFilter {
  /** Name of the operator. */
  readonly operator?: string | undefined;
  /** ISO 8601 instants. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

interface NewSession {
  readonly hash: string;
  readonly id: string;
  readonly operator_id: string | null;
  readonly token_hash: string | null;
  readonly way: SignInWay;
  readonly client: string;
  readonly agent: string | null;
}

/** Of one operator, and of the operator token. */
const MAX_SESSIONS = 100;
const SEEN_EVERY_SECONDS = 60;
const MAX_DELETED = 1_000;
const NEWEST_FIRST = { list: "audit", columns: [["number", "number", "desc"]] } as const;
/** Changes of operators run one after the other: the last admin must not be removed by two at once. */
const AREA = "operators";

export type OperatorRepository = ReturnType<typeof createOperatorRepository>;

export function createOperatorRepository(queries: Kysely<Tables>, time: DatabaseClock) {
  const sessions = () =>
    queries
      .selectFrom("operator_sessions")
      .leftJoin("operators", "operators.id", "operator_sessions.operator_id")
      .select([
        "operator_sessions.id",
        "operator_sessions.operator_id",
        "operator_sessions.token_hash",
        "operator_sessions.way",
        "operator_sessions.client",
        "operator_sessions.agent",
        "operator_sessions.created_at",
        "operator_sessions.last_seen_at",
        "operator_sessions.ends_at",
        "operators.name as operator",
        "operators.role",
      ])
      .where("operator_sessions.ends_at", ">=", time(0));

  const audit: AuditTrail = {
    async begin({ kind, operatorId, name, role, session, client, action, target }: AuditEntry) {
      const { rows } = await sql<{ number: number }>`
        insert into audit (at, kind, operator_id, operator, role, session, client, action, target)
        values (${time(0)}, ${kind}, ${operatorId}, ${name}, ${role}, ${session}, ${client}, ${action}, ${target})
        returning number`.execute(queries);
      return Number(rows[0]?.number);
    },
    async finish(entry, status) {
      await queries.updateTable("audit").set({ status }).where("number", "=", entry).execute();
    },
  };

  const filtered = ({ operator, since, until }: AuditFilter) => {
    let entries = queries.selectFrom("audit");
    if (operator !== undefined) entries = entries.where("operator", "=", operator);
    if (since !== undefined) entries = entries.where("at", ">=", since);
    if (until !== undefined) entries = entries.where("at", "<", until);
    return entries;
  };

  return {
    audit,

    list: (): Promise<StoredOperator[]> => queries.selectFrom("operators").selectAll().orderBy("name_folded").execute(),

    /**
     * Runs a change of operators that nobody else changes meanwhile.
     *
     * @param by id of the operator whose session makes the change: it must still be an admin's
     */
    change: <Result>(
      by: string | null,
      work: (all: OperatorChange) => Promise<Result>,
    ): Promise<Result | "forbidden"> =>
      inTransaction(queries, AREA, async (transaction) => {
        const all = await transaction.selectFrom("operators").selectAll().execute();
        const actor = all.find(({ id }) => id === by);
        if (by !== null && !(actor && hasRole(actor.role, "admin"))) return "forbidden";
        return await work({
          all,
          async add(operator) {
            await transaction.insertInto("operators").values(operator).execute();
          },
          async update(id, values) {
            await transaction.updateTable("operators").set(values).where("id", "=", id).execute();
          },
          async remove(id) {
            // Its links and sessions go with it.
            await transaction.deleteFrom("operators").where("id", "=", id).execute();
          },
        });
      }),

    /** @param replace ends the operator's other links */
    async addLink(operatorId: string, hash: string, seconds: number, replace: boolean): Promise<string> {
      if (replace) await queries.deleteFrom("sign_in_links").where("operator_id", "=", operatorId).execute();
      const { rows } = await sql<{ ends_at: string }>`
        insert into sign_in_links (hash, operator_id, created_at, ends_at)
        values (${hash}, ${operatorId}, ${time(0)}, ${time(seconds)}) returning ends_at`.execute(queries);
      return String(rows[0]?.ends_at);
    },

    /** Whether a link was made in the last seconds. */
    async hasNewLink(operatorId: string, seconds: number): Promise<boolean> {
      const link = await queries
        .selectFrom("sign_in_links")
        .select("hash")
        .where("operator_id", "=", operatorId)
        .where("created_at", ">", time(-seconds))
        .executeTakeFirst();
      return link !== undefined;
    },

    /** Takes a link: of two that send it at once, one gets the operator. */
    async takeLink(hash: string): Promise<StoredOperator | undefined> {
      const taken = await queries
        .deleteFrom("sign_in_links")
        .where("hash", "=", hash)
        .where("ends_at", ">=", time(0))
        .returning("operator_id")
        .executeTakeFirst();
      if (!taken) return undefined;
      return await queries.selectFrom("operators").selectAll().where("id", "=", taken.operator_id).executeTakeFirst();
    },

    /** The oldest sessions of the same operator end when there are too many. */
    async addSession({ hash, id, operator_id, token_hash, way, client, agent }: NewSession, seconds: number) {
      await sql`insert into operator_sessions
        (hash, id, operator_id, token_hash, way, client, agent, created_at, last_seen_at, ends_at)
        values (${hash}, ${id}, ${operator_id}, ${token_hash}, ${way}, ${client}, ${agent},
          ${time(0)}, ${time(0)}, ${time(seconds)})`.execute(queries);
      if (operator_id !== null)
        await sql`update operators set last_sign_in_at = ${time(0)} where id = ${operator_id}`.execute(queries);
      const same = operator_id === null ? sql`operator_id is null` : sql`operator_id = ${operator_id}`;
      const kept = sql`select hash from operator_sessions where ${same}
        order by created_at desc, hash limit ${sql.lit(MAX_SESSIONS)}`;
      await sql`delete from operator_sessions where ${same} and hash not in (${kept})`.execute(queries);
    },

    async findSession(hash: string): Promise<StoredSession | undefined> {
      const found = await sessions().where("operator_sessions.hash", "=", hash).executeTakeFirst();
      if (!found) return undefined;
      await sql`update operator_sessions set last_seen_at = ${time(0)}
        where hash = ${hash} and last_seen_at < ${time(-SEEN_EVERY_SECONDS)}`.execute(queries);
      return found;
    },

    /** Newest first. */
    listSessions: (): Promise<StoredSession[]> =>
      sessions().orderBy("operator_sessions.created_at", "desc").orderBy("operator_sessions.id").execute(),

    async removeSession(by: { readonly hash: string } | { readonly id: string }): Promise<boolean> {
      const [column, value] = "hash" in by ? (["hash", by.hash] as const) : (["id", by.id] as const);
      const removed = await queries
        .deleteFrom("operator_sessions")
        .where(column, "=", value)
        .returning("id")
        .executeTakeFirst();
      return removed !== undefined;
    },

    /** Newest first. @throws Failure `cursor.invalid` */
    async listAudit(filter: AuditFilter, page: PageRequest): Promise<Page & { readonly entries: StoredEntry[] }> {
      const entries = filtered(filter);
      const { rows, next_cursor } = await readPage(entries.selectAll(), NEWEST_FIRST, page);
      return { entries: rows, total: await countRows(entries), next_cursor };
    },

    /** Deletes ended links and sessions, and entries of the audit trail that are older than `days`. */
    async deleteOld(days: number): Promise<void> {
      for (const table of ["sign_in_links", "operator_sessions"] as const) {
        const old = sql`select hash from ${sql.table(table)} where ends_at < ${time(0)} limit ${sql.lit(MAX_DELETED)}`;
        await sql`delete from ${sql.table(table)} where hash in (${old})`.execute(queries);
      }
      const old = sql`select number from audit where at < ${time(-days * 86_400)} order by at limit ${sql.lit(MAX_DELETED)}`;
      await sql`delete from audit where number in (${old})`.execute(queries);
    },
  };
}

interface OperatorChange {
  readonly all: readonly StoredOperator[];
  add(operator: OperatorRow): Promise<void>;
  update(id: string, values: Partial<OperatorRow>): Promise<void>;
  remove(id: string): Promise<void>;
}
