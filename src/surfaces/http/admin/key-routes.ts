import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import type { App } from "../../../app/app.ts";
import { jsonAnswer } from "../answers.ts";
import { jsonBody } from "../request-guards.ts";
import { issuedKeySchema, keyEntrySchema, keyListSchema, noQuery } from "../schemas.ts";
import { BODY_PROBLEMS, forOperator, operated } from "./operated.ts";
import { closed } from "./schemas.ts";
import { pageOf, pageQuery } from "./shapes.ts";

const which = t.Object({
  key: t.String({ minLength: 1, maxLength: 320, description: "Id of the key, or its address." }),
});
const limitBody = t.Object(
  { monthly_limit: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }) },
  { ...closed, title: "KeyLimit" },
);

/** What the operator does with keys. */
export const keyRoutes = (app: App) =>
  operated(app, "keys")
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
