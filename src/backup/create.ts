import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { SCHEMA_VERSION } from "../store/inspect.ts";
import { DATABASE_FILE } from "../store/store.ts";
import { sync } from "../store/swap.ts";
import { Failure } from "../vocabulary/failure.ts";
import { type OnProgress, unwritable } from "./faults.ts";
import { type BackupManifest, type BackupPart, FORMAT, FORMAT_VERSION, MANIFEST_FILE } from "./manifest.ts";
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

export interface CreateOptions {
  /** Writes a whole and consistent copy of the database. */
  readonly copy: (path: string, signal?: AbortSignal) => Promise<void>;
  readonly version: string;
  readonly now: Date;
  /** How a refusal calls the archive's folder; by default by its path. */
  readonly place?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Ends of the names under which an archive is made: it appears under its own when it is whole. */
export const UNFINISHED = [".part", ".database.part", ".database.part.part"];

/**
 * Writes an archive of all that cannot be made again: the database, and a manifest before it. The search index and the
 * unpacked libraries are not in it. Holds a chunk of the database in memory, and a copy of it on the archive's disk.
 *
 * @throws Failure `config.invalid` when the file is there already, `store.unusable` when it cannot be written
 */
export async function createArchive(file: string, options: CreateOptions): Promise<Backup> {
  const { now, signal, onProgress } = options;
  if (await stat(file).catch(() => undefined))
    throw new Failure("config.invalid", `${file} is there already; choose another name, or remove it.`);
  const [part = "", database = ""] = UNFINISHED.map((end) => `${file}${end}`);
  try {
    onProgress?.("copy", 0, null);
    await options.copy(database, signal);
    const told = await partOf(database, DATABASE_FILE, signal, onProgress);
    const manifest: BackupManifest = {
      format: FORMAT,
      format_version: FORMAT_VERSION,
      product_version: options.version,
      schema_version: SCHEMA_VERSION,
      created_at: now.toISOString(),
      parts: [told],
    };
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    const hash = createHash("sha256");
    let size = 0;
    await pipeline(
      writeTar(
        [
          { name: MANIFEST_FILE, size: text.length, content: [text] },
          { name: told.name, size: told.size, content: counted(database, "pack", told.size, onProgress) },
        ],
        now,
      ),
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
    // After an interrupt the copying thread may still be at its last file.
    for (const end of UNFINISHED) await rm(`${file}${end}`, { force: true }).catch(() => {});
  }
}

async function partOf(
  path: string,
  name: string,
  signal: AbortSignal | undefined,
  onProgress: OnProgress | undefined,
): Promise<BackupPart> {
  const { size } = await stat(path);
  const hash = createHash("sha256");
  for await (const chunk of counted(path, "check", size, onProgress)) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return { name, size, sha256: hash.digest("hex") };
}

const CHUNK_BYTES = 1_048_576;

async function* counted(
  path: string,
  step: "check" | "pack",
  total: number,
  onProgress: OnProgress | undefined,
): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    yield chunk;
    done += chunk.length;
    onProgress?.(step, done, total);
  }
}

/** Makes sure that a file outlives a loss of power. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
