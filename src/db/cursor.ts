import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type Kysely,
  type QueryExecutorProvider,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { Failure } from "../core/errors.ts";
import { isPostgres } from "./engine.ts";
import type { Tables } from "./schema.ts";

const MAX_CHARACTERS = 4_096;

interface Types {
  readonly string: string;
  readonly number: number;
}
type Shape = readonly (keyof Types)[];
type Position<S extends Shape> = { readonly [I in keyof S]: Types[S[I]] };

/** The position after the last row of a page. `list` names the list, so that the cursor of another list is refused. */
export const encodeCursor = (list: string, position: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([list, ...position])).toString("base64url");

/**
 * The position in a cursor of this list, whose parts have the types of `shape`.
 *
 * @throws Failure `cursor.invalid`
 */
export function decodeCursor<const S extends Shape>(list: string, shape: S, cursor: string): Position<S> {
  const [name, ...position] = parseParts(cursor);
  if (name === list && hasShape(position, shape)) return position;
  throw invalidCursor();
}

// JSON can write a number that reads as infinite; no list ends there.
const hasShape = <S extends Shape>(position: readonly unknown[], shape: S): position is Position<S> =>
  position.length === shape.length &&
  shape.every((type, at) => typeof position[at] === type && (type === "string" || Number.isFinite(position[at])));

function parseParts(cursor: string): readonly unknown[] {
  if (cursor.length > MAX_CHARACTERS || !/^[\w-]+$/.test(cursor)) throw invalidCursor();
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(parts)) return parts;
  } catch {
    // Not JSON: refused below.
  }
  throw invalidCursor();
}

export const invalidCursor = () =>
  new Failure("cursor.invalid", "Use next_cursor of the previous page unchanged, or omit cursor for the first page.");

/** A request for at most `limit` rows after a cursor. */
export interface PageRequest {
  readonly limit: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** The part of a page that is the same in every list. */
export interface Page {
  /** Number of all matches, not only of this page. */
  readonly total: number;
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/** A list: its name, and the columns by which it is sorted, which together identify a row and are selected. */
interface ListOrder {
  /** The cursor of another list is refused. */
  readonly list: string;
  readonly columns: readonly (readonly [name: string, type: keyof Types, direction?: "asc" | "desc"])[];
}

/**
 * Reads the rows of a query after the cursor.
 *
 * @throws Failure `cursor.invalid`
 */
export async function readPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { list, columns }: ListOrder,
  { limit, cursor }: PageRequest,
): Promise<{ readonly rows: Row[]; readonly next_cursor: string | null }> {
  let page = query.limit(limit + 1);
  for (const [name, , direction = "asc"] of columns) page = page.orderBy(sql.ref(name), direction);
  if (cursor !== undefined) {
    const types = columns.map(([, type]) => type);
    page = page.where(isAfter(columns, decodeCursor(list, types, cursor)));
  }
  const found: Row[] = await page.execute();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length <= limit || last === undefined) return { rows, next_cursor: null };
  const position = columns.map(([name]) => Reflect.get(Object(last), name.replace(/^.*\./, "")));
  return { rows, next_cursor: encodeCursor(list, position) };
}

/** `a >= x and (a > x or (b > y))`: the first condition lets SQLite seek in an index that starts with `a`. */
function isAfter(
  [first, ...rest]: ListOrder["columns"],
  [value, ...values]: readonly (string | number)[],
): Expression<SqlBool> {
  const [name = "", , direction] = first ?? [];
  const column = sql.ref(name);
  const sign = sql.raw(direction === "desc" ? "<" : ">");
  if (rest.length === 0) return sql<SqlBool>`${column} ${sign} ${value}`;
  return sql<SqlBool>`${column} ${sign}= ${value} and (${column} ${sign} ${value} or (${isAfter(rest, values)}))`;
}

/** The number of rows that a query without a selection matches. */
export async function countRows<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = query.select(sql<number>`count(*)`.as("total")).$castTo<{ readonly total: number }>();
  return (await counted.executeTakeFirstOrThrow()).total;
}

/** SQLite allows 32,766 parameters per statement; the widest row that is inserted in bulk has 16. */
const CHUNK_SIZE = 2_000;

/** Calls `use` for chunks that fit into one statement and returns all results. */
export async function inChunks<Item, Result>(
  items: readonly Item[],
  use: (chunk: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += CHUNK_SIZE) {
    for (const result of await use(items.slice(start, start + CHUNK_SIZE))) results.push(result);
  }
  return results;
}

/** Numbers of rows and lengths of lists, up to this one, for which a compiled query is kept. */
const MAX_KEPT_LENGTH = 256;

/**
 * Returns a query by a list of values, which are its only parameters. Building it takes half of its time, so that it is built
 * once for each length of a list.
 */
export function queryByList<Value, Row>(
  queries: QueryExecutorProvider,
  build: (values: readonly Value[]) => Compilable<Row>,
): (values: readonly Value[]) => Promise<Row[]> {
  const kept = new Map<number, CompiledQuery<Row>>();
  return (values) =>
    inChunks(values, async (chunk) => {
      const query = kept.get(chunk.length) ?? build(chunk).compile();
      if (chunk.length <= MAX_KEPT_LENGTH) kept.set(chunk.length, query);
      return (await queries.getExecutor().executeQuery<Row>({ ...query, parameters: chunk })).rows;
    });
}

/**
 * Returns what inserts rows with the same columns. Building the statement for a scan's tools takes as long as running it, so
 * that it is built once for each number of rows.
 */
export function insertByCount<Row extends object>(
  build: (queries: Kysely<Tables>, rows: readonly Row[]) => Compilable<unknown>,
): (queries: Kysely<Tables>, rows: readonly Row[]) => Promise<void> {
  const kept = new Map<string, CompiledQuery<unknown>>();
  return async (queries, rows) => {
    const key = `${isPostgres(queries)} ${rows.length}`;
    const query = kept.get(key) ?? build(queries, rows).compile();
    if (rows.length <= MAX_KEPT_LENGTH) kept.set(key, query);
    const values = rows.flatMap((row) => Object.values(row));
    // After those of the rows come those of the clauses.
    const parameters = [...values, ...query.parameters.slice(values.length)];
    await queries.getExecutor().executeQuery({ ...query, parameters });
  };
}
