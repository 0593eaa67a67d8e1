import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, constants, mkdir, mkdtemp, open, readdir, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { errorCode, Failure } from "../core/errors.ts";
import { makeFolder, syncFolder } from "../core/files.ts";
import { DATABASE_FILE } from "../db/database.ts";
import { type DirectoryLock, takeDirectory } from "../db/locks.ts";
import { inspectCopy, SCHEMA_VERSION } from "../db/migrate.ts";
import { findAbandonedSwaps, finishSwap, type Move, realDataDir, swapIn } from "../db/swap.ts";
import {
  asDiskFailure,
  type BackupManifest,
  type BackupPart,
  type BackupWork,
  MANIFEST_FILE,
  MAX_MANIFEST_BYTES,
  MODEL_PATH,
  type OnProgress,
  parseManifest,
} from "./manifest.ts";
import { readTar, TarError, type TarFile } from "./tar.ts";

interface ExtractOptions extends BackupWork {
  /** Bytes that may be written; by default the free space of the disk. */
  readonly room?: number | undefined;
}

export interface Restored {
  readonly manifest: BackupManifest;
  /** Path of the previous data directory; null when there was none. */
  readonly kept: string | null;
}

interface RestoreOptions extends ExtractOptions {
  readonly now: Date;
  readonly move?: Move | undefined;
}

const invalid = (problem: string) =>
  new Failure("backup.invalid", `The archive cannot be restored: ${problem}. Use another backup; nothing was changed.`);

const newerRelease = () =>
  new Failure(
    "backup.invalid",
    "The archive was created by a newer release; restore it with that release or a later one. Nothing was changed.",
  );

/** Suffix of the folders in which a restore extracts an archive, before a timestamp. */
const STAGING = ".restoring-";

/**
 * Replaces a data directory with the content of an archive. The archive is extracted and checked in a folder next to the
 * data directory, which then takes its place. The search index is not in an archive: the next start rebuilds it.
 *
 * @throws Failure `backup.invalid` when the archive is damaged or from a newer release; `config.invalid` when it cannot
 *   be read; `store.unusable` when another process uses the directory, or for a disk error. Nothing has changed then.
 */
export async function restoreArchive(file: string, dataDir: string, options: RestoreOptions): Promise<Restored> {
  await assertReadable(file);
  const place = await realDataDir(dataDir);
  const time = options.now.toISOString().replaceAll(/[-:.]/g, "");
  const staging = `${place}${STAGING}${time}`;
  let lock: DirectoryLock | undefined;
  try {
    await finishSwap(place);
    if (!(await isEmpty(place))) {
      lock = takeDirectory(place);
      if (!lock)
        throw new Failure(
          "store.unusable",
          `Another process uses ${place}; stop the service and every other casefile process, then restore again.`,
        );
      await removeAbandoned(place);
    }
    await makeFolder(dirname(place));
    await mkdir(staging, { mode: 0o700 });
    const manifest = await extractArchive(file, staging, options);
    await syncFolder(staging);
    options.signal?.throwIfAborted();
    // Windows cannot move a folder that has open files.
    if (process.platform === "win32") lock?.release();
    return { manifest, kept: await swapIn(place, staging, time, options.move).catch(failMove(place)) };
  } catch (error) {
    // What is left must not hide the cause; the next restore removes it.
    await rm(staging, { recursive: true, force: true }).catch(() => {});
    throw asDiskFailure(place, error);
  } finally {
    lock?.release();
  }
}

/**
 * Checks an archive completely by extracting it into a temporary folder, next to the archive or in `scratch`.
 *
 * @throws Failure `backup.invalid`, `config.invalid` when the file cannot be read, `store.unusable`
 */
