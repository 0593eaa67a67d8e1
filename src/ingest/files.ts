import { createHash } from "node:crypto";
import { type FileHandle, open, opendir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorCode, Failure } from "../core/errors.ts";

export interface FoundFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly modified: Date;
}

const MAX_DEPTH = 64;

/**
 * The files at the given paths, those of folders at any depth. Links inside folders are not followed, so that none leads in
 * circles; hidden files are passed over.
 *
 * @throws Failure `snapshot.invalid` when there is no file at a given path
 */
export async function* findFiles(paths: readonly string[]): AsyncGenerator<FoundFile> {
  for (const path of paths) {
    const found = await stat(path).catch((error) => {
      throw unreadable(path, errorCode(error) === "ENOENT" ? "no such file" : "permission denied");
    });
    if (found.isDirectory()) yield* filesIn(path, 0);
    else if (found.isFile()) yield { path, name: basename(path), size: found.size, modified: found.mtime };
    else throw unreadable(path, "it is not a regular file");
  }
}

async function* filesIn(folder: string, depth: number): AsyncGenerator<FoundFile> {
  if (depth > MAX_DEPTH) return;
  const entries = [];
  for await (const entry of await opendir(folder)) if (!entry.name.startsWith(".")) entries.push(entry);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path, depth + 1);
    if (!entry.isFile()) continue;
    const found = await stat(path).catch(() => undefined);
    // Removed since the folder was listed.
    if (found) yield { path, name: entry.name, size: found.size, modified: found.mtime };
  }
}

const unreadable = (path: string, reason: string) => new Failure("snapshot.invalid", `Cannot read ${path}: ${reason}.`);

/** Files up to this size are hashed whole; of longer ones the start, the end and samples between. */
const HASHED_WHOLE = 32 * 1_048_576;
const SAMPLE = 262_144;
const SAMPLES = 64;

/**
 * Identifies a file by its name, size and content, wherever it is. The name counts, because it may be that of a zone.
 */
export async function digestOfFile({ path, name, size }: FoundFile): Promise<string> {
  const hash = createHash("sha256").update(`${name}\n${size}\n`);
  const file = await open(path);
  try {
    if (size <= HASHED_WHOLE) await hashRange(file, 0, size, hash);
    else
      for (let sample = 0; sample < SAMPLES; sample++)
        await hashRange(file, Math.floor(((size - SAMPLE) * sample) / (SAMPLES - 1)), SAMPLE, hash);
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}

async function hashRange(file: FileHandle, start: number, length: number, hash: ReturnType<typeof createHash>) {
  const buffer = new Uint8Array(Math.min(length, 1_048_576));
  for (let at = start; at < start + length; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, start + length - at), at);
    if (bytesRead === 0) return;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
