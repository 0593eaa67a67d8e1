import { raceAbort } from "../core/async.ts";
import { type Domain, parseDomain } from "../core/domain.ts";
import { Failure } from "../core/errors.ts";
import type { NetworkClient } from "../net/client.ts";
import type { Snapshot } from "../net/snapshot.ts";
import type { Store } from "../store.ts";
import { type CaptureHints, readCapture } from "./captures/read-capture.ts";
import { type DetectOptions, detect, type Progress } from "./engine.ts";
import { withoutRules } from "./evidence.ts";
import type { Catalogue } from "./fingerprints/catalogue.ts";
import { toArray } from "./fingerprints/conditions.ts";
import type { MailRole } from "./fingerprints/types.ts";
import { createScanCoordinator, type SharedScan } from "./scan-coordinator.ts";
import type { Scanner } from "./scanners/scanner.ts";
import type { Detection, Phase, Report } from "./types.ts";
import { createUnmatchedCollector } from "./unmatched-signals.ts";
import { liveVisit } from "./visit/live-visit.ts";
import { replayVisit } from "./visit/replay-visit.ts";
import { stringifySnapshot } from "./visit/snapshot-file.ts";
import type { DataSources, Visit } from "./visit/visit.ts";

/** A report with what was known of its tools before. */
export interface Enrichment extends Omit<Report, "detections"> {
  readonly detections: readonly EnrichedDetection[];
  /** Whether it was told from an earlier scan. */
  readonly cached: boolean;
}

export interface EnrichedDetection extends Detection {
  /** ISO 8601 UTC: the first and the last scan of this installation that saw the tool. */
  readonly first_seen: string;
  readonly last_seen: string;
  /** Name of the tool of which it is a part. */
  readonly product_of: string | null;
  /** What it does with the company's mail. */
  readonly roles: readonly MailRole[];
}

interface PresenterParts {
  readonly catalogue: Catalogue;
  readonly store: Pick<Store, "scans" | "discovery" | "feedback">;
  readonly threshold: number;
}

/** One judgement of a company: what detection needs for it, and what becomes of its report. */
interface ScanContext {
  readonly options: Pick<DetectOptions, "threshold" | "suppressed" | "onSignal">;
  /** Stores the report, what no rule knew, and the snapshot. */
  keep(report: Report, snapshot: Snapshot): Promise<void>;
}

/** What reports become before they are told, and what is kept of them. */
function createEnrichmentPresenter({ catalogue, store, threshold }: PresenterParts) {
  const suppressedFor = async (domain: string): Promise<ReadonlySet<string>> =>
    new Set((await store.feedback.ofDomain(domain)).flatMap(({ rules }) => rules));

  const related = (detection: Detection) => {
    const tool = catalogue.tools.get(detection.id);
    const whole = tool?.product_of === undefined ? undefined : catalogue.tools.get(tool.product_of);
    return { ...detection, product_of: whole?.name ?? null, roles: toArray(tool?.role) };
  };

  return {
    async judge(domain: string): Promise<ScanContext> {
      const unknowns = createUnmatchedCollector({ name: domain });
      return {
        options: { threshold, suppressed: await suppressedFor(domain), onSignal: unknowns.add },
        async keep(report, snapshot) {
          await store.scans.save({ domain, report, snapshot });
          await store.discovery.replace(domain, report.scanned_at, unknowns.list());
        },
      };
    },

    /** With the dates of this installation, and without what the operator said was told wrongly. */
    async seen(report: Report, cached: boolean): Promise<Enrichment> {
      const suppressed = await suppressedFor(report.domain);
      const sightings = await store.scans.sightings(report.domain);
      const detections = withoutRules(report.detections, suppressed, catalogue, threshold).map((detection) => ({
        ...related(detection),
        first_seen: sightings.get(detection.id)?.first_seen ?? report.scanned_at,
        last_seen: sightings.get(detection.id)?.last_seen ?? report.scanned_at,
      }));
      return { ...report, detections, cached };
    },

    /** Of a recording that is not kept. */
    unseen: (report: Report): Enrichment => ({
      ...report,
      cached: false,
      detections: report.detections.map((detection) => ({
        ...related(detection),
        first_seen: report.scanned_at,
        last_seen: report.scanned_at,
      })),
    }),
  };
}

/** One step of a scan that is being told. The last has the result. */
export type Step =
  | { readonly phase: Phase; readonly detections: readonly Detection[] }
  | { readonly phase: "complete"; readonly enrichment: Enrichment };

export interface EnrichOptions {
  /** How old a stored result may be, in seconds; 0 scans anew. By default the configured age. */
  readonly maxAgeSeconds?: number;
  /** The caller's patience: when it aborts, the caller leaves, and the scan stops if nobody else waits. */
  readonly signal?: AbortSignal;
}

