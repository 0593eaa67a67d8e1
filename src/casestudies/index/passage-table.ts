import type { Connection, Table } from "@lancedb/lancedb";
import type {
  Table as ArrowTable,
  Data,
  DataType,
  FixedSizeList,
  Int8,
  List,
  RecordBatch,
  Schema,
  Uint32,
} from "apache-arrow";
import { releaseLibraryPages } from "../../natives/resident-pages.ts";
import type { Arrow, Native } from "./native.ts";
import { type Coded, type FoundPassages, NAMES, type PassageFilter, type PassageRows } from "./passage-memory.ts";
import type { SearchThread } from "./search-in-thread.ts";
import { createStudyFilter, type StudyFilter } from "./study-filter.ts";
import { quantise } from "./vectors.ts";

/** `in ()` is not valid SQL, so no values match no row. */
function isOneOf(column: string, values: readonly string[]): string {
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

/** Names are searched with the text, so that a query may combine words of the title and of the text. */
const wordsOf = ({ title, company, client, heading, text }: IndexedPassage) =>
  [title, company, client, heading, text].filter((part) => part !== null).join("\n");

/** False for NaN. */
export const isUnitLength = (length: number): boolean => Math.abs(length - 1) < 0.01;

/** @throws RangeError when the vector has other dimensions */
export function lengthOf(vector: Float32Array, dimensions: number): number {
  if (vector.length !== dimensions)
    throw new RangeError(`a vector has ${vector.length} dimensions instead of ${dimensions}`);
  let squares = 0;
  for (let at = 0; at < dimensions; at += 1) squares += vector[at]! * vector[at]!;
  return Math.sqrt(squares);
}

/** Columns of the table: `passage`, `write`, the names, `scale`, `terms`, `vector`. */
function schemaOf(arrow: Arrow, dimensions: number): Schema {
  return new arrow.Schema([
    new arrow.Field("passage", new arrow.Int64(), false),
    new arrow.Field("write", new arrow.Int64(), false),
    ...NAMES.map((name) => new arrow.Field(name, new arrow.Utf8(), name !== "study" && name !== "company")),
    new arrow.Field("scale", new arrow.Float32(), false),
    new arrow.Field("terms", termsType(arrow), false),
    new arrow.Field("vector", vectorType(arrow, dimensions), false),
  ]);
}

const termsType = (arrow: Arrow): List<Uint32> => new arrow.List(new arrow.Field("item", new arrow.Uint32(), true));

const vectorType = (arrow: Arrow, dimensions: number): FixedSizeList<Int8> =>
  new arrow.FixedSizeList(dimensions, new arrow.Field("item", new arrow.Int8(), true));

function tableOf(arrow: Arrow, schema: Schema, rows: PassageRows, dimensions: number): ArrowTable {
  const { passages, writes, names, vectors, scales, terms, offsets } = rows;
  const length = passages.length;
  const numbers = (type: DataType, data: BigInt64Array | Float32Array | Uint32Array | Int8Array) =>
    arrow.makeData({ type, length: data.length, nullCount: 0, data } as never) as Data;
  const children = [
    numbers(new arrow.Int64(), BigInt64Array.from(passages, BigInt)),
    numbers(new arrow.Int64(), BigInt64Array.from(writes, BigInt)),
    ...NAMES.flatMap((name) => {
      const { values, codes } = names[name];
      return arrow.vectorFromArray(
        Array.from(codes, (code) => values[code] ?? null),
        new arrow.Utf8(),
      ).data as readonly Data[];
    }),
    numbers(new arrow.Float32(), scales),
    arrow.makeData({
      type: termsType(arrow),
      length,
      nullCount: 0,
      valueOffsets: Int32Array.from(offsets),
      child: numbers(new arrow.Uint32(), terms) as Data<Uint32>,
    }),
    arrow.makeData({
      type: vectorType(arrow, dimensions),
      length,
      nullCount: 0,
      child: numbers(new arrow.Int8(), vectors) as Data<Int8>,
    }),
  ];
  const struct = arrow.makeData({ type: new arrow.Struct(schema.fields), length, nullCount: 0, children });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)]);
}

