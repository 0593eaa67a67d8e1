import { Elysia, type t } from "elysia";
import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../../accounts/http-auth.ts";
import type { Services } from "../../compose.ts";
import { Failure } from "../../core/errors.ts";
import { openApiDetail } from "../../http/openapi.ts";
import { contextOf, jsonBody } from "../../http/requests.ts";
import { jsonAnswer } from "../../http/responses.ts";
import { noQuery, pageOf } from "../../http/schemas.ts";
import { studyParam } from "../schemas.ts";
import {
  correctedParam,
  correctionBody,
  mailListSchema,
  mailsQuery,
  receiptSchema,
  rejectBody,
  reviewQuery,
  reviewSchema,
  studyDetailSchema,
  submissionBody,
  submissionListSchema,
  submissionParam,
  submissionSchema,
  submissionsQuery,
  submitBody,
} from "./schemas.ts";
import { emailsView, receiptView, reviewedView, studyDetailView } from "./view.ts";

/** Anyone may submit a page with case studies. */
export const submitRoutes = ({ intake, clientLimits }: Pick<Services, "intake" | "clientLimits">) =>
  new Elysia({ name: "submit" }).post(
    "/v1/submit",
    async ({ body, request }) => {
      clientLimits.take(contextOf(request).client);
      const submission = await intake.submit(body).catch((error) => {
        throw atContactEmail(error);
      });
      return jsonAnswer(request, receiptView(submission), 202);
    },
    {
      parse: jsonBody,
      body: submitBody,
      query: noQuery,
      detail: openApiDetail(
        "submitCaseStudies",
        "Submit a company's case-study page to be reviewed, crawled and indexed",
        "Submissions",
        { status: 202, text: "Received; while it is pending the same page has the same id.", schema: receiptSchema },
        [400, 406, 413, 415, 422, 429, 503],
      ),
    },
  );

/** Points a refused email address at its field. */
function atContactEmail(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== "email.invalid" || error.details.problems) return error;
  const problems = [{ pointer: "/contact_email", detail: error.advice }];
  return new Failure(error.code, error.advice, { ...error.details, problems });
}

/** The review of what vendors submitted. */
export const submissionRoutes = (app: Services) => {
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

  return withOperatorAuth(app, "submissions")
    .get(
      "",
      async ({ request, query: { state, ...page } }) =>
        jsonAnswer(request, await app.intake.listSubmissions(state ? { state } : {}, pageOf(page))),
      {
        query: submissionsQuery,
        detail: forOperator("listSubmissions", "List submissions, newest first", submissionListSchema, []),
      },
    )
    .get("/:id", async ({ request, params }) => jsonAnswer(request, await app.intake.getSubmission(params.id)), {
      params: submissionParam,
      query: noQuery,
      detail: forOperator("getSubmission", "One submission with its preview", submissionSchema, [404]),
    })
    .patch(
      "/:id",
      async ({ request, params, body }) => jsonAnswer(request, await app.intake.editSubmission(params.id, body)),
      change("editSubmission", "Correct what will be known of the company", submissionBody),
    )
    .post(
      "/:id/approve",
      async ({ request, params }) => jsonAnswer(request, await app.intake.approveSubmission(params.id)),
      act("approveSubmission", "Let the page be crawled"),
    )
    .post(
      "/:id/reject",
      async ({ request, params, body }) =>
        jsonAnswer(request, await app.intake.rejectSubmission(params.id, body.reason)),
      change("rejectSubmission", "Refuse the page; the contact is told the reason", rejectBody),
    )
    .post(
      "/:id/retry",
      async ({ request, params }) => jsonAnswer(request, await app.intake.retrySubmission(params.id)),
      act("retrySubmission", "Take a submission that ended up again"),
    );
};

/** Case studies with what stands behind each field, and how they are corrected. */
export const correctionRoutes = (app: Services) =>
  withOperatorAuth(app, "casestudies")
    .get(
      "",
      async ({ request, query: { limit, cursor, corrected, ...filter } }) => {
        const { case_studies, ...page } = await app.caseStudies.reviewStudies(
          { ...filter, ...(corrected ? { corrected: corrected === "yes" } : {}) },
          pageOf({ limit, cursor }),
        );
        return jsonAnswer(request, { case_studies: case_studies.map(reviewedView), ...page });
      },
      {
        query: reviewQuery,
        detail: forOperator("reviewCaseStudies", "List case studies to review", reviewSchema, []),
      },
    )
    .get(
      "/:id",
      async ({ request, params }) => jsonAnswer(request, studyDetailView(await app.intake.studyDetail(params.id))),
      {
        params: studyParam,
        query: noQuery,
        detail: forOperator("inspectCaseStudy", "A case study and where each field is from", studyDetailSchema, [404]),
      },
    )
    .patch(
      "/:id",
      async ({ request, params, body }) =>
        jsonAnswer(request, studyDetailView(await app.intake.correctStudy(params.id, body))),
      {
        params: studyParam,
        query: noQuery,
        parse: jsonBody,
        body: correctionBody,
        detail: forOperator(
          "correctCaseStudy",
          "Correct fields; what is corrected holds whatever a later crawl reads",
          studyDetailSchema,
          [404, ...BODY_PROBLEMS],
        ),
      },
    )
    .delete(
      "/:id/corrections/:field",
      async ({ request, params: { id, field } }) =>
        jsonAnswer(request, studyDetailView(await app.intake.takeBackCorrection(id, field))),
      {
        params: correctedParam,
        query: noQuery,
        detail: forOperator(
          "takeBackCorrection",
          "Let a field say again what it said before it was corrected",
          studyDetailSchema,
          [404],
        ),
      },
    )
    .delete(
      "/:id",
      async ({ params }) => {
        await app.intake.removeStudy(params.id);
        return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
      },
      {
        params: studyParam,
        query: noQuery,
        detail: forOperator("removeCaseStudy", "Remove a case study; its page stays refused", undefined, [404]),
      },
    );

/** What contacts were told, or wait to be told. */
export const emailRoutes = (app: Services) =>
  withOperatorAuth(app, "mails").get(
    "",
    async ({ request, query: { limit, cursor, ...filter } }) =>
      jsonAnswer(request, emailsView(await app.intake.listMails(filter, pageOf({ limit, cursor })))),
    {
      query: mailsQuery,
      detail: forOperator("listMails", "List mails to contacts, newest first", mailListSchema, []),
    },
  );
