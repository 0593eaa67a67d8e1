import type { Generated, GeneratedAlways } from "kysely";

/**
 * The tables as the queries see them. Instants are ISO 8601 UTC text with milliseconds, so they sort as text. This file
 * imports no feature: columns with a fixed set of values spell it out, and each repository maps rows to its own types.
 */
export interface Tables extends IntakeTables, WatchTables, BatchTables, StackTables {
  readonly migrations: MigrationRow;
  readonly scans: ScanRow;
  readonly snapshots: SnapshotRow;
  readonly views: ViewRow;
  readonly ingests: IngestRow;
  readonly sightings: SightingRow;
  readonly unknowns: UnknownRow;
  readonly feedback: FeedbackRow;
  readonly keys: KeyRow;
  readonly usage: UsageRow;
  readonly settings: SettingRow;
  readonly companies: CompanyRow;
  readonly company_trigrams: CompanyTrigramRow;
  readonly clients: ClientRow;
  readonly case_studies: CaseStudyRow;
  readonly outcomes: OutcomeRow;
  readonly passages: PassageRow;
  readonly embeddings: EmbeddingRow;
  readonly outbox: OutboxRow;
  readonly nodes: NodeRow;
  readonly node_indexes: NodeIndexRow;
  readonly client_calls: ClientCallsRow;
  readonly crawl_turns: CrawlTurnRow;
  readonly scan_claims: ScanClaimRow;
  readonly opt_outs: OptOutRow;
  readonly custom_fingerprints: CustomFingerprintRow;
  readonly shared_models: SharedModelRow;
  readonly shared_model_parts: SharedModelPartRow;
  readonly activity: ActivityRow;
  readonly operators: OperatorRow;
  readonly sign_in_links: SignInLinkRow;
  readonly operator_sessions: OperatorSessionRow;
  readonly audit: AuditRow;
}

export interface OperatorRow {
  id: string;
  name: string;
  name_folded: string;
  /** Normalised. */
  email: string | null;
  role: "reader" | "reviewer" | "admin";
  /** Issuer and subject at the identity provider, once the operator has signed in there. */
  subject: string | null;
  /** 1: created by a sign-in at the identity provider, which decides the role; 0: invited. */
  provisioned: number;
  created_at: string;
  last_sign_in_at: string | null;
}

/** A link that signs an operator in once. */
interface SignInLinkRow {
  /** SHA-256 of the link's secret, in hex. */
  hash: string;
  operator_id: string;
  created_at: string;
  ends_at: string;
}

export interface OperatorSessionRow {
  /** SHA-256 of the secret in the cookie, in hex. */
  hash: string;
  /** Public. */
  id: string;
  /** Null for a session that was opened with the operator token. */
  operator_id: string | null;
  /** The hash of that token: replacing it ends the session. */
  token_hash: string | null;
  way: "token" | "link" | "identity_provider";
  client: string;
  /** The `User-Agent` header. */
  agent: string | null;
  created_at: string;
  last_seen_at: string;
  ends_at: string;
}

export interface AuditRow {
  number: Generated<number>;
  at: string;
  kind: "session" | "token" | "command";
  operator_id: string | null;
  /** The name at that time. */
  operator: string;
  role: string;
  session: string | null;
  client: string | null;
  action: string;
  target: string | null;
  /** Of the response; null when it was interrupted. */
  status: number | null;
}

interface ActivityRow {
  span: "minute" | "hour";
  start_at: string;
  /** Id of the node's search index, which outlives its process. */
  node: string;
  requests: number;
  errors: number;
  scans: number;
  /** The most waiting jobs. */
  queue_depth: number;
  /** Requests by class of duration, as JSON: `{"12": 3}`. */
  latencies: string;
}

interface OptOutRow {
  /** A domain, or a pattern with stars, in lower case and ASCII. */
  pattern: string;
  note: string | null;
  created_at: string;
}

export interface MigrationRow {
  id: number;
  name: string;
  checksum: string;
  applied_at: string;
}

