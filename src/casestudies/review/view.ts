import type { ReviewedStudy } from "../repository.ts";
import type { StudyDetail } from "../service.ts";

/** A case study in the review list, with its identifying fields only. */
export const reviewedView = ({ study, least_sure, corrected }: ReviewedStudy) => {
  const { id, title, url, company, client, industry, published_at, origin } = study;
  return { id, title, url, company, client, industry, published_at, origin, least_sure, corrected };
};

/** A case study for the reviewer; of its page without internal columns. */
export function studyDetailView({ page, ...detail }: StudyDetail) {
  if (page === null) return { ...detail, page };
  const { url, state, reason, etag, last_modified, content_hash, fetched_at, gone_at } = page;
  return { ...detail, page: { url, state, reason, etag, last_modified, content_hash, fetched_at, gone_at } };
}
