import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../src/embed/model-files.ts";
import { unpackAll } from "../../src/embed/native.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-native-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const content = new TextEncoder().encode("a library ".repeat(100));

async function part(name: string, hash = sha256(content)) {
  const path = join(folder, `${name}.zst`);
  await Bun.write(path, Bun.zstdCompressSync(content));
  return { name, path, sha256: hash };
}

test("unpacks once, in a folder that only its owner may read, and repairs what was damaged", async () => {
  const to = join(folder, "data");
  const files = [await part("lib.so"), await part("addon.node")];
  const last = await unpackAll(files, to);
  expect(last).toEndWith("addon.node");
  const [inner = ""] = await readdir(to);
  expect((await stat(join(to, inner))).mode & 0o777).toBe(0o700);
  expect((await readdir(join(to, inner))).sort()).toEqual(["addon.node", "lib.so"]);
  const before = (await stat(last)).ino;
  await unpackAll(files, to);
  expect((await stat(last)).ino).toBe(before);
  await Bun.write(last, "cut off");
  await Promise.all([unpackAll(files, to), unpackAll(files, to)]);
  expect(await Bun.file(last).bytes()).toEqual(content);
  expect((await readdir(join(to, inner))).sort()).toEqual(["addon.node", "lib.so"]);
});

test("a part that is not the one that was built in is not left behind", async () => {
  const to = join(folder, "wrong");
  const files = [await part("lib.so", "0".repeat(64))];
  expect(await unpackAll(files, to).catch(String)).toContain("damaged");
  const [inner = ""] = await readdir(to);
  expect(await readdir(join(to, inner))).toEqual([]);
});
