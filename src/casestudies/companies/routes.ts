import { t } from "elysia";
import {
  BODY_PROBLEMS,
  forKey,
  forOperator,
  withKeyAuth,
  withOperatorAuth,
  withQuota,
} from "../../accounts/http-auth.ts";
import type { Accounts, Operator } from "../../accounts/service.ts";
import { HttpRefusal } from "../../http/problems.ts";
import { jsonBody } from "../../http/requests.ts";
import { jsonAnswer } from "../../http/responses.ts";
import { closed, noQuery, pageOf, pageQuery } from "../../http/schemas.ts";
import {
  analysisSchema,
  companiesQuery,
  companyBody,
  companyListSchema,
  companyParam,
  companyQuery,
  companyRecord,
  companySchema,
  compareBody,
  compareSchema,
  mergeBody,
  timelineSchema,
} from "./schemas.ts";
import type { CompanyService } from "./service.ts";

const TAG = "Companies";

/** Vendors: search, details, analysis, timeline and comparison. */
export const companyRoutes = ({ companies, accounts }: { companies: CompanyService; accounts: Accounts }) => {
  const ofCompany = (
    operationId: string,
    summary: string,
    schema: typeof companySchema | typeof analysisSchema | typeof timelineSchema,
  ) => ({
    params: companyParam,
    query: noQuery,
    detail: forKey(operationId, summary, TAG, { text: summary, schema }, [404]),
  });
  const counted = (request: Request, answer: () => Promise<unknown>) =>
    withQuota({ accounts }, request, 1, async () => jsonAnswer(request, await answer()));

  return withKeyAuth({ accounts }, "companies", "/v1")
    .get(
      "/companies",
      ({ request, query: { limit, cursor, ...filter } }) =>
        counted(request, () => companies.find(filter, pageOf({ limit, cursor }))),
      {
        query: companiesQuery,
        detail: forKey(
          "findCompanies",
          "List and search companies",
          TAG,
          {
            text: "A page of the list.",
            schema: companyListSchema,
          },
          [404],
        ),
      },
    )
    .get(
      "/companies/:slug",
      ({ request, params: { slug }, query: { include } }) =>
        counted(request, async () => ({
          ...(await companies.get(slug)),
          ...(include === "claims" ? { claims: await companies.claims(slug) } : {}),
        })),
      { ...ofCompany("getCompany", "A company with its case studies", companySchema), query: companyQuery },
    )
    .get(
      "/companies/:slug/analysis",
      ({ request, params }) => counted(request, () => companies.analyse(params.slug)),
      ofCompany("analyseCompany", "Top industries, clients and outcomes of a company", analysisSchema),
    )
    .get(
      "/companies/:slug/timeline",
      ({ request, params }) => counted(request, () => companies.timeline(params.slug)),
      ofCompany("companyTimeline", "A company's case studies by month, oldest first", timelineSchema),
    )
    .post(
      "/compare",
      ({ request, body: { companies: slugs, industry, limit_per_company } }) =>
        counted(request, () => companies.compare(distinct(slugs), { industry, limitPerCompany: limit_per_company })),
      {
        parse: jsonBody,
        body: compareBody,
        query: noQuery,
        detail: forKey(
          "compareCompanies",
          "Compare up to five companies",
          TAG,
          { text: "In the order of the request.", schema: compareSchema },
          [404, ...BODY_PROBLEMS],
        ),
      },
    );
};

/**
 * Slugs are case-insensitive, so a schema cannot require distinct ones.
 *
 * @throws HttpRefusal 422 when two slugs are equal
 */
function distinct(slugs: readonly string[]): readonly string[] {
  const lowerCase = slugs.map((slug) => slug.toLowerCase());
  const repeated = lowerCase.findIndex((slug, at) => lowerCase.indexOf(slug) < at);
  if (repeated < 0) return slugs;
  const problem = { pointer: `/companies/${repeated}`, detail: "Give each company once." };
  throw new HttpRefusal("request.invalid", `Correct ${problem.pointer}: ${problem.detail}`, { problems: [problem] });
}

/** The operator edits and merges vendors. */
export const companyAdminRoutes = ({ companies, operator }: { companies: CompanyService; operator: Operator }) =>
  withOperatorAuth({ operator }, "companies")
    .get(
      "",
      async ({ request, query: { q, ...page } }) => jsonAnswer(request, await companies.find({ q }, pageOf(page))),
      {
        query: t.Object({ q: companiesQuery.properties.q, ...pageQuery }, closed),
        detail: forOperator("listCompanies", "List and search companies, without a key", companyListSchema, []),
      },
    )
    .get(
      "/:slug",
      async ({ request, params }) => {
        const { case_studies: _, ...company } = await companies.get(params.slug);
        return jsonAnswer(request, company);
      },
      {
        params: companyParam,
        query: noQuery,
        detail: forOperator("inspectCompany", "Get a company, without a key", companyRecord, [404]),
      },
    )
    .patch(
      "/:slug",
      async ({ request, params, body }) => jsonAnswer(request, await companies.edit(params.slug, body)),
      {
        params: companyParam,
        query: noQuery,
        parse: jsonBody,
        body: companyBody,
        detail: forOperator("editCompany", "Edit a company", companyRecord, [404, 409, ...BODY_PROBLEMS]),
      },
    )
    .post(
      "/:slug/merge",
      async ({ request, params, body }) => jsonAnswer(request, await companies.merge(params.slug, body.into)),
      {
        params: companyParam,
        query: noQuery,
        parse: jsonBody,
        body: mergeBody,
        detail: forOperator("mergeCompanies", "Move all case studies of a company to another", companyRecord, [
          404,
          409,
          ...BODY_PROBLEMS,
        ]),
      },
    );
