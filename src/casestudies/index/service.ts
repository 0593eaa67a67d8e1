import { join } from "node:path";
import { lazy } from "../../core/async.ts";
import { takeLock } from "../../db/locks.ts";
import type { Indexer, IndexerState, IndexWork } from "./indexer.ts";
import type { OutboxRepository } from "./outbox.ts";
import { findPointer } from "./passage-index.ts";
import { type IndexWorker, MANY_CHANGES, startIndexWorker } from "./worker.ts";

export interface IndexState extends IndexerState {
  /** Case studies that wait to be indexed. */
  readonly waiting: number;
  /** Age of the oldest of them in seconds. */
  readonly oldestSeconds: number;
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
  readonly outbox: Pick<OutboxRepository, "depth" | "oldestSeconds" | "requeueAll">;
  readonly migration?: IndexMigration;
  readonly onError: (what: string, error: unknown) => void;
  /** Called once for each new alarm of the migration. */
  readonly onAlarm?: ((alarm: string) => void) | undefined;
}

/** Other processes change the same store, so the worker polls. */
const POLL_MS = 5_000;
const OPTIMISE_MS = 600_000;

export function createIndexService({
  dataDir,
  indexer,
  outbox,
  migration,
  onError,
  onAlarm,
}: IndexServiceOptions): IndexService {
  let worker: IndexWorker | undefined;

  // A restored backup has no index and an empty outbox: everything is queued before the index is opened.
  const queuedForLostIndex = lazy(async () => {
    if (dataDir === undefined || (await findPointer(join(dataDir, "index")))) return 0;
    return await outbox.requeueAll();
  });

  /** Held by the process whose worker migrates models; commands then leave the migration to it. */
  const takeWorkerLock = () => (dataDir === undefined ? undefined : takeLock(join(dataDir, "upkeep.sqlite")));

  const indexNow = async (work?: IndexWork): Promise<number> => {
    await queuedForLostIndex.get();
    if (dataDir !== undefined) await migration?.migrateIfNeeded(work);
    const done = await indexer.drain(work);
    if (done >= MANY_CHANGES) await indexer.optimise();
    return done;
  };

  return {
    indexNow,
    rebuild: async (work) => (await migration?.migrate(work)) ?? (await indexer.rebuild(work)),

    async state() {
      const [waiting, oldestSeconds] = await Promise.all([outbox.depth(), outbox.oldestSeconds()]);
      return { ...indexer.state(), waiting, oldestSeconds };
    },

    startWorker() {
      let lock = takeWorkerLock();
      const isShared = dataDir !== undefined && lock === undefined;
      let alarms: readonly string[] = [];
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
          return await indexer.drain(work);
        },
        optimise: indexer.optimise,
        pollMs: POLL_MS,
        optimiseEveryMs: OPTIMISE_MS,
        onError,
      });
      worker = started;
      queuedForLostIndex.get().then(
        () => started.wake(),
        (error) => onError("maintaining the index", error),
      );
      return {
        isShared,
        wake: started.wake,
        async stop() {
          worker = undefined;
          await started.stop();
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
