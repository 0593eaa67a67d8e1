import type { Domain } from "../vocabulary/domain.ts";
import type {
  CertificateAnswer,
  DnsAnswer,
  HttpExchange,
  ObservedRequest,
  RecordType,
} from "../vocabulary/snapshot.ts";

/**
 * One look at one company. Fetches each thing once, however many scanners ask, and remembers it.
 * No method throws for what a stranger's server did: the answer's `status` tells. Only an abort rejects.
 */
export interface Visit {
  readonly domain: Domain;
  /** Aborted when the visit is over; every look-up under way ends with it. */
  readonly signal: AbortSignal;
  readonly sources: OutsideSources;
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

export interface HttpOptions {
  readonly method?: "GET" | "POST";
  /** Sent as JSON with POST. */
  readonly body?: string;
  readonly accept?: string;
  /** Cap on decompressed bytes, at most the configured page cap (3 MiB), which is the default. */
  readonly maxBytes?: number;
  /** Keep the body as base64 instead of text. */
  readonly binary?: boolean;
  /** An `ETag` as it was told. Goes to the address itself and not where it redirects; 304 says that nothing changed. */
  readonly ifNoneMatch?: string;
  /** A `Last-Modified` as it was told, for the same use. */
  readonly ifModifiedSince?: string;
  /** Further headers, in printable ASCII. Go to the address itself and never where it redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Value of `Authorization`, printable ASCII. Goes to the address itself and never where it redirects. */
  readonly authorization?: string;
  /** False takes a redirect for the answer. */
  readonly follow?: boolean;
}

export interface HttpAnswer {
  /** Each exchange in order; the last is what counts. */
  readonly hops: readonly [HttpExchange, ...HttpExchange[]];
  readonly final: HttpExchange;
}

/** Services beside the company's own hosts. `null` or an empty list switches one off. */
export interface OutsideSources {
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
export const PUBLIC_SOURCES: OutsideSources = {
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
