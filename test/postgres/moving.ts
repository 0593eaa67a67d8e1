import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDatabase } from "./server.ts";

/** Data moves between a directory and PostgreSQL, by commands as an operator runs them. */
const template = process.env.TEST_DATABASE_URL ?? "";
const root = join(import.meta.dir, "../..");
let database: Awaited<ReturnType<typeof copyDatabase>>;
let folder: string;

beforeAll(async () => {
  database = await copyDatabase(template, "template0");
  folder = await mkdtemp(join(tmpdir(), "casefile-moving-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function casefile(name: string, env: Record<string, string>, ...args: string[]) {
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, CASEFILE_DATA_DIR: join(folder, name), ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { out, err, code };
}

async function succeed(name: string, env: Record<string, string>, ...args: string[]): Promise<string> {
  const { out, err, code } = await casefile(name, env, ...args);
  expect([code, code === 0 ? "" : err]).toEqual([0, ""]);
  return out;
}

const migrate = async (name: string, env: Record<string, string>, to: string) =>
  Object(JSON.parse(await succeed(name, env, "store", "migrate", "--json", "--to", to))).tables;

test("a directory, PostgreSQL, a directory and an archive have equal content hashes", async () => {
  const onPostgres = { CASEFILE_DATABASE_URL: database.url };
  await succeed("one", {}, "enrich", "--from", join(root, "data/examples/harbourline.example.json"), "--keep");

  const there = await migrate("one", {}, database.url);
  expect(there.find(({ table }: { table: string }) => table === "snapshots").rows).toBe(1);
  const second = await casefile("one", {}, "store", "migrate", "--to", database.url);
  expect(second.code).toBe(1);
  expect(second.err).toContain("give an empty database");

  expect(await migrate("node", onPostgres, join(folder, "back"))).toEqual(there);
  await succeed("node", onPostgres, "backup", "create", join(folder, "archive.tar.zst"));
  await succeed("restored", {}, "restore", join(folder, "archive.tar.zst"));
  const again = await copyDatabase(template, "template0");
  expect(await migrate("restored", {}, again.url)).toEqual(there);
  await again.drop();
}, 300_000);
