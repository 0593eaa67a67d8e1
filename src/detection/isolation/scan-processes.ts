import { createSemaphore, raceAbort } from "../../core/async.ts";
import { Failure } from "../../core/errors.ts";
import type { HttpAnswer } from "../../net/exchange.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import { type Child, processorSeconds, startChild } from "../../processes/child.ts";
import type { Progress } from "../engine.ts";
import { chosenScanners } from "../scanners/registry.ts";
import type { Scanner } from "../scanners/scanner.ts";
import type { Report, SourceOutcome, UnmatchedSignal } from "../types.ts";
import type { Visit } from "../visit/visit.ts";
import {
  type AskedLookup,
  type FromChild,
  type KnownExchange,
  type LookupAnswer,
  SCAN_TASK,
  type ScanRequest,
  type ToChild,
} from "./messages.ts";

export interface Scanned {
  readonly report: Report;
  readonly unmatched: readonly UnmatchedSignal[];
  /** Its process was ended: other pages may be the reason, so it must not replace a stored result. */
  readonly isPartial?: true;
}

export interface ScanLimits extends Omit<ScanRequest, "domain" | "sources" | "known" | "browses" | "isWatched"> {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** As in `DetectOptions`. */
  readonly watched?: Promise<void> | undefined;
}

/** Runs scanners in other processes, so that a hostile page delays no request and ends no service. */
export interface ScanProcesses {
  /**
   * As `detect`. When a process exceeds a limit, each of its scans runs once more, alone: only the scan that caused it
   * fails again, and reports what it had found, with its unfinished scanners as `timeout`.
   *
   * @throws the visit's abort reason, Failure `service.overloaded` when no process can be started
   */
  scan(visit: Visit, limits: ScanLimits): Promise<Scanned>;
  /** Starts a process if none runs: a scan is about to come. */
  prepare(): void;
  close(): void;
}

export interface ScanProcessesOptions {
  /** Folders of custom fingerprints. */
  readonly folders: readonly string[];
  readonly scanners: readonly Scanner[];
  /** Most processes at a time, without that of a scan that runs alone. */
  readonly processes: number;
  /** Bytes of memory of each. */
  readonly memory: number;
  /** Seconds of processor time that a process may compute without reading a message. */
  readonly stallSeconds: number;
  /** Milliseconds after which an idle process ends. */
  readonly idleMs: number;
  readonly onBug: (source: string, error: unknown) => void;
}

export const SCAN_PROCESSES = {
  memory: 640 * 1_048_576,
  stallSeconds: 4,
  idleMs: 600_000,
} as const;

/** Characters of a body that are sent at once: a page as one message would stop this process for 30 ms. */
const PIECE = 131_072;
const PING_MS = 500;
const MIN_SECOND_MS = 1_000;
/** How much later than its deadline a scan may report. */
const GRACE_MS = 500;
const NO_LISTS = { detections: [], possible: [] };
const OVER = "Stopped: what the site sent took too much time or memory to read.";

/** The process that runs a scan has ended. */
class ProcessLost extends Error {
  constructor(
    reason: string,
    /** Whether it had sent a message: before, it had read nothing of a site. */
    readonly hadStarted: boolean,
  ) {
    super(reason);
  }
}

/** One scan, over all attempts. */
interface Scan {
  readonly visit: Visit;
  readonly limits: ScanLimits;
  readonly startedAt: number;
  readonly outcomes: Map<string, SourceOutcome>;
  progress: Progress | undefined;
}

interface Attempt {
  readonly scan: Scan;
  /** Exchanges that the process has, with the answers that contained them. */
  readonly sent: Map<HttpExchange, Sent>;
  resolve(scanned: Scanned): void;
  reject(error: Error): void;
}

interface Sent {
  readonly lookup: number;
  readonly hop: number;
}

interface ScanProcess {
  readonly attempts: ReadonlyMap<number, Attempt>;
  add(id: number, attempt: Attempt, deadlineMs: number): void;
  /** The result of an attempt is no longer needed. */
  abort(id: number): void;
  end(reason: string): void;
}

