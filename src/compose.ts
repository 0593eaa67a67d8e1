import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Accounts,
  type ClientLimits,
  createAccounts,
  createClientLimits,
  createOperator,
  type Operator,
} from "./accounts/service.ts";
import { type BackupSchedule, type BackupService, createBackupService } from "./backup/service.ts";
import { createCrawler } from "./casestudies/crawl/crawler.ts";
import { extractPage } from "./casestudies/extract/extract-page.ts";
import { createIndexer, type IndexWorker, startIndexWorker } from "./casestudies/index/indexer.ts";
import { findPointer, type PassageIndex } from "./casestudies/index/passage-index.ts";
import { CRAWL, FINISH, type IntakeParts, MAIL, PREVIEW, STRUCTURE } from "./casestudies/intake/context.ts";
import { createIntakeService, type IntakeService } from "./casestudies/intake/service.ts";
import {
  crawlJob,
  finishJob,
  mailJob,
  previewJob,
  queueDueCrawls,
  resume,
  structureJob,
} from "./casestudies/intake/worker.ts";
import { createParseContext, type ParseContext } from "./casestudies/record.ts";
import { type CaseStudyService, createCaseStudyService, UPKEEP } from "./casestudies/service.ts";
import { createStarterService, type StarterService } from "./casestudies/starter/service.ts";
import { createStructureEngine } from "./casestudies/structure/create-engine.ts";
import type { StructureEngine } from "./casestudies/structure/types.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "./casestudies/taxonomy/packed.ts";
import type { Industries } from "./casestudies/taxonomy/taxonomy.ts";
import type { Config } from "./config/keys.ts";
import { lazy, sleep } from "./core/async.ts";
import { siteOf } from "./core/domain.ts";
import { Failure } from "./core/errors.ts";
import { createWriterLock, takeLock } from "./db/locks.ts";
import { openCatalogue } from "./detection/fingerprints/open-catalogue.ts";
import { createFingerprintService, type FingerprintService } from "./detection/fingerprints/service.ts";
import type { Category } from "./detection/fingerprints/types.ts";
import {
  createScanHistory,
  createSourceHealth,
  type ScanHistory,
  type SourceHealthService,
} from "./detection/history.ts";
import { SCANNERS } from "./detection/scanners/registry.ts";
import { createDetectionService, type DetectionService } from "./detection/service.ts";
import type { Report } from "./detection/types.ts";
import { openBuiltInEncoder } from "./embedding/built-in.ts";
import type { Encoder } from "./embedding/encoder.ts";
import { createDoctor, type DoctorService } from "./health/doctor.ts";
import { createReadiness, type ReadinessService } from "./health/readiness.ts";
import { createStatsService, type StatsService } from "./health/stats.ts";
import { type Runner, startRunner } from "./jobs/runner.ts";
import { createJobService, type JobService } from "./jobs/service.ts";
import { createAvailableModels } from "./models/available-models.ts";
import { chosenNameIn, createModelMigration } from "./models/migration.ts";
import { openSearchBackend } from "./models/search-backend.ts";
import { createModelService, type ModelService } from "./models/service.ts";
import { damagedNatives } from "./natives/unpack.ts";
import {
  NETWORK_DEFAULTS,
  type NetworkClient,
  type NetworkSettings,
  openNetworkClient,
  userAgent,
} from "./net/client.ts";
import { openMailer } from "./net/mailer.ts";
import { openStore, type Store } from "./store.ts";
import { openWatches, type WatchService } from "./watches/service.ts";

/** The application: one service per feature. Routes, commands and agent tools take the services they use. */
export interface Services {
  readonly version: string;
  readonly categories: readonly Category[];
  readonly detection: DetectionService & ScanHistory & SourceHealthService;
  readonly fingerprints: FingerprintService;
  readonly caseStudies: CaseStudyService;
  readonly intake: IntakeService;
  readonly jobs: JobService;
  readonly starter: StarterService;
  readonly models: ModelService;
  readonly watches: WatchService;
  readonly backups: BackupService;
  readonly health: ReadinessService & StatsService & DoctorService;
  readonly accounts: Accounts;
  readonly operator: Operator;
  readonly clientLimits: ClientLimits;
  /** Stops scans and background work, and closes sockets and the database. */
  close(): Promise<void>;
}

