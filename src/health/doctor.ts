import { mkdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { freemem, totalmem } from "node:os";
import { join } from "node:path";
import type { OutboxRepository } from "../casestudies/index/outbox.ts";
import type { PassageIndex } from "../casestudies/index/passage-index.ts";
import type { IntakeService } from "../casestudies/intake/service.ts";
import type { Config } from "../config/keys.ts";
import { Failure } from "../core/errors.ts";
import type { CasefileDatabase } from "../db/contract.ts";
import type { Encoder } from "../embedding/encoder.ts";
import { browserProduct } from "../net/browser.ts";
import type { NetworkClient } from "../net/client.ts";
import { exposedKey } from "../net/signing-key.ts";
import { knowsTopLevel } from "../net/top-level.ts";
import { lowOpenFileLimit } from "./open-files.ts";
import type { SchemaVersions } from "./routes.ts";
import type { StatsRepository } from "./stats.ts";

/** The result of one check. */
export interface Check {
  /** Words joined by dashes: `data-directory`, `source-tag-manager`. */
  readonly id: string;
  readonly title: string;
  /** `skipped`: disabled, or something it depends on failed. */
  readonly status: "ok" | "warning" | "failed" | "skipped";
  /** One sentence. */
  readonly detail: string;
  /** What the operator should do; null when there is nothing to do. */
  readonly remedy: string | null;
}

type Result = Omit<Check, "id" | "title">;

const ok = (detail: string): Result => ({ status: "ok", detail, remedy: null });
const skipped = (detail: string): Result => ({ status: "skipped", detail, remedy: null });
const warning = (detail: string, remedy: string): Result => ({ status: "warning", detail, remedy });
const failed = (detail: string, remedy: string): Result => ({ status: "failed", detail, remedy });

/** Splits a failure's message at its first semicolon into the problem and the remedy. */
function failedBy({ message }: Failure, fallback: string): Result {
  const at = message.indexOf("; ");
  if (at < 0) return failed(message, fallback);
  const remedy = message.slice(at + 2);
  return failed(`${message.slice(0, at)}.`, remedy.charAt(0).toUpperCase() + remedy.slice(1));
}

/** Runs one check; an error makes it fail. */
async function check(id: string, title: string, run: () => Promise<Result> | Result, remedy: string): Promise<Check> {
  try {
    return { id, title, ...(await run()) };
  } catch (error) {
    return { id, title, ...failed(messageOf(error), remedy) };
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : String(error);

export interface Installation {
  readonly database: Pick<CasefileDatabase, "health">;
  readonly outbox: Pick<OutboxRepository, "depth" | "failures">;
  readonly encoder: () => Promise<Pick<Encoder, "id" | "dimensions" | "encode">>;
  readonly index: () => Promise<Pick<PassageIndex, "state" | "counts">>;
  readonly intake: Pick<IntakeService, "state">;
  /** The folder into which the executable unpacks its native libraries. */
  readonly unpackDir: string;
  readonly schema: SchemaVersions;
  /** Names of unpacked libraries that differ from those in the executable; null from source, which unpacks none. */
  readonly damagedNatives: (unpackDir: string) => Promise<readonly string[] | null>;
}

const RESTORE = "Restore a backup: casefile backup restore FILE.";
const SEE_JOBS = "Find the cause (casefile jobs --state dead), then retry each job: casefile jobs retry ID.";
const OTHER_MODEL = "Reinstall Casefile, or use another model: casefile model use built-in.";
const REINDEX = "Rebuild the index: casefile reindex.";
const SHOWN_FAILURES = 3;

/** Checks the database, the native libraries, the model, the search index and the background jobs. */
export async function* checkInstallation(parts: Installation): AsyncGenerator<Check> {
  const { database, outbox, encoder, index, intake, unpackDir, damagedNatives, schema } = parts;
  let passages = 0;
  yield await check(
    "database",
    "Database",
    async () => {
      const health = await database.health();
      passages = health.passages;
      if (health.fault !== null) return failed(`It is damaged: ${health.fault}.`, RESTORE);
      return ok(
        `It is intact: schema ${health.schema}, stack index ${schema.stack_index}, ${health.caseStudies} case studies.`,
      );
    },
    RESTORE,
  );

  const unpackAgain = `Stop all casefile processes and remove ${unpackDir}; the next start unpacks the libraries again.`;
  const natives = await check(
    "native-parts",
    "Native libraries",
    async () => {
      const damaged = await damagedNatives(unpackDir);
      if (damaged === null) return ok("Casefile runs from source, with the libraries in node_modules.");
      if (damaged.length === 0) return ok("The unpacked files match the executable.");
      return failed(`These files do not match the executable: ${damaged.join(", ")}.`, unpackAgain);
    },
    unpackAgain,
  );
  yield natives;

  const model = await check(
    "model",
    "Model",
    async () => {
      // A changed library is never run.
      if (natives.status !== "ok") return skipped("Not checked: it requires the native libraries.");
      try {
        return await encodeSample(await encoder());
      } catch (error) {
        // The failure of an invalid model names its own remedy.
        if (error instanceof Failure && error.code === "model.invalid") return failedBy(error, OTHER_MODEL);
        throw error;
      }
    },
    "Make the data directory writable, use another model (casefile model use built-in), or install the executable for this platform.",
  );
  yield model;

  yield await check(
    "search-index",
    "Search index",
    async () => {
      if (model.status !== "ok") return skipped("Not checked: it requires the model.");
      const opened = await index();
      const waiting = await outbox.depth();
      if (opened.state === "other model")
        return warning("It was built with another model; only keyword search works.", REINDEX);
      const counts = await opened.counts();
      if (waiting > 0)
        return ok(`${counts.passages} passages; ${waiting} case studies wait for the service to index them.`);
      if (counts.passages !== passages)
        return warning(`It has ${counts.passages} passages, the database has ${passages}.`, REINDEX);
      const { total, first } = await outbox.failures(SHOWN_FAILURES);
      if (total > 0) {
        const shown = first.map(({ case_study_id, error }) => `${case_study_id}: ${error}`).join(" ");
        return warning(
          `The model cannot embed ${total === 1 ? "1 case study" : `${total} case studies`}: ${shown}`,
          "Correct or remove them, or use another model; casefile reindex tries them again.",
        );
      }
      return ok(`${counts.passages} passages, as many as in the database.`);
    },
    REINDEX,
  );

  yield await check(
    "jobs",
    "Background jobs",
    async () => {
      const { jobs, mails, mailConfigured } = await intake.state();
      if (jobs.dead > 0) return warning(`${jobs.dead} jobs failed.`, SEE_JOBS);
      const unsent = (mails.failed ?? 0) + (mails.unclear ?? 0);
      if (unsent > 0) return warning(`${unsent} emails were not sent.`, "Find the cause: casefile mails.");
      if (!mailConfigured && (mails.waiting ?? 0) > 0)
        return warning(`${mails.waiting} emails wait for an SMTP server.`, "Set smtp.url and smtp.from to send them.");
      const open = jobs.waiting + jobs.running;
      return ok(open === 0 ? "No jobs are waiting." : `${open} jobs are waiting or running.`);
    },
    SEE_JOBS,
  );
}

/** Encodes a sentence: the vector must have the model's dimensions and length 1. */
async function encodeSample(model: Pick<Encoder, "id" | "dimensions" | "encode">): Promise<Result> {
  const [vector] = await model.encode(["A bank moved its payments to another platform."], "passage");
  const length = Math.hypot(...(vector ?? []));
  if (vector?.length !== model.dimensions || Math.abs(length - 1) > 0.001)
    return failed(`${model.id} returns a vector of length ${length.toFixed(3)} instead of 1.`, OTHER_MODEL);
  return ok(`${model.id} works, with ${model.dimensions} dimensions.`);
}

const MIB = 1_048_576;
const FAIL_BELOW_BYTES = 512 * MIB;
const WARN_BELOW_BYTES = 1_024 * MIB;
/** The service needs 400 MiB, and a parser of a hostile file as much again. */
const WARN_BELOW_MEMORY_BYTES = 512 * MIB;
/** Casefile did not exist before this date: an earlier clock is wrong. */
const EARLIEST = Date.parse("2026-01-01T00:00:00Z");
const HOUR_MS = 3_600_000;

/** Checks the data directory and the free space of its disk. */
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
          `${dataDir} is readable by other users of this machine.`,
          `Run chmod 700 ${dataDir} to restrict access.`,
        );
      }
      return ok(`${dataDir} is writable, and private to this user.`);
    },
    `Make ${dataDir} writable for this user, or choose another directory with --data-dir.`,
  );
  yield await check(
    "open-files",
    "Open files",
    async () => {
      const low = await lowOpenFileLimit();
      return low === null ? ok("The limit of open files is high enough.") : warning(low.detail, low.remedy);
    },
    "Raise the limit of open files (ulimit -n).",
  );
  yield await check(
    "room",
    "Disk space",
    async () => {
      const { bavail, bsize } = await statfs(dataDir);
      const free = bavail * bsize;
      const detail = `${mebibytes(free)} are free.`;
      const remedy = "Free some space, or move the data directory to a larger disk.";
      if (free < FAIL_BELOW_BYTES) return failed(detail, remedy);
      return free < WARN_BELOW_BYTES ? warning(detail, remedy) : ok(detail);
    },
    "Mount the disk of the data directory, or choose another directory with --data-dir.",
  );
  const freeMemory = "Stop other programs, or give this machine or container more memory.";
  yield await check(
    "memory",
    "Memory",
    () => {
      const free = freemem();
      const detail = `${mebibytes(free)} of ${mebibytes(totalmem())} are free.`;
      return free < WARN_BELOW_MEMORY_BYTES ? warning(detail, freeMemory) : ok(detail);
    },
    freeMemory,
  );
}

