import { open, readdir, readlink, realpath, rename, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/**
 * How a directory takes another's place. Two renames are never one: a process that is killed between them leaves no
 * directory there but both beside it, under names that belong together, and whoever comes next puts the new one in.
 */
const readyPath = (dataDir: string, time: string) => `${dataDir}.restored-${time}`;
const asidePath = (dataDir: string, time: string) => `${dataDir}.before-restore-${time}`;

/** Gives a directory another name, in one step. */
export type Move = (from: string, to: string) => Promise<void>;

/** Where the directory lies, behind a symbolic link also while its target is away. */
export async function placeOf(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : resolve(dirname(path), link);
}

/**
 * Puts a directory that is whole into the place of another, which is kept. Answers under which path; null when there
 * was none, or an empty one.
 *
 * @param time stands in both names: `20260504T120000000Z`
 * @throws what the system says; then `dataDir` is what it was, and `staging` is there under some name
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
    if ((await contentOf(dataDir)).length === 0) {
      await rmdir(dataDir).catch(ignoring("ENOENT"));
      await move(ready, dataDir);
      await sync(dirname(dataDir));
      return null;
    }
    await move(dataDir, aside);
  } catch (error) {
    await move(ready, staging);
    throw error;
  }
  // Not there any more: a process that was just started has finished it.
  await move(ready, dataDir).catch(ignoring("ENOENT"));
  await sync(dirname(dataDir));
  return aside;
}

/** Ends a swap that was cut short. Answers whether there is a directory now. */
export async function finishSwap(dataDir: string): Promise<boolean> {
  const place = await placeOf(dataDir);
  if (await stat(place).catch(() => undefined)) return true;
  const beside = await contentOf(dirname(place)).catch((): string[] => []);
  const prefix = basename(readyPath(place, ""));
  const ready = beside.find(
    (name) => name.startsWith(prefix) && beside.includes(basename(asidePath(place, name.slice(prefix.length)))),
  );
  if (ready === undefined) return false;
  await rename(join(dirname(place), ready), place).catch(ignoring("ENOENT"));
  return true;
}

/** What swaps that never began have left beside the directory: paths that nobody needs. */
export async function abandonedBeside(dataDir: string): Promise<string[]> {
  const beside = await contentOf(dirname(dataDir));
  const prefix = basename(readyPath(dataDir, ""));
  return beside
    .filter(
      (name) => name.startsWith(prefix) && !beside.includes(basename(asidePath(dataDir, name.slice(prefix.length)))),
    )
    .map((name) => join(dirname(dataDir), name));
}

/** Makes sure that the names in a folder outlive a loss of power. */
export async function sync(folder: string): Promise<void> {
  // Windows opens no folder.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function contentOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

const errorCode = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);

const ignoring = (code: string) => (error: unknown) => {
  if (errorCode(error) !== code) throw error;
};