/** What the services report to the log: none of it is an answer to a caller. */
export interface LogHandlers {
  /** A scanner threw an error, which is a bug in it. */
  readonly scannerFailed: (scanner: string, error: unknown) => void;
  /** A background task failed; it is retried. */
  readonly taskFailed: (task: string, error: unknown) => void;
  readonly scanFinished?: ((report: Report) => void) | undefined;
  readonly note?: ((message: string) => void) | undefined;
  /** An alarm of the models, once when it appears. */
  readonly alarm?: ((alarm: string) => void) | undefined;
}

/** @throws Failure `config.invalid` when `net.ca_file` cannot be read */
export function networkSettings({ net }: Config, version: string): NetworkSettings {
  return {
    ...NETWORK_DEFAULTS,
    dnsServers: net.resolvers.length > 0 ? net.resolvers : null,
    dnsTimeoutMs: net.dnsTimeoutMs,
    allowCidrs: net.allowCidrs,
    extraPorts: net.extraPorts,
    connectPorts: new Map(net.connectPorts.map(({ from, to }) => [from, to])),
    proxy: net.proxy,
    extraCa: net.caFile === null ? null : readAuthorities(net.caFile),
    userAgent: userAgent(version, net.contact),
    connections: net.maxConnections,
    connectionsPerHost: net.maxConnectionsPerHost,
    exchangeMs: net.httpTimeoutMs,
    pageBytes: net.maxPageBytes,
  };
}

function readAuthorities(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new Failure("config.invalid", `Cannot read net.ca_file ${path}.`);
  }
}

interface StudiesOptions {
  readonly store: Store;
  readonly industries: Industries;
  readonly dataDir: string;
  readonly inMemory: boolean;
  readonly clock: () => Date;
  readonly log: LogHandlers;
}

/**
 * The case studies' verbs over a model and the search index, which are opened when they are first needed: both load
 * native libraries of some hundred megabytes, and who only enriches needs neither.
 */
