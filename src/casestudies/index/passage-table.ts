import type { Connection, Query, Table, VectorQuery } from "@lancedb/lancedb";
import type { Table as ArrowTable, Data, Field, FixedSizeList, Float32, Schema } from "apache-arrow";
import { releaseLibraryPages } from "../../natives/resident-pages.ts";
import type { Arrow, Native } from "./native.ts";

/** What narrows a search before anything is ranked. Several narrow together; an empty list lets nothing through. */
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

/** The filter as Lance's SQL; undefined when it narrows nothing. */
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

/** No row when there are no values: `in ()` is no SQL. */
function among(column: string, values: readonly string[]): string {
  return values.length > 0 ? `${column} in (${values.map(quoted).join(", ")})` : "false";
}

/** In Lance's SQL a quote is the only letter that a text must double; a backslash is itself. */
function quoted(value: string): string {
  return `'${value.toWellFormed().replaceAll("'", "''")}'`;
}

/** One passage as the index keeps it. */
export interface IndexedPassage {
  /** The passage's id in the database, below 2^53. */
  readonly passage: number;
  /** The case study's id. */
  readonly study: string;
  /** Slug. */
  readonly company: string;
  /** What a filter gives, compared as it stands. */
  readonly industry: string | null;
  /** Folded. */
  readonly client: string | null;
  readonly country: string | null;
  /** ISO date. */
  readonly published_at: string | null;
  readonly title: string;
  readonly heading: string | null;
  readonly text: string;
  /** Unit length; the zero vector is near nothing. */
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

/** @throws RangeError when a vector has other dimensions, a number that is none, or another length than one or zero */
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

/** The names stand beside the text so that a question that tells one from the text and one from the title finds both. */
const wordsOf = ({ title, company, client, heading, text }: IndexedPassage) =>
  [title, company, client, heading, text].filter((part) => part !== null).join("\n");

function vectorsOf(arrow: Arrow, rows: readonly IndexedPassage[], dimensions: number) {
  const values = new Float32Array(rows.length * dimensions);
  const present = new Uint8Array(Math.ceil(rows.length / 8));
  let absent = 0;
  rows.forEach(({ vector, passage }, at) => {
    const length = lengthOf(vector, dimensions);
    if (length === 0) absent++;
    else if (Math.abs(length - 1) < 0.01) present[at >> 3] = (present[at >> 3] ?? 0) | (1 << (at & 7));
    else throw new RangeError(`the vector of passage ${passage} is ${length} long and not 1`);
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

/** @throws RangeError when the vector has other dimensions */
export function lengthOf(vector: Float32Array, dimensions: number): number {
  if (vector.length !== dimensions)
    throw new RangeError(`a vector has ${vector.length} dimensions and not ${dimensions}`);
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}

function vectorType(arrow: Arrow, dimensions: number): FixedSizeList<Float32> {
  return new arrow.FixedSizeList(dimensions, new arrow.Field("item", new arrow.Float32(), true));
}

/** What a row of the table stands for. */
interface RowName {
  /** The passage's id in the database. */
  readonly passage: number;
  /** The case study's id. */
  readonly study: string;
}

/**
 * The names of a table's rows, in memory: to read a hundred of them from the table takes a third of a search. A row's
 * number stands for the same row for ever; one that is written anew, or moved by compaction, has another number.
 */
interface RowNames {
  /** False until they were read, and once one was missing: then it is no use to ask for numbers alone. */
  readonly areKnown: boolean;
  /** In order; undefined when the name of one of them is not known. */
  find(rows: readonly bigint[]): RowName[] | undefined;
  /** Tells that a search read its names from the table; after some, they are all read anew, behind the searches. */
  missed(): void;
  /** Reads them all: a fifth of a second of work and 18 MB for 400,000. */
  load(): Promise<void>;
}

/**
 * Two misses a search: a command asks one question and needs none of them, and while case studies keep coming they are
 * not read more often than it pays.
 */
const MISSES_BEFORE_LOAD = 32;

interface Fragment {
  readonly passages: number[];
  readonly studies: string[];
}

function createRowNames(table: Table): RowNames {
  let fragments = new Map<number, Fragment>();
  let areKnown = false;
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
        // A case study's passages stand together and share one text.
        const study: string = studies?.get(at) ?? "";
        if (study !== last) last = study;
        names.passages[offset] = Number(passages[at]);
        names.studies[offset] = last;
      }
    }
    fragments = read;
    areKnown = true;
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

    get areKnown() {
      return areKnown;
    },

    find(rows) {
      const found: RowName[] = [];
      for (const row of rows) {
        const { fragment, offset } = placeOf(row);
        const names = fragments.get(fragment);
        const passage = names?.passages[offset];
        const study = names?.studies[offset];
        if (passage === undefined || study === undefined) {
          areKnown = false;
          return undefined;
        }
        found.push({ passage, study });
      }
      return found;
    },

    missed() {
      misses++;
      // When it fails, searches are answered from the table as before, and it is tried again after as many.
      if (misses % MISSES_BEFORE_LOAD === 0) loadOnce().catch(() => {});
    },
  };
}

/** Lance numbers a row by its fragment and its place there; numbers of fragments are never used twice. */
const placeOf = (row: bigint) => ({ fragment: Number(row >> 32n), offset: Number(row & 0xffff_ffffn) });

/**
 * One table of passages, searched by vector and by words.
 *
 * Measured on two cores. Words, for questions of eight to fifteen: with 400,000 passages Lance answers in 5 ms; SQLite's
 * FTS5 took 29 ms with 100,000, where Lance takes 3, and blocks the thread meanwhile. Vectors, 400,000 of them: IVF_RQ
 * with four bits finds all of the ten nearest in 8 ms and is built in 10 seconds; IVF_FLAT found 85 % of them in 9 ms;
 * IVF_HNSW_SQ was not built after minutes and with 2 GiB; IVF_PQ took two minutes to build for 100,000 already.
 */

export interface PassageHit {
  readonly passage: number;
  readonly study: string;
  /** By vector the cosine, 0–1; by words BM25, above 0 and without an upper end. */
  readonly score: number;
}

interface Search {
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

interface TableCounts {
  readonly passages: number;
  /** Passages that no vector index knows yet; they are compared one by one. */
  readonly unindexed: number;
}

type Score = "_score" | "_distance";
/** Builds the query anew: one that was asked cannot be asked again. */
type Searching = () => Query | VectorQuery;

/** Fewer rows than these are compared one by one, which is exact and takes a few milliseconds. */
const EXACT_ROWS = 5_000;
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
