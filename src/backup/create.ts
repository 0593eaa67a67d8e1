import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { errorCode, Failure } from "../core/errors.ts";
import { syncFolder } from "../core/files.ts";
import { DATABASE_FILE } from "../db/database.ts";
import { SCHEMA_VERSION } from "../db/migrate.ts";
import {
  asDiskFailure,
  type BackupManifest,
  type BackupPart,
  type BackupWork,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST_FILE,
  type OnProgress,
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

interface CreateOptions extends BackupWork {
  /** Writes a complete, consistent copy of the database. */
  readonly copy: (path: string, signal?: AbortSignal) => Promise<void>;
  /** Further files in groups; a group of which a file is missing is omitted. */
  readonly groups?: readonly (readonly ArchivedFile[])[] | undefined;
  readonly version: string;
  readonly now: Date;
  /** Name of the archive's folder in messages; its path by default. */
  readonly folderName?: string | undefined;
}

/** A file that does not change while it exists. */
export interface ArchivedFile {
  /** Where to read it. */
  readonly from: string;
  /** Its path in the data directory, which matches `MODEL_PATH`. */
  readonly path: string;
}

/** Suffixes of the files written before an archive is complete; only then it gets its own name. */
export const UNFINISHED = [".part", ".database.part", ".database.part.part"];

/**
 * Writes an archive of everything that cannot be rebuilt: a manifest, the database and the given files. The search index
 * and the unpacked libraries are not in it. Needs 1 MiB of memory, and space for a copy of the database next to the
 * archive.
 *
 * @throws Failure `config.invalid` when the file exists, `store.unusable` when it cannot be written
 */
export async function createArchive(file: string, options: CreateOptions): Promise<Backup> {
  const { now, signal, onProgress } = options;
  if (await stat(file).catch(() => undefined))
    throw new Failure("config.invalid", `${file} already exists; choose another name, or remove it.`);
  const [part = "", database = ""] = UNFINISHED.map((suffix) => `${file}${suffix}`);
  const files: OpenFile[] = [];
  try {
    onProgress?.("copy", 0, null);
    await options.copy(database, signal);
    files.push({ name: DATABASE_FILE, handle: await open(database) });
    // Open until the end: a model that is removed meanwhile is archived all the same.
    for (const group of options.groups ?? []) files.push(...(await openGroup(group, files.length)));
    const parts: BackupPart[] = [];
    for (const openFile of files) parts.push(await describePart(openFile, options));
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
      return { name, size, content: readChunks(handle, "pack", size, onProgress) };
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
      createWriteStream(part, { flags: "wx", mode: 0o600, flush: true }),
      { signal },
    );
    await rename(part, file);
    await syncFolder(dirname(file));
    return { name: basename(file), size, sha256: hash.digest("hex"), created_at: manifest.created_at };
  } catch (error) {
    throw asDiskFailure(options.folderName ?? dirname(file), error);
  } finally {
    // What could not be closed or removed must not hide why the archive failed.
    for (const { handle } of files) await handle.close().catch(() => {});
    // After an abort the copying thread may still write its file.
    for (const suffix of UNFINISHED) await rm(`${file}${suffix}`, { force: true }).catch(() => {});
  }
}

interface OpenFile extends Pick<BackupPart, "name" | "path"> {
  readonly handle: FileHandle;
}

/** @param before number of files before the group in the archive */
async function openGroup(group: readonly ArchivedFile[], before: number): Promise<OpenFile[]> {
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

async function describePart({ handle, ...names }: OpenFile, { signal, onProgress }: BackupWork): Promise<BackupPart> {
  const { size } = await handle.stat();
  const hash = createHash("sha256");
  for await (const chunk of readChunks(handle, "check", size, onProgress)) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return { ...names, size, sha256: hash.digest("hex") };
}

const CHUNK_BYTES = 1_048_576;

async function* readChunks(
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
