import { chmod, lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../core/errors.ts";
import { giveBackExecutable, keepFewArenas } from "./allocator.ts";
import { DISK, type Disk } from "./disk.ts";
import { NATIVE_FILES, type NativeFile, type NativePart } from "./files.ts";

/**
 * Written after the files beside it were held against their hashes, and to the disk before the files were ever loaded.
 *
 * A later start compares names, sizes and times with it and reads no file, which would take half a second for 200 MB.
 * That is as safe as hashing: who can write here can write the database, too, and could put another file in place
 * between the hash and the load. A start that was broken off leaves no stamp, a file written over has another size or
 * time, and a file copied here by a restore has another time; all of these are hashed again. What is left is a disk
 * that loses bits, which a start does not look for in the executable itself either; `casefile doctor` does.
 */
export const STAMP = "verified.json";

/** What is remembered of each file: its hash, its size, and when it was last written. */
type Stamp = Readonly<Record<string, string>>;

/** @returns undefined when there is no such file, or it is something else or somebody else's */
async function markOf(folder: string, file: NativeFile): Promise<string | undefined> {
  const found = await lstat(join(folder, file.name)).catch(() => undefined);
  if (!found?.isFile() || found.size !== file.bytes || !isTrusted(found.uid)) return undefined;
  return `${file.sha256} ${found.size} ${found.mtimeMs}`;
}

/** @returns undefined when there is none that can be trusted and read */
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

/** This user's own, or the administrator's. Windows tells no owner. */
function isTrusted(uid: number): boolean {
  const own = process.getuid?.();
  return own === undefined || uid === own || uid === 0;
}

/** A part of a file, or a folder of another version, that nobody has touched for so long is nobody's any more. */
const ABANDONED_MS = 24 * 3_600_000;
/** Beside the files themselves: the stamp, and what the file system needs for its own lists. */
const SPARE_BYTES = 1_048_576;

/**
 * Loads the add-on of a package that an executable carries. Call it before the package is imported from source, too.
 *
 * @param unpackDir the folder for the executable's native files, only the operator's to write
 * @returns what the add-on exports; undefined where the program runs from its source
 * @throws Failure `store.unusable` when the files cannot be written; Error when they do not fit the machine
 */
export async function loadAddon(part: NativePart, unpackDir: string): Promise<unknown> {
  keepFewArenas();
  const files = NATIVE_FILES[part];
  if (files.length === 0) return undefined;
  const addon: { exports: unknown } = { exports: {} };
  process.dlopen(addon, await unpack(part, files, unpackDir));
  await giveBackExecutable();
  // What unpacking leaves behind would be collected some 80 MB later.
  Bun.gc(true);
  return addon.exports;
}

/**
 * Unpacks the files once per content: their folder is named after the hashes, so versions never meet. Each is written
 * under a temporary name, verified and then renamed, since two processes may start at once and a loaded file must never
 * be written over. The folder is this user's alone and never one for temporary files: what lies here is loaded as code.
 *
 * @returns the path of the last file
 * @throws Failure `store.unusable` that names the folder and the room that is needed
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
    await forgetAbandoned(part, unpackDir, folder).catch(() => {});
    return last;
  }
  const missing: NativeFile[] = [];
  for (const file of files) if (!(await isWhole(folder, file))) missing.push(file);
  const needed = missing.reduce((sum, { bytes }) => sum + bytes, SPARE_BYTES);
  try {
    await makePrivate(folder);
    await forgetAbandoned(part, unpackDir, folder);
    const free = missing.length === 0 ? needed : await disk.freeBytes(folder);
    if (free < needed) throw full(unpackDir, needed, free);
    for (const file of missing) await place(folder, file, disk);
    await writeStamp(folder, files, disk);
  } catch (error) {
    // Whole files that cannot be stamped, in a directory that was made read-only since, are as good.
    if (missing.length > 0 || !(await isPrivate(folder))) throw refusalOf(error, unpackDir, needed);
  }
  return last;
}

/** Names of unpacked files that are not what the executable carries; never unpacked ones are no fault. Reads them all. */
export async function damagedNatives(unpackDir: string, carried = NATIVE_FILES): Promise<string[]> {
  const damaged: string[] = [];
  for (const part of ["lancedb", "onnxruntime"] as const) {
    const files = carried[part];
    const folder = join(unpackDir, folderName(part, files));
    for (const file of files)
      if ((await Bun.file(join(folder, file.name)).exists()) && !(await isWhole(folder, file))) damaged.push(file.name);
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

async function isWhole(folder: string, file: NativeFile): Promise<boolean> {
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
    // In parts: the whole would take 200 MB of memory beside the file.
    for await (const part of Bun.file(file.path).stream().pipeThrough(new DecompressionStream("zstd"))) {
      hash.update(part);
      yield part;
    }
  }
  try {
    await disk.write(temporary, unpacked());
    if (hash.digest("hex") !== file.sha256) throw damaged(file);
    await rename(temporary, path).catch(async (error) => {
      // Windows lets nobody replace a file that another process has loaded meanwhile.
      if (!(await isWhole(folder, file))) throw error;
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

/** Names that folders here had before they told their part. */
const UNNAMED = /^[0-9a-f]{16}$/;
/** Where an add-on lay before there was a folder for them. */
const FORMER = join("..", "index", "native");

/**
 * Removes what a broken start left, and other versions' files. That is safe while an older program runs: what it has
 * loaded stays its own until it ends, or cannot be removed at all, and what it has not yet loaded it unpacks again.
 */
async function forgetAbandoned(part: NativePart, unpackDir: string, folder: string): Promise<void> {
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

function refusalOf(error: unknown, unpackDir: string, needed: number): unknown {
  if (error instanceof Failure) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") return full(unpackDir, needed);
  const failure = new Failure(
    "store.unusable",
    `The program's native files cannot be written to ${unpackDir} (${code || "it failed"}); see that this user may write there, with ${megabytes(needed)} free.`,
  );
  failure.cause = error;
  return failure;
}

const full = (unpackDir: string, needed: number, free?: number) =>
  new Failure(
    "store.unusable",
    `The disk of ${unpackDir} is full: the program's native files need ${megabytes(needed)}${free === undefined ? "" : ` and ${megabytes(free)} are free`}; make room, or put the data directory elsewhere.`,
  );

const damaged = ({ name }: NativeFile) =>
  new Failure("store.unusable", `This executable is damaged (its ${name} is not what was built in); fetch it again.`);

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
