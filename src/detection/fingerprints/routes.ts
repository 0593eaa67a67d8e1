import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../../accounts/http-auth.ts";
import type { Operator } from "../../accounts/service.ts";
import { jsonBody } from "../../http/requests.ts";
import { jsonAnswer } from "../../http/responses.ts";
import { closed, instant, noQuery, pageOf, pageQuery, text } from "../../http/schemas.ts";
import { explanationSchema, toolListSchema, toolParam, toolsQuery, unknownQuery, unknownSchema } from "./schemas.ts";
import type { FingerprintService } from "./service.ts";

interface FingerprintRouteServices {
  readonly fingerprints: FingerprintService;
  readonly operator: Operator;
}

/** Tools with their rules, and unmatched signals. */
export const fingerprintRoutes = (services: FingerprintRouteServices) =>
  withOperatorAuth(services, "fingerprints")
    .get(
      "",
      async ({ request, query: { q, ...page } }) =>
        jsonAnswer(request, await services.fingerprints.list({ q }, pageOf(page))),
      {
        query: toolsQuery,
        detail: forOperator("listFingerprints", "List the tools that can be detected, by name", toolListSchema, []),
      },
    )
    .get(
      "/unknown",
      async ({ request, query: { kind, limit = "20" } }) =>
        jsonAnswer(request, {
          unknown: await services.fingerprints.unmatchedSignals({ kind, limit: Number(limit) }),
        }),
      {
        query: unknownQuery,
        detail: forOperator("listUnknown", "List unmatched signals of scans, most companies first", unknownSchema, []),
      },
    )
    .get(
      "/:tool",
      async ({ request, params }) => jsonAnswer(request, await services.fingerprints.explain(params.tool)),
      {
        params: toolParam,
        query: noQuery,
        detail: forOperator(
          "explainFingerprint",
          "Show a tool's rules and its newest detections",
          explanationSchema,
          [404],
        ),
      },
    );

const domain = t.String({ minLength: 1, maxLength: 253, description: "Company domain, also as a URL." });
const tool = t.String({ minLength: 1, maxLength: 120, description: "Name or id of the tool." });
const feedbackBody = t.Object(
  {
    domain,
    tool,
    note: t.Optional(t.String({ maxLength: 1_000, description: "Note for the maintainer of the rule." })),
  },
  closed,
);
const feedbackParam = t.Object({ domain, tool });
const feedbackSchema = t.Object({
  domain: t.String(),
  tool_id: t.String(),
  tool: t.String(),
  rules: t.Array(t.String({ description: "TOOL/RULE, suppressed for this domain." })),
  note: text,
  reported_at: instant,
});
const feedbackListSchema = t.Object({ feedback: t.Array(feedbackSchema), total: Type.Integer(), next_cursor: text });

/** Reported false positives. */
export const feedbackRoutes = (services: FingerprintRouteServices) =>
  withOperatorAuth(services, "feedback")
    .get(
      "",
      async ({ request, query }) => jsonAnswer(request, await services.fingerprints.falsePositives(pageOf(query))),
      {
        query: t.Object(pageQuery, closed),
        detail: forOperator("listFeedback", "List reported false positives, newest first", feedbackListSchema, []),
      },
    )
    .post("", async ({ request, body }) => jsonAnswer(request, await services.fingerprints.reportFalsePositive(body)), {
      query: noQuery,
      parse: jsonBody,
      body: feedbackBody,
      detail: forOperator("reportFalse", "Report a false positive and suppress its rules", feedbackSchema, [
        404,
        ...BODY_PROBLEMS,
      ]),
    })
    .delete(
      "/:domain/:tool",
      async ({ request, params }) =>
        jsonAnswer(request, await services.fingerprints.withdrawFalsePositive(params.domain, params.tool)),
      {
        params: feedbackParam,
        query: noQuery,
        detail: forOperator("takeBackFeedback", "Withdraw a reported false positive", feedbackSchema, [404]),
      },
    );
