import { raceAbort } from "../core/async.ts";
import type { DataSources } from "../core/data-sources.ts";
import { type Domain, parseDomain } from "../core/domain.ts";
import { Failure } from "../core/errors.ts";
import type { NetworkClient } from "../net/client.ts";
import type { Snapshot } from "../net/snapshot.ts";
import { type CaptureHints, parseRecordedDomain, readCapture } from "./captures/read-capture.ts";
import { detect, type Progress } from "./engine.ts";
import type { Catalogue } from "./fingerprints/catalogue.ts";
import type { DiscoveryRepository, FeedbackRepository } from "./fingerprints/repository.ts";
import {
  readRecentScans,
  readScanChanges,
  readSourceHealth,
  type ScanChanges,
  type SourceHealthReport,
} from "./history.ts";
import { createEnrichmentPresenter } from "./presenter.ts";
import type { ScanRepository } from "./repository.ts";
import { createScanCoordinator, type SharedScan } from "./scan-coordinator.ts";
import { SCANNERS } from "./scanners/registry.ts";
import type { Scanner } from "./scanners/scanner.ts";
import type { Enrichment, Report, Step, UnmatchedSignal } from "./types.ts";
import { createUnmatchedCollector } from "./unmatched-signals.ts";
import { liveVisit } from "./visit/live-visit.ts";
import { replayVisit } from "./visit/replay-visit.ts";
import { stringifySnapshot } from "./visit/snapshot-file.ts";
import type { Visit } from "./visit/visit.ts";

export interface EnrichOptions {
  /** Maximum age of a stored result, in seconds; 0 forces a new scan. The default is configured. */
  readonly maxAgeSeconds?: number | undefined;
  /** Aborts the call. The scan itself stops only when no other caller waits for it. */
  readonly signal?: AbortSignal | undefined;
}

export interface DetectionService {
  /**
   * The tools that a company uses: a stored result that is fresh enough, else a new scan.
   *
   * @throws Failure `domain.invalid`, `domain.reserved`, `domain.not_found`, `dns.unreachable`, `service.overloaded`
   */
  enrich(input: string, options?: EnrichOptions): Promise<Enrichment>;
  /** The same as steps. Resolves when the scan has started, so that refusals reject before the first step. */
  enrichSteps(input: string, options?: EnrichOptions): Promise<AsyncIterable<Step>>;
  /** Scans without storing anything; returns everything that the scanners fetched. */
  capture(
    input: string,
    options?: { signal?: AbortSignal; onProgress?: (progress: Progress) => void },
  ): Promise<Snapshot>;
  /** Reads a file of any supported format. @throws Failure `snapshot.invalid`, `domain.invalid` */
  read(text: string, hints: CaptureHints): Snapshot;
  /** A snapshot as the text of a file that `read` accepts, one answer per line. */
  write(snapshot: Snapshot): string;
  /** Detects tools in a recording, without network access. `keep` stores the result like that of a scan. */
  analyse(snapshot: Snapshot, options?: { keep?: boolean }): Promise<Enrichment>;
  /** Runs the newest stored snapshot of a domain with the present catalogue. @throws Failure `snapshot.not_found` */
  replay(input: string): Promise<Enrichment>;
  /** Domains with a stored snapshot, by name. */
  recordedDomains(): Promise<readonly string[]>;
  /** Undefined when the domain was never scanned. */
  scanChanges(domain: string): Promise<ScanChanges | undefined>;
  /** The changes of each domain's newest scan, most recently scanned domains first. */
  recentScans(limit: number): Promise<readonly ScanChanges[]>;
  /** The status of each scanner in the latest scans. */
  sourceHealth(): Promise<SourceHealthReport>;
  scansRunning(): number;
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
  };
  /** `casefile VERSION`, written into snapshots. */
  readonly agent: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Receives what a scanner threw. */
  readonly onBug: (source: string, error: unknown) => void;
  /** Receives the report of each finished scan. */
  readonly onScan: (report: Report) => void;
  readonly scanners?: readonly Scanner[] | undefined;
}

/** Reserved for storing the result and sending the last event: a tenth of the deadline, at most this. */
const CLOSING_MS = 700;
/** The least time for the scanners when resolving the domain took most of the deadline. */
const MIN_SCAN_MS = 500;

