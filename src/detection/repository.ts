import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { type Kysely, sql, type Transaction } from "kysely";
import { inChunks, insertByCount } from "../db/cursor.ts";
import { jsonPart } from "../db/engine.ts";
import type { Tables } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Snapshot } from "../net/snapshot.ts";
import { decodeObservation, encodeObservation, type Observation, observationOf } from "./observation.ts";
import { createDetectionRedaction, redactReport } from "./redaction.ts";
import type { Report, SourceOutcome } from "./types.ts";

/** The outcomes of the scanners in one scan. */
interface ScanOutcomes {
  readonly domain: string;
  /** ISO 8601 UTC. */
  readonly scanned_at: string;
  readonly sources: readonly SourceOutcome[];
}

/** A dated observation of a company. */
export interface StoredScan {
  readonly id: number;
  readonly domain: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly scanned_at: string;
  /** {@link SCAN}, or the format of a recording. */
  readonly origin: string;
  readonly report: Report;
}

/** `origin` of what was observed over the network. */
export const SCAN = "scan";

/** The origin of a snapshot: what `capture` wrote is a scan. */
export const originOf = ({ origin }: Pick<Snapshot, "origin">): string =>
  origin.startsWith("casefile ") ? SCAN : origin.slice(0, 100);

/** A snapshot as it is stored, see {@link packSnapshot}. */
export interface PackedSnapshot {
  readonly captured_at: string;
  /** JSON in zstd; undefined for one over the size limit. */
  readonly content: Uint8Array | undefined;
  /** SHA-256 of the JSON, in hex. */
  readonly digest: string;
}

/** When a tool was first and last detected for a domain. */
interface Sighting {
  readonly first_seen: string;
  readonly last_seen: string;
}

interface NewScan {
  readonly domain: string;
  readonly report: Report;
  readonly snapshot?: Snapshot;
  /** The snapshot is stored already: its scan gets the new report. */
  readonly isRenewed?: boolean;
}

/** A recording that is stored with others in one transaction. */
export interface NewRecording {
  readonly domain: string;
  readonly origin: string;
  readonly report: Report;
  readonly snapshot: PackedSnapshot;
}

