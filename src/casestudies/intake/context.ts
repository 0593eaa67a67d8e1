import type { JobRepository } from "../../jobs/repository.ts";
import type { NetworkClient } from "../../net/client.ts";
import type { OptOuts } from "../../net/opt-outs.ts";
import type { Crawler } from "../crawl/crawler.ts";
import type { CrawlLimits } from "../crawl/types.ts";
import type { Extractor } from "../extract/extractor.ts";
import type { ParseContext } from "../record.ts";
import type { CaseStudyRepository } from "../repository.ts";
import type { CorrectionRepository } from "../review/repository.ts";
import type { StructureEngine } from "../structure/types.ts";
import type { EmailRepository } from "./emails.ts";
import type { PageRepository, SubmissionRepository } from "./repository.ts";

/** What the steps from a submitted address to indexed case studies share. */
export interface IntakeContext {
  readonly submissions: SubmissionRepository;
  readonly pages: PageRepository;
  readonly jobs: JobRepository;
  readonly emails: EmailRepository;
  readonly caseStudies: Pick<CaseStudyRepository, "save" | "detail">;
  readonly corrections: CorrectionRepository;
  readonly client: Pick<NetworkClient, "http" | "dns" | "policy">;
  /** Sites that are not crawled. */
  readonly optOuts?: OptOuts | undefined;
  readonly crawler: Crawler;
  readonly crawlLimits: Partial<CrawlLimits>;
  /** Days after which a site is crawled again; 0 never does. */
  readonly recrawlDays: number;
  /** Approve submissions whose contact address belongs to the domain of the page. */
  readonly autoApprove: boolean;
  readonly extractor: Pick<Extractor, "extract">;
  readonly engine: StructureEngine;
  readonly parseContext: ParseContext;
  readonly clock: () => Date;
  /** Makes the worker of this process, if any, look for jobs now. */
  readonly wakeWorker: () => void;
  /** Called after case studies were queued for the index. */
  readonly onChange: () => void;
}

/** Kinds of jobs. */
export const PREVIEW = "preview";
export const CRAWL = "crawl";
export const STRUCTURE = "structure";
export const FINISH = "finish";
export const EMAIL = "mail";
