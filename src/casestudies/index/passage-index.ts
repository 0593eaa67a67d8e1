import { link, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "@lancedb/lancedb";
import { Failure } from "../../core/errors.ts";
import { loadNative, type Native } from "./native.ts";
import {
  createPassageTable,
  type IndexedPassage,
  lengthOf,
  type PassageFilter,
  type PassageHit,
  type PassageTable,
  passageTable,
  whereOf,
} from "./passage-table.ts";

/** Which table is the index. One small file, replaced as a whole, so that a new table takes over at one moment. */
interface Pointer {
  readonly table: string;
  /** Of the model whose vectors the table holds. */
  readonly model: string;
  readonly dimensions: number;
  /** The table before, which readers may still hold. */
  readonly previous: string | null;
  /** ISO 8601 UTC. */
  readonly since: string;
  /** Rows that the vector index was trained on; 0 without one. */
  readonly trained: number;
}

const FILE = "current.json";

const pointerPath = (dir: string) => join(dir, FILE);

/** Answers undefined when there is none, or none that can be read: the index is then to be made anew. */
export async function findPointer(dir: string): Promise<Pointer | undefined> {
  let text: string;
  try {
    text = await readFile(pointerPath(dir), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  return parsePointer(text);
}

function parsePointer(text: string): Pointer | undefined {
  try {
    const { table, model, dimensions, previous, since, trained }: Partial<Record<keyof Pointer, unknown>> =
      JSON.parse(text);
    if (typeof table !== "string" || typeof model !== "string" || typeof since !== "string") return undefined;
    if (!Number.isSafeInteger(dimensions) || !Number.isSafeInteger(trained)) return undefined;
    return {
      table,
      model,
      dimensions: Number(dimensions),
      previous: typeof previous === "string" ? previous : null,
      since,
      trained: Number(trained),
    };
  } catch {
    return undefined;
  }
}

/**
 * Writes the pointer to the disk before it takes its name.
 *
 * @param how `replace` takes the place of another; `first` answers false when another process was quicker
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
    return true;
  } catch (error) {
    if (how === "first" && error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}

interface PassageIndexOptions {
  /** A folder of the index's own; made when it is absent. */
  readonly dir: string;
  /** A folder of the operator's own, in which an executable unpacks its native parts; by default one below `dir`. */
  readonly unpackDir?: string;
  readonly dimensions: number;
  /** Of the encoder: vectors of different models are never compared. */
  readonly model: string;
  readonly clock: () => Date;
}

interface PassageSearch {
  readonly limit: number;
  readonly filter?: PassageFilter;
}

interface IndexCounts {
  readonly passages: number;
  /** Passages that are compared one by one until `optimise` is called. */
  readonly unindexed: number;
}

/**
 * Case studies' passages by vector and by words, beside the database and always made from it. A filter narrows before
 * anything is ranked. Writes of a process run one after another; reads never wait for them.
 */
export interface PassageIndex {
  /**
   * `new`: no index was found and this one is empty. `other model`: it was built with another model's vectors; until
   * it is rebuilt it is searched by words alone.
   */
  readonly state: "ready" | "new" | "other model";
  /**
   * After this the case studies of these rows have these passages and no others, all or nothing: give a case study's
   * passages together. The same rows again change nothing. One commit per call: give some hundred rows at once.
   *
   * @throws RangeError when a vector has other dimensions or is neither of length one nor zero
   */
  upsert(rows: readonly IndexedPassage[]): Promise<void>;
  /** Those that are not there are ignored. */
  remove(studies: readonly string[]): Promise<void>;
  /**
   * The nearest passages first, by cosine, 0–1.
   *
   * @throws RangeError when the vector has other dimensions, Failure `model.invalid` when the index is another model's
   */
  nearest(vector: Float32Array, search: PassageSearch): Promise<PassageHit[]>;
  /** The passages that share words with the query, by BM25; any one word will do. */
  keyword(query: string, search: PassageSearch): Promise<PassageHit[]>;
  /**
   * Nothing else joins small files or keeps the indexes up to date: call it when some hundred passages are unindexed,
   * for each hundred makes a search by words 4 ms slower. Takes 10 seconds with 400,000 passages; writes wait, reads
   * do not.
   */
  optimise(): Promise<void>;
  counts(): Promise<IndexCounts>;
  /**
   * Builds the index anew beside this one, which answers until the new one is whole. `fill` gives all passages to
   * `add`, which takes what `upsert` takes; what is upserted or removed meanwhile wins over what it gives. When it
   * throws, nothing has changed.
   */
  rebuild(fill: (add: (rows: readonly IndexedPassage[]) => Promise<void>) => Promise<void>): Promise<void>;
  /** Reads what searches need, so that the first is as quick as the later ones. */
  warm(): Promise<void>;
  /** Waits for the writes that were asked for. */
  close(): Promise<void>;
}

/** Memory for parts of the index, and for what Lance knows of its files. */
const INDEX_CACHE_BYTES = 384n * 1024n * 1024n;
const METADATA_CACHE_BYTES = 64n * 1024n * 1024n;
/** How late this process may see what another wrote. */
const SECONDS_BETWEEN_LOOKS = 2;
/** A search of an old table has long ended by then. */
const KEPT_MS = 5 * 60_000;
/** Every search is at a newer version by then, or is asked again. */
const KEPT_VERSIONS_MS = 10_000;
/** A table that no pointer names and that is older is what a broken rebuild has left. */
const ABANDONED_MS = 24 * 3_600_000;
const TABLE_NAME = /^passages-(\d{13})-[0-9a-f]{8}$/;

interface Current {
  readonly stamp: string;
  readonly pointer: Pointer;
  readonly table: PassageTable;
}

interface Building {
  readonly table: PassageTable;
  /** Case studies that were written or removed since: what the rebuild read of them may be older. */
  readonly settled: Set<string>;
}

/**
 * Opens the index, or makes an empty one.
 *
 * @throws Failure `store.unusable` when it cannot be read or written
 */
export async function openPassageIndex(options: PassageIndexOptions): Promise<PassageIndex> {
  const { dir, unpackDir = join(dir, "native"), dimensions, model, clock } = options;
  const { native, connection } = await connected(dir, unpackDir);

  const created = async (): Promise<{ name: string; table: PassageTable }> => {
    const name = `passages-${clock().getTime()}-${crypto.randomUUID().slice(0, 8)}`;
    return { name, table: await createPassageTable(connection, native, name, dimensions) };
  };
  const pointerTo = (table: string, previous: string | null, trained: number): Pointer => ({
    table,
    model,
    dimensions,
    previous,
    since: clock().toISOString(),
    trained,
  });

  const isThere = (pointer: Pointer | undefined, tables: readonly string[]) =>
    pointer !== undefined && tables.includes(pointer.table);

  let isNew = !isThere(await findPointer(dir), await connection.tableNames());
  if (isNew) {
    const { name } = await created();
    const wasFirst = await writePointer(dir, pointerTo(name, null, 0), "first");
    if (!wasFirst && !isThere(await findPointer(dir), await connection.tableNames())) {
      await writePointer(dir, pointerTo(name, null, 0), "replace");
    }
  }

  let current = await opened();
  let building: Building | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function opened(): Promise<Current> {
    const stamp = await stampOf(dir);
    const pointer = await findPointer(dir);
    if (!pointer) throw unusable(dir);
    const table = await connection.openTable(pointer.table);
    return { stamp, pointer, table: passageTable(table, native, pointer.dimensions) };
  }

  /** Another process, too, may have put a new table in the place of this one. */
  async function latest(): Promise<Current> {
    if ((await stampOf(dir)) !== current.stamp) current = await opened();
    return current;
  }

  function inTurn<T>(write: () => Promise<T>): Promise<T> {
    const turn = last.then(write);
    last = turn.catch(() => undefined);
    return turn;
  }

  const isOurs = ({ pointer }: Current) => pointer.model === model && pointer.dimensions === dimensions;

  const keepVersionsSince = () => new Date(clock().getTime() - KEPT_VERSIONS_MS);

  async function forget(pointer: Pointer): Promise<void> {
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
      if (!isOurs(current)) return "other model";
      return isNew ? "new" : "ready";
    },

    upsert: (rows) =>
      inTurn(async () => {
        if (rows.length === 0) return;
        const now = await latest();
        if (!isOurs(now) && !building) throw otherModel();
        for (const { study } of rows) building?.settled.add(study);
        await building?.table.put(rows);
        if (isOurs(now)) await now.table.put(rows);
      }),

    remove: (studies) =>
      inTurn(async () => {
        if (studies.length === 0) return;
        for (const study of studies) building?.settled.add(study);
        await building?.table.remove(studies);
        await (await latest()).table.remove(studies);
      }),

    async nearest(vector, { limit, filter = {} }) {
      if (lengthOf(vector, dimensions) === 0) return [];
      const now = await latest();
      if (!isOurs(now)) throw otherModel();
      return await now.table.nearest(vector, { limit, where: whereOf(filter) });
    },

    async keyword(query, { limit, filter = {} }) {
      return await (await latest()).table.keyword(query, { limit, where: whereOf(filter) });
    },

    optimise: () =>
      inTurn(async () => {
        const { table, pointer } = await latest();
        const trained = await table.optimise(pointer.trained, keepVersionsSince);
        if (trained !== pointer.trained) await writePointer(dir, { ...pointer, trained }, "replace");
        await forget(pointer);
      }),

    counts: async () => await (await latest()).table.counts(),

    async rebuild(fill) {
      if (building) throw new Error("the index is being rebuilt already");
      const { name, table } = await created();
      const started: Building = { table, settled: new Set() };
      building = started;
      try {
        await fill((rows) =>
          inTurn(async () => {
            const wanted = rows.filter(({ study }) => !started.settled.has(study));
            if (wanted.length > 0) await table.put(wanted);
          }),
        );
        await inTurn(async () => {
          const trained = await table.optimise(0, keepVersionsSince);
          await table.warm();
          const { pointer } = await latest();
          await writePointer(dir, pointerTo(name, pointer.table, trained), "replace");
          current = await opened();
          isNew = false;
          building = undefined;
        });
      } catch (error) {
        building = undefined;
        await connection.dropTable(name);
        throw error;
      }
    },

    warm: async () => await (await latest()).table.warm(),

    async close() {
      await last;
      connection.close();
    },
  };
}

async function connected(dir: string, unpackDir: string): Promise<{ native: Native; connection: Connection }> {
  try {
    const native = await loadNative(unpackDir);
    const session = new native.lance.Session(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES);
    const settings = { readConsistencyInterval: SECONDS_BETWEEN_LOOKS };
    return { native, connection: await native.lance.connect(join(dir, "tables"), settings, session) };
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
  const failure = new Failure(
    "store.unusable",
    `The search index in ${dir} cannot be used; see that it can be written and that the disk is not full, or remove it and run \`casefile reindex\`.`,
  );
  failure.cause = cause;
  return failure;
}

const otherModel = () =>
  new Failure("model.invalid", "The search index was built with another model; run `casefile reindex`.");