function openStudies(options: StudiesOptions): {
  readonly studies: CaseStudyService;
  readonly models: ModelService;
  readonly tools: ParseContext;
  /** The built-in model, whatever searches use. */
  readonly encoder: () => Promise<Encoder>;
  /** What searches use. */
  readonly answering: { readonly encoder: () => Promise<Encoder>; readonly index: () => Promise<PassageIndex> };
  /** Case studies were changed: a running upkeep looks at once. */
  readonly changed: () => void;
  readonly close: () => Promise<void>;
} {
  const { store, industries, dataDir, inMemory } = options;
  const unpackDir = join(dataDir, "native");
  const shelf = join(dataDir, "models");
  const known = createAvailableModels(shelf, unpackDir);
  const encoder = lazy(() => openBuiltInEncoder({ unpackDir }));
  const answering = openSearchBackend({
    dataDir,
    unpackDir,
    inMemory,
    known,
    builtIn: encoder.get,
    async chosen() {
      try {
        const model = await known.get(await chosenNameIn(store.settings));
        await model.check();
        return model;
      } catch {
        // After a restore the user's models are not there: what comes with the program does until they are.
        return known.builtIn;
      }
    },
    requeue: () => store.outbox.requeueAll(),
    clock: options.clock,
  });
  const lock = createWriterLock(join(dataDir, "index-writer.sqlite"));
  const indexer = createIndexer({
    lock,
    outbox: store.outbox,
    studies: store.caseStudies,
    encoder: async () => (await answering.get()).encoder(),
    index: async () => (await answering.get()).index,
    onError: options.log.taskFailed,
  });
  const switching = createModelMigration({
    store,
    known,
    answering,
    indexer,
    lock,
    builtIn: encoder.get,
    onError: options.log.taskFailed,
  });
  const tools = createParseContext({ industries, outcomeMetrics: loadBuiltInOutcomeMetrics() });
  let upkeep: IndexWorker | undefined;
  const studies = createCaseStudyService({
    store,
    indexer,
    lend: answering.lend,
    industries,
    tools,
    onError: options.log.taskFailed,
  });
  // After a restore nothing waits for an index that is not there: what is to be indexed is told before anybody opens it.
  const queueLost = lazy(async () => {
    if (inMemory || (await findPointer(join(dataDir, "index")))) return 0;
    return await store.outbox.requeueAll();
  });
  const takeUpkeep = () => (inMemory ? undefined : takeLock(join(dataDir, "upkeep.sqlite")));
  return {
    studies: {
      ...studies,
      startUpkeep() {
        // Held as long as a service does by itself what was chosen: a command then leaves it to the service.
        let held = takeUpkeep();
        const isShared = !inMemory && held === undefined;
        let alarms: readonly string[] = [];
        const started = startIndexWorker(
          {
            ...indexer,
            async drain(work = {}) {
              // The service that held it may have ended.
              held ??= takeUpkeep();
              await switching.keepFollowing(work);
              const before = alarms;
              alarms = switching.alarms();
              for (const alarm of alarms) if (!before.includes(alarm)) options.log.alarm?.(alarm);
              return await indexer.drain(work);
            },
          },
          { ...UPKEEP, onError: options.log.taskFailed },
        );
        upkeep = started;
        queueLost.get().then(
          () => started.wake(),
          (error) => options.log.taskFailed("upkeep of the index", error),
        );
        return {
          isShared,
          wake: started.wake,
          async stop() {
            upkeep = undefined;
            await started.stop();
            held?.release();
          },
        };
      },
      async indexStudies(work) {
        await queueLost.get();
        if (!inMemory) await switching.followIfNeeded(work);
        return await studies.indexStudies(work);
      },
      reindex: async (work) => (await switching.follow(work)) ?? (await studies.reindex(work)),
      async searchStudies(questions, signal) {
        // A command that no upkeep helps makes a lost index first, or it would find nothing.
        const isAlone = upkeep === undefined && (await queueLost.get()) > 0;
        if (isAlone) await studies.indexStudies(signal ? { signal } : {});
        return await studies.searchStudies(questions, signal);
      },
    },
    models: createModelService({
      store,
      known,
      switching,
      answering,
      shelf,
      unpackDir,
      inMemory,
      builtIn: encoder.get,
      /** Tells a service, this one or another, and answers whether there is one. */
      leave() {
        if (upkeep) {
          upkeep.wake();
          return true;
        }
        const free = takeUpkeep();
        free?.release();
        return free === undefined;
      },
    }),
    tools,
    encoder: encoder.get,
    answering: {
      encoder: async () => (await answering.get()).encoder(),
      index: async () => (await answering.get()).index,
    },
    changed: () => upkeep?.wake(),
    async close() {
      await answering.close();
      const open: Encoder | undefined = await encoder.opened();
      await open?.close();
    },
  };
}

interface IntakeOptions {
  readonly config: Config;
  readonly store: Store;
  readonly settings: Parameters<typeof openNetworkClient>[0];
  readonly tools: ParseContext;
  readonly engine: StructureEngine;
  readonly clock: () => Date;
  /** There is something new to index. */
  readonly changed: () => void;
  readonly schedule: Pick<BackupSchedule, "handlers" | "queueDue">;
  readonly onError: (work: string, error: unknown) => void;
}

const MIB = 1_048_576;
/** PDFs are larger than the pages that a scan looks at. */
const PAGE_BYTES = 8 * MIB;
/** And so they take longer. */
const EXCHANGE_MS = 30_000;
const LOOK_MS = 2_000;
const RECRAWL_LOOK_MS = 600_000;
const LEASE_SECONDS = 120;
const KEEP_DONE_DAYS = 30;

