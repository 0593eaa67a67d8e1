import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rename, rm, utimes } from "node:fs/promises";
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

/**
 * Another process that makes a copy until it is killed.
 *
 * @param prefix a command that runs it
 */
async function copying(prefix: readonly string[] = []) {
  const script = `
    import { newCopy } from ${JSON.stringify(SOURCE)};
    const { path } = newCopy(${JSON.stringify(store)});
    await Bun.write(path + "/model.onnx", "half");
    console.log(path);
    setInterval(() => {}, 1_000);`;
  const child = Bun.spawn([...prefix, process.execPath, "-e", script], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  return { child, path: new TextDecoder().decode(value).trim() };
}

test("copies of killed processes and removals that they began are removed at once, and nothing else", async () => {
  const { child, path } = await copying();
  const copy = newCopy(store);
  await write(copy.path);
  await write(join(store, "mine"));
  await write(newRemoval(store));
  await removeAbandoned(store);
  expect((await readdir(store)).map((name) => join(store, name)).sort()).toEqual(
    [copy.path, path, join(store, "mine")].sort(),
  );
  child.kill("SIGKILL");
  await child.exited;
  await removeAbandoned(store);
  expect((await readdir(store)).sort()).toEqual([copy.path.slice(store.length + 1), "mine"].sort());
  await copy.remove();
  expect(await readdir(store)).toEqual(["mine"]);
});

/** The command gets process ids of its own, as in a container with the same host name. */
const UNSHARED = ["unshare", "--pid", "--fork", "--kill-child"];
const canUnshare = Bun.which("unshare") !== null && Bun.spawnSync([...UNSHARED, "true"]).exitCode === 0;

test.skipIf(!canUnshare)("a copy of a running process in another container is kept", async () => {
  const { child, path } = await copying(UNSHARED);
  // The id there is 1. The copy is named as by a process whose id does not run here.
  const named = path.replace(/-1-/, "-99999999-");
  expect(named).not.toBe(path);
  await rename(path, named);
  await removeAbandoned(store);
  const left = await readdir(store);
  child.kill("SIGKILL");
  await child.exited;
  expect(left.map((name) => join(store, name))).toEqual([named]);
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
