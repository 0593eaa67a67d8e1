import { type JobBoard, PUBLIC_SOURCES } from "../core/data-sources.ts";
import * as kinds from "./values.ts";

/** One setting: the type of its value, its default, and one sentence for the help. */
export interface Key<T> {
  readonly kind: kinds.Kind<T>;
  readonly fallback: T;
  readonly doc: string;
  /** A short flag in addition to the one derived from the name. */
  readonly alias?: string | undefined;
}

const key = <T>(kind: kinds.Kind<T>, fallback: NoInfer<T>, doc: string, alias?: string): Key<T> => ({
  kind,
  fallback,
  doc,
  alias,
});

const { boolean, bytes, choice, confidence, duration, integer, listOf, orOff, text, url } = kinds;

const DAY_SECONDS = 86_400;
const MIB = 1_048_576;

/** Every setting by its dotted name, as `casefile.toml` writes it, grouped by section. */
export const KEYS = {
  data_dir: key(text(), "./casefile-data", "Directory for all data; created if it does not exist."),

  "database.url": key(
    orOff(kinds.database),
    null,
    "PostgreSQL URL of the database that several machines share; by default a file in the data directory.",
  ),
  "database.max_connections": key(integer(2, 1_000), 10, "Maximum number of connections to this database."),

  "index.snapshot_url": key(
    orOff(url()),
    null,
    "Folder in a bucket of an S3 object storage, https://HOST/BUCKET/FOLDER, for snapshots of the search index.",
  ),
  "index.snapshot_region": key(text({ max: 100 }), "us-east-1", "Region of this storage."),
  "index.snapshot_key_id": key(orOff(kinds.secret), null, "Id of the access key of this storage."),
  "index.snapshot_secret": key(orOff(kinds.secret), null, "Secret of the access key of this storage."),
  "index.snapshot_every_ms": key(
    duration(1_000, 30 * DAY_SECONDS * 1_000),
    6 * 3_600_000,
    "Time after which a changed index is stored again, by one node.",
  ),

  "server.host": key(text(), "127.0.0.1", "Address to listen on; 0.0.0.0 or :: for all interfaces.", "host"),
  "server.port": key(integer(0, 65_535), 7_171, "Port to listen on; 0 picks a free port.", "port"),
  "server.origins": key(
    listOf(url()),
    [],
    "Web origins under which the service is reached, such as https://casefile.acme.example.",
  ),
  "server.public_url": key(
    orOff(url()),
    null,
    "Address of the console for sign-in links and OpenID Connect, such as https://casefile.acme.example.",
  ),
  "server.trust_proxy": key(kinds.hops, 0, "Number of reverse proxies whose X-Forwarded-For header is trusted."),
  "server.metrics_public": key(boolean, false, "Serve /metrics to every address, not only to loopback."),
  "server.max_streams": key(integer(1, 100_000), 200, "Maximum number of open enrichment streams."),
  "server.shutdown_delay_ms": key(
    duration(0, 600_000),
    0,
    "Time for which a stopping service still answers, with /readyz at 503, so that a balancer avoids it.",
  ),
  "server.shutdown_timeout_ms": key(
    duration(0, 600_000),
    20_000,
    "Time for in-flight requests to finish when the service stops, longer than scan.deadline_ms; then they get a 503.",
  ),

  "log.format": key(
    choice("auto", "json", "pretty"),
    "auto",
    "Log format; auto is pretty on a terminal, otherwise json.",
  ),
  "log.level": key(
    choice("trace", "debug", "info", "warn", "error", "silent"),
    "info",
    "Minimum level of log messages.",
  ),

  "accounts.monthly_limit": key(
    integer(0, 1_000_000_000),
    1_000,
    "Requests per calendar month (UTC) that a new API key may make.",
  ),
  "accounts.keyless_per_hour": key(
    integer(1, 100_000),
    20,
    "POST requests per hour that one client address may make without an API key, with rotations of keys.",
  ),

  "accounts.sign_up": key(
    choice("open", "domains", "closed"),
    "open",
    "Who may get an API key without the operator: everyone, addresses of accounts.sign_up_domains, or nobody.",
  ),
  "accounts.sign_up_domains": key(
    listOf(kinds.domainSuffix),
    [],
    "Domains of the email addresses that may sign up with accounts.sign_up = domains, such as acme.com.",
  ),

  "operators.oidc.issuer": key(
    orOff(url()),
    null,
    "Issuer of an OpenID Connect provider with which operators sign in, such as https://login.acme.example.",
  ),
  "operators.oidc.client_id": key(orOff(text({ max: 300 })), null, "Id of Casefile at this provider."),
  "operators.oidc.client_secret": key(
    orOff(kinds.secret),
    null,
    "Secret of Casefile at this provider; none for a public client.",
  ),
  "operators.oidc.scopes": key(listOf(text({ max: 100 })), ["openid", "email", "profile"], "Scopes to request."),
  "operators.oidc.role_claim": key(
    orOff(text({ max: 200 })),
    null,
    "Claim of the ID token whose values operators.oidc.roles maps to roles, such as groups or realm_access.roles.",
  ),
  "operators.oidc.roles": key(
    listOf(kinds.roleOf),
    [],
    "Roles by value of this claim, VALUE=ROLE, such as casefile-admins=admin; the highest one counts.",
  ),
  "operators.oidc.emails": key(
    listOf(kinds.roleOf),
    [],
    "Roles by verified email address, ADDRESS=ROLE, such as ada@acme.com=reviewer.",
  ),
  "operators.audit_days": key(integer(1, 3_650), 365, "Days for which the audit trail is kept."),

  "scan.deadline_ms": key(duration(1_000, 300_000), 15_000, "Maximum duration of one scan."),
  "scan.concurrency": key(
    integer(1, 256),
    8,
    "Maximum number of concurrent scans, of which one API key may start half; further requests are refused.",
  ),
  "scan.cache_seconds": key(
    integer(0, 366 * DAY_SECONDS),
    DAY_SECONDS,
    "Maximum age of a cached result; at least an hour where a data source timed out, more while it keeps timing out.",
  ),
  "scan.min_confidence": key(
    confidence,
    0.5,
    "Minimum confidence of a reported tool: confirmed (0.8), likely (0.5), or a number from 0.46 to 1.",
  ),
  "scan.keep_snapshots": key(integer(0, 1_000), 5, "Number of snapshots kept for each domain; 0 keeps none."),
  "scan.browser_url": key(
    orOff(kinds.browserUrl),
    null,
    "Debugging address of a Chrome in which home pages are loaded too, such as http://127.0.0.1:9222; off by default.",
    "browser-url",
  ),
  "scan.contact": key(
    orOff(kinds.contact),
    null,
    "Email address or page of the operator for site owners, sent in the User-Agent header of every request.",
  ),
  "scan.robots": key(
    choice("obey", "home-page-only", "ignore"),
    "home-page-only",
    "What scans do with robots.txt: obey it, obey it on all but home pages, or ignore it; crawls always obey.",
  ),
  "scan.opt_outs_file": key(
    orOff(text()),
    null,
    "File of domains and patterns, one per line, from which nothing is requested, in addition to casefile opt-outs.",
  ),
  "scan.signing_key_file": key(
    orOff(text()),
    null,
    "PEM file of an Ed25519 private key that signs the requests of scans and crawls (Web Bot Auth).",
  ),
  "scan.signature_agent": key(
    orOff(url()),
    null,
    "Origin at which sites find the public key of scan.signing_key_file, such as https://casefile.acme.example.",
  ),
  "scan.allowed_reserved_tlds": key(
    listOf(kinds.domainSuffix),
    [],
    "Reserved top-level domains that may be scanned, such as internal.",
  ),

  "fingerprints.dir": key(
    listOf(text()),
    [],
    "Folders with custom fingerprints; one with the id of a built-in fingerprint replaces it.",
    "fingerprints",
  ),

  "starter.enabled": key(
    boolean,
    true,
    "Import the built-in case studies at the first start and keep them up to date.",
    "starter",
  ),

  "crawl.delay_ms": key(duration(0, 60_000), 1_000, "Minimum time between two requests to the same site."),
  "crawl.max_pages": key(integer(1, 100_000), 1_000, "Maximum number of pages per crawl."),
  "crawl.max_bytes": key(bytes(MIB, 10_240 * MIB), 512 * MIB, "Maximum bytes per crawl, decompressed."),
  "crawl.deadline_ms": key(duration(10_000, 86_400_000), 3_600_000, "Maximum duration of one crawl."),
  "crawl.recrawl_days": key(integer(0, 3_650), 30, "Days between two crawls of a site; 0 never recrawls."),
  "crawl.auto_approve": key(
    choice("off", "same-domain"),
    "off",
    "Approve a submission if the contact's email domain is the page's domain and has MX records.",
  ),

  "jobs.concurrency": key(integer(1, 64), 2, "Maximum number of concurrent background jobs."),

  "watch.every_hours": key(integer(1, 8_760), 168, "Default interval between two scans of a watched domain."),
  "watch.concurrency": key(integer(1, 16), 1, "Maximum number of watched domains scanned concurrently."),

  "claims.check_days": key(
    integer(0, 3_650),
    0,
    "Days between two scans of the clients of case studies, to check the vendors' claims; 0 scans none.",
  ),

  "batch.concurrency": key(
    integer(1, 256),
    8,
    "Maximum number of domains of batches scanned concurrently, while no other scan runs.",
  ),
  "batch.keep_days": key(integer(1, 3_650), 30, "Days for which the results of a finished batch are kept."),

  "stack.operator_only": key(
    boolean,
    false,
    "Hide the lists of scanned companies (/v1/tools, /v1/domains, claims, the tools of agents over HTTP) from keys.",
  ),

  "backup.every_hours": key(integer(0, 8_760), 0, "Interval between two scheduled backups; 0 makes none."),
  "backup.keep": key(integer(1, 10_000), 7, "Number of scheduled backups to keep; manual backups are never removed."),
  "backup.models": key(boolean, true, "Include custom models in backups."),

  "smtp.url": key(
    orOff(kinds.mailServer),
    null,
    "SMTP server for emails to contacts about their submissions; emails wait until it is set.",
  ),
  "smtp.from": key(
    orOff(text({ max: 300 })),
    null,
    "Sender of these emails, such as Casefile <casefile@acme.example>.",
  ),

  "language_model.url": key(
    orOff(url()),
    null,
    "OpenAI-compatible endpoint that structures case studies, such as http://127.0.0.1:11434/v1.",
  ),
  "language_model.model": key(
    orOff(text({ max: 200 })),
    null,
    "Model name to request; not needed if the endpoint serves only one.",
  ),
  "language_model.api_key": key(orOff(kinds.secret), null, "API key of this endpoint; sent nowhere else."),
  "language_model.timeout_ms": key(duration(1_000, 600_000), 60_000, "Timeout of one request to this endpoint."),
  "language_model.max_per_hour": key(
    integer(1, 100_000),
    500,
    "Maximum requests per hour to this endpoint; further pages are structured without it.",
  ),

  "net.resolvers": key(listOf(kinds.resolver), [], "DNS servers; by default those of the system."),
  "net.dns_timeout_ms": key(duration(100, 30_000), 1_500, "Timeout of one DNS query; a query is retried once."),
  "net.http_timeout_ms": key(duration(100, 60_000), 8_000, "Timeout of one HTTP exchange, including the body."),
  "net.max_connections": key(integer(1, 4_096), 64, "Maximum number of concurrent requests to all hosts."),
  "net.max_connections_per_host": key(integer(1, 64), 4, "Maximum number of concurrent requests to one host."),
  "net.max_page_bytes": key(bytes(65_536, 16 * MIB), 3 * MIB, "Maximum bytes read of one page, decompressed."),
  "net.allow_cidrs": key(
    listOf(kinds.cidr),
    [],
    "Private or reserved address ranges to which connections are allowed.",
  ),
  "net.extra_ports": key(
    listOf(integer(1, 65_535)),
    [],
    "Ports to which connections are allowed in addition to 80 and 443.",
  ),
  "net.connect_ports": key(
    listOf(kinds.portPair),
    [],
    "Port mapping for outgoing connections, such as 443:8443, if a gateway needs it.",
  ),
  "net.proxy": key(orOff(url()), null, "HTTP or HTTPS proxy for web requests."),
  "net.ca_file": key(orOff(text()), null, "PEM file of additional certificate authorities to trust."),

  "sources.asn_zone": key(
    orOff(kinds.zone),
    PUBLIC_SOURCES.asnZone,
    "DNS zone that maps IPv4 addresses to autonomous systems.",
  ),
  "sources.asn6_zone": key(
    orOff(kinds.zone),
    PUBLIC_SOURCES.asn6Zone,
    "DNS zone that maps IPv6 addresses to autonomous systems.",
  ),
  "sources.certificate_logs": key(
    listOf(url("domain")),
    PUBLIC_SOURCES.certificateLogs,
    "Certificate Transparency search URLs, tried in order.",
  ),
  "sources.microsoft_realm": key(
    orOff(url("domain")),
    PUBLIC_SOURCES.microsoftRealm,
    "URL that looks up the Microsoft tenant of a domain.",
  ),
  "sources.tenant_lookups": key(
    listOf(kinds.tenantLookup),
    PUBLIC_SOURCES.tenantLookups,
    "Additional tenant lookups, LABEL=URL; a response with status 200 means found.",
  ),
  "sources.tag_manager": key(orOff(url("id")), PUBLIC_SOURCES.tagManager, "URL of a Google Tag Manager container."),
  "sources.job_boards.greenhouse": jobBoard("greenhouse", "Greenhouse"),
  "sources.job_boards.lever": jobBoard("lever", "Lever"),
  "sources.job_boards.ashby": jobBoard("ashby", "Ashby"),
  "sources.job_boards.workable": jobBoard("workable", "Workable"),
  "sources.job_boards.smartrecruiters": jobBoard("smartrecruiters", "SmartRecruiters"),
  "sources.job_boards.recruitee": jobBoard("recruitee", "Recruitee"),
  "sources.job_boards.teamtailor": jobBoard("teamtailor", "Teamtailor"),
  "sources.job_boards.personio": jobBoard("personio", "Personio"),
};

