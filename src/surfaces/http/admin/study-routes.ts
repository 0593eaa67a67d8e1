import type { App } from "../../../app/app.ts";
import { reviewedView, studyDetailView } from "../../intake-view.ts";
import { jsonAnswer } from "../answers.ts";
import { jsonBody } from "../request-guards.ts";
import { noQuery } from "../schemas.ts";
import { studyParam } from "../study-schemas.ts";
import { BODY_PROBLEMS, forOperator, operated } from "./operated.ts";
import { correctedParam, correctionBody, reviewQuery, reviewSchema, studyDetailSchema } from "./review-schemas.ts";
import { pageOf } from "./shapes.ts";

/** Case studies with what stands behind each field, and how they are corrected. */
export const correctionRoutes = (app: App) =>
  operated(app, "casestudies")
    .get(
      "",
      async ({ request, query: { limit, cursor, corrected, ...filter } }) => {
        const { case_studies, ...page } = await app.reviewStudies(
          { ...filter, ...(corrected ? { corrected: corrected === "yes" } : {}) },
          pageOf({ limit, cursor }),
        );
        return jsonAnswer(request, { case_studies: case_studies.map(reviewedView), ...page });
      },
      {
        query: reviewQuery,
        detail: forOperator("reviewCaseStudies", "List case studies to review", reviewSchema, []),
      },
    )
    .get(
      "/:id",
      async ({ request, params }) => jsonAnswer(request, studyDetailView(await app.studyDetail(params.id))),
      {
        params: studyParam,
        query: noQuery,
        detail: forOperator("inspectCaseStudy", "A case study and where each field is from", studyDetailSchema, [404]),
      },
    )
    .patch(
      "/:id",
      async ({ request, params, body }) =>
        jsonAnswer(request, studyDetailView(await app.correctStudy(params.id, body))),
      {
        params: studyParam,
        query: noQuery,
        parse: jsonBody,
        body: correctionBody,
        detail: forOperator(
          "correctCaseStudy",
          "Correct fields; what is corrected holds whatever a later crawl reads",
          studyDetailSchema,
          [404, ...BODY_PROBLEMS],
        ),
      },
    )
    .delete(
      "/:id/corrections/:field",
      async ({ request, params: { id, field } }) =>
        jsonAnswer(request, studyDetailView(await app.takeBackCorrection(id, field))),
      {
        params: correctedParam,
        query: noQuery,
        detail: forOperator(
          "takeBackCorrection",
          "Let a field say again what it said before it was corrected",
          studyDetailSchema,
          [404],
        ),
      },
    )
    .delete(
      "/:id",
      async ({ params }) => {
        await app.removeStudy(params.id);
        return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
      },
      {
        params: studyParam,
        query: noQuery,
        detail: forOperator("removeCaseStudy", "Remove a case study; its page stays refused", undefined, [404]),
      },
    );
