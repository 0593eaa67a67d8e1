import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { MIN_CONFIDENCE } from "../detection/levels.ts";
import { closed, instant, maybeInstant, oneOf, pageQuery, text, total } from "../http/schemas.ts";
import { TABLE_FORMATS } from "../tabular/table.ts";
import { TOOL_STATES } from "./fold.ts";
import { SORTS } from "./repository.ts";

const MAX_CONDITIONS = 20;

const date = (description: string) =>
  t.String({ minLength: 1, maxLength: 40, description: `${description}: a date or timestamp, ISO 8601, included.` });
const day = t.Union([t.String({ format: "date" }), t.Null()]);

export const domainParam = t.Object({
  domain: t.String({ minLength: 1, maxLength: 253, description: "Company domain." }),
});
export const toolParam = t.Object({
  tool: t.String({ minLength: 1, maxLength: 200, description: "Id, name or alias.", examples: ["hubspot"] }),
});

export const historyQuery = t.Object(
  {
    since: t.Optional(date("Changes since")),
    until: t.Optional(date("Changes until")),
  },
  closed,
);

const interval = t.Object(
  {
    first_seen: instant,
    last_seen: instant,
    absent_before: t.Union([instant, t.Null()], {
      description: "The last scan before it that was able to see the tool and did not; null when there is none.",
    }),
    missing_since: t.Union([instant, t.Null()], {
      description: "The first scan after it that was able to see the tool and did not; null while it is in use.",
    }),
    gone_at: t.Union([instant, t.Null()], { description: "When a further scan confirmed that the tool is gone." }),
  },
  { title: "ToolInterval" },
);

export const historySchema = t.Object(
  {
    domain: t.String(),
    first_scanned_at: instant,
    last_scanned_at: instant,
    observations: Type.Integer({ description: "Scans and recordings that the history is made from." }),
    tools: t.Array(
      t.Object(
        {
          tool_id: t.String(),
          tool: t.String(),
          category: t.String(),
          state: t.Union(
            TOOL_STATES.map((state) => t.Literal(state)),
            {
              description:
                "`unconfirmed`: missed by one scan, or last seen under other fingerprints, so that its absence says nothing.",
            },
          ),
          confidence: t.Number({ minimum: 0, maximum: 1, description: "When it was last detected." }),
          intervals: t.Array(interval, { description: "Times of use, oldest first." }),
        },
        { title: "ToolHistory" },
      ),
      { description: "By category, then name." },
    ),
    changes: t.Array(
      t.Object(
        {
          change: t.Union([t.Literal("appeared"), t.Literal("disappeared")]),
          tool_id: t.String(),
          tool: t.String(),
          category: t.String(),
          confidence: t.Number({ minimum: 0, maximum: 1 }),
          evidence: t.String({ description: "The best evidence in one line, when the tool was last detected." }),
          previous_at: instant,
          at: instant,
        },
        { title: "HistoryChange", description: "The change happened between `previous_at` and `at`." },
      ),
      { description: "Oldest first." },
    ),
  },
  { title: "CompanyHistory" },
);

const index = t.Optional(
  t.Object(
    { pending: Type.Integer({ description: "Companies whose newest scans are not in the answer yet." }) },
    { description: "Only while scans wait to be indexed." },
  ),
);

export const toolsQuery = t.Object(
  {
    q: t.Optional(t.String({ maxLength: 200, description: "Part of a name, an alias or an id." })),
    category: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Label of a category, any case." })),
    ...pageQuery,
  },
  closed,
);

const toolFields = {
  id: t.String(),
  name: t.String(),
  category: t.String(),
  companies: Type.Integer({ description: "Scanned companies that use it with a confidence of at least 0.5." }),
  first_seen: day,
  last_seen: day,
};
export const toolListSchema = t.Object(
  { tools: t.Array(t.Object(toolFields, { title: "UsedTool" })), total, next_cursor: text, index },
  { title: "ToolList" },
);
export const toolSchema = t.Object(
  { ...toolFields, vendor: text, website: text, aliases: t.Array(t.String()), index },
  { title: "ToolDetail" },
);

const minConfidence = t.Optional(
  t.String({
    pattern: MIN_CONFIDENCE,
    error: "Give confirmed, likely, possible, or a number from 0 to 1.",
    maxLength: 10,
    description:
      "Minimum confidence: `confirmed` (0.8), `likely` (0.5, the default), `possible` (0.2), or a number from 0 to 1.",
  }),
);
const sort = t.Optional(oneOf(SORTS));
const format = t.Optional(
  t.Union(
    TABLE_FORMATS.map((each) => t.Literal(each)),
    {
      error: `Give one of ${TABLE_FORMATS.join(", ")}.`,
      description: "All answers as a file, one row for each company; `limit` and `cursor` are for JSON pages only.",
    },
  ),
);