export interface ScanRepository {
  /**
   * Stores a report, its sightings and its snapshot in one transaction. Scans may be saved in any order of their time.
   * A snapshot over the size limit is not stored. A recording that is stored already gets the new report.
   */
  save(scan: NewScan): Promise<StoredScan>;
  /**
   * The scan with the newest `scanned_at`. Where that is a recording, its report is the view of all recordings, if one was
   * saved since the last recording.
   */
  latest(domain: string): Promise<StoredScan | undefined>;
  /** Whether `latest` lacks a view of several recordings. */
  needsView(domain: string): Promise<boolean>;
  /** The stored snapshots, newest first, at most 50, with the newest id of the domain's scans. */
  snapshots(domain: string): Promise<{ readonly snapshots: readonly Snapshot[]; readonly scan_id: number }>;
  /** The report on all recordings, where it was stored and nothing is newer. */
  view(domain: string): Promise<Report | undefined>;
  /** Stores the report on all recordings up to `scan_id`. */
  saveView(scan_id: number, report: Report): Promise<void>;
  /** Newest first, at most `limit`. */
  history(domain: string, limit: number): Promise<StoredScan[]>;
  /** By tool id: every tool that any scan of the domain detected. */
  sightings(domain: string): Promise<Map<string, Sighting>>;
  /** Domains where a tool was detected, most recent first, at most `limit`, and their total number. */
  domainsWith(toolId: string, limit: number): Promise<{ readonly domains: readonly string[]; readonly total: number }>;
  /** Ids of detected tools that are `id`, or end with a dot and `slug`: those of tools outside the catalogue. */
  sightedIds(tool: { readonly id: string; readonly slug: string }): Promise<readonly string[]>;
  /** Most recently scanned domains first, at most `limit`. */
  recentDomains(limit: number): Promise<string[]>;
  /** Scanner outcomes of the most recently saved scans, newest first, at most `limit`; recordings are none. */
  latestOutcomes(limit: number): Promise<readonly ScanOutcomes[]>;
  latestSnapshot(domain: string): Promise<Snapshot | undefined>;
  /** The id of the newest scan with a snapshot, by domain. */
  newestSnapshots(domains: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The newest snapshots of a domain that are at most so many bytes, compressed. */
  smallSnapshots(domain: string, limit: number, maxBytes: number): Promise<readonly Snapshot[]>;
  /** What scans and recordings of a domain showed, oldest first; the newest 1,000. */
  observations(domain: string): Promise<readonly Observation[]>;
  /** Derives the observations of stored reports that have none: those of earlier releases. */
  observeStored(): Promise<void>;
  /** Domains with a snapshot, by name, with the time of the newest one. */
  snapshotDomains(): Promise<{ domain: string; captured_at: string }[]>;
}

/** Limits of one snapshot: its JSON text, and compressed. */
const MAX_SNAPSHOT_CHARACTERS = 128 * 1024 * 1024;
const MAX_SNAPSHOT_BYTES = 32 * 1024 * 1024;

/** One name in several categories: a plug-in, a module, a theme. */
const MAX_SIGHTED_IDS = 10;

/** SQLite allows 32,766 parameters per statement; a sighting has four. */
const SIGHTINGS_PER_INSERT = 1_000;

const DOMAINS_PER_INSERT = 1_000;
const OBSERVATIONS_PER_INSERT = 1_000;
const SNAPSHOTS_PER_INSERT = 20;
/** A statement with so much content gets no further snapshot. */
const SNAPSHOT_BYTES_PER_INSERT = 16 * 1024 * 1024;

/** Observations among which the latest scans are searched: an archive has any number of recordings. */
const MAX_SEARCHED = 10_000;

/** Snapshots that a view joins. */
const MAX_JOINED = 50;

export function createScanRepository(queries: Kysely<Tables>, options: ScansOptions): ScanRepository {
  const newest = (domain: string, limit: number) =>
    queries
      .selectFrom("scans")
      .select(["id", "domain", "scanned_at", "origin", "report"])
      .where("domain", "=", domain)
      .orderBy("scanned_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
  const newestId = async (domain: string): Promise<number> => {
    const { id } = await queries
      .selectFrom("scans")
      .select((eb) => eb.fn.max("id").as("id"))
      .where("domain", "=", domain)
      .executeTakeFirstOrThrow();
    return id ?? 0;
  };
  const freshView = async (domain: string): Promise<Report | undefined> => {
    const view = await queries.selectFrom("views").selectAll().where("domain", "=", domain).executeTakeFirst();
    if (!view || view.scan_id !== (await newestId(domain))) return undefined;
    const report: Report = JSON.parse(view.report);
    return redactReport(report);
  };

  return {
    async save({ domain, report, snapshot, isRenewed }) {
      const origin = snapshot ? originOf(snapshot) : SCAN;
      const isPacked = options.keepSnapshots > 0 || origin !== SCAN;
      const packed = snapshot && isPacked ? await packSnapshot(snapshot) : undefined;
      return inTransaction(queries, `scan ${domain}`, async (transaction) => {
        const { saved: stored } = await saveScans(
          transaction,
          [{ domain, origin, report, snapshot: packed, isRenewed }],
          options,
        );
        const [saved] = stored;
        if (!saved) throw new Error("the scan was not saved");
        return saved;
      });
    },

    async latest(domain) {
      const scan = (await newest(domain, 1)).map(storedScanOf)[0];
      const view = scan && scan.origin !== SCAN ? await freshView(domain) : undefined;
      return scan && view ? { ...scan, report: view } : scan;
    },

    view: freshView,

    async needsView(domain) {
      const [scan] = await newest(domain, 1);
      if (!scan || scan.origin === SCAN || (await freshView(domain))) return false;
      const { count } = await queries
        .selectFrom("snapshots")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("domain", "=", domain)
        .executeTakeFirstOrThrow();
      return count > 1;
    },

    async snapshots(domain) {
      const scan_id = await newestId(domain);
      const rows = await queries
        .selectFrom("snapshots")
        .select("content")
        .where("domain", "=", domain)
        .orderBy("captured_at", "desc")
        .orderBy("scan_id", "desc")
        .limit(MAX_JOINED)
        .execute();
      return { scan_id, snapshots: await Promise.all(rows.map(({ content }) => decompress(content))) };
    },

    async saveView(scan_id, report) {
      const text = JSON.stringify(report);
      await inTransaction(queries, `scan ${report.domain}`, async (transaction) => {
        await transaction
          .insertInto("views")
          .values({ domain: report.domain, scan_id, report: text })
          .onConflict((conflict) => conflict.column("domain").doUpdateSet({ scan_id, report: text }))
          .execute();
        await queueForIndex(transaction, [report.domain]);
      });
    },

    async history(domain, limit) {
      return (await newest(domain, limit)).map(storedScanOf);
    },

    async sightings(domain) {
      const rows = await queries.selectFrom("sightings").selectAll().where("domain", "=", domain).execute();
      return new Map(rows.map(({ tool_id, first_seen, last_seen }) => [tool_id, { first_seen, last_seen }]));
    },

    async domainsWith(toolId, limit) {
      const seen = queries.selectFrom("sightings").where("tool_id", "=", toolId);
      const { total } = await seen.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const rows = await seen.select("domain").orderBy("last_seen", "desc").orderBy("domain").limit(limit).execute();
      return { domains: rows.map(({ domain }) => domain), total };
    },

    async sightedIds({ id, slug }) {
      const rows = await queries
        .selectFrom("sightings")
        .select("tool_id")
        .distinct()
        .where((eb) =>
          eb.or([
            eb("tool_id", "=", id),
            sql<boolean>`substr(tool_id, length(tool_id) - ${slug.length}) = ${`.${slug}`}`,
          ]),
        )
        .orderBy("tool_id")
        .limit(MAX_SIGHTED_IDS)
        .execute();
      return rows.map(({ tool_id }) => tool_id);
    },

    async recentDomains(limit) {
      const rows = await queries
        .selectFrom("scans")
        .select(["domain", (eb) => eb.fn.max("scanned_at").as("scanned_at")])
        .groupBy("domain")
        .orderBy("scanned_at", "desc")
        .orderBy("domain")
        .limit(limit)
        .execute();
      return rows.map(({ domain }) => domain);
    },

    async latestOutcomes(limit) {
      const latest = await queries
        .selectFrom("scans")
        .select(["id", "origin"])
        .orderBy("saved_at", "desc")
        .limit(MAX_SEARCHED)
        .execute();
      const ids = latest.flatMap(({ id, origin }) => (origin === SCAN ? id : [])).slice(0, limit);
      if (ids.length === 0) return [];
      const rows = await queries
        .selectFrom("scans")
        .select([
          "domain",
          "scanned_at",
          // Without the tools, which are most of a report.
          jsonPart(queries, "report", "sources").as("sources"),
        ])
        .where("id", "in", ids)
        .orderBy("saved_at", "desc")
        .execute();
      return rows.map(({ sources, ...scan }) => ({ ...scan, sources: JSON.parse(sources) }));
    },

    async latestSnapshot(domain) {
      const row = await queries
        .selectFrom("snapshots")
        .select("content")
        .where("domain", "=", domain)
        .orderBy("captured_at", "desc")
        .orderBy("scan_id", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && decompress(row.content);
    },

    async newestSnapshots(domains) {
      if (domains.length === 0) return new Map();
      const rows = await queries
        .selectFrom("snapshots")
        .select(["domain", (eb) => eb.fn.max("scan_id").as("scan_id")])
        .where("domain", "in", domains)
        .groupBy("domain")
        .execute();
      return new Map(rows.map(({ domain, scan_id }) => [domain, Number(scan_id)]));
    },

    async smallSnapshots(domain, limit, maxBytes) {
      const rows = await queries
        .selectFrom("snapshots")
        .select("content")
        .where("domain", "=", domain)
        .where((eb) => eb(eb.fn<number>("length", ["content"]), "<=", maxBytes))
        .orderBy("captured_at", "desc")
        .orderBy("scan_id", "desc")
        .limit(limit)
        .execute();
      return Promise.all(rows.map(({ content }) => decompress(content)));
    },

    async observations(domain) {
      const rows = await queries
        .selectFrom("observations")
        .select("content")
        .where("domain", "=", domain)
        .orderBy("observed_at", "desc")
        .orderBy("id", "desc")
        .limit(KEEP_OBSERVATIONS)
        .execute();
      // An earlier release may have stored them.
      const redact = createDetectionRedaction();
      return rows
        .map(({ content }) => {
          const observation = decodeObservation(content);
          return {
            ...observation,
            detections: observation.detections.map(redact),
            possible: observation.possible.map(redact),
          };
        })
        .reverse();
    },

    async observeStored() {
      for (let after = 0; ; ) {
        const rows = await queries
          .selectFrom("scans")
          .select(["id", "domain", "digest", "report"])
          .where("id", ">", after)
          .orderBy("id")
          .limit(REPORTS_PER_PAGE)
          .execute();
        const last = rows.at(-1);
        if (!last) return;
        after = last.id;
        await inTransaction(queries, "observations", async (transaction) => {
          for (const { domain, digest, report } of rows)
            await transaction
              .insertInto("observations")
              .values(observationRow(domain, digest, redactReport(JSON.parse(report))))
              .onConflict((conflict) => conflict.columns(["domain", "observed_at", "recording"]).doNothing())
              .execute();
        });
      }
    },

    snapshotDomains: () =>
      queries
        .selectFrom("snapshots")
        .select(["domain", (eb) => eb.fn.max("captured_at").as("captured_at")])
        .groupBy("domain")
        .orderBy("domain")
        .execute(),
  };
}

export interface ScansOptions {
  readonly clock: () => Date;
  /** Snapshots kept of each domain and origin. */
  readonly keepSnapshots: number;
  /** Reports kept of each domain and origin. */
  readonly keepReports: number;
}

interface PackedScan extends Omit<NewRecording, "snapshot"> {
  readonly snapshot: PackedSnapshot | undefined;
  readonly isRenewed?: boolean | undefined;
}

/**
 * Stores dated observations, in as many statements for a hundred as for one. A recording that is stored already gets the
 * new report.
 *
 * @returns the stored scans, in the order of the given ones, and how many were not stored before
 */
export async function saveScans(
  transaction: Transaction<Tables>,
  scans: readonly PackedScan[],
  options: ScansOptions,
): Promise<{ readonly saved: readonly StoredScan[]; readonly added: number }> {
  const saved_at = options.clock().toISOString();
  const rows = scans.map(({ domain, origin, report, snapshot, isRenewed = false }) => ({
    domain,
    scanned_at: instant(report.scanned_at),
    origin,
    digest: origin === SCAN ? null : (snapshot?.digest ?? null),
    report,
    snapshot,
    isRenewed,
  }));
  await saveSightings(transaction, rows);
  await saveObservations(transaction, rows);
  const idOf = await storedIds(transaction, rows);
  const ids: number[] = [];
  const added: { readonly domain: string; readonly origin: string }[] = [];
  const snapshots: { scan_id: number; domain: string; captured_at: string; content: Uint8Array }[] = [];
  for (const row of rows) {
    const { domain, scanned_at, origin, digest, snapshot } = row;
    const report = JSON.stringify(row.report);
    const stored =
      digest !== null
        ? idOf.get(`${domain} ${digest}`)
        : row.isRenewed
          ? await scanAt(transaction, domain, scanned_at)
          : undefined;
    if (stored !== undefined) {
      ids.push(stored);
      await transaction.updateTable("scans").set({ saved_at, report }).where("id", "=", stored).execute();
      await transaction.deleteFrom("views").where("domain", "=", domain).execute();
      continue;
    }
    const { id } = await transaction
      .insertInto("scans")
      .values({ domain, scanned_at, origin, digest, saved_at, report })
      .returning("id")
      .executeTakeFirstOrThrow();
    ids.push(id);
    if (digest !== null) idOf.set(`${domain} ${digest}`, id);
    added.push({ domain, origin });
    if (snapshot?.content && options.keepSnapshots > 0) {
      const captured_at = instant(snapshot.captured_at);
      snapshots.push({ scan_id: id, domain, captured_at, content: snapshot.content });
    }
  }
  for (const batch of snapshotInserts(snapshots)) await transaction.insertInto("snapshots").values(batch).execute();
  await deleteOld(transaction, added, options);
  const saved = rows.map(({ domain, scanned_at, origin, report }, at) => ({
    ...{ id: ids[at] ?? 0, domain, scanned_at, origin, report },
  }));
  return { saved, added: added.length };
}

/** The id of the scan of that time. */
async function scanAt(transaction: Transaction<Tables>, domain: string, scanned_at: string) {
  const row = await transaction
    .selectFrom("scans")
    .select((eb) => eb.fn.max("id").as("id"))
    .where("domain", "=", domain)
    .where("origin", "=", SCAN)
    .where("scanned_at", "=", scanned_at)
    .executeTakeFirst();
  return row?.id ?? undefined;
}

/** By domain and digest: the recordings that are stored already. */
async function storedIds(
  transaction: Transaction<Tables>,
  rows: readonly { readonly domain: string; readonly digest: string | null }[],
): Promise<Map<string, number>> {
  const domains = [...new Set(rows.flatMap(({ domain, digest }) => (digest === null ? [] : domain)))];
  const found = await inChunks(domains, (some) =>
    transaction
      .selectFrom("scans")
      .select(["id", "domain", "digest"])
      .where("domain", "in", some)
      .where("digest", "is not", null)
      .execute(),
  );
  return new Map(found.map(({ id, domain, digest }) => [`${domain} ${digest}`, id]));
}

/** A later scan never moves `first_seen`; an earlier scan that is saved late moves it back. */
async function saveSightings(
  transaction: Transaction<Tables>,
  scans: readonly { readonly domain: string; readonly scanned_at: string; readonly report: Report }[],
): Promise<void> {
  const byTool = new Map<string, { domain: string; tool_id: string; first_seen: string; last_seen: string }>();
  for (const { domain, scanned_at, report } of scans)
    for (const { id: tool_id } of report.detections) {
      const known = byTool.get(`${domain} ${tool_id}`);
      if (!known)
        byTool.set(`${domain} ${tool_id}`, { domain, tool_id, first_seen: scanned_at, last_seen: scanned_at });
      else if (scanned_at < known.first_seen) known.first_seen = scanned_at;
      else if (scanned_at > known.last_seen) known.last_seen = scanned_at;
    }
  const rows = [...byTool.values()];
  for (let start = 0; start < rows.length; start += SIGHTINGS_PER_INSERT)
    await insertSightings(transaction, rows.slice(start, start + SIGHTINGS_PER_INSERT));
}

const insertSightings = insertByCount<{ domain: string; tool_id: string } & Sighting>((queries, rows) =>
  queries
    .insertInto("sightings")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["domain", "tool_id"]).doUpdateSet((eb) => ({
        first_seen: eb
          .case()
          .when("excluded.first_seen", "<", eb.ref("sightings.first_seen"))
          .then(eb.ref("excluded.first_seen"))
          .else(eb.ref("sightings.first_seen"))
          .end(),
        last_seen: eb
          .case()
          .when("excluded.last_seen", ">", eb.ref("sightings.last_seen"))
          .then(eb.ref("excluded.last_seen"))
          .else(eb.ref("sightings.last_seen"))
          .end(),
      })),
    ),
);

/** Of each origin the newest are kept, so that a hundred pages never remove a zone. */
async function deleteOld(
  transaction: Transaction<Tables>,
  added: readonly { readonly domain: string; readonly origin: string }[],
  { keepSnapshots, keepReports }: ScansOptions,
): Promise<void> {
  const counts = await inChunks([...new Set(added.map(({ domain }) => domain))], (domains) =>
    transaction
      .selectFrom("scans")
      .select(["domain", "origin", (eb) => eb.fn.countAll<number>().as("count")])
      .where("domain", "in", domains)
      .groupBy(["domain", "origin"])
      .execute(),
  );
  const grown = new Set(added.map(({ domain, origin }) => `${domain} ${origin}`));
  for (const { domain, origin, count } of counts) {
    if (!grown.has(`${domain} ${origin}`)) continue;
    if (count > keepSnapshots) await deleteOldSnapshots(transaction, domain, origin, keepSnapshots);
    if (count > keepReports) await deleteOldReports(transaction, domain, origin, keepReports);
  }
}

const deleteOldSnapshots = (transaction: Transaction<Tables>, domain: string, origin: string, keep: number) =>
  transaction
    .deleteFrom("snapshots")
    .where("domain", "=", domain)
    .where("scan_id", "in", (eb) =>
      eb.selectFrom("scans").select("id").where("domain", "=", domain).where("origin", "=", origin),
    )
    .where("scan_id", "not in", (eb) =>
      eb
        .selectFrom("snapshots")
        .innerJoin("scans", "scans.id", "snapshots.scan_id")
        .select("snapshots.scan_id")
        .where("snapshots.domain", "=", domain)
        .where("scans.origin", "=", origin)
        .orderBy("snapshots.captured_at", "desc")
        .orderBy("snapshots.scan_id", "desc")
        .limit(keep),
    )
    .execute();

const deleteOldReports = (transaction: Transaction<Tables>, domain: string, origin: string, keep: number) =>
  transaction
    .deleteFrom("scans")
    .where("domain", "=", domain)
    .where("origin", "=", origin)
    .where("id", "not in", (eb) =>
      eb
        .selectFrom("scans")
        .select("id")
        .where("domain", "=", domain)
        .where("origin", "=", origin)
        .orderBy("scanned_at", "desc")
        .orderBy("id", "desc")
        .limit(keep),
    )
    .execute();

/** Observations kept per domain: three years of daily scans. */
const KEEP_OBSERVATIONS = 1_000;
/** Deleting is not worth a query per scan. */
const OBSERVATIONS_SLACK = 100;
const REPORTS_PER_PAGE = 50;

async function saveObservations(
  transaction: Transaction<Tables>,
  scans: readonly { readonly domain: string; readonly digest: string | null; readonly report: Report }[],
): Promise<void> {
  // One statement may write a row once: of several reports on one recording the last counts.
  const byRecording = new Map<string, ReturnType<typeof observationRow>>();
  for (const { domain, digest, report } of scans) {
    const row = observationRow(domain, digest, report);
    byRecording.set(`${domain} ${row.observed_at} ${row.recording}`, row);
  }
  const rows = [...byRecording.values()];
  for (let start = 0; start < rows.length; start += OBSERVATIONS_PER_INSERT)
    await insertObservations(transaction, rows.slice(start, start + OBSERVATIONS_PER_INSERT));
  const domains = [...new Set(scans.map(({ domain }) => domain))];
  const counts = await inChunks(domains, (some) =>
    transaction
      .selectFrom("observations")
      .select(["domain", (eb) => eb.fn.countAll<number>().as("count")])
      .where("domain", "in", some)
      .groupBy("domain")
      .execute(),
  );
  for (const { domain, count } of counts)
    if (count > KEEP_OBSERVATIONS + OBSERVATIONS_SLACK) await deleteOldObservations(transaction, domain);
  await queueForIndex(transaction, domains);
}

const insertObservations = insertByCount<ReturnType<typeof observationRow>>((queries, rows) =>
  queries
    .insertInto("observations")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["domain", "observed_at", "recording"])
        .doUpdateSet((eb) => ({ content: eb.ref("excluded.content") })),
    ),
);

