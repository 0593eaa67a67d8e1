import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { type Kysely, sql, type Transaction } from "kysely";
import { Failure } from "../core/errors.ts";
import type { CasefileDatabase } from "./contract.ts";
import { isPostgres } from "./engine.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { Tables } from "./schema.ts";

/** A table that was copied, as the target has it. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  /** Of all rows, whatever their order, in lower-case hex. */
  readonly sha256: string;
}

interface TransferOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((table: string, rows: number) => void) | undefined;
}

/**
 * What belongs to the nodes of one database, or is made again from the rest: leases of nodes, and the search indexes. Models
 * are files of an archive and of each node, which shares them again.
 */
const NOT_COPIED: ReadonlySet<string> = new Set([
  "migrations",
  "nodes",
  "node_indexes",
  "outbox",
  "embeddings",
  "client_calls",
  "crawl_turns",
  "scan_claims",
  "console_sessions",
  "sign_in_links",
  "operator_sessions",
  "activity",
  "shared_models",
  "shared_model_parts",
]);

/** A table of the schema, after those that it refers to. */
interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** The database numbers its rows. */
  readonly isNumbered: boolean;
  /** Rows that are read and written at a time: those with blobs may have 32 MiB each. */
  readonly batch: number;
}

const BATCH = 200;
const BATCH_WITH_BLOBS = 8;

function tablesOfSchema(): readonly Table[] {
  const database = new Database(":memory:", { strict: true });
  try {
    for (const { up } of MIGRATIONS) for (const statement of up) database.run(statement);
    const names = database
      .query<{ name: string }, []>(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
      )
      .all()
      .map(({ name }) => name)
      .filter((name) => !NOT_COPIED.has(name));
    const parents = (name: string) =>
      database
        .query<{ parent: string }, [string]>('select "table" as parent from pragma_foreign_key_list(?)')
        .all(name)
        .map(({ parent }) => parent);
    const sorted: string[] = [];
    const visit = (name: string): void => {
      if (sorted.includes(name)) return;
      for (const parent of parents(name)) if (parent !== name) visit(parent);
      sorted.push(name);
    };
    for (const name of names) visit(name);
    return sorted.map((name): Table => {
      const columns = database
        .query<{ name: string; type: string; pk: number; hidden: number }, [string]>(
          "select name, type, pk, hidden from pragma_table_xinfo(?)",
        )
        .all(name)
        // A generated column is computed again.
        .filter(({ hidden }) => hidden === 0);
      const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
      return {
        name,
        columns: columns.map(({ name }) => name),
        key: keys.map(({ name }) => name),
        isNumbered: keys.length === 1 && keys[0]?.type.toLowerCase() === "integer",
        batch: columns.some(({ type }) => type.toLowerCase() === "blob") ? BATCH_WITH_BLOBS : BATCH,
      };
    });
  } finally {
    database.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

/**
 * Copies everything but what belongs to single nodes into an empty database of either engine: one state of the source,
 * in one transaction of the target, which is committed when both have the same content. NUL in texts, which PostgreSQL
 * refuses, becomes U+FFFD.
 *
 * @throws Failure `store.unusable` when the target has data, or what arrived differs; it is then unchanged
 */
export async function copyTables(
  source: Pick<CasefileDatabase, "queries">,
  target: Pick<CasefileDatabase, "queries">,
  { signal, onProgress }: TransferOptions = {},
): Promise<readonly CopiedTable[]> {
  const tables = tablesOfSchema();
  return await source.queries.transaction().execute(async (from) => {
    if (isPostgres(from)) await sql`set transaction isolation level repeatable read, read only`.execute(from);
    return await target.queries.transaction().execute(async (to) => {
      await assertEmpty(to, tables);
      const read: ContentHash[] = [];
      for (const table of tables) {
        const hash = createContentHash();
        for await (const rows of rowsOf(from, table)) {
          signal?.throwIfAborted();
          const storable = rows.map((row) => storableRow(table, row));
          hash.add(table, storable);
          await insert(to, table, storable);
          onProgress?.(table.name, hash.rows());
        }
        if (table.isNumbered) await setLastNumber(to, table, await lastNumber(from, table));
        read.push(hash);
      }
      const copied: CopiedTable[] = [];
      for (const [at, table] of tables.entries()) {
        const hash = createContentHash();
        for await (const rows of rowsOf(to, table)) {
          signal?.throwIfAborted();
          hash.add(table, rows);
        }
        if (hash.hex() !== read[at]?.hex() || hash.rows() !== read[at]?.rows())
          throw new Failure(
            "store.unusable",
            `The table ${table.name} arrived with other content. Nothing was copied.`,
          );
        copied.push({ table: table.name, rows: hash.rows(), sha256: hash.hex() });
      }
      return copied;
    });
  });
}

/** Settings are replaced: a service that was started on the target has written some. */
async function assertEmpty(to: Transaction<Tables>, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    if (name === "settings") continue;
    const { rows } = await sql`select 1 as found from ${sql.table(name)} limit 1`.execute(to);
    if (rows.length > 0)
      throw new Failure(
        "store.unusable",
        `The target already has ${name}; give an empty database. Nothing was copied.`,
      );
  }
  await to.deleteFrom("settings").execute();
}

const columnsOf = (table: Table) => sql.join(table.columns.map((column) => sql.ref(column)));

/** All rows in the order of their keys, a few at a time. */
async function* rowsOf(from: Kysely<Tables>, table: Table): AsyncGenerator<readonly Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  let after: readonly unknown[] | undefined;
  for (;;) {
    const behind = after === undefined ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
    const { rows } = await sql<Row>`select ${columnsOf(table)} from ${sql.table(table.name)} ${behind}
      order by ${key} limit ${sql.lit(table.batch)}`.execute(from);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < table.batch) return;
    after = table.key.map((column) => last[column]);
  }
}