export async function verifyArchive(
  file: string,
  options: ExtractOptions & { readonly scratch?: string | undefined },
): Promise<BackupManifest> {
  await assertReadable(file);
  const parent = options.scratch ?? dirname(file);
  const folder = await mkdtemp(join(parent, ".casefile-verify-")).catch((error) => {
    throw asDiskFailure(parent, error);
  });
  try {
    return await extractArchive(file, folder, options);
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * Extracts an archive into an empty folder and checks everything: the manifest, each hash, the database. Writes only
 * files that the manifest lists, under their names and with their sizes.
 *
 * @throws Failure `backup.invalid` for a damaged, truncated or newer archive; `store.unusable` when the folder cannot be
 *   written. The content of the folder is then undefined.
 */
async function extractArchive(file: string, folder: string, options: ExtractOptions): Promise<BackupManifest> {
  const { signal, onProgress } = options;
  const manifests: BackupManifest[] = [];
  try {
    await pipeline(
      createReadStream(file),
      createZstdDecompress(),
      async (bytes: AsyncIterable<Uint8Array>) => {
        manifests.push(await extractFiles(bytes, folder, options));
      },
      { signal },
    );
    const [manifest] = manifests;
    if (!manifest) throw invalid("it is truncated");
    onProgress?.("check", 0, null);
    assertIntact(manifest, join(folder, DATABASE_FILE));
    return manifest;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TarError) throw invalid(error.message);
    if (errorCode(error).startsWith("ZSTD_")) throw invalid("it is not a zstd archive, or it is damaged");
    throw asDiskFailure(folder, error);
  }
}

async function extractFiles(
  bytes: AsyncIterable<Uint8Array>,
  folder: string,
  { room, onProgress }: ExtractOptions,
): Promise<BackupManifest> {
  const files = readTar(bytes);
  const next = async (): Promise<TarFile | undefined> => (await files.next()).value ?? undefined;
  const manifest = await readManifest(await next());
  const needed = manifest.parts.reduce((sum, { size }) => sum + size, RESERVED_BYTES);
  if (needed > (room ?? (await freeBytes(folder))))
    throw new Failure(
      "store.unusable",
      `${folder} has no room for ${Math.ceil(needed / 1_048_576)} MiB; free some space, or use another disk. Nothing was changed.`,
    );
  for (const part of manifest.parts) {
    const file = await next();
    if (file?.name !== part.name || file.size !== part.size) throw invalid("its content does not match its manifest");
    const path = join(folder, part.path ?? part.name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writePart(file, part, path, onProgress);
    await syncFolder(dirname(path));
  }
  if (await next()) throw invalid("it contains files that its manifest does not list");
  return manifest;
}

/** Free space that is left on the disk. */
const RESERVED_BYTES = 16 * 1_048_576;

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function readManifest(file: TarFile | undefined): Promise<BackupManifest> {
  if (file?.name !== MANIFEST_FILE) throw invalid("it does not begin with a manifest");
  if (file.size > MAX_MANIFEST_BYTES) throw invalid("its manifest is too large");
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.content) chunks.push(chunk);
  const manifest = parseManifest(Buffer.concat(chunks).toString("utf8"));
  if (manifest === "invalid") throw invalid("its manifest cannot be read");
  if (manifest === "newer" || manifest.schema_version > SCHEMA_VERSION) throw newerRelease();
  const [database, ...models] = manifest.parts;
  const startsWithDatabase = database?.name === DATABASE_FILE && database.path === undefined;
  // Paths must differ on file systems that ignore case, too.
  const paths = models.flatMap(({ path = "" }) => (MODEL_PATH.test(path) ? [path.toLowerCase()] : []));
  if (!startsWithDatabase || new Set(paths).size !== models.length) throw invalid("its manifest lists unknown parts");
  return manifest;
}

async function writePart(
  { content }: TarFile,
  { path: listed, size, sha256 }: BackupPart,
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
  if (hash.digest("hex") !== sha256) throw invalid(`the hash of ${listed ?? "its database"} is wrong`);
}

function assertIntact({ schema_version }: BackupManifest, path: string): void {
  let found: number | string;
  try {
    found = inspectCopy(path);
  } catch (error) {
    throw error instanceof Failure ? newerRelease() : error;
  }
  if (typeof found === "string") throw invalid(`its database ${found}`);
  if (found !== schema_version) throw invalid("its database has another schema version than its manifest says");
}

/** The path is wrong then; errors while the archive is read concern the disk. */
async function assertReadable(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  const isAllowed = await access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (found?.isFile() && isAllowed) return;
  const reason = !found ? "no such file" : found.isFile() ? "permission denied" : "it is not a regular file";
  throw new Failure("config.invalid", `Cannot read ${file}: ${reason}.`);
}

async function isEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
}

/** Removes what killed restores left. The caller holds the directory lock, so no other restore is running. */
async function removeAbandoned(place: string): Promise<void> {
  const prefix = `${basename(place)}${STAGING}`;
  const staged = (await readdir(dirname(place))).filter((name) => name.startsWith(prefix));
  const paths = [...staged.map((name) => join(dirname(place), name)), ...(await findAbandonedSwaps(place))];
  for (const path of paths) await rm(path, { recursive: true, force: true });
}

const failMove = (place: string) => (error: unknown) => {
  if (!/^(EBUSY|EXDEV|EPERM|EACCES|EROFS|ENOTEMPTY|EEXIST)$/.test(errorCode(error))) throw error;
  throw new Failure(
    "store.unusable",
    `Cannot rename ${place}; it may be a mount point. Restore into another directory with --data-dir, and start the service with that directory.`,
    { cause: error },
  );
};
