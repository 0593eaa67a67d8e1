import { Type } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import type { App } from "../../app/app.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { jsonAnswer } from "./answers.ts";
import { described } from "./described.ts";
import { jsonBody } from "./request-guards.ts";
import { issuedKeySchema, keyEntrySchema, keyListSchema, noQuery, wholeNumber } from "./schemas.ts";

const which = t.Object({
  key: t.String({ minLength: 1, maxLength: 320, description: "Id of the key, or its address." }),
});
const listQuery = t.Object(
  {
    limit: t.Optional(
      wholeNumber({
        minimum: 1,
        maximum: 100,
        pattern: "^([1-9]\\d?|100)$",
        description: "Keys on one page. Default 20.",
      }),
    ),
    cursor: t.Optional(t.String({ maxLength: 200, description: "`next_cursor` of the page before." })),
  },
  { additionalProperties: false },
);
const limitBody = t.Object(
  { monthly_limit: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }) },
  { additionalProperties: false },
);

/** What the operator does with keys; each is a command too. */
export const adminRoutes = (app: App) => {
  const detail = (id: string, summary: string, schema: Parameters<typeof described>[3]["schema"], problems: number[]) =>
    described(id, summary, "Operator", { status: 200, text: "Done.", schema }, [401, 422, 503, ...problems], {
      scheme: "operator",
    });

  return new Elysia({ name: "admin", prefix: "/admin" })
    .derive(async ({ request }) => {
      const token = /^Bearer (\S{1,200})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
      if (!(await app.operator.verifyOperatorToken(token))) {
        throw new Failure("operator.invalid", "Send the operator token as `Authorization: Bearer`.");
      }
      return {};
    })
    .get(
      "/keys",
      async ({ request, query }) => {
        const page = await app.accounts.list({
          limit: Number(query.limit ?? 20),
          ...(query.cursor ? { after: query.cursor } : {}),
        });
        return jsonAnswer(request, { keys: page.keys, total: page.total, next_cursor: page.next });
      },
      { query: listQuery, detail: detail("listKeys", "List all keys, oldest first", keyListSchema, []) },
    )
    .delete("/keys/:key", async ({ request, params }) => jsonAnswer(request, await app.accounts.revoke(params.key)), {
      params: which,
      query: noQuery,
      detail: detail("revokeKey", "End a key at once", keyEntrySchema, [404]),
    })
    .post(
      "/keys/:key/reissue",
      async ({ request, params }) => jsonAnswer(request, await app.accounts.reissue(params.key)),
      {
        params: which,
        query: noQuery,
        detail: detail("reissueKey", "End a key and issue a new one", issuedKeySchema, [404]),
      },
    )
    .patch(
      "/keys/:key",
      async ({ request, params, body }) =>
        jsonAnswer(request, await app.accounts.setLimit(params.key, body.monthly_limit)),
      {
        params: which,
        query: noQuery,
        parse: jsonBody,
        body: limitBody,
        detail: detail("limitKey", "Set a key's monthly limit", keyEntrySchema, [400, 404, 413, 415]),
      },
    );
};
