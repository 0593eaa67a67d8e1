import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../../accounts/http-auth.ts";
import type { Services } from "../../compose.ts";
import { jsonBody } from "../../http/requests.ts";
import { jsonAnswer } from "../../http/responses.ts";
import { closed, noQuery, pageOf, pageQuery } from "../../http/schemas.ts";
import { explanationSchema, toolListSchema, toolParam, toolsQuery, unknownQuery, unknownSchema } from "./schemas.ts";

/** The rules by which tools are told, and what scans saw that no rule knows. */
export const fingerprintRoutes = (app: Services) =>
  withOperatorAuth(app, "fingerprints")
    .get(
      "",
      async ({ request, query: { q, ...page } }) =>
        jsonAnswer(request, await app.fingerprints.findTools(q === undefined ? {} : { q }, pageOf(page))),
      {
        query: toolsQuery,
        detail: forOperator("listFingerprints", "List the tools that can be told, by name", toolListSchema, []),
      },
    )
    .get(
      "/unknown",
      async ({ request, query: { kind, limit = "20" } }) =>
        jsonAnswer(request, {
          unknown: await app.fingerprints.unmatchedSignals({ limit: Number(limit), ...(kind ? { kind } : {}) }),
        }),
      {
        query: unknownQuery,
        detail: forOperator("listUnknown", "What scans saw and no rule knows, most companies first", unknownSchema, []),
      },
    )
    .get(
      "/:tool",
      async ({ request, params }) => jsonAnswer(request, await app.fingerprints.explainTool(params.tool)),
      {
        params: toolParam,
        query: noQuery,
        detail: forOperator(
          "explainFingerprint",
          "A tool's rules, and where it was told last",
          explanationSchema,
          [404],
        ),
      },
    );

const domain = t.String({ minLength: 1, maxLength: 253, description: "As people paste it." });
const tool = t.String({ minLength: 1, maxLength: 120, description: "Name or id of the tool." });
const feedbackBody = t.Object(
  { domain, tool, note: t.Optional(t.String({ maxLength: 1_000, description: "For whoever mends the rule." })) },
  closed,
);
const feedbackParam = t.Object({ domain, tool });
const feedbackSchema = t.Object({
  domain: t.String(),
  tool_id: t.String(),
  tool: t.String(),
  rules: t.Array(t.String({ description: "TOOL/RULE: tells the tool no more of this domain." })),
  note: t.Union([t.String(), t.Null()]),
  reported_at: t.String({ format: "date-time" }),
});
const feedbackListSchema = t.Object({
  feedback: t.Array(feedbackSchema),
  total: Type.Integer(),
  next_cursor: t.Union([t.String(), t.Null()]),
});

/** Tools that were told of a company and are not there. */
export const feedbackRoutes = (app: Services) =>
  withOperatorAuth(app, "feedback")
    .get("", async ({ request, query }) => jsonAnswer(request, await app.fingerprints.falsePositives(pageOf(query))), {
      query: t.Object(pageQuery, closed),
      detail: forOperator("listFeedback", "List false-positive reports, newest first", feedbackListSchema, []),
    })
    .post("", async ({ request, body }) => jsonAnswer(request, await app.fingerprints.reportFalsePositive(body)), {
      query: noQuery,
      parse: jsonBody,
      body: feedbackBody,
      detail: forOperator("reportFalse", "Tell a tool no more of a domain by what told it", feedbackSchema, [
        404,
        ...BODY_PROBLEMS,
      ]),
    })
    .delete(
      "/:domain/:tool",
      async ({ request, params }) =>
        jsonAnswer(request, await app.fingerprints.withdrawFalsePositive(params.domain, params.tool)),
      {
        params: feedbackParam,
        query: noQuery,
        detail: forOperator("takeBackFeedback", "Take a false-positive report back", feedbackSchema, [404]),
      },
    );
