import { errorCode, Failure } from "../core/errors.ts";

/** Shown to callers of every surface. */
export const DAMAGED = "The database is damaged. Stop Casefile and restore a backup: casefile backup restore FILE.";

/** Faults of the disk or the database file that an operator can correct. Any other error is a bug. */
const FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, DAMAGED],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, "The disk of the data directory is full. Free some space."],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM|SQLITE_CANTOPEN)/,
    "The database cannot be written. Make the data directory writable.",
  ],
  [/^(EIO|SQLITE_IOERR)/, "The disk of the data directory has read or write errors. Replace it, or restore a backup."],
  [/^SQLITE_(BUSY|LOCKED)/, "Another process is writing to the database. Try again."],
];

/** The failure that an error of SQLite or the disk means for a caller; any other error as it is. */
export function asStoreFailure(error: unknown): unknown {
  const code = errorCode(error);
  const message = FAULTS.find(([pattern]) => pattern.test(code))?.[1];
  return message === undefined || error instanceof Failure
    ? error
    : new Failure("store.unusable", message, { cause: error });
}

/** Whether the database file itself is damaged, so that no retry helps. */
export const isDamage = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error instanceof Failure ? error.details.cause : error));

/** Whether a write failed although reads still succeed: a full or read-only disk. */
export const isWriteFault = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(errorCode(error instanceof Failure ? error.details.cause : error));
