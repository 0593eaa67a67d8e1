/**
 * What a visit asks and what it was told. Every answer is data: a look-up that failed is an answer
 * whose status says so, and `unrecorded` is how a replay tells that nobody asked this before.
 */
export type LookupStatus = "ok" | "timeout" | "failed" | "refused" | "unrecorded";

export const RECORD_TYPES = ["A", "AAAA", "CNAME", "MX", "TXT", "NS", "SOA", "CAA", "SRV", "PTR"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/**
 * One DNS record. `data` in one line of zone-file order: `10 mx.example.` is `{priority: 10, value: "mx.example"}`.
 * Host names are lower case without the last dot; TXT strings are joined; bytes outside printable ASCII are `\DDD`.
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

export interface DnsAnswer {
  readonly name: string;
  readonly type: RecordType;
  /** `ok` holds for `records: []` too: the name exists and has no such record (no data). */
  readonly status: LookupStatus | "nxdomain";
  /** The answer section: CNAMEs that were followed stand first, in order. */
  readonly records: readonly DnsRecord[];
  readonly detail?: string;
}

/** One HTTP request and its response; redirects are exchanges of their own. */
export interface HttpExchange {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly status: LookupStatus;
  /** HTTP status code; 0 unless `status` is `ok`. */
  readonly code: number;
  /** Names in lower case, in order, repeated as they came; secrets stripped. */
  readonly headers: readonly (readonly [string, string])[];
  /** Decoded text, at most the page cap; empty when there was none. Binary bodies are base64 with `encoding` set. */
  readonly body: string;
  readonly encoding?: "base64";
  /** The body was longer than the cap. */
  readonly truncated?: boolean;
  readonly detail?: string;
}

export interface CertificateAnswer {
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

/** A request that a browser made while it was recorded. */
export interface ObservedRequest {
  readonly url: string;
  /** Names of cookies that the response set. */
  readonly cookies: readonly string[];
}

/**
 * Everything that was seen of one company, so that detection can run again with no network.
 * Made by `capture`, or from a HAR file, a saved page, or DNS records.
 */
export interface Snapshot {
  readonly format: "casefile-snapshot";
  readonly version: 1;
  readonly domain: string;
  readonly captured_at: string;
  /** What made it: `casefile VERSION`, `har`, `page`, `response`, `records`. */
  readonly origin: string;
  readonly dns: readonly DnsAnswer[];
  readonly http: readonly HttpExchange[];
  readonly certificates: readonly CertificateAnswer[];
  readonly requests: readonly ObservedRequest[];
  /**
   * True when `dns` is a whole zone or record list: a name of the domain that is not in it has no record,
   * and every name in it may be looked at.
   */
  readonly zone: boolean;
}
