import { BODY_PROBLEMS, forOperator, withOperatorAuth } from "../../accounts/http-auth.ts";
import type { Operator } from "../../accounts/service.ts";
import { jsonBody } from "../../http/requests.ts";
import { jsonAnswer } from "../../http/responses.ts";
import { noQuery, pageOf } from "../../http/schemas.ts";
import { studyParam } from "../schemas.ts";
import type { CaseStudyService } from "../service.ts";
import { correctedParam, correctionBody, reviewQuery, reviewSchema, studyDetailSchema } from "./schemas.ts";
import { reviewedView, studyDetailView } from "./view.ts";

/** The operator reviews, corrects and removes case studies. */
export const reviewRoutes = ({ caseStudies, operator }: { caseStudies: CaseStudyService; operator: Operator }) =>
  withOperatorAuth({ operator }, "casestudies")
    .get(
      "",
      async ({ request, query: { limit, cursor, corrected, ...filter } }) => {
        const { case_studies, ...page } = await caseStudies.review(
          { ...filter, corrected: corrected && corrected === "yes" },
          pageOf({ limit, cursor }),
        );
        return jsonAnswer(request, { case_studies: case_studies.map(reviewedView), ...page });
      },
      {
        query: reviewQuery,
        detail: forOperator("reviewCaseStudies", "List case studies to review", reviewSchema, [404]),
      },
    )
    .get(
      "/:id",
      async ({ request, params }) => jsonAnswer(request, studyDetailView(await caseStudies.getDetail(params.id))),
      {
        params: studyParam,
        query: noQuery,
        detail: forOperator(
          "inspectCaseStudy",
          "Get a case study with the source of each field",
          studyDetailSchema,
          [404],
        ),
      },
    )
    .patch(
      "/:id",
      async ({ request, params, body }) =>
        jsonAnswer(request, studyDetailView(await caseStudies.correct(params.id, body))),
      {
        params: studyParam,
        query: noQuery,
        parse: jsonBody,
        body: correctionBody,
        detail: forOperator(
          "correctCaseStudy",
          "Correct fields; corrections override later crawls",
          studyDetailSchema,
          [404, ...BODY_PROBLEMS],
        ),
      },
    )
    .delete(
      "/:id/corrections/:field",
      async ({ request, params: { id, field } }) =>
        jsonAnswer(request, studyDetailView(await caseStudies.takeBackCorrection(id, field))),
      {
        params: correctedParam,
        query: noQuery,
        detail: forOperator(
          "takeBackCorrection",
          "Remove a correction and restore the previous value",
          studyDetailSchema,
          [404],
        ),
      },
    )
    .delete(
      "/:id",
      async ({ params }) => {
        await caseStudies.remove(params.id);
        return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
      },
      {
        params: studyParam,
        query: noQuery,
        detail: forOperator("removeCaseStudy", "Remove a case study; its page is not indexed again", undefined, [404]),
      },
    );
