import * as kinds from "./values.ts";

/** One setting: what it takes, what holds without it, and one sentence on what it does. */
export interface Key<T> {
  readonly kind: kinds.Kind<T>;
  readonly fallback: T;
  readonly doc: string;
  /** A short flag beside the one that the name gives. */
  readonly alias?: string;
}

function key<T>(kind: kinds.Kind<T>, fallback: NoInfer<T>, doc: string, alias?: string): Key<T> {
  return alias === undefined ? { kind, fallback, doc } : { kind, fallback, doc, alias };
}

const { boolean, bytes, choice, duration, fraction, integer, listOf, orOff, text, url } = kinds;

const DAY = 86_400;
const MIB = 1_048_576;

/** Every setting by its dotted name, as `casefile.toml` writes it. */
export const KEYS = {
  data_dir: key(text(), "./casefile-data", "Directory of the database and its copies; made when it is absent."),

  "server.host": key(text(), "127.0.0.1", "Address to listen on; 0.0.0.0 or :: for every interface.", "host"),
  "server.port": key(integer(0, 65_535), 7_171, "Port to listen on; 0 takes any free one.", "port"),
  "server.metrics_public": key(boolean, false, "Serve /metrics to every address instead of loopback alone."),
  "server.trust_proxy": key(kinds.hops, 0, "Number of reverse proxies whose X-Forwarded-For is believed."),
  "server.drain_ms": key(duration(0, 600_000), 10_000, "How long open requests may go on after a stop was asked for."),
  "server.origins": key(
    listOf(url()),
    [],
    "Web origins whose pages may call /mcp beside those of this machine, such as https://casefile.acme.example.",
  ),
  "server.max_streams": key(integer(1, 100_000), 200, "Enrichment streams that may be open at once."),

  "log.format": key(choice("auto", "json", "pretty"), "auto", "Form of log lines; auto is pretty on a terminal."),
  "log.level": key(
    choice("trace", "debug", "info", "warn", "error", "silent"),
    "info",
    "Least important log line that is written.",
  ),

  "accounts.monthly_limit": key(
    integer(0, 1_000_000_000),
    1_000,
    "Requests that a new API key may make in a calendar month (UTC).",
  ),
  "accounts.keyless_per_hour": key(
    integer(1, 100_000),
    20,
    "POST requests without a key that one client address may make in an hour.",
  ),

  "scan.deadline_ms": key(duration(1_000, 300_000), 15_000, "Longest time for one scan, whatever hangs."),
  "scan.cache_seconds": key(integer(0, 366 * DAY), DAY, "Age up to which a stored result is served instead of a scan."),
  "scan.threshold": key(
    fraction,
    0.5,
    "Least confidence at which a tool is reported; below 0.46 mentions alone would do, so less counts as 0.46.",
  ),
  "scan.max_concurrent": key(
    integer(1, 256),
    8,
    "Scans that run at once; a further one is refused until one has ended.",
  ),
  "scan.reserved_names": key(
    listOf(kinds.name),
    [],
    "Reserved top-level names that this network uses for itself, such as internal.",
  ),
  "scan.keep_snapshots": key(integer(0, 1_000), 5, "Recorded visits kept for each domain; 0 keeps none."),

  "fingerprints.dir": key(
    listOf(text()),
    [],
    "Folders of own fingerprints beside the built-in ones; one of the same id takes that one's place.",
    "fingerprints",
  ),

  "starter.enabled": key(
    boolean,
    true,
    "Fills the index at the first start with the case studies that come with the program, and keeps them up to date.",
    "starter",
  ),

  "crawl.per_host_ms": key(duration(0, 60_000), 1_000, "Least time between two requests to one site that is crawled."),
  "crawl.max_pages": key(integer(1, 100_000), 1_000, "Most pages asked for in one crawl of a site."),
  "crawl.max_bytes": key(bytes(MIB, 10_240 * MIB), 512 * MIB, "Most bytes read in one crawl of a site, decompressed."),
  "crawl.deadline_ms": key(duration(10_000, 86_400_000), 3_600_000, "Longest time for one crawl of a site."),
  "crawl.recrawl_days": key(integer(0, 3_650), 30, "Days after which a site is crawled again; 0 never does."),
  "crawl.auto_approve": key(
    choice("off", "same-domain"),
    "off",
    "Approves a submission by itself when the contact's mail domain is the page's own and has mail records in DNS.",
  ),
  "jobs.concurrent": key(integer(1, 64), 2, "Pieces of background work (crawls, structuring, mails) done at once."),

  "watch.every_hours": key(
    integer(1, 8_760),
    168,
    "Hours between two scans of a watched domain that says nothing else.",
  ),
  "watch.concurrent": key(integer(1, 16), 1, "Watched domains that are scanned at once."),

  "backup.every_hours": key(
    integer(0, 8_760),
    0,
    "Hours between two backups that the service makes by itself; 0 makes none.",
  ),
  "backup.keep": key(integer(1, 10_000), 7, "Backups made by itself that are kept; others are never removed."),
  "backup.models": key(boolean, true, "Pack the models of your own into backups, too."),

  "smtp.url": key(
    orOff(kinds.mailServer),
    null,
    "Mail server that tells contacts how their submission goes on; without one, mails wait.",
  ),
  "smtp.from": key(orOff(text({ max: 300 })), null, "Sender of those mails, such as Casefile <casefile@acme.example>."),

  "language_model.url": key(
    orOff(url()),
    null,
    "OpenAI-compatible endpoint that reads case studies, such as http://127.0.0.1:11434/v1.",
  ),
  "language_model.model": key(
    orOff(text({ max: 200 })),
    null,
    "Name of the model to ask for; an endpoint with one model needs none.",
  ),
  "language_model.api_key": key(orOff(kinds.secret), null, "Key that is sent to that endpoint and nowhere else."),
  "language_model.timeout_ms": key(duration(1_000, 600_000), 60_000, "Longest wait for one answer of that endpoint."),
  "language_model.max_per_hour": key(
    integer(1, 100_000),
    500,
    "Most questions to that endpoint in an hour; pages beyond them are read without it.",
  ),

  "net.resolvers": key(listOf(kinds.resolver), [], "DNS servers to ask; without any, those of the system."),
  "net.allow_cidrs": key(
    listOf(kinds.cidr),
    [],
    "Private or reserved address ranges that may be reached all the same.",
  ),
  "net.extra_ports": key(listOf(integer(1, 65_535)), [], "Ports that may be reached beside 80 and 443."),
  "net.connect_ports": key(
    listOf(kinds.portPair),
    [],
    "Ports to connect to instead of others, such as 443:8443, where a gateway moves them.",
  ),
  "net.proxy": key(orOff(url()), null, "HTTP or HTTPS proxy through which web requests go."),
  "net.ca_file": key(orOff(text()), null, "PEM file of certificate authorities to trust beside the built-in ones."),
  "net.contact": key(
    orOff(text({ max: 200 })),
    null,
    "Address or page at which site owners reach you, sent in the User-Agent.",
  ),
  "net.page_bytes": key(bytes(65_536, 16 * MIB), 3 * MIB, "Most bytes read of one page, decompressed."),
  "net.dns_timeout_ms": key(
    duration(100, 30_000),
    1_500,
    "Longest wait for one DNS answer; a server that stays silent is asked once more.",
  ),
  "net.http_timeout_ms": key(duration(100, 60_000), 8_000, "Longest wait for one web answer, its body too."),
  "net.per_host": key(integer(1, 64), 4, "Requests to one host at once."),
  "net.global": key(integer(1, 4_096), 64, "Requests to all hosts at once."),

  "sources.asn_zone": key(
    orOff(kinds.zone),
    "origin.asn.cymru.com",
    "DNS zone that tells the network of an IPv4 address.",
  ),
  "sources.asn6_zone": key(
    orOff(kinds.zone),
    "origin6.asn.cymru.com",
    "DNS zone that tells the network of an IPv6 address.",
  ),
  "sources.certificate_logs": key(
    listOf(url("domain")),
    [
      "https://crt.sh/?q=%25.{domain}&output=json",
      "https://api.certspotter.com/v1/issuances?domain={domain}&include_subdomains=true&expand=dns_names",
    ],
    "Certificate-transparency searches, tried in order.",
  ),
  "sources.microsoft_realm": key(
    orOff(url("domain")),
    "https://login.microsoftonline.com/getuserrealm.srf?login=info@{domain}&json=1",
    "Look-up of a domain's Microsoft tenant.",
  ),
  "sources.tenant_lookups": key(
    listOf(kinds.tenantLookup),
    [{ label: "okta", url: "https://{label}.okta.com/.well-known/okta-organization" }],
    "Further tenant look-ups, LABEL=URL; found when the URL answers 200.",
  ),
  "sources.tag_manager": key(
    orOff(url("id")),
    "https://www.googletagmanager.com/gtm.js?id={id}",
    "Container script of Google Tag Manager.",
  ),
  "sources.job_boards.greenhouse": jobBoard(
    "Greenhouse",
    "https://boards-api.greenhouse.io/v1/boards/{board}/jobs?content=true",
  ),
  "sources.job_boards.lever": jobBoard("Lever", "https://api.lever.co/v0/postings/{board}?mode=json"),
  "sources.job_boards.ashby": jobBoard("Ashby", "https://api.ashbyhq.com/posting-api/job-board/{board}"),
  "sources.job_boards.workable": jobBoard(
    "Workable",
    "https://apply.workable.com/api/v1/widget/accounts/{board}?details=true",
  ),
  "sources.job_boards.smartrecruiters": jobBoard(
    "SmartRecruiters",
    "https://api.smartrecruiters.com/v1/companies/{board}/postings",
  ),
  "sources.job_boards.recruitee": jobBoard("Recruitee", "https://{board}.recruitee.com/api/offers/"),
  "sources.job_boards.teamtailor": jobBoard("Teamtailor", "https://{board}.teamtailor.com/jobs.json"),
  "sources.job_boards.personio": jobBoard("Personio", "https://{board}.jobs.personio.com/xml"),
};

function jobBoard(vendor: string, fallback: string): Key<string | null> {
  return key(orOff(url("board")), fallback, `Public job board of ${vendor}.`);
}

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
