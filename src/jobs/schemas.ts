import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, instant, oneOf, pageQuery, text, total } from "../http/schemas.ts";
import { JOB_STATES } from "./types.ts";

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
