import { link, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Connection } from "@lancedb/lancedb";
import { errorCode, Failure } from "../../core/errors.ts";
import { syncFolder } from "../../core/files.ts";
import { createFileFlush } from "./flush-files.ts";
import { loadNative, type Native } from "./native.ts";
import type { PassageFilter } from "./passage-memory.ts";
import {
  createPassageTable,
  type IndexedPassage,
  lengthOf,
  type PassageHit,
  type PassageTable,
  passageTable,
} from "./passage-table.ts";
import { type SearchThread, startSearchThread } from "./search-in-thread.ts";

/** Names the current table, in one small file that is replaced atomically. */
interface Pointer {
  readonly table: string;
  /** Id of the model that computed the vectors. */
  readonly model: string;
  readonly dimensions: number;
  /** The previous table, which readers may still use. */
  readonly previous: string | null;
  /** ISO 8601 UTC. */
  readonly since: string;
  /** Of the table's columns. */
  readonly format: typeof FORMAT;
}

/** Tables of other versions of Casefile are replaced. */
const FORMAT = 2;

const FILE = "current.json";
const TABLES = "tables";

const pointerPath = (dir: string) => join(dir, FILE);

/** Undefined when there is no readable pointer: the index must then be rebuilt. */
export async function findPointer(dir: string): Promise<Pointer | undefined> {
  let text: string;
  try {
    text = await readFile(pointerPath(dir), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  return parsePointer(text);
}

function parsePointer(text: string): Pointer | undefined {
  try {
    const { table, model, dimensions, previous, since, format }: Partial<Record<keyof Pointer, unknown>> =
      JSON.parse(text);
    if (typeof table !== "string" || typeof model !== "string" || typeof since !== "string") return undefined;
    if (!Number.isSafeInteger(dimensions) || format !== FORMAT) return undefined;
    return {
      table,
      model,
      dimensions: Number(dimensions),
      previous: typeof previous === "string" ? previous : null,
      since,
      format,
    };
  } catch {
    return undefined;
  }
}

/**
 * Writes the pointer to a temporary file, flushes it, and renames it.
 *
 * @param how `replace` overwrites; `first` returns false when another process created the pointer
 */
async function writePointer(dir: string, pointer: Pointer, how: "first" | "replace"): Promise<boolean> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const part = `${pointerPath(dir)}.${process.pid}.${crypto.randomUUID()}`;
  try {
    const file = await open(part, "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify(pointer));
      await file.sync();
    } finally {
      await file.close();
    }
    if (how === "replace") await rename(part, pointerPath(dir));
    else await link(part, pointerPath(dir));
    await syncFolder(dir);
    return true;
  } catch (error) {
    if (how === "first" && errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}

interface PassageIndexOptions {
  /** The folder of the index; created when absent. */
  readonly dir: string;
  /** Folder for the native libraries of an executable, writable only by the operator; by default below `dir`. */
  readonly unpackDir?: string;
  readonly dimensions: number;
  /** Id of the encoder: vectors of different models are never compared. */
  readonly model: string;
  readonly clock: () => Date;
}

interface PassageSearch {
  readonly limit: number;
  readonly filter?: PassageFilter;
}

/**
 * The passages of case studies by vector and by words, derived from the database. Filters apply before ranking. Writes
 * of a process run one after another; reads never wait for them.
 */
export interface PassageIndex {
  /**
   * `new`: no readable index was found, so this one is empty. `other model`: it was built with another model, so until it is
   * rebuilt it is searched by words alone.
   */
  readonly state: "ready" | "new" | "other model";
  /**
   * Atomically replaces all passages of these case studies, on the disk when it returns, so pass all passages of a case study together. Idempotent.
   * One commit per call: pass a few hundred rows at once.
   *
   * @throws RangeError when a vector has other dimensions or is neither of length one nor zero
   */
  upsert(rows: readonly IndexedPassage[]): Promise<void>;
  /** Unknown ids are ignored. */
  remove(studies: readonly string[]): Promise<void>;
  /**
   * Nearest passages first, by cosine similarity, 0–1.
   *
   * @throws RangeError when the vector has other dimensions, Failure `model.invalid` when the index is another model's
   */
  nearest(vector: Float32Array, search: PassageSearch): Promise<PassageHit[]>;
  /** Passages that contain any word of the query, by BM25. */
  keyword(query: string, search: PassageSearch): Promise<PassageHit[]>;
  /** Compacts files, which nothing else does. Takes seconds with 400,000 passages; writes wait, searches do not. */
  optimise(): Promise<void>;
  counts(): Promise<{ readonly passages: number }>;
  /**
   * Builds a new table while the current one answers, then switches. `fill` passes all passages to `add`, which takes
   * the same rows as `upsert`; later upserts and removals take precedence. If `fill` throws, nothing changes.
   */
  rebuild(fill: (add: (rows: readonly IndexedPassage[]) => Promise<void>) => Promise<void>): Promise<void>;
  /** The files of the current table, which never change, by their path below its folder. Between writes. */
  files(): Promise<IndexFiles>;
  /**
   * Moves the folder of a table of the same model and format, made by another node, into the index, reads it whole, and
   * switches to it. Between writes; if anything fails, nothing changes.
   *
   * @param prepare gets the ids of its case studies before the switch; returns those to remove
   */
  adopt(
    folder: string,
    passages: number,
    prepare: (studies: readonly string[]) => Promise<readonly string[]>,
  ): Promise<void>;
  /** Loads what searches need, so that the first one is as fast as later ones. */
  warm(): Promise<void>;
  /** Reads a little of every file. @throws what makes the index unreadable, and any later load fail */
  check(): Promise<void>;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

/** Of one table. */
export interface IndexFiles {
  readonly folder: string;
  readonly names: readonly string[];
  readonly format: number;
  readonly model: string;
  readonly dimensions: number;
  readonly passages: number;
}

/** Memory for Lance's indexes, of which there are none, and for its file metadata. */
const INDEX_CACHE_BYTES = 16n * 1024n * 1024n;
const METADATA_CACHE_BYTES = 32n * 1024n * 1024n;
/** Delay after which this process sees the writes of another. */
const CONSISTENCY_SECONDS = 2;
/** Time after which a replaced table is dropped; its searches have ended by then. */
const KEPT_MS = 5 * 60_000;
/** Older tables that no pointer names were left by an interrupted rebuild. */
const ABANDONED_MS = 24 * 3_600_000;
const TABLE_NAME = /^passages-(\d{13})-[0-9a-f]{8}$/;

interface Current {
  readonly stamp: string;
  readonly pointer: Pointer;
  readonly table: PassageTable;
}

interface Building {
  readonly table: PassageTable;
  /** Case studies written or removed since the rebuild started; rows that it read of them may be outdated. */
  readonly settled: Set<string>;
}

/**
 * Opens the index, or creates an empty one.
 *
 * @throws Failure `store.unusable` when it cannot be read or written
 */
export async function openPassageIndex(options: PassageIndexOptions): Promise<PassageIndex> {
  const { dir, unpackDir = join(dir, "native"), dimensions, model, clock } = options;
  const { native, connection } = await connected(dir, unpackDir);
  const flush = createFileFlush(join(dir, TABLES));
  let started: SearchThread | undefined;
  const thread = (): SearchThread => {
    if (!started || started.hasEnded) started = startSearchThread();
    return started;
  };

  const newName = () => `passages-${clock().getTime()}-${crypto.randomUUID().slice(0, 8)}`;
  const folderOf = (table: string) => join(dir, TABLES, `${table}.lance`);
  const created = async (): Promise<{ name: string; table: PassageTable }> => {
    const name = newName();
    return { name, table: await createPassageTable(connection, native, name, dimensions, thread) };
  };
  const pointerTo = (table: string, previous: string | null): Pointer => ({
    table,
    model,
    dimensions,
    previous,
    since: clock().toISOString(),
    format: FORMAT,
  });

  /** Whether there is a table that can be opened: its files may be missing or damaged. */
  const canOpen = async (pointer: Pointer | undefined): Promise<boolean> => {
    if (pointer === undefined || !(await connection.tableNames()).includes(pointer.table)) return false;
    try {
      (await connection.openTable(pointer.table)).close();
      return true;
    } catch {
      return false;
    }
  };

  let isNew = !(await canOpen(await findPointer(dir)));
  if (isNew) {
    const { name } = await created();
    const wasFirst = await writePointer(dir, pointerTo(name, null), "first");
    if (!wasFirst && !(await canOpen(await findPointer(dir)))) {
      await writePointer(dir, pointerTo(name, null), "replace");
    }
  }

  let current = await opened();
  let checking: Promise<Current> | undefined;
  let building: Building | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function opened(): Promise<Current> {
    const stamp = await stampOf(dir);
    const pointer = await findPointer(dir);
    if (!pointer) throw unusable(dir);
    const table = await connection.openTable(pointer.table);
    return { stamp, pointer, table: passageTable(table, native, pointer.dimensions, thread) };
  }

  function use(next: Current): void {
    const former = current;
    current = next;
    former.table.close();
  }

  /** Another process may have switched to a new table. Calls of one turn check together. */
  function latest(): Promise<Current> {
    checking ??= checkPointer().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  async function checkPointer(): Promise<Current> {
    if ((await stampOf(dir)) !== current.stamp) use(await opened());
    return current;
  }

  function inTurn<T>(write: () => Promise<T>): Promise<T> {
    const turn = last.then(write);
    last = turn.catch(() => undefined);
    return turn;
  }

  const hasOurModel = ({ pointer }: Current) => pointer.model === model && pointer.dimensions === dimensions;

  async function dropOldTables(pointer: Pointer): Promise<void> {
    const now = clock().getTime();
    for (const name of await connection.tableNames()) {
      const made = Number(TABLE_NAME.exec(name)?.[1] ?? now);
      const isPrevious = name === pointer.previous && now - Date.parse(pointer.since) > KEPT_MS;
      const isAbandoned = name !== pointer.table && name !== pointer.previous && now - made > ABANDONED_MS;
      if (isPrevious || (isAbandoned && !building)) await connection.dropTable(name);
    }
  }

  return {
    get state() {
      if (!hasOurModel(current)) return "other model";
      return isNew ? "new" : "ready";
    },

    upsert: (rows) =>
      inTurn(async () => {
        if (rows.length === 0) return;
        const now = await latest();
        if (!hasOurModel(now) && !building) throw otherModel();
        for (const { study } of rows) building?.settled.add(study);
        await building?.table.put(rows);
        if (hasOurModel(now)) await now.table.put(rows);
        await flush();
      }),

    remove: (studies) =>
      inTurn(async () => {
        if (studies.length === 0) return;
        for (const study of studies) building?.settled.add(study);
        await building?.table.remove(studies);
        await (await latest()).table.remove(studies);
        await flush();
      }),

    async nearest(vector, { limit, filter = {} }) {
      if (lengthOf(vector, dimensions) === 0) return [];
      const now = await latest();
      if (!hasOurModel(now)) throw otherModel();
      return await now.table.nearest(vector, { limit, filter });
    },

    async keyword(query, { limit, filter = {} }) {
      return await (await latest()).table.keyword(query, { limit, filter });
    },

    optimise: () =>
      inTurn(async () => {
        const { table, pointer } = await latest();
        await table.optimise(clock);
        await dropOldTables(pointer);
      }),

    counts: async () => await (await latest()).table.counts(),

    async rebuild(fill) {
      if (building) throw new Error("the index is being rebuilt already");
      const { name, table } = await created();
      const begun: Building = { table, settled: new Set() };
      building = begun;
      try {
        // While it is empty: rows are in memory as they are added.
        await table.warm();
        await fill((rows) =>
          inTurn(async () => {
            const wanted = rows.filter(({ study }) => !begun.settled.has(study));
            if (wanted.length > 0) await table.put(wanted);
          }),
        );
        await inTurn(async () => {
          await table.optimise(clock);
          await flush();
          const { pointer: former } = await latest();
          const pointer = pointerTo(name, former.table);
          await writePointer(dir, pointer, "replace");
          use({ stamp: await stampOf(dir), pointer, table });
          isNew = false;
          building = undefined;
        });
      } catch (error) {
        building = undefined;
        table.close();
        // What failed matters more than this; a later compaction drops abandoned tables.
        await connection.dropTable(name).catch(() => undefined);
        throw error;
      }
    },

    async files() {
      const { pointer, table } = await latest();
      const folder = folderOf(pointer.table);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      const names = paths.map((path) => relative(folder, path).replaceAll("\\", "/"));
      const { format, model: its, dimensions: size } = pointer;
      return { folder, names, format, model: its, dimensions: size, ...(await table.counts()) };
    },

    adopt: (folder, passages, prepare) =>
      inTurn(async () => {
        const name = newName();
        await rename(folder, folderOf(name));
        const table = passageTable(await connection.openTable(name), native, dimensions, thread);
        try {
          await table.warm();
          const found = (await table.counts()).passages;
          if (found !== passages) throw new Error(`the table has ${found} passages instead of ${passages}`);
          const removed = await prepare(await table.studies());
          if (removed.length > 0) await table.remove(removed);
          await flush();
          const pointer = pointerTo(name, (await latest()).pointer.table);
          await writePointer(dir, pointer, "replace");
          use({ stamp: await stampOf(dir), pointer, table });
          isNew = false;
        } catch (error) {
          table.close();
          // What failed matters more than this; a later compaction drops abandoned tables.
          await connection.dropTable(name).catch(() => undefined);
          throw error;
        }
      }),

    warm: async () => await (await latest()).table.warm(),

    check: async () => await (await latest()).table.check(),

    async close() {
      await last;
      started?.end();
      connection.close();
    },
  };
}

async function connected(dir: string, unpackDir: string): Promise<{ native: Native; connection: Connection }> {
  try {
    const native = await loadNative(unpackDir);
    const session = new native.lance.Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES);
    const settings = { readConsistencyInterval: CONSISTENCY_SECONDS };
    return { native, connection: await native.lance.connect(join(dir, TABLES), settings, session) };
  } catch (error) {
    throw error instanceof Failure ? error : unusable(dir, error);
  }
}

async function stampOf(dir: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(pointerPath(dir));
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    throw unusable(dir, error);
  }
}

function unusable(dir: string, cause?: unknown): Failure {
  return new Failure(
    "store.unusable",
    `Cannot use the search index in ${dir}. Check that it is writable and the disk is not full, or remove it and run \`casefile reindex\`.`,
    { cause },
  );
}

const otherModel = () =>
  new Failure("model.invalid", "The search index was built with another model; run `casefile reindex`.");
