import type { Generated, GeneratedAlways } from "kysely";
import type { Origin, Outcome } from "../vocabulary/case-study.ts";
import type { UnknownKind } from "../vocabulary/discovery.ts";
import type { IntakeTables } from "./intake/tables.ts";
import type { WatchTables } from "./watches/tables.ts";

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

export interface ScanRow {
  id: Generated<number>;
  domain: string;
  scanned_at: string;
  saved_at: string;
  /** A `Report` as JSON. */
  report: string;
}

export interface SnapshotRow {
  scan_id: number;
  domain: string;
  captured_at: string;
  /** A `Snapshot` as JSON, compressed with zstd. */
  content: Uint8Array;
}

export interface SightingRow {
  domain: string;
  tool_id: string;
  first_seen: string;
  last_seen: string;
}

/** One thing that a company's newest scan saw and no rule knew. */
export interface UnknownRow {
  kind: UnknownKind;
  value: string;
  domain: string;
  example: string;
  seen_at: string;
}

export interface FeedbackRow {
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

export interface UsageRow {
  key_id: string;
  /** `YYYY-MM` in UTC. */
  month: string;
  used: number;
}

export interface SettingRow {
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

export interface CompanyTrigramRow {
  trigram: string;
  company_id: number;
}

/** A folded column is empty, never null, where there is nothing to fold. */
export interface ClientRow {
  id: Generated<number>;
  name: string | null;
  name_folded: string;
  domain: string | null;
  domain_folded: string;
}

export interface CaseStudyRow extends IndustryColumns {
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

export interface OutcomeRow extends Outcome {
  study_number: number;
  position: number;
}

export interface PassageRow {
  id: Generated<number>;
  study_number: number;
  position: number;
  heading: string | null;
  text: string;
}

/** Which revision of a case study a model has embedded. */
export interface EmbeddingRow {
  study_number: number;
  model: string;
  revision: number;
  embedded_at: string;
}

/** What the search index has yet to learn. It names the case study by its public id, which outlives the row. */
export interface OutboxRow {
  id: Generated<number>;
  case_study_id: string;
  action: "upsert" | "delete";
  attempts: Generated<number>;
  last_error: string | null;
  created_at: string;
  /** Nobody else may take it before then. */
  leased_until: string | null;
}
