import { Database } from "bun:sqlite";
import { MIGRATIONS, type Migration } from "./migrations.ts";

/** What a schema consists of: by kind and name (`table keys`), the columns and properties of each part. */
export type Structure = ReadonlyMap<string, string>;

/** How the schema of a database differs from what the migrations make. */
export interface SchemaDifferences {
  /** `table keys`, `index keys_by_email`: absent, or with other columns. */
  readonly missing: readonly string[];
  /** `trigger t`, `view v`: nothing that a migration makes. SQLite's own tables are not listed. */
  readonly unexpected: readonly string[];
}

/**
 * Compares tables, columns, indexes, triggers and views, by their properties and not by their text, which depends on the
 * release of SQLite that wrote it.
 *
 * @param expected the structure that the applied migrations make
 */
export function schemaDifferences(database: Database, expected: Structure): SchemaDifferences {
  const present = namesIn(database);
  const found = structureOf(
    database,
    present.filter(({ key }) => expected.has(key)),
  );
  return {
    missing: [...expected].filter(([name, parts]) => found.get(name) !== parts).map(([name]) => name),
    unexpected: present.flatMap(({ key }) => (expected.has(key) ? [] : [key])),
  };
}

/** The structure that these migrations make; 8 ms for all of them. */
export function structureOfMigrations(migrations: readonly Migration[] = MIGRATIONS): Structure {
  const database = new Database(":memory:", { strict: true });
  try {
    database.run(MIGRATIONS_TABLE);
    for (const { up } of migrations) for (const sql of up) database.run(sql);
    return structureOf(database, namesIn(database));
  } finally {
    database.close();
  }
}

/** The table that `migrate` keeps. */
export const MIGRATIONS_TABLE =
  "create table if not exists migrations (id integer primary key, name text not null, checksum text not null, applied_at text not null) strict";

interface SchemaName {
  /** `table keys`. */
  readonly key: string;
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
}

const namesIn = (database: Database): readonly SchemaName[] =>
  database
    .query<Omit<SchemaName, "key">, []>(
      "select type, name, tbl_name from sqlite_schema where name not like 'sqlite\\_%' escape '\\'",
    )
    .all()
    .map((row) => ({ ...row, key: `${row.type} ${row.name}` }));

function structureOf(database: Database, names: readonly SchemaName[]): Structure {
  const columnsOf = ({ type, name, tbl_name }: SchemaName): unknown[] => {
    if (type === "table") {
      const columns = 'select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(?)';
      return database.query(columns).values(name);
    }
    const columns = "select name, desc, coll, key from pragma_index_xinfo(?)";
    const kind = 'select "unique", partial from pragma_index_list(?) where name = ?';
    return [...database.query(columns).values(name), ...database.query(kind).values(tbl_name, name)];
  };
  return new Map(names.map((name) => [name.key, JSON.stringify(columnsOf(name))]));
}
