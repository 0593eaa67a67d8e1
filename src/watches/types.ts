/** How the last look at a watched domain ended; `baseline` is one that later looks are compared with. */
export const WATCH_OUTCOMES = ["baseline", "unchanged", "changed", "failed"] as const;
export type WatchOutcome = (typeof WATCH_OUTCOMES)[number];

/** A domain that is scanned again and again. */
export interface Watch {
  readonly domain: string;
  /** 1–8760. */
  readonly every_hours: number;
  /** Not scanned until it is resumed. */
  readonly paused: boolean;
  /** Tools that are known to be in use; 0 before the first scan. */
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

export const CHANGE_KINDS = ["appeared", "disappeared"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A tool that came to a watched domain, or went. */
export interface ToolChange {
  readonly change: ChangeKind;
  readonly tool_id: string;
  readonly tool: string;
  /** Category label. */
  readonly category: string;
  /** 0–1, when it was told; of one that went, when it was told last. */
  readonly confidence: number;
  /** The best proof in one line; of one that went, the last. */
  readonly evidence: string;
}

/** A change as it is listed. */
export interface DatedChange extends ToolChange {
  readonly domain: string;
  /** Of the scan that showed it, ISO 8601 UTC. */
  readonly at: string;
  /** Of the last scan before. */
  readonly previous_at: string;
  /** The first and the last scan of this installation that saw the tool there. */
  readonly first_seen: string;
  readonly last_seen: string;
}

/** `failing`: a delivery was given up, later ones are tried. `disabled`: it answered 410, nothing is sent any more. */
export const WEBHOOK_STATES = ["active", "failing", "disabled"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

/** Where changes are told. */
export interface Webhook {
  /** `wh_` and 20 characters. */
  readonly id: string;
  readonly url: string;
  readonly state: WebhookState;
  readonly created_at: string;
  /** When it last took a delivery; null before. */
  readonly last_success_at: string | null;
}

export const DELIVERY_STATES = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One message for one endpoint. */
export interface Delivery {
  /** `msg_` and 24 characters: the `webhook-id`, the same at every attempt. */
  readonly id: string;
  readonly webhook_id: string;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** HTTP status of the last answer; null when there was none. */
  readonly last_status: number | null;
  /** Why it was not taken, in one sentence; null when it was, and before the first attempt. */
  readonly last_error: string | null;
  /** ISO 8601 UTC; null when it ended. */
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}
