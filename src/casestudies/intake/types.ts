/**
 * The stages of a submission, in order. `waiting` for a look at the page, `review` by the operator, then the work;
 * `available` when its case studies can be found, `failed` when the work gave up with a reason.
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
  /** Why it was rejected or failed; null otherwise. */
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
  /** Pages that look like case studies. */
  readonly found: number;
  readonly structured: number;
  readonly indexed: number;
}

/** What a reviewer sees before anything is kept. */
export interface SubmissionPreview {
  readonly listing_title: string | null;
  /** Address after redirects. */
  readonly listing_url: string;
  readonly found: number;
  readonly samples: readonly { readonly url: string; readonly title: string | null; readonly summary: string | null }[];
  /** What the reviewer should know: robots.txt forbids, nothing was found, another site answers. */
  readonly notes: readonly string[];
  readonly looked_at: string;
}