const mebibytes = (bytes: number) => `${Math.round(bytes / MIB).toLocaleString("en")} MiB`;

const CLOCK = "Set the machine's clock, preferably with NTP: certificates, quotas and schedules depend on it.";

/**
 * @param newestRecord time of the newest stored record, ISO 8601; null when there is none
 * @param outside the Date header of a response; null when no server was asked
 */
const checkClock = (now: Date, newestRecord: () => Promise<string | null>, outside: Date | null): Promise<Check> =>
  check(
    "clock",
    "Clock",
    async () => {
      if (now.getTime() < EARLIEST) return failed(`The clock says ${now.toISOString()}.`, CLOCK);
      const newest = await newestRecord().catch(() => undefined);
      if (newest === undefined) return skipped("Not checked: the records cannot be read.");
      if (newest !== null && Date.parse(newest) > now.getTime() + HOUR_MS) {
        return failed(`The clock says ${now.toISOString()}, but a record is from ${newest}.`, CLOCK);
      }
      if (outside !== null) {
        const off = Math.round(Math.abs(outside.getTime() - now.getTime()) / 1_000);
        if (off > 300) return warning(`The clock differs by ${off} seconds from that of another server.`, CLOCK);
        return ok(`${now.toISOString()}, ${off} seconds from the clock of another server.`);
      }
      return ok(`${now.toISOString()}; no record is newer.`);
    },
    CLOCK,
  );

