import { Type } from "@sinclair/typebox";
import { t } from "elysia";

/** Unknown fields and parameters are refused, so that a typo is never silently ignored. */
export const closed = { additionalProperties: false };

interface WholeNumber {
  readonly minimum: number;
  readonly maximum: number;
  /** The same range for its text. */
  readonly pattern: string;
  readonly description: string;
}

/**
 * A whole number in a query, which is text until a handler reads it: Elysia's own loses the parameter's name when the
 * number is out of range. The reference shows `integer` in its place.
 */
export const wholeNumber = ({ minimum, maximum, pattern, description }: WholeNumber) =>
  t.String({
    pattern,
    error: `Give a whole number from ${minimum} to ${maximum}.`,
    integer: { type: "integer", minimum, maximum, description },
  });

export const noQuery = t.Object({}, closed);

export const keyBody = t.Object(
  {
    email: t.String({
      maxLength: 320,
      description: "Address that the key is issued for.",
      examples: ["ana@brightpine.example"],
    }),
  },
  { ...closed, title: "KeyRequest" },
);

export const submitBody = t.Object(
  {
    company_name: t.String({ maxLength: 200, examples: ["Harbourline"] }),
    case_study_url: t.String({
      maxLength: 2_048,
      description: "Page that lists the company's case studies.",
      examples: ["https://harbourline.example/customers"],
    }),
    contact_email: t.String({
      maxLength: 320,
      description: "Address that is told of each step.",
      examples: ["ana@harbourline.example"],
    }),
  },
  { ...closed, title: "SubmissionRequest" },
);

export const receiptSchema = t.Object(
  {
    submission_id: t.String(),
    company_name: t.String(),
    case_study_url: t.String(),
    received_at: t.String({ format: "date-time" }),
    message: t.String({ description: "What happens next." }),
  },
  { title: "Receipt" },
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

const nullable = <T extends ReturnType<typeof t.String>>(schema: T) => t.Union([schema, t.Null()]);
const instantText = t.String({ format: "date-time" });

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
    version: t.Optional(nullable(t.String())),
    first_seen: t.Optional(instantText),
    last_seen: t.Optional(instantText),
    product_of: t.Optional(nullable(t.String({ description: "The tool of which it is a part." }))),
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
          detail: nullable(t.String()),
        }),
      ),
    ),
    scanned_at: t.Optional(instantText),
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

export const issuedKeySchema = t.Object(
  {
    api_key: t.String({ description: "Shown this once; only a hash is kept." }),
    email: t.String(),
    monthly_limit: Type.Integer(),
    created_at: instantText,
  },
  { title: "IssuedKey" },
);

export const keyEntrySchema = t.Object(
  {
    id: t.String(),
    email: t.String(),
    hint: t.String({ description: "The key's last four characters." }),
    monthly_limit: Type.Integer(),
    used_this_month: Type.Integer(),
    created_at: instantText,
    revoked_at: nullable(instantText),
  },
  { title: "Key" },
);

export const keyListSchema = t.Object(
  {
    keys: t.Array(keyEntrySchema),
    total: Type.Integer(),
    next_cursor: nullable(t.String()),
  },
  { title: "KeyList" },
);

export const statsSchema = t.Object(
  {
    companies: Type.Integer(),
    case_studies: Type.Integer(),
    by_origin: t.Object(
      { starter: Type.Integer(), submitted: Type.Integer(), imported: Type.Integer() },
      { description: "Case studies that came with the program, by submissions, and from files." },
    ),
    industries: Type.Integer(),
    tools: Type.Integer(),
    categories: Type.Integer(),
    domains_enriched: Type.Integer(),
    updated_at: nullable(instantText),
    version: t.String(),
  },
  { title: "Stats" },
);

export const problemSchema = t.Object({
  type: t.String({ examples: ["urn:casefile:problem:domain.invalid"] }),
  title: t.String(),
  status: Type.Integer(),
  detail: t.String(),
  code: t.String(),
  request_id: t.String(),
  errors: t.Optional(t.Array(t.Object({ pointer: t.String(), detail: t.String() }))),
  unknown: t.Optional(t.Array(t.String(), { description: "Slugs that no company has." })),
});

/** A change that changes nothing is a typo. */
export const someOf = { ...closed, minProperties: 1 };

export const text = t.Union([t.String(), t.Null()]);
export const instant = t.String({ format: "date-time" });
export const maybeInstant = t.Union([instant, t.Null()]);
export const total = Type.Integer();

/** One of a few words; its refusal names them. */
export const oneOf = <Word extends string>(words: readonly Word[]) =>
  t.Union(
    words.map((word) => t.Literal(word)),
    { error: `Give one of ${words.join(", ")}.` },
  );

export const pageQuery = {
  limit: t.Optional(
    wholeNumber({ minimum: 1, maximum: 100, pattern: "^([1-9]\\d?|100)$", description: "On one page. Default 20." }),
  ),
  cursor: t.Optional(t.String({ minLength: 1, maxLength: 1_000, description: "`next_cursor` of the page before." })),
};

/** What a query says of the page that is wanted. */
export const pageOf = ({ limit, cursor }: { limit?: string | undefined; cursor?: string | undefined }) => ({
  ...(limit ? { limit: Number(limit) } : {}),
  ...(cursor ? { cursor } : {}),
});
