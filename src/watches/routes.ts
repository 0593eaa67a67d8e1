import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import { CHANGE_KINDS } from "../detection/compare.ts";
import { openApiDetail } from "../http/openapi.ts";
import { jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { closed, instant, maybeInstant, noQuery, oneOf, pageOf, pageQuery, text, total } from "../http/schemas.ts";
import type { WatchService } from "./service.ts";
import { DELIVERY_STATES, WATCH_OUTCOMES, WEBHOOK_STATES } from "./types.ts";

const domain = t.String({ minLength: 1, maxLength: 253, description: "A domain or a URL." });
const everyHours = Type.Integer({ minimum: 1, maximum: 8_760 });

const watchBody = t.Object(
  {
    every_hours: t.Optional(everyHours),
    paused: t.Optional(t.Boolean({ description: "A paused watch is not scanned." })),
  },
  {
    ...closed,
    title: "WatchChange",
    description: "Fields that are omitted keep their values. A new watch is scanned at once.",
  },
);
const watchSchema = t.Object(
  {
    domain: t.String(),
    every_hours: everyHours,
    paused: t.Boolean(),
    tools_detected: Type.Integer({ description: "Detected by the last scan; 0 before the first." }),
    last_scan_at: maybeInstant,
    last_outcome: t.Union([...WATCH_OUTCOMES.map((outcome) => t.Literal(outcome)), t.Null()], {
      description: "Later scans are compared with a `baseline`. Null before the first scan.",
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
    confidence: t.Number({ minimum: 0, maximum: 1, description: "When the tool was last detected." }),
    evidence: t.String({ description: "The best evidence in one line." }),
    at: t.String({ format: "date-time", description: "When the scan that found the change ran." }),
    previous_at: t.String({ format: "date-time", description: "When the previous scan ran." }),
    first_seen: instant,
    last_seen: instant,
  },
  { title: "ToolChange" },
);

interface WatchServices {
  readonly watches: WatchService;
  readonly operator: Operator;
}

export const watchRoutes = ({ watches, operator }: WatchServices) =>
  withOperatorAuth({ operator }, "watches")
    .get("", async ({ request, query }) => jsonAnswer(request, await watches.listWatches(pageOf(query))), {
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
        jsonAnswer(request, await watches.watch(params.domain, { everyHours: every_hours, paused })),
      {
        params: t.Object({ domain }),
        query: noQuery,
        parse: jsonBody,
        body: watchBody,
        detail: forOperator("watchDomain", "Watch a domain, or change its watch", watchSchema, [409, ...BODY_PROBLEMS]),
      },
    )
    .delete("/:domain", async ({ request, params }) => jsonAnswer(request, await watches.unwatch(params.domain)), {
      params: t.Object({ domain }),
      query: noQuery,
      detail: forOperator("unwatchDomain", "Stop watching a domain; its changes stay listed", watchSchema, [404]),
    });

export const changeRoutes = ({ watches, operator }: WatchServices) =>
  withOperatorAuth({ operator }, "changes").get(
    "",
    async ({ request, query: { domain, since, ...page } }) =>
      jsonAnswer(request, await watches.listChanges({ domain, since }, pageOf(page))),
    {
      query: t.Object(
        {
          domain: t.Optional(domain),
          since: t.Optional(
            t.String({ minLength: 1, maxLength: 40, description: "Date or timestamp, ISO 8601, inclusive." }),
          ),
          ...pageQuery,
        },
        closed,
      ),
      detail: forOperator(
        "listChanges",
        "List tools that appeared or disappeared at watched domains, newest first",
        t.Object({ changes: t.Array(changeSchema), total, next_cursor: text }, { title: "ToolChangeList" }),
        [],
      ),
    },
  );

const webhook = t.String({ minLength: 1, maxLength: 100, description: "Id of a webhook." });
const webhookParams = t.Object({ webhook });
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
    {
      description:
        "`failing`: all attempts of a delivery failed. `disabled`: the endpoint answered 410, and nothing is sent.",
    },
  ),
  created_at: instant,
  last_success_at: maybeInstant,
};
const webhookSchema = t.Object(webhookFields, { title: "Webhook" });
const issuedSchema = t.Object(
  {
    ...webhookFields,
    secret: t.String({ description: "Shown only once. Signs every message, as Standard Webhooks specifies." }),
  },
  { title: "IssuedWebhook" },
);
const deliverySchema = t.Object(
  {
    id: t.String({ description: "The header `webhook-id`, the same in every attempt." }),
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

export const webhookRoutes = ({ watches, operator }: WatchServices) =>
  withOperatorAuth({ operator }, "webhooks")
    .get(
      "",
      async ({ request }) => {
        const webhooks = await watches.listWebhooks();
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
    .post("", async ({ request, body }) => jsonAnswer(request, await watches.addWebhook(body.url), 201), {
      query: noQuery,
      parse: jsonBody,
      body: webhookBody,
      detail: openApiDetail(
        "addWebhook",
        "Add a webhook that is notified of every change; its secret is shown only once",
        "Operator",
        { status: 201, text: "Added.", schema: issuedSchema },
        [401, 409, 422, 503, ...BODY_PROBLEMS],
        { scheme: "operator" },
      ),
    })
    .get(
      "/deliveries",
      async ({ request, query: { webhook, state, ...page } }) =>
        jsonAnswer(request, await watches.listDeliveries({ webhook, state }, pageOf(page))),
      {
        query: t.Object({ webhook: t.Optional(webhook), state: t.Optional(deliveryState), ...pageQuery }, closed),
        detail: forOperator(
          "listDeliveries",
          "List the deliveries to webhooks, newest first",
          t.Object({ deliveries: t.Array(deliverySchema), total, next_cursor: text }, { title: "DeliveryList" }),
          [],
        ),
      },
    )
    .delete(
      "/:webhook",
      async ({ request, params }) => jsonAnswer(request, await watches.removeWebhook(params.webhook)),
      {
        params: webhookParams,
        query: noQuery,
        detail: forOperator("removeWebhook", "Remove a webhook and its waiting deliveries", webhookSchema, [404]),
      },
    )
    .post(
      "/:webhook/rotate",
      async ({ request, params }) => jsonAnswer(request, await watches.rotateWebhook(params.webhook)),
      {
        params: webhookParams,
        query: noQuery,
        detail: forOperator(
          "rotateWebhook",
          "Issue a new secret; the old one also signs for a day",
          issuedSchema,
          [404],
        ),
      },
    )
    .post(
      "/:webhook/test",
      async ({ request, params }) => jsonAnswer(request, await watches.testWebhook(params.webhook, request.signal)),
      {
        params: webhookParams,
        query: noQuery,
        detail: forOperator(
          "testWebhook",
          "Send a test message once; success activates the webhook",
          deliverySchema,
          [404],
        ),
      },
    );
