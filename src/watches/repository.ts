import type { Kysely, Selectable, Transaction } from "kysely";
import { decodeCursor, encodeCursor } from "../db/cursor.ts";
import type { DeliveryRow, Tables, WatchRow, WebhookRow } from "../db/schema.ts";
import { createLeaseQueue, type LeaseQueue } from "../jobs/lease-queue.ts";
import type {
  DatedChange,
  Delivery,
  DeliveryState,
  ToolChange,
  Watch,
  WatchOutcome,
  Webhook,
  WebhookState,
} from "./types.ts";

export interface WatchPage {
  readonly watches: readonly Watch[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface ChangePage {
  readonly changes: readonly DatedChange[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** What a scan of a watched domain came to. */
export interface Look {
  readonly at: string;
  /** The look that it was compared with, null for none: when another came between, this one is not kept. */
  readonly follows?: string | null;
  readonly outcome: Exclude<WatchOutcome, "failed">;
  readonly toolsDetected: number;
  /** What later scans are compared with. */
  readonly known: unknown;
  readonly changes: readonly ToolChange[];
  /** The next one follows within the hour. */
  readonly unsure: boolean;
  /** Of the interval until the next one: 1, or a little more so that what began together does not stay together. */
  readonly stretch: number;
}

/** Domains that are scanned again and again; their scans fall due as work does. */
export interface Watches extends LeaseQueue {
  /**
   * Watches a domain, or changes how one is watched: what is not given stays, and a new one is due at once.
   * Undefined, and nothing is changed, when it would be one more than `most`.
   */
  put(domain: string, how: WatchChange, options: { everyHours: number; most: number }): Promise<Watch | undefined>;
  /** Answers what it was. The changes that it found stay listed. */
  remove(domain: string): Promise<Watch | undefined>;
  find(domain: string): Promise<{ readonly watch: Watch; readonly known: unknown } | undefined>;
  /** By domain. @throws Failure `cursor.invalid` */
  list(page: { limit: number; cursor?: string }): Promise<WatchPage>;
  /** Keeps a look and hands each change on, all or nothing: a crash neither loses a change nor tells it twice. */
  looked(domain: string, look: Look, tell: (transaction: Transaction<Tables>) => Promise<void>): Promise<void>;
  /** Newest first. @throws Failure `cursor.invalid` */
  changes(filter: { domain?: string; since?: string }, page: { limit: number; cursor?: string }): Promise<ChangePage>;
}

interface WatchChange {
  readonly everyHours?: number;
  readonly paused?: boolean;
}

/** Changes that are kept, of all domains together; about 15 MB. */
const MOST_CHANGES = 50_000;
const TRIES = 3;
/** An outage of an afternoon must not cost a watch its week. */
const TRIED_AGAIN_HOURS = 6;
const MAX_ERROR = 500;
const CRASH_PAUSE_SECONDS = 300;
const HOUR_MS = 3_600_000;
const LIST = "watches";
const CHANGES = "changes";

export function watchesIn(queries: Kysely<Tables>, clock: () => Date, most = MOST_CHANGES): Watches {
  const after = (milliseconds: number) => new Date(clock().getTime() + milliseconds).toISOString();
  const rowOf = (domain: string) =>
    queries.selectFrom("watches").selectAll().where("domain", "=", domain).executeTakeFirst();

  return {
    ...createLeaseQueue(queries, {
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
      clock,
    }),

    put: (domain, { everyHours, paused }, options) =>
      queries.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom("watches")
          .selectAll()
          .where("domain", "=", domain)
          .executeTakeFirst();
        if (!before) {
          const { count } = await transaction
            .selectFrom("watches")
            .select((eb) => eb.fn.countAll<number>().as("count"))
            .executeTakeFirstOrThrow();
          if (count >= options.most) return undefined;
          const row = await transaction
            .insertInto("watches")
            .values({
              ...{ domain, every_hours: everyHours ?? options.everyHours, paused: Number(paused ?? false) },
              ...{ created_at: after(0), run_after: after(0) },
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          return watchOf(row);
        }
        const hours = everyHours ?? before.every_hours;
        // A shorter interval holds from now on, not from the end of the longer one.
        const soonest = before.last_scan_at === null ? after(0) : later(before.last_scan_at, hours * HOUR_MS);
        const row = await transaction
          .updateTable("watches")
          .set({
            every_hours: hours,
            paused: Number(paused ?? before.paused === 1),
            ...(hours === before.every_hours ? {} : { run_after: soonest }),
          })
          .where("domain", "=", domain)
          .returningAll()
          .executeTakeFirstOrThrow();
        return watchOf(row);
      }),

    async remove(domain) {
      const row = await queries.deleteFrom("watches").where("domain", "=", domain).returningAll().executeTakeFirst();
      return row && watchOf(row);
    },

    async find(domain) {
      const row = await rowOf(domain);
      return row && { watch: watchOf(row), known: row.known === null ? null : JSON.parse(row.known) };
    },

    async list({ limit, cursor }) {
      let page = queries
        .selectFrom("watches")
        .selectAll()
        .orderBy("domain")
        .limit(limit + 1);
      if (cursor !== undefined) page = page.where("domain", ">", decodeCursor(LIST, ["string"], cursor)[0]);
      const rows = await page.execute();
      const { total } = await queries
        .selectFrom("watches")
        .select((eb) => eb.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      const watches = rows.slice(0, limit).map(watchOf);
      const last = watches.at(-1);
      return { watches, total, next_cursor: rows.length > limit && last ? encodeCursor(LIST, [last.domain]) : null };
    },

    looked: (domain, look, tell) =>
      queries.transaction().execute(async (transaction) => {
        const before = await transaction
          .selectFrom("watches")
          .select(["last_scan_at", "every_hours"])
          .where("domain", "=", domain)
          .executeTakeFirst();
        // It was removed while it was scanned; or a process that slept lost it to another, which told the changes.
        if (!before || (look.follows !== undefined && look.follows !== before.last_scan_at)) return;
        await transaction
          .updateTable("watches")
          .set({
            ...{ last_scan_at: look.at, last_outcome: look.outcome, last_error: null, attempts: 0 },
            ...{ tools_detected: look.toolsDetected, known: JSON.stringify(look.known) },
            run_after: after((look.unsure ? 1 : before.every_hours) * HOUR_MS * look.stretch),
          })
          .where("domain", "=", domain)
          .execute();
        if (look.changes.length === 0) return;
        const previous_at = before.last_scan_at ?? look.at;
        for (const change of look.changes)
          await transaction
            .insertInto("tool_changes")
            .values({ ...change, domain, at: look.at, previous_at })
            .execute();
        await forgetOldest(transaction, most);
        await tell(transaction);
      }),

    // Three attempts in a row, then again every six hours or at the scan interval, whichever is shorter.
    async failed({ id, lease, attempts }, error, { waitSeconds }) {
      const row = await queries.selectFrom("watches").selectAll().where("number", "=", id).executeTakeFirst();
      const tired = attempts >= TRIES;
      await queries
        .updateTable("watches")
        .set({
          ...{ last_outcome: "failed", last_error: error.slice(0, MAX_ERROR), lease: null, leased_until: null },
          ...(tired ? { attempts: 0 } : {}),
          run_after: after(tired ? Math.min(row?.every_hours ?? 1, TRIED_AGAIN_HOURS) * HOUR_MS : waitSeconds * 1_000),
        })
        .where("number", "=", id)
        .where("lease", "=", lease)
        .execute();
      return tired ? "dead" : "waiting";
    },

    async changes({ domain, since }, { limit, cursor }) {
      let matching = queries.selectFrom("tool_changes");
      if (domain !== undefined) matching = matching.where("tool_changes.domain", "=", domain);
      if (since !== undefined) matching = matching.where("tool_changes.at", ">=", since);
      const [at, number] = cursor === undefined ? ["", 0] : decodeCursor(CHANGES, ["string", "number"], cursor);
      const rows = await matching
        .leftJoin("sightings", (join) =>
          join
            .onRef("sightings.domain", "=", "tool_changes.domain")
            .onRef("sightings.tool_id", "=", "tool_changes.tool_id"),
        )
        .selectAll("tool_changes")
        .select(["sightings.first_seen", "sightings.last_seen"])
        .$if(cursor !== undefined, (query) =>
          query.where((eb) =>
            eb.or([
              eb("tool_changes.at", "<", at),
              eb.and([eb("tool_changes.at", "=", at), eb("tool_changes.number", "<", number)]),
            ]),
          ),
        )
        .orderBy("tool_changes.at", "desc")
        .orderBy("tool_changes.number", "desc")
        .limit(limit + 1)
        .execute();
      const { total } = await matching.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        changes: shown.map(({ number: _, first_seen, last_seen, ...row }) => ({
          ...row,
          first_seen: first_seen ?? row.at,
          last_seen: last_seen ?? row.at,
        })),
        total,
        next_cursor: rows.length > limit && last ? encodeCursor(CHANGES, [last.at, last.number]) : null,
      };
    },
  };
}

async function forgetOldest(transaction: Transaction<Tables>, most: number): Promise<void> {
  await transaction
    .deleteFrom("tool_changes")
    .where("number", "<=", (eb) =>
      eb.selectFrom("tool_changes").select("number").orderBy("number", "desc").offset(most).limit(1),
    )
    .execute();
}

const later = (instant: string, milliseconds: number) => new Date(Date.parse(instant) + milliseconds).toISOString();

function watchOf(row: Selectable<WatchRow>): Watch {
  const { domain, every_hours, paused, tools_detected, last_scan_at, last_outcome, last_error, run_after } = row;
  return {
    ...{ domain, every_hours, paused: paused === 1, tools_detected },
    ...{ last_scan_at, last_outcome, last_error, next_scan_at: run_after, created_at: row.created_at },
  };
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly total: number;
  readonly next_cursor: string | null;
}

/** What is to be sent, and the secrets to sign it with, the current one first. */
export interface Outgoing {
  readonly delivery: Delivery;
  readonly body: string;
  readonly webhook: Webhook;
  readonly secrets: readonly string[];
}

/** What came of one attempt. `againInSeconds` is null when there is no further one. */
export interface Attempt {
  /** So far, with this one. */
  readonly attempts: number;
  readonly state: DeliveryState;
  readonly status: number | null;
  readonly error: string | null;
  readonly againInSeconds: number | null;
  /** What the endpoint is from now on. */
  readonly webhook?: WebhookState;
}

/** A message as it goes to one endpoint, whose id the endpoint knows it by. */
interface NewDelivery {
  readonly id: string;
  readonly webhook: string;
  readonly type: string;
  readonly body: string;
  /** Seconds until the first attempt; by default it is due at once. */
  readonly waitSeconds?: number;
}

/** Endpoints that are told of changes, and what is on its way to them. */
export interface Webhooks extends LeaseQueue {
  /** Undefined, and nothing is added, when it would be one more than `most`. */
  add(webhook: { id: string; url: string; secret: string }, most: number): Promise<Webhook | undefined>;
  /** Oldest first. */
  list(): Promise<readonly Webhook[]>;
  /** Answers what it was; its deliveries go with it. */
  remove(id: string): Promise<Webhook | undefined>;
  /** Another secret; the one before signs beside it for `graceSeconds`. */
  rotate(id: string, secret: string, graceSeconds: number): Promise<Webhook | undefined>;
  /** Adds messages, as part of what made them. */
  deliver(deliveries: readonly NewDelivery[], transaction?: Transaction<Tables>): Promise<void>;
  outgoing(id: string): Promise<Outgoing | undefined>;
  attempted(id: string, attempt: Attempt): Promise<Delivery | undefined>;
  /** Newest first. @throws Failure `cursor.invalid` */
  deliveries(
    filter: { webhook?: string; state?: DeliveryState },
    page: { limit: number; cursor?: string },
  ): Promise<DeliveryPage>;
}

/** Deliveries that are kept, whatever became of them. */
const MOST_DELIVERIES = 10_000;
const TRIES_OF_OURS = 10;
const MAX_WEBHOOK_ERROR = 500;
const WEBHOOK_LIST = "deliveries";

export function webhooksIn(queries: Kysely<Tables>, clock: () => Date, most = MOST_DELIVERIES): Webhooks {
  const inSeconds = (seconds: number) => new Date(clock().getTime() + seconds * 1_000).toISOString();
  const free = { lease: null, leased_until: null };

  const deliver = async (database: Kysely<Tables>, deliveries: readonly NewDelivery[]): Promise<void> => {
    const at = inSeconds(0);
    for (const { id, webhook, type, body, waitSeconds = 0 } of deliveries)
      await database
        .insertInto("deliveries")
        .values({
          ...{ id, webhook_id: webhook, type, body, state: "waiting" },
          ...{ created_at: at, updated_at: at, run_after: inSeconds(waitSeconds) },
        })
        .execute();
    await database
      .deleteFrom("deliveries")
      .where("number", "<=", (eb) =>
        eb.selectFrom("deliveries").select("number").orderBy("number", "desc").offset(most).limit(1),
      )
      .execute();
  };

  return {
    ...createLeaseQueue(queries, {
      table: "deliveries",
      key: "number",
      kind: "webhook",
      open: "state = 'waiting'",
      // An endpoint receives one message at a time, so a slow endpoint delays no other.
      serializeBy: "webhook_id",
      crashPauseSeconds: CRASH_PAUSE_SECONDS,
      toJob: ({ number, id, attempts }) => ({
        id: number,
        kind: "webhook",
        payload: { id },
        attempts,
        max_attempts: Number.POSITIVE_INFINITY,
      }),
      clock,
    }),

    add: (webhook, limit) =>
      queries.transaction().execute(async (transaction) => {
        const { count } = await transaction
          .selectFrom("webhooks")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        if (count >= limit) return undefined;
        const row = await transaction
          .insertInto("webhooks")
          .values({ ...webhook, state: "active", created_at: inSeconds(0) })
          .returningAll()
          .executeTakeFirstOrThrow();
        return webhookOf(row);
      }),

    async list() {
      const rows = await queries.selectFrom("webhooks").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(webhookOf);
    },

    async remove(id) {
      const row = await queries.deleteFrom("webhooks").where("id", "=", id).returningAll().executeTakeFirst();
      return row && webhookOf(row);
    },

    async rotate(id, secret, graceSeconds) {
      const row = await queries
        .updateTable("webhooks")
        .set((eb) => ({ former_secret: eb.ref("secret"), former_until: inSeconds(graceSeconds), secret }))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && webhookOf(row);
    },

    deliver: (deliveries, transaction) => deliver(transaction ?? queries, deliveries),

    async outgoing(id) {
      const delivery = await queries.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirst();
      if (!delivery) return undefined;
      const webhook = await queries
        .selectFrom("webhooks")
        .selectAll()
        .where("id", "=", delivery.webhook_id)
        .executeTakeFirstOrThrow();
      const { secret, former_secret, former_until } = webhook;
      const former = former_secret !== null && (former_until ?? "") > inSeconds(0) ? [former_secret] : [];
      return {
        delivery: deliveryOf(delivery),
        body: delivery.body,
        webhook: webhookOf(webhook),
        secrets: [secret, ...former],
      };
    },

    attempted: (id, { attempts, state, status, error, againInSeconds, webhook }) =>
      queries.transaction().execute(async (transaction) => {
        const row = await transaction
          .updateTable("deliveries")
          .set({
            ...{ state, attempts, last_status: status, last_error: error?.slice(0, MAX_WEBHOOK_ERROR) ?? null },
            ...{ updated_at: inSeconds(0), run_after: inSeconds(againInSeconds ?? 0) },
          })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst();
        if (row && (webhook || state === "delivered"))
          await transaction
            .updateTable("webhooks")
            .set({
              ...(webhook ? { state: webhook } : {}),
              ...(state === "delivered" ? { last_success_at: inSeconds(0) } : {}),
            })
            .where("id", "=", row.webhook_id)
            .execute();
        return row && deliveryOf(row);
      }),

    // An error of ours, not an answer of the endpoint: retried while attempts are left.
    async failed({ id, lease, attempts }, error, { waitSeconds }) {
      const state = attempts >= TRIES_OF_OURS ? "failed" : "waiting";
      await queries
        .updateTable("deliveries")
        .set({ state, last_error: error.slice(0, MAX_WEBHOOK_ERROR), run_after: inSeconds(waitSeconds), ...free })
        .where("number", "=", id)
        .where("lease", "=", lease)
        .execute();
      return state === "failed" ? "dead" : "waiting";
    },

    async deliveries({ webhook, state }, { limit, cursor }) {
      let matching = queries.selectFrom("deliveries");
      if (webhook !== undefined) matching = matching.where("webhook_id", "=", webhook);
      if (state !== undefined) matching = matching.where("state", "=", state);
      let page = matching
        .selectAll()
        .orderBy("number", "desc")
        .limit(limit + 1);
      if (cursor !== undefined) page = page.where("number", "<", decodeCursor(WEBHOOK_LIST, ["number"], cursor)[0]);
      const rows = await page.execute();
      const { total } = await matching.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        deliveries: shown.map(deliveryOf),
        total,
        next_cursor: rows.length > limit && last ? encodeCursor(WEBHOOK_LIST, [last.number]) : null,
      };
    },
  };
}

/** Everything but the secrets. */
const webhookOf = ({ id, url, state, created_at, last_success_at }: WebhookRow): Webhook => ({
  ...{ id, url, state, created_at, last_success_at },
});

function deliveryOf(row: Selectable<DeliveryRow>): Delivery {
  const { id, webhook_id, type, state, attempts, last_status, last_error, created_at, run_after } = row;
  const next_attempt_at = state === "waiting" ? run_after : null;
  return { id, webhook_id, type, state, attempts, last_status, last_error, next_attempt_at, created_at };
}
