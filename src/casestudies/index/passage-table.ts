import type { Connection, Query, Table, VectorQuery } from "@lancedb/lancedb";
import type { Table as ArrowTable, Data, Field, FixedSizeList, Float32, Schema } from "apache-arrow";
import { releaseLibraryPages } from "../../natives/resident-pages.ts";
import type { Arrow, Native } from "./native.ts";

/** Conditions applied before ranking; all must match. An empty list matches nothing. */
export interface PassageFilter {
  readonly company?: string | undefined;
  readonly industries?: readonly string[] | undefined;
  readonly client?: string | undefined;
  readonly country?: string | undefined;
  /** ISO dates, inclusive. Undated case studies match neither. */
  readonly publishedAfter?: string | undefined;
  readonly publishedBefore?: string | undefined;
  /** Ids of case studies. */
  readonly studies?: readonly string[] | undefined;
}

/** The filter as Lance SQL; undefined without conditions. */
export function whereOf(filter: PassageFilter): string | undefined {
  const parts = [
    filter.company !== undefined && `company = ${quoted(filter.company)}`,
    filter.industries && among("industry", filter.industries),
    filter.client !== undefined && `client = ${quoted(filter.client)}`,
    filter.country !== undefined && `country = ${quoted(filter.country)}`,
    filter.publishedAfter !== undefined && `published_at >= ${quoted(filter.publishedAfter)}`,
    filter.publishedBefore !== undefined && `published_at <= ${quoted(filter.publishedBefore)}`,
    filter.studies && among("study", filter.studies),
  ].filter((part) => typeof part === "string");
  return parts.length > 0 ? parts.join(" and ") : undefined;
}

/** `in ()` is not valid SQL, so no values match no row. */
function among(column: string, values: readonly string[]): string {
  return values.length > 0 ? `${column} in (${values.map(quoted).join(", ")})` : "false";
}

/** In Lance SQL only quotes are escaped; a backslash is literal. */
function quoted(value: string): string {
  return `'${value.toWellFormed().replaceAll("'", "''")}'`;
}

/** A row of the index. */
export interface IndexedPassage {
  /** The passage's id in the database, below 2^53. */
  readonly passage: number;
  /** The case study's id. */
  readonly study: string;
  /** Slug. */
  readonly company: string;
  /** Lower-case display name, compared exactly with the filter. */
  readonly industry: string | null;
  /** Name of the client. */
  readonly client: string | null;
  readonly country: string | null;
  /** ISO date. */
  readonly published_at: string | null;
  readonly title: string;
  readonly heading: string | null;
  readonly text: string;
  /** Unit length; the zero vector is similar to nothing. */
  readonly vector: Float32Array;
}

const FACETS = ["company", "industry", "client", "country", "published_at"] as const;

function schemaOf(arrow: Arrow, dimensions: number): Schema {
  const text = (name: string, nullable: boolean) => new arrow.Field(name, new arrow.Utf8(), nullable);
  return new arrow.Schema([
    new arrow.Field("passage", new arrow.Int64(), false),
    text("study", false),
    ...FACETS.map((name) => text(name, name !== "company")),
    text("words", false),
    new arrow.Field("vector", vectorType(arrow, dimensions), true),
  ]);
}

/** @throws RangeError when a vector has other dimensions, or a length other than one or zero */
function tableOf(arrow: Arrow, schema: Schema, rows: readonly IndexedPassage[], dimensions: number): ArrowTable {
  const column = (field: Field): unknown[] => {
    if (field.name === "passage") return rows.map(({ passage }) => BigInt(passage));
    if (field.name === "study") return rows.map(({ study }) => study);
    if (field.name === "words") return rows.map(wordsOf);
    const facet = FACETS.find((name) => name === field.name);
    return facet ? rows.map((row) => row[facet]) : [];
  };
  const children = schema.fields.flatMap<Data>((field) =>
    field.name === "vector"
      ? [vectorsOf(arrow, rows, dimensions)]
      : arrow.vectorFromArray(column(field), field.type).data,
  );
  const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length: rows.length, nullCount: 0, children });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}

