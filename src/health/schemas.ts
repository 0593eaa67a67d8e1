import { type Static, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { indexBacklogSchema } from "../casestudies/schemas.ts";
import { instant, maybeInstant, oneOf, total } from "../http/schemas.ts";
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

const nodeSchema = t.Object(
  {
    id: t.String({ description: "New at each start." }),
    host: t.String(),
    version: t.Union([t.String(), t.Null()], { description: "Of the program; null for a release that does not say." }),
    started_at: instant,
    seen_at: instant,
    rules: t.Union([t.String(), t.Null()], {
      description: "Digest of everything that decides which tools its scans detect, custom fingerprints included.",
    }),
    model: t.Union([t.String(), t.Null()], { description: "Model of its search index; null while it has none." }),
    waiting: Type.Integer({ description: "Changes that its search index lacks." }),
    working: Type.Integer({ description: "Jobs, rescans, deliveries and domains of batches that it works on." }),
    problem: t.Union([t.String(), t.Null()], {
      description:
        "What to look after on this node, such as a custom model that it has not got from the others yet; null for nothing.",
    }),
    own: t.Boolean({ description: "The node that answers." }),
    clock_ahead_ms: t.Union([Type.Number(), t.Null()], {
      description: "How far its clock is ahead of the database's. Each node knows its own only.",
    }),
    clock_off: t.Union([t.Boolean(), t.Null()], {
      description: "Whether its clock differs so much that it is not ready: by more than 2 seconds.",
    }),
  },
  { title: "Node" },
);
/** A node as `GET /admin/nodes` lists it. */
export type ListedNode = Static<typeof nodeSchema>;
export const nodeListSchema = t.Object(
  { nodes: t.Array(nodeSchema, { description: "Oldest first." }), total, next_cursor: t.Null() },
  { title: "NodeList" },
);

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
