import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import { openApiDetail } from "../http/openapi.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery } from "../http/schemas.ts";
import type { ModelService } from "./service.ts";

const text = t.Union([t.String(), t.Null()]);
const count = t.Union([t.Number(), t.Null()]);

const modelSchema = t.Object({
  name: t.String({ description: "`built-in` is the model included in Casefile." }),
  state: t.Union([t.Literal("used"), t.Literal("next"), t.Literal("idle"), t.Literal("damaged")], {
    description:
      "`used`: searches use it. `next`: chosen; a new index is being built with it. `damaged`: its manifest cannot be read, and the other fields are null.",
  }),
  id: t.Union([t.String(), t.Null()], { description: "Changes whenever the vectors change." }),
  description: text,
  dimensions: count,
  max_tokens: t.Union([t.Number(), t.Null()], { description: "Longer texts are truncated." }),
  size: t.Union([t.Number(), t.Null()], { description: "Total bytes of its files." }),
  licence: text,
});
const listSchema = t.Object({
  models: t.Array(modelSchema),
  total: Type.Integer(),
  next_cursor: t.Null(),
  progress: t.Union(
    [
      t.Object({
        model: t.String({ description: "The model to switch to." }),
        embedded: Type.Integer({ description: "Number of case studies embedded so far." }),
        of: Type.Integer(),
      }),
      t.Null(),
    ],
    { description: "The model migration running in this service; `null` if there is none." },
  ),
});
const named = t.Object({ name: t.String({ minLength: 1, maxLength: 100 }) });

interface RouteServices {
  readonly models: ModelService;
  readonly operator: Operator;
}

/** `/admin/models`. Only the command line can add a model, because that reads a local folder. */
export const modelRoutes = ({ models, operator }: RouteServices) =>
  withOperatorAuth({ operator }, "models")
    .get(
      "",
      async ({ request }) => {
        const found = await models.list();
        const progress = await models.progress();
        return jsonAnswer(request, { models: found, total: found.length, next_cursor: null, progress });
      },
      { query: noQuery, detail: forOperator("listModels", "List the embedding models", listSchema, []) },
    )
    .post(
      "/:name/use",
      async ({ request, params }) =>
        jsonAnswer(request, (await models.use(params.name, { inBackground: true })).model, 202),
      {
        params: named,
        query: noQuery,
        detail: openApiDetail(
          "useModel",
          "Use a model for searches; searches use the current one until the new index is built",
          "Operator",
          { status: 202, text: "Chosen.", schema: modelSchema },
          [401, 404, 422, 503],
          { scheme: "operator" },
        ),
      },
    );
