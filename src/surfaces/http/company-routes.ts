import type { App } from "../../app/app.ts";
import { counted, jsonAnswer } from "./answers.ts";
import { described } from "./described.ts";
import { keyed } from "./keyed.ts";
import { HttpRefusal } from "./problems.ts";
import { jsonBody } from "./request-guards.ts";
import { noQuery } from "./schemas.ts";
import {
  analysisSchema,
  companiesQuery,
  companyListSchema,
  companyParam,
  companySchema,
  compareBody,
  compareSchema,
  industriesSchema,
  timelineSchema,
} from "./study-schemas.ts";

/** Vendors: looked up, searched, analysed, in time, and side by side. */
export const companyRoutes = (app: App) => {
  const one = (
    operationId: string,
    summary: string,
    schema: typeof companySchema | typeof analysisSchema | typeof timelineSchema,
  ) => ({
    params: companyParam,
    query: noQuery,
    detail: described(
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
  return keyed(app, "companies", "/v1")
    .get(
      "/industries",
      ({ request }) =>
        counted(app, request, 1, async () => jsonAnswer(request, { industries: await app.listIndustries() })),
      {
        query: noQuery,
        detail: described(
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
        counted(app, request, 1, async () =>
          jsonAnswer(
            request,
            await app.findCompanies(filter, {
              ...(limit ? { limit: Number(limit) } : {}),
              ...(cursor ? { cursor } : {}),
            }),
          ),
        ),
      {
        query: companiesQuery,
        detail: described(
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
        counted(app, request, 1, async () => jsonAnswer(request, await app.getCompany(params.slug))),
      one("getCompany", "A company with its case studies", companySchema),
    )
    .get(
      "/companies/:slug/analysis",
      ({ request, params }) =>
        counted(app, request, 1, async () => jsonAnswer(request, await app.analyseCompany(params.slug))),
      one("analyseCompany", "Top industries, clients and outcomes of a company", analysisSchema),
    )
    .get(
      "/companies/:slug/timeline",
      ({ request, params }) =>
        counted(app, request, 1, async () => jsonAnswer(request, await app.companyTimeline(params.slug))),
      one("companyTimeline", "A company's case studies in time, oldest first", timelineSchema),
    )
    .post(
      "/compare",
      ({ request, body: { companies, industry, limit_per_company } }) =>
        counted(app, request, 1, async () =>
          jsonAnswer(
            request,
            await app.compareCompanies(distinct(companies), {
              ...(industry ? { industry } : {}),
              ...(limit_per_company ? { limitPerCompany: limit_per_company } : {}),
            }),
          ),
        ),
      {
        parse: jsonBody,
        body: compareBody,
        query: noQuery,
        detail: described(
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