/** Copies the columns of rows that were read. */
function rowsOf(batch: RecordBatch, dimensions: number): PassageRows {
  const column = (name: string) => batch.getChild(name)!;
  const names = Object.fromEntries(NAMES.map((name) => [name, coded(column(name).toArray())]));
  const lists = column("terms").data[0]!;
  const first: number = lists.valueOffsets[0] ?? 0;
  const offsets = Uint32Array.from(
    lists.valueOffsets.subarray(0, batch.numRows + 1),
    (offset: number) => offset - first,
  );
  const words = lists.children[0]!;
  const vectors = column("vector").data[0]!;
  const numbers = vectors.children[0]!;
  return {
    passages: Float64Array.from(column("passage").toArray(), Number),
    writes: Float64Array.from(column("write").toArray(), Number),
    names: names as unknown as PassageRows["names"],
    scales: Float32Array.from(column("scale").toArray()),
    terms: Uint32Array.from(words.values.subarray(first, first + (offsets.at(-1) ?? 0))),
    offsets,
    vectors: Int8Array.from(numbers.values.subarray(0, batch.numRows * dimensions)),
  };
}

function coded(values: Iterable<string | null>): Coded {
  const codeOf = new Map<string | null, number>();
  const codes = Uint32Array.from(values, (value) => {
    const known = codeOf.get(value);
    if (known !== undefined) return known;
    codeOf.set(value, codeOf.size);
    return codeOf.size - 1;
  });
  return { values: [...codeOf.keys()], codes };
}

/** @throws RangeError when a vector has other dimensions, or a length other than one or zero */
function quantised(rows: readonly IndexedPassage[], dimensions: number) {
  const vectors = new Int8Array(rows.length * dimensions);
  const scales = Float32Array.from(rows, ({ vector, passage }, at) => {
    const length = lengthOf(vector, dimensions);
    if (length !== 0 && !isUnitLength(length))
      throw new RangeError(`the vector of passage ${passage} has length ${length} instead of 1`);
    return quantise(vector, vectors, at * dimensions);
  });
  return { vectors, scales };
}

/**
 * A table of passages: LanceDB stores them, a thread holds them in memory and searches them there.
 *
 * Measured with 421,000 passages on two busy cores, in milliseconds of processor time of one question: LanceDB's index of
 * vectors 6.7 (IVF_RQ with four bits) and its index of words 4.0; in memory 1.9 and 0.5.
 */

export interface PassageHit {
  readonly passage: number;
  readonly study: string;
  /** By vector the cosine similarity, 0–1; by words BM25, above 0 and unbounded. */
  readonly score: number;
}

interface Search {
  readonly limit: number;
  readonly filter: PassageFilter;
}

/** The table behind a passage index. */
export interface PassageTable {
  nearest(vector: Float32Array, search: Search): Promise<PassageHit[]>;
  keyword(query: string, search: Search): Promise<PassageHit[]>;
  /** Replaces all passages of these case studies in one commit. */
  put(rows: readonly IndexedPassage[]): Promise<void>;
  remove(studies: readonly string[]): Promise<void>;
  /**
   * Compacts small files and deletes files that only older versions need.
   *
   * @param keepVersionsSince evaluated at the end
   */
  optimise(keepVersionsSince: () => Date): Promise<void>;
  counts(): Promise<TableCounts>;
  /** Ids of its case studies. */
  studies(): Promise<readonly string[]>;
  /** Loads the passages into memory, so that the first search is as fast as later ones. */
  warm(): Promise<void>;
  /** Reads a little of every file. @throws what makes the table unreadable */
  check(): Promise<void>;
  /** Frees the memory when running searches have ended. */
  close(): void;
}

interface TableCounts {
  readonly passages: number;
}

/** The passages of one version of the table in the memory of a thread. */
interface Loaded {
  readonly thread: SearchThread;
  readonly memory: number;
  version: number;
}

/** Interval of checks for writes of other processes. */
const CHECK_MS = 2_000;
/** The memory is filled again when so many rows in it were removed, and more than are left. */
const MOST_REMOVED = 20_000;
/** Writes of another process that are read by name; after more, everything is read. */
const MOST_WRITES = 500;
const LARGEST_WRITE = 2 ** 52;
/** Searches of the whole table for the case studies of a write, after which those that it has are read once. */
const MOST_SCANS = 8;

export async function createPassageTable(
  connection: Connection,
  native: Native,
  name: string,
  dimensions: number,
  thread: () => SearchThread,
): Promise<PassageTable> {
  const table = await connection.createEmptyTable(name, schemaOf(native.arrow, dimensions));
  return passageTable(table, native, dimensions, thread);
}