/** Reserved for examples (RFC 2606): a lookup reveals nothing about the operator. */
const EXAMPLE = "example.com";
const TIMEOUT_MS = 10_000;

type Network = Pick<NetworkClient, "dns" | "dnsReachable" | "http">;

/** A configured external data source. */
interface Source {
  readonly id: string;
  readonly title: string;
  /** Name of its setting, without `sources.`. */
  readonly key: string;
  /** A DNS zone or a URL template; null when it is off. */
  readonly at: string | null;
  readonly isZone?: boolean;
}

function sourcesOf(sources: Config["sources"]): Source[] {
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

/**
 * Checks the DNS servers, then each external data source.
 *
 * @param onDate called with the Date header of each response
 */
async function* checkSources(
  { resolvers, sources, network }: Pick<DoctorParts, "resolvers" | "sources" | "network">,
  onDate: (date: Date) => void,
): AsyncGenerator<Check> {
  const servers = resolvers.length > 0 ? resolvers.join(", ") : "the system's DNS servers";
  const setResolvers = "Set net.resolvers to DNS servers that answer; live scans need DNS.";
  yield await check(
    "dns",
    "DNS",
    async () => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      if (!(await network.dnsReachable(signal))) return failed(`Cannot reach ${servers}.`, setResolvers);
      if (await knowsTopLevel(EXAMPLE, (name, type) => network.dns(name, type, signal)))
        return ok(`Reached ${servers}.`);
      return warning(
        `Reached ${servers}, but no public top-level domain is known there; scans of public domains fail.`,
        "Connect to the internet or the VPN, or set net.resolvers to DNS servers that know public names.",
      );
    },
    setResolvers,
  );
  for (const { id, title, key, at, isZone = false } of sourcesOf(sources)) {
    const remedy = `Make it reachable from this machine, or change sources.${key} (off disables it); scans work without it.`;
    const run = async () => {
      if (at === null) return skipped(`Disabled by sources.${key}.`);
      const problem = isZone ? await zoneProblem(at, network) : await siteProblem(fillIn(at), network, onDate);
      if (problem !== null) return warning(problem, remedy);
      return ok(`${isZone ? at : new URL(fillIn(at)).host} answers.`);
    };
    yield await check(`source-${id}`, title, run, remedy);
  }
}

/** @returns the problem in one sentence; null when the zone answers */
async function zoneProblem(zone: string, network: Network): Promise<string | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { status, detail } = await network.dns(zone, "SOA", signal);
  if (status === "ok") return null;
  if (status !== "nxdomain") return `${zone}: ${detail ?? status}.`;
  // A zone need not have a SOA record; a resolver without public names says of every one that it does not exist.
  const isKnown = await knowsTopLevel(zone, (name, type) => network.dns(name, type, signal));
  return isKnown ? null : `${zone}: the DNS server does not know the top-level domain.`;
}

