import { Elysia, t } from "elysia";
import { forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import type { NodeRepository } from "../db/nodes.ts";
import { openApiDetail } from "../http/openapi.ts";
import { HttpRefusal } from "../http/problems.ts";
import { contextOf } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { closed, noQuery, oneOf } from "../http/schemas.ts";
import type { Lifecycle } from "../http/server.ts";
import { DIRECTORY_PATH, type RequestSigner } from "../net/request-signer.ts";
import type { ActivityService } from "./activity.ts";
import type { ServiceMetrics } from "./metrics.ts";
import type { Readiness, ReadinessService } from "./readiness.ts";
import {
  activitySchema,
  healthSchema,
  metricsSchema,
  nodeListSchema,
  RANGE_NAMES,
  readinessSchema,
  statsSchema,
} from "./schemas.ts";
import type { StatsService } from "./stats.ts";

/** Of what this release stores: an older release refuses a newer database. */
export interface SchemaVersions {
  readonly database: number;
  readonly stack_index: number;
}

interface HealthServices {
  readonly version: string;
  readonly signer?: Pick<RequestSigner, "directory"> | undefined;
  readonly health: ReadinessService & StatsService & { readonly schema: SchemaVersions };
}

const alive = openApiDetail("getHealth", "Liveness: the process responds", "Service", {
  status: 200,
  text: "The process is alive.",
  schema: healthSchema,
  tagged: false,
});
const readyDetail = openApiDetail("getReadiness", "Readiness: the service can handle requests", "Service", {
  status: 200,
  text: "The service is ready.",
  schema: readinessSchema,
  tagged: false,
});
const notReady = {
  description: "The service is not ready; `reason` says why.",
  content: { "application/json": { schema: readinessSchema as object } },
};

/** Liveness, readiness, metrics and counts. */
export const serviceRoutes = (
  { version, signer, health }: HealthServices,
  lifecycle: Lifecycle,
  metrics: ServiceMetrics,
  metricsPublic: boolean,
) =>
  new Elysia({ name: "service" })
    .get("/healthz", () => Response.json({ status: "ok", version, schema: health.schema }), { detail: alive })
    .get(
      "/readyz",
      async () => {
        const { state, waitsFor } = lifecycle;
        const { ready, reason, index, alarms }: Readiness =
          state === "ready"
            ? await health.ready()
            : {
                ready: false,
                reason: `The service is ${state}.${state === "starting" && waitsFor ? ` ${waitsFor}` : ""}`,
                index: null,
                alarms: [],
              };
        return Response.json(
          { status: ready ? "ready" : "not ready", reason, ...(index === null ? {} : { index }), alarms },
          ready ? { status: 200 } : { status: 503, headers: { "retry-after": "5" } },
        );
      },
      { detail: { ...readyDetail, responses: { ...readyDetail.responses, 503: notReady } } },
    )
    .get(
      "/metrics",
      async ({ request }) => {
        if (!metricsPublic && !contextOf(request).local) {
          throw new HttpRefusal(
            "operator.only",
            "Metrics are available on this machine only, unless server.metrics_public is set.",
          );
        }
        return new Response(await metrics.text(), { headers: { "content-type": metrics.contentType } });
      },
      {
        detail: openApiDetail(
          "getMetrics",
          "Metrics for Prometheus",
          "Service",
          { status: 200, text: "Metrics.", schema: metricsSchema, type: "text/plain" },
          [403],
        ),
      },
    )
    // For the sites that are scanned, not for clients of the API.
    .get(DIRECTORY_PATH, () => {
      if (!signer) throw new HttpRefusal("route.not_found", "Requests are not signed here (scan.signing_key_file).");
      const { body, headers } = signer.directory();
      return new Response(body, { headers });
    })
    .get("/v1/stats", async ({ request }) => jsonAnswer(request, await health.stats()), {
      query: noQuery,
      detail: openApiDetail(
        "getStats",
        "Count companies, case studies and tools",
        "Service",
        { status: 200, text: "Counts.", schema: statsSchema },
        [406, 422, 503],
      ),
    });

/** What the service did over time, for the operator. */
export const activityRoutes = (services: { readonly operator: Operator; readonly activity: ActivityService }) =>
  withOperatorAuth(services, "activity").get(
    "",
    async ({ request, query }) => jsonAnswer(request, await services.activity.read(query.range ?? "24h")),
    {
      query: t.Object({ range: t.Optional(oneOf(RANGE_NAMES)) }, closed),
      detail: forOperator("getActivity", "Requests, errors, latency, scans and queue over time", activitySchema, []),
    },
  );

/** The processes that serve this installation. */
export const nodeRoutes = (services: { readonly operator: Operator; readonly nodes: Pick<NodeRepository, "list"> }) =>
  withOperatorAuth(services, "nodes").get(
    "",
    async ({ request }) => {
      const nodes = await services.nodes.list();
      return jsonAnswer(request, { nodes, total: nodes.length, next_cursor: null });
    },
    {
      query: noQuery,
      detail: forOperator("listNodes", "List the nodes of this installation, oldest first", nodeListSchema, []),
    },
  );
