import type { Kysely, Selectable, Transaction } from "kysely";
import type { JobState } from "../../vocabulary/submission.ts";
import type { Delivery, DeliveryState, Webhook, WebhookState } from "../../vocabulary/watch.ts";
import type { LeasedJob } from "../intake/jobs.ts";
import { cursorOf, placeIn } from "../studies/cursor.ts";
import type { Tables } from "../tables.ts";
import { type DueRows, dueRows } from "./due-rows.ts";
import type { DeliveryRow, WebhookRow } from "./tables.ts";

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
export interface NewDelivery {
  readonly id: string;
  readonly webhook: string;
  readonly type: string;
  readonly body: string;
  /** Seconds until the first attempt; by default it is due at once. */
  readonly waitSeconds?: number;
}

/** Endpoints that are told of changes, and what is on its way to them. */
export interface Webhooks extends DueRows {
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
  /** What broke on our side: tried again while attempts are left. */
  failed(job: LeasedJob, error: string, options: { waitSeconds: number }): Promise<JobState>;
  /** Newest first. @throws Failure `cursor.invalid` */
  deliveries(
    filter: { webhook?: string; state?: DeliveryState },
    page: { limit: number; cursor?: string },
  ): Promise<DeliveryPage>;
}

/** Deliveries that are kept, whatever became of them. */
const MOST_DELIVERIES = 10_000;
const TRIES_OF_OURS = 10;
const MAX_ERROR = 500;
const LIST = "deliveries";

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
    ...dueRows(queries, {
      ...{ table: "deliveries", kind: "webhook", named: "id", clock },
      ...{ open: "state = 'waiting'", oneEach: "webhook_id" },
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
            ...{ state, attempts, last_status: status, last_error: error?.slice(0, MAX_ERROR) ?? null },
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

    async failed({ id, lease, attempts }, error, { waitSeconds }) {
      const state = attempts >= TRIES_OF_OURS ? "failed" : "waiting";
      await queries
        .updateTable("deliveries")
        .set({ state, last_error: error.slice(0, MAX_ERROR), run_after: inSeconds(waitSeconds), ...free })
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
      if (cursor !== undefined) page = page.where("number", "<", placeIn(LIST, ["number"], cursor)[0]);
      const rows = await page.execute();
      const { total } = await matching.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        deliveries: shown.map(deliveryOf),
        total,
        next_cursor: rows.length > limit && last ? cursorOf(LIST, [last.number]) : null,
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
