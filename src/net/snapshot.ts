/**
 * Status of a lookup or request. A failure is data too. `unrecorded`: a replay was asked for something that the snapshot
 * does not contain.
 */
export type LookupStatus = "ok" | "timeout" | "failed" | "refused" | "unrecorded";

export const RECORD_TYPES = ["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SOA", "CAA", "SRV", "PTR"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/**
 * One DNS record: `10 mx.example.` is `{priority: 10, value: "mx.example"}`. Host names are lower case without the final
 * dot; TXT strings are joined; bytes outside printable ASCII are `\DDD`.
 */
export interface DnsRecord {
  readonly name: string;
  readonly type: RecordType;
  /** Host, address, TXT string, CAA value, or SOA `mname rname`. */
  readonly value: string;
  /** MX preference or SRV priority. */
  readonly priority?: number;
  /** CAA tag (`issue`, `issuewild`, `iodef`). */
  readonly tag?: string;
  readonly ttl?: number;
}

/** Answers of several recordings of one company may be joined into one snapshot. */
interface Dated {
  /** ISO 8601 UTC: when this answer was recorded, if not at `captured_at` of the snapshot. */
  readonly at?: string;
}

export interface DnsAnswer extends Dated {
  readonly name: string;
  readonly type: RecordType;
  /** `ok` with `records: []`: the name exists but has no such record. */
  readonly status: LookupStatus | "nxdomain";
  /** The answer section: the followed CNAMEs first, in order. */
  readonly records: readonly DnsRecord[];
  readonly detail?: string;
}

/** Why a request got no response, in words that may be shown to everyone. */
export const HTTP_FAULTS = {
  no_such_name: "the name does not exist in DNS",
  reserved_name: "the name is reserved and has no public address",
  dns_failed: "DNS did not answer",
  no_address: "the name has no address in DNS",
  timeout: "no answer in time",
  connection_refused: "the connection was refused",
  connection_failed: "the connection failed",
  tls: "the secure connection failed: the TLS certificate is not valid or TLS is not supported",
  not_http: "the answer is not valid HTTP",
  forbidden: "the address may not be requested",
  robots: "robots.txt forbids it",
  opted_out: "the site has opted out of all requests",
} as const;
export type HttpFault = keyof typeof HTTP_FAULTS;

/** One HTTP request and its response; a redirect is a separate exchange. */
export interface HttpExchange extends Dated {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly status: LookupStatus;
  /** HTTP status code; 0 unless `status` is `ok`. */
  readonly code: number;
  /** Names in lower case, in order, with repeated ones; without secrets. */
  readonly headers: readonly (readonly [string, string])[];
  /** Decoded text up to the page size limit, or empty. Binary bodies are base64 with `encoding` set. */
  readonly body: string;
  readonly encoding?: "base64";
  /** The body is incomplete. */
  readonly truncated?: boolean;
  readonly detail?: string;
  /** Absent when there was a response, or no request. */
  readonly fault?: HttpFault;
}

export interface CertificateAnswer extends Dated {
  readonly host: string;
  readonly status: LookupStatus;
  /** Organisation and common name. */
  readonly issuer: { readonly organisation: string; readonly name: string } | null;
  readonly subject: string;
  /** Alternative names, lower case, at most 500. */
  readonly names: readonly string[];
  /** ISO 8601. */
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly detail?: string;
}

/** A request of a browser, from a HAR file. */
export interface ObservedRequest extends Dated {
  readonly url: string;
  /** Names of the cookies that the response set. */
  readonly cookies: readonly string[];
}

/** What a browser saw of one page: its requests, and the page after its scripts ran. */
export interface BrowserAnswer extends Dated {
  /** The address after redirects. */
  readonly url: string;
  readonly status: LookupStatus;
  /** In order, each address once; `cookies` is empty. */
  readonly requests: readonly ObservedRequest[];
  /** Names of the cookies that were set by the page's site and by others. */
  readonly cookies: readonly string[];
  /** Global variables of the page's scripts: `Shopify`, `Shopify.theme.name: Debut`. */
  readonly globals: readonly string[];
  /** The document after the load, or empty. */
  readonly html: string;
  readonly detail?: string;
}

/**
 * Everything that a scan fetched for one company, so that detection can run again offline. Written by `capture`, or made
 * from a HAR file, a saved page, or DNS records.
 */
export interface Snapshot {
  readonly format: "casefile-snapshot";
  readonly version: 1;
  readonly domain: string;
  readonly captured_at: string;
  /** Its source: `casefile VERSION`, `har`, `page`, `response`, `records`, or the name of an archive's format. */
  readonly origin: string;
  readonly dns: readonly DnsAnswer[];
  readonly http: readonly HttpExchange[];
  readonly certificates: readonly CertificateAnswer[];
  readonly requests: readonly ObservedRequest[];
  /**
   * True when `dns` is a complete zone or record list: a name of the domain that is not in it has no record, and every
   * name in it may be scanned.
   */
  readonly zone: boolean;
  /** The home page in a browser, where one was configured. */
  readonly browser?: BrowserAnswer;
}
