import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import { jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { closed, maybeInstant, noQuery, oneOf, pageOf, pageQuery, text } from "../http/schemas.ts";
import type { OptOutService } from "./opt-outs.ts";

interface RouteServices {
  readonly optOuts: OptOutService;
  readonly operator: Operator;
}

const pattern = t.String({
  minLength: 1,
  maxLength: 300,
  description: "A domain, or a pattern with stars such as `*.acme.example` or `acme.*`. It covers all subdomains.",
});
const optOutSchema = t.Object({
  pattern,
  note: text,
  created_at: maybeInstant,
  source: oneOf(["list", "file"]),
});
const listSchema = t.Object({ opt_outs: t.Array(optOutSchema), total: Type.Integer(), next_cursor: text });
const optOutBody = t.Object(
  { pattern, note: t.Optional(t.String({ maxLength: 1_000, description: "Who asked, and when." })) },
  closed,
);

/** Domains from which nothing is requested. */
export const optOutRoutes = (services: RouteServices) =>
  withOperatorAuth(services, "opt-outs")
    .get("", async ({ request, query }) => jsonAnswer(request, await services.optOuts.list(pageOf(query))), {
      query: t.Object(pageQuery, closed),
      detail: forOperator("listOptOuts", "List the domains from which nothing is requested", listSchema, []),
    })
    .post("", async ({ request, body }) => jsonAnswer(request, await services.optOuts.add(body.pattern, body.note)), {
      query: noQuery,
      parse: jsonBody,
      body: optOutBody,
      detail: forOperator(
        "addOptOut",
        "Request nothing from a domain and its subdomains any more",
        optOutSchema,
        BODY_PROBLEMS,
      ),
    })
    .delete(
      "/:pattern",
      async ({ request, params }) => jsonAnswer(request, await services.optOuts.remove(params.pattern)),
      {
        params: t.Object({ pattern }),
        query: noQuery,
        detail: forOperator("removeOptOut", "Allow requests to a domain again", optOutSchema, [404]),
      },
    );
