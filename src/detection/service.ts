import { onAbort, raceAbort } from "../core/async.ts";
import type { DataSources } from "../core/data-sources.ts";
import { type Domain, isReservedTop, parseDomain, topLevelOf } from "../core/domain.ts";
import { Failure, type FailureCode } from "../core/errors.ts";
import { isWriteFault } from "../db/faults.ts";
import type { NetworkClient } from "../net/client.ts";
import { assertNotOptedOut, type OptOuts } from "../net/opt-outs.ts";
import type { Snapshot } from "../net/snapshot.ts";
import { knowsTopLevel } from "../net/top-level.ts";
import { type CaptureHints, parseRecordedDomain, readCapture, recordedNames } from "./captures/read-capture.ts";
import { detect, type Progress } from "./engine.ts";
import type { Catalogue } from "./fingerprints/catalogue.ts";
import type { DiscoveryRepository, FeedbackRepository } from "./fingerprints/repository.ts";
import {
  type HistoryParts,
  readRecentScans,
  readSourceHealth,
  type ScanChanges,
  type SourceHealthReport,
} from "./history.ts";
import { type CompanyIcon, createIcons, fetchIcon } from "./icon.ts";
import type { ScanProcesses } from "./isolation/scan-processes.ts";
import { atLeast, createEnrichmentPresenter, type PresentedReport } from "./presenter.ts";
import { originOf, SCAN, type ScanRepository, type StoredScan } from "./repository.ts";
import type { ScanClaims } from "./scan-claims.ts";
import { createScanCoordinator, type SharedScan } from "./scan-coordinator.ts";
import { chosenScanners, SCANNERS } from "./scanners/registry.ts";
import type { Scanner } from "./scanners/scanner.ts";
import type { Enrichment, Report, Step, UnmatchedSignal } from "./types.ts";
import { createUnmatchedCollector } from "./unmatched-signals.ts";
import { joinSnapshots } from "./visit/join.ts";
import { liveVisit, VISIT_BUDGET } from "./visit/live-visit.ts";
import { replayVisit } from "./visit/replay-visit.ts";
import type { RobotsMode } from "./visit/robots.ts";
import { stringifySnapshot } from "./visit/snapshot-file.ts";
import type { Visit } from "./visit/visit.ts";

export interface EnrichOptions {
  /**
   * Maximum age of a stored result, in seconds; 0 forces a new scan, Infinity accepts any. The default is configured, and
   * less for a result with a data source that timed out: an hour, or as long as the data source has done so.
   */
  readonly maxAgeSeconds?: number | undefined;
  /** False to fail when a scan cannot succeed, instead of returning a stored result as stale. */
  readonly acceptStale?: boolean | undefined;
  /** Minimum confidence of the returned tools, 0–1. The default is configured. */
  readonly minConfidence?: number | undefined;
  /** Aborts the call. The scan itself stops only when no other caller waits for it. */
  readonly signal?: AbortSignal | undefined;
  /** Identifies the caller, which may start half of the concurrent scans; without it, all of them. */
  readonly caller?: string | undefined;
  /** Ids of the scanners to run; by default all. A stored result of all scanners is accepted too. */
  readonly only?: readonly string[] | undefined;
  /** Waits while other scans run, and does not count as one of them. For work that nobody waits for. */
  readonly background?: boolean | undefined;
}

