import { Failure } from "../vocabulary/failure.ts";

/** Steps of a long work, for who waits: bytes done and, where it is known, of how many. */
export type OnProgress = (step: "copy" | "pack" | "read" | "check", done: number, total: number | null) => void;

export const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** What the operator can do about a place that cannot be written; anything else is a bug and rises. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, "there is no room left"],
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM)/, "this user may not write there"],
  [/^(ENOENT|ENOTDIR|EEXIST|ENAMETOOLONG|ELOOP|SQLITE_CANTOPEN)/, "it is no folder that can be opened"],
  [/^(EIO|SQLITE_IOERR)/, "the disk does not read or write"],
];

/**
 * The refusal that belongs to an error of the disk; the error itself when there is none.
 *
 * @param folder how it is called to who asked, perhaps from another machine
 */
export function unwritable(folder: string, error: unknown): unknown {
  const reason = REASONS.find(([pattern]) => pattern.test(codeOf(error)))?.[1];
  if (error instanceof Failure || reason === undefined) return error;
  const failure = new Failure("store.unusable", `${folder} cannot be used: ${reason}. Nothing was changed.`);
  failure.cause = error;
  return failure;
}

/** @param what is wrong with the archive, as the end of a sentence */
export const damaged = (what: string) =>
  new Failure("backup.invalid", `The archive cannot be restored: ${what}. Take another backup; nothing was changed.`);
