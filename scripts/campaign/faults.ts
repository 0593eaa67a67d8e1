import { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync, readdirSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CampaignPart } from "./part.ts";
import { furnish, RECORDED, runCasefile, type ServiceProcess, startServiceProcess } from "./service-process.ts";

/** What a fault must lead to. */
interface Expected {
  /** The status of /readyz after the fault. */
  readonly ready: 200 | 503;
  /** Whether reads are answered: the stored scan, lists, searches. */
  readonly reads: boolean;
  /** Whether searches are in full order again some time later, without a restart. */
  readonly heals?: boolean;
  /** The exit status of `casefile doctor --offline`; undefined where it cannot run meanwhile. */
  readonly doctor?: 0 | 1;
}

/** A fault while the service runs. */
interface RunningFault extends Expected {
  readonly name: string;
  readonly inject: (dataDir: string) => void | Promise<void>;
  /** Removes the fault; the service must be ready again then. */
  readonly remove?: (dataDir: string) => void | Promise<void>;
  /** Needs a file system of its own, which only root can mount. */
  readonly onSmallDisk?: boolean;
}

const FILLER = "filler";
const SMALL_DISK_MIB = 700;

const filesOf = (dataDir: string, part: string): string[] =>
  readdirSync(join(dataDir, "index"), { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes(part));
const truncate = (part: string) => (dataDir: string) => {
  for (const path of filesOf(dataDir, part)) truncateSync(path, 20);
};
const databaseOf = (dataDir: string) => join(dataDir, "casefile.sqlite");

function sql(dataDir: string, statement: string): void {
  const database = new Database(databaseOf(dataDir));
  database.run("pragma busy_timeout = 5000");
  database.run(statement);
  database.close();
}

/** Overwrites the first page of a table; moves the write-ahead log into the file before. */
function damagePage(dataDir: string, table: string): void {
  const database = new Database(databaseOf(dataDir));
  database.run("pragma wal_checkpoint(truncate)");
  const { rootpage = 0 } = database
    .query<{ rootpage: number }, [string]>("select rootpage from sqlite_schema where name = ?")
    .get(table) ?? { rootpage: 0 };
  const { page_size } = database.query<{ page_size: number }, []>("pragma page_size").get() ?? { page_size: 0 };
  database.close();
  const file = openSync(databaseOf(dataDir), "r+");
  writeSync(file, new Uint8Array(page_size).fill(0x5a), 0, page_size, (rootpage - 1) * page_size);
  closeSync(file);
}

/** Writes until nothing fits. */
function fillDisk(dataDir: string): void {
  const file = openSync(join(dataDir, FILLER), "w");
  for (let size = 1 << 20; size >= 1; ) {
    try {
      if (writeSync(file, new Uint8Array(size)) < size) size >>= 1;
    } catch {
      size >>= 1;
    }
  }
  closeSync(file);
}

/** Runs a command of the system; returns its error, null when it succeeded. */
async function system(...argv: string[]): Promise<string | null> {
  const child = Bun.spawn(argv, { stdout: "ignore", stderr: "pipe" });
  const err = await child.stderr.text();
  return (await child.exited) === 0 ? null : err.trim() || `${argv[0]} failed`;
}

const RUNNING: readonly RunningFault[] = [
  { name: "index: rows truncated", inject: truncate("/data/"), ready: 200, reads: true, heals: true },
  { name: "index: words truncated", inject: truncate("/_indices/"), ready: 200, reads: true, heals: true },
  { name: "index: versions truncated", inject: truncate("/_versions/"), ready: 200, reads: true, heals: true },
  {
    name: "index: folder deleted",
    inject: (dataDir) => rmSync(join(dataDir, "index"), { recursive: true }),
    ...{ ready: 200, reads: true, heals: true },
  },
  {
    name: "database: table dropped",
    inject: (dataDir) => sql(dataDir, "drop table feedback"),
    // Stored scans are filtered by it.
    ...{ ready: 503, reads: false, doctor: 1 },
  },
  {
    name: "database: file removed",
    inject: (dataDir) => rmSync(databaseOf(dataDir)),
    ...{ ready: 503, reads: true, doctor: 1 },
  },
  {
    name: "disk: full",
    inject: fillDisk,
    remove: (dataDir) => rmSync(join(dataDir, FILLER)),
    ...{ ready: 503, reads: true, doctor: 1, onSmallDisk: true },
  },
];

/** A fault before the service starts: it must start and say so, or end with one sentence. */
const STOPPED: readonly {
  readonly name: string;
  readonly inject: (dataDir: string) => void;
  /** What the sentence must contain; null when the service starts and is not ready. */
  readonly refused: string | null;
}[] = [
  { name: "start: page of keys damaged", inject: (dataDir) => damagePage(dataDir, "keys"), refused: null },
  ...["settings", "case_studies"].map((table) => ({
    name: `start: page of ${table} damaged`,
    inject: (dataDir: string) => damagePage(dataDir, table),
    refused: "casefile backup restore FILE",
  })),
  {
    name: "start: table missing",
    inject: (dataDir) => sql(dataDir, "drop table passages"),
    refused: "casefile backup restore FILE",
  },
  {
    name: "start: database empty",
    inject: (dataDir) => writeFileSync(databaseOf(dataDir), ""),
    refused: "casefile backup restore FILE",
  },
  { name: "start: database missing", inject: (dataDir) => rmSync(databaseOf(dataDir)), refused: "backup restore FILE" },
];

interface Reads {
  readonly failed: readonly string[];
  readonly isDegraded: boolean;
}

/** Requests everything that only reads. */
async function read(service: ServiceProcess, key: string): Promise<Reads> {
  const query = "companies that lowered their cloud costs";
  const failed: string[] = [];
  let isDegraded = false;
  for (const [path, json] of [
    [`/v1/enrich/${RECORDED}?max_age=90000000`, undefined],
    ["/v1/casestudies?limit=2", undefined],
    ["/v1/stats", undefined],
    ...["hybrid", "semantic", "keyword"].map((mode) => ["/v1/casestudies/semantic", { query, mode }] as const),
  ] as const) {
    const { status, body } = await service.request(path, { key, json });
    const isEmpty =
      json !== undefined && status === 200 && (JSON.parse(body) as { results: unknown[] }).results.length === 0;
    if (status !== 200 || isEmpty)
      failed.push(`${path} ${JSON.stringify(json) ?? ""} → ${isEmpty ? "no results" : status}`);
    if (json !== undefined && (body.includes('"degraded"') || body.includes('"pending"'))) isDegraded = true;
  }
  return { failed, isDegraded };
}

const readiness = async (service: ServiceProcess) => (await service.request("/readyz")).status;

/** Waits up to `ms` for a state that is reached within seconds. */
async function reached(ms: number, isReached: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await Bun.sleep(250))
    if (await isReached()) return true;
  return false;
}