function jobBoard(board: JobBoard, vendor: string): Key<string | null> {
  return key(orOff(url("board")), PUBLIC_SOURCES.jobBoards[board], `URL of a public ${vendor} job board.`);
}

/** Headings of the settings in the help, by the first part of their names, in the order of {@link KEYS}. */
export const GROUPS: Readonly<Record<string, string>> = {
  database: "Database",
  index: "Snapshots of the search index",
  server: "Server",
  log: "Logging",
  accounts: "API keys",
  operators: "Operators",
  scan: "Scans",
  fingerprints: "Fingerprints",
  starter: "Built-in case studies",
  claims: "Claims",
  crawl: "Crawls",
  jobs: "Background jobs",
  watch: "Watches",
  batch: "Batches",
  stack: "Stack index",
  backup: "Backups",
  smtp: "Email",
  language_model: "Language model",
  net: "Network",
  sources: "Data sources",
};

type Camel<S extends string> = S extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : S;

type Under<Keys, Section extends string> = {
  [P in keyof Keys as P extends `${Section}.${infer Rest}` ? Rest : never]: Keys[P];
};

type Nested<Keys> = {
  readonly [P in keyof Keys & string as P extends `${infer Section}.${string}`
    ? Camel<Section>
    : Camel<P>]: P extends `${infer Section}.${string}`
    ? Nested<Under<Keys, Section>>
    : Keys[P] extends Key<infer T>
      ? T
      : never;
};

/** The settings by section, names in camel case: `server.max_streams` is `config.server.maxStreams`. */
export type Config = Nested<typeof KEYS>;

/** The place of a setting in {@link Config}: `["server", "maxStreams"]`. */
export const placeOf = (dotted: string): string[] =>
  dotted.split(".").map((part) => part.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()));