export const companiesQuery = t.Object(
  {
    min_confidence: minConfidence,
    sort,
    format,
    ...pageQuery,
  },
  closed,
);
export const domainsQuery = t.Object(
  {
    q: t.Optional(t.String({ minLength: 1, maxLength: 253, description: "Start of the domain." })),
    tool: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Uses this tool: id, name or alias." })),
    not: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Does not use this tool." })),
    category: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Uses a tool of this category." })),
    top_level: t.Optional(t.String({ minLength: 1, maxLength: 63, description: "Top-level domain, such as `de`." })),
    scanned_since: t.Optional(date("Newest scan since")),
    scanned_until: t.Optional(date("Newest scan until")),
    min_confidence: minConfidence,
    sort,
    format,
    ...pageQuery,
  },
  closed,
);

export const formatQuery = t.Object({ format }, closed);

const confidence = t.Number({ minimum: 0, maximum: 1, description: "Minimum confidence. Default 0.5." });
const condition = t.Union([
  t.String({ minLength: 1, maxLength: 200, description: "A tool: id, name or alias." }),
  t.Object(
    {
      tool: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Id, name or alias." })),
      category: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Any tool of this category." })),
      script: t.Optional(
        t.String({ minLength: 1, maxLength: 253, description: "Host of a script, with its subdomains." }),
      ),
      txt: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 100,
          description: "Start of a verification record in DNS, before its token.",
        }),
      ),
      cname: t.Optional(
        t.String({
          minLength: 1,
          maxLength: 253,
          description: "Host that the company's hosts are aliases of, with its subdomains.",
        }),
      ),
      min_confidence: t.Optional(confidence),
      seen_since: t.Optional(date("Seen since")),
      seen_until: t.Optional(date("Seen until")),
      appeared_since: t.Optional(date("Appeared since")),
      appeared_until: t.Optional(date("Appeared until")),
      gone_since: t.Optional(date("Gone since")),
      gone_until: t.Optional(date("Gone until")),
    },
    { ...closed, title: "StackCondition", description: "Exactly one of tool, category, script, txt and cname." },
  ),
]);
const conditions = (description: string) => t.Optional(t.Array(condition, { maxItems: MAX_CONDITIONS, description }));

export const searchBody = t.Object(
  {
    all: conditions("All of these hold."),
    any: conditions("At least one of these holds."),
    none: conditions("None of these holds."),
    min_confidence: t.Optional(confidence),
    top_level: t.Optional(
      t.Array(t.String({ minLength: 1, maxLength: 63 }), {
        maxItems: MAX_CONDITIONS,
        description: "Any of these top-level domains.",
      }),
    ),
    prefix: t.Optional(t.String({ minLength: 1, maxLength: 253, description: "Start of the domain." })),
    scanned_since: t.Optional(date("Newest scan since")),
    scanned_until: t.Optional(date("Newest scan until")),
    sort,
    limit: t.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "Page size. Default 20." })),
    cursor: t.Optional(
      t.String({ minLength: 1, maxLength: 1_000, description: "`next_cursor` of the previous page." }),
    ),
  },
  { ...closed, title: "DomainSearch" },
);

export const domainListSchema = t.Object(
  {
    domains: t.Array(
      t.Object(
        {
          domain: t.String(),
          scanned_at: instant,
          first_scanned_at: maybeInstant,
          tools_detected: Type.Integer({
            description: "In the newest result, as `GET /v1/enrich/{domain}` counts them.",
          }),
          matched: t.Array(
            t.Object(
              {
                tool_id: t.String(),
                tool: t.String(),
                category: t.String(),
                state: oneOf(["in_use", "gone"]),
                confidence: t.Number({ minimum: 0, maximum: 1, description: "When it was last detected." }),
                first_seen: t.String({ format: "date" }),
                last_seen: t.String({ format: "date" }),
                appeared: t.Boolean({
                  description:
                    "An earlier scan was able to see the tool and did not, so it is in use since `first_seen`; otherwise it may be older.",
                }),
                gone_since: t.Union([t.String({ format: "date" }), t.Null()], {
                  description:
                    "The first scan without it; of a tool in use, when it was gone before. Only with conditions on when tools appeared or went.",
                }),
              },
              { title: "MatchedTool" },
            ),
            {
              description:
                "The tools that the question asks for: those in use, and those that are gone with conditions on when tools appeared or went.",
            },
          ),
          signals: t.Array(
            t.Object({ kind: oneOf(["script", "txt", "cname"]), value: t.String() }, { title: "MatchedSignal" }),
            { description: "The raw signals that the question asks for." },
          ),
        },
        { title: "StackDomain" },
      ),
    ),
    total,
    next_cursor: text,
    index,
  },
  { title: "DomainList" },
);