export function createDetectionService(options: DetectionOptions): DetectionService {
  const { network, dataSources, catalogue, scans, discovery, settings, now, scanners = SCANNERS } = options;
  const { minConfidence, deadlineMs, allowedReservedTlds } = settings;
  const { suppressedRules, present, presentUnsaved } = createEnrichmentPresenter({ ...options, minConfidence });

  /** Runs the scanners on a visit. Nothing is stored. */
  const detectOn = async (
    visit: Visit,
    limits: { deadlineMs: number; now: () => number; onProgress?: (progress: Progress) => void },
  ) => {
    const unmatched = createUnmatchedCollector(visit.domain);
    const report = await detect(visit, scanners, catalogue, {
      ...limits,
      minConfidence,
      suppressed: await suppressedRules(visit.domain.name),
      onSignal: unmatched.add,
      onBug: options.onBug,
    });
    return { report, unmatched: unmatched.list() };
  };

  const save = async (report: Report, unmatched: readonly UnmatchedSignal[], snapshot: Snapshot) => {
    await scans.save({ domain: report.domain, report, snapshot });
    await discovery.replace(report.domain, report.scanned_at, unmatched);
  };

  const scan = async (domain: Domain, signal: AbortSignal, onProgress: (progress: Progress) => void) => {
    const startedAt = performance.now();
    const finished = new AbortController();
    const visit = liveVisit(domain, network, dataSources, AbortSignal.any([signal, finished.signal]));
    try {
      await assertExists(visit);
      const left = deadlineMs - (performance.now() - startedAt) - Math.min(CLOSING_MS, deadlineMs / 10);
      const found = await detectOn(visit, { deadlineMs: Math.max(MIN_SCAN_MS, left), now, onProgress });
      return { ...found, snapshot: visit.snapshot(options.agent, found.report.scanned_at) };
    } finally {
      // Lookups of scanners that hit their limit would otherwise continue.
      finished.abort(new Error("the scan is over"));
    }
  };

  const coordinator = createScanCoordinator<Progress, Enrichment>(async (name, signal, onProgress) => {
    const { report, unmatched, snapshot } = await scan(parseDomain(name, allowedReservedTlds), signal, onProgress);
    await save(report, unmatched, snapshot);
    options.onScan(report);
    return present(report, false);
  }, settings.concurrency);

  /** False for a name outside the public DNS, whose result can only come from a recording. */
  const isScannable = (input: string): boolean => {
    try {
      parseDomain(input, allowedReservedTlds);
      return true;
    } catch (error) {
      if (error instanceof Failure && error.code === "domain.reserved") return false;
      throw error;
    }
  };

  /** A stored result or a running scan. The result of a name that cannot be scanned does not expire unless the caller says so. */
  const cachedOrScan = async (input: string, maxAgeSeconds?: number) => {
    const { name } = parseRecordedDomain(input, allowedReservedTlds);
    const latest = maxAgeSeconds === 0 ? undefined : await scans.latest(name);
    if (latest) {
      const isFresh = now() - Date.parse(latest.scanned_at) <= (maxAgeSeconds ?? settings.cacheSeconds) * 1_000;
      if (isFresh || (maxAgeSeconds === undefined && !isScannable(input)))
        return { cached: await present(latest.report, true) };
    }
    return { shared: coordinator.join(parseDomain(input, allowedReservedTlds).name) };
  };

  const analyse: DetectionService["analyse"] = async (snapshot, { keep = false } = {}) => {
    // Dates are those of the recording.
    const recordedAt = () => Date.parse(snapshot.captured_at);
    const { report, unmatched } = await detectOn(replayVisit(snapshot), { deadlineMs, now: recordedAt });
    if (!keep) return presentUnsaved(report);
    await save(report, unmatched, snapshot);
    return present(report, false);
  };

  return {
    async enrich(input, { maxAgeSeconds, signal } = {}) {
      const { cached, shared } = await cachedOrScan(input, maxAgeSeconds);
      if (cached) return cached;
      try {
        return await raceAbort(shared.result, signal);
      } finally {
        shared.leave();
      }
    },

    async enrichSteps(input, { maxAgeSeconds, signal } = {}) {
      const { cached, shared } = await cachedOrScan(input, maxAgeSeconds);
      if (cached) return single({ phase: "complete", enrichment: cached });
      // The caller may abort before it reads the first step.
      signal?.addEventListener("abort", () => shared.leave(), { once: true });
      const events = shared.events()[Symbol.asyncIterator]();
      try {
        const first = await raceAbort(events.next(), signal);
        // A scan without any event was refused; its result rejects with the reason.
        if (first.done) return single({ phase: "complete", enrichment: await shared.result });
        return steps(first.value, events, shared, signal);
      } catch (error) {
        shared.leave();
        throw error;
      }
    },

    async capture(input, { signal = new AbortController().signal, onProgress = () => {} } = {}) {
      const { snapshot } = await scan(parseDomain(input, allowedReservedTlds), signal, onProgress);
      return snapshot;
    },

    read: readCapture,
    write: stringifySnapshot,
    analyse,

    async replay(input) {
      const { name } = parseRecordedDomain(input, allowedReservedTlds);
      const snapshot = await scans.latestSnapshot(name);
      if (!snapshot) throw new Failure("snapshot.not_found", `No snapshot of ${name} is stored; scan it first.`);
      return analyse(snapshot, { keep: true });
    },

    recordedDomains: async () => (await scans.snapshotDomains()).map(({ domain }) => domain),
    scanChanges: (domain) => readScanChanges(scans, domain),
    recentScans: (limit) => readRecentScans(scans, limit),
    sourceHealth: () => readSourceHealth(scans, scanners, dataSources),
    scansRunning: coordinator.running,
    stop: () => coordinator.stopAll(new Failure("service.draining", "The service is stopping; try again in a moment.")),
  };
}

/** @throws Failure `domain.not_found` for a name that does not exist, `dns.unreachable` when DNS does not answer */
async function assertExists(visit: Visit): Promise<void> {
  const { name } = visit.domain;
  const lookups = [visit.dns(name, "A"), visit.dns(name, "NS")];
  const exists = lookups.map((lookup) => lookup.then(({ status }) => status === "ok" || Promise.reject(status)));
  // One positive answer is enough; the other lookup may hang.
  if (await Promise.any(exists).catch(() => false)) return;
  const answers = await Promise.all(lookups);
  if (answers.some(({ status }) => status === "nxdomain"))
    throw new Failure("domain.not_found", `${name} does not exist in DNS; check the spelling.`);
  throw new Failure(
    "dns.unreachable",
    `DNS did not answer for ${name}; check the configured resolvers, try again, or accept an older result with max_age.`,
    { retryAfterSeconds: 30 },
  );
}

async function* steps(
  first: Progress,
  rest: AsyncIterator<Progress>,
  shared: SharedScan<Progress, Enrichment>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Step> {
  try {
    yield first;
    for (let next = await raceAbort(rest.next(), signal); !next.done; next = await raceAbort(rest.next(), signal)) {
      yield next.value;
    }
    yield { phase: "complete", enrichment: await raceAbort(shared.result, signal) };
  } finally {
    shared.leave();
  }
}

async function* single(step: Step): AsyncGenerator<Step> {
  yield step;
}
