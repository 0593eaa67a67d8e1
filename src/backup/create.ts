import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { errorCode, Failure } from "../core/errors.ts";
import { DATABASE_FILE } from "../db/database.ts";
import { SCHEMA_VERSION } from "../db/migrate.ts";
import { sync } from "../db/swap.ts";
import {
  type BackupManifest,
  type BackupPart,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST_FILE,
  type OnProgress,
  unwritable,
} from "./manifest.ts";
import { writeTar } from "./tar.ts";

export interface Backup {
  readonly name: string;
  /** Bytes of the archive. */
  readonly size: number;
  /** Of the archive, lower-case hex. */
  readonly sha256: string;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

interface CreateOptions {
  /** Writes a whole and consistent copy of the database. */
  readonly copy: (path: string, signal?: AbortSignal) => Promise<void>;
  /** Files that are packed too, in groups: one of which a file is gone is left out. */
  readonly groups?: readonly (readonly ArchivedFile[])[] | undefined;
  readonly version: string;
  readonly now: Date;
  /** How a refusal calls the archive's folder; by default by its path. */
  readonly place?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** A file that never changes while it is there. */
export interface ArchivedFile {
  /** Where it lies. */
  readonly from: string;
  /** Its path in the data directory, of the shape of {@link MODEL_PATH}. */
  readonly path: string;
}

/** Ends of the names under which an archive is made: it appears under its own when it is whole. */
const UNFINISHED = [".part", ".database.part", ".database.part.part"];

/**
 * Writes an archive of all that cannot be made again: the database and the files that are given, and a manifest before
 * them. The search index and the unpacked libraries are not in it. Holds a chunk of a file in memory, and a copy of the
 * database on the archive's disk.
 *
 * @throws Failure `config.invalid` when the file is there already, `store.unusable` when it cannot be written
 */
export async function createArchive(file: string, options: CreateOptions): Promise<Backup> {
  const { now, signal, onProgress } = options;
  if (await stat(file).catch(() => undefined))
    throw new Failure("config.invalid", `${file} is there already; choose another name, or remove it.`);
  const [part = "", database = ""] = UNFINISHED.map((end) => `${file}${end}`);
  const files: OpenFile[] = [];
  try {
    onProgress?.("copy", 0, null);
    await options.copy(database, signal);
    files.push({ name: DATABASE_FILE, handle: await open(database) });
    // Held open from here on: what is removed meanwhile is packed all the same.
    for (const group of options.groups ?? []) files.push(...(await opened(group, files.length)));
    const parts: BackupPart[] = [];
    for (const one of files) parts.push(await partOf(one, signal, onProgress));
    const manifest: BackupManifest = {
      format: FORMAT,
      format_version: files.length === 1 ? 1 : FORMAT_VERSION,
      product_version: options.version,
      schema_version: SCHEMA_VERSION,
      created_at: now.toISOString(),
      parts,
    };
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    const contents = files.map(({ name, handle }, at) => {
      const { size } = parts[at] ?? { size: 0 };
      return { name, size, content: withQuota(handle, "pack", size, onProgress) };
    });
    const hash = createHash("sha256");
    let size = 0;
    await pipeline(
      writeTar([{ name: MANIFEST_FILE, size: text.length, content: [text] }, ...contents], now),
      createZstdCompress(),
      async function* (packed: AsyncIterable<Uint8Array>) {
        for await (const chunk of packed) {
          hash.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(part, { flags: "wx", mode: 0o600 }),
      ...(signal ? [{ signal }] : []),
    );
    await flush(part);
    await rename(part, file);
    await sync(dirname(file));
    return { name: basename(file), size, sha256: hash.digest("hex"), created_at: manifest.created_at };
  } catch (error) {
    throw unwritable(options.place ?? dirname(file), error);
  } finally {
    for (const { handle } of files) await handle.close().catch(() => {});
    // After an interrupt the copying thread may still be at its last file.
    for (const end of UNFINISHED) await rm(`${file}${end}`, { force: true }).catch(() => {});
  }
}

interface OpenFile extends Pick<BackupPart, "name" | "path"> {
  readonly handle: FileHandle;
}

/** @param before how many files stand before them in the archive */
async function opened(group: readonly ArchivedFile[], before: number): Promise<OpenFile[]> {
  const files: OpenFile[] = [];
  try {
    for (const { from, path } of group)
      files.push({ name: `model-file-${before + files.length}`, path, handle: await open(from) });
    return files;
  } catch (error) {
    for (const { handle } of files) await handle.close();
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function partOf(
  { handle, ...names }: OpenFile,
  signal: AbortSignal | undefined,
  onProgress: OnProgress | undefined,
): Promise<BackupPart> {
  const { size } = await handle.stat();
  const hash = createHash("sha256");
  for await (const chunk of withQuota(handle, "check", size, onProgress)) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return { ...names, size, sha256: hash.digest("hex") };
}

const CHUNK_BYTES = 1_048_576;

async function* withQuota(
  handle: FileHandle,
  step: "check" | "pack",
  total: number,
  onProgress: OnProgress | undefined,
): AsyncGenerator<Uint8Array> {
  for (let done = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, done);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    done += bytesRead;
    onProgress?.(step, done, total);
  }
}

/** Makes sure that a file outlives a loss of power. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Who asked for an archive: only those that a schedule made are removed by it. */
export type BackupKind = "manual" | "scheduled";

export interface StoredBackup {
  readonly name: string;
  readonly kind: BackupKind;
  /** Bytes. */
  readonly size: number;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

const NAME = /^(manual|scheduled)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.tar\.zst$/;
const ABANDONED_MS = 24 * 3_600_000;

export const archiveName = (kind: BackupKind, now: Date): string =>
  `${kind}-${now.toISOString().replaceAll(/[-:.]/g, "")}.tar.zst`;

/** The archive of this name; undefined for every name that {@link archiveName} does not give. */
export async function findArchive(folder: string, name: string): Promise<StoredBackup | undefined> {
  const [, kind, year, month, day, hour, minute, second, rest] = NAME.exec(name) ?? [];
  if (kind !== "manual" && kind !== "scheduled") return undefined;
  const found = await lstat(join(folder, name)).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  return { name, kind, size: found.size, created_at: `${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z` };
}

/** Newest first; files of other names are none. */
export async function listArchives(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = await Promise.all(names.map((name) => findArchive(folder, name)));
  return found
    .filter((one) => one !== undefined)
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.name.localeCompare(a.name));
}

/** Removes what a schedule made beyond the newest `keep`, and what archives that were never finished have left. */
export async function removeExpired(folder: string, keep: number, now: Date): Promise<void> {
  const scheduled = (await listArchives(folder)).filter(({ kind }) => kind === "scheduled");
  for (const { name } of scheduled.slice(keep)) await rm(join(folder, name), { force: true });
  for (const name of await readdir(folder)) {
    const end = UNFINISHED.find((one) => name.endsWith(one) && NAME.test(name.slice(0, -one.length)));
    if (end === undefined) continue;
    const { mtimeMs } = (await lstat(join(folder, name)).catch(() => undefined)) ?? { mtimeMs: now.getTime() };
    if (now.getTime() - mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true });
  }
}
