import { Database } from "bun:sqlite";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../core/errors.ts";

/** Held until it is released or its process ends, however it ends. */
export interface DirectoryLock {
  release(): void;
}

/**
 * An empty SQLite file of which nothing but its lock is used: the system gives it back when a process is killed, on
 * every platform, and several share it. A file that names a process cannot promise either.
 */
const FILE = "in-use.sqlite";
const ATTEMPTS = 5;

/**
 * Says that this process has the data directory open, beside others.
 *
 * @throws Failure `store.unusable` while the directory is being replaced, SQLiteError when it cannot be written
 */
export function shareDirectory(dataDir: string): DirectoryLock {
  const path = join(dataDir, FILE);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = inodeOf(path);
    const lock = locked(path, "begin; select count(*) from sqlite_schema");
    if (!lock) break;
    // Between the opening and the lock another directory may have come into the place of this one.
    if (before !== undefined && before === inodeOf(path)) return lock;
    lock.release();
  }
  throw new Failure("store.unusable", "It is being restored just now; start again when that has ended.");
}

/** Takes the directory for this caller alone; undefined while anybody has it open. */
export function takeDirectory(dataDir: string): DirectoryLock | undefined {
  return locked(join(dataDir, FILE), "begin exclusive");
}

/** Takes a lock file of this path for this caller alone; undefined while anybody holds it. */
export const takeLock = (path: string): DirectoryLock | undefined => locked(path, "begin exclusive");

function locked(path: string, sql: string): DirectoryLock | undefined {
  const database = new Database(path, { create: true, strict: true });
  try {
    // Who waits could wake up in a directory that was moved aside meanwhile.
    database.run("pragma busy_timeout = 0");
    for (const statement of sql.split("; ")) database.run(statement);
  } catch (error) {
    database.close();
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Says which process writes the search index: LanceDB keeps what one writer commits, and loses what several do at once. */
export interface WriterLock {
  /**
   * `held`: this process has it now. `inherited`: likewise, and the process that had it before ended without giving it
   * back, so what it was at may be half done. `others`: another process that runs has it.
   */
  acquire(): "held" | "inherited" | "others";
  release(): void;
}

/**
 * The lock is the system's, which gives it back however a process ends: in containers on one volume each process may
 * have the same number, so no number tells who runs. A mark beside it stays where nobody gave the lock back.
 *
 * @param path of the lock's file, in the data directory
 */
export function createWriterLock(path: string): WriterLock {
  const mark = `${path}.at-work`;
  let held: DirectoryLock | undefined;
  return {
    acquire() {
      if (held) return "held";
      held = takeLock(path);
      if (!held) return "others";
      if (existsSync(mark)) return "inherited";
      writeFileSync(mark, "", { mode: 0o600 });
      return "held";
    },
    release() {
      if (!held) return;
      rmSync(mark, { force: true });
      held.release();
      held = undefined;
    },
  };
}

/** Whether a process with this id runs on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive though we may not signal it.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
