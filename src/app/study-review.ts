import type { CountedIndustry } from "../store/case-studies.ts";
import type { Store } from "../store/store.ts";
import type { ReviewedStudy } from "../store/studies/reviewed.ts";
import type { Industry, ReviewOrder } from "../vocabulary/case-study.ts";

export type { ReviewedStudy } from "../store/studies/reviewed.ts";
export type { CountedIndustry };

export interface ReviewQuestion {
  /** Company slug. */
  readonly company?: string;
  /** Name, slug or synonym of an industry, any case. */
  readonly industry?: string;
  /** Whether the operator corrected a field. */
  readonly corrected?: boolean;
  /** By default `least-sure`. */
  readonly order?: ReviewOrder;
}

export interface ReviewedPage {
  readonly case_studies: readonly ReviewedStudy[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface StudyReviewVerbs {
  /** Case studies as a reviewer chooses among them. @throws Failure `cursor.invalid` */
  reviewStudies(
    question: ReviewQuestion,
    page?: { readonly limit?: number; readonly cursor?: string },
  ): Promise<ReviewedPage>;
  /** Industries that at least one case study is of, those of most first. */
  listIndustries(): Promise<readonly CountedIndustry[]>;
}

const PAGE = 20;

export function createStudyReview(
  { caseStudies }: Pick<Store, "caseStudies">,
  /** What a filter's industry stands for. */
  industriesOf: (text: string) => readonly Industry[],
): StudyReviewVerbs {
  return {
    async reviewStudies({ industry, order = "least-sure", ...filter }, { limit = PAGE, cursor } = {}) {
      const { studies, ...page } = await caseStudies.listForReview(
        industry === undefined ? filter : { ...filter, industries: industriesOf(industry) },
        { order, limit, ...(cursor === undefined ? {} : { cursor }) },
      );
      return { case_studies: studies, ...page };
    },
    listIndustries: () => caseStudies.industries(),
  };
}