export interface DetectionService {
  /**
   * The tools that a company uses: a stored result that is fresh enough, else a new scan. Where a scan cannot succeed
   * because of DNS, a stored result of any age is returned with `stale_reason`.
   *
   * @throws Failure `domain.invalid`, `domain.reserved`, `domain.not_found`, `domain.opted_out`, `dns.unreachable`,
   *   `service.overloaded`
   */
  enrich(input: string, options?: EnrichOptions): Promise<Enrichment>;
  /** The same as steps. Resolves when the scan has started, so that refusals reject before the first step. */
  enrichSteps(input: string, options?: EnrichOptions): Promise<AsyncIterable<Step>>;
  /** The registrable domain that a scan of the input is about. @throws Failure `domain.invalid`, `domain.reserved` */
  domainOf(input: string): string;
  /**
   * Scans without storing anything; returns everything that the scanners fetched.
   *
   * @throws Failure `browser.unavailable` when `needsBrowser` and the home page was not loaded in a browser
   */
  capture(
    input: string,
    options?: { signal?: AbortSignal; onProgress?: (progress: Progress) => void; needsBrowser?: boolean },
  ): Promise<Snapshot>;
  /** Reads a file of any supported format. @throws Failure `snapshot.invalid`, `domain.invalid` */
  read(text: string, hints: CaptureHints): Snapshot;
  /** A snapshot as the text of a file that `read` accepts, one answer per line. */
  write(snapshot: Snapshot): string;
  /** Detects tools in a recording, without network access. `keep` stores the result like that of a scan. */
  analyse(snapshot: Snapshot, options?: { keep?: boolean; minConfidence?: number | undefined }): Promise<Enrichment>;
  /** Runs the newest stored snapshot of a domain with the present catalogue. @throws Failure `snapshot.not_found` */
  replay(input: string, options?: { minConfidence?: number | undefined }): Promise<Enrichment>;
  /** Analyses the stored snapshots of a domain with the present catalogue: their scans get the new reports. */
  renew(domain: string): Promise<void>;
  /**
   * The newest stored result, with the dates of this installation; undefined without one. Starts no scan.
   *
   * @throws Failure `domain.invalid`
   */
  stored(input: string): Promise<Enrichment | undefined>;
  /** Domains with a stored snapshot, by name. */
  recordedDomains(): Promise<readonly string[]>;
  /** The changes of each domain's newest scan, most recently scanned domains first. */
  recentScans(limit: number): Promise<readonly ScanChanges[]>;
  /** The status of each scanner in the latest scans. */
  sourceHealth(): Promise<SourceHealthReport>;
  scansRunning(): number;
  /** The companies' own icons, of those domains whose newest snapshots have one. */
  icons(domains: readonly string[]): Promise<ReadonlyMap<string, CompanyIcon>>;
  /** Aborts every scan; waiting callers get `service.draining`. */
  stop(): void;
}

export interface DetectionOptions {
  readonly network: NetworkClient;
  readonly dataSources: DataSources;
  readonly catalogue: Catalogue;
  readonly scans: ScanRepository;
  readonly discovery: DiscoveryRepository;
  readonly feedback: FeedbackRepository;
  readonly settings: {
    readonly deadlineMs: number;
    readonly cacheSeconds: number;
    readonly minConfidence: number;
    readonly concurrency: number;
    readonly allowedReservedTlds: readonly string[];
    readonly robots?: RobotsMode | undefined;
  };
  /** Domains that are not scanned, and whose stored results are not returned by a scan. */
  readonly optOuts?: OptOuts | undefined;
  /** `casefile VERSION`, written into snapshots. */
  readonly agent: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Receives what a scanner threw. */
  readonly onBug: (source: string, error: unknown) => void;
  /** Receives why a result could not be stored. */
  readonly onUnsaved: (error: unknown) => void;
  /** Receives the report of each finished scan. */
  readonly onScan: (report: Report) => void;
  /** Digest of everything that decides which tools a scan detects; stored with each report. */
  readonly rules?: (() => string) | undefined;
  readonly scanners?: readonly Scanner[] | undefined;
  /** Scans of the other nodes that share the database; without it there are none. */
  readonly claims?: ScanClaims | undefined;
  /** Runs the scanners; without it they run in this process, which a hostile page can stop for seconds. */
  readonly processes?: ScanProcesses | undefined;
}

/** Reserved for storing the result and sending the last event: a tenth of the deadline, at most this. */
const CLOSING_MS = 700;
/** Scans of a domain that are searched for one by all scanners. */
const MAX_SEARCHED = 10;
/** The least time for the scanners when resolving the domain took most of the deadline. */
const MIN_SCAN_MS = 500;

