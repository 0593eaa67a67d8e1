import { withKeyAuth, withQuota } from "../accounts/http-auth.ts";
import type { Services } from "../compose.ts";
import { openApiDetail } from "../http/openapi.ts";
import { jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery } from "../http/schemas.ts";
import {
  batchBody,
  batchSchema,
  resultsSchema,
  semanticBody,
  studiesQuery,
  studyListSchema,
  studyParam,
  studySchema,
} from "./schemas.ts";
import { ofTheOne, pointed, resultsView } from "./view.ts";

/** Case studies by filter, one by one, and by meaning. */
export const studyRoutes = (app: Services) =>
  withKeyAuth(app, "studies", "/v1/casestudies")
    .get(
      "",
      ({ request, query: { limit, cursor, published_after, published_before, ...filter } }) =>
        withQuota(app, request, 1, async () =>
          jsonAnswer(
            request,
            await app.caseStudies.listStudies(
              {
                ...filter,
                ...(published_after ? { publishedAfter: published_after } : {}),
                ...(published_before ? { publishedBefore: published_before } : {}),
              },
              { ...(limit ? { limit: Number(limit) } : {}), ...(cursor ? { cursor } : {}) },
            ),
          ),
        ),
      {
        query: studiesQuery,
        detail: openApiDetail(
          "listCaseStudies",
          "List case studies, newest first",
          "Case studies",
          { status: 200, text: "A page of the list.", schema: studyListSchema },
          [401, 406, 422, 429, 503],
          { scheme: "key" },
        ),
      },
    )
    .get(
      "/:id",
      ({ request, params }) =>
        withQuota(app, request, 1, async () => jsonAnswer(request, await app.caseStudies.getStudy(params.id))),
      {
        params: studyParam,
        query: noQuery,
        detail: openApiDetail(
          "getCaseStudy",
          "One case study",
          "Case studies",
          { status: 200, text: "The record.", schema: studySchema },
          [401, 404, 406, 422, 429, 503],
          { scheme: "key" },
        ),
      },
    )
    .post(
      "/semantic",
      ({ request, body: { query, limit, mode, ...filter } }) =>
        withQuota(app, request, 1, async () => {
          const question = { query, filter, ...(limit ? { limit } : {}), ...(mode ? { mode } : {}) };
          const [found] = await pointed(app.caseStudies.searchStudies([question], request.signal), ofTheOne);
          return jsonAnswer(request, resultsView(found ?? { query, hits: [] }));
        }),
      {
        parse: jsonBody,
        body: semanticBody,
        query: noQuery,
        detail: openApiDetail(
          "searchCaseStudies",
          "Search case studies by meaning",
          "Case studies",
          { status: 200, text: "Results, best first.", schema: resultsSchema },
          [400, 401, 406, 413, 415, 422, 429, 503],
          { scheme: "key" },
        ),
      },
    )
    .post(
      "/batch",
      ({ request, body: { queries } }) =>
        withQuota(app, request, queries.length, async () => {
          const questions = queries.map(({ query, limit, ...filter }) => ({
            query,
            filter,
            ...(limit ? { limit } : {}),
          }));
          const found = await pointed(
            app.caseStudies.searchStudies(questions, request.signal),
            (place) => `/queries${place}`,
          );
          return jsonAnswer(request, { results: found.map(resultsView) });
        }),
      {
        parse: jsonBody,
        body: batchBody,
        query: noQuery,
        detail: openApiDetail(
          "searchCaseStudiesBatch",
          "Up to ten searches in one call; each counts as one request",
          "Case studies",
          { status: 200, text: "One result set for each query, in their order.", schema: batchSchema },
          [400, 401, 406, 413, 415, 422, 429, 503],
          { scheme: "key" },
        ),
      },
    );
