import { join } from "node:path";
import { cachedFor, lazy } from "../../core/async.ts";
import { takeLock } from "../../db/locks.ts";
import type { Indexer, IndexerState, IndexWork } from "./indexer.ts";
import type { IndexFailure, OutboxRepository } from "./outbox.ts";
import { findPointer } from "./passage-index.ts";
import type { IndexSnapshots, SnapshotState } from "./snapshots.ts";
import { type IndexWorker, MANY_CHANGES, startIndexWorker } from "./worker.ts";

export interface IndexState extends IndexerState {
  /** Case studies that wait to be indexed. */
  readonly waiting: number;
  /** Age of the oldest of them in seconds. */
  readonly oldestSeconds: number;
  /** Of snapshots in object storage; null where none are kept. */
  readonly snapshots: SnapshotState | null;
  /** Case studies that the model cannot embed, which searches find by their words only. */
  readonly failures: { readonly total: number; readonly first: readonly IndexFailure[] };
}

interface ServiceIndexWorker extends IndexWorker {
  /**
   * Another process maintains the same data directory. The processes share the background work: each job is done by
   * the holder of its lease, and the index is written by the holder of its lock.
   */
  readonly isShared: boolean;
}

/** The search index: brings stored changes into it, in the foreground or with a worker. */
export interface IndexService {
  /** Indexes all waiting case studies. Returns their number. */
  indexNow(work?: IndexWork): Promise<number>;
  /** Rebuilds the index while searches use the old one. Returns the number of case studies. */
  rebuild(work?: IndexWork): Promise<number>;
  state(): Promise<IndexState>;
  /** Number of case studies that wait to be indexed. */
  pending(): Promise<number>;
  /** Why the index cannot be read, in the words of its library; null when it can. Reads it at most once a second. */
  fault(): Promise<string | null>;
  /**
   * A search begins: returns what it calls with each error of the index, which the worker, if any, then rebuilds. Errors of
   * an index that was rebuilt meanwhile do not count.
   */
  watchSearch(): (error: unknown) => void;
  /** Keeps the index up to date in the background. Stop the worker before closing the application. */
  startWorker(): ServiceIndexWorker;
  /** Makes the worker of this process, if any, look for changes now. */
  wake(): void;
  /** Whether a worker of this or another process maintains the index. */
  isMaintained(): boolean;
  /** Rebuilds a lost index before a search where no worker does so. */
  restoreIfLost(signal?: AbortSignal): Promise<void>;
}

/** Rebuilds the index when the operator has chosen another model. */
export interface IndexMigration {
  /** Returns the number of case studies; undefined when the index has the chosen model already. */
  migrate(work?: IndexWork): Promise<number | undefined>;
  /** As `migrate`, but only when the current model cannot be used. */
  migrateIfNeeded(work?: IndexWork): Promise<void>;
  /** As `migrate`, for a worker: failures become alarms and are retried later. */
  keepMigrating(work: IndexWork): Promise<void>;
  alarms(): readonly string[];
}

export interface IndexServiceOptions {
  /** Undefined when nothing is stored on disk. */
  readonly dataDir: string | undefined;
  readonly indexer: Indexer;
  readonly outbox: Pick<OutboxRepository, "join" | "depth" | "oldestSeconds" | "failures" | "requeueAll">;
  readonly migration?: IndexMigration;
  readonly snapshots?: IndexSnapshots | undefined;
  /** Reads a little of the index. @throws what makes it unreadable */
  readonly check?: (() => Promise<void>) | undefined;
  /** Loads the index into memory. */
  readonly warm?: (() => Promise<void>) | undefined;
  readonly onError: (what: string, error: unknown) => void;
  /** Called once for each new alarm of the migration, and when the index was damaged and has been rebuilt. */
  readonly onAlarm?: ((alarm: string) => void) | undefined;
}

/** Other processes change the same store, so the worker polls. */
const POLL_MS = 5_000;
const OPTIMISE_MS = 600_000;
const SHOWN_FAILURES = 3;
const CHECK_MS = 1_000;
/** Wait before another rebuild, doubled each time: one that did not help will seldom help when repeated. */
const FIRST_REBUILD_MS = 60_000;
const LAST_REBUILD_MS = 3_600_000;

/** The system lacks memory, file descriptors or space: the index is intact, and a rebuild would need more of them. */
const SHORTAGE = /\(os error (?:12|23|24|28)\)/;