export function createDetectionService(options: DetectionOptions): DetectionService {
  const { network, dataSources, catalogue, scans, discovery, settings, optOuts, now, scanners = SCANNERS } = options;
  const { minConfidence, deadlineMs, allowedReservedTlds, robots = "ignore" } = settings;
  const { suppressedRules, present, presentUnsaved } = createEnrichmentPresenter({ ...options, minConfidence });

  const history: HistoryParts = {
    scans,
    falsePositives: options.feedback.ofDomain,
    requires: (toolId) => catalogue.tools.get(toolId)?.requires ?? [],
    toolsDetected: async (domain) =>
      (await storedResult({ scans, present, allowedReservedTlds }, domain))?.detections.length ?? 0,
  };

  const underRules = (report: Report): Report => (options.rules ? { ...report, rules: options.rules() } : report);

  /** Runs the scanners on a visit. Nothing is stored. */
  const detectOn = async (
    visit: Visit,
    limits: {
      deadlineMs: number;
      now: () => number;
      onProgress?: (progress: Progress) => void;
      watched?: Promise<void> | undefined;
      only?: readonly string[] | undefined;
    },
  ) => {
    const suppressed = await suppressedRules(visit.domain.name);
    if (options.processes)
      return options.processes.scan(visit, {
        ...limits,
        now: limits.now(),
        minConfidence,
        suppressed: [...suppressed],
      });
    const unmatched = createUnmatchedCollector(visit.domain);
    const report = await detect(visit, chosenScanners(scanners, limits.only), catalogue, {
      ...limits,
      minConfidence,
      suppressed,
      onSignal: unmatched.add,
      onBug: options.onBug,
    });
    return { report, unmatched: unmatched.list() };
  };

  const save = async (report: Report, unmatched: readonly UnmatchedSignal[], snapshot: Snapshot, isRenewed = false) => {
    await scans.save({ domain: report.domain, report, snapshot, isRenewed });
    // The signals that only the other scanners report are still unmatched.
    if (report.only === undefined) await discovery.replace(report.domain, report.scanned_at, unmatched);
  };

  const scan = async (
    domain: Domain,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
    only?: readonly string[],
    watched?: Promise<void>,
  ) => {
    const startedAt = performance.now();
    const finished = new AbortController();
    const visit = liveVisit(
      domain,
      network,
      dataSources,
      AbortSignal.any([signal, finished.signal]),
      VISIT_BUDGET,
      robots,
    );
    try {
      // It starts while DNS answers.
      options.processes?.prepare();
      await assertExists(visit);
      const left = deadlineMs - (performance.now() - startedAt) - Math.min(CLOSING_MS, deadlineMs / 10);
      // It ends with the scan, which never waits for it.
      if (only === undefined)
        fetchIcon(visit).catch((error) => finished.signal.aborted || options.onBug("icon", error));
      const found = await detectOn(visit, { deadlineMs: Math.max(MIN_SCAN_MS, left), now, onProgress, watched, only });
      return { ...found, snapshot: visit.snapshot(options.agent, found.report.scanned_at) };
    } finally {
      // Lookups of scanners that hit their limit would otherwise continue.
      finished.abort(new Error("the scan is over"));
    }
  };

  const coordinator = createScanCoordinator<Progress, PresentedReport>(async (key, signal, onProgress, watched) => {
    const { name, only } = parseScanKey(key);
    const domain = parseDomain(name, allowedReservedTlds);
    const scanAndSave = async (onStep: (progress: Progress) => void): Promise<PresentedReport> => {
      // Another node may read the progress.
      const read = options.claims ? undefined : watched;
      const { unmatched, snapshot, ...found } = await scan(domain, signal, onStep, only, read);
      const report = { ...underRules(found.report), ...(only === undefined ? {} : { only }) };
      if (found.isPartial) return presentUnsaved(report);
      await save(report, unmatched, snapshot).catch((error) => {
        // The disk is full or read-only: the caller gets the result all the same.
        if (!isWriteFault(error)) throw error;
        options.onUnsaved(error);
      });
      options.onScan(report);
      return present(report, false);
    };
    if (!options.claims) return await scanAndSave(onProgress);
    return await options.claims.run(key, signal, {
      newest: async () => (await scans.history(name, 1))[0]?.id ?? 0,
      async stored(after) {
        const latest = await newestCovering(name, only);
        return latest && latest.id > after ? present(latest.report, false) : undefined;
      },
      scan: (forward: (progress: Progress) => void) =>
        scanAndSave((progress) => {
          onProgress(progress);
          forward(progress);
        }),
      onForwarded: onProgress,
      maxWaitMs: deadlineMs / 2,
    });
  }, settings.concurrency);

  /** Why a name cannot be scanned: it is outside the public DNS, so its result can only come from a recording. */
  const refusalOf = (input: string): Failure | undefined => {
    try {
      parseDomain(input, allowedReservedTlds);
      return undefined;
    } catch (error) {
      if (error instanceof Failure && error.code === "domain.reserved") return error;
      throw error;
    }
  };

  /** Joins the stored recordings of a domain into one report; nothing is stored where its process was ended. */
  const joinRecordings = async (domain: string): Promise<Report | undefined> => {
    const { snapshots, scan_id } = await scans.snapshots(domain);
    const [first, ...rest] = snapshots;
    if (!first) return undefined;
    const joined = joinSnapshots([first, ...rest]);
    const recordedAt = () => Date.parse(joined.captured_at);
    const found = await detectOn(replayVisit(joined), { deadlineMs, now: recordedAt });
    const report = underRules(found.report);
    if (!found.isPartial) await scans.saveView(scan_id, report);
    return report;
  };

  /** The newest scan; where that is a recording, with the report on all recordings. */
  const latestView = async (domain: string) => {
    const latest = await scans.latest(domain);
    // Only recordings are joined.
    if (!latest || latest.origin === SCAN || !(await scans.needsView(domain))) return latest;
    await joinRecordings(domain);
    return await scans.latest(domain);
  };

  /** Joins now what is stored of a domain: lists and searches read the report on all recordings, and make none. */
  const joinStored = async (domain: string): Promise<void> => {
    if (await scans.needsView(domain)) await joinRecordings(domain);
  };

  /** The newest scan of the registrable domain, or of a recorded zone below it. */
  const newest = async (input: string) => {
    for (const name of recordedNames(input, allowedReservedTlds)) {
      const scan = await latestView(name);
      if (scan) return scan;
    }
    return undefined;
  };

  /** The newest scan that ran the requested scanners. */
  const newestCovering = async (domain: string, only: readonly string[] | undefined) => {
    const latest = await latestView(domain);
    if (latest === undefined || covers(latest.report, only)) return latest;
    return (await scans.history(domain, MAX_SEARCHED)).find(({ report }) => covers(report, only));
  };

  /** Whether data sources that timed out are asked again when a result has this age in seconds. */
  const isRetryDue = async ({ domain, scanned_at, report }: StoredScan, age: number): Promise<boolean> => {
    const timedOut = report.sources.filter(({ status }) => status === "timeout");
    if (timedOut.length === 0 || age <= MIN_RETRY_SECONDS) return false;
    const stored = await scans.history(domain, MAX_SEARCHED);
    const since = Math.max(...timedOut.map(({ source }) => timingOutSince(source, stored)));
    return age > (Date.parse(scanned_at) - since) / 1_000;
  };

  /** A stored result or a running scan. The result of a name that cannot be scanned does not expire unless the caller says so. */
  const cachedOrScan = async (input: string, options: EnrichOptions) => {
    const { maxAgeSeconds, acceptStale = true, only } = options;
    const { name } = parseRecordedDomain(input, allowedReservedTlds);
    await assertNotOptedOut(optOuts, name);
    const refusal = refusalOf(input);
    const latest = maxAgeSeconds === 0 ? undefined : refusal ? await newest(input) : await newestCovering(name, only);
    if (latest) {
      const age = (now() - Date.parse(latest.scanned_at)) / 1_000;
      const isYoung = age <= (maxAgeSeconds ?? settings.cacheSeconds);
      const isFresh = isYoung && (maxAgeSeconds !== undefined || !(await isRetryDue(latest, age)));
      if (isFresh || (maxAgeSeconds === undefined && refusal)) return { cached: await present(latest.report, true) };
    }
    /** The newest stored result when a scan cannot succeed. @throws the error itself otherwise */
    const staleAfter = async (error: unknown): Promise<PresentedReport> => {
      const isKnown = error instanceof Failure && NOT_RENEWABLE.has(error.code);
      const stored = isKnown && (acceptStale || error === refusal) ? (latest ?? (await newest(input))) : undefined;
      if (error === refusal && !stored) throw notRecorded(name);
      if (!isKnown || !acceptStale || !stored) throw error;
      return { ...(await present(stored.report, true)), stale_reason: problemOf(error) };
    };
    if (refusal) return { cached: await staleAfter(refusal) };
    const key = scanKey(parseDomain(input, allowedReservedTlds).name, only);
    const shared = options.background
      ? await coordinator.joinInBackground(key, options.signal)
      : coordinator.join(key, options);
    return { shared, staleAfter };
  };

  const analyseOne: DetectionService["analyse"] = async (snapshot, { keep = false, minConfidence } = {}) => {
    // Dates are those of the recording.
    const recordedAt = () => Date.parse(snapshot.captured_at);
    const { unmatched, ...found } = await detectOn(replayVisit(snapshot), { deadlineMs, now: recordedAt });
    const report = underRules(found.report);
    if (!keep || found.isPartial) return enrichmentAt(presentUnsaved(report), minConfidence);
    await save(report, unmatched, snapshot);
    return enrichmentAt(await present(report, false), minConfidence);
  };

  const analyse: DetectionService["analyse"] = async (snapshot, options) => {
    const analysed = await analyseOne(snapshot, options);
    if (options?.keep) await joinStored(analysed.domain);
    return analysed;
  };

  return {
    async enrich(input, options = {}) {
      const { cached, shared, staleAfter } = await cachedOrScan(input, options);
      const result = (report: PresentedReport) => enrichmentAt(report, options.minConfidence);
      if (cached) return result(cached);
      try {
        return result(await raceAbort(shared.result, options.signal));
      } catch (error) {
        return result(await staleAfter(error));
      } finally {
        shared.leave();
      }
    },

    async enrichSteps(input, options = {}) {
      const { signal } = options;
      const { cached, shared, staleAfter } = await cachedOrScan(input, options);
      const last = (report: PresentedReport): Step => ({
        phase: "complete",
        enrichment: enrichmentAt(report, options.minConfidence),
      });
      if (cached) return single(last(cached));
      // The caller may abort before it reads the first step.
      const stopListening = onAbort(signal, shared.leave);
      const leave = () => {
        stopListening();
        shared.leave();
      };
      const events = shared.events()[Symbol.asyncIterator]();
      try {
        const first = await raceAbort(events.next(), signal);
        // A scan without any event was refused, and its result rejects with the reason, or ended before somebody read them.
        if (first.done) return single(last(await shared.result.catch(staleAfter).finally(leave)));
        return steps(first.value, events, { ...shared, leave }, options);
      } catch (error) {
        leave();
        throw error;
      }
    },

    domainOf: (input) => parseRecordedDomain(input, allowedReservedTlds).name,

    async capture(input, { signal = new AbortController().signal, onProgress = () => {}, needsBrowser = false } = {}) {
      if (needsBrowser && network.browse === null)
        throw new Failure("browser.unavailable", "No browser is configured; add --browser-url http://127.0.0.1:9222.");
      const domain = parseDomain(input, allowedReservedTlds);
      await assertNotOptedOut(optOuts, domain.name);
      const { snapshot } = await scan(domain, signal, onProgress);
      if (needsBrowser && snapshot.browser?.status !== "ok") {
        const why = snapshot.browser?.detail ?? "the scan ended before it";
        throw new Failure("browser.unavailable", `The home page was not loaded in the browser: ${why}.`);
      }
      return snapshot;
    },

    read: readCapture,
    write: stringifySnapshot,
    analyse,

    async replay(input, { minConfidence } = {}) {
      const names = recordedNames(input, allowedReservedTlds);
      for (const name of names) {
        const snapshot = await scans.latestSnapshot(name);
        if (!snapshot) continue;
        const analysed = await analyseOne(snapshot, { keep: true, minConfidence });
        if (originOf(snapshot) === SCAN) return analysed;
        const { snapshots: stored } = await scans.snapshots(name);
        const others = stored.slice(1).filter((each) => originOf(each) !== SCAN);
        for (const each of others) await analyseOne(each, { keep: true });
        const view = stored.length > 1 ? await latestView(name) : undefined;
        return view ? enrichmentAt(await present(view.report, false), minConfidence) : analysed;
      }
      throw new Failure("snapshot.not_found", `No snapshot of ${names[0]} is stored; ${howToStore(names[0])}`);
    },

    async renew(domain) {
      const [{ snapshots }, stored] = await Promise.all([scans.snapshots(domain), scans.history(domain, MAX_SEARCHED)]);
      for (const snapshot of snapshots) {
        const recordedAt = Date.parse(snapshot.captured_at);
        const scan = stored.find(
          (each) => each.origin === originOf(snapshot) && Date.parse(each.scanned_at) === recordedAt,
        );
        const only = scan?.report.only;
        const found = await detectOn(replayVisit(snapshot), { deadlineMs, now: () => recordedAt, only });
        const report = { ...underRules(found.report), ...(only === undefined ? {} : { only }) };
        if (!found.isPartial) await save(report, found.unmatched, snapshot, true);
      }
      await joinStored(domain);
    },

    stored: (input) => storedResult({ scans, present, allowedReservedTlds }, input),
    icons: createIcons(scans),
    recordedDomains: async () => (await scans.snapshotDomains()).map(({ domain }) => domain),
    recentScans: (limit) => readRecentScans(history, limit),
    sourceHealth: () => readSourceHealth(scans, scanners, dataSources),
    scansRunning: coordinator.running,
    stop: () => coordinator.stopAll(new Failure("service.draining", "The service is stopping; try again in a moment.")),
  };
}

