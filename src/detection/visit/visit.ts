import { raceAbort } from "../../core/async.ts";
import type { DataSources } from "../../core/data-sources.ts";
import { type Domain, hostOfUrl } from "../../core/domain.ts";
import { cutOff, type HttpAnswer, type HttpOptions } from "../../net/exchange.ts";
import type {
  BrowserAnswer,
  CertificateAnswer,
  DnsAnswer,
  HttpFault,
  LookupStatus,
  ObservedRequest,
  RecordType,
} from "../../net/snapshot.ts";
import { isHomePage, showsPage } from "./bot-wall.ts";
import { isRobotsUnreached } from "./robots.ts";

/**
 * Access to one company for one scan. Fetches each resource once, however many scanners request it.
 * No method rejects because of a remote server: the answer's `status` reports it. Only an abort rejects.
 */
export interface Visit {
  readonly domain: Domain;
  /** Aborted when the visit is over; lookups in progress end with it. */
  readonly signal: AbortSignal;
  readonly sources: DataSources;
  /** What is known without a lookup. Empty in a live visit. */
  readonly known: Known;

  dns(name: string, type: RecordType): Promise<DnsAnswer>;
  /** Follows at most 5 redirects; each target is checked again. */
  http(url: string, options?: HttpOptions): Promise<HttpAnswer>;
  /** The certificate of `host` on port 443. */
  certificate(host: string): Promise<CertificateAnswer>;
  /** Loads a page in a browser; null where none is configured or recorded. */
  readonly browse: ((url: string) => Promise<BrowserAnswer>) | null;
}

/**
 * What a recording may lack: `elsewhere` are responses of hosts that are not the company's, `files` those of the company
 * besides its home page.
 */
export type Part = "dns" | "certificates" | "elsewhere" | "files";

export interface Known {
  /** Whether the answers are those of a recording, so that a busy machine is all that can delay them. */
  readonly isRecorded: boolean;
  /** Parts of which the recording has nothing; empty in a live visit. */
  readonly lacks: readonly Part[];
  /** Host names of the domain in the recording. */
  readonly names: readonly string[];
  /** URLs of recorded pages of the company, without its home page. */
  readonly pages: readonly string[];
  /** Requests of a recorded browser. */
  readonly requests: readonly ObservedRequest[];
}

/**
 * The results of one scanner's lookups. A resource that it requests again counts once, and so does an address that failed over
 * HTTPS and answered over HTTP.
 */
interface LookupCounts {
  asked: number;
  /** Includes NXDOMAIN and every HTTP status code, but not a body that was cut off. */
  answered: number;
  failed: number;
  timeouts: number;
  refused: number;
  /** Not requested, because robots.txt forbids it. */
  disallowed: number;
  unrecorded: number;
  /** Pages of hosts that have no address in DNS. */
  absent: number;
  /** Hosts that failed over HTTPS and whose page was read over HTTP, without a redirect to HTTPS. */
  overHttp: Set<string>;
  /** Among the answers: home pages that were served, and those where an error or a bot wall was served instead. */
  shown: number;
  withheld: number;
  /** Why the browser did not load the page. */
  browserFault?: string | undefined;
}

type Outcome = LookupStatus | "nxdomain" | "disallowed" | "absent";
type Count = "answered" | "failed" | "timeouts" | "refused" | "unrecorded" | "disallowed" | "absent";

const COUNTS: Readonly<Record<Outcome, Count>> = {
  ok: "answered",
  nxdomain: "answered",
  failed: "failed",
  timeout: "timeouts",
  refused: "refused",
  unrecorded: "unrecorded",
  disallowed: "disallowed",
  absent: "absent",
};

const NO_ADDRESS: ReadonlySet<HttpFault | undefined> = new Set(["no_such_name", "reserved_name", "no_address"]);

function outcomeOf({ hops, final }: HttpAnswer): Outcome {
  if (final.fault === "robots") return "disallowed";
  if (hops.length === 1 && NO_ADDRESS.has(final.fault)) return "absent";
  return cutOff(final) ?? final.status;
}

