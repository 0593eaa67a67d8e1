import { mkdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PassageIndex } from "../casestudies/index/passage-index.ts";
import type { Services } from "../compose.ts";
import type { Config } from "../config/keys.ts";
import { Failure } from "../core/errors.ts";
import type { Encoder } from "../embedding/encoder.ts";
import { damagedNatives } from "../natives/unpack.ts";
import type { NetworkClient } from "../net/client.ts";
import type { Store } from "../store.ts";

/** What one look came to. */
export interface Check {
  /** Words with dashes: `data-directory`, `source-tag-manager`. */
  readonly id: string;
  readonly title: string;
  /** `skipped`: it is switched off, or what it stands on is broken. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** What was seen, in one sentence. */
  readonly detail: string;
  /** What to do about it; null when nothing has to be done. */
  readonly remedy: string | null;
}

type Told = Omit<Check, "id" | "title">;

const ok = (detail: string): Told => ({ status: "ok", detail, remedy: null });
const skipped = (detail: string): Told => ({ status: "skipped", detail, remedy: null });
const warning = (detail: string, remedy: string): Told => ({ status: "warning", detail, remedy });
const failed = (detail: string, remedy: string): Told => ({ status: "failed", detail, remedy });

/** Splits a refusal that says what is wrong, and after a semicolon what to do. */
function failedFor({ advice }: { readonly advice: string }, remedy: string): Told {
  const [fault = advice, ...rest] = advice.split("; ");
  if (rest.length === 0) return failed(advice, remedy);
  const told = rest.join("; ");
  return failed(`${fault}.`, told.charAt(0).toUpperCase() + told.slice(1));
}

/** Runs one look; what it throws is its failure. */
async function check(id: string, title: string, look: () => Promise<Told> | Told, remedy: string): Promise<Check> {
  try {
    return { id, title, ...(await look()) };
  } catch (error) {
    return { id, title, ...failed(reasonOf(error), remedy) };
  }
}

/** A refusal's own sentence, or the error's. */
function reasonOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "advice" in error) return String(error.advice);
  return error instanceof Error && error.message !== "" ? error.message : String(error);
}

export interface Installation {
  readonly store: Pick<Store, "health" | "outbox" | "stats">;
  readonly encoder: () => Promise<Pick<Encoder, "id" | "dimensions" | "encode">>;
  readonly index: () => Promise<Pick<PassageIndex, "state" | "counts">>;
  readonly intake: Pick<Services["intake"], "intakeState">;
  /** Where an executable has unpacked its native parts. */
  readonly unpackDir: string;
  /** Names of those of them that were changed since. */
  readonly damagedNatives: () => Promise<readonly string[]>;
}

const RESTORE = "Restore a backup: casefile backup restore FILE.";
const SEE_JOBS = "See why (casefile jobs --state dead), and let each run again: casefile jobs retry ID.";
const OTHER_MODEL = "Install the program anew, or use another model: casefile model use built-in.";
const REINDEX = "Build the index anew: casefile reindex.";

