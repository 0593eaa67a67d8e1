import { Elysia, type t } from "elysia";
import type { ClientLimits } from "../../accounts/client-limits.ts";
import {
  authenticate,
  BODY_PROBLEMS,
  forKey,
  forOperator,
  withKeyAuth,
  withOperatorAuth,
  withQuota,
} from "../../accounts/http-auth.ts";
import type { Accounts, Operator } from "../../accounts/service.ts";
import { Failure } from "../../core/errors.ts";
import { openApiDetail } from "../../http/openapi.ts";
import { HttpRefusal } from "../../http/problems.ts";
import { contextOf, jsonBody, MAX_PAGE_BODY_BYTES, readJsonBody } from "../../http/requests.ts";
import { jsonAnswer } from "../../http/responses.ts";
import { noQuery, pageOf } from "../../http/schemas.ts";
import {
  mailListSchema,
  mailsQuery,
  readBody,
  readStudySchema,
  receiptSchema,
  rejectBody,
  submissionBody,
  submissionListSchema,
  submissionParam,
  submissionSchema,
  submissionsQuery,
  submitBody,
} from "./schemas.ts";
import { CRAWL_NETWORK, type IntakeService } from "./service.ts";
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

/** Reads a page as a crawl would, and stores nothing. */
export const readRoutes = ({ intake, accounts }: { intake: IntakeService; accounts: Accounts }) =>
  withKeyAuth({ accounts }, "read", "/v1/casestudies").post(
    "/read",
    ({ request, body: { content, encoding, name = "", url, company } }) =>
      withQuota({ accounts }, request, 1, async () => {
        const bytes = bytesOf(content, encoding);
        return jsonAnswer(request, await intake.tryPage({ bytes, name, url, company }, request.signal));
      }),
    {
      parse: [parsePage(accounts), "json"],
      body: readBody,
      query: noQuery,
      detail: forKey(
        "readCaseStudy",
        "Read the fields of a case study from a page that you send, at most 8 MiB; nothing is stored or requested",
        "Case studies",
        { text: "Each field with its value, sentence and confidence.", schema: readStudySchema },
        BODY_PROBLEMS,
      ),
    },
  );

/** Reads the body after the key is verified: it may be large. @throws Failure `key.invalid`, HttpRefusal */
const parsePage =
  (accounts: Accounts) =>
  async ({ request, route }: { request: Request; route: string }): Promise<unknown> => {
    contextOf(request).route = route;
    await authenticate(accounts, request);
    return await readJsonBody(request, MAX_PAGE_BODY_BYTES);
  };

/** A text is UTF-8, whatever it declares: the byte-order mark takes precedence. @throws HttpRefusal */
function bytesOf(content: string, encoding: "text" | "base64" = "text"): Uint8Array {
  if (encoding === "base64" && !/^[A-Za-z0-9+/]*={0,2}$/.test(content)) {
    const detail = "Give base64 without line breaks.";
    throw new HttpRefusal("request.invalid", `Correct /content: ${detail}`, {
      problems: [{ pointer: "/content", detail }],
    });
  }
  const bytes = Buffer.from(content, encoding === "base64" ? "base64" : "utf8");
  if (bytes.byteLength > CRAWL_NETWORK.pageBytes)
    throw new HttpRefusal("request.too_large", `The page is larger than ${CRAWL_NETWORK.pageBytes / 1_048_576} MiB.`);
  return encoding === "base64" ? bytes : Buffer.concat([Buffer.from("\uFEFF"), bytes]);
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
