import { Elysia, type t } from "elysia";
import type { ClientLimits } from "../../accounts/client-limits.ts";
import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../../accounts/http-auth.ts";
import type { Operator } from "../../accounts/service.ts";
import { Failure } from "../../core/errors.ts";
import { openApiDetail } from "../../http/openapi.ts";
import { contextOf, jsonBody } from "../../http/requests.ts";
import { jsonAnswer } from "../../http/responses.ts";
import { noQuery, pageOf } from "../../http/schemas.ts";
import {
  mailListSchema,
  mailsQuery,
  receiptSchema,
  rejectBody,
  submissionBody,
  submissionListSchema,
  submissionParam,
  submissionSchema,
  submissionsQuery,
  submitBody,
} from "./schemas.ts";
import type { IntakeService } from "./service.ts";
import { emailsView, receiptView } from "./view.ts";

/** Anyone may submit a case-study page. */
export const submitRoutes = ({ intake, clientLimits }: { intake: IntakeService; clientLimits: ClientLimits }) =>
  new Elysia({ name: "submit", prefix: "/v1" }).post(
    "/submit",
    async ({ body, request }) => {
      await clientLimits.take(contextOf(request).client);
      return jsonAnswer(request, receiptView(await withEmailPointer(intake.submit(body))), 202);
    },
    {
      parse: jsonBody,
      body: submitBody,
      query: noQuery,
      detail: openApiDetail(
        "submitCaseStudies",
        "Submit a company's case-study page for review, crawling and indexing",
        "Submissions",
        { status: 202, text: "Received. While it is pending, the same page has the same id.", schema: receiptSchema },
        [400, 406, 413, 415, 422, 429, 503],
      ),
    },
  );

/** Adds the pointer of the field to a refused email address. */
async function withEmailPointer<T>(submitting: Promise<T>): Promise<T> {
  try {
    return await submitting;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "email.invalid" || error.details.problems) throw error;
    const problems = [{ pointer: "/contact_email", detail: error.message }];
    throw new Failure(error.code, error.message, { ...error.details, problems });
  }
}

/** The operator reviews submissions. */
export const submissionRoutes = ({ intake, operator }: { intake: IntakeService; operator: Operator }) => {
  const action = (operationId: string, summary: string) => ({
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

  return withOperatorAuth({ operator }, "submissions")
    .get(
      "",
      async ({ request, query: { state, ...page } }) =>
        jsonAnswer(request, await intake.listSubmissions({ state }, pageOf(page))),
      {
        query: submissionsQuery,
        detail: forOperator("listSubmissions", "List submissions, newest first", submissionListSchema, []),
      },
    )
    .get("/:id", async ({ request, params }) => jsonAnswer(request, await intake.getSubmission(params.id)), {
      params: submissionParam,
      query: noQuery,
      detail: forOperator("getSubmission", "Get a submission with its preview", submissionSchema, [404]),
    })
    .patch(
      "/:id",
      async ({ request, params, body }) => jsonAnswer(request, await intake.editSubmission(params.id, body)),
      change("editSubmission", "Edit the company of a submission", submissionBody),
    )
    .post(
      "/:id/approve",
      async ({ request, params }) => jsonAnswer(request, await intake.approveSubmission(params.id)),
      action("approveSubmission", "Approve a submission and crawl its page"),
    )
    .post(
      "/:id/reject",
      async ({ request, params, body }) => jsonAnswer(request, await intake.rejectSubmission(params.id, body.reason)),
      change("rejectSubmission", "Reject a submission; the reason is sent to the contact", rejectBody),
    )
    .post(
      "/:id/retry",
      async ({ request, params }) => jsonAnswer(request, await intake.retrySubmission(params.id)),
      action("retrySubmission", "Retry a submission that is available, rejected or failed"),
    );
};

/** Emails to the contacts of submissions. */
export const emailRoutes = ({ intake, operator }: { intake: IntakeService; operator: Operator }) =>
  withOperatorAuth({ operator }, "mails").get(
    "",
    async ({ request, query: { limit, cursor, ...filter } }) =>
      jsonAnswer(request, emailsView(await intake.listEmails(filter, pageOf({ limit, cursor })))),
    {
      query: mailsQuery,
      detail: forOperator("listMails", "List emails to contacts, newest first", mailListSchema, []),
    },
  );
