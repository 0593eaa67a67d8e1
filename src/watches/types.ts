import type { Page } from "../db/cursor.ts";
import type { ToolChange } from "../detection/compare.ts";

/** How the last scan of a watched domain ended; later scans are compared with a `baseline`. */
export const WATCH_OUTCOMES = ["baseline", "unchanged", "changed", "failed"] as const;
export type WatchOutcome = (typeof WATCH_OUTCOMES)[number];

/** A domain that is scanned regularly. */
export interface Watch {
  readonly domain: string;
  /** 1–8760. */
  readonly every_hours: number;
  /** A paused watch is not scanned. */
  readonly paused: boolean;
  /** Tools detected by the last scan; 0 before the first. */
  readonly tools_detected: number;
  /** ISO 8601 UTC; null before the first scan. */
  readonly last_scan_at: string | null;
  /** Null before the first scan. */
  readonly last_outcome: WatchOutcome | null;
  /** Why the last scan failed; null when it did not. */
  readonly last_error: string | null;
  readonly next_scan_at: string;
  readonly created_at: string;
}

export interface WatchPage extends Page {
  readonly watches: readonly Watch[];
}

/** A change in a list. */
export interface DatedChange extends ToolChange {
  readonly domain: string;
  /** When the scan that found the change ran, ISO 8601 UTC. */
  readonly at: string;
  /** When the scan before ran. */
  readonly previous_at: string;
  /** The first and the last scan of this installation that detected the tool at the domain. */
  readonly first_seen: string;
  readonly last_seen: string;
}

export interface ChangePage extends Page {
  readonly changes: readonly DatedChange[];
}

/** `failing`: all attempts of a delivery failed, later ones are sent. `disabled`: it answered 410, nothing is sent. */
export const WEBHOOK_STATES = ["active", "failing", "disabled"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** An endpoint that is notified of changes. */
export interface Webhook {
  /** `wh_` and 20 characters. */
  readonly id: string;
  readonly url: string;
  readonly state: WebhookState;
  readonly created_at: string;
  /** The last successful delivery; null before the first. */
  readonly last_success_at: string | null;
}

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One message for one endpoint. */
export interface Delivery {
  /** `msg_` and 24 characters: the header `webhook-id`, the same in every attempt. */
  readonly id: string;
  readonly webhook_id: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** HTTP status of the last response; null when there was none. */
  readonly last_status: number | null;
  /** Why the last attempt failed, in one sentence; null when it did not, and before the first attempt. */
  readonly last_error: string | null;
  /** ISO 8601 UTC; null when there is no further attempt. */
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

export interface DeliveryPage extends Page {
  readonly deliveries: readonly Delivery[];
}