export interface DetectionService {
  /**
   * The tools that a company uses: a stored result that is fresh enough, else a scan.
   *
   * @throws Failure `domain.invalid`, `domain.reserved`, `domain.not_found`, `dns.unreachable`, `service.overloaded`
   */
  enrich(input: string, options?: EnrichOptions): Promise<Enrichment>;
  /**
   * The same as steps. Resolves when the scan is known to have begun, so that its refusals come before the first step.
   */
  enrichSteps(input: string, options?: EnrichOptions): Promise<AsyncIterable<Step>>;
  /** Visits without judging: everything that the scanners looked at, as a snapshot. */
  capture(
    input: string,
    options?: { signal?: AbortSignal; onProgress?: (progress: Progress) => void },
  ): Promise<Snapshot>;
  /** Reads a file of any known form, so that it can be analysed. @throws Failure `snapshot.invalid`, `domain.invalid` */
  read(text: string, hints: Omit<CaptureHints, "reservedNames">): Snapshot;
  /** A snapshot as a file keeps it, one answer a line: `read` takes it back. */
  write(snapshot: Snapshot): string;
  /** Detects on a recording, with no network. `keep` stores the result, so that it is told like a scan's. */
  analyse(snapshot: Snapshot, options?: { keep?: boolean }): Promise<Enrichment>;
  /** Runs the newest stored snapshot of a domain again with today's catalogue. @throws Failure `snapshot.not_found` */
  replay(input: string): Promise<Enrichment>;
  /** Domains whose recording is kept, by name. */
  recordedDomains(): Promise<readonly string[]>;
  readonly scansRunning: () => number;
  /** Ends every scan; waiting callers get `service.draining`. */
  stop(): void;
}

interface DetectionParts {
  readonly door: NetworkClient;
  readonly sources: DataSources;
  readonly scanners: readonly Scanner[];
  readonly catalogue: Catalogue;
  readonly store: Pick<Store, "scans" | "discovery" | "feedback">;
  readonly settings: {
    readonly deadlineMs: number;
    readonly cacheSeconds: number;
    readonly minConfidence: number;
    readonly concurrency: number;
    readonly allowedReservedTlds: readonly string[];
  };
  /** `casefile VERSION`, written into snapshots. */
  readonly agent: string;
  readonly now: () => number;
  readonly onBug: (source: string, error: unknown) => void;
  /** Told of every scan that ended. */
  readonly onScan: (report: Report) => void;
}

/** Reserved names that a recording may be of: nobody is asked, and examples and tests live under them. */
const RECORDED = ["example", "test", "internal", "local", "corp", "home", "lan"];

/** Kept from the deadline for storing the result and sending the last event: a tenth of it, and at most this. */
const CLOSING_MS = 700;
/** What a scan gets when finding out that the domain exists took the deadline's most. */
const LEAST_SCAN_MS = 500;

