import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants, mkdir, mkdtemp, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { errorCode, Failure } from "../core/errors.ts";
import { DATABASE_FILE } from "../db/database.ts";
import { type DirectoryLock, takeDirectory } from "../db/locks.ts";
import { inspectCopy, SCHEMA_VERSION } from "../db/migrate.ts";
import { abandonedBeside, finishSwap, type Move, placeOf, swapIn, sync } from "../db/swap.ts";
import {
  type BackupManifest,
  type BackupPart,
  damaged,
  MANIFEST_FILE,
  MODEL_PATH,
  MOST_MANIFEST_BYTES,
  type OnProgress,
  parseManifest,
  unwritable,
} from "./manifest.ts";
import { readTar, TarFault, type TarFile } from "./tar.ts";

interface ExtractOptions {
  /** Bytes that may be written where it goes; by default what the disk has. */
  readonly room?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** What stays free of a disk. */
const SPARE_BYTES = 16 * 1_048_576;

/**
 * Reads an archive into an empty folder and checks all of it: the manifest, each sum, the database. Writes nothing that
 * the manifest does not tell, under no other name, and no byte more.
 *
 * @throws Failure `backup.invalid` for a damaged, truncated or newer archive; `store.unusable` when the folder cannot
 *   take it. The folder then holds rubbish.
 */
async function extractArchive(file: string, folder: string, options: ExtractOptions = {}): Promise<BackupManifest> {
  const { signal } = options;
  const manifests: BackupManifest[] = [];
  try {
    await pipeline(
      createReadStream(file),
      createZstdDecompress(),
      async (bytes: AsyncIterable<Uint8Array>) => {
        manifests.push(await received(bytes, folder, options));
      },
      ...(signal ? [{ signal }] : []),
    );
    const [manifest] = manifests;
    if (!manifest) throw damaged("it ends too early");
    options.onProgress?.("check", 0, null);
    refuseUnsound(manifest, join(folder, DATABASE_FILE));
    return manifest;
  } catch (error) {
    signal?.throwIfAborted();
    throw refusalOf(error, folder);
  }
}

async function received(
  bytes: AsyncIterable<Uint8Array>,
  folder: string,
  { room, onProgress }: ExtractOptions,
): Promise<BackupManifest> {
  const files = readTar(bytes);
  const next = async (): Promise<TarFile | undefined> => (await files.next()).value ?? undefined;
  const head = await next();
  if (head?.name !== MANIFEST_FILE) throw damaged("it does not begin with a manifest");
  const manifest = manifestIn(await textOf(head));
  const needed = manifest.parts.reduce((sum, { size }) => sum + size, SPARE_BYTES);
  if (needed > (room ?? (await roomIn(folder)))) {
    throw new Failure(
      "store.unusable",
      `${folder} has no room for ${Math.ceil(needed / 1_048_576)} MiB; make room, or take another disk. Nothing was changed.`,
    );
  }
  for (const part of manifest.parts) {
    const file = await next();
    if (file?.name !== part.name || file.size !== part.size)
      throw damaged("it holds something else than its manifest says");
    const path = join(folder, part.path ?? part.name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await keep(file, part, path, onProgress);
    await sync(dirname(path));
  }
  if (await next()) throw damaged("it holds more than its manifest says");
  return manifest;
}

function manifestIn(text: string): BackupManifest {
  const manifest = parseManifest(text);
  if (manifest === "invalid") throw damaged("its manifest cannot be read");
  if (manifest === "newer" || manifest.schema_version > SCHEMA_VERSION) throw newer();
  const [database, ...models] = manifest.parts;
  const isKnown = database?.name === DATABASE_FILE && database.path === undefined;
  const paths = models.flatMap(({ path = "" }) => (MODEL_PATH.test(path) ? [path.toLowerCase()] : []));
  // Where a file system tells no capitals apart, one of two would be written over the other.
  if (!isKnown || new Set(paths).size !== models.length) throw damaged("its manifest names parts that no backup has");
  return manifest;
}

const newer = () =>
  new Failure(
    "backup.invalid",
    "The archive was made by a newer release; restore it with that one or a later one. Nothing was changed.",
  );

async function textOf({ size, content }: TarFile): Promise<string> {
  if (size > MOST_MANIFEST_BYTES) throw damaged("its manifest is too large");
  const parts: Uint8Array[] = [];
  for await (const chunk of content) parts.push(chunk);
  return Buffer.concat(parts).toString("utf8");
}

async function roomIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function keep(
  { content }: TarFile,
  { path: part, size, sha256 }: BackupPart,
  path: string,
  onProgress: OnProgress | undefined,
): Promise<void> {
  const hash = createHash("sha256");
  const handle = await open(path, "wx", 0o600);
  try {
    let done = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      await handle.writeFile(chunk);
      done += chunk.length;
      onProgress?.("read", done, size);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  const what = part === undefined ? "its database" : part;
  if (hash.digest("hex") !== sha256) throw damaged(`the sum of ${what} is not the one of its manifest`);
}

function refuseUnsound({ schema_version }: BackupManifest, path: string): void {
  let found: number | null;
  try {
    found = inspectCopy(path);
  } catch (error) {
    throw error instanceof Failure ? newer() : error;
  }
  if (found === null) throw damaged("its database is not whole");
  if (found !== schema_version) throw damaged("its database is not of the schema that its manifest says");
}

function refusalOf(error: unknown, folder: string): unknown {
  if (error instanceof TarFault) return damaged(error.message);
  if (/^ZSTD_/.test(errorCode(error))) return damaged("it is no zstd archive, or a damaged one");
  return unwritable(folder, error);
}

export interface Restored {
  readonly manifest: BackupManifest;
  /** Where what was there before lies now; null when there was nothing. */
  readonly kept: string | null;
}

interface RestoreOptions extends ExtractOptions {
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
  if (!/^(EBUSY|EXDEV|EPERM|EACCES|EROFS|ENOTEMPTY|EEXIST)$/.test(errorCode(error))) throw error;
  const failure = new Failure(
    "store.unusable",
    `${place} cannot be moved aside, perhaps because it is a mount of its own; restore into another directory with --data-dir, and use that one.`,
  );
  failure.cause = error;
  throw failure;
};

const ignoringAbsence = (error: unknown): string[] => {
  if (errorCode(error) === "ENOENT") return [];
  throw error;
};
