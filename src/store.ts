import { keysIn, usageIn } from "./accounts/repository.ts";
import { createCompanyRepository } from "./casestudies/companies/repository.ts";
import { createOutboxRepository } from "./casestudies/index/outbox.ts";
import { createEmailRepository } from "./casestudies/intake/emails.ts";
import { createPageRepository, createSubmissionRepository } from "./casestudies/intake/repository.ts";
import type { IndustryNames } from "./casestudies/records.ts";
import { createCaseStudyRepository } from "./casestudies/repository.ts";
import { createCorrectionRepository } from "./casestudies/review/repository.ts";
import { createStarterRepository } from "./casestudies/starter/repository.ts";
import { openDatabase } from "./db/database.ts";
import { createSettingsRepository } from "./db/settings.ts";
import { createDiscoveryRepository, createFeedbackRepository } from "./detection/fingerprints/repository.ts";
import { createScanRepository } from "./detection/repository.ts";
import { createStatsRepository } from "./health/stats.ts";
import { createJobRepository } from "./jobs/repository.ts";
import { createWatchRepository, createWebhookRepository } from "./watches/repository.ts";

export interface StoreOptions {
  /** Created when absent, readable by this user only. `:memory:` keeps nothing. */
  readonly dataDir: string;
  readonly clock: () => Date;
  /** Snapshots kept per domain; 0 keeps none. */
  readonly keepSnapshots?: number;
  /** Reports kept per domain. */
  readonly keepReports?: number;
  /** Display names of the industries of case studies and companies. */
  readonly industryNames?: IndustryNames;
}

/**
 * Opens the database, migrates it, and builds the repositories.
 *
 * @throws Failure `store.unusable`, see `openDatabase`
 */
export async function openStore(options: StoreOptions) {
  const { dataDir, clock, keepSnapshots = 5, keepReports = 100, industryNames = new Map() } = options;
  const { queries, ...database } = await openDatabase({ dataDir, clock });
  const caseStudies = createCaseStudyRepository(queries, industryNames, clock);
  return {
    ...database,
    scans: createScanRepository(queries, { clock, keepSnapshots, keepReports }),
    discovery: createDiscoveryRepository(queries),
    feedback: createFeedbackRepository(queries, clock),
    keys: keysIn(queries),
    usage: usageIn(queries),
    stats: createStatsRepository(queries),
    settings: createSettingsRepository(queries),
    starter: createStarterRepository(queries, industryNames, clock),
    caseStudies,
    companies: createCompanyRepository(queries, industryNames, caseStudies, clock),
    outbox: createOutboxRepository(queries, clock),
    jobs: createJobRepository(queries, clock),
    submissions: createSubmissionRepository(queries, clock),
    pages: createPageRepository(queries, clock),
    emails: createEmailRepository(queries, clock),
    corrections: createCorrectionRepository(queries, clock),
    watches: createWatchRepository(queries, clock),
    webhooks: createWebhookRepository(queries, clock),
  };
}

/** Every repository, and the database under them. Features take the repositories that they use by their own types. */
export type Store = Awaited<ReturnType<typeof openStore>>;
