import { Elysia, t } from "elysia";
import type { Services } from "../compose.ts";
import { openApiDetail } from "../http/openapi.ts";
import { HttpRefusal } from "../http/problems.ts";
import { contextOf } from "../http/requests.ts";
import type { Lifecycle } from "../http/server.ts";
import type { ServiceMetrics } from "./metrics.ts";

const healthSchema = t.Object({ status: t.Literal("ok"), version: t.String() }, { title: "Health" });
const readinessSchema = t.Object(
  {
    status: t.Union([t.Literal("ready"), t.Literal("not ready")]),
    reason: t.Union([t.String({ description: "Why it is not." }), t.Null()]),
    alarms: t.Array(t.String({ description: "What works and should be looked after." })),
  },
  { title: "Readiness" },
);
const text = t.String({ description: "The text format of Prometheus." });

const lives = openApiDetail("getHealth", "Whether the service lives", "Service", {
  status: 200,
  text: "It does.",
  schema: healthSchema,
  tagged: false,
});
const works = openApiDetail("getReadiness", "Whether the service can work", "Service", {
  status: 200,
  text: "It can.",
  schema: readinessSchema,
  tagged: false,
});
const notReady = {
  description: "It cannot, for this reason.",
  content: { "application/json": { schema: readinessSchema as object } },
};
const measures = openApiDetail(
  "getMetrics",
  "What the service did, for Prometheus",
  "Service",
  { status: 200, text: "Counters.", schema: text, type: "text/plain" },
  [403],
);

/** Whether the service lives, whether it can work, and what it did. */
export const serviceRoutes = (app: Services, lifecycle: Lifecycle, metrics: ServiceMetrics, metricsPublic: boolean) =>
  new Elysia({ name: "service" })
    .get("/healthz", () => Response.json({ status: "ok", version: app.version }), { detail: lives })
    .get(
      "/readyz",
      async () => {
        const state = lifecycle.state;
        const { ready, reason, alarms } =
          state === "ready"
            ? await app.health.ready()
            : { ready: false, reason: `The service is ${state}.`, alarms: [] };
        return Response.json(
          { status: ready ? "ready" : "not ready", reason, alarms },
          { status: ready ? 200 : 503, headers: ready ? {} : { "retry-after": "5" } },
        );
      },
      { detail: { ...works, responses: { ...works.responses, 503: notReady } } },
    )
    .get(
      "/metrics",
      async ({ request }) => {
        if (!metricsPublic && !contextOf(request).local) {
          throw new HttpRefusal(
            "operator.only",
            "Metrics are told on this machine only, unless server.metrics_public is set.",
          );
        }
        return new Response(await metrics.text(), { headers: { "content-type": metrics.contentType } });
      },
      { detail: measures },
    );
