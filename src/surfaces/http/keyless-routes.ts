import { Elysia } from "elysia";
import type { App } from "../../app/app.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { receiptView } from "../intake-view.ts";
import { jsonAnswer } from "./answers.ts";
import { described } from "./described.ts";
import { contextOf } from "./request-context.ts";
import { jsonBody } from "./request-guards.ts";
import { issuedKeySchema, keyBody, noQuery, receiptSchema, statsSchema, submitBody } from "./schemas.ts";

/** What anyone may ask: a key, to be indexed, and what is here. */
export const keylessRoutes = (app: App) =>
  new Elysia({ name: "keyless", prefix: "/v1" })
    .post(
      "/keys",
      async ({ body, request }) => {
        app.clientLimits.take(contextOf(request).client);
        return jsonAnswer(request, await app.accounts.issue(body.email), 201);
      },
      {
        parse: jsonBody,
        body: keyBody,
        query: noQuery,
        detail: described(
          "issueKey",
          "Issue an API key",
          "Keys",
          { status: 201, text: "The key, shown this once.", schema: issuedKeySchema },
          [400, 406, 409, 413, 415, 422, 429, 503],
        ),
      },
    )
    .post(
      "/submit",
      async ({ body, request }) => {
        app.clientLimits.take(contextOf(request).client);
        return jsonAnswer(request, receiptView(await addressed(() => app.submit(body))), 202);
      },
      {
        parse: jsonBody,
        body: submitBody,
        query: noQuery,
        detail: described(
          "submitCaseStudies",
          "Submit a company's case-study page to be reviewed, crawled and indexed",
          "Submissions",
          { status: 202, text: "Received; while it is pending the same page has the same id.", schema: receiptSchema },
          [400, 406, 413, 415, 422, 429, 503],
        ),
      },
    )
    .get("/stats", async ({ request }) => jsonAnswer(request, await app.stats()), {
      query: noQuery,
      detail: described(
        "getStats",
        "Count what is here",
        "Service",
        { status: 200, text: "Counts.", schema: statsSchema },
        [406, 422, 503],
      ),
    });

/** Of several fields a caller wants to know which: a refused address points at its own. */
async function addressed<T>(submit: () => Promise<T>): Promise<T> {
  try {
    return await submit();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "email.invalid" || error.details.problems) throw error;
    const problems = [{ pointer: "/contact_email", detail: error.advice }];
    throw new Failure(error.code, error.advice, { ...error.details, problems });
  }
}
