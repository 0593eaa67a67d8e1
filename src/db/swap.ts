import { readdir, readlink, realpath, rename, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "../core/errors.ts";
import { statIfThere, syncFolder } from "../core/files.ts";

/**
 * Replaces the data directory with a restored one by two renames, which are not atomic: a process that is killed between
 * them leaves both directories under names with the same time stamp, and the next start finishes the swap.
 */
const readyPath = (dataDir: string, time: string) => `${dataDir}.restored-${time}`;
const asidePath = (dataDir: string, time: string) => `${dataDir}.before-restore-${time}`;

/** Renames a directory. */
export type Move = (from: string, to: string) => Promise<void>;

/** The real path of the data directory; follows a symbolic link even when its target does not exist. */
export async function realDataDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : resolve(dirname(path), link);
}

/**
 * Moves a complete directory to `dataDir` and keeps the previous one.
 *
 * @param time part of the names of both directories: `20260504T120000000Z`
 * @returns the new path of the previous directory; null when there was none or it was empty
 * @throws the error of the system; `dataDir` is then unchanged, and `staging` still exists
 */
export async function swapIn(
  dataDir: string,
  staging: string,
  time: string,
  move: Move = rename,
): Promise<string | null> {
  const [ready, aside] = [readyPath(dataDir, time), asidePath(dataDir, time)];
  await move(staging, ready);
  try {
    if ((await entriesOf(dataDir)).length === 0) {
      await rmdir(dataDir).catch(ignoreCode("ENOENT"));
      await move(ready, dataDir);
      await syncFolder(dirname(dataDir));
      return null;
    }
    await move(dataDir, aside);
  } catch (error) {
    await move(ready, staging);
    throw error;
  }
  // ENOENT: a process that was just started has finished the swap.
  await move(ready, dataDir).catch(ignoreCode("ENOENT"));
  await syncFolder(dirname(dataDir));
  return aside;
}

/** Finishes an interrupted swap. Returns whether the directory exists now. */
export async function finishSwap(dataDir: string): Promise<boolean> {
  const path = await realDataDir(dataDir);
  if (await statIfThere(path)) return true;
  const { started } = await findSwaps(path);
  const [ready] = started;
  if (ready === undefined) return false;
  await rename(ready, path).catch(ignoreCode("ENOENT"));
  await syncFolder(dirname(path));
  return true;
}

/** Paths of directories that were prepared for a swap that never started, and can be removed. */
export const findAbandonedSwaps = async (dataDir: string): Promise<string[]> => (await findSwaps(dataDir)).abandoned;

/** Paths of the prepared directories: of swaps that moved the previous directory aside, and of those that did not. */
async function findSwaps(dataDir: string): Promise<{ started: string[]; abandoned: string[] }> {
  const parent = dirname(dataDir);
  const siblings = await entriesOf(parent);
  const prefix = basename(readyPath(dataDir, ""));
  const isStarted = (name: string) => siblings.includes(basename(asidePath(dataDir, name.slice(prefix.length))));
  const prepared = siblings.filter((name) => name.startsWith(prefix));
  const pathsOf = (names: readonly string[]) => names.map((name) => join(parent, name));
  return {
    started: pathsOf(prepared.filter(isStarted)),
    abandoned: pathsOf(prepared.filter((name) => !isStarted(name))),
  };
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

const ignoreCode = (code: string) => (error: unknown) => {
  if (errorCode(error) !== code) throw error;
};
