import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, instant, oneOf, text, total } from "../http/schemas.ts";
import { MAIL_ROLES, STRENGTHS } from "./fingerprints/types.ts";
import { LEVELS, MIN_CONFIDENCE } from "./levels.ts";
import { PHASES } from "./types.ts";

export const domainParam = t.Object({
  domain: t.String({
    minLength: 1,
    maxLength: 2_048,
    description: "Company domain, also as a URL; the answer is for its registrable domain.",
    examples: ["brightpine.com"],
  }),
});

/** Text with a pattern, as in `wholeNumber`; the OpenAPI document shows an integer or the word. */
const maxAge = t.Optional(
  t.String({
    pattern: "^(any|\\d{1,8})$",
    error: "Give a whole number of seconds from 0 to 99999999, or any.",
    integer: {
      anyOf: [
        { type: "integer", minimum: 0, maximum: 99_999_999 },
        { type: "string", const: "any" },
      ],
      description:
        "Maximum age of a stored result in seconds; 0 forces a new scan, `any` accepts every stored result. Default 86400, and 3600 for a result with a data source that timed out. When a scan cannot succeed, an older stored result is returned with `stale`.",
    },
  }),
);

/** Present only when a stored result could not be renewed. */
const staleFields = {
  stale: t.Optional(
    t.Literal(true, { description: "Only when the result is older than requested and could not be renewed." }),
  ),
  stale_reason: t.Optional(t.String({ description: "Why it could not be renewed, in one sentence." })),
};

const minConfidence = t.Optional(
  t.String({
    pattern: MIN_CONFIDENCE,
    error: "Give confirmed, likely, possible, or a number from 0 to 1.",
    maxLength: 10,
    description:
      "Minimum confidence of the returned tools: `confirmed` (0.8), `likely` (0.5), `possible` (0.2), or a number from 0 to 1. Default: the configured `scan.min_confidence`, 0.5. `include=evidence` adds the `confidence` and `level` of each tool.",
    examples: ["possible"],
  }),
);

export const enrichQuery = t.Object(
  {
    include: t.Optional(
      t.String({
        maxLength: 60,
        description: "`evidence`, `sources`, `third_parties`, or several, separated by commas.",
        examples: ["evidence,sources"],
      }),
    ),
    max_age: maxAge,
    min_confidence: minConfidence,
  },
  closed,
);

export const streamQuery = t.Object({ max_age: maxAge, min_confidence: minConfidence }, closed);

export const evidenceSchema = t.Object(
  {
    source: t.String({ description: "Id of the data source." }),
    signal: t.String({ description: "Kind of signal." }),
    value: t.String({ description: "Matched value; tokens are cut to a recognisable prefix." }),
    location: t.String({ description: "Where it was found." }),
    rule: t.String({ description: "TOOL/RULE of the catalogue." }),
    strength: oneOf(STRENGTHS),
  },
  { title: "Evidence" },
);

const tool = t.Object(
  {
    tool: t.String(),
    category: t.String(),
    confidence: t.Optional(
      t.Number({ minimum: 0, maximum: 1, description: "Only with include=evidence, as are the fields below." }),
    ),
    level: t.Optional(oneOf(LEVELS)),
    vendor: t.Optional(t.String()),
    website: t.Optional(t.String()),
    version: t.Optional(text),
    first_seen: t.Optional(instant),
    last_seen: t.Optional(instant),
    product_of: t.Optional(t.Union([t.String({ description: "The tool that this tool is part of." }), t.Null()])),
    roles: t.Optional(
      t.Array(t.String({ description: `What it does with the company's email: ${MAIL_ROLES.join(", ")}.` })),
    ),
    evidence: t.Optional(t.Array(evidenceSchema)),
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
    third_parties: t.Optional(
      t.Array(
        t.Object(
          {
            domain: t.String({ description: "Registered domain." }),
            hosts: t.Array(t.String(), { description: "Its hosts that were seen, five at most." }),
            seen: t.Array(
              t.Object({
                signal: t.String({ description: "Kind of signal." }),
                location: t.String({ description: "Where it was found first." }),
              }),
            ),
          },
          { title: "ThirdParty" },
        ),
        {
          description:
            "Domains that the company loads from, allows or uses in DNS and that belong to no known tool; 300 at most.",
        },
      ),
    ),
    sources: t.Optional(
      t.Array(
        t.Object({
          source: t.String(),
          status: t.Union(["ok", "empty", "timeout", "failed", "skipped"].map((status) => t.Literal(status))),
          duration_ms: Type.Integer(),
          detail: text,
          observed_at: t.Optional(
            t.String({
              format: "date-time",
              description:
                "The newest recording that the data source read; only in a result that joins recordings of different dates.",
            }),
          ),
        }),
      ),
    ),
    ...staleFields,
    scanned_at: t.Optional(instant),
    duration_ms: t.Optional(Type.Integer()),
    cached: t.Optional(t.Boolean()),
  },
  { title: "Enrichment" },
);

export const streamEventSchema = t.Object(
  {
    phase: t.String({ description: `${PHASES.join(", ")}, then complete.` }),
    tools_detected: Type.Integer(),
    tools: t.Array(t.Object({ tool: t.String(), category: t.String() })),
    by_category: byCategory,
    ...staleFields,
    scanned_at: t.Optional(instant),
    done: t.Boolean(),
  },
  { title: "StreamEvent" },
);

/** The status of each data source in recent scans. */
export const healthSchema = t.Object(
  {
    scans: Type.Integer({ description: "Number of recent scans counted, 200 at most." }),
    sources: t.Array(
      t.Object({
        source: t.String({ description: "Id of the data source, as in the `sources` of a result." }),
        phase: oneOf(PHASES),
        services: t.Array(
          t.Object({
            setting: t.String({ description: "Configuration key." }),
            state: t.Union([t.Literal("on"), t.Literal("off"), t.Literal("elsewhere")], {
              description: "`elsewhere`: configured with an address other than the default.",
            }),
            host: t.Union([t.String(), t.Null()], { description: "Host or DNS zone." }),
          }),
          { description: "Public services that the data source queries in addition to the company's hosts." },
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
