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

/** Refers to every lock that is held: a connection that nothing refers to is collected, and its lock would end with it. */
const held = new Set<Database>();

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
  held.add(database);
  const release = () => {
    held.delete(database);
    database.close();
  };
  return { release };
}

const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;

/** The one process that may write the search index: LanceDB loses commits when several write at the same time. */
export interface WriterLock {
  /**
   * Whether this process holds the lock; false while another running process holds it. When the previous holder ended
   * without releasing it, resolves only after its unfinished work was recovered.
   *
   * @throws the error of the recovery; the lock is then free, and the next holder recovers
   */
  acquire(): Promise<boolean>;
  release(): void;
}

/**
 * A lock of the operating system, which releases it however a process ends. Process ids would not do: in containers on
 * one volume every process may have the same id. A marker file remains when the holder did not release the lock.
 *
 * @param path lock file in the data directory
 * @param recover ends the unfinished work of a previous holder; no caller holds the lock before it has resolved
 */
export function createWriterLock(path: string, recover: () => Promise<void>): WriterLock {
  const marker = `${path}.at-work`;
  let lock: DirectoryLock | undefined;
  let recovered: Promise<void> = Promise.resolve();

  const free = () => {
    lock?.release();
    lock = undefined;
  };
  const prepare = async () => {
    try {
      if (existsSync(marker)) await recover();
      writeFileSync(marker, "", { mode: 0o600 });
    } catch (error) {
      free();
      throw error;
    }
  };

  return {
    async acquire() {
      if (!lock) {
        lock = takeLock(path);
        if (!lock) return false;
        recovered = prepare();
      }
      await recovered;
      return true;
    },
    release() {
      if (!lock) return;
      rmSync(marker, { force: true });
      free();
    },
  };
}
