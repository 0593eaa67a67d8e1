import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import type { App } from "../../../app/app.ts";
import { UNKNOWN_KINDS } from "../../../vocabulary/discovery.ts";
import { MEANINGS, STRENGTHS } from "../../../vocabulary/fingerprint.ts";
import { jsonAnswer } from "../answers.ts";
import { noQuery } from "../schemas.ts";
import { forOperator, operated } from "./operated.ts";
import { closed, instant, oneOf, pageOf, pageQuery, text, total } from "./schemas.ts";

const names = t.Array(t.String());
const kind = oneOf(UNKNOWN_KINDS);
const strength = oneOf(STRENGTHS);

const toolsQuery = t.Object(
  {
    q: t.Optional(t.String({ minLength: 1, maxLength: 120, description: "Part of a name, an alias or an id." })),
    ...pageQuery,
  },
  closed,
);
const toolParam = t.Object({
  tool: t.String({ minLength: 1, maxLength: 120, description: "Name, alias or id of the tool." }),
});
const unknownQuery = t.Object({ kind: t.Optional(kind), limit: pageQuery.limit }, closed);

const listSchema = t.Object({
  fingerprints: t.Array(
    t.Object({ id: t.String(), name: t.String(), category: t.String(), rules: Type.Integer(), own: t.Boolean() }),
  ),
  total,
  next_cursor: text,
});

const explanationSchema = t.Object(
  {
    id: t.String(),
    name: t.String(),
    aliases: names,
    vendor: t.String(),
    website: t.String(),
    category: t.String(),
    roles: names,
    product_of: text,
    implies: names,
    excludes: names,
    requires: names,
    rules: t.Array(
      t.Object({
        id: t.String(),
        see: t.Array(t.String({ description: "Kind of signal." })),
        match: t.Record(t.String(), t.Unknown()),
        strength,
        means: oneOf(MEANINGS),
        why: t.String(),
        own: t.Boolean({ description: "From a file of the operator's." }),
      }),
    ),
    domains: Type.Integer({ description: "Whose scans ever saw it." }),
    latest: t.Array(
      t.Object({
        domain: t.String(),
        scanned_at: instant,
        confidence: t.Number({ minimum: 0, maximum: 1 }),
        evidence: t.Array(
          t.Object({
            source: t.String(),
            signal: t.String(),
            value: t.String(),
            location: t.String(),
            rule: t.String(),
            strength,
          }),
        ),
      }),
      { description: "The newest scans that tell it, latest first." },
    ),
  },
  { title: "ToolExplanation" },
);

const unknownSchema = t.Object({
  unknown: t.Array(
    t.Object({
      kind,
      value: t.String(),
      example: t.String(),
      companies: Type.Integer({ description: "Whose newest scan saw it." }),
      domain: t.String({ description: "One of them." }),
      last_seen: instant,
    }),
  ),
});

/** The rules by which tools are told, and what scans saw that no rule knows. */
export const fingerprintRoutes = (app: App) =>
  operated(app, "fingerprints")
    .get(
      "",
      async ({ request, query: { q, ...page } }) =>
        jsonAnswer(request, await app.findTools(q === undefined ? {} : { q }, pageOf(page))),
      {
        query: toolsQuery,
        detail: forOperator("listFingerprints", "List the tools that can be told, by name", listSchema, []),
      },
    )
    .get(
      "/unknown",
      async ({ request, query: { kind, limit = "20" } }) =>
        jsonAnswer(request, {
          unknown: await app.unknownSignals({ limit: Number(limit), ...(kind ? { kind } : {}) }),
        }),
      {
        query: unknownQuery,
        detail: forOperator("listUnknown", "What scans saw and no rule knows, most companies first", unknownSchema, []),
      },
    )
    .get("/:tool", async ({ request, params }) => jsonAnswer(request, await app.explainTool(params.tool)), {
      params: toolParam,
      query: noQuery,
      detail: forOperator("explainFingerprint", "A tool's rules, and where it was told last", explanationSchema, [404]),
    });