/** What is kept, the native parts, the model and the search index. */
export async function* checkInstallation(parts: Installation): AsyncGenerator<Check> {
  const { store, encoder, index, intake, unpackDir, damagedNatives } = parts;
  let passages = 0;
  yield await check(
    "database",
    "Database",
    async () => {
      const health = await store.health();
      passages = health.passages;
      if (health.fault !== null) {
        return failed(`It is damaged: ${health.fault}.`, RESTORE);
      }
      return ok(`It is whole, at schema ${health.schema}, with ${health.caseStudies} case studies.`);
    },
    RESTORE,
  );

  const remove = `Stop every casefile and remove ${unpackDir}; the next start unpacks them anew.`;
  const natives = await check(
    "native-parts",
    "Native parts",
    async () => {
      const damaged = await damagedNatives();
      if (damaged.length === 0) return ok("What was unpacked is what the program carries.");
      return failed(`They are not what the program carries: ${damaged.join(", ")}.`, remove);
    },
    remove,
  );
  yield natives;

  const model = await check(
    "model",
    "Model",
    async () => {
      // What was changed is not run.
      if (natives.status !== "ok") return skipped("It needs the native parts.");
      try {
        return await tried(await encoder());
      } catch (error) {
        // What is wrong with its files is no fault of this machine, and the refusal knows the remedy.
        if (error instanceof Failure && error.code === "model.invalid") return failedFor(error, OTHER_MODEL);
        throw error;
      }
    },
    "Let this user write the data directory, use another model (casefile model use built-in), or install the program for this kind of machine.",
  );
  yield model;

  yield await check(
    "search-index",
    "Search index",
    async () => {
      if (model.status !== "ok") return skipped("It needs the model.");
      const opened = await index();
      const waiting = await store.outbox.depth();
      if (opened.state === "other model") {
        return warning("It was built with another model; only words are searched.", REINDEX);
      }
      const counts = await opened.counts();
      if (waiting > 0)
        return ok(`${counts.passages} passages; ${waiting} case studies wait for the service to index them.`);
      if (counts.passages !== passages) {
        return warning(`It has ${counts.passages} passages and the database ${passages}.`, REINDEX);
      }
      return ok(`${counts.passages} passages, as many as the database.`);
    },
    REINDEX,
  );

  yield await check(
    "jobs",
    "Background work",
    async () => {
      const { jobs, mails, mailConfigured } = await intake.intakeState();
      if (jobs.dead > 0) return warning(`${jobs.dead} jobs were given up.`, SEE_JOBS);
      const unsent = (mails.failed ?? 0) + (mails.unclear ?? 0);
      if (unsent > 0) return warning(`${unsent} mails were not sent.`, "See why they were not: casefile mails.");
      const open = jobs.waiting + jobs.running;
      if (!mailConfigured && (mails.waiting ?? 0) > 0) {
        return warning(
          `${mails.waiting} mails wait for a mail server.`,
          "Set smtp.url and smtp.from, and they are sent.",
        );
      }
      return ok(open === 0 ? "Nothing waits." : `${open} jobs wait or run.`);
    },
    SEE_JOBS,
  );
}

async function tried(model: Pick<Encoder, "id" | "dimensions" | "encode">) {
  const [vector] = await model.encode(["A bank moved its payments to another platform."], "passage");
  const length = Math.hypot(...(vector ?? []));
  if (vector?.length !== model.dimensions || Math.abs(length - 1) > 0.001) {
    return failed(`${model.id} answers with a vector of length ${length.toFixed(3)}.`, OTHER_MODEL);
  }
  return ok(`${model.id} works, with ${model.dimensions} dimensions.`);
}

const MIB = 1_048_576;
const LEAST_ROOM = 512 * MIB;
const GOOD_ROOM = 2_048 * MIB;
/** The program was not made before this. */
const EARLIEST = Date.parse("2026-01-01T00:00:00Z");
const HOUR_MS = 3_600_000;

/** The directory and the disk below it. */
export async function* checkDirectory(dataDir: string): AsyncGenerator<Check> {
  yield await check(
    "data-directory",
    "Data directory",
    async () => {
      const isTaken = (await stat(dataDir).catch(() => undefined))?.isDirectory() === false;
      if (isTaken) return failed(`${dataDir} is a file, not a folder.`, "Choose another directory with --data-dir.");
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const probe = join(dataDir, `.doctor-${process.pid}`);
      try {
        await writeFile(probe, "x", { mode: 0o600 });
      } finally {
        await rm(probe, { force: true });
      }
      const { mode } = await stat(dataDir);
      if (process.platform !== "win32" && (mode & 0o077) !== 0) {
        return warning(
          `${dataDir} can be read by other users of this machine.`,
          `Run chmod 700 ${dataDir} to keep them out.`,
        );
      }
      return ok(`${dataDir} can be written, by this user alone.`);
    },
    `Let this user write ${dataDir}, or choose another with --data-dir.`,
  );
  yield await check(
    "room",
    "Room on its disk",
    async () => {
      const { bavail, bsize } = await statfs(dataDir);
      const free = bavail * bsize;
      const told = `${Math.round(free / MIB).toLocaleString("en")} MiB are free.`;
      const remedy = "Make room, or move the data directory to a larger disk.";
      if (free < LEAST_ROOM) return failed(told, remedy);
      return free < GOOD_ROOM ? warning(told, remedy) : ok(told);
    },
    "Mount the disk of the data directory, or choose another directory with --data-dir.",
  );
}

