import type { JobRepository } from "../../jobs/repository.ts";
import type { Crawler } from "../crawl/crawler.ts";
import type { CrawlLimits } from "../crawl/types.ts";
import type { ParseContext } from "../record.ts";
import type { CaseStudyRepository } from "../repository.ts";
import type { StructureEngine } from "../structure/types.ts";
import type { FetchedPage, PageText } from "../types.ts";
import type { EmailRepository } from "./emails.ts";
import type { CorrectionRepository, PageRepository, SubmissionRepository } from "./repository.ts";

/** What is kept on the way from a submitted address to case studies. */
export interface IntakeStore {
  readonly submissions: SubmissionRepository;
  readonly pages: PageRepository;
  readonly jobs: JobRepository;
  readonly mails: EmailRepository;
  readonly corrections: CorrectionRepository;
  readonly caseStudies: Pick<CaseStudyRepository, "save" | "find" | "detail" | "byIds">;
}

export interface IntakeParts {
  readonly store: IntakeStore;
  readonly crawler: Crawler;
  /** Of a whole crawl of a site. */
  readonly limits: Partial<CrawlLimits>;
  readonly extract: (page: FetchedPage) => Promise<PageText>;
  readonly engine: StructureEngine;
  readonly tools: ParseContext;
  readonly clock: () => Date;
  /** There is new work for the runner. */
  readonly wake: () => void;
  /** There is something new to index. */
  readonly changed: () => void;
  /** Days after which a site is crawled again; 0 never does. */
  readonly recrawlDays: number;
  /** Whether a submission that was looked at is approved by itself. */
  readonly approves: (submission: {
    readonly contact_email: string;
    readonly case_study_url: string;
  }) => Promise<boolean>;
}

/** Kinds of jobs. */
export const PREVIEW = "preview";
export const CRAWL = "crawl";
export const STRUCTURE = "structure";
export const FINISH = "finish";
export const MAIL = "mail";
