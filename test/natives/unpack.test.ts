import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { Failure } from "../../src/core/errors.ts";
import type { NativeFile } from "../../src/natives/files.ts";
import { DISK, type Disk, damagedNatives, STAMP, unpack } from "../../src/natives/unpack.ts";

let folder: string;
let to: string;
let files: NativeFile[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-natives-"));
  files = [await carried("lib.so", "a library "), await carried("addon.node", "an add-on ")];
});
beforeEach(async () => {
  to = await mkdtemp(join(folder, "data-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const contentOf = (word: string) => new TextEncoder().encode(word.repeat(1_000));

async function carried(name: string, word: string): Promise<NativeFile> {
  const content = contentOf(word);
  const path = join(folder, `${name}.zst`);
  await Bun.write(path, Bun.zstdCompressSync(content));
  const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  return { name, path, sha256, bytes: content.length };
}

const failing = (code: string): Disk => ({
  ...DISK,
  write: async () => {
    throw Object.assign(new Error("no"), { code });
  },
});
const noDisk: Disk = {
  freeBytes: () => Promise.reject(new Error("checked")),
  write: () => Promise.reject(new Error("written to")),
};
const refusal = async (work: Promise<unknown>): Promise<Failure> => {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof Failure)) throw new Error(`no refusal but ${error}`);
  return error;
};
const only = async (dir: string) => {
  const [name = "", ...more] = await readdir(dir);
  expect(more).toEqual([]);
  return join(dir, name);
};

test("unpacks once, in a folder that only its owner may read", async () => {
  const last = await unpack("lancedb", files, to);
  expect(await Bun.file(last).bytes()).toEqual(contentOf("an add-on "));
  const inner = await only(to);
  expect((await stat(inner)).mode & 0o777).toBe(0o700);
  expect((await readdir(inner)).sort()).toEqual(["addon.node", "lib.so", STAMP]);
  expect(await unpack("lancedb", files, to, noDisk)).toBe(last);
});

test("a truncated, overwritten or linked file is unpacked again", async () => {
  const last = await unpack("lancedb", files, to);
  await Bun.write(last, "cut off");
  await unpack("lancedb", files, to);
  expect(await Bun.file(last).bytes()).toEqual(contentOf("an add-on "));
  await Bun.write(last, contentOf("an ad-don "));
  expect(await damagedNatives(to, { lancedb: files, onnxruntime: [] })).toEqual(["addon.node"]);
  await utimes(last, 1, 1);
  await unpack("lancedb", files, to);
  expect(await Bun.file(last).bytes()).toEqual(contentOf("an add-on "));
  expect(await damagedNatives(to, { lancedb: files, onnxruntime: [] })).toEqual([]);
  await rm(last);
  await Bun.write(join(folder, "planted"), contentOf("an add-on "));
  await symlink(join(folder, "planted"), last);
  await unpack("lancedb", files, to);
  expect((await stat(last)).ino).not.toBe((await stat(join(folder, "planted"))).ino);
});

test("without a stamp, intact files are hashed and kept, even in a read-only directory", async () => {
  const last = await unpack("lancedb", files, to);
  const { ino } = await stat(last);
  const inner = await only(to);
  await rm(join(inner, STAMP));
  await unpack("lancedb", files, to, failing("EROFS"));
  expect((await readdir(inner)).sort()).toEqual(["addon.node", "lib.so"]);
  await unpack("lancedb", files, to);
  expect((await stat(last)).ino).toBe(ino);
  expect(await unpack("lancedb", files, to, noDisk)).toBe(last);
});

test("an invalid stamp is ignored", async () => {
  const last = await unpack("lancedb", files, to);
  for (const nonsense of ["", "null", "[]", "7", '{"addon.node":1}', "{".repeat(100_000)]) {
    await Bun.write(last, "cut off");
    await Bun.write(join(await only(to), STAMP), nonsense);
    await unpack("lancedb", files, to);
    expect(await Bun.file(last).bytes()).toEqual(contentOf("an add-on "));
  }
});

test.skipIf(process.platform === "win32")("others lose their right to write to the folder", async () => {
  await unpack("lancedb", files, to);
  const inner = await only(to);
  await chmod(inner, 0o777);
  await unpack("lancedb", files, to);
  expect((await stat(inner)).mode & 0o777).toBe(0o700);
});

test("two processes that start at once both get intact files and leave nothing else", async () => {
  const script = join(folder, "start.ts");
  await Bun.write(
    script,
    `import { unpack } from ${JSON.stringify(join(import.meta.dir, "../../src/natives/unpack.ts"))};
     await unpack("lancedb", ${JSON.stringify(files)}, ${JSON.stringify(to)});`,
  );
  const started = [1, 2, 3].map(() => Bun.spawn([process.execPath, script], { stderr: "inherit" }));
  expect(await Promise.all(started.map(({ exited }) => exited))).toEqual([0, 0, 0]);
  const inner = await only(to);
  expect((await readdir(inner)).sort()).toEqual(["addon.node", "lib.so", STAMP]);
  expect(await Bun.file(join(inner, "addon.node")).bytes()).toEqual(contentOf("an add-on "));
  expect(await damagedNatives(to, { lancedb: files, onnxruntime: [] })).toEqual([]);
});

test("a full disk is reported before anything is written, with the directory and the space needed", async () => {
  const { code, message } = await refusal(unpack("lancedb", files, to, { ...noDisk, freeBytes: async () => 900_000 }));
  expect(code).toBe("store.unusable");
  expect(message).toContain(to);
  expect(message).toContain("need 2 MB, and 1 MB are free");
  expect(await readdir(await only(to))).toEqual([]);
});

test("a disk that fills up during unpacking is reported likewise", async () => {
  const { code, message } = await refusal(unpack("lancedb", files, to, failing("ENOSPC")));
  expect(code).toBe("store.unusable");
  expect(message).toStartWith(`The disk of ${to} is full: the native files need 2 MB`);
});

test.each(["EACCES", "EROFS", "EPERM"])("a directory that is not writable is reported: %s", async (reason) => {
  const { code, message } = await refusal(unpack("lancedb", files, to, failing(reason)));
  expect(code).toBe("store.unusable");
  expect(message).toContain(`Cannot write the native files to ${to} (${reason})`);
  expect(message).toContain("2 MB of free space");
});

test("a file in place of the directory is reported", async () => {
  await Bun.write(join(to, "native"), "");
  const { message } = await refusal(unpack("lancedb", files, join(to, "native")));
  expect(message).toContain(`Cannot write the native files to ${join(to, "native")}`);
});

test("a file with a wrong checksum is not left behind", async () => {
  const [lib, addon] = files;
  const { message } = await refusal(unpack("lancedb", [lib!, { ...addon!, sha256: "0".repeat(64) }], to));
  expect(message).toContain("the checksum of its addon.node is wrong");
  expect(await readdir(await only(to))).toEqual(["lib.so"]);
});

test("remains of other versions and interrupted starts are deleted after a day, those of another package never", async () => {
  const inner = join(await unpack("lancedb", files, to), "..");
  const old = new Date(Date.now() - 2 * 86_400_000);
  for (const name of ["lancedb-old", "onnxruntime-old", "lancedb-new"]) await mkdir(join(to, name));
  for (const name of ["lancedb-old", "onnxruntime-old"]) await utimes(join(to, name), old, old);
  for (const name of ["a.1.part", "b.2.part"]) await Bun.write(join(inner, name), "");
  await utimes(join(inner, "a.1.part"), old, old);
  await rm(join(inner, STAMP));
  await unpack("lancedb", files, to);
  expect((await readdir(to)).filter((name) => !inner.endsWith(name)).sort()).toEqual([
    "lancedb-new",
    "onnxruntime-old",
  ]);
  expect((await readdir(inner)).sort()).toEqual(["addon.node", "b.2.part", "lib.so", STAMP]);
});

test("folders with names of earlier builds are deleted after a day, even when nothing is unpacked", async () => {
  const native = join(to, "native");
  const last = await unpack("lancedb", files, native);
  const former = ["native/0123456789abcdef", "native/fedcba9876543210", "index/native"];
  const mine = ["native/0123456789abcdef0", "native/mine", "index/passages.lance"];
  const old = new Date(Date.now() - 2 * 86_400_000);
  for (const name of [...former, ...mine]) {
    await Bun.write(join(to, name, "addon.node"), "an older add-on");
    if (name !== "native/fedcba9876543210") await utimes(join(to, name), old, old);
  }
  expect(await unpack("lancedb", files, native, noDisk)).toBe(last);
  expect((await readdir(native)).sort()).toEqual(
    ["0123456789abcdef0", basename(dirname(last)), "fedcba9876543210", "mine"].sort(),
  );
  expect(await readdir(join(to, "index"))).toEqual(["passages.lance"]);
});
