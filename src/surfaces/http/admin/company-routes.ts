import { t } from "elysia";
import type { App } from "../../../app/app.ts";
import { jsonAnswer } from "../answers.ts";
import { jsonBody } from "../request-guards.ts";
import { noQuery } from "../schemas.ts";
import { companiesQuery, companyListSchema, companyParam, companyRecord } from "../study-schemas.ts";
import { BODY_PROBLEMS, forOperator, operated } from "./operated.ts";
import { closed, companyBody, mergeBody, pageOf, pageQuery } from "./schemas.ts";

/** What the operator knows better of vendors. */
export const vendorRoutes = (app: App) =>
  operated(app, "companies")
    .get(
      "",
      async ({ request, query: { q, ...page } }) =>
        jsonAnswer(request, await app.findCompanies(q === undefined ? {} : { q }, pageOf(page))),
      {
        query: t.Object({ q: companiesQuery.properties.q, ...pageQuery }, closed),
        detail: forOperator("listCompanies", "List and search companies, without a key", companyListSchema, []),
      },
    )
    .get(
      "/:slug",
      async ({ request, params }) => {
        const { case_studies: _, ...company } = await app.getCompany(params.slug);
        return jsonAnswer(request, company);
      },
      {
        params: companyParam,
        query: noQuery,
        detail: forOperator("inspectCompany", "What is known of a company", companyRecord, [404]),
      },
    )
    .patch(
      "/:slug",
      async ({ request, params, body }) => jsonAnswer(request, await app.editCompany(params.slug, body)),
      {
        params: companyParam,
        query: noQuery,
        parse: jsonBody,
        body: companyBody,
        detail: forOperator("editCompany", "Correct what is known of a company", companyRecord, [
          404,
          409,
          ...BODY_PROBLEMS,
        ]),
      },
    )
    .post(
      "/:slug/merge",
      async ({ request, params, body }) => jsonAnswer(request, await app.mergeCompanies(params.slug, body.into)),
      {
        params: companyParam,
        query: noQuery,
        parse: jsonBody,
        body: mergeBody,
        detail: forOperator("mergeCompanies", "Give all that a company has to another one", companyRecord, [
          404,
          409,
          ...BODY_PROBLEMS,
        ]),
      },
    );
