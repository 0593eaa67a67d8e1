import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/**
 * What SQLite and PostgreSQL say differently in a query. Everything else in the repositories is written so that both
 * understand it; `postgres/ddl.ts` has the differences of the schema.
 */

/** Queries of any schema, also those of a transaction. */
type Queries = Pick<Kysely<never>, "getExecutor">;

export const isPostgres = (queries: Queries): boolean => queries.getExecutor().adapter instanceof PostgresAdapter;

/** The text in a column of JSON under one key of its object. */
export const jsonText = (queries: Queries, column: string, key: string): RawBuilder<string | null> =>
  isPostgres(queries)
    ? // Not jsonb, which refuses \u0000.
      sql<string | null>`${sql.ref(column)}::json ->> ${sql.lit(key)}`
    : sql<string | null>`json_extract(${sql.ref(column)}, ${sql.lit(`$.${key}`)})`;

/** The JSON in a column of JSON under one key of its object. */
export const jsonPart = (queries: Queries, column: string, key: string): RawBuilder<string> =>
  isPostgres(queries)
    ? sql<string>`(${sql.ref(column)}::json -> ${sql.lit(key)})::text`
    : sql<string>`json_extract(${sql.ref(column)}, ${sql.lit(`$.${key}`)})`;

/** The rows of a query that returns these numbers: one parameter, however many there are. */
export const numbersIn = (queries: Queries, numbers: readonly number[]): RawBuilder<number> =>
  isPostgres(queries)
    ? sql<number>`select value::bigint from json_array_elements_text(${JSON.stringify(numbers)}::text::json) as listed (value)`
    : sql<number>`select value from json_each(${JSON.stringify(numbers)})`;

/**
 * The end of a `select` whose row the same statement updates: several nodes that claim at the same time get different
 * rows, and none waits. SQLite has one writer at a time.
 */
export const skipLocked = (queries: Queries): RawBuilder<unknown> =>
  isPostgres(queries) ? sql`for update skip locked` : sql``;
