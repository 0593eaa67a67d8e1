import { copyFile, link, mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Indexer, IndexWork } from "./indexer.ts";
import type { PassageIndex } from "./passage-index.ts";
import type { IndexSnapshot, SnapshotRecords } from "./snapshot-records.ts";

/** Where snapshots are stored. */
interface SnapshotStore {
  put(name: string, path: string, signal: AbortSignal): Promise<{ readonly bytes: number; readonly sha256: string }>;
  get(
    name: string,
    path: string,
    expected: { readonly bytes: number; readonly sha256: string },
    signal: AbortSignal,
  ): Promise<void>;
  remove(name: string, signal: AbortSignal): Promise<void>;
  /** Whether an error of `get` says that the object is gone or another one. */
  isLost(error: unknown): boolean;
}

/** Work that one node at a time does. */
interface SnapshotClaims {
  claim(name: string, lease: string, seconds: number): Promise<boolean>;
  renew(name: string, lease: string, seconds: number): Promise<void>;
  release(name: string, lease: string): Promise<void>;
}

export interface SnapshotOptions {
  /** Folder of the index. */
  readonly dir: string;
  readonly store: SnapshotStore;
  readonly records: SnapshotRecords;
  readonly claims: SnapshotClaims;
  readonly indexer: Pick<Indexer, "betweenWrites" | "optimise">;
  readonly index: () => Promise<PassageIndex>;
  readonly outbox: { depth(): Promise<number>; settle(model: string): Promise<void> };
  /** Milliseconds between two snapshots. */
  readonly everyMs: number;
  readonly clock: () => Date;
  readonly onError: (what: string, error: unknown) => void;
  readonly onNote: (message: string) => void;
}

export interface SnapshotState {
  /** How this process last filled its index: from the database, or from a snapshot. Null while it had no need to. */
  readonly built_from: "database" | "snapshot" | null;
  /** The newest snapshot that this process stored or loaded, ISO 8601 UTC. */
  readonly snapshot_at: string | null;
  /** Why the last snapshot could not be stored or loaded. */
  readonly snapshot_error: string | null;
}

/** Copies of the search index in object storage, with which a node that joins late need not embed every case study. */
export interface IndexSnapshots {
  /**
   * Fills the index by `build`, from the database, and loads a snapshot at the same time; what is complete first is used.
   * Any failure of the storage only costs the time that the snapshot would have saved.
   *
   * @param isLost whether the index must be built although it was complete before
   */
  fill(work: IndexWork, isLost: boolean, build: (work: IndexWork) => Promise<number>): Promise<number>;
  /** Stores a snapshot when one is due, and removes old ones; one node at a time. Never throws. */
  keep(signal: AbortSignal | undefined): Promise<void>;
  state(): SnapshotState;
}

const CLAIM = "snapshot of the search index";
const CLAIM_SECONDS = 120;
const RENEW_MS = 30_000;
/** Between two looks whether a snapshot is due. */
const CHECK_MS = 60_000;
/** Nodes may be loading a snapshot that has been replaced. */
const KEPT_MS = 3_600_000;
/** Fewer waiting case studies are indexed faster than anything could be loaded. */
export const LEAST_WAITING = 256;
/** Of a compacted table there are some dozen. */
const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 ** 3;
/** Of the database's record, too: what becomes a path is checked. */
const FILE_NAME = /^(?:[\w-][\w.-]{0,199}\/){0,3}[\w-][\w.-]{0,199}$/;
const ABANDONED_MS = 24 * 3_600_000;

