import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, instant, maybeInstant, oneOf, pageQuery, someOf, text, total } from "../../http/schemas.ts";
import { studyFields, studySchema } from "../schemas.ts";
import { ENGINES, REVIEW_ORDERS } from "../types.ts";
import { SUBMISSION_STATES } from "./types.ts";
import { EMAIL_STATES } from "./view.ts";

const named = t.String({ minLength: 1, maxLength: 200, pattern: "\\S", error: "Give a name of 1 to 200 characters." });
const slug = t.String({ minLength: 1, maxLength: 80, description: "Lower-case letters and digits with dashes." });
const domain = t.Union(
  [t.String({ maxLength: 253, pattern: "^[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){1,9}$" }), t.Null()],
  { error: "Give a domain such as acme.com, or null." },
);

export const submissionsQuery = t.Object({ state: t.Optional(oneOf(SUBMISSION_STATES)), ...pageQuery }, closed);
export const submissionParam = t.Object({ id: t.String({ minLength: 1, maxLength: 100 }) });
export const submissionBody = t.Object(
  { company_name: t.Optional(named), company_slug: t.Optional(slug), company_domain: t.Optional(domain) },
  { ...someOf, title: "SubmissionEdit" },
);
export const rejectBody = t.Object(
  { reason: t.String({ maxLength: 1_000, description: "Told to the contact." }) },
  { ...closed, title: "Rejection" },
);

export const submissionSchema = t.Object(
  {
    id: t.String(),
    company_name: t.String(),
    company_slug: t.String(),
    company_domain: text,
    case_study_url: t.String(),
    contact_email: t.String(),
    state: oneOf(SUBMISSION_STATES),
    reason: text,
    approved_by: t.Union([t.Literal("operator"), t.Literal("policy"), t.Null()]),
    preview: t.Union([
      t.Object({
        listing_title: text,
        listing_url: t.String({ description: "After redirects." }),
        found: Type.Integer(),
        samples: t.Array(t.Object({ url: t.String(), title: text, summary: text })),
        notes: t.Array(t.String({ description: "What the reviewer should know." })),
        looked_at: instant,
      }),
      t.Null(),
    ]),
    counts: t.Object({ found: Type.Integer(), structured: Type.Integer(), indexed: Type.Integer() }),
    received_at: instant,
    updated_at: instant,
  },
  { title: "Submission" },
);
export const submissionListSchema = t.Object(
  { submissions: t.Array(submissionSchema), total, next_cursor: text },
  { title: "SubmissionList" },
);

export const mailsQuery = t.Object(
  {
    state: t.Optional(oneOf(EMAIL_STATES)),
    submission: t.Optional(t.String({ minLength: 1, maxLength: 100, description: "Id of a submission." })),
    ...pageQuery,
  },
  closed,
);
const mailSchema = t.Object(
  {
    id: Type.Integer(),
    submission_id: t.String(),
    event: t.String(),
    recipient: t.String(),
    subject: t.String(),
    state: t.Union(
      EMAIL_STATES.map((state) => t.Literal(state)),
      {
        description: "`unclear`: the process ended while it was handed over, so it is not sent again.",
      },
    ),
    last_error: text,
    created_at: instant,
    sent_at: maybeInstant,
  },
  { title: "Mail" },
);
export const mailListSchema = t.Object({ mails: t.Array(mailSchema), total, next_cursor: text }, { title: "MailList" });

export const companyBody = t.Object(
  {
    name: t.Optional(named),
    slug: t.Optional(slug),
    domain: t.Optional(domain),
    industry: t.Optional(t.Union([t.String({ minLength: 1, maxLength: 200 }), t.Null()])),
    logo_url: t.Optional(
      t.Union([t.String({ maxLength: 2_048, pattern: "^https?://[^\\s]+$" }), t.Null()], {
        error: "Give an http or https address, or null.",
      }),
    ),
  },
  { ...someOf, title: "CompanyEdit" },
);
export const mergeBody = t.Object(
  { into: t.String({ minLength: 1, maxLength: 200, description: "Slug." }) },
  { ...closed, title: "Merge" },
);

