import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Services } from "../compose.ts";
import { openApiDetail } from "../http/openapi.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery } from "../http/schemas.ts";

const text = t.Union([t.String(), t.Null()]);
const count = t.Union([t.Number(), t.Null()]);

const modelSchema = t.Object({
  name: t.String({ description: "`built-in` comes with the program." }),
  state: t.Union([t.Literal("used"), t.Literal("next"), t.Literal("idle"), t.Literal("damaged")], {
    description:
      "`used`: searches go by its vectors. `next`: chosen, and everything is being embedded with it. `damaged`: it cannot be read, and the rest is null.",
  }),
  id: t.Union([t.String(), t.Null()], { description: "Changes whenever its vectors would." }),
  description: text,
  dimensions: count,
  max_tokens: t.Union([t.Number(), t.Null()], { description: "Longer texts are cut." }),
  size: t.Union([t.Number(), t.Null()], { description: "Bytes of all its files." }),
  licence: text,
});
const listSchema = t.Object({
  models: t.Array(modelSchema),
  total: Type.Integer(),
  next_cursor: t.Null(),
  progress: t.Union(
    [
      t.Object({
        model: t.String({ description: "Takes over when it is done." }),
        embedded: Type.Integer({ description: "Case studies so far." }),
        of: Type.Integer(),
      }),
      t.Null(),
    ],
    { description: "How far this service embeds everything anew; `null` when it does not." },
  ),
});
const named = t.Object({ name: t.String({ minLength: 1, maxLength: 100 }) });

/** The models that searches can use. Adding one reads a folder of the machine, which is the command line's alone. */
export const modelRoutes = (app: Services) =>
  withOperatorAuth(app, "models")
    .get(
      "",
      async ({ request }) => {
        const models = await app.models.list();
        const progress = await app.models.progress();
        return jsonAnswer(request, { models, total: models.length, next_cursor: null, progress });
      },
      { query: noQuery, detail: forOperator("listModels", "List the embedding models", listSchema, []) },
    )
    .post(
      "/:name/use",
      async ({ request, params }) =>
        jsonAnswer(request, (await app.models.use(params.name, { leave: true })).model, 202),
      {
        params: named,
        query: noQuery,
        detail: openApiDetail(
          "useModel",
          "Search with a model, once everything is embedded with it; searches go on with the former one meanwhile",
          "Operator",
          { status: 202, text: "Chosen.", schema: modelSchema },
          [401, 404, 422, 503],
          { scheme: "operator" },
        ),
      },
    );
