import { normaliseEmail } from "../../accounts/service.ts";
import { sleep } from "../../core/async.ts";
import type { JobState } from "../../jobs/types.ts";
import type { JobFeature } from "../../jobs/worker.ts";
import type { Mailer } from "../../net/mailer.ts";
import { ROBOTS_TOKEN } from "../../net/robots.ts";
import { readCompanyFields } from "../companies/fields.ts";
import { createCrawler } from "../crawl/crawler.ts";
import type { StructureEngine } from "../structure/types.ts";
import type { PageOptions } from "../types.ts";
import type { IntakeContext } from "./context.ts";
import { type CrawlStep, crawlNow, type ForegroundCrawl } from "./crawl-now.ts";
import type { Email, EmailPage } from "./emails.ts";
import { createPageTrials, type ReadStudy, readSavedPage, type SavedPage } from "./read-file.ts";
import type { SubmissionPage } from "./repository.ts";
import {
  approve,
  edit,
  getSubmission,
  reject,
  retry,
  type SubmissionEdit,
  type SubmissionRequest,
  submit,
} from "./submissions.ts";
import type { Submission, SubmissionState } from "./types.ts";
import { createIntakeJobs } from "./worker.ts";

export interface IntakeState {
  readonly jobs: Readonly<Record<JobState, number>>;
  readonly mails: Readonly<Partial<Record<Email["state"], number>>>;
  readonly submissions: Readonly<Partial<Record<SubmissionState, number>>>;
  readonly mailConfigured: boolean;
}

/** From a submitted page to indexed case studies, and the operator's decisions on the way. */
export interface IntakeService {
  /** @throws Failure `submission.invalid`, `email.invalid`, `domain.opted_out` */
  submit(request: SubmissionRequest): Promise<Submission>;
  /** Newest first. @throws Failure `cursor.invalid` */
  listSubmissions(filter: { state?: SubmissionState | undefined }, page?: PageOptions): Promise<SubmissionPage>;
  /** @throws Failure `submission.not_found` */
  getSubmission(id: string): Promise<Submission>;
  /** Queues the crawl. @throws Failure `submission.not_found`, `submission.conflict` */
  approveSubmission(id: string): Promise<Submission>;
  /** Sends the reason to the contact. @throws Failure `submission.not_found`, `submission.conflict`, `submission.invalid` */
  rejectSubmission(id: string, reason: string): Promise<Submission>;
  /** Restarts an ended submission. @throws Failure `submission.not_found`, `submission.conflict` */
  retrySubmission(id: string): Promise<Submission>;
  /** @throws Failure `submission.not_found`, `submission.conflict`, `company.invalid` */
  editSubmission(id: string, change: SubmissionEdit): Promise<Submission>;
  /** Newest first. @throws Failure `cursor.invalid` */
  listEmails(
    filter: { submission?: string | undefined; state?: Email["state"] | undefined },
    page?: PageOptions,
  ): Promise<EmailPage>;
  state(): Promise<IntakeState>;
  /**
   * Crawls a listing page in the foreground and yields each step. Saves what it finds unless `dryRun` is set.
   *
   * @throws Failure `crawl.failed`, `submission.invalid`, `domain.opted_out`
   */
  crawl(url: string, options: ForegroundCrawl): AsyncGenerator<CrawlStep>;
  /**
   * Reads the fields of a saved page, and stores nothing.
   *
   * @throws Failure `submission.invalid`
   */
  readSavedPage(page: SavedPage, signal?: AbortSignal): Promise<ReadStudy>;
  /**
   * The same for callers of the API: with the built-in reading only, so that nothing is sent anywhere, and a few pages at
   * a time.
   *
   * @throws Failure `submission.invalid`, `service.overloaded`
   */
  tryPage(page: SavedPage, signal: AbortSignal): Promise<ReadStudy>;
}

export interface IntakeServiceOptions extends Omit<IntakeContext, "crawler" | "client"> {
  /** Undefined when no mail server is configured: emails then wait. */
  readonly mailer: Mailer | undefined;
  /** Reads pages for callers of the API, and requests nothing. */
  readonly localEngine: StructureEngine;
  /** With the limits of `CRAWL_NETWORK`. */
  readonly client: IntakeContext["client"];
  /** Keeps the pace of the crawls of all nodes; see the crawler. */
  readonly takeTurn?: ((host: string, gapMs: number) => Promise<number>) | undefined;
}

/** Network limits of a crawl: PDFs are larger and take longer than the pages of a scan. */
export const CRAWL_NETWORK = { pageBytes: 8 * 1_048_576, exchangeMs: 30_000 } as const;

const PAGE = 20;

export function createIntakeService(
  options: IntakeServiceOptions,
): IntakeService & { readonly jobFeature: JobFeature } {
  const { client, submissions, jobs, emails } = options;
  const context: IntakeContext = {
    ...options,
    crawler: createCrawler({
      http: client.http,
      policy: client.policy,
      now: Date.now,
      sleep,
      takeTurn: options.takeTurn,
      userAgentToken: ROBOTS_TOKEN,
    }),
  };

  return {
    submit: async (request) =>
      await submit(context, { ...request, contact_email: normaliseEmail(request.contact_email) }),
    listSubmissions: (filter, { limit = PAGE, cursor } = {}) => submissions.list(filter, { limit, cursor }),
    getSubmission: (id) => getSubmission(context, id),
    approveSubmission: (id) => approve(context, id, "operator"),
    rejectSubmission: (id, reason) => reject(context, id, reason),
    retrySubmission: (id) => retry(context, id),
    async editSubmission(id, { company_name, company_slug, company_domain }) {
      const { name, slug, domain } = readCompanyFields(
        { name: company_name, slug: company_slug, domain: company_domain },
        (field) => `/company_${field}`,
      );
      return await edit(context, id, { company_name: name, company_slug: slug, company_domain: domain });
    },

    listEmails: (filter, { limit = PAGE, cursor } = {}) => emails.list(filter, { limit, cursor }),
    state: async () => ({
      jobs: await jobs.counts(),
      mails: await emails.counts(),
      submissions: await submissions.counts(),
      mailConfigured: options.mailer !== undefined,
    }),

    crawl: (url, crawl) => crawlNow(context, url, crawl),
    readSavedPage: (page, signal) => readSavedPage(context, page, signal),
    tryPage: createPageTrials({ ...context, engine: options.localEngine }),
    jobFeature: createIntakeJobs(context, options.mailer),
  };
}
