import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { indexBacklogSchema } from "../casestudies/schemas.ts";
import { instant, maybeInstant, oneOf } from "../http/schemas.ts";
import type { Range } from "./activity.ts";

export const statsSchema = t.Object(
  {
    companies: Type.Integer(),
    case_studies: Type.Integer(),
    by_origin: t.Object(
      { starter: Type.Integer(), submitted: Type.Integer(), imported: Type.Integer() },
      { description: "Case studies by origin: built in, submitted and crawled, or imported from files." },
    ),
    industries: Type.Integer(),
    tools: Type.Integer(),
    categories: Type.Integer(),
    domains_enriched: Type.Integer(),
    updated_at: maybeInstant,
    version: t.String(),
  },
  { title: "Stats" },
);
export const healthSchema = t.Object(
  {
    status: t.Literal("ok"),
    version: t.String(),
    schema: t.Object({
      database: Type.Integer({ description: "Number of the newest migration of the database." }),
      stack_index: Type.Integer({ description: "Format of the index of who uses what." }),
    }),
  },
  { title: "Health" },
);
export const readinessSchema = t.Object(
  {
    status: t.Union([t.Literal("ready"), t.Literal("not ready")]),
    reason: t.Union([t.String({ description: "Why the service is not ready." }), t.Null()]),
    index: t.Optional(indexBacklogSchema),
    alarms: t.Array(t.String({ description: "A problem that needs attention; the service works nevertheless." })),
  },
  { title: "Readiness" },
);
export const metricsSchema = t.String({ description: "Metrics in the text format of Prometheus." });

export const RANGE_NAMES = ["24h", "7d", "30d"] as const satisfies readonly Range[];
const latency = t.Union([Type.Number(), t.Null()], { description: "Null without requests." });
const figures = {
  requests: Type.Integer({ description: "Requests to /v1 and /mcp." }),
  errors: Type.Integer({ description: "Those of them that got a 5xx." }),
  scans: Type.Integer(),
  latency_p50_ms: latency,
  latency_p95_ms: latency,
  queue_depth: Type.Integer({ description: "The most background jobs that were waiting." }),
};
export const activitySchema = t.Object(
  {
    range: oneOf(RANGE_NAMES),
    step_seconds: Type.Integer(),
    total: t.Object(figures),
    points: t.Array(t.Object({ start_at: instant, ...figures }), { description: "Oldest first, without gaps." }),
  },
  { title: "Activity" },
);