/**
 * A data source that ran into its time limit may answer next time, when this machine or the network is less busy. One that
 * keeps timing out is asked again after as long as it has done so.
 */
const MIN_RETRY_SECONDS = 3_600;

/** When the first of the scans was, up to the newest, in all of which a data source timed out. */
function timingOutSince(id: string, newestFirst: readonly StoredScan[]): number {
  let since = Number.POSITIVE_INFINITY;
  for (const { origin, scanned_at, report } of newestFirst) {
    const status = origin === SCAN ? report.sources.find(({ source }) => source === id)?.status : undefined;
    if (status === "timeout") since = Date.parse(scanned_at);
    else if (status !== undefined && status !== "skipped") break;
  }
  return since;
}

/** Scans of one domain are shared if they run the same scanners. */
const scanKey = (name: string, only: readonly string[] | undefined): string =>
  only === undefined ? name : `${name} ${only.toSorted().join(",")}`;

function parseScanKey(key: string): { readonly name: string; readonly only?: readonly string[] } {
  const [name = "", only] = key.split(" ");
  return only === undefined ? { name } : { name, only: only.split(",") };
}

/** Whether a report is the result of the requested scanners, or of more. */
const covers = ({ only: ran }: Report, only: readonly string[] | undefined): boolean =>
  ran === undefined || (only?.every((id) => ran.includes(id)) ?? false);

