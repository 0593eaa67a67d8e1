import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import type { App } from "../../../app/app.ts";
import { DELIVERY_STATES, WEBHOOK_STATES } from "../../../vocabulary/watch.ts";
import { jsonAnswer } from "../answers.ts";
import { described } from "../described.ts";
import { jsonBody } from "../request-guards.ts";
import { noQuery } from "../schemas.ts";
import { BODY_PROBLEMS, forOperator, operated } from "./operated.ts";
import { closed, instant, maybeInstant, oneOf, pageOf, pageQuery, text, total } from "./shapes.ts";

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
export const webhookRoutes = (app: App) =>
  operated(app, "webhooks")
    .get(
      "",
      async ({ request }) => {
        const webhooks = await app.listWebhooks();
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
    .post("", async ({ request, body }) => jsonAnswer(request, await app.addWebhook(body.url), 201), {
      query: noQuery,
      parse: jsonBody,
      body: webhookBody,
      detail: described(
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
          await app.listDeliveries({ ...(of ? { webhook: of } : {}), ...(state ? { state } : {}) }, pageOf(page)),
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
    .delete("/:webhook", async ({ request, params }) => jsonAnswer(request, await app.removeWebhook(params.webhook)), {
      params: which,
      query: noQuery,
      detail: forOperator(
        "removeWebhook",
        "Tell an endpoint no more; what waits for it is dropped",
        webhookSchema,
        [404],
      ),
    })
    .post(
      "/:webhook/rotate",
      async ({ request, params }) => jsonAnswer(request, await app.rotateWebhook(params.webhook)),
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
      async ({ request, params }) => jsonAnswer(request, await app.testWebhook(params.webhook, request.signal)),
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