/** The way from a submitted page to case studies, over a door of its own: a crawl may read more than a scan. */
function openIntake(options: IntakeOptions): {
  readonly intake: IntakeService;
  readonly jobs: JobService;
  readonly close: () => void;
} {
  const { config, store, clock, onError } = options;
  const door = openNetworkClient({ ...options.settings, pageBytes: PAGE_BYTES, exchangeMs: EXCHANGE_MS });
  const mailer = mailerOf(config, options.settings.extraCa);
  let runner: Runner | undefined;
  const parts: IntakeParts = {
    store,
    crawler: createCrawler({
      http: door.http,
      policy: door.policy,
      now: Date.now,
      sleep,
      userAgentToken: "Casefile",
    }),
    limits: {
      maxPages: config.crawl.maxPages,
      maxBytes: config.crawl.maxBytes,
      perHostMs: config.crawl.delayMs,
      deadlineMs: config.crawl.deadlineMs,
    },
    extract: extractPage,
    engine: options.engine,
    tools: options.tools,
    clock,
    wake: () => runner?.wake(),
    changed: options.changed,
    recrawlDays: config.crawl.recrawlDays,
    approves: config.crawl.autoApprove === "off" ? async () => false : (submission) => sameDomain(door, submission),
  };

  const startWork = (): Runner => {
    const running = startRunner({
      queue: store.jobs,
      handlers: {
        [PREVIEW]: previewJob(parts),
        [CRAWL]: crawlJob(parts),
        [STRUCTURE]: structureJob(parts),
        [FINISH]: finishJob(parts),
        ...(mailer ? { [MAIL]: mailJob(store.mails, mailer) } : {}),
        ...options.schedule.handlers,
      },
      concurrency: config.jobs.concurrency,
      pollMs: LOOK_MS,
      leaseSeconds: LEASE_SECONDS,
      random: Math.random,
      onFailure: (job, error, dead) => {
        if (dead) onError(`job ${job.id} (${job.kind})`, error);
      },
    });
    runner = running;
    const upkeep = () => {
      resume(parts)
        .then(() => queueDueCrawls(parts))
        .then(() => options.schedule.queueDue())
        .then(() => running.wake())
        .then(() => store.jobs.deleteDone(new Date(clock().getTime() - KEEP_DONE_DAYS * 86_400_000)))
        .catch((error) => onError("upkeep of the jobs", error));
    };
    const timer = setInterval(upkeep, RECRAWL_LOOK_MS);
    upkeep();
    return {
      ...running,
      async stop() {
        clearInterval(timer);
        await running.stop();
      },
    };
  };

  const intake = createIntakeService({
    intake: parts,
    store,
    refusal: (url) => door.policy.refusal(url),
    startRunner: startWork,
    industryOf: (text) => options.tools.industries.resolve(text),
    mailConfigured: mailer !== undefined,
  });
  return {
    intake,
    jobs: createJobService(store.jobs, parts.wake),
    close() {
      door.close();
      mailer?.close();
    },
  };
}

const mailerOf = ({ smtp }: Config, extraCa: string | null) =>
  smtp.url === null ? undefined : openMailer({ url: smtp.url, from: smtp.from ?? "", extraCa, timeoutMs: 30_000 });

/** The contact writes from the domain that the page stands on, and that domain takes mail. */
async function sameDomain(
  door: NetworkClient,
  { contact_email, case_study_url }: { contact_email: string; case_study_url: string },
): Promise<boolean> {
  const mailDomain = contact_email.slice(contact_email.lastIndexOf("@") + 1);
  if (siteOf(mailDomain) !== siteOf(new URL(case_study_url).hostname)) return false;
  const { status, records } = await door.dns(mailDomain, "MX", AbortSignal.timeout(10_000));
  return status === "ok" && records.some(({ type, value }) => type === "MX" && value !== "" && value !== ".");
}

export interface ServicesOptions {
  readonly config: Config;
  readonly version: string;
  readonly log: LogHandlers;
  /** Writes nothing to disk. */
  readonly inMemory?: boolean | undefined;
}

