import type { Generated } from "kysely";
import type { ChangeKind, DeliveryState, WatchOutcome, WebhookState } from "../../vocabulary/watch.ts";

export interface WatchTables {
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

export interface ToolChangeRow {
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
