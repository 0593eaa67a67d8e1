import type { App } from "../../../app/app.ts";
import { jsonAnswer } from "../answers.ts";
import { noQuery } from "../schemas.ts";
import {
  explanationSchema,
  toolListSchema,
  toolParam,
  toolsQuery,
  unknownQuery,
  unknownSchema,
} from "./fingerprint-schemas.ts";
import { forOperator, operated } from "./operated.ts";
import { pageOf } from "./shapes.ts";

/** The rules by which tools are told, and what scans saw that no rule knows. */
export const fingerprintRoutes = (app: App) =>
  operated(app, "fingerprints")
    .get(
      "",
      async ({ request, query: { q, ...page } }) =>
        jsonAnswer(request, await app.findTools(q === undefined ? {} : { q }, pageOf(page))),
      {
        query: toolsQuery,
        detail: forOperator("listFingerprints", "List the tools that can be told, by name", toolListSchema, []),
      },
    )
    .get(
      "/unknown",
      async ({ request, query: { kind, limit = "20" } }) =>
        jsonAnswer(request, {
          unknown: await app.unknownSignals({ limit: Number(limit), ...(kind ? { kind } : {}) }),
        }),
      {
        query: unknownQuery,
        detail: forOperator("listUnknown", "What scans saw and no rule knows, most companies first", unknownSchema, []),
      },
    )
    .get("/:tool", async ({ request, params }) => jsonAnswer(request, await app.explainTool(params.tool)), {
      params: toolParam,
      query: noQuery,
      detail: forOperator("explainFingerprint", "A tool's rules, and where it was told last", explanationSchema, [404]),
    });
