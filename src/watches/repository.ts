import type { Kysely, Selectable, Transaction } from "kysely";
import { countRows, type PageRequest, readPage } from "../db/cursor.ts";
import type { DeliveryRow, Tables, WatchRow, WebhookRow } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import type { ToolChange } from "../detection/compare.ts";
import { createLeaseQueue, type LeaseQueue, type Leasing } from "../jobs/lease-queue.ts";
import type {
  ChangePage,
  Delivery,
  DeliveryPage,
  DeliveryState,
  Watch,
  WatchOutcome,
  WatchPage,
  Webhook,
  WebhookState,
} from "./types.ts";

/** A finished scan of a watched domain. */
export interface WatchScan {
  readonly at: string;
  /** The scan it was compared with; if another scan came between, this one is not stored. Undefined: not checked. */
  readonly previousAt?: string | null;
  readonly outcome: Exclude<WatchOutcome, "failed">;
  readonly toolsDetected: number;
  /** What later scans are compared with. */
  readonly baseline: unknown;
  readonly changes: readonly ToolChange[];
  /** The next scan follows within the hour. */
  readonly needsVerification: boolean;
  /** Multiplies the interval: 1, or slightly more for jitter. */
  readonly intervalFactor: number;
}

interface WatchSettings {
  readonly everyHours?: number | undefined;
  readonly paused?: boolean | undefined;
}

/** Watched domains, whose scans are due as jobs. */
export interface WatchRepository extends LeaseQueue {
  /**
   * Adds a watch, which is due at once, or changes the settings that are given.
   *
   * @returns undefined, without a change, when there would be more than `max`
   */
  put(
    domain: string,
    settings: WatchSettings,
    defaults: { everyHours: number; max: number },
  ): Promise<Watch | undefined>;
  /** Returns the removed watch. Its changes stay listed. */
  remove(domain: string): Promise<Watch | undefined>;
  find(domain: string): Promise<{ readonly watch: Watch; readonly baseline: unknown } | undefined>;
  /** By domain. @throws Failure `cursor.invalid` */
  list(page: PageRequest): Promise<WatchPage>;
  /**
   * Stores a scan and calls `notify` in one transaction: a crash neither loses a change nor sends its notification twice.
   * Stores nothing when the watch was removed meanwhile.
   */
  recordScan(
    domain: string,
    scan: WatchScan,
    notify: (transaction: Transaction<Tables>) => Promise<void>,
  ): Promise<void>;
  /** Newest first. @throws Failure `cursor.invalid` */
  listChanges(
    filter: { readonly domain?: string | undefined; readonly since?: string | undefined },
    page: PageRequest,
  ): Promise<ChangePage>;
}

/** Stored changes of all domains; about 15 MB. */
const MAX_CHANGES = 50_000;
const MAX_ATTEMPTS_IN_A_ROW = 3;
/** After a long outage a weekly watch must not wait for a week. */
const RETRY_HOURS = 6;
const MAX_ERROR_LENGTH = 500;
const CRASH_PAUSE_SECONDS = 300;
const HOUR_MS = 3_600_000;
const WATCHES_BY_DOMAIN = { list: "watches", columns: [["domain", "string"]] } as const;
const CHANGES_NEWEST_FIRST = {
  list: "changes",
  columns: [
    ["tool_changes.at", "string", "desc"],
    ["tool_changes.number", "number", "desc"],
  ],
} as const;
const DELIVERIES_NEWEST_FIRST = { list: "deliveries", columns: [["number", "number", "desc"]] } as const;

