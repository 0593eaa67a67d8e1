import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NativeFile } from "./files.ts";

/**
 * Written after the files beside it were held against their hashes, and to the disk before the files were ever loaded.
 *
 * A later start compares names, sizes and times with it and reads no file, which would take half a second for 200 MB.
 * That is as safe as hashing: who can write here can write the database, too, and could put another file in place
 * between the hash and the load. A start that was broken off leaves no stamp, a file written over has another size or
 * time, and a file copied here by a restore has another time; all of these are hashed again. What is left is a disk
 * that loses bits, which a start does not look for in the executable itself either; `casefile doctor` does.
 */
export const STAMP = "verified.json";

/** What is remembered of each file: its hash, its size, and when it was last written. */
export type Stamp = Readonly<Record<string, string>>;

/** @returns undefined when there is no such file, or it is something else or somebody else's */
export async function markOf(folder: string, file: NativeFile): Promise<string | undefined> {
  const found = await lstat(join(folder, file.name)).catch(() => undefined);
  if (!found?.isFile() || found.size !== file.bytes || !isTrusted(found.uid)) return undefined;
  return `${file.sha256} ${found.size} ${found.mtimeMs}`;
}

/** @returns undefined when there is none that can be trusted and read */
export async function findStamp(folder: string): Promise<Stamp | undefined> {
  try {
    const path = join(folder, STAMP);
    const found = await lstat(path);
    if (!found.isFile() || found.size > 65_536 || !isTrusted(found.uid)) return undefined;
    const stamp: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof stamp !== "object" || stamp === null) return undefined;
    return Object.fromEntries(Object.entries(stamp).map(([name, mark]) => [name, String(mark)]));
  } catch {
    return undefined;
  }
}

/** This user's own, or the administrator's. Windows tells no owner. */
export function isTrusted(uid: number): boolean {
  const own = process.getuid?.();
  return own === undefined || uid === own || uid === 0;
}
