import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import type { App } from "../../../app/app.ts";
import { jsonAnswer } from "../answers.ts";
import { jsonBody } from "../request-guards.ts";
import { noQuery } from "../schemas.ts";
import { BODY_PROBLEMS, forOperator, operated } from "./operated.ts";
import { closed, pageOf, pageQuery } from "./schemas.ts";

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
export const feedbackRoutes = (app: App) =>
  operated(app, "feedback")
    .get("", async ({ request, query }) => jsonAnswer(request, await app.falseReports(pageOf(query))), {
      query: t.Object(pageQuery, closed),
      detail: forOperator("listFeedback", "List false-positive reports, newest first", feedbackListSchema, []),
    })
    .post("", async ({ request, body }) => jsonAnswer(request, await app.reportFalse(body)), {
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
      async ({ request, params }) => jsonAnswer(request, await app.takeBackFalseReport(params.domain, params.tool)),
      {
        params: feedbackParam,
        query: noQuery,
        detail: forOperator("takeBackFeedback", "Take a false-positive report back", feedbackSchema, [404]),
      },
    );