export function createWatchRepository(
  queries: Kysely<Tables>,
  leasing: Leasing,
  clock: () => Date,
  max = MAX_CHANGES,
): WatchRepository {
  const inMs = (milliseconds: number) => new Date(clock().getTime() + milliseconds).toISOString();

  return {
    ...createLeaseQueue(leasing, {
      table: "watches",
      key: "number",
      kind: "watch",
      open: "paused = 0",
      crashPauseSeconds: CRASH_PAUSE_SECONDS,
      toJob: ({ number: id, domain, attempts }) => ({
        id,
        kind: "watch",
        payload: { domain },
        attempts,
        max_attempts: Number.POSITIVE_INFINITY,
      }),
    }),

    put: (domain, { everyHours, paused }, defaults) =>
      inTransaction(queries, "watches", async (transaction) => {
        const before = await findRow(transaction, domain);
        if (!before) {
          if ((await countRows(transaction.selectFrom("watches"))) >= defaults.max) return undefined;
          const row = await transaction
            .insertInto("watches")
            .values({
              domain,
              every_hours: everyHours ?? defaults.everyHours,
              paused: Number(paused ?? false),
              created_at: inMs(0),
              run_after: inMs(0),
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          return toWatch(row);
        }
        const hours = everyHours ?? before.every_hours;
        // A new interval applies at once, not when the old one ends.
        const next = before.last_scan_at === null ? inMs(0) : addMs(before.last_scan_at, hours * HOUR_MS);
        const row = await transaction
          .updateTable("watches")
          .set({
            every_hours: hours,
            paused: Number(paused ?? before.paused === 1),
            run_after: hours === before.every_hours ? before.run_after : next,
          })
          .where("domain", "=", domain)
          .returningAll()
          .executeTakeFirstOrThrow();
        return toWatch(row);
      }),

    async remove(domain) {
      const row = await queries.deleteFrom("watches").where("domain", "=", domain).returningAll().executeTakeFirst();
      return row && toWatch(row);
    },

    async find(domain) {
      const row = await findRow(queries, domain);
      return row && { watch: toWatch(row), baseline: row.known === null ? null : JSON.parse(row.known) };
    },

    async list(page) {
      const watches = queries.selectFrom("watches");
      const { rows, next_cursor } = await readPage(watches.selectAll(), WATCHES_BY_DOMAIN, page);
      return { watches: rows.map(toWatch), total: await countRows(watches), next_cursor };
    },

    recordScan: (domain, scan, notify) =>
      inTransaction(queries, "watches", async (transaction) => {
        const before = await findRow(transaction, domain);
        // Removed while it was scanned; or its lease expired, and another process stored a scan meanwhile.
        if (!before || (scan.previousAt !== undefined && scan.previousAt !== before.last_scan_at)) return;
        await transaction
          .updateTable("watches")
          .set({
            last_scan_at: scan.at,
            last_outcome: scan.outcome,
            last_error: null,
            attempts: 0,
            tools_detected: scan.toolsDetected,
            known: JSON.stringify(scan.baseline),
            run_after: inMs((scan.needsVerification ? 1 : before.every_hours) * HOUR_MS * scan.intervalFactor),
          })
          .where("domain", "=", domain)
          .execute();
        if (scan.changes.length === 0) return;
        const dated = { domain, at: scan.at, previous_at: before.last_scan_at ?? scan.at };
        for (const change of scan.changes)
          await transaction
            .insertInto("tool_changes")
            .values({ ...change, ...dated })
            .execute();
        await deleteOldest(transaction, "tool_changes", max);
        await notify(transaction);
      }),

    // Three attempts in a row, then again every six hours or at the scan interval, whichever is shorter.
    async failed({ id, lease, attempts }, error, { waitSeconds }) {
      const row = await queries.selectFrom("watches").selectAll().where("number", "=", id).executeTakeFirst();
      const isLast = attempts >= MAX_ATTEMPTS_IN_A_ROW;
      const retryMs = isLast ? Math.min(row?.every_hours ?? 1, RETRY_HOURS) * HOUR_MS : waitSeconds * 1_000;
      await queries
        .updateTable("watches")
        .set({
          last_outcome: "failed",
          last_error: error.slice(0, MAX_ERROR_LENGTH),
          lease: null,
          leased_until: null,
          attempts: isLast ? 0 : (row?.attempts ?? attempts),
          run_after: inMs(retryMs),
        })
        .where("number", "=", id)
        .where("lease", "=", lease)
        .execute();
      return isLast ? "dead" : "waiting";
    },

    async listChanges({ domain, since }, page) {
      let matching = queries.selectFrom("tool_changes");
      if (domain !== undefined) matching = matching.where("tool_changes.domain", "=", domain);
      if (since !== undefined) matching = matching.where("tool_changes.at", ">=", since);
      const withSightings = matching
        .leftJoin("sightings", (join) =>
          join
            .onRef("sightings.domain", "=", "tool_changes.domain")
            .onRef("sightings.tool_id", "=", "tool_changes.tool_id"),
        )
        .selectAll("tool_changes")
        .select(["sightings.first_seen", "sightings.last_seen"]);
      const { rows, next_cursor } = await readPage(withSightings, CHANGES_NEWEST_FIRST, page);
      return {
        changes: rows.map(({ number: _, first_seen, last_seen, ...row }) => ({
          ...row,
          first_seen: first_seen ?? row.at,
          last_seen: last_seen ?? row.at,
        })),
        total: await countRows(matching),
        next_cursor,
      };
    },
  };
}

const findRow = (database: Kysely<Tables>, domain: string) =>
  database.selectFrom("watches").selectAll().where("domain", "=", domain).executeTakeFirst();

/** Keeps the newest `max` rows. */
async function deleteOldest(
  database: Kysely<Tables>,
  table: "tool_changes" | "deliveries",
  max: number,
): Promise<void> {
  await database
    .deleteFrom(table)
    .where("number", "<=", (eb) => eb.selectFrom(table).select("number").orderBy("number", "desc").offset(max).limit(1))
    .execute();
}

const addMs = (instant: string, milliseconds: number) => new Date(Date.parse(instant) + milliseconds).toISOString();

const toWatch = (row: Selectable<WatchRow>): Watch => ({
  domain: row.domain,
  every_hours: row.every_hours,
  paused: row.paused === 1,
  tools_detected: row.tools_detected,
  last_scan_at: row.last_scan_at,
  last_outcome: row.last_outcome,
  last_error: row.last_error,
  next_scan_at: row.run_after,
  created_at: row.created_at,
});

/** A message to send, with the secrets to sign it with, the current one first. */
export interface OutgoingMessage {
  readonly delivery: Delivery;
  readonly body: string;
  readonly webhook: Webhook;
  readonly secrets: readonly string[];
}

/** The result of one attempt. */
export interface Attempt {
  /** So far, including this one. */
  readonly attempts: number;
  readonly state: DeliveryState;
  readonly status: number | null;
  readonly error: string | null;
  /** Null when there is no further attempt. */
  readonly retryInSeconds: number | null;
  /** The new state of the webhook; undefined leaves it. */
  readonly webhook?: WebhookState | undefined;
}

/** A message for one webhook. */
interface NewDelivery {
  readonly id: string;
  readonly webhook: string;
  readonly type: string;
  readonly body: string;
  /** Until the first attempt; by default 0. */
  readonly waitSeconds?: number;
}

/** Webhooks and the deliveries to them, which are due as jobs. */
export interface WebhookRepository extends LeaseQueue {
  /** Returns undefined, and adds nothing, when there would be more than `max`. */
  add(webhook: { id: string; url: string; secret: string }, max: number): Promise<Webhook | undefined>;
  /** Oldest first. */
  list(): Promise<readonly Webhook[]>;
  /** Returns the removed webhook; its deliveries are removed too. */
  remove(id: string): Promise<Webhook | undefined>;
  /** Replaces the secret; the old one also signs for `graceSeconds`. */
  rotate(id: string, secret: string, graceSeconds: number): Promise<Webhook | undefined>;
  /** Adds deliveries, in the transaction of their cause if there is one. */
  enqueue(deliveries: readonly NewDelivery[], transaction?: Transaction<Tables>): Promise<void>;
  /** Adds a delivery to one webhook, unless it was removed or is disabled. */
  enqueueOne(delivery: NewDelivery, transaction: Transaction<Tables>): Promise<void>;
  findOutgoing(id: string): Promise<OutgoingMessage | undefined>;
  recordAttempt(id: string, attempt: Attempt): Promise<Delivery | undefined>;
  /** Newest first. @throws Failure `cursor.invalid` */
  listDeliveries(
    filter: { readonly webhook?: string | undefined; readonly state?: DeliveryState | undefined },
    page: PageRequest,
  ): Promise<DeliveryPage>;
}

/** Stored deliveries, whatever their state. */
const MAX_DELIVERIES = 10_000;
const MAX_INTERNAL_FAILURES = 10;

export function createWebhookRepository(
  queries: Kysely<Tables>,
  leasing: Leasing,
  clock: () => Date,
  max = MAX_DELIVERIES,
): WebhookRepository {
  const inSeconds = (seconds: number) => new Date(clock().getTime() + seconds * 1_000).toISOString();

  const repository: WebhookRepository = {
    ...createLeaseQueue(leasing, {
      table: "deliveries",
      key: "number",
      kind: "webhook",
      open: "state = 'waiting'",
      // Each endpoint receives one message at a time, so a slow endpoint delays no other.
      serializeBy: "webhook_id",
      crashPauseSeconds: CRASH_PAUSE_SECONDS,
      toJob: ({ number, id, attempts }) => ({
        id: number,
        kind: "webhook",
        payload: { id },
        attempts,
        max_attempts: Number.POSITIVE_INFINITY,
      }),
    }),

    add: (webhook, limit) =>
      inTransaction(queries, "webhooks", async (transaction) => {
        if ((await countRows(transaction.selectFrom("webhooks"))) >= limit) return undefined;
        const row = await transaction
          .insertInto("webhooks")
          .values({ ...webhook, state: "active", created_at: inSeconds(0) })
          .returningAll()
          .executeTakeFirstOrThrow();
        return toWebhook(row);
      }),

    async list() {
      const rows = await queries.selectFrom("webhooks").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(toWebhook);
    },

    async remove(id) {
      const row = await queries.deleteFrom("webhooks").where("id", "=", id).returningAll().executeTakeFirst();
      return row && toWebhook(row);
    },

    async rotate(id, secret, graceSeconds) {
      const row = await queries
        .updateTable("webhooks")
        .set((eb) => ({ former_secret: eb.ref("secret"), former_until: inSeconds(graceSeconds), secret }))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && toWebhook(row);
    },

    async enqueue(deliveries, transaction) {
      const database = transaction ?? queries;
      const at = inSeconds(0);
      for (const { id, webhook, type, body, waitSeconds = 0 } of deliveries) {
        const run_after = inSeconds(waitSeconds);
        await database
          .insertInto("deliveries")
          .values({ id, webhook_id: webhook, type, body, state: "waiting", created_at: at, updated_at: at, run_after })
          .execute();
      }
      await deleteOldest(database, "deliveries", max);
    },

    async enqueueOne(delivery, transaction) {
      const active = await transaction
        .selectFrom("webhooks")
        .select("id")
        .where("id", "=", delivery.webhook)
        .where("state", "<>", "disabled")
        .executeTakeFirst();
      if (active) await repository.enqueue([delivery], transaction);
    },

    async findOutgoing(id) {
      const delivery = await queries.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirst();
      if (!delivery) return undefined;
      const webhook = await queries
        .selectFrom("webhooks")
        .selectAll()
        .where("id", "=", delivery.webhook_id)
        .executeTakeFirstOrThrow();
      const { secret, former_secret, former_until } = webhook;
      const isOldValid = former_secret !== null && (former_until ?? "") > inSeconds(0);
      return {
        delivery: toDelivery(delivery),
        body: delivery.body,
        webhook: toWebhook(webhook),
        secrets: isOldValid ? [secret, former_secret] : [secret],
      };
    },

    recordAttempt: (id, { attempts, state, status, error, retryInSeconds, webhook }) =>
      inTransaction(queries, `delivery ${id}`, async (transaction) => {
        const row = await transaction
          .updateTable("deliveries")
          .set({
            state,
            attempts,
            last_status: status,
            last_error: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
            updated_at: inSeconds(0),
            run_after: inSeconds(retryInSeconds ?? 0),
          })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst();
        if (row && webhook)
          await transaction.updateTable("webhooks").set({ state: webhook }).where("id", "=", row.webhook_id).execute();
        if (row && state === "delivered")
          await transaction
            .updateTable("webhooks")
            .set({ last_success_at: inSeconds(0) })
            .where("id", "=", row.webhook_id)
            .execute();
        return row && toDelivery(row);
      }),

    // An internal error, not a response of the endpoint: retried while attempts are left.
    async failed({ id, lease, attempts }, error, { waitSeconds }) {
      const state = attempts >= MAX_INTERNAL_FAILURES ? "failed" : "waiting";
      await queries
        .updateTable("deliveries")
        .set({
          state,
          last_error: error.slice(0, MAX_ERROR_LENGTH),
          run_after: inSeconds(waitSeconds),
          lease: null,
          leased_until: null,
        })
        .where("number", "=", id)
        .where("lease", "=", lease)
        .execute();
      return state === "failed" ? "dead" : "waiting";
    },

    async listDeliveries({ webhook, state }, page) {
      let matching = queries.selectFrom("deliveries");
      if (webhook !== undefined) matching = matching.where("webhook_id", "=", webhook);
      if (state !== undefined) matching = matching.where("state", "=", state);
      const { rows, next_cursor } = await readPage(matching.selectAll(), DELIVERIES_NEWEST_FIRST, page);
      return { deliveries: rows.map(toDelivery), total: await countRows(matching), next_cursor };
    },
  };
  return repository;
}

/** Without the secrets. */
const toWebhook = ({ id, url, state, created_at, last_success_at }: WebhookRow): Webhook => {
  return { id, url, state, created_at, last_success_at };
};

function toDelivery(row: Selectable<DeliveryRow>): Delivery {
  const { id, webhook_id, type, state, attempts, last_status, last_error, created_at, run_after } = row;
  const next_attempt_at = state === "waiting" ? run_after : null;
  return { id, webhook_id, type, state, attempts, last_status, last_error, next_attempt_at, created_at };
}