/** @param domain of a recorded zone is its own name, also below the registrable domain */
function observationRow(domain: string, digest: string | null, report: Report) {
  const observation = observationOf({ ...report, domain });
  const { observed_at } = observation;
  return { domain, observed_at, recording: digest ?? SCAN, content: encodeObservation(observation) };
}

async function deleteOldObservations(transaction: Transaction<Tables>, domain: string): Promise<void> {
  await transaction
    .deleteFrom("observations")
    .where("domain", "=", domain)
    .where("id", "not in", (eb) =>
      eb
        .selectFrom("observations")
        .select("id")
        .where("domain", "=", domain)
        .orderBy("observed_at", "desc")
        .orderBy("id", "desc")
        .limit(KEEP_OBSERVATIONS),
    )
    .execute();
}

/** Marks domains whose observations, or what the operator said about them, changed: the stack index reads them again. */
export async function queueForIndex(
  queries: Kysely<Tables> | Transaction<Tables>,
  domains: readonly string[],
): Promise<void> {
  const rows = domains.map((domain) => ({ domain, revision: 1 }));
  for (let start = 0; start < rows.length; start += DOMAINS_PER_INSERT)
    await insertQueued(queries, rows.slice(start, start + DOMAINS_PER_INSERT));
}

const insertQueued = insertByCount<{ domain: string; revision: number }>((queries, rows) =>
  queries
    .insertInto("stack_queue")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("domain").doUpdateSet((eb) => ({ revision: eb("stack_queue.revision", "+", 1) })),
    ),
);

