import type { Generated } from "kysely";

/** The tables as the queries see them. Instants are ISO 8601 UTC text with milliseconds, so that they sort as text. */
export interface Tables {
  readonly migrations: MigrationRow;
  readonly scans: ScanRow;
  readonly snapshots: SnapshotRow;
  readonly sightings: SightingRow;
  readonly keys: KeyRow;
  readonly usage: UsageRow;
  readonly settings: SettingRow;
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
