import type { Generated, GeneratedAlways } from "kysely";
import type { SubmissionState } from "../casestudies/intake/types.ts";
import type { Engine, Origin, Outcome } from "../casestudies/types.ts";
import type { UnknownKind } from "../detection/types.ts";
import type { JobState } from "../jobs/types.ts";
import type { ChangeKind, DeliveryState, WatchOutcome, WebhookState } from "../watches/types.ts";

/** The tables as the queries see them. Instants are ISO 8601 UTC text with milliseconds, so that they sort as text. */
export interface Tables extends IntakeTables, WatchTables {
  readonly migrations: MigrationRow;
  readonly scans: ScanRow;
  readonly snapshots: SnapshotRow;
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
}

export interface MigrationRow {
  id: number;
  name: string;
  checksum: string;
  applied_at: string;
}

interface ScanRow {
  id: Generated<number>;
  domain: string;
  scanned_at: string;
  saved_at: string;
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

/** One thing that a company's newest scan saw and no rule knew. */
interface UnknownRow {
  kind: UnknownKind;
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

/** `industry_key` is the slug of the taxonomy, else the folded word of the source. */
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

/** A folded column is empty, never null, where there is nothing to fold. */
interface ClientRow {
  id: Generated<number>;
  name: string | null;
  name_folded: string;
  domain: string | null;
  domain_folded: string;
}

interface CaseStudyRow extends IndustryColumns {
  /** For joins and for an index beside the database; never used twice. */
  number: Generated<number>;
  id: string;
  url: string;
  /** One form for all ways to write the address. */
  url_key: string;
  company_id: number;
  client_id: number | null;
  country: string | null;
  /** `YYYY-MM-DD`. */
  published_at: string | null;
  /** Empty where no date is known, so that it sorts last and compares. */
  published_order: GeneratedAlways<string>;
  language: string | null;
  origin: Origin;
  licence: string | null;
  /** 16 hex digits, and the same 64 bits in four. */
  fingerprint: string;
  band_1: number;
  band_2: number;
  band_3: number;
  band_4: number;
  /** SHA-256 of what was given, so that the same again is told apart from a change. */
  content_hash: string;
  /** 1, and one more with each change. */
  revision: number;
  created_at: string;
  updated_at: string;
  indexed_at: string | null;
  title: string;
  summary: string | null;
  challenge: string | null;
  solution: string | null;
  /** JSON lists of text. */
  products: string;
  tools: string;
  quote_text: string | null;
  quote_person: string | null;
  quote_role: string | null;
  body: string | null;
}

interface OutcomeRow extends Outcome {
  study_number: number;
  position: number;
}

interface PassageRow {
  id: Generated<number>;
  study_number: number;
  position: number;
  heading: string | null;
  text: string;
}

/** Which revision of a case study a model has embedded. */
interface EmbeddingRow {
  study_number: number;
  model: string;
  revision: number;
  embedded_at: string;
}

/** What the search index has yet to learn. It names the case study by its public id, which outlives the row. */
interface OutboxRow {
  id: Generated<number>;
  case_study_id: string;
  action: "upsert" | "delete";
  attempts: Generated<number>;
  last_error: string | null;
  created_at: string;
  /** Nobody else may take it before then. */
  leased_until: string | null;
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
  /** What it is about; one open job of a kind for each subject. */
  subject: string;
  /** JSON. */
  payload: string;
  state: JobState;
  attempts: Generated<number>;
  max_attempts: number;
  last_error: string | null;
  run_after: string;
  /** Whose it is while it runs; a worker whose lease another one took over may not end it. */
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
  state: SubmissionState;
  reason: string | null;
  approved_by: "operator" | "policy" | null;
  /** A `SubmissionPreview` as JSON. */
  preview: string | null;
  found: Generated<number>;
  received_at: string;
  updated_at: string;
}

/** A listing page that is crawled, and crawled again. */
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
  /** What was fetched, compressed with zstd; null as soon as it was structured. */
  page: Uint8Array | null;
}

export interface MailRow {
  id: Generated<number>;
  submission_id: string;
  event: string;
  recipient: string;
  subject: string;
  body: string;
  /** `unclear`: the process ended while it was being handed over, so nobody knows, and it is not sent again. */
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
  engine: Engine;
  sentence: string | null;
  confidence: number;
}

interface StudyVersionRow {
  id: Generated<number>;
  case_study_id: string;
  revision: number;
  replaced_at: string;
  /** The `CaseStudy` as it was, as JSON. */
  content: string;
}

interface WatchTables {
  readonly watches: WatchRow;
  readonly tool_changes: ToolChangeRow;
  readonly webhooks: WebhookRow;
  readonly deliveries: DeliveryRow;
}

/** What a worker needs of a row: when it is due, and who has it. */
interface DueColumns {
  number: Generated<number>;
  run_after: string;
  attempts: Generated<number>;
  /** `PID:UUID` of the worker that has it. */
  lease: string | null;
  leased_until: string | null;
}

export interface WatchRow extends DueColumns {
  domain: string;
  every_hours: number;
  paused: Generated<number>;
  tools_detected: Generated<number>;
  last_scan_at: string | null;
  last_outcome: WatchOutcome | null;
  last_error: string | null;
  /** What later scans are compared with, as JSON; null before the first. */
  known: string | null;
  created_at: string;
}

interface ToolChangeRow {
  number: Generated<number>;
  domain: string;
  change: ChangeKind;
  tool_id: string;
  tool: string;
  category: string;
  confidence: number;
  evidence: string;
  at: string;
  previous_at: string;
}

/**
 * A signature needs the secret itself, so it is kept as it is: in the database, whose file and directory only this user
 * may read, and so in every backup of it.
 */
export interface WebhookRow {
  id: string;
  url: string;
  state: WebhookState;
  secret: string;
  /** Signs beside the new one until then, so that a receiver has time to change. */
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
  state: DeliveryState;
  last_status: number | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
}