export function createScanProcesses(options: ScanProcessesOptions): ScanProcesses {
  const { folders, scanners, onBug } = options;
  const shared = new Set<ScanProcess>();
  const alone = new Set<ScanProcess>();
  const turn = createSemaphore(1);
  let attempts = 0;

  function start(into: Set<ScanProcess>): ScanProcess {
    const running = new Map<number, Attempt>();
    let idle: Timer | undefined;
    /** Processor time when the process was asked for the sign of life that it owes. */
    let asked: { readonly seconds: number } | undefined;
    let hasStarted = false;
    let isEnded = false;
    const child: Child = startChild({
      task: SCAN_TASK,
      memory: options.memory,
      // The child is this program, and sends nothing else.
      onMessage: (message) => take(message as FromChild),
      onEnd(reason) {
        into.delete(process);
        clearInterval(watch);
        clearTimeout(idle);
        taken.resolve();
        if (running.size > 0 && !isEnded)
          onBug("scan process", new Error(`A process with ${running.size} of the running scans ${reason}.`));
        for (const { reject } of running.values()) reject(new ProcessLost(reason, hasStarted));
      },
    });
    const send = (message: ToChild) => child.send(message);
    /** Resolves when the bodies before were sent: one piece is under way at a time, so that none fills a buffer. */
    let transfers = Promise.resolve();
    let taken = Promise.withResolvers<void>();
    const sendPiece = async (piece: Extract<ToChild, { type: "piece" }>) => {
      taken = Promise.withResolvers();
      if (!running.has(piece.scan)) return;
      send(piece);
      await taken.promise;
    };
    const sendPage = async (scan: number, lookup: number, { hops }: HttpAnswer) => {
      const sent = running.get(scan)?.sent ?? new Map<HttpExchange, Sent>();
      const known: KnownExchange[] = [];
      const value = hops.map((exchange, hop) => {
        const earlier = sent.get(exchange);
        if (earlier) known.push({ hop, knownLookup: earlier.lookup, knownHop: earlier.hop });
        else sent.set(exchange, { lookup, hop });
        return earlier || exchange.body.length > PIECE ? { ...exchange, body: "" } : exchange;
      });
      for (const [hop, { body }] of hops.entries()) {
        if (body.length <= PIECE || known.some((each) => each.hop === hop)) continue;
        for (let start = 0; start < body.length; start += PIECE)
          await sendPiece({ type: "piece", scan, lookup, hop, text: body.slice(start, start + PIECE) });
      }
      send({ type: "answers", answers: [{ scan, lookup, value: { hops: value, final: value.at(-1) }, known }] });
    };
    /** Answers of one turn, which are sent together; pages have a message each. */
    let unsent: LookupAnswer[] = [];
    const sendSoon = (answer: LookupAnswer) => {
      if (unsent.length === 0)
        setImmediate(() => {
          send({ type: "answers", answers: unsent });
          unsent = [];
        });
      unsent.push(answer);
    };
    const answerPage = async (scan: number, lookup: number, result: Promise<HttpAnswer>) => {
      const page = await result.catch(() => undefined);
      if (!page) return sendSoon({ scan, lookup });
      transfers = transfers.then(() => sendPage(scan, lookup, page));
    };
    const answer = async (scan: number, lookup: number, result: Promise<unknown>) => {
      // Only the end of the visit rejects.
      sendSoon({ scan, lookup, value: await result.catch(() => undefined) });
    };
    const answerLookup = ({ scan, lookup, of }: AskedLookup) => {
      const visit = running.get(scan)?.scan.visit;
      if (!visit) return;
      if (of.kind === "dns") answer(scan, lookup, visit.dns(of.name, of.type));
      else if (of.kind === "http") answerPage(scan, lookup, visit.http(of.url, of.options));
      else if (of.kind === "certificate") answer(scan, lookup, visit.certificate(of.host));
      else if (visit.browse) answer(scan, lookup, visit.browse(of.url));
    };
    const finish = (id: number): void => {
      running.delete(id);
      if (running.size > 0) return;
      child.setBusy(false);
      idle = setTimeout(() => child.kill("was idle"), options.idleMs);
      idle.unref();
    };
    const take = (message: FromChild): void => {
      hasStarted = true;
      if (message.type === "pong") asked = undefined;
      if (message.type === "taken") taken.resolve();
      if (message.type === "lookups") for (const lookup of message.lookups) answerLookup(lookup);
      if (message.type === "pong" || message.type === "taken" || message.type === "lookups") return;
      const attempt = running.get(message.scan);
      if (!attempt) return;
      const { limits, outcomes } = attempt.scan;
      if (message.type === "progress") {
        const progress = { ...NO_LISTS, ...attempt.scan.progress, ...message.progress };
        attempt.scan.progress = progress;
        limits.onProgress?.(progress);
      } else if (message.type === "outcome") outcomes.set(message.outcome.source, message.outcome);
      else if (message.type === "bug") onBug(message.source, new Error(message.message));
      else {
        finish(message.scan);
        if (message.type === "done") attempt.resolve(message);
        else attempt.reject(new Error(message.message));
      }
    };
    const watch = setInterval(async () => {
      if (running.size === 0) return;
      // Processor time, because on a busy machine every process is slow.
      const seconds = await processorSeconds(child.pid);
      if (asked === undefined) {
        asked = { seconds };
        send({ type: "ping" });
      } else if (seconds - asked.seconds > options.stallSeconds)
        child.kill(`computed for ${options.stallSeconds} s without a pause`);
    }, PING_MS);
    watch.unref();

    const process: ScanProcess = {
      attempts: running,
      add(id, attempt, deadlineMs) {
        running.set(id, attempt);
        clearTimeout(idle);
        child.setBusy(true);
        const { domain, sources, known, browse } = attempt.scan.visit;
        const { onProgress: _, watched, ...limits } = attempt.scan.limits;
        // What a scan that runs alone has found is its result if its process ends.
        const isWatched = watched === undefined || into === alone;
        send({
          type: "scan",
          scan: id,
          request: { domain, sources, known, browses: browse !== null, ...limits, deadlineMs, isWatched },
        });
        if (!isWatched) watched.then(() => running.has(id) && send({ type: "watch", scan: id }));
      },
      abort(id) {
        if (running.has(id)) send({ type: "abort", scan: id });
      },
      end(reason) {
        isEnded = true;
        child.kill(reason);
      },
    };
    into.add(process);
    send({ type: "open", folders });
    return process;
  }

  /** The process with the fewest scans; a new one while all have some and there may be more. */
  function choose(): ScanProcess {
    const least = [...shared].toSorted((a, b) => a.attempts.size - b.attempts.size)[0];
    if (least && (least.attempts.size === 0 || shared.size >= options.processes)) return least;
    return start(shared);
  }

  /** @throws ProcessLost, or the visit's abort reason */
  async function run(scan: Scan, process: ScanProcess): Promise<Scanned> {
    attempts += 1;
    const id = attempts;
    const deadlineMs = scan.limits.deadlineMs - elapsed(scan);
    let late: Timer | undefined;
    try {
      const result = new Promise<Scanned>((resolve, reject) => {
        late = setTimeout(() => resolve(soFar(scan)), deadlineMs + GRACE_MS);
        process.add(id, { scan, sent: new Map(), resolve, reject }, deadlineMs);
      });
      return await raceAbort(result, scan.visit.signal);
    } finally {
      clearTimeout(late);
      process.abort(id);
    }
  }

  async function runAlone(scan: Scan): Promise<Scanned> {
    const { signal } = scan.visit;
    // With less time left, a scan is not worth starting again.
    const patience = Math.max(0, scan.limits.deadlineMs - elapsed(scan) - MIN_SECOND_MS);
    const release = await turn.acquire(AbortSignal.any([signal, AbortSignal.timeout(patience)])).catch(() => undefined);
    signal.throwIfAborted();
    // It may only have shared its process with a hostile page: part of a result must not be stored as its result.
    if (!release)
      throw new Failure("service.overloaded", "The scan was interrupted by another one; try again in a moment.", {
        retryAfterSeconds: 5,
      });
    const process = start(alone);
    try {
      return await run(scan, process);
    } catch (error) {
      if (!(error instanceof ProcessLost)) throw error;
      // An empty result would look like a company without tools.
      if (!error.hadStarted && scan.outcomes.size === 0)
        throw new Failure("service.overloaded", "The process that reads pages cannot start; try again in a moment.", {
          retryAfterSeconds: 30,
        });
      return soFar(scan);
    } finally {
      process.end("has run its one scan");
      release();
    }
  }

  /** What a scan that could not end had found. */
  function soFar(scan: Scan): Scanned {
    const { visit, limits, outcomes, progress } = scan;
    const duration_ms = Math.round(elapsed(scan));
    const stopped = { status: "timeout", duration_ms, detail: OVER } as const;
    return {
      report: {
        domain: visit.domain.name,
        detections: progress?.detections ?? [],
        possible: progress?.possible ?? [],
        sources: chosenScanners(scanners, limits.only).map(({ id }) => outcomes.get(id) ?? { source: id, ...stopped }),
        scanned_at: new Date(limits.now).toISOString(),
        duration_ms,
      },
      unmatched: [],
      isPartial: true,
    };
  }

  return {
    async scan(visit, limits) {
      const scan: Scan = { visit, limits, startedAt: performance.now(), outcomes: new Map(), progress: undefined };
      try {
        return await run(scan, choose());
      } catch (error) {
        if (error instanceof ProcessLost) return await runAlone(scan);
        throw error;
      }
    },
    prepare() {
      if (shared.size === 0) start(shared);
    },
    close() {
      for (const process of [...shared, ...alone]) process.end("was no longer needed");
    },
  };
}

const elapsed = ({ startedAt }: Scan): number => performance.now() - startedAt;