/** Names are searched with the text, so that a query may combine words of the title and of the text. */
const wordsOf = ({ title, company, client, heading, text }: IndexedPassage) =>
  [title, company, client, heading, text].filter((part) => part !== null).join("\n");

function vectorsOf(arrow: Arrow, rows: readonly IndexedPassage[], dimensions: number) {
  const values = new Float32Array(rows.length * dimensions);
  const present = new Uint8Array(Math.ceil(rows.length / 8));
  let absent = 0;
  rows.forEach(({ vector, passage }, at) => {
    const length = lengthOf(vector, dimensions);
    if (length === 0) absent++;
    else if (isUnitLength(length)) present[at >> 3] = (present[at >> 3] ?? 0) | (1 << (at & 7));
    else throw new RangeError(`the vector of passage ${passage} has length ${length} instead of 1`);
    values.set(vector, at * dimensions);
  });
  return arrow.makeData({
    type: vectorType(arrow, dimensions),
    length: rows.length,
    nullCount: absent,
    nullBitmap: present,
    child: arrow.makeData({ type: new arrow.Float32(), length: values.length, nullCount: 0, data: values }),
  });
}

/** False for NaN. */
export const isUnitLength = (length: number): boolean => Math.abs(length - 1) < 0.01;

/** @throws RangeError when the vector has other dimensions */
export function lengthOf(vector: Float32Array, dimensions: number): number {
  if (vector.length !== dimensions)
    throw new RangeError(`a vector has ${vector.length} dimensions instead of ${dimensions}`);
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}

function vectorType(arrow: Arrow, dimensions: number): FixedSizeList<Float32> {
  return new arrow.FixedSizeList(dimensions, new arrow.Field("item", new arrow.Float32(), true));
}

/** The ids of a row. */
interface RowIds {
  /** The passage's id in the database. */
  readonly passage: number;
  /** The case study's id. */
  readonly study: string;
}

/**
 * In-memory map from row numbers to ids: reading a hundred ids from the table takes a third of a search. A row number
 * never refers to another row; rewriting or compacting a row gives it a new number.
 */
interface RowIdCache {
  /** False before the first load and after a miss: searches then read the ids from the table. */
  readonly isComplete: boolean;
  /** In order; undefined when one of the rows is unknown. */
  find(rows: readonly bigint[]): RowIds[] | undefined;
  /** Counts a search that read ids from the table; after some, all ids are reloaded in the background. */
  missed(): void;
  /** Loads all ids: 200 ms of work and 18 MB for 400,000 rows. */
  load(): Promise<void>;
}

/**
 * A hybrid search has two misses. A command runs one search and needs no cache; while case studies are being added,
 * more frequent reloads would not pay.
 */
const MISSES_BEFORE_LOAD = 32;

interface Fragment {
  readonly passages: number[];
  readonly studies: string[];
}

function createRowIdCache(table: Table): RowIdCache {
  let fragments = new Map<number, Fragment>();
  let isComplete = false;
  let misses = 0;
  let loading: Promise<void> | undefined;

  const load = async () => {
    const read = new Map<number, Fragment>();
    let last = "";
    const query = table.query().select(["passage", "study"]).withRowId();
    for await (const batch of query) {
      const passages: BigInt64Array = batch.getChild("passage")?.toArray();
      const rows: BigUint64Array = batch.getChild("_rowid")?.toArray();
      const studies = batch.getChild("study");
      for (let at = 0; at < batch.numRows; at++) {
        const { fragment, offset } = placeOf(rows[at] ?? 0n);
        const names = read.get(fragment) ?? { passages: [], studies: [] };
        read.set(fragment, names);
        // Passages of a case study are adjacent and share one string.
        const study: string = studies?.get(at) ?? "";
        if (study !== last) last = study;
        names.passages[offset] = Number(passages[at]);
        names.studies[offset] = last;
      }
    }
    fragments = read;
    isComplete = true;
    misses = 0;
  };

  const loadOnce = () => {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  };

  return {
    load: loadOnce,

    get isComplete() {
      return isComplete;
    },

    find(rows) {
      const found: RowIds[] = [];
      for (const row of rows) {
        const { fragment, offset } = placeOf(row);
        const names = fragments.get(fragment);
        const passage = names?.passages[offset];
        const study = names?.studies[offset];
        if (passage === undefined || study === undefined) {
          isComplete = false;
          return undefined;
        }
        found.push({ passage, study });
      }
      return found;
    },

    missed() {
      misses++;
      // If loading fails, searches keep reading the table, and it is retried after as many misses.
      if (misses % MISSES_BEFORE_LOAD === 0) loadOnce().catch(() => {});
    },
  };
}

