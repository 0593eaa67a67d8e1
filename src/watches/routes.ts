import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Services } from "../compose.ts";
import { openApiDetail } from "../http/openapi.ts";
import { jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { closed, instant, maybeInstant, noQuery, oneOf, pageOf, pageQuery, text, total } from "../http/schemas.ts";
import { CHANGE_KINDS, DELIVERY_STATES, WATCH_OUTCOMES, WEBHOOK_STATES } from "./types.ts";

const domain = t.String({ minLength: 1, maxLength: 253, description: "As people paste it." });
const everyHours = Type.Integer({ minimum: 1, maximum: 8_760 });

const watchBody = t.Object(
  {
    every_hours: t.Optional(everyHours),
    paused: t.Optional(t.Boolean({ description: "Keep the watch, and do not scan." })),
  },
  { ...closed, title: "WatchChange", description: "What is not given stays as it is; a new watch is scanned at once." },
);
const watchSchema = t.Object(
  {
    domain: t.String(),
    every_hours: everyHours,
    paused: t.Boolean(),
    tools_detected: Type.Integer({ description: "By the last scan; 0 before the first." }),
    last_scan_at: maybeInstant,
    last_outcome: t.Union([...WATCH_OUTCOMES.map((outcome) => t.Literal(outcome)), t.Null()], {
      description: "`baseline`: later scans are compared with it. Null before the first scan.",
    }),
    last_error: text,
    next_scan_at: instant,
    created_at: instant,
  },
  { title: "Watch" },
);
const changeSchema = t.Object(
  {
    change: t.Union(CHANGE_KINDS.map((kind) => t.Literal(kind))),
    domain: t.String(),
    tool_id: t.String(),
    tool: t.String(),
    category: t.String(),
    confidence: t.Number({ minimum: 0, maximum: 1, description: "When it was told last." }),
    evidence: t.String({ description: "The best proof in one line." }),
    at: t.String({ format: "date-time", description: "Of the scan that showed it." }),
    previous_at: t.String({ format: "date-time", description: "Of the scan before." }),
    first_seen: instant,
    last_seen: instant,
  },
  { title: "ToolChange" },
);

/** Domains that are scanned again and again. */
export const watchRoutes = (app: Services) =>
  withOperatorAuth(app, "watches")
    .get("", async ({ request, query }) => jsonAnswer(request, await app.watches.listWatches(pageOf(query))), {
      query: t.Object(pageQuery, closed),
      detail: forOperator(
        "listWatches",
        "List the watched domains, by name",
        t.Object({ watches: t.Array(watchSchema), total, next_cursor: text }, { title: "WatchList" }),
        [],
      ),
    })
    .put(
      "/:domain",
      async ({ request, params, body: { every_hours, paused } }) =>
        jsonAnswer(
          request,
          await app.watches.watch(params.domain, {
            ...(every_hours === undefined ? {} : { everyHours: every_hours }),
            ...(paused === undefined ? {} : { paused }),
          }),
        ),
      {
        params: t.Object({ domain }),
        query: noQuery,
        parse: jsonBody,
        body: watchBody,
        detail: forOperator("watchDomain", "Watch a domain, or change how it is watched", watchSchema, [
          409,
          ...BODY_PROBLEMS,
        ]),
      },
    )
    .delete("/:domain", async ({ request, params }) => jsonAnswer(request, await app.watches.unwatch(params.domain)), {
      params: t.Object({ domain }),
      query: noQuery,
      detail: forOperator("unwatchDomain", "Watch a domain no more; its changes stay listed", watchSchema, [404]),
    });

/** What changed at them. */
export const changeRoutes = (app: Services) =>
  withOperatorAuth(app, "changes").get(
    "",
    async ({ request, query: { domain: of, since, ...page } }) =>
      jsonAnswer(
        request,
        await app.watches.listChanges({ ...(of ? { domain: of } : {}), ...(since ? { since } : {}) }, pageOf(page)),
      ),
    {
      query: t.Object(
        {
          domain: t.Optional(domain),
          since: t.Optional(
            t.String({ minLength: 1, maxLength: 40, description: "ISO 8601 day or instant, inclusive." }),
          ),
          ...pageQuery,
        },
        closed,
      ),
      detail: forOperator(
        "listChanges",
        "List tools that appeared at watched domains or disappeared, newest first",
        t.Object({ changes: t.Array(changeSchema), total, next_cursor: text }, { title: "ToolChangeList" }),
        [],
      ),
    },
  );

const webhook = t.String({ minLength: 1, maxLength: 100, description: "Id of a webhook." });
const which = t.Object({ webhook });
const deliveryState = oneOf(DELIVERY_STATES);

const webhookBody = t.Object(
  { url: t.String({ minLength: 1, maxLength: 2_048, examples: ["https://hooks.brightpine.example/casefile"] }) },
  { ...closed, title: "WebhookRequest" },
);
const webhookFields = {
  id: t.String(),
  url: t.String(),
  state: t.Union(
    WEBHOOK_STATES.map((state) => t.Literal(state)),
    { description: "`failing`: a delivery was given up. `disabled`: it answered 410, and nothing is sent." },
  ),
  created_at: instant,
  last_success_at: maybeInstant,
};
const webhookSchema = t.Object(webhookFields, { title: "Webhook" });
const issuedSchema = t.Object(
  {
    ...webhookFields,
    secret: t.String({ description: "Shown this once. Signs every message, as Standard Webhooks says." }),
  },
  { title: "IssuedWebhook" },
);
const deliverySchema = t.Object(
  {
    id: t.String({ description: "The `webhook-id`, the same at every attempt." }),
    webhook_id: t.String(),
    type: t.String(),
    state: deliveryState,
    attempts: Type.Integer(),
    last_status: t.Union([t.Number(), t.Null()]),
    last_error: text,
    next_attempt_at: maybeInstant,
    created_at: instant,
  },
  { title: "Delivery" },
);

/** Who is told what changed at watched domains. */
export const webhookRoutes = (app: Services) =>
  withOperatorAuth(app, "webhooks")
    .get(
      "",
      async ({ request }) => {
        const webhooks = await app.watches.listWebhooks();
        return jsonAnswer(request, { webhooks, total: webhooks.length, next_cursor: null });
      },
      {
        query: noQuery,
        detail: forOperator(
          "listWebhooks",
          "List the webhooks, oldest first",
          t.Object({ webhooks: t.Array(webhookSchema), total, next_cursor: t.Null() }, { title: "WebhookList" }),
          [],
        ),
      },
    )
    .post("", async ({ request, body }) => jsonAnswer(request, await app.watches.addWebhook(body.url), 201), {
      query: noQuery,
      parse: jsonBody,
      body: webhookBody,
      detail: openApiDetail(
        "addWebhook",
        "Tell an endpoint of every change; its secret is shown this once",
        "Operator",
        { status: 201, text: "Added.", schema: issuedSchema },
        [401, 409, 422, 503, ...BODY_PROBLEMS],
        { scheme: "operator" },
      ),
    })
    .get(
      "/deliveries",
      async ({ request, query: { webhook: of, state, ...page } }) =>
        jsonAnswer(
          request,
          await app.watches.listDeliveries(
            { ...(of ? { webhook: of } : {}), ...(state ? { state } : {}) },
            pageOf(page),
          ),
        ),
      {
        query: t.Object({ webhook: t.Optional(webhook), state: t.Optional(deliveryState), ...pageQuery }, closed),
        detail: forOperator(
          "listDeliveries",
          "List what was sent to webhooks, or waits to be, newest first",
          t.Object({ deliveries: t.Array(deliverySchema), total, next_cursor: text }, { title: "DeliveryList" }),
          [],
        ),
      },
    )
    .delete(
      "/:webhook",
      async ({ request, params }) => jsonAnswer(request, await app.watches.removeWebhook(params.webhook)),
      {
        params: which,
        query: noQuery,
        detail: forOperator(
          "removeWebhook",
          "Tell an endpoint no more; what waits for it is dropped",
          webhookSchema,
          [404],
        ),
      },
    )
    .post(
      "/:webhook/rotate",
      async ({ request, params }) => jsonAnswer(request, await app.watches.rotateWebhook(params.webhook)),
      {
        params: which,
        query: noQuery,
        detail: forOperator(
          "rotateWebhook",
          "Give a webhook another secret; the former one signs beside it for a day",
          issuedSchema,
          [404],
        ),
      },
    )
    .post(
      "/:webhook/test",
      async ({ request, params }) => jsonAnswer(request, await app.watches.testWebhook(params.webhook, request.signal)),
      {
        params: which,
        query: noQuery,
        detail: forOperator(
          "testWebhook",
          "Send a test now, once; an endpoint that takes it is active again",
          deliverySchema,
          [404],
        ),
      },
    );
