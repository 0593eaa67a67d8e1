import { t } from "elysia";
import { BODY_PROBLEMS, forOperator, withKeyAuth, withOperatorAuth, withQuota } from "../../accounts/http-auth.ts";
import type { Services } from "../../compose.ts";
import { openApiDetail } from "../../http/openapi.ts";
import { HttpRefusal } from "../../http/problems.ts";
import { jsonBody } from "../../http/requests.ts";
import { jsonAnswer } from "../../http/responses.ts";
import { closed, noQuery, pageOf, pageQuery } from "../../http/schemas.ts";
import { companyBody, mergeBody } from "../intake/schemas.ts";
import {
  analysisSchema,
  companiesQuery,
  companyListSchema,
  companyParam,
  companyRecord,
  companySchema,
  compareBody,
  compareSchema,
  industriesSchema,
  timelineSchema,
} from "../schemas.ts";

/** Vendors: looked up, searched, analysed, in time, and side by side. */
export const companyRoutes = (app: Services) => {
  const one = (
    operationId: string,
    summary: string,
    schema: typeof companySchema | typeof analysisSchema | typeof timelineSchema,
  ) => ({
    params: companyParam,
    query: noQuery,
    detail: openApiDetail(
      operationId,
      summary,
      "Companies",
      { status: 200, text: summary, schema },
      [401, 404, 406, 422, 429, 503],
      {
        scheme: "key",
      },
    ),
  });
  return withKeyAuth(app, "companies", "/v1")
    .get(
      "/industries",
      ({ request }) =>
        withQuota(app, request, 1, async () =>
          jsonAnswer(request, { industries: await app.caseStudies.listIndustries() }),
        ),
      {
        query: noQuery,
        detail: openApiDetail(
          "listIndustries",
          "The industries that case studies are of",
          "Case studies",
          { status: 200, text: "All of them.", schema: industriesSchema },
          [401, 406, 422, 429, 503],
          { scheme: "key" },
        ),
      },
    )
    .get(
      "/companies",
      ({ request, query: { limit, cursor, ...filter } }) =>
        withQuota(app, request, 1, async () =>
          jsonAnswer(
            request,
            await app.caseStudies.findCompanies(filter, {
              ...(limit ? { limit: Number(limit) } : {}),
              ...(cursor ? { cursor } : {}),
            }),
          ),
        ),
      {
        query: companiesQuery,
        detail: openApiDetail(
          "findCompanies",
          "List and search companies",
          "Companies",
          { status: 200, text: "A page of the list.", schema: companyListSchema },
          [401, 406, 422, 429, 503],
          { scheme: "key" },
        ),
      },
    )
    .get(
      "/companies/:slug",
      ({ request, params }) =>
        withQuota(app, request, 1, async () => jsonAnswer(request, await app.caseStudies.getCompany(params.slug))),
      one("getCompany", "A company with its case studies", companySchema),
    )
    .get(
      "/companies/:slug/analysis",
      ({ request, params }) =>
        withQuota(app, request, 1, async () => jsonAnswer(request, await app.caseStudies.analyseCompany(params.slug))),
      one("analyseCompany", "Top industries, clients and outcomes of a company", analysisSchema),
    )
    .get(
      "/companies/:slug/timeline",
      ({ request, params }) =>
        withQuota(app, request, 1, async () => jsonAnswer(request, await app.caseStudies.companyTimeline(params.slug))),
      one("companyTimeline", "A company's case studies in time, oldest first", timelineSchema),
    )
    .post(
      "/compare",
      ({ request, body: { companies, industry, limit_per_company } }) =>
        withQuota(app, request, 1, async () =>
          jsonAnswer(
            request,
            await app.caseStudies.compareCompanies(distinct(companies), {
              ...(industry ? { industry } : {}),
              ...(limit_per_company ? { limitPerCompany: limit_per_company } : {}),
            }),
          ),
        ),
      {
        parse: jsonBody,
        body: compareBody,
        query: noQuery,
        detail: openApiDetail(
          "compareCompanies",
          "Up to five companies side by side",
          "Companies",
          { status: 200, text: "In the order of the request.", schema: compareSchema },
          [400, 401, 404, 406, 413, 415, 422, 429, 503],
          { scheme: "key" },
        ),
      },
    );
};

/**
 * Slugs are understood in any case, which no schema can say.
 *
 * @throws HttpRefusal 422 when two are of one company
 */
function distinct(slugs: readonly string[]): readonly string[] {
  const folded = slugs.map((slug) => slug.toLowerCase());
  const again = folded.findIndex((slug, at) => folded.indexOf(slug) < at);
  if (again < 0) return slugs;
  const problem = { pointer: `/companies/${again}`, detail: "Give each company once." };
  throw new HttpRefusal("request.invalid", `Correct ${problem.pointer}: ${problem.detail}`, { problems: [problem] });
}

/** What the operator knows better of vendors. */
export const vendorRoutes = (app: Services) =>
  withOperatorAuth(app, "companies")
    .get(
      "",
      async ({ request, query: { q, ...page } }) =>
        jsonAnswer(request, await app.caseStudies.findCompanies(q === undefined ? {} : { q }, pageOf(page))),
      {
        query: t.Object({ q: companiesQuery.properties.q, ...pageQuery }, closed),
        detail: forOperator("listCompanies", "List and search companies, without a key", companyListSchema, []),
      },
    )
    .get(
      "/:slug",
      async ({ request, params }) => {
        const { case_studies: _, ...company } = await app.caseStudies.getCompany(params.slug);
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
      async ({ request, params, body }) => jsonAnswer(request, await app.intake.editCompany(params.slug, body)),
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
      async ({ request, params, body }) => jsonAnswer(request, await app.intake.mergeCompanies(params.slug, body.into)),
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