/** A dated observation of a company: a scan, or a recording that another tool made. */
interface ScanRow {
  id: Generated<number>;
  domain: string;
  /** When it was observed. */
  scanned_at: string;
  saved_at: string;
  /** A `Report` as JSON. */
  report: string;
  /** `scan`, or the format of the recording. */
  origin: Generated<string>;
  /** SHA-256 of the recording in hex, so that it is stored once; null for a scan. */
  digest: string | null;
}

/** How far a part of a file was read. */
interface IngestRow {
  /** Of the name, the size and the content of the file. */
  digest: string;
  /** Where the part starts in the file. */
  start: number;
  /** Behind the last record that was stored. */
  position: number;
  done: number;
  /** `Counts` as JSON. */
  counts: string;
  updated_at: string;
}

/** The report on all recordings of a company. */
interface ViewRow {
  domain: string;
  /** The newest id in `scans` when it was made: a later one makes it outdated. */
  scan_id: number;
  /** A `Report` as JSON. */
  report: string;
}

interface SnapshotRow {
  scan_id: number;
  domain: string;
  captured_at: string;
  /** A `Snapshot` as JSON, compressed with zstd. */
  content: Uint8Array;
}

interface SightingRow {
  domain: string;
  tool_id: string;
  first_seen: string;
  last_seen: string;
}

/** A signal of a company's newest scan that no rule matched. */
interface UnknownRow {
  kind: "verification" | "script" | "alias";
  value: string;
  domain: string;
  example: string;
  seen_at: string;
}

interface FeedbackRow {
  domain: string;
  tool_id: string;
  tool: string;
  /** Rule ids as JSON. */
  rules: string;
  note: string | null;
  reported_at: string;
}

export interface KeyRow {
  id: string;
  email_folded: string;
  /** SHA-256 of the whole key, in hex. */
  hash: string;
  /** The key's last four characters. */
  hint: string;
  monthly_limit: number;
  created_at: string;
  revoked_at: string | null;
}

interface UsageRow {
  key_id: string;
  /** `YYYY-MM` in UTC. */
  month: string;
  used: number;
}

interface SettingRow {
  name: string;
  value: string;
}

/** `industry_key` is the taxonomy slug; without one, the normalised name that the source uses. */
interface IndustryColumns {
  industry_raw: string | null;
  industry_slug: string | null;
  industry_key: string | null;
}

export interface CompanyRow extends IndustryColumns {
  id: Generated<number>;
  slug: string;
  name: string;
  name_folded: string;
  domain: string | null;
  logo_url: string | null;
  created_at: string;
  updated_at: string;
}

interface CompanyTrigramRow {
  trigram: string;
  company_id: number;
}

/** A `_folded` column holds the normalised value: an empty string, never null, for a missing one. */
interface ClientRow {
  id: Generated<number>;
  name: string | null;
  name_folded: string;
  domain: string | null;
  domain_folded: string;
}

interface CaseStudyRow extends IndustryColumns {
  /** For joins and for the search index; never reused. */
  number: Generated<number>;
  id: string;
  url: string;
  /** Normalised URL: equal for all spellings of one address. */
  url_key: string;
  company_id: number;
  client_id: number | null;
  country: string | null;
  /** `YYYY-MM-DD`. */
  published_at: string | null;
  /** An empty string for an unknown date, so that it sorts last and compares. */
  published_order: GeneratedAlways<string>;
  language: string | null;
  origin: "starter" | "submitted" | "imported";
  licence: string | null;
  /** 64-bit similarity hash as 16 hex digits; the bands are the same bits in four parts. */
  fingerprint: string;
  band_1: number;
  band_2: number;
  band_3: number;
  band_4: number;
  /** SHA-256 of the saved record, to detect whether an import changes it. */
  content_hash: string;
  /** Starts at 1; each change adds 1. */
  revision: number;
  created_at: string;
  updated_at: string;
  indexed_at: string | null;
  title: string;
  summary: string | null;
  challenge: string | null;
  solution: string | null;
  /** JSON arrays of strings. */
  products: string;
  tools: string;
  quote_text: string | null;
  quote_person: string | null;
  quote_role: string | null;
  body: string | null;
}

