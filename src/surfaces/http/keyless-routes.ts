import { Elysia } from "elysia";
import type { App } from "../../app/app.ts";
import { jsonAnswer } from "./answers.ts";
import { described } from "./described.ts";
import { contextOf } from "./request-context.ts";
import { jsonBody } from "./request-guards.ts";
import { issuedKeySchema, keyBody, noQuery, statsSchema } from "./schemas.ts";

/** What anyone may ask: a key, and what is here. */
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
