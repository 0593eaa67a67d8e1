import { keysIn, usageIn } from "./accounts/repository.ts";
import { createBatchRepository } from "./batches/repository.ts";
import { createCompanyRepository } from "./casestudies/companies/repository.ts";
import { createOutboxRepository, LOCAL_INDEX } from "./casestudies/index/outbox.ts";
import { createSnapshotRecords } from "./casestudies/index/snapshot-records.ts";
import { createEmailRepository } from "./casestudies/intake/emails.ts";
import { createPageRepository, createSubmissionRepository } from "./casestudies/intake/repository.ts";
import type { IndustryNames } from "./casestudies/records.ts";
import { createCaseStudyRepository } from "./casestudies/repository.ts";
import { createCorrectionRepository } from "./casestudies/review/repository.ts";
import { createStarterRepository } from "./casestudies/starter/repository.ts";
import { lazy } from "./core/async.ts";
import { clockInProcess } from "./db/clock.ts";
import { openDatabase } from "./db/database.ts";
import { createNode, readIndexId } from "./db/node.ts";
import { createNodeRepository } from "./db/nodes.ts";
import { databaseIdentity } from "./db/postgres/identity.ts";
import { createDatabaseNode, createNodeAlarms, type NodeContents, SILENT_SECONDS } from "./db/postgres/node.ts";
import { createSettingsRepository } from "./db/settings.ts";
import { createSharedState } from "./db/shared-state.ts";
import { createInstalledRepository } from "./detection/fingerprints/installed.ts";
import { createDiscoveryRepository, createFeedbackRepository } from "./detection/fingerprints/repository.ts";
import { createScanRepository } from "./detection/repository.ts";
import { createActivityRepository } from "./health/activity.ts";
import { createStatsRepository } from "./health/stats.ts";
import { createIngestRepository } from "./ingest/repository.ts";
import { createJobRepository } from "./jobs/repository.ts";
import { createSharedModelRepository } from "./models/repository.ts";
import { createOperatorRepository } from "./operators/repository.ts";
import { createOptOutRepository } from "./privacy/opt-outs.ts";
import { createStackRepository } from "./stack/repository.ts";
import { createWatchRepository, createWebhookRepository } from "./watches/repository.ts";

export interface StoreOptions {
  /** Created when absent, readable by this user only. `:memory:` keeps nothing. */
  readonly dataDir: string;
  /** The PostgreSQL database to use in place of a file in the data directory. */
  readonly postgres?: { readonly url: string; readonly maxConnections: number } | undefined;
  /** Replaces the clocks of the process and of the database, for tests. */
  readonly clock?: (() => Date) | undefined;
  /** Of the program, which other nodes see. */
  readonly version?: string;
  readonly contents?: NodeContents;
  /** A heartbeat of this node failed; the next one follows. */
  readonly onNodeError?: ((error: unknown) => void) | undefined;
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
  const {
    dataDir,
    postgres,
    clock = () => new Date(),
    keepSnapshots = 5,
    keepReports = 100,
    industryNames = new Map(),
    version = "",
    contents = { rules: () => "", model: async () => undefined, problem: () => null },
  } = options;
  const { queries, lazyQueries, ...database } = await openDatabase({ dataDir, postgres, clock });
  const onDisk = dataDir === ":memory:" ? undefined : dataDir;
  const isShared = database.engine === "postgres";
  const indexId = isShared && onDisk !== undefined ? await readIndexId(onDisk) : LOCAL_INDEX;
  const shared = isShared ? createSharedState(queries, database.databaseClock) : undefined;
  const node = shared
    ? createDatabaseNode({
        queries,
        time: database.databaseClock,
        indexId,
        version,
        contents,
        deleteOld: shared.deleteOld,
        onError: options.onNodeError ?? (() => {}),
      })
    : createNode(onDisk);
  const identity = lazy(() => databaseIdentity(queries)).get;
  const leasing = { lazyQueries, databaseClock: options.clock ? clockInProcess(clock) : database.databaseClock, node };
  // The one place that decides what a power failure may lose: results of scans, counters, leases and the
  // outbox of the index.
  const outbox = createOutboxRepository(lazyQueries, clock, indexId);
  const caseStudies = createCaseStudyRepository(queries, industryNames, clock, indexId);
  return {
    ...database,
    queries,
    nodes: createNodeRepository({
      ...{ queries, time: leasing.databaseClock, clock, node, indexId, isShared },
      ...{ version, contents },
    }),
    node,
    nodeAlarms: isShared
      ? createNodeAlarms({ queries, time: database.databaseClock, version, contents })
      : async () => [],
    shared,
    async close() {
      await node.leave();
      await database.close();
    },
    scans: createScanRepository(lazyQueries, { clock, keepSnapshots, keepReports }),
    ingests: createIngestRepository(lazyQueries, { clock, keepSnapshots, keepReports }),
    stack: createStackRepository(lazyQueries),
    installedFingerprints: createInstalledRepository(queries),
    /** Undefined on SQLite: one machine has its models in its directory. */
    sharedModels: isShared ? createSharedModelRepository(queries, database.databaseClock, SILENT_SECONDS) : undefined,
    /** Of the database, which its copies do not share. */
    identity,
    discovery: createDiscoveryRepository(lazyQueries),
    feedback: createFeedbackRepository(queries, clock),
    keys: keysIn(queries),
    usage: usageIn(lazyQueries),
    stats: createStatsRepository(queries),
    activity: createActivityRepository(lazyQueries, indexId),
    settings: createSettingsRepository(queries),
    operators: createOperatorRepository(queries, leasing.databaseClock),
    starter: createStarterRepository(queries, industryNames, clock),
    caseStudies,
    companies: createCompanyRepository(queries, industryNames, caseStudies, clock),
    outbox,
    indexSnapshots: createSnapshotRecords(queries, indexId, outbox.requeueAll, clock, identity),
    jobs: createJobRepository(queries, leasing, clock),
    submissions: createSubmissionRepository(queries, clock),
    pages: createPageRepository(queries, clock),
    emails: createEmailRepository(queries, clock),
    corrections: createCorrectionRepository(queries, clock),
    watches: createWatchRepository(queries, leasing, clock),
    webhooks: createWebhookRepository(queries, leasing, clock),
    optOuts: createOptOutRepository(queries, clock),
    batches: createBatchRepository(queries, leasing, clock),
  };
}

/** Every repository, and the database under them. Features take the repositories that they use by their own types. */
export type Store = Awaited<ReturnType<typeof openStore>>;