/** Lance numbers a row by fragment and offset; fragment numbers are never reused. */
const placeOf = (row: bigint) => ({ fragment: Number(row >> 32n), offset: Number(row & 0xffff_ffffn) });

/**
 * One table of passages, searched by vector and by words.
 *
 * Measured on two cores. Words, with queries of eight to fifteen words: Lance takes 5 ms for 400,000 passages; for
 * 100,000, SQLite FTS5 takes 29 ms, blocking the thread, and Lance 3 ms. Vectors, 400,000: IVF_RQ with four bits finds
 * all of the ten nearest in 8 ms and is built in 10 seconds; IVF_FLAT found 85% of them in 9 ms; IVF_HNSW_SQ was not
 * built after minutes and with 2 GiB; IVF_PQ took two minutes to build for 100,000.
 */

export interface PassageHit {
  readonly passage: number;
  readonly study: string;
  /** By vector the cosine similarity, 0–1; by words BM25, above 0 and unbounded. */
  readonly score: number;
}

interface Search {
  readonly limit: number;
  /** Lance SQL. */
  readonly where: string | undefined;
}

/** The table behind a passage index. */
export interface PassageTable {
  nearest(vector: Float32Array, search: Search): Promise<PassageHit[]>;
  keyword(query: string, search: Search): Promise<PassageHit[]>;
  /** Replaces all passages of these case studies in one commit. */
  put(rows: readonly IndexedPassage[]): Promise<void>;
  remove(studies: readonly string[]): Promise<void>;
  /**
   * Updates the indexes, compacts small files and deletes files that only older versions need.
   *
   * @param trained rows that the vector index was trained on; 0 without one
   * @param keepVersionsSince evaluated at the end
   * @returns rows that the vector index is trained on afterwards
   */
  optimise(trained: number, keepVersionsSince: () => Date): Promise<number>;
  counts(): Promise<TableCounts>;
  /** Loads what searches need, so that the first ones are as fast as later ones. */
  warm(): Promise<void>;
  close(): void;
}

interface TableCounts {
  readonly passages: number;
  /** Passages not in the vector index yet; they are compared one by one. */
  readonly unindexed: number;
}

type Score = "_score" | "_distance";
/** Builds a query; Lance queries run only once. */
type BuildQuery = () => Query | VectorQuery;

/** Up to this many rows are compared one by one, which is exact and takes a few milliseconds. */
const EXACT_ROWS = 5_000;
const VECTOR_INDEX = "vector_idx";
/** Growth factor of the rows after which the vector index is trained again. */
const GROWTH = 2;
/** With one bit, fifty candidates contain half of the ten nearest; with four, all of them. */
const BITS = 4;
const ROWS_IN_PARTITION = 6_000;
const MOST_PARTITIONS = 256;
/**
 * Reading all partitions takes a quarter of a search, and nearly the whole search with a filter, which is checked for each
 * row. Measured with 70 partitions and a filter that matches 5%: 70% of them contain 98% of the ten nearest, half 94%.
 */
const READ_WITH_FILTER = 0.7;
/** Without a filter, of 70 partitions: 50 contain 99.6% of the ten nearest, and take three quarters of the time of all. */
const READ_WITHOUT_FILTER = 0.75;
/** Of 14 partitions, 12 contain 98%: reading fewer than this saves nothing. */
const LEAST_PARTITIONS = 20;
/** Candidates compared exactly, at least. */
const CANDIDATES = 50;