/** The snapshots of each statement. */
export function* snapshotInserts<Row extends { readonly content: Uint8Array }>(
  snapshots: readonly Row[],
): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const snapshot of snapshots) {
    batch.push(snapshot);
    bytes += snapshot.content.length;
    if (batch.length < SNAPSHOTS_PER_INSERT && bytes < SNAPSHOT_BYTES_PER_INSERT) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** One format for every instant, so that they compare as text. */
const instant = (text: string) => new Date(text).toISOString();

function storedScanOf(row: Omit<StoredScan, "report"> & { readonly report: string }): StoredScan {
  const report: Report = JSON.parse(row.report);
  return { ...row, report: redactReport(report) };
}

/**
 * JSON in zstd. A long snapshot is written piece by piece: one of 40 MB as one text would stop the process for half a second.
 *
 * @throws RangeError when `captured_at` is no instant
 */
export async function packSnapshot(snapshot: Snapshot): Promise<PackedSnapshot> {
  const captured_at = instant(snapshot.captured_at);
  const hash = createHash("sha256");
  const size = snapshot.http.reduce((sum, { body }) => sum + body.length, 0);
  let content: Uint8Array | undefined;
  try {
    if (size <= PACKED_AT_ONCE)
      content = await encoded(piecesOf(snapshot, STEP), (text) => {
        hash.update(text);
        return Bun.zstdCompress(text);
      });
    else content = await compress(piecesOf(snapshot), (piece) => hash.update(piece));
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
  }
  return { captured_at, content, digest: hash.digest("hex") };
}

const encoder = new TextEncoder();
/** Memory for the text of one snapshot: to get some for each costs as much as to write the text. */
let spare: Uint8Array<ArrayBuffer> | undefined;
const SPARE = 4 * 1_048_576;

/** @param use reads the bytes of all pieces until its promise resolves */
async function encoded<T>(pieces: Iterable<string>, use: (text: Uint8Array<ArrayBuffer>) => Promise<T>): Promise<T> {
  let buffer = spare ?? new Uint8Array(SPARE);
  spare = undefined;
  let size = 0;
  for (const piece of pieces) {
    const most = size + 3 * piece.length;
    if (most > buffer.length) {
      const larger = new Uint8Array(Math.max(2 * buffer.length, most));
      larger.set(buffer.subarray(0, size));
      buffer = larger;
    }
    size += encoder.encodeInto(piece, buffer.subarray(size)).written;
  }
  const result = await use(buffer.subarray(0, size));
  if (buffer.length === SPARE) spare = buffer;
  return result;
}

/** @throws TooLarge */
async function compress(pieces: Iterable<string>, onPiece: (piece: string) => void): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  const read = function* () {
    for (const piece of pieces) {
      onPiece(piece);
      yield piece;
    }
  };
  await pipeline(read, createZstdCompress(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > MAX_SNAPSHOT_BYTES) throw new TooLarge();
      chunks.push(chunk);
    }
  });
  return Buffer.concat(chunks);
}