export function passageTable(
  table: Table,
  { arrow }: Native,
  dimensions: number,
  thread: () => SearchThread,
): PassageTable {
  const schema = schemaOf(arrow, dimensions);
  let loaded: Loaded | undefined;
  let loading: Promise<Loaded> | undefined;
  /** Writes during a load, which are repeated after it. */
  let missed: ((into: Loaded) => Promise<unknown>)[] = [];
  let writing = 0;
  let syncing: Promise<void> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let users = 0;
  let isClosed = false;
  /** The case studies of one version of the table, once many writes need them. */
  let present: { version: number; readonly studies: StudyFilter } | undefined;
  let scans = 0;

  const readStudies = async (each: (study: string) => void): Promise<void> => {
    for await (const batch of table.query().select(["study"]))
      for (const study of batch.getChild("study")!) each(study);
  };

  /** Whether the table, at this version, has any of these case studies. */
  const hasAny = async (studies: readonly string[], version: number): Promise<boolean> => {
    const among = (some: readonly string[]) => table.countRows(isOneOf("study", some)).then((count) => count > 0);
    if (present?.version !== version) {
      scans += 1;
      if (scans <= MOST_SCANS) return await among(studies);
      const filter = createStudyFilter();
      await readStudies(filter.add);
      present = { version, studies: filter };
      scans = 0;
    }
    const likely = studies.filter(present.studies.mayHave);
    return likely.length > 0 && (await among(likely));
  };

  /** Reads rows into memory; while one batch is added, the next one is read. */
  const read = async (into: Omit<Loaded, "version">, where?: string) => {
    const query = table.query();
    let adding: Promise<unknown> = Promise.resolve();
    for await (const batch of where === undefined ? query : query.where(where)) {
      await adding;
      const rows = rowsOf(batch, dimensions);
      const moved = [rows.vectors, rows.terms, rows.passages, rows.writes].map(({ buffer }) => buffer as ArrayBuffer);
      adding = into.thread.send({ type: "add", memory: into.memory, rows }, moved);
      // It may fail while the next batch is read, before anything waits for it: the thread ends with the application.
      adding.catch(() => undefined);
    }
    await adding;
  };

  const load = async (): Promise<Loaded> => {
    const into = { thread: thread(), memory: Math.floor(Math.random() * LARGEST_WRITE) };
    await table.checkoutLatest();
    const version = await table.version();
    await into.thread.send({ type: "open", memory: into.memory, dimensions });
    try {
      await read(into);
    } catch (error) {
      into.thread.send({ type: "close", memory: into.memory }).catch(() => undefined);
      throw error;
    }
    return { ...into, version };
  };

  /** Loads the table again; meanwhile searches use what was loaded before, if anything. */
  const reload = (): Promise<Loaded> => {
    loading ??= withRetry(load)
      .then(async (now) => {
        for (const write of missed) await write(now);
        const former = loaded;
        loaded = now;
        if (former && !former.thread.hasEnded) await former.thread.send({ type: "close", memory: former.memory });
        return now;
      })
      .finally(() => {
        loading = undefined;
        missed = [];
      });
    return loading;
  };

  /** Another process may delete files of the version that is read; those of the newest exist. */
  const withRetry = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch {
      await table.checkoutLatest();
      return await work();
    }
  };

  /** Reads what other processes wrote. */
  const sync = async (into: Loaded): Promise<void> => {
    await table.checkoutLatest();
    const version = await table.version();
    if (version === into.version || writing > 0) return;
    const passages: number[] = [];
    const writes: number[] = [];
    for await (const batch of table.query().select(["passage", "write"])) {
      for (const passage of batch.getChild("passage")!.toArray()) passages.push(Number(passage));
      for (const write of batch.getChild("write")!.toArray()) writes.push(Number(write));
    }
    const { thread: its, memory } = into;
    const lists = { passages: Float64Array.from(passages), writes: Float64Array.from(writes) };
    const missing = await its.send({ type: "keepOnly", memory, ...lists });
    if (missing.length > MOST_WRITES) await reload();
    else if (missing.length > 0) await read(into, `write in (${missing.join(", ")})`);
    into.version = version;
  };

  const current = async (): Promise<Loaded> => {
    if (!loaded || loaded.thread.hasEnded) return await reload();
    if (performance.now() - checkedAt > CHECK_MS && writing === 0 && !loading) {
      checkedAt = performance.now();
      syncing ??= withRetry(() => sync(loaded!)).finally(() => {
        syncing = undefined;
      });
      await syncing;
    }
    return loaded;
  };

  const release = () => {
    if (!isClosed || users > 0) return;
    if (loaded && !loaded.thread.hasEnded)
      loaded.thread.send({ type: "close", memory: loaded.memory }).catch(() => undefined);
    loaded = undefined;
  };

  const searching = async (search: (now: Loaded) => ReturnType<SearchThread["send"]>): Promise<PassageHit[]> => {
    users += 1;
    try {
      const { passages, studies, scores } = (await search(await current())) as FoundPassages;
      return passages.map((passage, at) => ({ passage, study: studies[at]!, score: scores[at]! }));
    } finally {
      users -= 1;
      release();
    }
  };

  /** Writes to the table, then to memory. */
  const write = async (
    store: (version: number) => Promise<unknown>,
    apply: (into: Loaded) => Promise<unknown>,
  ): Promise<void> => {
    await syncing;
    writing += 1;
    try {
      // Another process may have just written.
      await table.checkoutLatest();
      const before = await table.version();
      await store(before);
      if (present?.version === before) present.version = await table.version();
      if (loading) missed.push(apply);
      if (!loaded || loaded.thread.hasEnded) return;
      await apply(loaded);
      if (loaded.version === before) loaded.version = await table.version();
    } finally {
      writing -= 1;
    }
  };

  return {
    nearest: (vector, { limit, filter }) =>
      searching(({ thread: its, memory }) => its.send({ type: "nearest", memory, vector, limit, filter })),

    keyword: (query, { limit, filter }) =>
      searching(({ thread: its, memory }) => its.send({ type: "keyword", memory, query, limit, filter })),

    async put(given) {
      const { vectors, scales } = quantised(given, dimensions);
      const terms = await thread().send({ type: "terms", texts: given.map(wordsOf) });
      const studies = [...new Set(given.map(({ study }) => study))];
      const rows: PassageRows = {
        passages: Float64Array.from(given, ({ passage }) => passage),
        writes: new Float64Array(given.length).fill(Math.floor(Math.random() * LARGEST_WRITE)),
        names: Object.fromEntries(
          NAMES.map((name) => [name, coded(given.map((row) => row[name]))]),
        ) as unknown as PassageRows["names"],
        vectors,
        scales,
        ...terms,
      };
      await write(
        async (version) => {
          const content = tableOf(arrow, schema, rows, dimensions);
          const hasSome = await hasAny(studies, version);
          for (const study of studies) present?.studies.add(study);
          // New case studies are only added: a merge reads the key of every row, which takes a gigabyte with many rows.
          if (!hasSome) return await table.add(content);
          return await table
            .mergeInsert(["passage"])
            .whenMatchedUpdateAll()
            .whenNotMatchedInsertAll()
            .whenNotMatchedBySourceDelete({ where: isOneOf("study", studies) })
            .execute(content);
        },
        // In one turn, so that no search finds a case study without passages.
        ({ thread: its, memory }) =>
          Promise.all([its.send({ type: "remove", memory, studies }), its.send({ type: "add", memory, rows })]),
      );
    },

    remove: (studies) =>
      write(
        () => table.delete(isOneOf("study", studies)),
        ({ thread: its, memory }) => its.send({ type: "remove", memory, studies }),
      ),

    async optimise(keepVersionsSince) {
      await write(
        async () => {
          await table.optimize();
          // At the end, when files replaced by compaction are no longer read: they are as large as the table.
          await table.optimize({ cleanupOlderThan: keepVersionsSince() });
        },
        () => Promise.resolve(),
      );
      await releaseLibraryPages();
      if (!loaded || loaded.thread.hasEnded) return;
      const { passages, removed } = await loaded.thread.send({ type: "counts", memory: loaded.memory });
      if (removed > Math.max(MOST_REMOVED, passages)) await reload();
    },

    counts: async () => ({ passages: await table.countRows() }),

    async studies() {
      const found = new Set<string>();
      await readStudies((study) => found.add(study));
      return [...found];
    },

    async warm() {
      await current();
    },

    async check() {
      await table.countRows("passage >= 0");
    },

    close() {
      isClosed = true;
      release();
    },
  };
}