export async function createPassageTable(
  connection: Connection,
  native: Native,
  name: string,
  dimensions: number,
): Promise<PassageTable> {
  const { lance, arrow } = native;
  const table = await connection.createEmptyTable(name, schemaOf(arrow, dimensions));
  // Optimising an index with positions fails, and phrases are never searched.
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

  const rowIds = createRowIdCache(table);

  /** Best first; ids come from the cache if it is complete, else from the table. */
  const hitsOf = async (column: Score, build: BuildQuery): Promise<PassageHit[]> => {
    if (rowIds.isComplete) {
      const { rows, scores } = await numbersOf(build().select(["_rowid", column]).withRowId(), column);
      const known = rowIds.find(rows);
      if (known) return known.map((name, at) => ({ ...name, score: scores[at] ?? 0 }));
    }
    rowIds.missed();
    const found = await build().select(["passage", "study", column]).toArray();
    return found.map((row) => ({ passage: Number(row.passage), study: String(row.study), score: Number(row[column]) }));
  };

  const withRetry = async <T>(search: () => Promise<T>): Promise<T> => {
    try {
      return await search();
    } catch {
      // Another process may have deleted the version that was read; the newest one exists.
      await table.checkoutLatest();
      return await search();
    }
  };

  const nearestQuery = (vector: Float32Array, limit: number): VectorQuery =>
    table
      .query()
      .nearestTo(vector)
      .distanceType("cosine")
      // Orders the candidates by exact distance.
      .refineFactor(Math.max(1, Math.ceil(CANDIDATES / limit)))
      .limit(limit);

  const nearestOfAll = async (vector: Float32Array, limit: number): Promise<PassageHit[]> => {
    const partitions = partitionsOf(await table.countRows());
    return await hitsOf("_distance", () =>
      probing(nearestQuery(vector, limit), Math.max(LEAST_PARTITIONS, Math.ceil(partitions * READ_WITHOUT_FILTER))),
    );
  };

  const nearestFiltered = async (vector: Float32Array, limit: number, where: string): Promise<PassageHit[]> => {
    const [rows, all] = await Promise.all([table.countRows(where), table.countRows()]);
    const search = (partitions: number) =>
      hitsOf("_distance", () => probing(nearestQuery(vector, limit).where(where), partitions));
    // With few matching rows, the index would probe the wrong partitions and find too few.
    if (rows <= EXACT_ROWS) {
      return await hitsOf("_distance", () => nearestQuery(vector, limit).where(where).bypassVectorIndex());
    }
    const found = await search(Math.ceil(partitionsOf(all) * READ_WITH_FILTER));
    return found.length < Math.min(limit, rows) ? await search(MOST_PARTITIONS) : found;
  };

  return {
    async nearest(vector, { limit, where }) {
      const found = await withRetry(() =>
        where === undefined ? nearestOfAll(vector, limit) : nearestFiltered(vector, limit, where),
      );
      return found.map((hit) => ({ ...hit, score: Math.min(1, Math.max(0, 1 - hit.score)) }));
    },

    keyword: (query, { limit, where }) =>
      withRetry(() =>
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
      // Another process may have just written.
      await table.checkoutLatest();
      // New case studies are only added: a merge reads the key of every row, which takes a gigabyte with many rows.
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
      // At the end, when files replaced by compaction are no longer read: they are as large as the index.
      await table.optimize({ cleanupOlderThan: keepVersionsSince() });
      await releaseLibraryPages();
      return isTrained ? trained : rows;
    },

    async counts() {
      const passages = await table.countRows();
      const stats = await table.indexStats(VECTOR_INDEX);
      return { passages, unindexed: stats?.numUnindexedRows ?? passages };
    },

    async warm() {
      for (const { name } of await table.listIndices()) await table.prewarmIndex(name);
      await rowIds.load();
    },

    close: () => table.close(),
  };
}

/** Few and large partitions: reading a few more costs less than choosing the right ones. */
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
