import type { t } from "elysia";
import type { App } from "../../../app/app.ts";
import { jsonAnswer } from "../answers.ts";
import { jsonBody } from "../request-guards.ts";
import { noQuery } from "../schemas.ts";
import { BODY_PROBLEMS, forOperator, operated } from "./operated.ts";
import {
  pageOf,
  rejectBody,
  submissionBody,
  submissionListSchema,
  submissionParam,
  submissionSchema,
  submissionsQuery,
} from "./schemas.ts";

/** The review of what vendors submitted. */
export const submissionRoutes = (app: App) => {
  const act = (operationId: string, summary: string) => ({
    params: submissionParam,
    query: noQuery,
    detail: forOperator(operationId, summary, submissionSchema, [404, 409]),
  });
  const change = <Body extends ReturnType<typeof t.Object>>(operationId: string, summary: string, body: Body) => ({
    params: submissionParam,
    query: noQuery,
    parse: jsonBody,
    body,
    detail: forOperator(operationId, summary, submissionSchema, [404, 409, ...BODY_PROBLEMS]),
  });

  return operated(app, "submissions")
    .get(
      "",
      async ({ request, query: { state, ...page } }) =>
        jsonAnswer(request, await app.listSubmissions(state ? { state } : {}, pageOf(page))),
      {
        query: submissionsQuery,
        detail: forOperator("listSubmissions", "List submissions, newest first", submissionListSchema, []),
      },
    )
    .get("/:id", async ({ request, params }) => jsonAnswer(request, await app.getSubmission(params.id)), {
      params: submissionParam,
      query: noQuery,
      detail: forOperator("getSubmission", "One submission with its preview", submissionSchema, [404]),
    })
    .patch(
      "/:id",
      async ({ request, params, body }) => jsonAnswer(request, await app.editSubmission(params.id, body)),
      change("editSubmission", "Correct what will be known of the company", submissionBody),
    )
    .post(
      "/:id/approve",
      async ({ request, params }) => jsonAnswer(request, await app.approveSubmission(params.id)),
      act("approveSubmission", "Let the page be crawled"),
    )
    .post(
      "/:id/reject",
      async ({ request, params, body }) => jsonAnswer(request, await app.rejectSubmission(params.id, body.reason)),
      change("rejectSubmission", "Refuse the page; the contact is told the reason", rejectBody),
    )
    .post(
      "/:id/retry",
      async ({ request, params }) => jsonAnswer(request, await app.retrySubmission(params.id)),
      act("retrySubmission", "Take a submission that ended up again"),
    );
};