/**
 * Builds the application from its configuration: database, network client, services.
 *
 * @throws Failure `store.unusable`, `config.invalid`
 */
export async function openServices({ config, version, log, inMemory = false }: ServicesOptions): Promise<Services> {
  const note = log.note ?? (() => {});
  const now = Date.now;
  const clock = () => new Date(now());
  const catalogue = await openCatalogue(config.fingerprints.dir, note);
  const industries = loadBuiltInIndustries();
  const store = await openStore({
    dataDir: inMemory ? ":memory:" : config.dataDir,
    clock,
    keepSnapshots: config.scan.keepSnapshots,
    industryNames: industries.nameBySlug,
  });
  const settings = networkSettings(config, version);
  const door = openNetworkClient(settings);

  const detection = createDetectionService({
    door,
    sources: config.sources,
    scanners: SCANNERS,
    catalogue,
    store,
    settings: config.scan,
    agent: `casefile ${version}`,
    now,
    onBug: log.scannerFailed,
    onScan: log.scanFinished ?? (() => {}),
  });
  const { studies, models, tools, encoder, answering, changed, ...caseStudies } = openStudies({
    store,
    industries,
    dataDir: config.dataDir,
    inMemory,
    clock,
    log,
  });
  const engine = createStructureEngine({
    context: tools,
    toolNames: [...catalogue.tools.values()].map(({ name, aliases = [] }) => ({ name, aliases })),
    embed: async (texts) => (await encoder()).encode(texts, "passage"),
    languageModel:
      config.languageModel.url === null ? null : { ...config.languageModel, url: config.languageModel.url },
    network: settings,
    onNote: note,
  });
  const backups = createBackupService({
    database: store,
    jobs: store.jobs,
    dataDir: inMemory ? undefined : config.dataDir,
    version,
    clock,
    everyHours: config.backup.everyHours,
    keep: config.backup.keep,
    models: config.backup.models,
  });
  const {
    intake,
    jobs,
    close: closeIntake,
  } = openIntake({
    config,
    store,
    settings,
    tools,
    engine: engine.engine,
    clock,
    changed,
    schedule: backups.schedule,
    onError: log.taskFailed,
  });
  const watches = openWatches({
    config,
    store,
    settings,
    catalogue,
    version,
    clock,
    enrich: detection.enrich,
    onError: log.taskFailed,
  });

  return {
    version,
    categories: [...catalogue.categories.values()],
    detection: {
      ...detection,
      ...createScanHistory(store.scans),
      ...createSourceHealth(store.scans, config.sources),
    },
    fingerprints: createFingerprintService({ catalogue, store }),
    caseStudies: studies,
    intake,
    jobs,
    starter: createStarterService({
      repository: store.starter,
      context: tools,
      loadBuiltIn: async () => (await import("./casestudies/starter/packed.ts")).loadBuiltInStarter(),
      enabled: config.starter.enabled && !inMemory,
      onChange: changed,
    }),
    models,
    watches: watches.verbs,
    backups,
    health: {
      ...createReadiness({
        caseStudies: studies,
        intake,
        alarms: [models.alarms, backups.schedule.alarms, watches.alarms],
      }),
      ...createStatsService(store.stats, [...catalogue.tools.values()], version),
      ...createDoctor({
        database: store,
        outbox: store.outbox,
        stats: store.stats,
        ...answering,
        intake,
        unpackDir: join(config.dataDir, "native"),
        damagedNatives,
        resolvers: config.net.resolvers,
        sources: config.sources,
        network: door,
        clock,
      }),
    },
    accounts: createAccounts(store, { monthlyLimit: config.accounts.monthlyLimit, clock }),
    operator: createOperator(store.settings),
    clientLimits: createClientLimits({ perHour: config.accounts.keylessPerHour, clock }),
    async close() {
      detection.stop();
      await backups.close();
      await watches.close();
      closeIntake();
      await engine.close();
      await caseStudies.close();
      door.close();
      await store.close();
    },
  };
}
