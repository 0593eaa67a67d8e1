import { normaliseEmail } from "../../accounts/service.ts";
import { Failure } from "../../core/errors.ts";
import type { Runner } from "../../jobs/runner.ts";
import type { JobState } from "../../jobs/types.ts";
import type { Store } from "../../store.ts";
import { readCompanyFields, withSuggestions } from "../companies/fields.ts";
import type { CompanyChange } from "../companies/repository.ts";
import type { CaseStudy, Company, Provenance } from "../types.ts";
import type { IntakeParts } from "./context.ts";
import { correct, type StudyCorrections, takeBackCorrection, withCorrections } from "./corrections.ts";
import { type CrawlStep, crawlNow, type ForegroundCrawl } from "./crawl-now.ts";
import type { Email, EmailPage } from "./emails.ts";
import type { CrawledPage, StudyVersion, SubmissionPage } from "./repository.ts";
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

export interface ListOptions {
  /** 1–100, by default 20. */
  readonly limit?: number;
  /** Opaque: the `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** What stands behind a case study, for who reviews it. */
export interface StudyDetail {
  readonly study: CaseStudy;
  readonly origin: string;
  /** The text that it was read from. */
  readonly body: string | null;
  readonly provenance: readonly Provenance[];
  readonly corrections: Readonly<Record<string, unknown>>;
  readonly versions: readonly StudyVersion[];
  /** The page that it was crawled from; null when it was not. */
  readonly page: CrawledPage | null;
}

export interface IntakeState {
  readonly jobs: Readonly<Record<JobState, number>>;
  readonly mails: Readonly<Partial<Record<Email["state"], number>>>;
  readonly submissions: Readonly<Partial<Record<SubmissionState, number>>>;
  readonly mailConfigured: boolean;
}

/** From a submitted page to case studies that can be found, and what an operator does on the way. */
export interface IntakeService {
  /** @throws Failure `submission.invalid`, `email.invalid` */
  submit(request: SubmissionRequest): Promise<Submission>;
  /** Newest first. @throws Failure `cursor.invalid` */
  listSubmissions(filter: { state?: SubmissionState }, page?: ListOptions): Promise<SubmissionPage>;
  /** @throws Failure `submission.not_found` */
  getSubmission(id: string): Promise<Submission>;
  /** Lets the page be crawled. @throws Failure `submission.not_found`, `submission.conflict` */
  approveSubmission(id: string): Promise<Submission>;
  /** The contact is told the reason. @throws Failure `submission.not_found`, `submission.conflict`, `submission.invalid` */
  rejectSubmission(id: string, reason: string): Promise<Submission>;
  /** Takes one that ended up again. @throws Failure `submission.not_found`, `submission.conflict` */
  retrySubmission(id: string): Promise<Submission>;
  /** @throws Failure `submission.not_found`, `submission.conflict`, `company.invalid` */
  editSubmission(id: string, change: SubmissionEdit): Promise<Submission>;
  /** Newest first. @throws Failure `cursor.invalid` */
  listMails(filter: { submission?: string; state?: Email["state"] }, page?: ListOptions): Promise<EmailPage>;
  intakeState(): Promise<IntakeState>;
  /** @throws Failure `study.not_found` */
  studyDetail(id: string): Promise<StudyDetail>;
  /** Corrections hold whatever a later crawl reads. @throws Failure `study.not_found`, `correction.invalid` */
  correctStudy(id: string, values: StudyCorrections): Promise<StudyDetail>;
  /** Lets a field say again what it said before. @throws Failure `study.not_found`, `correction.not_found` */
  takeBackCorrection(id: string, field: string): Promise<StudyDetail>;
  /** Removes a case study; a page that it was crawled from stays refused. @throws Failure `study.not_found` */
  removeStudy(id: string): Promise<void>;
  /** @throws Failure `company.not_found`, `company.exists`, `company.invalid` */
  editCompany(slug: string, change: Omit<CompanyChange, "industry"> & { industry?: string | null }): Promise<Company>;
  /** Answers the company that is left. @throws Failure `company.not_found`, `company.exists` */
  mergeCompanies(from: string, into: string): Promise<Company>;
  /**
   * Crawls a listing page now and tells each step. Keeps what it finds unless `dryRun`.
   *
   * @throws Failure `crawl.failed`, `submission.invalid`
   */
  crawl(url: string, options: ForegroundCrawl): AsyncGenerator<CrawlStep>;
  /** From now on works on what is due, as a service does. Stop it before the application is closed. */
  startWork(): Pick<Runner, "stop">;
}

export interface IntakeServiceParts {
  readonly intake: IntakeParts;
  readonly store: Store;
  /** Why the network policy forbids an address; null when it does not. */
  readonly refusal: (url: string) => string | null;
  readonly startRunner: () => Runner;
  readonly industryOf: (text: string) => { readonly raw: string; readonly slug: string | null };
  readonly mailConfigured: boolean;
}

const PAGE = 20;

export function createIntakeService({
  intake,
  store,
  refusal,
  startRunner,
  industryOf,
  mailConfigured,
}: IntakeServiceParts): IntakeService {
  const studyDetail = async (id: string): Promise<StudyDetail> => {
    const found = await store.caseStudies.detail(id);
    if (!found) throw new Failure("study.not_found", "No case study has this id; search or list to find one.");
    const { study, origin, body } = found;
    const corrections = await store.corrections.of(study.id);
    return {
      study,
      origin,
      body,
      provenance: withCorrections(await store.corrections.provenanceOf(study.id), Object.keys(corrections)),
      corrections,
      versions: await store.corrections.versionsOf(study.id),
      page: (await store.pages.list({ caseStudyId: study.id }))[0] ?? null,
    };
  };
  const companyNow = async (slug: string): Promise<Company> => {
    const company = await store.companies.find(slug);
    if (!company) throw new Failure("company.not_found", "No company has this slug; search companies to find it.");
    return company;
  };

  return {
    submit: async (request) =>
      await submit(intake, { ...request, contact_email: normaliseEmail(request.contact_email) }, refusal),
    listSubmissions: (filter, { limit = PAGE, cursor } = {}) =>
      store.submissions.list(filter, { limit, ...(cursor === undefined ? {} : { cursor }) }),
    getSubmission: (id) => getSubmission(intake, id),
    approveSubmission: (id) => approve(intake, id, "operator"),
    rejectSubmission: (id, reason) => reject(intake, id, reason),
    retrySubmission: (id) => retry(intake, id),
    async editSubmission(id, { company_name, company_slug, company_domain }) {
      const { name, slug, domain } = readCompanyFields(
        {
          ...(company_name === undefined ? {} : { name: company_name }),
          ...(company_slug === undefined ? {} : { slug: company_slug }),
          ...(company_domain === undefined ? {} : { domain: company_domain }),
        },
        (field) => `/company_${field}`,
      );
      return await edit(intake, id, {
        ...(name === undefined ? {} : { company_name: name }),
        ...(slug === undefined ? {} : { company_slug: slug }),
        ...(domain === undefined ? {} : { company_domain: domain }),
      });
    },

    listMails: (filter, { limit = PAGE, cursor } = {}) =>
      store.mails.list(filter, { limit, ...(cursor === undefined ? {} : { cursor }) }),
    async intakeState() {
      const [jobs, mails, submissions] = [
        await store.jobs.counts(),
        await store.mails.counts(),
        await store.submissions.counts(),
      ];
      return { jobs, mails, submissions, mailConfigured };
    },

    studyDetail,
    async correctStudy(id, values) {
      await correct(intake, id, values);
      return await studyDetail(id);
    },
    async takeBackCorrection(id, field) {
      await takeBackCorrection(intake, id, field);
      return await studyDetail(id);
    },
    async removeStudy(id) {
      const { study, page } = await studyDetail(id);
      if (page) await store.pages.structured(page.url, { refused: "The operator removed its case study." });
      await store.caseStudies.remove([study.id]);
      intake.changed();
    },

    async editCompany(slug, { industry, ...change }) {
      const fields = {
        ...readCompanyFields(change, (field) => `/${field}`),
        ...(industry === undefined ? {} : { industry: industry === null ? null : industryOf(industry) }),
      };
      await withSuggestions(store.companies, store.companies.edit(slug, fields));
      intake.changed();
      return await companyNow(change.slug ?? slug);
    },
    async mergeCompanies(from, into) {
      await withSuggestions(store.companies, store.companies.merge(from, into));
      intake.changed();
      return await companyNow(into);
    },

    crawl: (url, options) => crawlNow(intake, url, options, refusal),
    startWork: startRunner,
  };
}