const CLOCK = "Set the machine's clock, best by NTP: certificates, quotas and schedules go by it.";

/** @param newest instant of the newest record that is kept, ISO 8601; null when there is none */
const checkClock = (now: Date, newest: string | null, outside: Date | null): Promise<Check> =>
  check(
    "clock",
    "Clock",
    () => {
      if (now.getTime() < EARLIEST) return failed(`The clock says ${now.toISOString()}.`, CLOCK);
      if (newest !== null && Date.parse(newest) > now.getTime() + HOUR_MS) {
        return failed(`The clock says ${now.toISOString()}, before a record of ${newest}.`, CLOCK);
      }
      if (outside !== null) {
        const off = Math.round(Math.abs(outside.getTime() - now.getTime()) / 1_000);
        if (off > 300) return warning(`The clock is ${off} seconds away from that of a server outside.`, CLOCK);
        return ok(`${now.toISOString()}, ${off} seconds from a server outside.`);
      }
      return ok(`${now.toISOString()}; nothing contradicts it.`);
    },
    CLOCK,
  );

/** A domain that is kept for examples (RFC 2606): asking about it tells nobody anything. */
const EXAMPLE = "example.com";
const LIMIT_MS = 10_000;

type Asked = Pick<NetworkClient, "dns" | "dnsReachable" | "http">;

/** An outside source as it is set: the setting, and where it leads; null when it is off. */
interface Source {
  readonly id: string;
  readonly title: string;
  readonly key: string;
  readonly at: string | null;
  /** A zone of the DNS; else a web address with places to fill in. */
  readonly isZone?: boolean;
}

function sourcesOf({ sources }: Config): Source[] {
  const { certificateLogs, tenantLookups, jobBoards } = sources;
  return [
    { id: "asn-zone", title: "Networks of IPv4 addresses", key: "asn_zone", at: sources.asnZone, isZone: true },
    { id: "asn6-zone", title: "Networks of IPv6 addresses", key: "asn6_zone", at: sources.asn6Zone, isZone: true },
    ...certificateLogs.map((at, nth) => ({
      id: `certificate-log-${nth + 1}`,
      title: "Certificate log",
      key: "certificate_logs",
      at,
    })),
    { id: "microsoft-realm", title: "Microsoft tenants", key: "microsoft_realm", at: sources.microsoftRealm },
    ...tenantLookups.map(({ label, url: at }) => ({
      id: `tenant-${label}`,
      title: `Tenants of ${label}`,
      key: "tenant_lookups",
      at,
    })),
    { id: "tag-manager", title: "Tag manager containers", key: "tag_manager", at: sources.tagManager },
    ...Object.entries(jobBoards).map(([board, at]) => ({
      id: `job-board-${board}`,
      title: `Job board ${board}`,
      key: `job_boards.${board}`,
      at,
    })),
  ];
}

/** The names' servers, then every outside source one by one. `seen` is told the Date header of an answer. */
async function* checkSources(config: Config, door: Asked, seen: (date: Date) => void): AsyncGenerator<Check> {
  const servers = config.net.resolvers.length > 0 ? config.net.resolvers.join(", ") : "the system's servers";
  const remedy = "Name servers that answer in net.resolvers; live scans need DNS.";
  yield await check(
    "dns",
    "DNS",
    async () =>
      (await door.dnsReachable(AbortSignal.timeout(LIMIT_MS)))
        ? ok(`${servers} answer.`)
        : failed(`${servers} do not answer.`, remedy),
    remedy,
  );
  for (const { id, title, key, at, isZone = false } of sourcesOf(config)) {
    const remedy = `Let this machine reach it, or set sources.${key} to another or to off; scans go on without it.`;
    const look = async () => {
      if (at === null) return skipped(`Switched off by sources.${key}.`);
      const fault = isZone ? await faultOfZone(at, door) : await faultOfSite(filled(at), door, seen);
      return fault === null ? ok(`${isZone ? at : new URL(filled(at)).host} answers.`) : warning(fault, remedy);
    };
    yield await check(`source-${id}`, title, look, remedy);
  }
}