/** How soon readiness must show a fault, and how soon an index is rebuilt. */
const SHOWN_MS = 5_000;
const HEALED_MS = 60_000;

async function injectRunning(fault: RunningFault, dataDir: string): Promise<string[]> {
  const faults: string[] = [];
  const service = await startServiceProcess(dataDir);
  try {
    const { body } = await service.request("/v1/keys", { json: { email: "ana@acme.example" } });
    const key = String((JSON.parse(body) as { api_key?: string }).api_key);
    if (!(await reached(HEALED_MS, async () => !(await read(service, key)).isDegraded)))
      faults.push("was not complete before the fault");
    if ((await readiness(service)) !== 200) faults.push("was not ready before the fault");
    await fault.inject(dataDir);
    const isShown = await reached(SHOWN_MS, async () => (await readiness(service)) === fault.ready);
    if (!isShown) faults.push(`/readyz is ${await readiness(service)} instead of ${fault.ready}`);
    const { failed } = await read(service, key);
    if (fault.reads) faults.push(...failed);
    if (fault.ready === 200 && (await readiness(service)) !== 200) faults.push("/readyz changed to 503");
    if (fault.doctor !== undefined) {
      const { code } = await runCasefile(dataDir, "doctor", "--offline");
      if (code !== fault.doctor) faults.push(`doctor exits with ${code} instead of ${fault.doctor}`);
    }
    if (fault.heals && !(await reached(HEALED_MS, async () => !(await read(service, key)).isDegraded)))
      faults.push("searches are still degraded after a minute");
    if (fault.heals) faults.push(...(await read(service, key)).failed.map((failure) => `after healing: ${failure}`));
    if (fault.remove) {
      await fault.remove(dataDir);
      if (!(await reached(SHOWN_MS, async () => (await readiness(service)) === 200)))
        faults.push("is not ready after the fault was removed");
      const { failed: later } = await read(service, key);
      faults.push(...later.map((failure) => `after removal: ${failure}`));
    }
    if (!service.isRunning()) faults.push("the process ended");
  } finally {
    const { code, err } = await service.stop();
    if (code !== 0) faults.push(`ended with ${code}: ${err.slice(-300)}`);
  }
  return faults;
}

