import { raceAbort } from "../../core/async.ts";
import type { Domain } from "../../core/domain.ts";
import { cutOff, type HttpAnswer, type HttpOptions } from "../../net/exchange.ts";
import type { CertificateAnswer, DnsAnswer, LookupStatus, ObservedRequest, RecordType } from "../../net/snapshot.ts";
import { isHomePage, showsPage } from "./bot-wall.ts";

/**
 * One look at one company. Fetches each thing once, however many scanners ask, and remembers it.
 * No method throws for what a stranger's server did: the answer's `status` tells. Only an abort rejects.
 */
export interface Visit {
  readonly domain: Domain;
  /** Aborted when the visit is over; every look-up under way ends with it. */
  readonly signal: AbortSignal;
  readonly sources: DataSources;
  /** What is known before anything is asked. Empty in a live visit. */
  readonly known: Known;

  dns(name: string, type: RecordType): Promise<DnsAnswer>;
  /** Follows redirects (at most 5), each hop vetted anew. */
  http(url: string, options?: HttpOptions): Promise<HttpAnswer>;
  /** The certificate that `host` shows on port 443. */
  certificate(host: string): Promise<CertificateAnswer>;
}

export interface Known {
  /** Host names of the domain that the recording tells of. */
  readonly names: readonly string[];
  /** URLs of recorded pages of the company, beside its home page. */
  readonly pages: readonly string[];
  /** Requests that a recorded browser made. */
  readonly requests: readonly ObservedRequest[];
}

/** Services beside the company's own hosts. `null` or an empty list switches one off. */
export interface DataSources {
  /** DNS zone that maps a reversed IPv4 address to `ASN | prefix | country | …` in TXT. */
  readonly asnZone: string | null;
  /** The same for IPv6 nibbles. */
  readonly asn6Zone: string | null;
  /** Certificate-transparency searches, tried in order; `{domain}` is replaced. */
  readonly certificateLogs: readonly string[];
  /** Microsoft federation look-up; `{domain}` is replaced. */
  readonly microsoftRealm: string | null;
  /** Further identity tenant look-ups, `LABEL=URL` with `{label}` or `{domain}`; found when they answer 200. */
  readonly tenantLookups: readonly { readonly label: string; readonly url: string }[];
  /** Container script of Google Tag Manager; `{id}` is replaced. */
  readonly tagManager: string | null;
  /** Public job-board APIs by vendor; `{board}` is replaced. */
  readonly jobBoards: Readonly<Record<JobBoard, string | null>>;
}

export const JOB_BOARDS = [
  "greenhouse",
  "lever",
  "ashby",
  "workable",
  "smartrecruiters",
  "recruitee",
  "teamtailor",
  "personio",
] as const;
export type JobBoard = (typeof JOB_BOARDS)[number];

/** The public services, as they stand on the internet today. */
export const PUBLIC_SOURCES: DataSources = {
  asnZone: "origin.asn.cymru.com",
  asn6Zone: "origin6.asn.cymru.com",
  certificateLogs: [
    "https://crt.sh/?q=%25.{domain}&output=json",
    "https://api.certspotter.com/v1/issuances?domain={domain}&include_subdomains=true&expand=dns_names",
  ],
  microsoftRealm: "https://login.microsoftonline.com/getuserrealm.srf?login=info@{domain}&json=1",
  tenantLookups: [{ label: "okta", url: "https://{label}.okta.com/.well-known/okta-organization" }],
  tagManager: "https://www.googletagmanager.com/gtm.js?id={id}",
  jobBoards: {
    greenhouse: "https://boards-api.greenhouse.io/v1/boards/{board}/jobs?content=true",
    lever: "https://api.lever.co/v0/postings/{board}?mode=json",
    ashby: "https://api.ashbyhq.com/posting-api/job-board/{board}",
    workable: "https://apply.workable.com/api/v1/widget/accounts/{board}?details=true",
    smartrecruiters: "https://api.smartrecruiters.com/v1/companies/{board}/postings",
    recruitee: "https://{board}.recruitee.com/api/offers/",
    teamtailor: "https://{board}.teamtailor.com/jobs.json",
    personio: "https://{board}.jobs.personio.com/xml",
  },
};

/** How the look-ups of one scanner ended. Only ever counts up while the scanner runs. */
interface LookupCounts {
  asked: number;
  /** "No such name" and every HTTP code are answers; a page that broke off inside is none. */
  answered: number;
  failed: number;
  timeouts: number;
  refused: number;
  unrecorded: number;
  /** Of the answers: fronts of sites that were shown, and those that an error or a question for bots stood in for. */
  shown: number;
  withheld: number;
}

const COUNTS: Readonly<Record<LookupStatus | "nxdomain", Exclude<keyof LookupCounts, "asked" | "shown" | "withheld">>> =
  {
    ok: "answered",
    nxdomain: "answered",
    failed: "failed",
    timeout: "timeouts",
    refused: "refused",
    unrecorded: "unrecorded",
  };

/**
 * One scanner's own view of a visit: counts how its look-ups end, and lets go of them when `signal` aborts, while the
 * visit goes on fetching for others.
 */
export function observeVisit(
  visit: Visit,
  signal: AbortSignal,
): { readonly visit: Visit; readonly tally: LookupCounts } {
  const tally: LookupCounts = {
    asked: 0,
    answered: 0,
    failed: 0,
    timeouts: 0,
    refused: 0,
    unrecorded: 0,
    shown: 0,
    withheld: 0,
  };
  const either = AbortSignal.any([visit.signal, signal]);

  async function count<T>(fetch: () => Promise<T>, statusOf: (answer: T) => LookupStatus | "nxdomain"): Promise<T> {
    either.throwIfAborted();
    tally.asked += 1;
    const answer = await raceAbort(fetch(), either);
    tally[COUNTS[statusOf(answer)]] += 1;
    return answer;
  }

  return {
    tally,
    visit: {
      domain: visit.domain,
      signal: either,
      sources: visit.sources,
      known: visit.known,
      dns: (name, type) =>
        count(
          () => visit.dns(name, type),
          (answer) => answer.status,
        ),
      async http(url, options) {
        const answer = await count(
          () => visit.http(url, options),
          ({ final }) => cutOff(final) ?? final.status,
        );
        const whole = answer.final.status === "ok" && cutOff(answer.final) === undefined;
        // Who does not follow a redirect asked for it.
        if (whole && isHomePage(url) && options?.follow !== false)
          tally[showsPage(answer.final) ? "shown" : "withheld"] += 1;
        return answer;
      },
      certificate: (host) =>
        count(
          () => visit.certificate(host),
          (answer) => answer.status,
        ),
    },
  };
}