/** @returns what is wrong, in one sentence; null when it answers */
async function faultOfZone(name: string, door: Asked): Promise<string | null> {
  const { status, detail } = await door.dns(name, "SOA", AbortSignal.timeout(LIMIT_MS));
  return status === "ok" || status === "nxdomain" ? null : `${name}: ${detail ?? status}.`;
}

/** @returns what is wrong, in one sentence; null when it answers */
async function faultOfSite(url: string, door: Asked, seen: (date: Date) => void): Promise<string | null> {
  const { final } = await door.http(url, { maxBytes: 65_536 }, AbortSignal.timeout(LIMIT_MS));
  const date = final.headers.find(([name]) => name === "date")?.[1];
  if (date !== undefined && !Number.isNaN(Date.parse(date))) seen(new Date(date));
  const { host } = new URL(url);
  if (final.status !== "ok") return `${host}: ${final.detail ?? final.status}.`;
  // "No such tenant" and "no such board" are answers.
  return final.code < 500 && final.code !== 429 ? null : `${host} answers ${final.code}.`;
}

const PLACES = { domain: EXAMPLE, label: "example", board: "example", id: "GTM-0000000" };
const filled = (template: string): string =>
  Object.entries(PLACES).reduce((url, [place, word]) => url.replaceAll(`{${place}}`, word), template);

interface DiagnoseOptions {
  /** Ask nothing outside. */
  readonly offline?: boolean;
}

export interface DoctorService {
  /** Looks at what is kept, the native parts, the model, the index, the clock and, unless offline, at every outside source; as it goes. */
  diagnose(options?: DiagnoseOptions): AsyncGenerator<Check>;
}

interface DoctorParts extends Omit<Installation, "unpackDir" | "damagedNatives"> {
  readonly config: Config;
  readonly door: Pick<NetworkClient, "dns" | "dnsReachable" | "http">;
  readonly store: Installation["store"] & Pick<Store, "stats">;
  readonly clock: () => Date;
}

export const createDoctor = (parts: DoctorParts): DoctorService => ({
  async *diagnose({ offline = false } = {}) {
    const unpackDir = join(parts.config.dataDir, "native");
    yield* checkInstallation({ ...parts, unpackDir, damagedNatives: () => damagedNatives(unpackDir) });
    let outside: Date | null = null;
    if (offline) yield { id: "sources", title: "Outside sources", ...skipped("Not asked: --offline.") };
    else {
      yield* checkSources(parts.config, parts.door, (date) => {
        outside ??= date;
      });
    }
    yield await checkClock(parts.clock(), (await parts.store.stats.read()).updated_at, outside);
  },
});

/**
 * The whole check-up, also of an installation that cannot be opened.
 *
 * @param open opens the application; closed again at the end
 */
export async function* checkUp(
  dataDir: string,
  open: () => Promise<{ readonly doctor: DoctorService; close(): Promise<void> }>,
  options: DiagnoseOptions,
): AsyncGenerator<Check> {
  yield* checkDirectory(dataDir);
  let app: Awaited<ReturnType<typeof open>>;
  try {
    app = await open();
  } catch (error) {
    const remedy = "Mend what is said above, or restore a backup: casefile backup restore FILE.";
    yield { id: "database", title: "Database", ...failed(reasonOf(error), remedy) };
    return;
  }
  try {
    yield* app.doctor.diagnose(options);
  } finally {
    await app.close();
  }
}
