import { chmod, lstat, mkdir, open, readdir, readFile, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, Failure } from "../core/errors.ts";
import { NATIVE_FILES, type NativeFile, type NativePart } from "./files.ts";
import { releaseExecutablePages } from "./resident-pages.ts";

/** The disk operations of unpacking, which tests replace. */
export interface Disk {
  /** Bytes that this user may still write to the file system of an existing folder. */
  freeBytes(folder: string): Promise<number>;
  /** Writes a new file that only its owner may read, and flushes it. @throws Error with the code of the system */
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
}

export const DISK: Disk = {
  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },

  async write(path, content) {
    const file = await open(path, "wx", 0o600);
    try {
      for await (const part of content) await file.writeFile(part);
      // The stamp must not reach the disk before the files that it vouches for.
      await file.sync();
    } finally {
      await file.close();
    }
  },
};

/**
 * Records which files were verified. It is written after their hashes were checked and before they are first loaded.
 *
 * A later start compares names, sizes and times with it instead of hashing 200 MB, which would take half a second. That
 * is as safe: an attacker who can write here can also write the database, or replace a file between hash and load. An
 * interrupted start leaves no stamp; an overwritten or restored file has another size or time; all of these are hashed
 * again. Bit rot is not detected at a start, but by `casefile doctor`.
 */
export const STAMP = "verified.json";

/** By file name: hash, size and modification time. */
type Stamp = Readonly<Record<string, string>>;

/** @returns undefined without such a file of the right size and a trusted owner */
async function markOf(folder: string, file: NativeFile): Promise<string | undefined> {
  const found = await lstat(join(folder, file.name)).catch(() => undefined);
  if (!found?.isFile() || found.size !== file.bytes || !isTrusted(found.uid)) return undefined;
  return `${file.sha256} ${found.size} ${found.mtimeMs}`;
}

/** @returns undefined without a readable stamp of a trusted owner */
async function findStamp(folder: string): Promise<Stamp | undefined> {
  try {
    const path = join(folder, STAMP);
    const found = await lstat(path);
    if (!found.isFile() || found.size > 65_536 || !isTrusted(found.uid)) return undefined;
    const stamp: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof stamp !== "object" || stamp === null) return undefined;
    return Object.fromEntries(Object.entries(stamp).map(([name, mark]) => [name, String(mark)]));
  } catch {
    return undefined;
  }
}

/** Owned by this user or root. Windows reports no owner. */
function isTrusted(uid: number): boolean {
  const user = process.getuid?.();
  return user === undefined || uid === user || uid === 0;
}

/** Age after which partial files and the folders of other versions are deleted. */
const ABANDONED_MS = 24 * 3_600_000;
/** For the stamp and the metadata of the file system. */
const SPARE_BYTES = 1_048_576;

/**
 * Loads the add-on of a package from the executable.
 *
 * @param unpackDir folder for the native files of the executable; only the operator may write to it
 * @returns the exports of the add-on; undefined when the program runs from source
 * @throws Failure `store.unusable` when the files cannot be written; Error when they do not fit the machine
 */
export async function loadAddon(part: NativePart, unpackDir: string): Promise<unknown> {
  const files = NATIVE_FILES[part];
  if (files.length === 0) return undefined;
  const addon: { exports: unknown } = { exports: {} };
  process.dlopen(addon, await unpack(part, files, unpackDir));
  await releaseExecutablePages();
  // Otherwise the garbage of unpacking would be collected about 80 MB later.
  Bun.gc(true);
  return addon.exports;
}

/**
 * Unpacks the files once per content: the name of their folder is a hash, so versions do not collide. Each file is
 * written under a temporary name, verified and renamed, because two processes may start at once and a loaded file must
 * not be overwritten. The folder is private to this user and not a temporary one, because its files are loaded as code.
 *
 * @returns the path of the last file
 * @throws Failure `store.unusable`, naming the folder and the space that is needed
 */
export async function unpack(
  part: NativePart,
  files: readonly NativeFile[],
  unpackDir: string,
  disk: Disk = DISK,
): Promise<string> {
  const folder = join(unpackDir, folderName(part, files));
  const last = join(folder, files.at(-1)?.name ?? "");
  if (await isVerified(folder, files)) {
    // The libraries can be used although former ones are left; the next start tries again.
    await deleteAbandoned(part, unpackDir, folder).catch(() => {});
    return last;
  }
  const missing: NativeFile[] = [];
  for (const file of files) if (!(await isIntact(folder, file))) missing.push(file);
  const needed = missing.reduce((sum, { bytes }) => sum + bytes, SPARE_BYTES);
  try {
    await makePrivate(folder);
    await deleteAbandoned(part, unpackDir, folder);
    const free = missing.length === 0 ? needed : await disk.freeBytes(folder);
    if (free < needed) throw full(unpackDir, needed, free);
    for (const file of missing) await place(folder, file, disk);
    await writeStamp(folder, files, disk);
  } catch (error) {
    // Complete files in a directory that is now read-only are usable without a stamp.
    if (missing.length > 0 || !(await isPrivate(folder))) throw failureOf(error, unpackDir, needed);
  }
  return last;
}