/** @throws Failure `domain.not_found` for a name that does not exist, `dns.unreachable` when DNS does not answer */
async function assertExists(visit: Visit): Promise<void> {
  const { name } = visit.domain;
  const lookups = [visit.dns(name, "A"), visit.dns(name, "NS")];
  const exists = lookups.map((lookup) => lookup.then(({ status }) => status === "ok" || Promise.reject(status)));
  // One positive answer is enough; the other lookup may hang.
  if (await Promise.any(exists).catch(() => false)) return;
  const answers = await Promise.all(lookups);
  const isMissing = answers.some(({ status }) => status === "nxdomain");
  if (isMissing && (await knowsTopLevel(name, visit.dns)))
    throw new Failure("domain.not_found", `${name} does not exist in DNS; check the spelling.`);
  throw new Failure(
    "dns.unreachable",
    isMissing
      ? `The DNS server knows neither ${name} nor the top-level domain ${topLevelOf(name)}; check the network and the configured resolvers, then try again.`
      : `DNS did not answer for ${name}; check the network and the configured resolvers, then try again.`,
    { retryAfterSeconds: 30 },
  );
}

/** What to do for a name without a scan or recording, which cannot be scanned outside the public DNS. */
export const howToStore = (name: string): string =>
  isReservedTop(topLevelOf(name))
    ? "add a recording with `casefile ingest FILE` or `casefile enrich --from FILE --keep`."
    : "scan it first.";