export function createDetectionService(parts: DetectionParts): DetectionService {
  const { door, sources, scanners, catalogue, store, settings, now, onBug } = parts;
  const { judge, seen, unseen } = createEnrichmentPresenter({ catalogue, store, threshold: settings.minConfidence });

  const scan = async (name: string, signal: AbortSignal, tell: (progress: Progress) => void): Promise<Scanned> => {
    const began = performance.now();
    const over = new AbortController();
    const domain = parseDomain(name, settings.allowedReservedTlds);
    const visit = liveVisit(domain, door, sources, AbortSignal.any([signal, over.signal]));
    try {
      await assertExists(visit);
      const judgement = await judge(name);
      const left = settings.deadlineMs - (performance.now() - began);
      const report = await detect(visit, scanners, catalogue, {
        ...judgement.options,
        deadlineMs: Math.max(LEAST_SCAN_MS, left - Math.min(CLOSING_MS, settings.deadlineMs / 10)),
        now,
        onProgress: tell,
        onBug,
      });
      return { report, snapshot: visit.snapshot(parts.agent, report.scanned_at), judgement };
    } finally {
      // What a scanner left behind at its limit would go on asking, for nobody.
      over.abort(new Error("the scan is over"));
    }
  };

  const desk = createScanCoordinator<Progress, Enrichment>(async (name, signal, tell) => {
    const { report, snapshot, judgement } = await scan(name, signal, tell);
    await judgement.keep(report, snapshot);
    parts.onScan(report);
    return seen(report, false);
  });

  const stored = async (domain: Domain, maxAgeSeconds = settings.cacheSeconds): Promise<Enrichment | undefined> => {
    if (maxAgeSeconds <= 0) return undefined;
    const latest = await store.scans.latest(domain.name);
    if (!latest || now() - Date.parse(latest.scanned_at) > maxAgeSeconds * 1_000) return undefined;
    return seen(latest.report, true);
  };

  /** A recording of a reserved name may be kept and told; a visit to one is refused. */
  const begin = async (input: string, maxAgeSeconds: number | undefined) => {
    const recorded = parseDomain(input, [...settings.allowedReservedTlds, ...RECORDED]);
    const known = await stored(recorded, maxAgeSeconds);
    return { known, domain: known ? recorded : parseDomain(input, settings.allowedReservedTlds) };
  };

  const join = (domain: Domain): SharedScan<Progress, Enrichment> => {
    if (!desk.has(domain.name) && desk.running() >= settings.concurrency) {
      throw new Failure("service.overloaded", "Too many scans run at once; ask again in a few seconds.", {
        retryAfterSeconds: 5,
      });
    }
    return desk.join(domain.name);
  };

  const analyse: DetectionService["analyse"] = async (snapshot, { keep = false } = {}) => {
    const visit = replayVisit(snapshot);
    const judgement = await judge(visit.domain.name);
    const report = await detect(visit, scanners, catalogue, {
      ...judgement.options,
      deadlineMs: settings.deadlineMs,
      // What a recording tells holds for the time when it was made.
      now: () => Date.parse(snapshot.captured_at),
      onBug,
    });
    if (!keep) return unseen(report);
    await judgement.keep(report, snapshot);
    return seen(report, false);
  };

  return {
    async enrich(input, { maxAgeSeconds, signal } = {}) {
      const { domain, known } = await begin(input, maxAgeSeconds);
      if (known) return known;
      const sharing = join(domain);
      try {
        return await raceAbort(sharing.result, signal);
      } finally {
        sharing.leave();
      }
    },

    async enrichSteps(input, { maxAgeSeconds, signal } = {}) {
      const { domain, known } = await begin(input, maxAgeSeconds);
      if (known) return one({ phase: "complete", enrichment: known });
      const sharing = join(domain);
      // The steps may never be read: a caller that is gone before the first leaves all the same.
      signal?.addEventListener("abort", () => sharing.leave(), { once: true });
      const events = sharing.events()[Symbol.asyncIterator]();
      try {
        const first = await raceAbort(events.next(), signal);
        // Without a single event the scan was refused: its reason is the answer.
        if (first.done) return one({ phase: "complete", enrichment: await sharing.result });
        return steps(first.value, events, sharing, signal);
      } catch (error) {
        sharing.leave();
        throw error;
      }
    },

    async capture(input, { signal = new AbortController().signal, onProgress } = {}) {
      const domain = parseDomain(input, settings.allowedReservedTlds);
      return (await scan(domain.name, signal, onProgress ?? (() => {}))).snapshot;
    },

    write: stringifySnapshot,

    read: (text, hints) => readCapture(text, { ...hints, reservedNames: RECORDED }),

    analyse,

    async replay(input) {
      const domain = parseDomain(input, [...settings.allowedReservedTlds, ...RECORDED]);
      const snapshot = await store.scans.latestSnapshot(domain.name);
      if (!snapshot) {
        throw new Failure("snapshot.not_found", `No snapshot of ${domain.name} is stored; scan it once first.`);
      }
      return analyse(snapshot, { keep: true });
    },

    recordedDomains: async () => (await store.scans.snapshotDomains()).map(({ domain }) => domain),

    scansRunning: desk.running,
    stop: () => desk.stopAll(new Failure("service.draining", "The service is stopping; ask again in a moment.")),
  };
}

interface Scanned {
  readonly report: Report;
  readonly snapshot: Snapshot;
  readonly judgement: ScanContext;
}

/** @throws Failure `domain.not_found` when DNS says so, `dns.unreachable` when DNS says nothing at all */
async function assertExists(visit: Visit): Promise<void> {
  const asked = [visit.dns(visit.domain.name, "A"), visit.dns(visit.domain.name, "NS")];
  const exists = asked.map((answer) => answer.then(({ status }) => status === "ok" || Promise.reject(status)));
  // The first "yes" will do: the other question may hang.
  if (await Promise.any(exists).catch(() => false)) return;
  const answers = await Promise.all(asked);
  if (answers.some(({ status }) => status === "nxdomain")) {
    throw new Failure("domain.not_found", `${visit.domain.name} does not exist in DNS; check its spelling.`);
  }
  throw new Failure(
    "dns.unreachable",
    "DNS gave no answer for this domain; check the configured resolvers, try again, or accept an older result with max_age.",
    {
      retryAfterSeconds: 30,
    },
  );
}

async function* steps(
  first: Progress,
  rest: AsyncIterator<Progress>,
  sharing: SharedScan<Progress, Enrichment>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Step> {
  try {
    yield first;
    for (let next = await raceAbort(rest.next(), signal); !next.done; next = await raceAbort(rest.next(), signal)) {
      yield next.value;
    }
    yield { phase: "complete", enrichment: await raceAbort(sharing.result, signal) };
  } finally {
    sharing.leave();
  }
}

async function* one(step: Step): AsyncGenerator<Step> {
  yield step;
}
