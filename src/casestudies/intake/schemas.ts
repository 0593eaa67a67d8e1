import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, instant, maybeInstant, oneOf, pageQuery, someOf, text, total } from "../../http/schemas.ts";
import { companyDomain, companyName, companySlug } from "../companies/schemas.ts";
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
