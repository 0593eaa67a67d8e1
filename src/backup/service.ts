import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../core/errors.ts";
import { makeFolder, statIfThere } from "../core/files.ts";
import { quoted } from "../core/text.ts";
import type { CasefileDatabase } from "../db/contract.ts";
import type { CopiedTable } from "../db/transfer.ts";
import { listModels } from "../embedding/custom/model-store.ts";
import type { JobRepository } from "../jobs/repository.ts";
import type { JobFeature } from "../jobs/worker.ts";
import { type ArchivedFile, type Backup, createArchive, UNFINISHED } from "./create.ts";
import { asDiskFailure, type BackupManifest, type BackupWork } from "./manifest.ts";
import { migrateStore } from "./migrate-store.ts";
import { type Restored, restoreArchive, verifyArchive } from "./restore.ts";

/** Only scheduled backups are removed automatically. */
export type BackupKind = "manual" | "scheduled";

export interface StoredBackup {
  readonly name: string;
  readonly kind: BackupKind;
  /** Bytes. */
  readonly size: number;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

export interface BackupService {
  /**
   * Writes an archive, by default to `backups` in the data directory under a generated name. Concurrent calls without a
   * file share one archive.
   *
   * @throws Failure `store.unusable`, `config.invalid` when the file exists
   */
  create(options?: BackupWork & { readonly file?: string | undefined }): Promise<Backup>;
  /** The backups in the data directory, newest first. */
  list(): Promise<readonly StoredBackup[]>;
  /** @throws Failure `backup.not_found` */
  open(name: string): Promise<StoredBackup & { content(): ReadableStream<Uint8Array> }>;
}

/** Checks and restores archives for a data directory that no process has open. */
export interface BackupFiles {
  /** @throws Failure `backup.invalid`, `config.invalid` when the file cannot be read, `store.unusable` */
  verify(file: string, options?: BackupWork & { readonly scratch?: string | undefined }): Promise<BackupManifest>;
  /** @throws Failure `backup.invalid`, `config.invalid` when the file cannot be read, `store.unusable` */
  restore(file: string, options?: BackupWork): Promise<Restored>;
  /** @see migrateStore */
  migrate(
    to: string,
    options?: { readonly signal?: AbortSignal; readonly onTable?: (table: string, rows: number) => void },
  ): Promise<readonly CopiedTable[]>;
}

interface BackupFilesOptions {
  readonly dataDir: string;
  /** Of `database.url`. */
  readonly postgres?: { readonly url: string; readonly maxConnections: number } | undefined;
}

export const openBackupFiles = ({ dataDir, postgres }: BackupFilesOptions): BackupFiles => ({
  verify: (file, options = {}) => verifyArchive(file, options),
  async restore(file, options = {}) {
    if (postgres)
      throw new Failure(
        "config.invalid",
        "The data is in PostgreSQL. Restore into a directory without database.url, then copy it: casefile store migrate --to URL.",
      );
    return await restoreArchive(file, dataDir, { ...options, now: new Date() });
  },
  migrate: (to, options = {}) => migrateStore({ dataDir, postgres }, to, options),
});

export interface BackupServiceOptions {
  readonly database: Pick<CasefileDatabase, "backup">;
  readonly jobs: Pick<JobRepository, "newest" | "add">;
  /** Undefined when nothing is stored on disk. */
  readonly dataDir: string | undefined;
  readonly version: string;
  readonly clock: () => Date;
  /** Hours between two scheduled backups; 0 makes none. */
  readonly everyHours: number;
  /** Number of scheduled backups to keep. */
  readonly keep: number;
  /** Include custom models. */
  readonly models: boolean;
}

export interface BackupSchedule extends JobFeature {
  alarms(): Promise<string[]>;
}

/** Name of the folder in messages: callers on other machines learn no path of this one. */
const FOLDER_NAME = "The folder `backups` of the data directory";
const JOB_KIND = "backup";
const JOB_SUBJECT = "scheduled";
const HOUR_MS = 3_600_000;

export function createBackupService(
  options: BackupServiceOptions,
): BackupService & { readonly schedule: BackupSchedule; close(): Promise<void> } {
  const { database, jobs, dataDir, clock, everyHours } = options;
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  let current: Promise<Backup> | undefined;

  const folder = (): string => {
    if (dataDir === undefined) throw new Failure("store.unusable", "Data in memory cannot be backed up.");
    return join(dataDir, "backups");
  };
  const write = (file: string, now: Date, { onProgress, signal }: BackupWork, folderName?: string) => {
    const archive = (async () =>
      await createArchive(file, {
        copy: database.backup,
        groups: options.models && dataDir !== undefined ? await modelFiles(dataDir) : [],
        version: options.version,
        now,
        folderName,
        onProgress,
        signal: AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]),
      }))();
    running.add(archive);
    return archive.finally(() => running.delete(archive));
  };
  const writeToFolder = async (kind: BackupKind, work: BackupWork): Promise<Backup> => {
    await makeFolder(folder()).catch((error) => {
      throw asDiskFailure(FOLDER_NAME, error);
    });
    const now = clock();
    return await write(join(folder(), archiveName(kind, now)), now, work, FOLDER_NAME);
  };
  const newestJob = () => jobs.newest(JOB_KIND, JOB_SUBJECT);

  return {
    create({ file, ...work } = {}) {
      if (file !== undefined) return write(file, clock(), work);
      current ??= writeToFolder("manual", work).finally(() => {
        current = undefined;
      });
      return current;
    },
    list: async () => (dataDir === undefined ? [] : await listArchives(folder())),
    async open(name) {
      const found = dataDir === undefined ? undefined : await findArchive(folder(), name);
      if (!found)
        throw new Failure("backup.not_found", `No backup has the name ${quoted(name)}: list the backups to find it.`);
      return { ...found, content: () => Bun.file(join(folder(), name)).stream() };
    },

    schedule: {
      handlers:
        everyHours === 0
          ? {}
          : {
              async [JOB_KIND](_, signal) {
                await writeToFolder("scheduled", { signal });
                await removeExpired(folder(), options.keep, clock());
                return undefined;
              },
            },
      async queueDue() {
        if (everyHours === 0 || dataDir === undefined) return;
        const last = (await listArchives(folder())).find(({ kind }) => kind === "scheduled");
        // A failed job has its own retries; the next one is due an interval later.
        const job = await newestJob();
        const times = [last?.created_at, job?.created_at].flatMap((at) => (at ? [Date.parse(at)] : []));
        if (clock().getTime() - Math.max(0, ...times) < everyHours * HOUR_MS) return;
        await jobs.add({ kind: JOB_KIND, subject: JOB_SUBJECT });
      },
      async alarms() {
        if (everyHours === 0) return [];
        const job = await newestJob();
        const failed = job && job.state !== "done" && job.last_error !== null;
        return failed ? ["The last scheduled backup failed; list the jobs to see why."] : [];
      },
    },

    async close() {
      closing.abort(new Failure("service.draining", "The service is stopping; create the backup again later."));
      await Promise.allSettled(running);
    },
  };
}