/** @returns the problem in one sentence; null when the site answers */
async function siteProblem(url: string, network: Network, onDate: (date: Date) => void): Promise<string | null> {
  const { final } = await network.http(url, { maxBytes: 65_536 }, AbortSignal.timeout(TIMEOUT_MS));
  const date = Date.parse(final.headers.find(([name]) => name === "date")?.[1] ?? "");
  if (!Number.isNaN(date)) onDate(new Date(date));
  const { host } = new URL(url);
  if (final.status !== "ok") return `${host}: ${final.detail ?? final.status}.`;
  // Most 4xx codes are answers: "no such tenant", "no such board".
  return final.code < 500 && final.code !== 429 ? null : `${host} answers ${final.code}.`;
}

const PLACES = { domain: EXAMPLE, label: "example", board: "example", id: "GTM-0000000" };
const fillIn = (template: string): string =>
  Object.entries(PLACES).reduce((url, [place, word]) => url.replaceAll(`{${place}}`, word), template);

interface DiagnoseOptions {
  /** Send no requests to other machines. */
  readonly offline?: boolean;
}

export interface DoctorService {
  /** Checks the installation, the clock and, unless offline, every external data source; yields each result at once. */
  diagnose(options?: DiagnoseOptions): AsyncGenerator<Check>;
}

export interface DoctorParts extends Installation {
  readonly resolvers: readonly string[];
  readonly sources: Config["sources"];
  readonly network: Network;
  readonly stats: StatsRepository;
  readonly clock: () => Date;
  /** `scan.contact`. */
  readonly contact: string | null;
  /** `scan.browser_url`. */
  readonly browserUrl: string | null;
  /** `scan.signing_key_file`. */
  readonly signingKeyFile: string | null;
}

const checkContact = (contact: string | null): Promise<Check> =>
  check(
    "contact",
    "Contact",
    () =>
      contact === null
        ? warning("Site owners see no contact in the requests of scans and crawls.", SET_CONTACT)
        : ok(`The requests of scans and crawls name ${contact}.`),
    SET_CONTACT,
  );
const checkSigningKey = (file: string): Promise<Check> =>
  check(
    "signing-key",
    "Signing key",
    () => {
      const exposed = exposedKey(file);
      return exposed ? warning(exposed.detail, exposed.remedy) : ok(`Only this user and its group can read ${file}.`);
    },
    `Make ${file} readable for this user.`,
  );

/** @param address may contain a token in its path */
const checkBrowser = (address: string): Promise<Check> =>
  check(
    "browser",
    "Browser",
    async () => {
      const { host } = new URL(address);
      try {
        return ok(`${await browserProduct(address, AbortSignal.timeout(TIMEOUT_MS))} answers at ${host}.`);
      } catch (error) {
        return warning(`It does not answer at ${host}: ${messageOf(error)}.`, START_BROWSER);
      }
    },
    START_BROWSER,
  );

const START_BROWSER =
  "Start Chrome or Chromium with --remote-debugging-port, or correct scan.browser_url (--browser-url); scans work without it.";
const SET_CONTACT = "Set scan.contact to your email address or a page about your scans.";

export const createDoctor = (parts: DoctorParts): DoctorService => ({
  async *diagnose({ offline = false } = {}) {
    yield* checkInstallation(parts);
    yield await checkContact(parts.contact);
    if (parts.signingKeyFile !== null) yield await checkSigningKey(parts.signingKeyFile);
    if (parts.browserUrl !== null)
      yield offline
        ? { id: "browser", title: "Browser", ...skipped("Not checked: --offline.") }
        : await checkBrowser(parts.browserUrl);
    let outside: Date | null = null;
    if (offline) yield { id: "sources", title: "Data sources", ...skipped("Not checked: --offline.") };
    else
      yield* checkSources(parts, (date) => {
        outside ??= date;
      });
    yield await checkClock(parts.clock(), async () => (await parts.stats.read()).updated_at, outside);
  },
});

/**
 * Checks everything, including an installation that cannot be opened.
 *
 * @param open opens the services, which are closed at the end
 */
export async function* checkUp(
  dataDir: string,
  open: () => Promise<{ readonly health: DoctorService; close(): Promise<void> }>,
  options: DiagnoseOptions,
): AsyncGenerator<Check> {
  yield* checkDirectory(dataDir);
  let services: Awaited<ReturnType<typeof open>>;
  try {
    services = await open();
  } catch (error) {
    const remedy = "Fix the problem above, or restore a backup: casefile backup restore FILE.";
    yield { id: "database", title: "Database", ...failed(messageOf(error), remedy) };
    return;
  }
  try {
    yield* services.health.diagnose(options);
  } finally {
    await services.close();
  }
}
