import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { sql } from "kysely";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { openPostgres } from "../../src/db/postgres/open.ts";
import { refusalOf } from "../store/examples.ts";
import { copyDatabase } from "./server.ts";

const template = process.env.TEST_DATABASE_URL ?? "";
const clock = () => new Date("2026-05-04T12:00:00.000Z");
const to = (url: string, change: Partial<URL>) => Object.assign(new URL(url), change).href;
const following = MIGRATIONS.length + 1;
const expanding = { id: following, name: "adds", up: ["create table future (id integer primary key) strict"] };
const contracting = { id: following, name: "removes", up: ["drop table usage"], requires: following };
const open = (url: string, migrations = MIGRATIONS) => openPostgres({ url, maxConnections: 2, clock, migrations });

/** A database without tables, and a user that may only connect to it. */
let folder: string;
let empty: Awaited<ReturnType<typeof copyDatabase>>;
/** Users belong to the server, on which other tests run at the same time. */
const reader = `reader_${process.pid}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "casefile-opening-"));
  empty = await copyDatabase(template, "template0");
  const admin = new SQL(empty.url, { max: 1 });
  await admin.unsafe(`create role ${reader} login password 'hunter2'`);
  await admin.close();
});
afterAll(async () => {
  await empty.drop();
  await rm(folder, { recursive: true, force: true });
});

describe("a database that cannot be used is refused in one sentence without the password", () => {
  test.each([
    [
      "nobody listens",
      () => "postgres://ada:hunter2@127.0.0.1:1/casefile",
      "(127.0.0.1:1/casefile): the server cannot be reached.",
    ],
    [
      "there is no such database",
      () => to(template, { pathname: "/none" }),
      "/none): the server has no database of this name; create it first.",
    ],
    [
      "there is no such user",
      () => to(template, { username: "ada", password: "hunter2" }),
      "): the server refuses the user or the password.",
    ],
    [
      "the user may not create tables",
      () => to(empty.url, { username: reader, password: "hunter2" }),
      "): the user may not create tables; make it the owner of the database or schema.",
    ],
  ])("%s", async (_, url, message) => {
    const refusal = await refusalOf(open(url()));
    // Another start may reach the server; the rest is a wrong setting.
    expect(refusal.code).toBe(message.includes("reached") ? "store.unusable" : "config.invalid");
    expect(refusal.message).toStartWith("Cannot use database.url (127.0.0.1:");
    expect(refusal.message).toEndWith(message);
    expect(Bun.inspect(refusal)).not.toMatch(/hunter2|postgres:\/\//);
  });

  test("a newer release removed what this one needs", async () => {
    const { url, drop } = await copyDatabase(template);
    await (await open(url, [...MIGRATIONS, contracting])).close();
    expect((await refusalOf(open(url))).message).toEndWith(
      "A newer release has migrated the database; upgrade this node.",
    );
    await drop();
  });

  test("its encoding is not UTF-8", async () => {
    const admin = new SQL(to(template, { pathname: "/postgres" }), { max: 1 });
    const latin = `latin_${process.pid}`;
    await admin.unsafe(`create database ${latin} template template0 encoding 'LATIN1' locale 'C'`);
    const refusal = await refusalOf(open(to(template, { pathname: `/${latin}` })));
    expect(refusal.message).toEndWith("its encoding is LATIN1; create a database with encoding UTF8.");
    await admin.unsafe(`drop database ${latin} with (force)`);
    await admin.close();
  });
});

test("nodes that start at the same time on an empty database all open it", async () => {
  const { url, drop } = await copyDatabase(template, "template0");
  const nodes = await Promise.all([1, 2, 3, 4].map(() => open(url)));
  expect((await nodes[0]?.health())?.schema).toBe(MIGRATIONS.length);
  expect(await Promise.all(nodes.map((node) => node.probe()))).toEqual([null, null, null, null]);
  await Promise.all(nodes.map((node) => node.close()));
  await drop();
});

test("a node is not ready when its clock is wrong, or when a newer release has migrated the database", async () => {
  const { url, drop } = await copyDatabase(template);
  let ahead = 0;
  const { probe, close } = await openPostgres({
    url,
    maxConnections: 2,
    clock,
    now: () => Date.now() + ahead,
  });
  expect(await probe()).toBeNull();
  ahead = 60_000;
  expect(await probe()).toMatch(
    /^The clocks of this node and the database differ by \d+\.\d seconds; synchronise them\.$/,
  );
  ahead = -60_000;
  expect(await probe()).toMatch(/^The clocks/);
  ahead = 0;
  await (await open(url, [...MIGRATIONS, contracting])).close();
  expect(await probe()).toBe("A newer release has migrated the database; upgrade this node.");
  await close();
  await drop();
});

test("a node runs, and starts, on what a newer release has added", async () => {
  const { url, drop } = await copyDatabase(template);
  const old = await open(url);
  await (await open(url, [...MIGRATIONS, expanding])).close();
  expect(await old.probe()).toBeNull();
  await old.close();
  const again = await open(url);
  expect(await again.probe()).toBeNull();
  expect((await again.health()).schema).toBe(following);
  await again.close();
  await drop();
});

test("what older nodes need is removed when they have ended", async () => {
  const { url, drop } = await copyDatabase(template);
  const { queries, databaseClock, close } = await open(url);
  const seen = (seconds: number) => ({
    id: "old",
    host: "one",
    index_id: "one",
    started_at: "",
    seen_at: databaseClock(seconds),
  });
  await queries
    .insertInto("nodes")
    .values({ ...seen(0), schema: following - 1 })
    .execute();
  const refusal = await refusalOf(open(url, [...MIGRATIONS, contracting]));
  expect(refusal.message).toEndWith(
    "nodes of a release that is too old still run (one); upgrade them to the release before this one first.",
  );
  await queries
    .updateTable("nodes")
    .set({ seen_at: databaseClock(-60) })
    .execute();
  await (await open(url, [...MIGRATIONS, contracting])).close();
  await close();
  await drop();
});

test("of several servers the one that accepts writes is used", async () => {
  const { url, drop } = await copyDatabase(template);
  const several = url.replace("@127.0.0.1", "@127.0.0.1:1,127.0.0.1");
  const { probe, close } = await open(`${several}?target_session_attrs=read-write`);
  expect(await probe()).toBeNull();
  await close();
  const refusal = await refusalOf(open("postgres://ada:hunter2@127.0.0.1:1,127.0.0.1:2/casefile"));
  expect(refusal.message).toBe(
    "Cannot use database.url (127.0.0.1:1,127.0.0.1:2/casefile): the server cannot be reached.",
  );
  await drop();
});

/** Passes bytes on until it vanishes like a machine that loses its power: its connections stay open and silent. */
async function openFront(port: number) {
  let isGone = false;
  const sockets = new Set<Socket>();
  const front = createServer((client) => {
    const server = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from.on("error", () => {}).on("close", () => isGone || to.destroy()));
      from.on("data", (bytes) => isGone || to.write(bytes));
    }
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const address = front.address();
  return {
    host: `127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    vanish: () => {
      isGone = true;
    },
    close() {
      front.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

test("a server that vanished is left for the one that answers, and what waits for it fails", async () => {
  const { url, drop } = await copyDatabase(template);
  const { port, host } = new URL(url);
  const fronts = [await openFront(Number(port)), await openFront(Number(port))];
  const { queries, close } = await open(url.replace(host, fronts.map((front) => front.host).join(",")));
  const write = (name: string) => queries.insertInto("settings").values({ name, value: "" }).execute();
  await write("before");
  fronts[0]?.vanish();
  const refusal = await refusalOf(write("waiting"));
  expect([refusal.code, refusal.message]).toEqual([
    "store.unusable",
    "The database does not answer. Try again in a moment.",
  ]);
  await write("after");
  const names = await queries.selectFrom("settings").select("name").orderBy("name").execute();
  expect(names.map(({ name }) => name)).toEqual(["after", "before"]);
  await close();
  for (const front of fronts) front.close();
  await drop();
});

test("a lost connection fails no read, and a later write finds a new one", async () => {
  const { url, drop } = await copyDatabase(template);
  const { queries, close } = await open(url);
  const admin = new SQL(to(template, { pathname: "/postgres" }), { max: 1 });
  await queries.insertInto("settings").values({ name: "colour", value: "red" }).execute();
  await admin.unsafe("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
    new URL(url).pathname.slice(1),
  ]);
  expect(await queries.selectFrom("settings").selectAll().execute()).toEqual([{ name: "colour", value: "red" }]);
  await queries.insertInto("settings").values({ name: "size", value: "1" }).execute();
  await Promise.all([admin.close(), close()]);
  await drop();
});