/** Names of the unpacked files that differ from the executable; null when the program runs from source. Reads all files. */
export async function damagedNatives(unpackDir: string, included = NATIVE_FILES): Promise<string[] | null> {
  if (Object.values(included).every((files) => files.length === 0)) return null;
  const damaged: string[] = [];
  for (const part of ["lancedb", "onnxruntime"] as const) {
    const files = included[part];
    const folder = join(unpackDir, folderName(part, files));
    for (const file of files)
      if ((await Bun.file(join(folder, file.name)).exists()) && !(await isIntact(folder, file)))
        damaged.push(file.name);
  }
  return damaged;
}

const folderName = (part: NativePart, files: readonly NativeFile[]) => {
  const hash = new Bun.CryptoHasher("sha256").update(files.map(({ name, sha256 }) => `${name} ${sha256}`).join("\n"));
  return `${part}-${hash.digest("hex").slice(0, 16)}`;
};

async function isVerified(folder: string, files: readonly NativeFile[]): Promise<boolean> {
  const stamp = await findStamp(folder);
  if (!stamp || !(await isPrivate(folder))) return false;
  for (const file of files) if ((await markOf(folder, file)) !== stamp[file.name]) return false;
  return true;
}

async function isIntact(folder: string, file: NativeFile): Promise<boolean> {
  if ((await markOf(folder, file)) === undefined) return false;
  const hash = new Bun.CryptoHasher("sha256");
  try {
    for await (const part of Bun.file(join(folder, file.name)).stream()) hash.update(part);
  } catch {
    return false;
  }
  return hash.digest("hex") === file.sha256;
}

async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await isPrivate(folder))) await chmod(folder, 0o700);
}

async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory() || !isTrusted(found.uid)) return false;
  return process.platform === "win32" || (found.mode & 0o022) === 0;
}

async function place(folder: string, file: NativeFile, disk: Disk): Promise<void> {
  const path = join(folder, file.name);
  const temporary = `${path}.${process.pid}.${crypto.randomUUID()}.part`;
  const hash = new Bun.CryptoHasher("sha256");
  async function* unpacked() {
    // Streamed: a whole file would take 200 MB of memory.
    for await (const part of Bun.file(file.path).stream().pipeThrough(new DecompressionStream("zstd"))) {
      hash.update(part);
      yield part;
    }
  }
  try {
    await disk.write(temporary, unpacked());
    if (hash.digest("hex") !== file.sha256) throw damaged(file);
    await rename(temporary, path).catch(async (error) => {
      // Windows cannot replace a file that another process has loaded meanwhile.
      if (!(await isIntact(folder, file))) throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeStamp(folder: string, files: readonly NativeFile[], disk: Disk): Promise<void> {
  const marks = await Promise.all(files.map(async (file) => [file.name, await markOf(folder, file)] as const));
  const temporary = join(folder, `${STAMP}.${process.pid}.${crypto.randomUUID()}.part`);
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(marks)));
  async function* content() {
    yield text;
  }
  try {
    await disk.write(temporary, content());
    await rename(temporary, join(folder, STAMP));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Folder names of earlier versions, without the name of the part. */
const UNNAMED = /^[0-9a-f]{16}$/;
/** Location of the add-on in earlier versions. */
const FORMER = join("..", "index", "native");

/**
 * Deletes the remains of interrupted starts and the files of other versions. This is safe while an older version runs:
 * its loaded files stay available or cannot be deleted, and it unpacks the others again.
 */
async function deleteAbandoned(part: NativePart, unpackDir: string, folder: string): Promise<void> {
  const before = Date.now() - ABANDONED_MS;
  const others = (await readdir(unpackDir)).filter((name) => name.startsWith(`${part}-`) || UNNAMED.test(name));
  const parts = (await readdir(folder)).filter((name) => name.endsWith(".part"));
  const paths = [
    ...[...others, FORMER].map((name) => join(unpackDir, name)),
    ...parts.map((name) => join(folder, name)),
  ];
  for (const path of paths.filter((path) => path !== folder)) {
    const found = await lstat(path).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function failureOf(error: unknown, unpackDir: string, needed: number): unknown {
  if (error instanceof Failure) return error;
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") return full(unpackDir, needed);
  return new Failure(
    "store.unusable",
    `Cannot write the native files to ${unpackDir} (${code || "unknown error"}); allow this user to write there and provide ${megabytes(needed)} of free space.`,
    { cause: error },
  );
}

const full = (unpackDir: string, needed: number, free?: number) =>
  new Failure(
    "store.unusable",
    `The disk of ${unpackDir} is full: the native files need ${megabytes(needed)}${free === undefined ? "" : `, and ${megabytes(free)} are free`}; free some space or move the data directory.`,
  );

const damaged = ({ name }: NativeFile) =>
  new Failure("store.unusable", `This executable is damaged: the checksum of its ${name} is wrong. Download it again.`);

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