/** Characters of bodies in a snapshot that is compressed in one step, which takes a third of the time. */
const PACKED_AT_ONCE = 1_048_576;

class TooLarge extends Error {}

/** Characters of a body that are written at once. The digest of a recording depends on it. */
const PIECE = 262_144;
/** Shorter pieces are escaped in memory that is at hand. */
const STEP = 8_192;

/**
 * A text that parses to the snapshot, the same for every `step`.
 *
 * @throws TooLarge
 */
function* piecesOf({ http, ...rest }: Snapshot, step = PIECE): Generator<string> {
  let length = 0;
  const counted = (piece: string) => {
    length += piece.length;
    if (length > MAX_SNAPSHOT_CHARACTERS) throw new TooLarge();
    return piece;
  };
  yield counted(`${JSON.stringify(rest).slice(0, -1)},"http":[`);
  for (const [at, { body, ...exchange }] of http.entries()) {
    yield counted(`${at > 0 ? "," : ""}${JSON.stringify(exchange).slice(0, -1)},"body":"`);
    for (let start = 0; start < body.length; ) {
      const last = Math.min(start - (start % PIECE) + PIECE, body.length);
      let end = Math.min(start + step, last);
      // Half of a surrogate pair would be escaped.
      if (end < last && isHighSurrogate(body.charCodeAt(end - 1))) end += 1;
      yield counted(JSON.stringify(body.slice(start, end)).slice(1, -1));
      start = end;
    }
    yield '"}';
  }
  yield "]}";
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

async function decompress(content: Uint8Array): Promise<Snapshot> {
  const bytes = await Bun.zstdDecompress(Uint8Array.from(content));
  const snapshot: Snapshot = JSON.parse(new TextDecoder().decode(bytes));
  return snapshot;
}