interface OutcomeRow {
  study_number: number;
  position: number;
  metric: string;
  value: number | null;
  unit: string | null;
  direction: "increase" | "decrease" | "absolute";
  text: string;
  noun: string | null;
  kind: "change" | "level" | "qualitative" | null;
  from_value: number | null;
  to_value: number | null;
  /** 0 or 1. */
  is_better: number | null;
  sentence: string | null;
}

interface PassageRow {
  id: Generated<number>;
  study_number: number;
  position: number;
  heading: string | null;
  text: string;
}

/** A process that shares a PostgreSQL database. */
interface NodeRow {
  id: string;
  host: string;
  index_id: string;
  started_at: string;
  seen_at: string;
  /** Of the program. */
  version: string | null;
  /** The newest migration that it knows. */
  schema: number | null;
  /** Digest of everything that decides which tools its scans detect. */
  rules: string | null;
  /** Id of the model of its search index. */
  model: string | null;
  /** What the operator should look after on this node. */
  problem: string | null;
}

/** A file of the custom fingerprints that were installed in the database. */
interface CustomFingerprintRow {
  file: string;
  content: Uint8Array;
}

/** A custom model that the nodes of a PostgreSQL database copy from each other. */
export interface SharedModelRow {
  id: string;
  /** Null when it was removed. */
  name: string | null;
  /** `manifest.json`, which has the size and the hash of each file. */
  manifest: string;
  /** The database whose object storage has the files; null while the table of the parts has them, or they are removed. */
  storage: string | null;
  created_at: string;
  /** Null until all its files are stored. */
  stored_at: string | null;
  /** Set when a node found a file missing or damaged. */
  lost_at: string | null;
  /** Kept for a while, so that nodes that were away remove the model, too. */
  removed_at: string | null;
}

/** A piece of a file, of 1 MiB at most. */
interface SharedModelPartRow {
  model_id: string;
  /** Number of the file in the manifest. */
  file: number;
  part: number;
  content: Uint8Array;
}

/** A search index for which changes are queued. On SQLite there is one, without a row. */
interface NodeIndexRow {
  id: string;
  host: string;
  seen_at: string;
}

/** Requests without a key, of all nodes. */
interface ClientCallsRow {
  /** IPv4 address, or the network of an IPv6 address. */
  client: string;
  /** Milliseconds since the epoch of the calls of the last hour, oldest first, as a JSON array. */
  times: string;
  last_at: string;
}

/** When the nodes may ask a host for its next page. */
interface CrawlTurnRow {
  host: string;
  free_at: string;
}

/** A scan that a node runs, whose result the others wait for. */
interface ScanClaimRow {
  /** The domain, and the scanners when it is not all of them. */
  scan: string;
  /** `NODE:UUID`. */
  lease: string;
  leased_until: string;
  /** 1 when another node waits for the scan. */
  watched: Generated<number>;
  /** Counts the versions of `progress`. */
  events: Generated<number>;
  /** JSON of what was found so far. */
  progress: string | null;
}

/** The revision of a case study that a model has embedded. */
interface EmbeddingRow {
  study_number: number;
  /** On PostgreSQL followed by a space and the id of the index: each node embeds for itself. */
  model: string;
  revision: number;
  embedded_at: string;
}

/** Pending changes of the search index. They name the case study by its public id, because its row may be gone. */
interface OutboxRow {
  id: Generated<number>;
  /** The index that lacks the change. */
  index_id: Generated<string>;
  case_study_id: string;
  action: "upsert" | "delete";
  attempts: Generated<number>;
  last_error: string | null;
  created_at: string;
  /** No other worker may take it before this time. */
  leased_until: string | null;
  /** When it failed for good; null while it is retried. */
  failed_at: string | null;
}

interface IntakeTables {
  readonly jobs: JobRow;
  readonly submissions: SubmissionRow;
  readonly sites: SiteRow;
  readonly pages: PageRow;
  readonly mails: MailRow;
  readonly corrections: CorrectionRow;
  readonly provenance: ProvenanceRow;
  readonly study_versions: StudyVersionRow;
}

