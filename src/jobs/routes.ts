import { forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import { jobListSchema, jobParam, jobSchema, jobsQuery } from "../casestudies/intake/schemas.ts";
import type { Services } from "../compose.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery, pageOf } from "../http/schemas.ts";

/** The work in the background. */
export const jobRoutes = (app: Services) =>
  withOperatorAuth(app, "jobs")
    .get(
      "",
      async ({ request, query: { limit, cursor, ...filter } }) =>
        jsonAnswer(request, await app.intake.listJobs(filter, pageOf({ limit, cursor }))),
      {
        query: jobsQuery,
        detail: forOperator("listJobs", "List background work, newest first", jobListSchema, []),
      },
    )
    .post(
      "/:id/retry",
      async ({ request, params }) => jsonAnswer(request, await app.intake.retryJob(Number(params.id))),
      {
        params: jobParam,
        query: noQuery,
        detail: forOperator("retryJob", "Let a dead job run again", jobSchema, [404]),
      },
    );
