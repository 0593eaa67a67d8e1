/**
 * One table of passages, searched by vector and by words.
 *
 * Measured on two cores. Words, for questions of eight to fifteen: with 400,000 passages Lance answers in 5 ms; SQLite's
 * FTS5 took 29 ms with 100,000, where Lance takes 3, and blocks the thread meanwhile. Vectors, 400,000 of them: IVF_RQ
 * with four bits finds all of the ten nearest in 8 ms and is built in 10 seconds; IVF_FLAT found 85 % of them in 9 ms;
 * IVF_HNSW_SQ was not built after minutes and with 2 GiB; IVF_PQ took two minutes to build for 100,000 already.
 */
import type { Connection, Query, Table, VectorQuery } from "@lancedb/lancedb";
import { giveBackWork } from "../../natives/give-back.ts";
import type { Native } from "./native.ts";
import { createRowNames } from "./row-names.ts";
import { type IndexedPassage, schemaOf, tableOf } from "./rows.ts";
import { among } from "./where.ts";

export interface PassageHit {
  readonly passage: number;
  readonly study: string;
  /** By vector the cosine, 0–1; by words BM25, above 0 and without an upper end. */
  readonly score: number;
}

export interface Search {
  readonly limit: number;
  /** Lance's SQL. */
  readonly where: string | undefined;
}

/** One generation of the index. */
export interface PassageTable {
  nearest(vector: Float32Array, search: Search): Promise<PassageHit[]>;
  keyword(query: string, search: Search): Promise<PassageHit[]>;
  /** In one commit: all the passages of these case studies are then the ones given. */
  put(rows: readonly IndexedPassage[]): Promise<void>;
  remove(studies: readonly string[]): Promise<void>;
  /**
   * Brings the indexes up to date, joins small files and removes all that only older versions need.
   *
   * @param trained rows that the vector index was trained on; 0 without one
   * @param keepVersionsSince asked at the end
   * @returns the same after this
   */
  optimise(trained: number, keepVersionsSince: () => Date): Promise<number>;
  counts(): Promise<TableCounts>;
  /** Reads what the first searches need, so that they are as quick as the later ones. */
  warm(): Promise<void>;
  close(): void;
}

export interface TableCounts {
  readonly passages: number;
  /** Passages that no vector index knows yet; they are compared one by one. */
  readonly unindexed: number;
}

type Score = "_score" | "_distance";
/** Builds the query anew: one that was asked cannot be asked again. */
type Searching = () => Query | VectorQuery;

/** Fewer rows than these are compared one by one, which is exact and takes a few milliseconds. */
export const EXACT_ROWS = 5_000;
const VECTOR_INDEX = "vector_idx";
/** The partitions are those of the rows that were there: with this many times the rows they are cut anew. */
const GROWTH = 2;
/** With one bit the fifty candidates hold half of the ten nearest; with four, all of them. */
const BITS = 4;
const ROWS_IN_PARTITION = 6_000;
const MOST_PARTITIONS = 256;
/**
 * To read all partitions takes a quarter of a search, and behind a filter, where each row is looked up in it, nearly
 * all. Measured with 70 of them and a filter of 5 %: 0.7 of them hold 98 % of the ten nearest, and half 94 %.
 */
const READ_WITH_FILTER = 0.7;
/** Compared exactly, at least, before the nearest are answered. */
const CANDIDATES = 50;

export async function createPassageTable(
  connection: Connection,
  native: Native,
  name: string,
  dimensions: number,
): Promise<PassageTable> {
  const { lance, arrow } = native;
  const table = await connection.createEmptyTable(name, schemaOf(arrow, dimensions));
  // With positions an optimisation of this index fails, and no phrase is ever looked for.
  const words = lance.Index.fts({ withPosition: false, stem: true, removeStopWords: true, asciiFolding: true });
  await table.createIndex("words", { config: words });
  for (const column of ["study", "company", "client", "published_at"]) {
    await table.createIndex(column, { config: lance.Index.btree() });
  }
  for (const column of ["industry", "country"]) await table.createIndex(column, { config: lance.Index.bitmap() });
  return passageTable(table, native, dimensions);
}