export const studyDetailSchema = t.Object(
  {
    study: studySchema,
    origin: t.String(),
    body: t.Union([t.String({ description: "The text that it was read from." }), t.Null()]),
    provenance: t.Array(
      t.Object({
        pointer: t.String({ description: "JSON pointer into `study`." }),
        engine: oneOf(ENGINES),
        sentence: text,
        confidence: t.Number({ minimum: 0, maximum: 1 }),
      }),
    ),
    corrections: t.Record(t.String(), t.Unknown(), { description: "What the operator corrected, by field." }),
    versions: t.Array(t.Object({ revision: Type.Integer(), replaced_at: instant, study: studySchema })),
    page: t.Union([
      t.Object({
        url: t.String(),
        state: oneOf(["fetched", "structured", "refused", "gone"]),
        reason: text,
        etag: text,
        last_modified: text,
        content_hash: text,
        fetched_at: instant,
        gone_at: maybeInstant,
      }),
      t.Null(),
    ]),
  },
  { title: "CaseStudyDetail" },
);

export const reviewQuery = t.Object(
  {
    company: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Slug." })),
    industry: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Name, slug or synonym, any case." })),
    corrected: t.Optional(oneOf(["yes", "no"])),
    order: t.Optional(
      t.Union(
        REVIEW_ORDERS.map((order) => t.Literal(order)),
        {
          description:
            "`least-sure`, the default: where what was read is most likely wrong first. `newest`: what came last first.",
          error: `Give one of ${REVIEW_ORDERS.join(", ")}.`,
        },
      ),
    ),
    ...pageQuery,
  },
  closed,
);
export const reviewSchema = t.Object(
  {
    case_studies: t.Array(
      t.Object({
        id: t.String(),
        title: t.String(),
        url: t.String(),
        company: studyFields.company,
        client: studyFields.client,
        industry: text,
        published_at: text,
        origin: studyFields.origin,
        least_sure: t.Union(
          [
            t.Object({
              pointer: t.String({ description: "JSON pointer into the case study." }),
              confidence: t.Number({ minimum: 0, maximum: 1 }),
            }),
            t.Null(),
          ],
          { description: "Of what was read and not corrected; `null` where nothing was read from a page." },
        ),
        corrected: t.Array(t.String({ description: "Name of a field." })),
      }),
    ),
    total,
    next_cursor: text,
  },
  { title: "ReviewList" },
);
export const correctedParam = t.Object({
  id: t.String({ minLength: 1, maxLength: 300 }),
  field: t.String({ minLength: 1, maxLength: 40, description: "Name of a field that was corrected." }),
});

const { outcomes, quote, ...plainFields } = studyFields;
const orNull = (fields: string) => ({
  description: "`null` says that nothing is known.",
  error: `Give ${fields}, or null.`,
});
export const correctionBody = t.Object(
  {
    title: t.Optional(plainFields.title),
    client: t.Optional(t.Union([t.Object(plainFields.client.properties, closed), t.Null()], orNull("name and domain"))),
    industry: t.Optional(plainFields.industry),
    country: t.Optional(plainFields.country),
    summary: t.Optional(plainFields.summary),
    challenge: t.Optional(plainFields.challenge),
    solution: t.Optional(plainFields.solution),
    outcomes: t.Optional(
      t.Union(
        [t.Array(t.Object(outcomes.items.properties, closed)), t.Null()],
        orNull("a list of outcomes with metric, value, unit, direction and text"),
      ),
    ),
    products: t.Optional(t.Union([plainFields.products, t.Null()], orNull("a list of names"))),
    tools: t.Optional(t.Union([plainFields.tools, t.Null()], orNull("a list of names"))),
    quote: t.Optional(
      t.Union([t.Object(quote.anyOf[0].properties, closed), t.Null()], orNull("text, person and role")),
    ),
    published_at: t.Optional(plainFields.published_at),
    language: t.Optional(plainFields.language),
  },
  { ...someOf, title: "Correction" },
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
