import type { CaseStudies } from "../../store/case-studies.ts";
import type { Corrections } from "../../store/intake/corrections.ts";
import type { Jobs } from "../../store/intake/jobs.ts";
import type { Mails } from "../../store/intake/mails.ts";
import type { Pages } from "../../store/intake/pages.ts";
import type { Submissions } from "../../store/intake/submissions.ts";
import type { FetchedPage, PageText } from "../../vocabulary/page.ts";
import type { Crawler, CrawlLimits } from "../crawl/crawler.ts";
import type { StudyTools } from "../record.ts";
import type { StructureEngine } from "../structure/engine.ts";

/** What is kept on the way from a submitted address to case studies. */
export interface IntakeStore {
  readonly submissions: Submissions;
  readonly pages: Pages;
  readonly jobs: Jobs;
  readonly mails: Mails;
  readonly corrections: Corrections;
  readonly caseStudies: Pick<CaseStudies, "save" | "find" | "detail" | "byIds">;
}

export interface IntakeParts {
  readonly store: IntakeStore;
  readonly crawler: Crawler;
  /** Of a whole crawl of a site. */
  readonly limits: Partial<CrawlLimits>;
  readonly extract: (page: FetchedPage) => Promise<PageText>;
  readonly engine: StructureEngine;
  readonly tools: StudyTools;
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
