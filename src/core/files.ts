import type { Stats } from "node:fs";
import { mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./errors.ts";

/** Flushes the entries of a folder to the disk, so that a new or renamed file in it survives a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder that only this user can read, and missing parents, so that they survive a power failure. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; ; made = dirname(made)) {
    await syncFolder(dirname(made));
    if (made === first || dirname(made) === made) return;
  }
}

/** Undefined when there is nothing at the path. @throws any other error of the system: the path may well exist */
export async function statIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test(errorCode(error))) return undefined;
    throw error;
  }
}
