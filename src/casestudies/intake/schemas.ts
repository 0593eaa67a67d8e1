import { type TSchema, Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, instant, maybeInstant, oneOf, pageQuery, someOf, text, total } from "../../http/schemas.ts";
import { companyDomain, companyName, companySlug } from "../companies/schemas.ts";
import { outcomeSchema } from "../schemas.ts";
import { SUBMISSION_STATES } from "./types.ts";
import { EMAIL_STATES } from "./view.ts";

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
      description: "Address that is notified of each step.",
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
    received_at: instant,
    message: t.String({ description: "What happens next." }),
  },
  { title: "Receipt" },
);

/** 8 MiB as base64. */
const MAX_CONTENT = 11_184_812;

export const readBody = t.Object(
  {
    content: t.String({
      minLength: 1,
      maxLength: MAX_CONTENT,
      description: "The page: HTML, Markdown or PDF, at most 8 MiB. What it is, its content and `name` say.",
      examples: ["# How Brackwater cut waiting time"],
    }),
    url: t.String({
      maxLength: 2_048,
      description: "Address where the page was published. It is not requested.",
      examples: ["https://quayline.example/stories/brackwater"],
    }),
    encoding: t.Optional({
      ...oneOf(["text", "base64"]),
      description:
        "How `content` is written: `text`, the default, or `base64` of the file, for a PDF or a charset other than UTF-8.",
    }),
    name: t.Optional(t.String({ maxLength: 300, description: "File name, such as `story.md`." })),
    company: t.Optional(
      t.String({ maxLength: 200, description: "Name of the vendor; by default derived from the address." }),
    ),
  },
  { ...closed, title: "PageToRead" },
);

const sentence = t.Union([t.String(), t.Null()], {
  description: "The page's sentence that states it; `null` when no single sentence does.",
});
const confidence = t.Union([t.Number({ minimum: 0, maximum: 1 }), t.Null()]);
const readField = <Value extends TSchema>(value: Value, description?: string) => ({
  value: t.Union([value, t.Null()], description === undefined ? {} : { description }),
  sentence,
  confidence,
});
const readText = t.Object(readField(t.String()));

export const readStudySchema = t.Object(
  {
    url: t.String(),
    company: t.Object({ name: t.String(), slug: t.String() }),
    title: readText,
    client: t.Object({
      ...readField(t.String()),
      domain: text,
      candidates: t.Array(t.Object({ value: t.String(), confidence: t.Number() }), {
        description: "The likeliest names where the client is not certain.",
      }),
    }),
    industry: t.Object({ ...readField(t.String(), "Name in the taxonomy."), slug: text }),
    country: t.Object(readField(t.String(), "ISO 3166-1 alpha-2 code.")),
    summary: readText,
    challenge: readText,
    solution: readText,
    outcomes: t.Array(t.Object(readField(outcomeSchema))),
    products: t.Array(readText),
    tools: t.Array(readText),
    quote: t.Object(readField(t.Object({ text, person: text, role: text }))),
    published_at: readText,
    language: readText,
    fallback: text,
  },
  { title: "ReadCaseStudy", description: "Each field as it was read; `null` where the page does not say." },
);

export const submissionsQuery = t.Object({ state: t.Optional(oneOf(SUBMISSION_STATES)), ...pageQuery }, closed);
export const submissionParam = t.Object({ id: t.String({ minLength: 1, maxLength: 100 }) });
export const submissionBody = t.Object(
  {
    company_name: t.Optional(companyName),
    company_slug: t.Optional(companySlug),
    company_domain: t.Optional(companyDomain),
  },
  { ...someOf, title: "SubmissionEdit" },
);
export const rejectBody = t.Object(
  { reason: t.String({ maxLength: 1_000, description: "Sent to the contact." }) },
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
        notes: t.Array(t.String({ description: "Notes for the reviewer." })),
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
        description: "`unclear`: sending was interrupted, so it is not sent again.",
      },
    ),
    last_error: text,
    created_at: instant,
    sent_at: maybeInstant,
  },
  { title: "Mail" },
);
export const mailListSchema = t.Object({ mails: t.Array(mailSchema), total, next_cursor: text }, { title: "MailList" });
