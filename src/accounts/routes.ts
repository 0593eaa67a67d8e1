import { Elysia, t } from "elysia";
import { openApiDetail } from "../http/openapi.ts";
import { contextOf, jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { closed, noQuery, pageOf, pageQuery } from "../http/schemas.ts";
import type { ClientLimits } from "./client-limits.ts";
import { accountOf, BODY_PROBLEMS, forKey, forOperator, withKeyAuth, withOperatorAuth } from "./http-auth.ts";
import { issuedKeySchema, keyBody, keyEntrySchema, keyLimitBody, keyListSchema, keyParam } from "./schemas.ts";
import type { Accounts, Operator } from "./service.ts";

interface AccountServices {
  readonly accounts: Accounts;
  readonly clientLimits: ClientLimits;
  readonly operator: Operator;
}

/** Anyone may get a key; the operator lists, limits and revokes them. */
export const accountRoutes = ({ accounts, clientLimits, operator }: AccountServices) =>
  new Elysia({ name: "accounts" })
    .post(
      "/v1/keys",
      async ({ body, request }) => {
        await clientLimits.take(contextOf(request).client);
        return jsonAnswer(request, await accounts.signUp(body.email), 201);
      },
      {
        parse: jsonBody,
        body: keyBody,
        query: noQuery,
        detail: openApiDetail(
          "issueKey",
          "Issue an API key",
          "Keys",
          { status: 201, text: "The key, shown only once.", schema: issuedKeySchema },
          [400, 403, 406, 409, 413, 415, 422, 429, 503],
        ),
      },
    )
    .use(
      withKeyAuth({ accounts }, "key rotation", "/v1/keys").post(
        "/rotate",
        async ({ request }) => {
          // Each rotation stores a row.
          await clientLimits.take(contextOf(request).client);
          return jsonAnswer(request, await accounts.rotate(accountOf(request)));
        },
        {
          parse: "none",
          query: noQuery,
          detail: forKey("rotateKey", "Replace the API key by a new one with the same limit and usage", "Keys", {
            text: "The new key, shown only once. The previous one no longer works.",
            schema: issuedKeySchema,
          }),
        },
      ),
    )
    .use(
      withOperatorAuth({ operator }, "keys")
        .get("", async ({ request, query }) => jsonAnswer(request, await accounts.list(pageOf(query))), {
          query: t.Object(pageQuery, closed),
          detail: forOperator("listKeys", "List all keys, oldest first", keyListSchema, []),
        })
        .delete("/:key", async ({ request, params }) => jsonAnswer(request, await accounts.revoke(params.key)), {
          params: keyParam,
          query: noQuery,
          detail: forOperator("revokeKey", "Revoke a key", keyEntrySchema, [404]),
        })
        .post("/:key/reissue", async ({ request, params }) => jsonAnswer(request, await accounts.reissue(params.key)), {
          params: keyParam,
          query: noQuery,
          detail: forOperator("reissueKey", "Revoke a key and issue a new one", issuedKeySchema, [404]),
        })
        .patch(
          "/:key",
          async ({ request, params, body }) =>
            jsonAnswer(request, await accounts.setLimit(params.key, body.monthly_limit)),
          {
            params: keyParam,
            query: noQuery,
            parse: jsonBody,
            body: keyLimitBody,
            detail: forOperator("limitKey", "Set the monthly limit of a key", keyEntrySchema, [404, ...BODY_PROBLEMS]),
          },
        ),
    );