/** Whether nothing was reached at an address, nor at that of its robots.txt. */
const isUnreached = ({ hops: [first] }: HttpAnswer): boolean =>
  first.status === "failed" || first.status === "timeout" || isRobotsUnreached(first);

/**
 * A scanner's view of a visit: counts its lookups, and rejects them when `signal` aborts.
 *
 * @param signal aborts when that of the visit does, and may abort while the visit continues
 */
export function observeVisit(
  visit: Visit,
  signal: AbortSignal,
): { readonly visit: Visit; readonly counts: LookupCounts; readonly observedAt: () => string | undefined } {
  const counts: LookupCounts = {
    asked: 0,
    answered: 0,
    failed: 0,
    timeouts: 0,
    refused: 0,
    disallowed: 0,
    unrecorded: 0,
    absent: 0,
    overHttp: new Set(),
    shown: 0,
    withheld: 0,
  };
  let newest: string | undefined;
  const noteDate = ({ at }: { readonly at?: string }) => {
    if (at !== undefined && (newest === undefined || at > newest)) newest = at;
  };

  async function count<T>(
    lookup: () => Promise<T>,
    statusOf: (answer: T) => Outcome,
    dated: (answer: T) => { readonly at?: string },
  ): Promise<T> {
    signal.throwIfAborted();
    counts.asked += 1;
    const answer = await raceAbort(lookup(), signal);
    counts[COUNTS[statusOf(answer)]] += 1;
    noteDate(dated(answer));
    return answer;
  }

  /** By their address without the scheme: lookups over HTTPS that reached nothing. */
  const unreached = new Map<string, Outcome[]>();
  function pairSchemes(url: string, answer: HttpAnswer, isWhole: boolean) {
    const address = url.slice(url.indexOf(":"));
    if (url.startsWith("https:")) {
      if (isUnreached(answer)) unreached.set(address, [...(unreached.get(address) ?? []), outcomeOf(answer)]);
      return;
    }
    const secure = isWhole ? unreached.get(address)?.pop() : undefined;
    if (secure === undefined) return;
    counts.asked -= 1;
    counts[COUNTS[secure]] -= 1;
    // Many a domain without TLS only leads to its www, which has it.
    if (answer.final.url.startsWith("http:")) counts.overHttp.add(hostOfUrl(url));
  }

  const requested = new Set<string>();
  const { browse } = visit;
  const statusOf = <S>({ status }: { readonly status: S }): S => status;
  const itself = <T>(answer: T): T => answer;
  const { known } = visit;

  return {
    counts,
    /** The newest date of an answer that states its own. */
    observedAt: () => newest,
    visit: {
      domain: visit.domain,
      signal,
      sources: visit.sources,
      known: {
        isRecorded: known.isRecorded,
        lacks: known.lacks,
        names: known.names,
        pages: known.pages,
        get requests() {
          known.requests.forEach(noteDate);
          return known.requests;
        },
      },
      dns: (name, type) => count(() => visit.dns(name, type), statusOf, itself),
      async http(url, options) {
        const request = `${url} ${JSON.stringify(options)}`;
        if (requested.has(request)) {
          signal.throwIfAborted();
          return raceAbort(visit.http(url, options), signal);
        }
        requested.add(request);
        const answer = await count(
          () => visit.http(url, options),
          outcomeOf,
          ({ final }) => final,
        );
        const isWhole = answer.final.status === "ok" && cutOff(answer.final) === undefined;
        pairSchemes(url, answer, isWhole);
        // With `follow: false` a redirect is the expected answer.
        if (isWhole && isHomePage(url) && options?.follow !== false)
          counts[showsPage(answer.final) ? "shown" : "withheld"] += 1;
        return answer;
      },
      certificate: (host) => count(() => visit.certificate(host), statusOf, itself),
      browse:
        browse &&
        (async (url) => {
          const answer = await count(() => browse(url), statusOf, itself);
          if (answer.status !== "ok") counts.browserFault = answer.detail;
          return answer;
        }),
    },
  };
}
