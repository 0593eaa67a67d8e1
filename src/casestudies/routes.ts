import { BODY_PROBLEMS, forKey, seesScannedCompanies, withKeyAuth, withQuota } from "../accounts/http-auth.ts";
import type { Accounts, Operator } from "../accounts/service.ts";
import { Failure } from "../core/errors.ts";
import { jsonBody } from "../http/requests.ts";
import { jsonAnswer } from "../http/responses.ts";
import { noQuery, pageOf } from "../http/schemas.ts";
import type { ClaimStatus } from "./claims.ts";
import {
  answerBody,
  answerSchema,
  batchBody,
  batchSchema,
  claimedResultsSchema,
  claimedStudySchema,
  industriesSchema,
  semanticBody,
  studiesQuery,
  studyListSchema,
  studyParam,
  studyQuery,
} from "./schemas.ts";
import type { CaseStudyService } from "./service.ts";
import { answerView, resultsView, withClaims, withoutIndex, withPointers } from "./view.ts";

const TAG = "Case studies";

interface UsedServices {
  readonly caseStudies: CaseStudyService;
  readonly accounts: Accounts;
}

/**
 * Lists, gets and searches case studies.
 *
 * @param isIndexHidden claims of lists, which show what clients were scanned, are only for requests that also send the
 *   operator token; the claim of one case study is for all, as its client's history is
 */
export const caseStudyRoutes = (
  { caseStudies, accounts, operator }: UsedServices & { readonly operator: Pick<Operator, "verifyOperatorToken"> },
  isIndexHidden = false,
) => {
  const seesClaims = seesScannedCompanies(operator, isIndexHidden);
  const shown = async (request: Request, include: "claim" | undefined) =>
    include !== undefined && (await seesClaims(request)) ? include : undefined;
  const assertSees = async (request: Request, claim: ClaimStatus | undefined) => {
    if (claim === undefined || (await seesClaims(request))) return;
    throw new Failure(
      "stack.operator_only",
      "The operator has hidden which companies were scanned: send the operator token as `Authorization: Bearer`, or no `claim`.",
    );
  };
  return withKeyAuth({ accounts }, "studies", "/v1/casestudies")
    .get(
      "",
      ({ request, query: { limit, cursor, published_after, published_before, include, figures, ...filter } }) =>
        withQuota({ accounts }, request, 1, async () => {
          await assertSees(request, filter.claim);
          const { case_studies, ...page } = await caseStudies.list(
            {
              ...filter,
              publishedAfter: published_after,
              publishedBefore: published_before,
              figures: figures === "true",
            },
            pageOf({ limit, cursor }),
          );
          return jsonAnswer(request, {
            case_studies: await withClaims(caseStudies, await shown(request, include), case_studies),
            ...page,
          });
        }),
      {
        query: studiesQuery,
        detail: forKey(
          "listCaseStudies",
          "List case studies, newest first",
          TAG,
          {
            text: "A page of the list.",
            schema: studyListSchema,
          },
          [403, 404],
        ),
      },
    )
    .get(
      "/:id",
      ({ request, params, query: { include } }) =>
        withQuota({ accounts }, request, 1, async () => {
          const [study] = await withClaims(caseStudies, include, [await caseStudies.get(params.id)]);
          return jsonAnswer(request, study);
        }),
      {
        params: studyParam,
        query: studyQuery,
        detail: forKey(
          "getCaseStudy",
          "Get a case study",
          TAG,
          { text: "The record.", schema: claimedStudySchema },
          [404],
        ),
      },
    )
    .post(
      "/semantic",
      ({ request, body: { query, limit, mode, claim, include, ...filter } }) =>
        withQuota({ accounts }, request, 1, async () => {
          await assertSees(request, claim);
          const searching = caseStudies.search([{ query, limit, mode, claim, filter }], request.signal);
          const [results] = await withPointers(searching, withoutIndex);
          const view = resultsView(results ?? { query, hits: [], noGoodMatch: false, degraded: null, pending: 0 });
          return jsonAnswer(request, {
            ...view,
            results: await withClaims(caseStudies, await shown(request, include), view.results),
          });
        }),
      {
        parse: jsonBody,
        body: semanticBody,
        query: noQuery,
        detail: forKey(
          "searchCaseStudies",
          "Search case studies by meaning",
          TAG,
          { text: "Results, best first.", schema: claimedResultsSchema },
          [403, 404, ...BODY_PROBLEMS],
        ),
      },
    )
    .post(
      "/answer",
      ({ request, body: { query, limit, compose, ...filter } }) =>
        withQuota({ accounts }, request, 1, async () => {
          const answering = caseStudies.answer({ query, limit, compose, filter }, request.signal);
          return jsonAnswer(request, answerView(await withPointers(answering, withoutIndex)));
        }),
      {
        parse: jsonBody,
        body: answerBody,
        query: noQuery,
        detail: forKey(
          "answerFromCaseStudies",
          "Cite the passages that answer a question",
          TAG,
          {
            text: "Passages, grouped by what they claim, and an answer composed from them where a language model is configured.",
            schema: answerSchema,
          },
          [404, ...BODY_PROBLEMS],
        ),
      },
    )
    .post(
      "/batch",
      ({ request, body: { queries } }) =>
        withQuota({ accounts }, request, queries.length, async () => {
          const searching = caseStudies.search(
            queries.map(({ query, limit, ...filter }) => ({ query, limit, filter })),
            request.signal,
          );
          const results = await withPointers(searching, (pointer) => `/queries${pointer}`);
          return jsonAnswer(request, { results: results.map(resultsView) });
        }),
      {
        parse: jsonBody,
        body: batchBody,
        query: noQuery,
        detail: forKey(
          "searchCaseStudiesBatch",
          "Run up to ten searches in one call; each counts as one request",
          TAG,
          { text: "One result set for each query, in their order.", schema: batchSchema },
          [404, ...BODY_PROBLEMS],
        ),
      },
    );
};

/** Lists the industries that filters take. */
export const industryRoutes = ({ caseStudies, accounts }: UsedServices) =>
  withKeyAuth({ accounts }, "industries", "/v1").get(
    "/industries",
    ({ request }) =>
      withQuota({ accounts }, request, 1, async () =>
        jsonAnswer(request, { industries: await caseStudies.listIndustries() }),
      ),
    {
      query: noQuery,
      detail: forKey("listIndustries", "List the industries that have case studies", TAG, {
        text: "All industries, most case studies first.",
        schema: industriesSchema,
      }),
    },
  );
