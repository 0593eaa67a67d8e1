import { open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../../core/errors.ts";
import { syncFolder } from "../../core/files.ts";

/**
 * Brings files that were added below a folder to the disk. LanceDB leaves its files, which never change, to the system:
 * after a power failure the index would lack case studies that the database has as indexed.
 *
 * @returns flushes what was added since its last call
 */
export function createFileFlush(root: string): () => Promise<void> {
  let flushed: ReadonlySet<string> = new Set();
  return async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const added = paths.filter((path) => !flushed.has(path));
    for (const path of added) await ignoreRemoved(syncFile(path));
    for (const folder of foldersAbove(added, root)) await ignoreRemoved(syncFolder(folder));
    flushed = new Set(paths);
  };
}

function foldersAbove(paths: readonly string[], root: string): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) folders.add(folder);
  }
  return folders;
}

async function syncFile(path: string): Promise<void> {
  // Windows flushes only a file that is open for writing.
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A compaction of another process removes old versions. */
async function ignoreRemoved(flushing: Promise<void>): Promise<void> {
  try {
    await flushing;
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
