import type { Example } from "./examples.ts";

const AT = "2026-05-04T12:00:00.000Z";
const BEFORE = "2026-04-27T11:40:00.000Z";
const PAGE = { limit: 20 };

const WATCH = {
  domain: "brightpine.example",
  every_hours: 168,
  paused: false,
  tools_detected: 12,
  last_scan_at: AT,
  last_outcome: "changed",
  last_error: null,
  next_scan_at: "2026-05-11T14:10:00.000Z",
  created_at: "2026-04-20T09:00:00.000Z",
};
const CHANGE = {
  change: "appeared",
  domain: WATCH.domain,
  tool_id: "postbox",
  tool: "Postbox",
  category: "Email",
  confidence: 0.95,
  evidence: "dns.mx mx1.postbox.example",
  at: AT,
  previous_at: BEFORE,
  first_seen: AT,
  last_seen: AT,
};
const WEBHOOK = {
  id: "wh_7w2m9x4tq0c1k5r8z3vb",
  url: "https://hooks.brightpine.example/casefile",
  state: "active",
  created_at: BEFORE,
  last_success_at: AT,
};
/** Of no installation. */
const SECRET = `whsec_${Buffer.from("an example, and no secret at all").toString("base64")}`;
const DELIVERY = {
  id: "msg_2KWPBgLlAfxdpx2AI54pPJ85",
  webhook_id: WEBHOOK.id,
  type: "domain.tools_changed",
  state: "waiting",
  attempts: 2,
  last_status: 503,
  last_error: "It answered 503.",
  next_attempt_at: "2026-05-04T12:35:00.000Z",
  created_at: AT,
};
const ofWatch = { parameters: { domain: WATCH.domain } };
const ofWebhook = { parameters: { webhook: WEBHOOK.id } };

/** What the operator asks of watched domains, and is answered. */
export const WATCH_EXAMPLES: Readonly<Record<string, Example>> = {
  listWatches: { parameters: PAGE, answer: { watches: [WATCH], total: 1, next_cursor: null } },
  watchDomain: { ...ofWatch, body: { every_hours: 24 }, answer: { ...WATCH, every_hours: 24 } },
  unwatchDomain: { ...ofWatch, answer: WATCH },
  listChanges: {
    parameters: { domain: WATCH.domain, since: "2026-05-01", ...PAGE },
    answer: { changes: [CHANGE], total: 1, next_cursor: null },
  },
  listWebhooks: { answer: { webhooks: [WEBHOOK], total: 1, next_cursor: null } },
  addWebhook: { body: { url: WEBHOOK.url }, answer: { ...WEBHOOK, last_success_at: null, secret: SECRET } },
  removeWebhook: { ...ofWebhook, answer: WEBHOOK },
  rotateWebhook: { ...ofWebhook, answer: { ...WEBHOOK, secret: SECRET } },
  testWebhook: {
    ...ofWebhook,
    answer: {
      ...DELIVERY,
      ...{ type: "webhook.test", state: "delivered", attempts: 1, last_status: 204 },
      ...{ last_error: null, next_attempt_at: null },
    },
  },
  listDeliveries: {
    parameters: { webhook: WEBHOOK.id, state: "waiting", ...PAGE },
    answer: { deliveries: [DELIVERY], total: 1, next_cursor: null },
  },
};
