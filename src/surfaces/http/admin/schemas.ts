import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { JOB_STATES, SUBMISSION_STATES } from "../../../vocabulary/submission.ts";
import { MAIL_STATES } from "../../intake-view.ts";
import { closed, instant, maybeInstant, oneOf, pageQuery, someOf, text, total } from "./shapes.ts";

export { closed, pageOf, pageQuery } from "./shapes.ts";

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

export const jobsQuery = t.Object(
  {
    state: t.Optional(oneOf(JOB_STATES)),
    kind: t.Optional(t.String({ minLength: 1, maxLength: 40, examples: ["crawl"] })),
    ...pageQuery,
  },
  closed,
);
export const jobParam = t.Object({ id: t.String({ pattern: "^\\d{1,15}$", error: "Give the number of a job." }) });
export const jobSchema = t.Object(
  {
    id: Type.Integer(),
    kind: t.String(),
    state: oneOf(JOB_STATES),
    attempts: Type.Integer(),
    max_attempts: Type.Integer(),
    last_error: text,
    run_after: instant,
    created_at: instant,
    updated_at: instant,
    payload: t.Record(t.String(), t.Unknown()),
  },
  { title: "Job" },
);
export const jobListSchema = t.Object({ jobs: t.Array(jobSchema), total, next_cursor: text }, { title: "JobList" });

export const mailsQuery = t.Object(
  {
    state: t.Optional(oneOf(MAIL_STATES)),
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
      MAIL_STATES.map((state) => t.Literal(state)),
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
