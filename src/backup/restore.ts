import { access, constants, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type DirectoryLock, takeDirectory } from "../store/directory-lock.ts";
import { abandonedBeside, finishSwap, type Move, placeOf, swapIn, sync } from "../store/swap.ts";
import { Failure } from "../vocabulary/failure.ts";
import { type ExtractOptions, extractArchive } from "./extract.ts";
import { codeOf, unwritable } from "./faults.ts";
import type { BackupManifest } from "./manifest.ts";

export interface Restored {
  readonly manifest: BackupManifest;
  /** Where what was there before lies now; null when there was nothing. */
  readonly kept: string | null;
}

export interface RestoreOptions extends ExtractOptions {
  readonly now: Date;
  readonly move?: Move;
}

/** Ends of the names of folders in which a restore or a check is under way. */
const STAGING = ".restoring-";

/**
 * Puts what an archive holds into the place of a data directory, all or nothing: it is read and checked in a folder
 * beside it first. The search index is not in an archive; whoever opens the store makes it anew.
 *
 * @throws Failure `backup.invalid` when the archive is damaged or newer; `config.invalid` when there is none that can be
 *   read; `store.unusable` when another process has the directory open, or the disk refuses. Nothing has changed then.
 */
export async function restoreArchive(file: string, dataDir: string, options: RestoreOptions): Promise<Restored> {
  await refuseUnreadable(file);
  const place = await placeOf(dataDir);
  const time = options.now.toISOString().replaceAll(/[-:.]/g, "");
  const staging = `${place}${STAGING}${time}`;
  let lock: DirectoryLock | undefined;
  try {
    await finishSwap(place);
    const isEmpty = (await readdir(place).catch(ignoringAbsence)).length === 0;
    if (!isEmpty) {
      lock = takeDirectory(place);
      if (!lock) {
        throw new Failure(
          "store.unusable",
          `Another process has ${place} open; stop the service and every other casefile, then restore again.`,
        );
      }
      await removeAbandoned(place);
    }
    await mkdir(dirname(place), { recursive: true });
    await mkdir(staging, { mode: 0o700 });
    const manifest = await extractArchive(file, staging, options);
    await sync(staging);
    options.signal?.throwIfAborted();
    // Windows moves no folder in which a file is open.
    if (process.platform === "win32") lock?.release();
    return { manifest, kept: await swapIn(place, staging, time, options.move).catch(refuseMove(place)) };
  } catch (error) {
    await rm(staging, { recursive: true, force: true }).catch(() => {});
    throw unwritable(place, error);
  } finally {
    lock?.release();
  }
}

/**
 * Reads an archive and checks all of it, in a folder of its own beside it or in `scratch`, which is removed again.
 *
 * @throws Failure `backup.invalid`, `config.invalid` when there is none that can be read, `store.unusable`
 */
export async function verifyArchive(
  file: string,
  options: ExtractOptions & { readonly scratch?: string | undefined },
): Promise<BackupManifest> {
  await refuseUnreadable(file);
  const parent = options.scratch ?? dirname(file);
  const folder = await mkdtemp(join(parent, ".casefile-verify-")).catch((error) => {
    throw unwritable(parent, error);
  });
  try {
    return await extractArchive(file, folder, options);
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** The name is wrong then, and nothing is known of an archive; a fault of reading later is a matter of the folder. */
async function refuseUnreadable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  const mayRead = access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!found?.isFile() || !(await mayRead)) throw new Failure("config.invalid", `${file} is no file that can be read.`);
}

/** What killed restores have left. Whoever has the directory alone is the only one who restores. */
async function removeAbandoned(place: string): Promise<void> {
  const prefix = `${basename(place)}${STAGING}`;
  const staged = (await readdir(dirname(place))).filter((name) => name.startsWith(prefix));
  const paths = [...staged.map((name) => join(dirname(place), name)), ...(await abandonedBeside(place))];
  for (const path of paths) await rm(path, { recursive: true, force: true });
}

const refuseMove = (place: string) => (error: unknown) => {
  if (!/^(EBUSY|EXDEV|EPERM|EACCES|EROFS|ENOTEMPTY|EEXIST)$/.test(codeOf(error))) throw error;
  const failure = new Failure(
    "store.unusable",
    `${place} cannot be moved aside, perhaps because it is a mount of its own; restore into another directory with --data-dir, and use that one.`,
  );
  failure.cause = error;
  throw failure;
};

const ignoringAbsence = (error: unknown): string[] => {
  if (codeOf(error) === "ENOENT") return [];
  throw error;
};