test("the state of the pool shows work above its maximum, and how long transactions waited", async () => {
  const { url, drop } = await copyDatabase(template);
  const { queries, close, pool } = await open(url);
  expect(pool?.()).toMatchObject({ max: 2, inProgress: 0, lost: 0 });
  const release = Promise.withResolvers<void>();
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = begun.map(({ resolve }) =>
    queries.transaction().execute(async () => {
      resolve();
      await release.promise;
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  const before = pool?.().waitedMs ?? 0;
  const third = queries.transaction().execute(async () => {});
  await Bun.sleep(0);
  expect(pool?.()).toMatchObject({ inProgress: 3 });
  release.resolve();
  await Promise.all([...holding, third]);
  expect(pool?.()).toMatchObject({ inProgress: 0 });
  expect(pool?.().waitedMs).toBeGreaterThan(before);

  const ended = queries.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0}::int)`.execute(queries);
    await sql`select 1`.execute(transaction);
  });
  expect((await refusalOf(ended)).code).toBe("store.unusable");
  expect(pool?.().lost).toBeGreaterThan(0);
  await close();
  await drop();
});

test("a command ends with 2 and one sentence, and no output has the password", async () => {
  const url = to(template, { username: "ada", password: "hunter2" });
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/main.ts"), "serve", "--port", "0"], {
    env: {
      PATH: process.env.PATH ?? "",
      CASEFILE_DATA_DIR: folder,
      CASEFILE_DATABASE_URL: url,
      CASEFILE_LOG_LEVEL: "debug",
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect([code, err.trim().split("\n").length]).toEqual([2, 1]);
  expect(err).toContain("the server refuses the user or the password.");
  expect(`${out}${err}`).not.toMatch(/hunter2|postgres:\/\//);
});

test("texts with NUL and lone surrogates are stored with the replacement character, and found by it", async () => {
  const { url, drop } = await copyDatabase(template);
  const { queries, close } = await open(url);
  await queries.insertInto("settings").values({ name: "a\0b", value: "x\ud800y" }).execute();
  const found = await queries.selectFrom("settings").selectAll().where("name", "=", "a\0b").execute();
  expect(found).toEqual([{ name: "a\ufffdb", value: "x\ufffdy" }]);
  await close();
  await drop();
});

test("texts sort by their bytes, whatever the database's language", async () => {
  const { url, drop } = await copyDatabase(template);
  const { queries, close } = await open(url);
  const names = ["b", "B", "_", "ä", "a-b", "ab", "a b"];
  for (const name of names) await queries.insertInto("settings").values({ name, value: "" }).execute();
  const rows = await queries.selectFrom("settings").select("name").orderBy("name").execute();
  expect(rows.map(({ name }) => name)).toEqual([...names].sort());
  await close();
  await drop();
});
