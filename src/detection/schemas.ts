import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, instant, oneOf, text, total, wholeNumber } from "../http/schemas.ts";
import { PHASES } from "./types.ts";

/** How each way of looking fared. */
export const healthSchema = t.Object(
  {
    scans: Type.Integer({ description: "The latest scans that this is told of, 200 at most." }),
    sources: t.Array(
      t.Object({
        source: t.String({ description: "As the `sources` of a result name it." }),
        phase: oneOf(PHASES),
        services: t.Array(
          t.Object({
            setting: t.String({ description: "Names it in the configuration." }),
            state: t.Union([t.Literal("on"), t.Literal("off"), t.Literal("elsewhere")], {
              description: "`elsewhere`: the configuration names another one than the public one.",
            }),
            host: t.Union([t.String(), t.Null()], { description: "Or DNS zone." }),
          }),
          { description: "What it asks beside the company's own hosts." },
        ),
        ok: total,
        empty: total,
        timeout: total,
        failed: total,
        skipped: total,
        median_ms: t.Union([t.Number(), t.Null()]),
        last_fault: t.Union([
          t.Object({
            domain: t.String(),
            scanned_at: instant,
            status: oneOf(["timeout", "failed"]),
            detail: text,
          }),
          t.Null(),
        ]),
      }),
    ),
  },
  { title: "SourceHealth" },
);

export const domainParam = t.Object({
  domain: t.String({
    minLength: 1,
    maxLength: 2_048,
    description: "Company domain, as people paste it; answered for its registrable domain.",
    examples: ["brightpine.com"],
  }),
});

const maxAge = t.Optional(
  wholeNumber({
    minimum: 0,
    maximum: 99_999_999,
    pattern: "^\\d{1,8}$",
    description: "Oldest stored result to accept, in seconds; 0 scans anew. Default 86400.",
  }),
);

export const enrichQuery = t.Object(
  {
    include: t.Optional(
      t.String({
        maxLength: 60,
        description: "`evidence`, `sources`, or both with a comma.",
        examples: ["evidence,sources"],
      }),
    ),
    max_age: maxAge,
  },
  closed,
);

export const streamQuery = t.Object({ max_age: maxAge }, closed);

const evidence = t.Object(
  {
    source: t.String({ description: "Scanner that saw it." }),
    signal: t.String({ description: "Kind of signal." }),
    value: t.String({ description: "Matched value; tokens are cut to a recognisable prefix." }),
    location: t.String({ description: "Where it was seen." }),
    rule: t.String({ description: "TOOL/RULE of the catalogue." }),
    strength: t.Union([t.Literal("weak"), t.Literal("strong"), t.Literal("certain")]),
  },
  { title: "Evidence" },
);

const tool = t.Object(
  {
    tool: t.String(),
    category: t.String(),
    confidence: t.Optional(
      t.Number({ minimum: 0, maximum: 1, description: "With include=evidence, as are the fields below." }),
    ),
    vendor: t.Optional(t.String()),
    website: t.Optional(t.String()),
    version: t.Optional(text),
    first_seen: t.Optional(instant),
    last_seen: t.Optional(instant),
    product_of: t.Optional(t.Union([t.String({ description: "The tool of which it is a part." }), t.Null()])),
    roles: t.Optional(t.Array(t.String({ description: "What it does with mail: mailbox, gateway or sender." }))),
    evidence: t.Optional(t.Array(evidence)),
  },
  { title: "Tool" },
);

const byCategory = t.Record(t.String(), t.Array(t.String()));

export const enrichmentSchema = t.Object(
  {
    domain: t.String(),
    tools_detected: Type.Integer(),
    tools: t.Array(tool),
    by_category: byCategory,
    sources: t.Optional(
      t.Array(
        t.Object({
          source: t.String(),
          status: t.Union(["ok", "empty", "timeout", "failed", "skipped"].map((status) => t.Literal(status))),
          duration_ms: Type.Integer(),
          detail: text,
        }),
      ),
    ),
    scanned_at: t.Optional(instant),
    duration_ms: t.Optional(Type.Integer()),
    cached: t.Optional(t.Boolean()),
  },
  { title: "Enrichment" },
);

export const streamEventSchema = t.Object(
  {
    phase: t.String({
      description: "identity, website, hosting, subdomains, hiring, disclosures, then complete.",
    }),
    tools_detected: Type.Integer(),
    tools: t.Array(t.Object({ tool: t.String(), category: t.String() })),
    by_category: byCategory,
    done: t.Boolean(),
  },
  { title: "StreamEvent" },
);
