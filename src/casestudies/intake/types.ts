/**
 * States of a submission, in order: `waiting` for the preview, `review` by the operator, then the crawl; `available`
 * when its case studies are indexed, `failed` when a step failed for good.
 */
export const SUBMISSION_STATES = [
  "waiting",
  "review",
  "rejected",
  "crawling",
  "structuring",
  "indexing",
  "available",
  "failed",
] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

/** A vendor's request to index its case-study page. */
export interface Submission {
  /** `sub_` and 20 characters. */
  readonly id: string;
  readonly company_name: string;
  readonly company_slug: string;
  readonly company_domain: string | null;
  readonly case_study_url: string;
  readonly contact_email: string;
  readonly state: SubmissionState;
  /** Reason of a rejection or failure; null otherwise. */
  readonly reason: string | null;
  /** Who approved it: the operator or the policy. */
  readonly approved_by: "operator" | "policy" | null;
  readonly preview: SubmissionPreview | null;
  readonly counts: SubmissionCounts;
  /** ISO 8601 UTC. */
  readonly received_at: string;
  readonly updated_at: string;
}

export interface SubmissionCounts {
  /** Pages classified as case studies. */
  readonly found: number;
  readonly structured: number;
  readonly indexed: number;
}

/** Sample of a submitted page for the reviewer, made before anything is saved. */
export interface SubmissionPreview {
  readonly listing_title: string | null;
  /** Address after redirects. */
  readonly listing_url: string;
  readonly found: number;
  readonly samples: readonly { readonly url: string; readonly title: string | null; readonly summary: string | null }[];
  /** Findings for the reviewer: robots.txt forbids crawling, nothing was found, another site answers. */
  readonly notes: readonly string[];
  readonly looked_at: string;
}
