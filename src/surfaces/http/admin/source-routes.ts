import type { App } from "../../../app/app.ts";
import { jsonAnswer } from "../answers.ts";
import { noQuery } from "../schemas.ts";
import { forOperator, operated } from "./operated.ts";
import { healthSchema } from "./source-schemas.ts";

/** How the ways of looking fare. */
export const sourceRoutes = (app: App) =>
  operated(app, "sources").get("", async ({ request }) => jsonAnswer(request, await app.sourceHealth()), {
    query: noQuery,
    detail: forOperator("sourceHealth", "How each way of looking fared in the latest scans", healthSchema, []),
  });
