import type { Generated } from "kysely";
import type { Engine } from "../../vocabulary/structured-study.ts";
import type { JobState, SubmissionState } from "../../vocabulary/submission.ts";

export interface IntakeTables {
  readonly jobs: JobRow;
  readonly submissions: SubmissionRow;
  readonly sites: SiteRow;
  readonly pages: PageRow;
  readonly mails: MailRow;
  readonly corrections: CorrectionRow;
  readonly provenance: ProvenanceRow;
  readonly study_versions: StudyVersionRow;
}

export interface JobRow {
  id: Generated<number>;
  kind: string;
  /** What it is about; one open job of a kind for each subject. */
  subject: string;
  /** JSON. */
  payload: string;
  state: JobState;
  attempts: Generated<number>;
  max_attempts: number;
  last_error: string | null;
  run_after: string;
  /** Whose it is while it runs; a worker whose lease another one took over may not end it. */
  lease: string | null;
  leased_until: string | null;
  created_at: string;
  updated_at: string;
}

export interface SubmissionRow {
  id: string;
  company_name: string;
  company_slug: string;
  company_domain: string | null;
  case_study_url: string;
  url_key: string;
  contact_email: string;
  state: SubmissionState;
  reason: string | null;
  approved_by: "operator" | "policy" | null;
  /** A `SubmissionPreview` as JSON. */
  preview: string | null;
  found: Generated<number>;
  received_at: string;
  updated_at: string;
}

/** A listing page that is crawled, and crawled again. */
export interface SiteRow {
  id: Generated<number>;
  submission_id: string | null;
  company_name: string;
  company_slug: string;
  company_domain: string | null;
  url: string;
  url_key: string;
  last_crawled_at: string | null;
  next_crawl_at: string | null;
}

export interface PageRow {
  url_key: string;
  site_id: number;
  url: string;
  state: "fetched" | "structured" | "refused" | "gone";
  reason: string | null;
  etag: string | null;
  last_modified: string | null;
  content_hash: string | null;
  case_study_id: string | null;
  fetched_at: string;
  gone_at: string | null;
  /** What was fetched, compressed with zstd; null as soon as it was structured. */
  page: Uint8Array | null;
}

export interface MailRow {
  id: Generated<number>;
  submission_id: string;
  event: string;
  recipient: string;
  subject: string;
  body: string;
  /** `unclear`: the process ended while it was being handed over, so nobody knows, and it is not sent again. */
  state: "waiting" | "sending" | "sent" | "unclear" | "failed";
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
}

export interface CorrectionRow {
  case_study_id: string;
  /** Name of the field of the case study. */
  field: string;
  /** JSON. */
  value: string;
  corrected_at: string;
}

export interface ProvenanceRow {
  case_study_id: string;
  pointer: string;
  engine: Engine;
  sentence: string | null;
  confidence: number;
}

export interface StudyVersionRow {
  id: Generated<number>;
  case_study_id: string;
  revision: number;
  replaced_at: string;
  /** The `CaseStudy` as it was, as JSON. */
  content: string;
}
