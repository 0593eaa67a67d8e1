import type { App } from "../../../app/app.ts";
import { jsonAnswer } from "../answers.ts";
import { noQuery } from "../schemas.ts";
import { forOperator, operated } from "./operated.ts";
import { jobListSchema, jobParam, jobSchema, jobsQuery, pageOf } from "./schemas.ts";

/** The work in the background. */
export const jobRoutes = (app: App) =>
  operated(app, "jobs")
    .get(
      "",
      async ({ request, query: { limit, cursor, ...filter } }) =>
        jsonAnswer(request, await app.listJobs(filter, pageOf({ limit, cursor }))),
      {
        query: jobsQuery,
        detail: forOperator("listJobs", "List background work, newest first", jobListSchema, []),
      },
    )
    .post("/:id/retry", async ({ request, params }) => jsonAnswer(request, await app.retryJob(Number(params.id))), {
      params: jobParam,
      query: noQuery,
      detail: forOperator("retryJob", "Let a dead job run again", jobSchema, [404]),
    });
