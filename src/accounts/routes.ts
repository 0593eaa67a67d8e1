import { Type } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import { receiptView } from "../casestudies/intake/view.ts";
import type { Services } from "../compose.ts";
import { Failure } from "../core/errors.ts";
import { openApiDetail } from "../http/openapi.ts";
import { contextOf, jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import {
  closed,
  issuedKeySchema,
  keyBody,
  keyEntrySchema,
  keyListSchema,
  noQuery,
  pageOf,
  pageQuery,
  receiptSchema,
  statsSchema,
  submitBody,
} from "../http/schemas.ts";
import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "./http-auth.ts";

/** What anyone may ask: a key, to be indexed, and what is here. */
export const keylessRoutes = (app: Services) =>
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
        detail: openApiDetail(
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
        return jsonAnswer(request, receiptView(await addressed(() => app.intake.submit(body))), 202);
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
    )
    .get("/stats", async ({ request }) => jsonAnswer(request, await app.health.stats()), {
      query: noQuery,
      detail: openApiDetail(
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

const which = t.Object({
  key: t.String({ minLength: 1, maxLength: 320, description: "Id of the key, or its address." }),
});
const limitBody = t.Object(
  { monthly_limit: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }) },
  { ...closed, title: "KeyLimit" },
);

/** What the operator does with keys. */
export const keyRoutes = (app: Services) =>
  withOperatorAuth(app, "keys")
    .get("", async ({ request, query }) => jsonAnswer(request, await app.accounts.list(pageOf(query))), {
      query: t.Object(pageQuery, closed),
      detail: forOperator("listKeys", "List all keys, oldest first", keyListSchema, []),
    })
    .delete("/:key", async ({ request, params }) => jsonAnswer(request, await app.accounts.revoke(params.key)), {
      params: which,
      query: noQuery,
      detail: forOperator("revokeKey", "End a key at once", keyEntrySchema, [404]),
    })
    .post("/:key/reissue", async ({ request, params }) => jsonAnswer(request, await app.accounts.reissue(params.key)), {
      params: which,
      query: noQuery,
      detail: forOperator("reissueKey", "End a key and issue a new one", issuedKeySchema, [404]),
    })
    .patch(
      "/:key",
      async ({ request, params, body }) =>
        jsonAnswer(request, await app.accounts.setLimit(params.key, body.monthly_limit)),
      {
        params: which,
        query: noQuery,
        parse: jsonBody,
        body: limitBody,
        detail: forOperator("limitKey", "Set a key's monthly limit", keyEntrySchema, [404, ...BODY_PROBLEMS]),
      },
    );
