import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, instant, oneOf, pageQuery, text, total } from "../../http/schemas.ts";
import { evidenceSchema } from "../schemas.ts";
import { UNMATCHED_KINDS } from "../types.ts";
import { MEANINGS, STRENGTHS } from "./types.ts";

const names = t.Array(t.String());
const kind = oneOf(UNMATCHED_KINDS);

export const toolsQuery = t.Object(
  {
    q: t.Optional(t.String({ minLength: 1, maxLength: 120, description: "Part of a name, alias or id." })),
    ...pageQuery,
  },
  closed,
);
export const toolParam = t.Object({
  tool: t.String({ minLength: 1, maxLength: 120, description: "Name, alias or id of the tool." }),
});
export const unknownQuery = t.Object({ kind: t.Optional(kind), limit: pageQuery.limit }, closed);

export const toolListSchema = t.Object({
  fingerprints: t.Array(
    t.Object({ id: t.String(), name: t.String(), category: t.String(), rules: Type.Integer(), own: t.Boolean() }),
  ),
  total,
  next_cursor: text,
});

export const explanationSchema = t.Object(
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
        strength: oneOf(STRENGTHS),
        means: oneOf(MEANINGS),
        why: t.String(),
        own: t.Boolean({ description: "From a custom fingerprint." }),
      }),
    ),
    domains: Type.Integer({ description: "Number of domains where it was ever detected." }),
    latest: t.Array(
      t.Object({
        domain: t.String(),
        scanned_at: instant,
        confidence: t.Number({ minimum: 0, maximum: 1 }),
        evidence: t.Array(evidenceSchema),
      }),
      { description: "The newest scans that detected it, newest first." },
    ),
  },
  { title: "ToolExplanation" },
);

export const unknownSchema = t.Object({
  unknown: t.Array(
    t.Object({
      kind,
      value: t.String(),
      example: t.String(),
      companies: Type.Integer({ description: "Number of companies whose newest scan found it." }),
      domain: t.String({ description: "One of them." }),
      last_seen: instant,
    }),
  ),
});