const storable = (value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\0", "\uFFFD").toWellFormed() : value;

const storableRow = (table: Table, row: Row): Row =>
  Object.fromEntries(table.columns.map((column) => [column, storable(row[column])]));

async function insert(to: Transaction<Tables>, table: Table, rows: readonly Row[]): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(table.columns.map((column) => row[column] ?? null))})`);
  await sql`insert into ${sql.table(table.name)} (${columnsOf(table)}) values ${sql.join(values)}`.execute(to);
}

/** The highest number that was ever given to a row, so that none is given again. */
async function lastNumber(from: Transaction<Tables>, table: Table): Promise<number> {
  const column = sql.ref(table.key[0] ?? "");
  const highest = await sql<{
    last: number | null;
  }>`select max(${column}) as last from ${sql.table(table.name)}`.execute(from);
  const sequence = await sequenceOf(from, table);
  const given =
    sequence === undefined
      ? []
      : isPostgres(from)
        ? (
            await sql<{
              last: number;
            }>`select case when is_called then last_value else 0 end as last from ${sql.raw(sequence)}`.execute(from)
          ).rows
        : (
            await sql<{ last: number }>`select seq as last from sqlite_sequence where name = ${table.name}`.execute(
              from,
            )
          ).rows;
  return Math.max(highest.rows[0]?.last ?? 0, ...given.map(({ last }) => last));
}

async function setLastNumber(to: Transaction<Tables>, table: Table, last: number): Promise<void> {
  const sequence = await sequenceOf(to, table);
  if (sequence === undefined || last === 0) return;
  if (isPostgres(to)) {
    await sql`select setval(${sequence}::regclass, ${last}::bigint)`.execute(to);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table.name}`.execute(to);
  await sql`insert into sqlite_sequence (name, seq) values (${table.name}, ${last})`.execute(to);
}

/** What counts the rows of a table; undefined where the numbers are those of another table, or may be given again. */
async function sequenceOf(queries: Transaction<Tables>, table: Table): Promise<string | undefined> {
  const { rows } = isPostgres(queries)
    ? await sql<{ name: string | null }>`select pg_get_serial_sequence(${table.name}, ${table.key[0]}) as name`.execute(
        queries,
      )
    : await sql<{
        name: string;
      }>`select name from sqlite_schema where name = ${table.name} and sql like '%autoincrement%'`.execute(queries);
  return rows[0]?.name ?? undefined;
}

interface ContentHash {
  add(table: Table, rows: readonly Row[]): void;
  rows(): number;
  hex(): string;
}

/** The sum of the hashes of all rows, which does not depend on their order. */
function createContentHash(): ContentHash {
  let sum = 0n;
  let count = 0;
  return {
    add(table, rows) {
      for (const row of rows) {
        const hash = createHash("sha256");
        for (const column of table.columns) {
          const value = row[column];
          const bytes = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value ?? null));
          hash.update(`${value instanceof Uint8Array ? "blob" : "json"} ${bytes.length}\n`).update(bytes);
        }
        sum = (sum + BigInt(`0x${hash.digest("hex")}`)) & MAX_SUM;
        count += 1;
      }
    },
    rows: () => count,
    hex: () => sum.toString(16).padStart(64, "0"),
  };
}

const MAX_SUM = (1n << 256n) - 1n;
