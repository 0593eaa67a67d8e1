import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newCopy, newRemoval, removeAbandoned } from "../../../src/embedding/custom/unfinished.ts";

const SOURCE = join(import.meta.dir, "../../../src/embedding/custom/unfinished.ts");

let store = "";
beforeEach(async () => {
  store = await mkdtemp(join(tmpdir(), "casefile-models-"));
});
afterEach(() => rm(store, { recursive: true, force: true }));

const write = (path: string) => Bun.write(join(path, "model.onnx"), "half");

/** Another process that makes a copy until it is killed. */
async function copying() {
  const script = `
    import { newCopy } from ${JSON.stringify(SOURCE)};
    const { path } = newCopy(${JSON.stringify(store)});
    await Bun.write(path + "/model.onnx", "half");
    console.log(path);
    setInterval(() => {}, 1_000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  return { child, path: new TextDecoder().decode(value).trim() };
}

test("copies of killed processes and removals that they began are removed at once, and nothing else", async () => {
  const { child, path } = await copying();
  const own = newCopy(store);
  await write(own.path);
  await write(join(store, "mine"));
  await write(newRemoval(store));
  await removeAbandoned(store);
  expect((await readdir(store)).map((name) => join(store, name)).sort()).toEqual(
    [own.path, path, join(store, "mine")].sort(),
  );
  child.kill("SIGKILL");
  await child.exited;
  await removeAbandoned(store);
  expect((await readdir(store)).sort()).toEqual([own.path.slice(store.length + 1), "mine"].sort());
  await own.remove();
  expect(await readdir(store)).toEqual(["mine"]);
});

test("a copy of a process that had the id of this one is removed", async () => {
  const { path, remove } = newCopy(store);
  await remove();
  await write(path);
  await removeAbandoned(store);
  expect(await readdir(store)).toEqual([]);
});

test("a copy of another machine is removed when nothing was written for an hour", async () => {
  const old = new Date(Date.now() - 2 * 3_600_000);
  for (const name of [`.adding-other-${process.pid}-1`, ".adding-other-1-2"]) {
    const path = join(store, name);
    await write(path);
    if (name.endsWith("-2")) await utimes(join(path, "model.onnx"), old, old);
    await utimes(path, old, old);
  }
  await removeAbandoned(store);
  expect(await readdir(store)).toEqual([`.adding-other-${process.pid}-1`]);
});

test("a store that does not exist has nothing to remove", async () => {
  await removeAbandoned(join(store, "absent"));
  expect(await readdir(store)).toEqual([]);
});
