import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNode } from "../../src/db/node.ts";

const NODE = join(import.meta.dir, "../../src/db/node.ts");

test("a node is seen until it leaves or its process is killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-node-"));
  try {
    const here = createNode(folder);
    const other = createNode(folder);
    other.enter();
    expect(here.hasEnded(other.id)).toBe(false);
    other.leave();
    expect(here.hasEnded(other.id)).toBe(true);

    const script = `const node = (await import(${JSON.stringify(NODE)})).createNode(${JSON.stringify(folder)});
      node.enter();
      // Nothing refers to the node any more, and its lock must remain.
      const { id } = node;
      setTimeout(() => { Bun.gc(true); console.log(id); }, 10);
      setInterval(() => {}, 1_000);`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    const { value = new Uint8Array() } = await child.stdout.getReader().read();
    const id = new TextDecoder().decode(value).trim();
    expect(here.hasEnded(id)).toBe(false);
    child.kill("SIGKILL");
    await child.exited;
    expect(here.hasEnded(id)).toBe(true);
    expect(await readdir(join(folder, "nodes"))).toEqual([]);
    expect(here.hasEnded(here.id)).toBe(false);
    expect(here.hasEnded("../../in-use")).toBe(false);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a node that starts removes the files of nodes that were killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "casefile-node-"));
  try {
    const script = `const node = (await import(${JSON.stringify(NODE)})).createNode(${JSON.stringify(folder)});
      node.enter(); console.log(node.id); process.kill(process.pid, "SIGKILL");`;
    const id = (await new Response(Bun.spawn([process.execPath, "-e", script]).stdout).text()).trim();
    const running = createNode(folder);
    running.enter();
    const nodes = join(folder, "nodes");
    const filesOf = async () => (await readdir(nodes)).filter((name) => name.endsWith(".sqlite")).sort();
    // A new file may be that of a node that has not taken its lock yet.
    expect(await filesOf()).toEqual([`${id}.sqlite`, `${running.id}.sqlite`].sort());

    for (const name of await filesOf()) await utimes(join(nodes, name), 0, 0);
    const next = createNode(folder);
    next.enter();
    expect(await filesOf()).toEqual([`${running.id}.sqlite`, `${next.id}.sqlite`].sort());
    running.leave();
    next.leave();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("without a shared volume only an expired lease shows that a node has ended", () => {
  expect(createNode(undefined).hasEnded(crypto.randomUUID())).toBe(false);
});
