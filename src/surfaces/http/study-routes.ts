import type { App } from "../../app/app.ts";
import { ofTheOne, pointed, resultsView } from "../study-view.ts";
import { counted, jsonAnswer } from "./answers.ts";
import { described } from "./described.ts";
import { keyed } from "./keyed.ts";
import { jsonBody } from "./request-guards.ts";
import { noQuery } from "./schemas.ts";
import {
  batchBody,
  batchSchema,
  resultsSchema,
  semanticBody,
  studiesQuery,
  studyListSchema,
  studyParam,
  studySchema,
} from "./study-schemas.ts";

/** Case studies by filter, one by one, and by meaning. */
export const studyRoutes = (app: App) =>
  keyed(app, "studies", "/v1/casestudies")
    .get(
      "",
      ({ request, query: { limit, cursor, published_after, published_before, ...filter } }) =>
        counted(app, request, 1, async () =>
          jsonAnswer(
            request,
            await app.listStudies(
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
        detail: described(
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
      ({ request, params }) => counted(app, request, 1, async () => jsonAnswer(request, await app.getStudy(params.id))),
      {
        params: studyParam,
        query: noQuery,
        detail: described(
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
        counted(app, request, 1, async () => {
          const question = { query, filter, ...(limit ? { limit } : {}), ...(mode ? { mode } : {}) };
          const [found] = await pointed(app.searchStudies([question], request.signal), ofTheOne);
          return jsonAnswer(request, resultsView(found ?? { query, hits: [] }));
        }),
      {
        parse: jsonBody,
        body: semanticBody,
        query: noQuery,
        detail: described(
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
        counted(app, request, queries.length, async () => {
          const questions = queries.map(({ query, limit, ...filter }) => ({
            query,
            filter,
            ...(limit ? { limit } : {}),
          }));
          const found = await pointed(app.searchStudies(questions, request.signal), (place) => `/queries${place}`);
          return jsonAnswer(request, { results: found.map(resultsView) });
        }),
      {
        parse: jsonBody,
        body: batchBody,
        query: noQuery,
        detail: described(
          "searchCaseStudiesBatch",
          "Up to ten searches in one call; each counts as one request",
          "Case studies",
          { status: 200, text: "One result set for each query, in their order.", schema: batchSchema },
          [400, 401, 406, 413, 415, 422, 429, 503],
          { scheme: "key" },
        ),
      },
    );