export function createIndexSnapshots(options: SnapshotOptions): IndexSnapshots {
  const { dir, store, records, claims, indexer, index, outbox, clock } = options;
  let state: SnapshotState = { built_from: null, snapshot_at: null, snapshot_error: null };
  let failedAt = Number.NEGATIVE_INFINITY;
  let nextCheck = Number.NEGATIVE_INFINITY;
  /** An index that was complete once has to index changes, which no snapshot contains. */
  let isFilled = false;

  const failed = (what: string, error: unknown) => {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300);
    state = { ...state, snapshot_error: `${what}: ${reason}` };
    failedAt = clock().getTime();
    options.onError(what, error);
  };

  /** A folder next to the tables, removed when `use` has ended; those of processes that were killed go later. */
  const inFolder = async <Result>(use: (folder: string) => Promise<Result>): Promise<Result> => {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    for (const name of await readdir(dir)) {
      const path = join(dir, name);
      if (!name.startsWith("snapshot-")) continue;
      const made = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
      if (Date.now() - made > ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
    const folder = join(dir, `snapshot-${crypto.randomUUID()}`);
    await mkdir(folder, { mode: 0o700 });
    try {
      return await use(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  /** @returns why a snapshot cannot become this index; undefined when it can */
  const unfit = async (snapshot: IndexSnapshot): Promise<string | undefined> => {
    const { format, model, dimensions } = await (await index()).files();
    if (snapshot.format !== format || snapshot.model !== model || snapshot.dimensions !== dimensions)
      return "it has another model or format than this node";
    let bytes = 0;
    for (const file of snapshot.files) {
      if (!FILE_NAME.test(file.name)) return "one of its files has an invalid name";
      bytes += file.bytes;
    }
    if (!(bytes >= 0 && bytes <= MAX_BYTES) || snapshot.files.length > MAX_FILES) return "it is too large";
    return undefined;
  };

  const load = async (snapshot: IndexSnapshot, folder: string, signal: AbortSignal): Promise<void> => {
    for (const [number, file] of snapshot.files.entries()) {
      const path = join(folder, file.name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await store.get(`${snapshot.id}/${number}`, path, file, signal);
    }
  };

  /**
   * Replaces the index of this node by a loaded snapshot, and queues what has changed since.
   *
   * @returns number of case studies that need not be indexed; undefined while another process writes the index
   */
  const adopt = (snapshot: IndexSnapshot, folder: string): Promise<number | undefined> =>
    indexer.betweenWrites(async () => {
      let known = 0;
      await (await index()).adopt(folder, snapshot.passages, async (studies) => {
        known = await records.takeOver(snapshot);
        return await records.unknown(studies);
      });
      await outbox.settle(snapshot.model);
      const left = await outbox.depth();
      options.onNote(
        `The search index was built from the snapshot of ${snapshot.made_at}: ${known} case studies, ${left} left to index.`,
      );
      return known;
    });

  const make = async (signal: AbortSignal): Promise<void> => {
    await indexer.optimise();
    await inFolder(async (folder) => {
      const id = crypto.randomUUID();
      const copied = await indexer.betweenWrites(async () => {
        const all = await (await index()).files();
        // What else is in the folder, such as the rest of an interrupted write, is no part of the table.
        const files = { ...all, names: all.names.filter((name) => FILE_NAME.test(name)) };
        if (files.names.length > MAX_FILES) throw new Error(`the index has ${files.names.length} files`);
        await records.begin({ id, model: files.model }, files.names.length);
        // A compaction removes files while they are sent.
        for (const [number, name] of files.names.entries())
          await linkOrCopy(join(files.folder, name), join(folder, String(number)));
        return files;
      });
      if (!copied) return;
      const files: IndexSnapshot["files"][number][] = [];
      for (const [number, name] of copied.names.entries())
        files.push({ name, ...(await store.put(`${id}/${number}`, join(folder, String(number)), signal)) });
      const { format, model, dimensions, passages } = copied;
      const made_at = clock().toISOString();
      if (!(await records.finish({ id, format, model, dimensions, passages, made_at, files }))) return;
      state = { ...state, snapshot_at: made_at };
      options.onNote(`A snapshot of the search index with ${passages} passages was stored.`);
    });
  };

  const removeOld = async (signal: AbortSignal): Promise<void> => {
    for (const { id, files, since } of await records.doomed()) {
      if (clock().getTime() - Date.parse(since) < KEPT_MS) continue;
      for (let number = 0; number < files; number++) await store.remove(`${id}/${number}`, signal);
      await records.forget(id);
    }
  };

  const isDue = async (): Promise<boolean> => {
    const current = await records.current();
    if (!current) return true;
    if (clock().getTime() - Date.parse(current.made_at) < options.everyMs) return false;
    // After a change of the model, no node can use it.
    if ((await unfit(current)) !== undefined) return true;
    const { passages } = await (await index()).counts();
    return passages !== current.passages || (await records.hasMore(current));
  };

  /** The newest snapshot, if it can become this index. */
  const fitting = async (): Promise<IndexSnapshot | undefined> => {
    const snapshot = await records.current();
    const why = snapshot && (await unfit(snapshot));
    if (why !== undefined) options.onNote(`The snapshot of the search index is not used: ${why}.`);
    return why === undefined ? snapshot : undefined;
  };

  /** Loads a snapshot while `build` runs. */
  const race = (
    work: IndexWork,
    snapshot: IndexSnapshot,
    build: (work: IndexWork) => Promise<number>,
  ): Promise<[done: number, from: "database" | "snapshot"]> =>
    inFolder(async (folder) => {
      const isLoaded = new AbortController();
      const isOver = new AbortController();
      const untilEither = (own: AbortSignal) => (work.signal ? AbortSignal.any([work.signal, own]) : own);
      const untilOver = untilEither(isOver.signal);
      const loading = load(snapshot, folder, untilOver).then(
        () => isLoaded.abort(),
        async (error: unknown) => {
          if (untilOver.aborted) return;
          failed("loading a snapshot of the search index", error);
          if (!store.isLost(error)) return;
          try {
            if (await records.reject(snapshot.id))
              options.onNote(`The storage has lost the snapshot of ${snapshot.made_at}; a new one is made.`);
          } catch (reason) {
            // The next node that loads it records the loss; the index is built from the database all the same.
            options.onError("recording that a snapshot of the search index is lost", reason);
          }
        },
      );
      try {
        return [await build({ ...work, signal: untilEither(isLoaded.signal) }), "database"];
      } catch (error) {
        if (work.signal?.aborted || !isLoaded.signal.aborted) throw error;
      } finally {
        isOver.abort();
        await loading;
      }
      try {
        const known = await adopt(snapshot, folder);
        if (known === undefined) return [await build(work), "database"];
        state = { ...state, snapshot_at: snapshot.made_at, snapshot_error: null };
        return [known, "snapshot"];
      } catch (error) {
        work.signal?.throwIfAborted();
        failed("using a snapshot of the search index", error);
        return [await build(work), "database"];
      }
    });

  return {
    async fill(work, isLost, build) {
      if (isFilled && !isLost) return await build(work);
      const waiting = await outbox.depth();
      const snapshot = waiting < LEAST_WAITING ? undefined : await fitting();
      const [done, built_from] = snapshot
        ? await race(work, snapshot, build)
        : [await build(work), "database" as const];
      isFilled = true;
      if (waiting > 0) state = { ...state, built_from };
      return done;
    },

    async keep(signal = new AbortController().signal) {
      const now = performance.now();
      if (now < nextCheck) return;
      nextCheck = now + Math.min(CHECK_MS, options.everyMs);
      const lease = crypto.randomUUID();
      try {
        const old = (await records.doomed()).some(({ since }) => clock().getTime() - Date.parse(since) >= KEPT_MS);
        const due = (await outbox.depth()) < LEAST_WAITING && (await isDue());
        // Another node may have stored one since.
        if (Date.parse((await records.current())?.made_at ?? "") > failedAt) state = { ...state, snapshot_error: null };
        if ((!old && !due) || !(await claims.claim(CLAIM, lease, CLAIM_SECONDS))) return;
        // One file alone may take longer than the claim lasts.
        const renewing = setInterval(() => {
          const onError = (error: unknown) => options.onError("storing a snapshot of the search index", error);
          claims.renew(CLAIM, lease, CLAIM_SECONDS).catch(onError);
        }, RENEW_MS);
        try {
          if (due && (await isDue())) await make(signal);
          await removeOld(signal);
          state = { ...state, snapshot_error: null };
        } finally {
          clearInterval(renewing);
          await claims.release(CLAIM, lease);
        }
      } catch (error) {
        if (signal.aborted) return;
        nextCheck = performance.now() + CHECK_MS;
        failed("storing a snapshot of the search index", error);
      }
    },

    state: () => state,
  };
}

/** Some file systems have no links. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