async function injectStopped({ inject, refused }: (typeof STOPPED)[number], dataDir: string): Promise<string[]> {
  inject(dataDir);
  if (refused === null) {
    const service = await startServiceProcess(dataDir);
    const isShown = await reached(SHOWN_MS, async () => (await readiness(service)) === 503);
    await service.stop();
    const { code } = await runCasefile(dataDir, "doctor", "--offline");
    return [...(isShown ? [] : ["/readyz is 200"]), ...(code === 1 ? [] : [`doctor exits with ${code}`])];
  }
  try {
    await (await startServiceProcess(dataDir)).stop();
    return ["the service started"];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const faults: string[] = [];
    if (!message.includes("ended with 1:")) faults.push(`exit status: ${message.slice(0, 80)}`);
    if (!message.includes(refused)) faults.push(`no remedy: ${message.slice(0, 300)}`);
    if (/^\s+at /m.test(message)) faults.push("a stack trace is printed");
    return faults;
  }
}

async function startReadOnly(dataDir: string): Promise<string[]> {
  const problem = await system("mount", "-o", "remount,ro", dataDir);
  if (problem !== null) return [problem];
  return await injectStopped({ name: "", inject: () => {}, refused: "Cannot use the data directory" }, dataDir);
}

/** An archive whose database has a trigger, or lacks a table, must not be restored. */
async function restoreHostile(dataDir: string, statement: string): Promise<string[]> {
  sql(dataDir, statement);
  const archive = join(dataDir, "hostile.tar.zst");
  const made = await runCasefile(dataDir, "backup", "create", archive);
  const restored = await runCasefile(join(dataDir, "elsewhere"), "backup", "restore", archive);
  if (made.code === 0 && restored.code === 0) return ["the archive was restored"];
  return existsSync(join(dataDir, "elsewhere", "casefile.sqlite")) ? ["something was restored"] : [];
}

/** Faults injected into a real service, with its readiness, its answers and its recovery asserted. */
export const faults: CampaignPart = {
  name: "faults",
  about: "Damages the disk, the database and the index of a service; checks readiness, answers and recovery.",
  async run({ short, onProgress }) {
    const folder = await mkdtemp(join(tmpdir(), "casefile-faults-"));
    const found: string[] = [];
    let injected = 0;
    let skipped = 0;
    const inCopy = async (name: string, inject: (dataDir: string) => Promise<string[]>, dataDir?: string) => {
      const place = dataDir ?? join(folder, `case-${injected}`);
      injected += 1;
      const started = performance.now();
      await cp(join(folder, "base"), place, { recursive: true });
      const violated = await inject(place).catch((error) => [String(error).slice(0, 300)]);
      found.push(...violated.map((fault) => `${name}: ${fault}`));
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      onProgress(`${name}: ${violated.length === 0 ? "ok" : violated.join("; ")} (${seconds} s)`);
      if (dataDir === undefined) await rm(place, { recursive: true, force: true });
    };
    const onSmallDisk = async (name: string, inject: (dataDir: string) => Promise<string[]>) => {
      const disk = join(folder, "disk");
      await mkdir(disk, { recursive: true });
      const problem = await system("mount", "-t", "tmpfs", "-o", `size=${SMALL_DISK_MIB}m,mode=700`, "tmpfs", disk);
      if (problem !== null) {
        onProgress(`${name}: skipped, because no file system can be mounted: ${problem}`);
        skipped += 1;
        return;
      }
      await inCopy(name, inject, disk).finally(() => system("umount", "-l", disk));
    };
    try {
      await mkdir(join(folder, "base"), { mode: 0o700 });
      await furnish(join(folder, "base"));
      const isSampled = (at: number) => !short || at % 3 === 0;
      for (const [at, fault] of RUNNING.entries()) {
        const inject = (dataDir: string) => injectRunning(fault, dataDir);
        if (isSampled(at)) await (fault.onSmallDisk ? onSmallDisk : inCopy)(fault.name, inject);
      }
      await onSmallDisk("start: read-only directory", startReadOnly);
      for (const [at, fault] of STOPPED.entries())
        if (isSampled(at)) await inCopy(fault.name, (dataDir) => injectStopped(fault, dataDir));
      for (const [name, statement] of [
        ["archive: with a trigger", "create trigger spy after insert on keys begin delete from settings; end"],
        ["archive: without a table", "drop table feedback"],
      ] as const)
        await inCopy(name, (dataDir) => restoreHostile(dataDir, statement));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return { figures: { injected, skipped }, faults: found, skipped: null };
  },
};