export function createIndexService({
  dataDir,
  indexer,
  outbox,
  migration,
  snapshots,
  check,
  warm,
  onError,
  onAlarm,
}: IndexServiceOptions): IndexService {
  let worker: IndexWorker | undefined;
  /** By a search, until the index has been rebuilt: a check reads only a part of the index. */
  let reported: string | null = null;
  /** Why the index, which can be read, must be rebuilt all the same. */
  let missed: string | null = null;
  let rebuilds = 0;
  let rebuildAfter = Number.NEGATIVE_INFINITY;
  let rebuildDelayMs = FIRST_REBUILD_MS;

  const checked = cachedFor(CHECK_MS, async () => {
    try {
      await check?.();
      return null;
    } catch (error) {
      return messageOf(error);
    }
  });
  const fault = async () => missed ?? reported ?? (await checked.get());

  const fill = async (work: IndexWork, isLost: boolean, build: (work: IndexWork) => Promise<number>) =>
    snapshots ? await snapshots.fill(work, isLost, build) : await build(work);

  const reportFault = (error: unknown): void => {
    const found = messageOf(error);
    if (SHORTAGE.test(found)) return;
    if (reported === null) worker?.wake();
    reported ??= found;
  };

  /** Rebuilds an index that cannot be read, while searches use the database or the part that can be read. */
  const rebuildIfDamaged = async (work: IndexWork): Promise<void> => {
    const found = await fault();
    const now = performance.now();
    if (found === null || SHORTAGE.test(found) || now < rebuildAfter) return;
    const isFirst = now - rebuildAfter > LAST_REBUILD_MS;
    rebuildDelayMs = isFirst ? FIRST_REBUILD_MS : Math.min(rebuildDelayMs * 2, LAST_REBUILD_MS);
    rebuildAfter = now + rebuildDelayMs;
    onError("reading the search index", new Error(found));
    await fill(work, true, indexer.rebuild);
    rebuilds += 1;
    [missed, reported] = [null, null];
    checked.clear();
    onAlarm?.("The search index could not be read and was rebuilt.");
  };

  /** An index that has missed changes of other nodes is rebuilt; one that does not exist yet is filled by the queue. */
  const joinOthers = async (): Promise<void> => {
    if ((await outbox.join()) && dataDir !== undefined && (await findPointer(join(dataDir, "index"))))
      missed = "Other nodes changed case studies while this node was away.";
  };

  // A restored backup has no index and an empty outbox: everything is queued before the index is opened.
  const queuedForLostIndex = lazy(async () => {
    await joinOthers();
    if (dataDir === undefined || (await findPointer(join(dataDir, "index")))) return 0;
    return await outbox.requeueAll();
  });

  /** Held by the process whose worker migrates models; commands then leave the migration to it. */
  const takeWorkerLock = () => (dataDir === undefined ? undefined : takeLock(join(dataDir, "upkeep.sqlite")));

  const indexNow = async (work?: IndexWork): Promise<number> => {
    await queuedForLostIndex.get();
    if (dataDir !== undefined) await migration?.migrateIfNeeded(work);
    if (missed !== null) {
      const rebuilt = await indexer.rebuild(work);
      missed = null;
      return rebuilt;
    }
    const done = await indexer.drain(work);
    if (done >= MANY_CHANGES) await indexer.optimise();
    return done;
  };

  return {
    indexNow,
    rebuild: async (work) => (await migration?.migrate(work)) ?? (await indexer.rebuild(work)),

    async state() {
      const [waiting, oldestSeconds, failures] = await Promise.all([
        outbox.depth(),
        outbox.oldestSeconds(),
        outbox.failures(SHOWN_FAILURES),
      ]);
      return { ...indexer.state(), waiting, oldestSeconds, failures, snapshots: snapshots?.state() ?? null };
    },

    pending: () => outbox.depth(),
    fault,
    watchSearch() {
      const before = rebuilds;
      return (error) => {
        if (rebuilds === before) reportFault(error);
      };
    },

    startWorker() {
      let lock = takeWorkerLock();
      const isShared = dataDir !== undefined && lock === undefined;
      let alarms: readonly string[] = [];
      let keeping: Promise<void> | undefined;
      const started = startIndexWorker({
        async drain(work = {}) {
          // The process that held the lock may have ended.
          lock ??= takeWorkerLock();
          if (migration) {
            await migration.keepMigrating(work);
            const before = alarms;
            alarms = migration.alarms();
            for (const alarm of alarms) if (!before.includes(alarm)) onAlarm?.(alarm);
          }
          await queuedForLostIndex.get();
          await joinOthers();
          await rebuildIfDamaged(work);
          const done = await fill(work, false, indexer.drain);
          // Sending takes minutes, in which changes are indexed.
          keeping ??= snapshots?.keep(work.signal).finally(() => {
            keeping = undefined;
          });
          return done;
        },
        optimise: indexer.optimise,
        pollMs: POLL_MS,
        optimiseEveryMs: OPTIMISE_MS,
        onError,
      });
      worker = started;
      queuedForLostIndex
        .get()
        .then(() => {
          started.wake();
          // Of an index that cannot be read, the worker takes care.
          return warm?.().catch(reportFault);
        })
        .catch((error) => onError("maintaining the index", error));
      return {
        isShared,
        wake: started.wake,
        async stop() {
          worker = undefined;
          await started.stop();
          await keeping;
          lock?.release();
        },
      };
    },

    wake: () => worker?.wake(),

    isMaintained() {
      if (worker || dataDir === undefined) return true;
      const lock = takeWorkerLock();
      lock?.release();
      return lock === undefined;
    },

    async restoreIfLost(signal) {
      if (worker === undefined && (await queuedForLostIndex.get()) > 0) await indexNow({ signal });
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
