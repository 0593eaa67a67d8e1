import { forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery, pageOf } from "../http/schemas.ts";
import { jobListSchema, jobParam, jobSchema, jobsQuery } from "./schemas.ts";
import type { JobService } from "./service.ts";

/** Background jobs. */
export const jobRoutes = ({ jobs, operator }: { jobs: JobService; operator: Operator }) =>
  withOperatorAuth({ operator }, "jobs")
    .get(
      "",
      async ({ request, query: { limit, cursor, ...filter } }) =>
        jsonAnswer(request, await jobs.list(filter, pageOf({ limit, cursor }))),
      {
        query: jobsQuery,
        detail: forOperator("listJobs", "List background jobs, newest first", jobListSchema, []),
      },
    )
    .post("/:id/retry", async ({ request, params }) => jsonAnswer(request, await jobs.retry(Number(params.id))), {
      params: jobParam,
      query: noQuery,
      detail: forOperator("retryJob", "Retry a failed job", jobSchema, [404]),
    });
