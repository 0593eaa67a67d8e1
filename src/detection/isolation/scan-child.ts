import type { HttpAnswer } from "../../net/exchange.ts";
import type { HttpExchange } from "../../net/snapshot.ts";
import type { ChildTask } from "../../processes/run-child.ts";
import { detect, type Progress } from "../engine.ts";
import { openCatalogue } from "../fingerprints/open-catalogue.ts";
import { chosenScanners, SCANNERS } from "../scanners/registry.ts";
import { createUnmatchedCollector } from "../unmatched-signals.ts";
import { createCache } from "../visit/live-visit.ts";
import type { Visit } from "../visit/visit.ts";
import type { AskedLookup, FromChild, KnownExchange, Lookup, LookupAnswer, ScanRequest, ToChild } from "./messages.ts";

interface Waiting {
  resolve(value: unknown): void;
  reject(reason: Error): void;
  /** Pieces of the bodies, by hop. */
  readonly bodies: string[][];
}

interface Scan {
  readonly controller: AbortController;
  readonly watched: PromiseWithResolvers<void>;
  readonly waiting: Map<number, Waiting>;
  /** Answers to lookups of pages, to which later answers refer. */
  readonly pages: Map<number, HttpAnswer>;
}

/** Runs the scanners of any number of scans, and asks the parent for every lookup. */
export const scanTask: ChildTask = (sendMessage) => {
  const send = (message: FromChild) => sendMessage(message);
  const scans = new Map<number, Scan>();
  let catalogue: ReturnType<typeof openCatalogue> | undefined;
  let lookups = 0;
  /** Those of one turn are sent together: a scan looks up a hundred names, and a message costs more than its content. */
  let unsent: AskedLookup[] = [];
  const sendLookups = () => {
    send({ type: "lookups", lookups: unsent });
    unsent = [];
  };

  async function run(id: number, request: ScanRequest): Promise<void> {
    const scan: Scan = {
      controller: new AbortController(),
      watched: Promise.withResolvers(),
      waiting: new Map(),
      pages: new Map(),
    };
    scans.set(id, scan);
    const ask = (of: Lookup): Promise<unknown> => {
      lookups += 1;
      const lookup = lookups;
      if (unsent.length === 0) setImmediate(sendLookups);
      unsent.push({ scan: id, lookup, of });
      return new Promise((resolve, reject) => scan.waiting.set(lookup, { resolve, reject, bodies: [] }));
    };
    try {
      if (!catalogue) throw new Error("the catalogue was not opened");
      const unmatched = createUnmatchedCollector(request.domain);
      let sent: Progress | undefined;
      const report = await detect(
        remoteVisit(request, ask, scan.controller.signal),
        chosenScanners(SCANNERS, request.only),
        await catalogue,
        {
          ...request,
          now: () => request.now,
          suppressed: new Set(request.suppressed),
          watched: request.isWatched ? undefined : scan.watched.promise,
          onProgress(progress) {
            const { phase, detections, possible } = progress;
            // The lists are most of what crosses.
            const isSame = detections === sent?.detections && possible === sent.possible;
            sent = progress;
            send({ type: "progress", scan: id, progress: isSame ? { phase } : progress });
          },
          onOutcome: (outcome) => send({ type: "outcome", scan: id, outcome }),
          onBug: (source, error) => send({ type: "bug", scan: id, source, message: textOf(error) }),
          onSignal: unmatched.add,
        },
      );
      send({ type: "done", scan: id, report, unmatched: unmatched.list() });
    } catch (error) {
      send({ type: "failed", scan: id, message: textOf(error) });
    } finally {
      scans.delete(id);
    }
  }

  const take = (message: ToChild) => {
    if (message.type === "open") {
      catalogue = openCatalogue(message.folders, () => {});
      // Each scan reports it.
      catalogue.catch(() => {});
    } else if (message.type === "scan") run(message.scan, message.request);
    else if (message.type === "ping") send({ type: "pong" });
    else if (message.type === "watch") scans.get(message.scan)?.watched.resolve();
    else if (message.type === "abort") scans.get(message.scan)?.controller.abort(new Error("the scan is over"));
    else if (message.type === "piece") {
      send({ type: "taken" });
      const { bodies } = scans.get(message.scan)?.waiting.get(message.lookup) ?? { bodies: [] };
      bodies[message.hop] = [...(bodies[message.hop] ?? []), message.text];
    } else for (const answer of message.answers) takeAnswer(answer);
  };
  const takeAnswer = ({ scan: id, lookup, value, known }: LookupAnswer) => {
    const scan = scans.get(id);
    const asked = scan?.waiting.get(lookup);
    if (!scan || !asked) return;
    scan.waiting.delete(lookup);
    if (value === undefined) return asked.reject(new Error("the visit is over"));
    if (!known) return asked.resolve(value);
    // Only HTTP answers have exchanges.
    const page = wholeAnswer(value as HttpAnswer, asked.bodies, known, scan.pages);
    scan.pages.set(lookup, page);
    asked.resolve(page);
  };
  // The parent is this program, and sends nothing else.
  return (message) => take(message as ToChild);
};

/** An answer to an HTTP lookup with the bodies that were sent before it, and the exchanges of earlier answers. */
function wholeAnswer(
  { hops }: HttpAnswer,
  bodies: readonly string[][],
  known: readonly KnownExchange[],
  pages: ReadonlyMap<number, HttpAnswer>,
): HttpAnswer {
  const [first, ...rest] = hops.map((hop, at) => {
    const pieces = bodies[at];
    return pieces ? { ...hop, body: pieces.join("") } : hop;
  });
  const whole: [HttpExchange, ...HttpExchange[]] = [first ?? hops[0], ...rest];
  for (const { hop, knownLookup, knownHop } of known) {
    const earlier = pages.get(knownLookup)?.hops[knownHop];
    if (earlier) whole[hop] = earlier;
  }
  return { hops: whole, final: whole.at(-1) ?? whole[0] };
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** The visit of the parent. Each answer crosses once, however many scanners ask for it. */
function remoteVisit(
  { domain, sources, known, browses }: ScanRequest,
  ask: (of: Lookup) => Promise<unknown>,
  signal: AbortSignal,
): Visit {
  const cache = createCache<unknown>();
  // The parent answers each kind of lookup with its own answer.
  const get = async <T>(key: string, of: Lookup): Promise<T> => {
    signal.throwIfAborted();
    return (await cache.get(key, () => ask(of))) as T;
  };
  return {
    domain,
    sources,
    known,
    signal,
    dns: (name, type) => get(`dns ${name} ${type}`, { kind: "dns", name, type }),
    http: (url, options = {}) => get(`http ${url} ${JSON.stringify(options)}`, { kind: "http", url, options }),
    certificate: (host) => get(`certificate ${host}`, { kind: "certificate", host }),
    browse: browses ? (url) => get(`browse ${url}`, { kind: "browse", url }) : null,
  };
}