export interface JobRow {
  id: Generated<number>;
  kind: string;
  /** What the job works on; each kind has at most one open job per subject. */
  subject: string;
  /** JSON. */
  payload: string;
  state: "waiting" | "running" | "done" | "dead";
  attempts: Generated<number>;
  max_attempts: number;
  last_error: string | null;
  run_after: string;
  /** `NODE:UUID` of the worker that runs it; a worker that lost its lease may not finish the job. */
  lease: string | null;
  leased_until: string | null;
  created_at: string;
  updated_at: string;
}

export interface SubmissionRow {
  id: string;
  company_name: string;
  company_slug: string;
  company_domain: string | null;
  case_study_url: string;
  url_key: string;
  contact_email: string;
  state: "waiting" | "review" | "rejected" | "crawling" | "structuring" | "indexing" | "available" | "failed";
  reason: string | null;
  approved_by: "operator" | "policy" | null;
  /** A `SubmissionPreview` as JSON. */
  preview: string | null;
  found: Generated<number>;
  received_at: string;
  updated_at: string;
}

/** A listing page that is crawled repeatedly. */
export interface SiteRow {
  id: Generated<number>;
  submission_id: string | null;
  company_name: string;
  company_slug: string;
  company_domain: string | null;
  url: string;
  url_key: string;
  last_crawled_at: string | null;
  next_crawl_at: string | null;
}

export interface PageRow {
  url_key: string;
  site_id: number;
  url: string;
  state: "fetched" | "structured" | "refused" | "gone";
  reason: string | null;
  etag: string | null;
  last_modified: string | null;
  content_hash: string | null;
  case_study_id: string | null;
  fetched_at: string;
  gone_at: string | null;
  /** The fetched page, compressed with zstd; null once it is structured. */
  page: Uint8Array | null;
}

export interface MailRow {
  id: Generated<number>;
  submission_id: string;
  event: string;
  recipient: string;
  subject: string;
  body: string;
  /** `unclear`: the process ended during delivery. The email may have been sent, so it is not sent again. */
  state: "waiting" | "sending" | "sent" | "unclear" | "failed";
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
}

interface CorrectionRow {
  case_study_id: string;
  /** Name of the field of the case study. */
  field: string;
  /** JSON. */
  value: string;
  corrected_at: string;
}

interface ProvenanceRow {
  case_study_id: string;
  pointer: string;
  engine: "local" | "language-model" | "operator";
  sentence: string | null;
  confidence: number;
}

interface StudyVersionRow {
  id: Generated<number>;
  case_study_id: string;
  revision: number;
  replaced_at: string;
  /** The replaced `CaseStudy` as JSON. */
  content: string;
}

interface WatchTables {
  readonly watches: WatchRow;
  readonly tool_changes: ToolChangeRow;
  readonly webhooks: WebhookRow;
  readonly deliveries: DeliveryRow;
}

/** Columns of a lease queue: when a row is due, and which worker has it. */
interface DueColumns {
  number: Generated<number>;
  run_after: string;
  attempts: Generated<number>;
  /** `NODE:UUID` of the worker that runs it. */
  lease: string | null;
  leased_until: string | null;
}

export interface WatchRow extends DueColumns {
  domain: string;
  every_hours: number;
  paused: Generated<number>;
  tools_detected: Generated<number>;
  last_scan_at: string | null;
  last_outcome: "baseline" | "unchanged" | "changed" | "failed" | null;
  last_error: string | null;
  /** The state that the next scan is compared with, as JSON; null before the first scan. */
  known: string | null;
  created_at: string;
}

interface ToolChangeRow {
  number: Generated<number>;
  domain: string;
  change: "appeared" | "disappeared";
  tool_id: string;
  tool: string;
  category: string;
  confidence: number;
  evidence: string;
  at: string;
  previous_at: string;
}

/**
 * Signing needs the secret itself, so it is stored in plain text: in the database, which only this user may read, and in
 * every backup.
 */
export interface WebhookRow {
  id: string;
  url: string;
  state: "active" | "failing" | "disabled";
  secret: string;
  /** Also signs until `former_until`, which gives the receiver time to change over. */
  former_secret: string | null;
  former_until: string | null;
  created_at: string;
  last_success_at: string | null;
}