/** A name outside the public DNS has a result only where a recording is stored. */
const notRecorded = (name: string): Failure =>
  new Failure(
    "domain.reserved",
    `No recording of ${name} is stored, and names under ${topLevelOf(name)} are reserved, so there is nothing to scan. Add a recording with \`casefile ingest FILE\` or \`casefile enrich --from FILE --keep\`, give a public domain, or add ${topLevelOf(name)} to scan.allowed_reserved_tlds.`,
  );

/** Failures of a scan after which a stored result is returned as stale. */
const NOT_RENEWABLE: ReadonlySet<FailureCode> = new Set(["domain.not_found", "domain.reserved", "dns.unreachable"]);

/** The problem without the advice: the sentence up to the semicolon. */
const problemOf = ({ message }: Failure): string => message.replace(/; .*$/s, ".");

async function* steps(
  first: Progress,
  rest: AsyncIterator<Progress>,
  shared: SharedScan<Progress, PresentedReport>,
  { minConfidence, signal }: EnrichOptions,
): AsyncGenerator<Step> {
  const stepOf = ({ phase, ...found }: Progress): Step => ({ phase, detections: atLeast(found, minConfidence) });
  try {
    yield stepOf(first);
    for (let next = await raceAbort(rest.next(), signal); !next.done; next = await raceAbort(rest.next(), signal)) {
      yield stepOf(next.value);
    }
    yield { phase: "complete", enrichment: enrichmentAt(await raceAbort(shared.result, signal), minConfidence) };
  } finally {
    shared.leave();
  }
}

/** The newest report on the registrable domain, or on a recorded zone below it. */
export async function storedResult(
  {
    scans,
    present,
    allowedReservedTlds,
  }: {
    readonly scans: Pick<ScanRepository, "latest">;
    readonly present: (report: Report, cached: boolean) => Promise<PresentedReport>;
    readonly allowedReservedTlds: readonly string[];
  },
  input: string,
): Promise<Enrichment | undefined> {
  for (const name of recordedNames(input, allowedReservedTlds)) {
    const scan = await scans.latest(name);
    if (scan) return enrichmentAt(await present(scan.report, true), undefined);
  }
  return undefined;
}

function enrichmentAt({ possible, ...report }: PresentedReport, minConfidence: number | undefined): Enrichment {
  return { ...report, detections: atLeast({ detections: report.detections, possible }, minConfidence) };
}

async function* single(step: Step): AsyncGenerator<Step> {
  yield step;
}
