import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../accounts/http-auth.ts";
import type { Operator } from "../accounts/service.ts";
import { jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { closed, instant, maybeInstant, noQuery, oneOf, pageOf, pageQuery, text } from "../http/schemas.ts";
import type { OptOutService } from "./opt-outs.ts";
import type { PrivacyService } from "./stored-data.ts";

interface PrivacyServices {
  readonly privacy: PrivacyService;
  readonly operator: Operator;
}

const subject = t.String({ minLength: 1, maxLength: 300, description: "A domain, or an email address." });
const kind = oneOf(["domain", "email"]);
const references = t.Array(
  t.Object({ case_study_id: t.String(), title: t.String(), url: t.String(), role: oneOf(["client", "vendor"]) }),
  { description: "Case studies in which the domain is the client or the vendor." },
);
const exportSchema = t.Object(
  {
    subject,
    kind,
    exported_at: instant,
    data: t.Record(t.String(), t.Array(t.Object({}, { additionalProperties: true })), {
      description: "Rows by table.",
    }),
    references,
  },
  { title: "DataExport" },
);
const receiptSchema = t.Object(
  {
    subject,
    kind,
    erased_at: instant,
    erased: t.Array(t.Object({ table: t.String(), rows: Type.Integer() })),
    total: Type.Integer({ description: "Rows." }),
    references,
    sha256: t.String({ description: "Of this receipt as JSON without this field." }),
  },
  { title: "ErasureReceipt" },
);

/** What is stored about a domain or a person. */
export const privacyRoutes = (services: PrivacyServices) =>
  withOperatorAuth(services, "privacy")
    .get(
      "/:subject",
      async ({ request, params }) => jsonAnswer(request, await services.privacy.export(params.subject)),
      {
        params: t.Object({ subject }),
        query: noQuery,
        detail: forOperator(
          "exportData",
          "Export everything that is stored about a domain or an email address",
          exportSchema,
          [],
        ),
      },
    )
    .delete(
      "/:subject",
      async ({ request, params, query }) =>
        jsonAnswer(
          request,
          await services.privacy.erase(params.subject, { caseStudies: query.case_studies === "true" }),
        ),
      {
        params: t.Object({ subject }),
        query: t.Object({ case_studies: t.Optional(oneOf(["true", "false"])) }, closed),
        detail: forOperator(
          "eraseData",
          "Erase everything that is stored about a domain or an email address; the answer is a receipt",
          receiptSchema,
          [],
        ),
      },
    );

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
