import { type CaptureHints, readCapture } from "../captures/read-capture.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import { detect, type Progress } from "../detect/detect.ts";
import { createScanDesk, type Sharing } from "../detect/scan-desk.ts";
import type { Door } from "../net/door.ts";
import { liveVisit } from "../net/live-visit.ts";
import { replayVisit } from "../net/replay-visit.ts";
import { stringifySnapshot } from "../net/snapshot-file.ts";
import type { OutsideSources, Visit } from "../net/visit.ts";
import type { Scanner } from "../scanners/scanner.ts";
import type { Store } from "../store/store.ts";
import { type Domain, parseDomain } from "../vocabulary/domain.ts";
import { Failure } from "../vocabulary/failure.ts";
import type { Detection, Phase, Report } from "../vocabulary/scan.ts";
import type { Snapshot } from "../vocabulary/snapshot.ts";
import { orAborted } from "./or-aborted.ts";
import { createTelling, type Enrichment, type Judgement } from "./telling.ts";

export type { Enrichment, SeenDetection } from "./telling.ts";

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

export interface EnrichmentVerbs {
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

export interface EnrichmentParts {
  readonly door: Door;
  readonly sources: OutsideSources;
  readonly scanners: readonly Scanner[];
  readonly catalogue: Catalogue;
  readonly store: Pick<Store, "scans" | "discovery" | "feedback">;
  readonly settings: {
    readonly deadlineMs: number;
    readonly cacheSeconds: number;
    readonly threshold: number;
    readonly maxConcurrent: number;
    readonly reservedNames: readonly string[];
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

export function createEnrichment(parts: EnrichmentParts): EnrichmentVerbs {
  const { door, sources, scanners, catalogue, store, settings, now, onBug } = parts;
  const { judge, seen, unseen } = createTelling({ catalogue, store, threshold: settings.threshold });

  const scan = async (name: string, signal: AbortSignal, tell: (progress: Progress) => void): Promise<Scanned> => {
    const began = performance.now();
    const over = new AbortController();
    const domain = parseDomain(name, settings.reservedNames);
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

  const desk = createScanDesk<Progress, Enrichment>(async (name, signal, tell) => {
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
    const recorded = parseDomain(input, [...settings.reservedNames, ...RECORDED]);
    const known = await stored(recorded, maxAgeSeconds);
    return { known, domain: known ? recorded : parseDomain(input, settings.reservedNames) };
  };

  const join = (domain: Domain): Sharing<Progress, Enrichment> => {
    if (!desk.has(domain.name) && desk.running() >= settings.maxConcurrent) {
      throw new Failure("service.overloaded", "Too many scans run at once; ask again in a few seconds.", {
        retryAfterSeconds: 5,
      });
    }
    return desk.join(domain.name);
  };

  const analyse: EnrichmentVerbs["analyse"] = async (snapshot, { keep = false } = {}) => {
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
        return await orAborted(sharing.result, signal);
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
        const first = await orAborted(events.next(), signal);
        // Without a single event the scan was refused: its reason is the answer.
        if (first.done) return one({ phase: "complete", enrichment: await sharing.result });
        return steps(first.value, events, sharing, signal);
      } catch (error) {
        sharing.leave();
        throw error;
      }
    },

    async capture(input, { signal = new AbortController().signal, onProgress } = {}) {
      const domain = parseDomain(input, settings.reservedNames);
      return (await scan(domain.name, signal, onProgress ?? (() => {}))).snapshot;
    },

    write: stringifySnapshot,

    read: (text, hints) => readCapture(text, { ...hints, reservedNames: RECORDED }),

    analyse,

    async replay(input) {
      const domain = parseDomain(input, [...settings.reservedNames, ...RECORDED]);
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
  readonly judgement: Judgement;
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
  sharing: Sharing<Progress, Enrichment>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Step> {
  try {
    yield first;
    for (let next = await orAborted(rest.next(), signal); !next.done; next = await orAborted(rest.next(), signal)) {
      yield next.value;
    }
    yield { phase: "complete", enrichment: await orAborted(sharing.result, signal) };
  } finally {
    sharing.leave();
  }
}

async function* one(step: Step): AsyncGenerator<Step> {
  yield step;
}
