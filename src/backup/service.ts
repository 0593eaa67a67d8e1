import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../core/errors.ts";
import { listModels } from "../embedding/custom/model-store.ts";
import type { Handler } from "../jobs/runner.ts";
import type { Store } from "../store.ts";
import {
  type ArchivedFile,
  archiveName,
  type Backup,
  type BackupKind,
  createArchive,
  findArchive,
  listArchives,
  removeExpired,
  type StoredBackup,
} from "./create.ts";
import { type BackupManifest, type OnProgress, unwritable } from "./manifest.ts";
import { type Restored, restoreArchive, verifyArchive } from "./restore.ts";

export interface BackupWork {
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BackupService {
  /**
   * Writes an archive, by default under a name of its own into the data directory's `backups`. Whoever asks while one is
   * being made there is given that one.
   *
   * @throws Failure `store.unusable`, `config.invalid` when the file is there already
   */
  create(options?: BackupWork & { readonly file?: string }): Promise<Backup>;
  /** Those in the data directory, newest first. */
  list(): Promise<readonly StoredBackup[]>;
  /** @throws Failure `backup.not_found` */
  open(name: string): Promise<StoredBackup & { content(): ReadableStream<Uint8Array> }>;
}

/** Archives of an installation that nobody has open; the application itself never restores. */
export interface BackupFiles {
  /** @throws Failure `backup.invalid`, `config.invalid` for no file that can be read, `store.unusable` */
  verify(file: string, options?: BackupWork & { readonly scratch?: string | undefined }): Promise<BackupManifest>;
  /** @throws Failure `backup.invalid`, `config.invalid` for no file that can be read, `store.unusable` */
  restore(file: string, options?: BackupWork): Promise<Restored>;
}

export const openBackupFiles = ({ dataDir }: { readonly dataDir: string }): BackupFiles => ({
  verify: (file, options = {}) => verifyArchive(file, options),
  restore: (file, options = {}) => restoreArchive(file, dataDir, { ...options, now: new Date() }),
});

export interface BackupParts {
  readonly store: Pick<Store, "backup" | "jobs">;
  /** Undefined for an application that keeps nothing on disk. */
  readonly dataDir: string | undefined;
  readonly version: string;
  readonly clock: () => Date;
  /** Hours between two scheduled backups; 0 makes none. */
  readonly everyHours: number;
  /** Scheduled backups that are kept. */
  readonly keep: number;
  /** Whether the models of the user's own are packed too. */
  readonly models: boolean;
}

/** What a running service does by itself. */
export interface BackupSchedule {
  /** By kind of job. */
  readonly handlers: Readonly<Record<string, Handler>>;
  /** Asks for a backup when one is due. */
  queueDue(): Promise<void>;
  /** What the operator should look at. */
  alarms(): Promise<string[]>;
}

/** The operator may ask from afar: no path of the machine. */
const SHELF = "The folder `backups` of the data directory";
const KIND = "backup";
const SUBJECT = "scheduled";
const HOUR_MS = 3_600_000;

export function createBackupService(parts: BackupParts): {
  readonly verbs: BackupService;
  readonly schedule: BackupSchedule;
  readonly close: () => Promise<void>;
} {
  const { store, clock, everyHours } = parts;
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  let making: Promise<Backup> | undefined;

  const shelf = (): string => {
    if (parts.dataDir === undefined)
      throw new Failure("store.unusable", "What is kept in memory alone has no backups.");
    return join(parts.dataDir, "backups");
  };
  const pack = async (file: string, now: Date, { onProgress, signal }: BackupWork, place?: string): Promise<Backup> =>
    await createArchive(file, {
      copy: store.backup,
      groups: parts.models && parts.dataDir !== undefined ? await filesOfModels(parts.dataDir) : [],
      version: parts.version,
      now,
      place,
      onProgress,
      signal: AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]),
    });
  const make = (...what: Parameters<typeof pack>): Promise<Backup> => {
    const work = pack(...what);
    running.add(work);
    return work.finally(() => running.delete(work));
  };
  const shelve = async (kind: BackupKind, work: BackupWork): Promise<Backup> => {
    const folder = shelf();
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
      throw unwritable(SHELF, error);
    });
    const now = clock();
    return await make(join(folder, archiveName(kind, now)), now, work, SHELF);
  };

  return {
    verbs: {
      create({ file, ...work } = {}) {
        if (file !== undefined) return make(file, clock(), work);
        making ??= shelve("manual", work).finally(() => {
          making = undefined;
        });
        return making;
      },
      list: async () => (parts.dataDir === undefined ? [] : await listArchives(shelf())),
      async open(name) {
        const found = parts.dataDir === undefined ? undefined : await findArchive(shelf(), name);
        if (!found) throw new Failure("backup.not_found", "No backup has this name; list the backups to find it.");
        return { ...found, content: () => Bun.file(join(shelf(), name)).stream() };
      },
    },

    schedule: {
      handlers:
        everyHours === 0
          ? {}
          : {
              async [KIND](_, signal) {
                await shelve("scheduled", { signal });
                await removeExpired(shelf(), parts.keep, clock());
                return undefined;
              },
            },
      async queueDue() {
        if (everyHours === 0 || parts.dataDir === undefined) return;
        const last = (await listArchives(shelf())).find(({ kind }) => kind === "scheduled");
        // One that failed is tried again by its own attempts, and then at the next hour that is due.
        const asked = await store.jobs.newest(KIND, SUBJECT);
        const latest = [last?.created_at, asked?.created_at].flatMap((at) => (at ? [Date.parse(at)] : []));
        if (clock().getTime() - Math.max(0, ...latest) < everyHours * HOUR_MS) return;
        await store.jobs.add({ kind: KIND, subject: SUBJECT });
      },
      async alarms() {
        if (everyHours === 0) return [];
        const asked = await store.jobs.newest(KIND, SUBJECT);
        const failed = asked && asked.state !== "done" && asked.last_error !== null;
        return failed ? ["The last scheduled backup failed; list the jobs to see why."] : [];
      },
    },

    async close() {
      closing.abort(new Failure("service.draining", "The service is stopping; make the backup again later."));
      await Promise.allSettled(running);
    },
  };
}

/** Each model's files; one whose manifest cannot be read could not be used after a restore either, and stays behind. */
async function filesOfModels(dataDir: string): Promise<ArchivedFile[][]> {
  const shelf = join(dataDir, "models");
  return (await listModels(shelf)).flatMap((model) => {
    if (!("manifest" in model)) return [];
    const names = ["manifest.json", ...model.manifest.files.map(({ name }) => name)];
    return [names.map((name) => ({ from: join(shelf, model.name, name), path: `models/${model.name}/${name}` }))];
  });
}