export function passageTable(table: Table, { lance, arrow }: Native, dimensions: number): PassageTable {
  const schema = schemaOf(arrow, dimensions);

  const names = createRowNames(table);

  /** Best first; the rows' names come from memory where they are known, else from the table. */
  const hitsOf = async (column: Score, searching: Searching): Promise<PassageHit[]> => {
    if (names.areKnown) {
      const { rows, scores } = await numbersOf(searching().select(["_rowid", column]).withRowId(), column);
      const known = names.find(rows);
      if (known) return known.map((name, at) => ({ ...name, score: scores[at] ?? 0 }));
    }
    names.missed();
    const found = await searching().select(["passage", "study", column]).toArray();
    return found.map((row) => ({ passage: Number(row.passage), study: String(row.study), score: Number(row[column]) }));
  };

  const askedTwice = async <T>(search: () => Promise<T>): Promise<T> => {
    try {
      return await search();
    } catch {
      // Another process's clean-up may have removed the version that it read; the newest is there.
      await table.checkoutLatest();
      return await search();
    }
  };

  const near = (vector: Float32Array, limit: number): VectorQuery =>
    table
      .query()
      .nearestTo(vector)
      .distanceType("cosine")
      // The exact distances then put the candidates in order.
      .refineFactor(Math.max(1, Math.ceil(CANDIDATES / limit)))
      .limit(limit);

  const narrowed = async (vector: Float32Array, limit: number, where: string): Promise<PassageHit[]> => {
    const [rows, all] = await Promise.all([table.countRows(where), table.countRows()]);
    const search = (partitions: number) =>
      hitsOf("_distance", () => probing(near(vector, limit).where(where), partitions));
    // Of few rows an index would look in the wrong parts, and answer too few.
    if (rows <= EXACT_ROWS) {
      return await hitsOf("_distance", () => near(vector, limit).where(where).bypassVectorIndex());
    }
    const found = await search(Math.ceil(partitionsOf(all) * READ_WITH_FILTER));
    return found.length < Math.min(limit, rows) ? await search(MOST_PARTITIONS) : found;
  };

  return {
    async nearest(vector, { limit, where }) {
      const found = await askedTwice(() =>
        where === undefined
          ? hitsOf("_distance", () => probing(near(vector, limit), MOST_PARTITIONS))
          : narrowed(vector, limit, where),
      );
      return found.map((hit) => ({ ...hit, score: Math.min(1, Math.max(0, 1 - hit.score)) }));
    },

    keyword: (query, { limit, where }) =>
      askedTwice(() =>
        hitsOf("_score", () => {
          const search: Query = table
            .query()
            .fullTextSearch(query, { columns: ["words"] })
            .limit(limit);
          return where === undefined ? search : search.where(where);
        }),
      ),

    async put(rows) {
      const sameStudies = amongStudies(rows);
      const content = tableOf(arrow, schema, rows, dimensions);
      // Another process may have written a moment ago.
      await table.checkoutLatest();
      // What is new is only added: a merge reads keys of every row, and with many of them takes a gigabyte.
      if ((await table.countRows(sameStudies)) === 0) {
        await table.add(content);
        return;
      }
      await table
        .mergeInsert(["passage"])
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .whenNotMatchedBySourceDelete({ where: sameStudies })
        .execute(content);
    },

    async remove(studies) {
      await table.delete(among("study", studies));
    },

    async optimise(trained, keepVersionsSince) {
      await table.optimize();
      const rows = await table.countRows("vector is not null");
      const isTrained = rows < EXACT_ROWS || rows < trained * GROWTH;
      if (!isTrained) {
        const config = lance.Index.ivfRq({
          distanceType: "cosine",
          numBits: BITS,
          numPartitions: partitionsOf(rows),
        });
        await table.createIndex("vector", { config, replace: true, name: VECTOR_INDEX });
      }
      // At the end, when what compaction replaced is no longer read: it is as much again as the index.
      await table.optimize({ cleanupOlderThan: keepVersionsSince() });
      await giveBackWork();
      return isTrained ? trained : rows;
    },

    async counts() {
      const passages = await table.countRows();
      const stats = await table.indexStats(VECTOR_INDEX);
      return { passages, unindexed: stats?.numUnindexedRows ?? passages };
    },

    async warm() {
      for (const { name } of await table.listIndices()) await table.prewarmIndex(name);
      await names.load();
    },

    close: () => table.close(),
  };
}

/** Few and large: to read a few more of them costs less than to find the right ones. */
const partitionsOf = (rows: number) => Math.min(MOST_PARTITIONS, Math.max(1, Math.round(rows / ROWS_IN_PARTITION)));

const amongStudies = (rows: readonly IndexedPassage[]) => among("study", [...new Set(rows.map(({ study }) => study))]);

const probing = (search: VectorQuery, partitions: number) =>
  search.minimumNprobes(1).maximumNprobes(partitions).minimumNprobes(partitions);

async function numbersOf(
  search: Query | VectorQuery,
  column: string,
): Promise<{ readonly rows: bigint[]; readonly scores: number[] }> {
  const rows: bigint[] = [];
  const scores: number[] = [];
  for await (const batch of search) {
    rows.push(...(batch.getChild("_rowid")?.toArray() ?? []));
    scores.push(...(batch.getChild(column)?.toArray() ?? []));
  }
  return { rows, scores };
}
