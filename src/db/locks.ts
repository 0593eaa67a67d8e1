import { Database } from "bun:sqlite";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, Failure } from "../core/errors.ts";

/** Held until it is released or its process ends, even by a crash. */
export interface DirectoryLock {
  release(): void;
}

/**
 * An empty SQLite file whose lock alone is used: on every platform the system releases it when a process is killed, and
 * several processes can share it. A file with a process id promises neither.
 */
const FILE = "in-use.sqlite";
const ATTEMPTS = 5;

/**
 * Takes a shared lock on the data directory.
 *
 * @throws Failure `store.unusable` while a restore replaces the directory, SQLiteError when it cannot be written
 */
export function shareDirectory(dataDir: string): DirectoryLock {
  const path = join(dataDir, FILE);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = inodeOf(path);
    const lock = lockFile(path, ["begin", "select count(*) from sqlite_schema"]);
    if (!lock) break;
    // Between opening and locking, another directory may have replaced this one.
    if (before !== undefined && before === inodeOf(path)) return lock;
    lock.release();
  }
  throw new Failure("store.unusable", "It is being restored; start again when the restore has finished.");
}

/** Takes an exclusive lock on the data directory; undefined while any process has it open. */
export const takeDirectory = (dataDir: string): DirectoryLock | undefined => takeLock(join(dataDir, FILE));

/** Takes an exclusive lock on a lock file; undefined while another caller holds it. */
export const takeLock = (path: string): DirectoryLock | undefined => lockFile(path, ["begin exclusive"]);

function lockFile(path: string, statements: readonly string[]): DirectoryLock | undefined {
  const database = new Database(path, { create: true, strict: true });
  try {
    // No waiting: the directory may be moved away meanwhile.
    database.run("pragma busy_timeout = 0");
    for (const statement of statements) database.run(statement);
  } catch (error) {
    database.close();
    if (errorCode(error) === "SQLITE_BUSY") return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

/** The one process that may write the search index: LanceDB loses commits when several write at the same time. */
export interface WriterLock {
  /**
   * `acquired`: this process holds the lock. `recovered`: likewise, and the previous holder ended without releasing it,
   * so its work may be half done. `busy`: another running process holds it.
   */
  acquire(): "acquired" | "recovered" | "busy";
  release(): void;
}

/**
 * A lock of the operating system, which releases it however a process ends. Process ids would not do: in containers on
 * one volume every process may have the same id. A marker file remains when the holder did not release the lock.
 *
 * @param path lock file in the data directory
 */
export function createWriterLock(path: string): WriterLock {
  const marker = `${path}.at-work`;
  let lock: DirectoryLock | undefined;
  return {
    acquire() {
      if (lock) return "acquired";
      lock = takeLock(path);
      if (!lock) return "busy";
      if (existsSync(marker)) return "recovered";
      writeFileSync(marker, "", { mode: 0o600 });
      return "acquired";
    },
    release() {
      if (!lock) return;
      rmSync(marker, { force: true });
      lock.release();
      lock = undefined;
    },
  };
}

/** Whether a process with this id runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user runs, although it may not be signalled.
    return errorCode(error) === "EPERM";
  }
}