/** The files of each custom model; one with an unreadable manifest is unusable and therefore omitted. */
async function modelFiles(dataDir: string): Promise<ArchivedFile[][]> {
  const store = join(dataDir, "models");
  return (await listModels(store)).flatMap((model) => {
    if (!("manifest" in model)) return [];
    const names = ["manifest.json", ...model.manifest.files.map(({ name }) => name)];
    return [names.map((name) => ({ from: join(store, model.name, name), path: `models/${model.name}/${name}` }))];
  });
}

const ARCHIVE_NAME = /^(manual|scheduled)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.tar\.zst$/;
const ABANDONED_AFTER_MS = 24 * HOUR_MS;

const archiveName = (kind: BackupKind, now: Date): string =>
  `${kind}-${now.toISOString().replaceAll(/[-:.]/g, "")}.tar.zst`;

/** Undefined also for a file whose name `archiveName` would not generate. */
async function findArchive(folder: string, name: string): Promise<StoredBackup | undefined> {
  const [, kind, year, month, day, hour, minute, second, rest] = ARCHIVE_NAME.exec(name) ?? [];
  if (kind !== "manual" && kind !== "scheduled") return undefined;
  const found = await lstat(join(folder, name)).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  return { name, kind, size: found.size, created_at: `${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z` };
}

/** Newest first. */
async function listArchives(folder: string): Promise<StoredBackup[]> {
  // Created with the first archive. Where it cannot be read, an empty list would be a wrong answer.
  const list = async () => ((await statIfThere(folder))?.isDirectory() ? await readdir(folder) : []);
  const names = await list().catch((error) => {
    throw asDiskFailure(FOLDER_NAME, error);
  });
  const found = await Promise.all(names.map((name) => findArchive(folder, name)));
  return found
    .filter((archive) => archive !== undefined)
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.name.localeCompare(a.name));
}

/** Removes all but the newest `keep` scheduled archives, and files of archives that were never finished. */
async function removeExpired(folder: string, keep: number, now: Date): Promise<void> {
  const scheduled = (await listArchives(folder)).filter(({ kind }) => kind === "scheduled");
  for (const { name } of scheduled.slice(keep)) await rm(join(folder, name), { force: true });
  for (const name of await readdir(folder)) {
    const isUnfinished = UNFINISHED.some((end) => name.endsWith(end) && ARCHIVE_NAME.test(name.slice(0, -end.length)));
    if (!isUnfinished) continue;
    const { mtimeMs } = (await lstat(join(folder, name)).catch(() => undefined)) ?? { mtimeMs: now.getTime() };
    if (now.getTime() - mtimeMs > ABANDONED_AFTER_MS) await rm(join(folder, name), { force: true });
  }
}