export interface DeliveryRow extends DueColumns {
  id: string;
  webhook_id: string;
  type: string;
  /** JSON as it is signed and sent. */
  body: string;
  state: "waiting" | "delivered" | "failed";
  last_status: number | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
}

interface BatchTables {
  readonly batches: BatchRow;
  readonly batch_items: BatchItemRow;
}

/** A list of domains that is scanned in the background. */
export interface BatchRow {
  /** Later batches have higher numbers. */
  number: Generated<number>;
  id: string;
  /** Email of the API key; empty for the operator of this machine. */
  owner: string;
  name: string | null;
  /** `loading` until all its items are stored. */
  state: "loading" | "running" | "paused" | "cancelled" | "done";
  /** Of the owner; null without one. */
  idempotency_key: string | null;
  /** Of the items and the options. */
  digest: string;
  /** Options and names of the further columns, as JSON. */
  options: string;
  webhook_id: string | null;
  /** The key and the month that its domains were counted for; null when they were not counted. */
  charged_key: string | null;
  charged_month: string | null;
  /** All rows of the list. */
  total: number;
  /** Distinct domains among them. */
  domains: number;
  created_at: string;
  /** When it last began to run, and how many domains were finished then. */
  resumed_at: string;
  resumed_finished: number;
  finished_at: string | null;
}

export interface BatchItemRow extends DueColumns {
  batch_id: string;
  /** From 0, in the order of the list. */
  position: number;
  input: string;
  /** Cells of the further columns, as JSON; null without any. */
  cells: string | null;
  /** Null for an invalid row. */
  domain: string | null;
  state: "waiting" | "done" | "failed" | "invalid" | "duplicate" | "cancelled";
  /** Position of the first row with the same domain. */
  duplicate_of: number | null;
  error_code: string | null;
  error: string | null;
  /** The result as JSON, compressed with zstd. */
  result: Uint8Array | null;
  finished_at: string | null;
}

interface StackTables {
  readonly observations: ObservationRow;
  readonly stack_queue: StackQueueRow;
  readonly stack_state: StackStateRow;
  readonly stack_companies: StackCompanyRow;
  readonly stack_terms: StackTermRow;
  readonly stack_counts: StackCountRow;
  readonly stack_postings: StackPostingRow;
  readonly stack_pending: StackPendingRow;
}

/** What one scan or recording showed of a company, in short: it outlives the report. */
interface ObservationRow {
  id: Generated<number>;
  domain: string;
  observed_at: string;
  /** Digest of the recording, or `scan`: several recordings may have one time, and one may be read again. */
  recording: string;
  /** An `Observation` as JSON, compressed with zstd. */
  content: Uint8Array;
}

/** Domains with observations that the stack index does not contain yet. */
interface StackQueueRow {
  domain: string;
  /** Grows with each observation, so that one that arrives during indexing is not lost. */
  revision: number;
}

interface StackStateRow {
  id: 1;
  /** Format of the stored lists; another one is rebuilt. */
  format: number;
  /** New whenever the index is rebuilt: term numbers change. */
  incarnation: string;
  /** Grows with each change of the posting lists. */
  generation: number;
}

interface StackCompanyRow {
  number: Generated<number>;
  domain: string;
  first_scanned_at: string;
  scanned_at: string;
  tools: number;
  /** An `Entry`, encoded. */
  entry: Uint8Array;
}

interface StackTermRow {
  id: Generated<number>;
  kind: "tool" | "script" | "txt" | "cname" | "top";
  key: string;
  name: string;
  /** Label; an empty string for other kinds than tools. */
  category: string;
}

interface StackCountRow {
  term: number;
  companies: number;
  /** Days. */
  first_day: number;
  last_day: number;
}

interface StackPostingRow {
  term: number;
  list: number;
  chunk: number;
  content: Uint8Array;
}

/** Companies whose entry is newer than the posting lists. */
interface StackPendingRow {
  number: number;
  /** The entry that the posting lists contain; null without any. */
  base: Uint8Array | null;
}
