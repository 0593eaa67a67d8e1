import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { type ClientLimits, createClientLimits, createSharedClientLimits } from "./accounts/client-limits.ts";
import { type Accounts, createAccounts, createOperator, type Operator, type SignUpPolicy } from "./accounts/service.ts";
import { withUnwrittenUsage } from "./accounts/unwritten-usage.ts";
import { type BackupService, createBackupService } from "./backup/service.ts";
import { type BatchService, createBatchService } from "./batches/service.ts";
import { type CompanyService, createCompanyService } from "./casestudies/companies/service.ts";
import { createExtractor } from "./casestudies/extract/extractor.ts";
import { createIndexer } from "./casestudies/index/indexer.ts";
import { findPointer } from "./casestudies/index/passage-index.ts";
import { createIndexService, type IndexService } from "./casestudies/index/service.ts";
import { createIndexSnapshots } from "./casestudies/index/snapshots.ts";
import { createRereadJobs } from "./casestudies/intake/reread-outcomes.ts";
import { CRAWL_NETWORK, createIntakeService, type IntakeService } from "./casestudies/intake/service.ts";
import { createParseContext } from "./casestudies/record.ts";
import { createSearch } from "./casestudies/search/search.ts";
import { openSearchBackend } from "./casestudies/search/search-backend.ts";
import { createStoredWords } from "./casestudies/search/stored-words.ts";
import { type CaseStudyService, createCaseStudyService } from "./casestudies/service.ts";
import { createStarterService, type StarterService } from "./casestudies/starter/service.ts";
import { createStructureEngine } from "./casestudies/structure/create-engine.ts";
import { createOutcomeReader } from "./casestudies/structure/local-engine.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "./casestudies/taxonomy/packed.ts";
import type { Config } from "./config/keys.ts";
import { lazy } from "./core/async.ts";
import { Failure } from "./core/errors.ts";
import { createWriterLock } from "./db/locks.ts";
import { SCHEMA_VERSION } from "./db/migrate.ts";
import type { NodeRepository } from "./db/nodes.ts";
import { keepInUse, unpackInstalled, watchInstalled } from "./detection/fingerprints/installed.ts";
import { openCatalogue } from "./detection/fingerprints/open-catalogue.ts";
import { createFingerprintService, type FingerprintService } from "./detection/fingerprints/service.ts";
import type { Category } from "./detection/fingerprints/types.ts";
import { createScanProcesses, SCAN_PROCESSES } from "./detection/isolation/scan-processes.ts";
import { createRenewal } from "./detection/renewal.ts";
import { createScanClaims } from "./detection/scan-claims.ts";
import { SCANNERS } from "./detection/scanners/registry.ts";
import { createDetectionService, type DetectionService } from "./detection/service.ts";
import type { Report } from "./detection/types.ts";
import { openBuiltInEncoder } from "./embedding/built-in.ts";
import { type ActivityService, createActivity } from "./health/activity.ts";
import { createDoctor, type DoctorService } from "./health/doctor.ts";
import { createReadiness, type ReadinessService } from "./health/readiness.ts";
import type { SchemaVersions } from "./health/routes.ts";
import { cachedStats, createStatsService, type StatsService } from "./health/stats.ts";
import { createIngestService, type IngestService } from "./ingest/service.ts";
import { createJobService, type JobService } from "./jobs/service.ts";
import { createAvailableModels } from "./models/available-models.ts";
import { chosenModelName, createModelMigration } from "./models/migration.ts";
import { createModelService, type ModelService } from "./models/service.ts";
import { createSharedModels } from "./models/shared-models.ts";
import { damagedNatives } from "./natives/unpack.ts";
import { NETWORK_DEFAULTS, type NetworkSettings, openNetworkClient, userAgent } from "./net/client.ts";
import { openMailer } from "./net/mailer.ts";
import { type ObjectStore, openObjectStore } from "./net/object-store.ts";
import { openProviderFetch } from "./net/provider-fetch.ts";
import { createRequestSigner, type RequestSigner } from "./net/request-signer.ts";
import { exposedKey } from "./net/signing-key.ts";
import { CALLBACK_PATH, createOidcSignIn, type OidcSignIn } from "./operators/oidc.ts";
import { createOperatorService, type OperatorService } from "./operators/service.ts";
import { createOptOutService, type OptOutService } from "./privacy/opt-outs.ts";
import { createPrivacyService, type PrivacyService } from "./privacy/stored-data.ts";
import { createClaimChecks } from "./prospects/check-claims.ts";
import { loadBuiltInVendorTools } from "./prospects/packed.ts";
import { createProspectService, type ProspectService } from "./prospects/prospects.ts";
import { type ClaimService, createClaimService, storedOf } from "./prospects/service.ts";
import { createVendorLinks } from "./prospects/vendor-tools.ts";
import { STACK_FORMAT } from "./stack/repository.ts";
import { createStackService, type StackService } from "./stack/service.ts";
import { openStore, type Store } from "./store.ts";
import { createWatchService, type WatchService } from "./watches/service.ts";
import { openWebhookNetwork } from "./watches/webhooks.ts";

/** The application: one service per feature. Routes, commands and agent tools take the services they use. */
export interface Services {
  readonly version: string;
  readonly categories: readonly Category[];
  readonly detection: DetectionService;
  readonly fingerprints: FingerprintService;
  readonly ingest: IngestService;
  readonly caseStudies: CaseStudyService;
  readonly companies: CompanyService;
  readonly claims: ClaimService;
  readonly prospects: ProspectService;
  readonly index: IndexService;
  readonly intake: IntakeService;
  readonly jobs: JobService;
  readonly starter: StarterService;
  readonly models: ModelService;
  readonly watches: WatchService;
  readonly batches: BatchService;
  readonly stack: StackService;
  readonly backups: BackupService;
  readonly optOuts: OptOutService;
  readonly privacy: PrivacyService;
  readonly health: ReadinessService &
    StatsService &
    DoctorService & {
      readonly schema: SchemaVersions;
      /** Of the connections to PostgreSQL; undefined for a file. */
      readonly pool: Store["pool"];
    };
  readonly activity: ActivityService;
  /** Signs the requests of scans and crawls, where a key is configured. */
  readonly signer?: RequestSigner | undefined;
  readonly accounts: Accounts;
  readonly operator: Operator;
  readonly operators: OperatorService;
  /** Sign-in at an identity provider, where one is configured. */
  readonly oidc?: OidcSignIn | undefined;
  readonly clientLimits: ClientLimits;
  readonly nodes: NodeRepository;
  /**
   * Exchanges custom fingerprints and models with the other nodes; does nothing on SQLite. Resolves when this node has
   * what it needs for its first index.
   */
  shareContent(work: ContentWork): Promise<{ stop(): Promise<void> }>;
  /** Stops scans and background work, and closes sockets and the database. */
  close(): Promise<void>;
}

export interface ContentWork {
  readonly signal: AbortSignal;
  /** Why it has not resolved yet. */
  readonly onWait: (reason: string) => void;
  /** Starts the service again, with other fingerprints. */
  readonly restart: (reason: string) => void;
  /** How long one node may take for that before the next one does. */
  readonly turnSeconds: number;
}

/** Events that the services report to the log. */
export interface LogHandlers {
  /** A scanner threw an error, which is a bug in it. */
  readonly scannerFailed: (scanner: string, error: unknown) => void;
  /** A background task failed; it is retried. */
  readonly taskFailed: (task: string, error: unknown) => void;
  readonly scanFinished?: ((report: Report) => void) | undefined;
  readonly note?: ((message: string) => void) | undefined;
  /** What the operator should look after, once when it appears. */
  readonly alarm?: ((alarm: string) => void) | undefined;
}

/** @throws Failure `config.invalid` when `net.ca_file` cannot be read */
export function networkSettings({ net, scan }: Config, version: string, page: string | null = null): NetworkSettings {
  return {
    ...NETWORK_DEFAULTS,
    dnsServers: net.resolvers.length > 0 ? net.resolvers : null,
    dnsTimeoutMs: net.dnsTimeoutMs,
    allowCidrs: net.allowCidrs,
    extraPorts: net.extraPorts,
    connectPorts: new Map(net.connectPorts.map(({ from, to }) => [from, to])),
    proxy: net.proxy,
    browserUrl: scan.browserUrl,
    extraCa: net.caFile === null ? null : readSetting("net.ca_file", net.caFile),
    userAgent: userAgent(version, page, scan.contact),
    connections: net.maxConnections,
    connectionsPerHost: net.maxConnectionsPerHost,
    exchangeMs: net.httpTimeoutMs,
    pageBytes: net.maxPageBytes,
  };
}

function readSetting(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Failure("config.invalid", `Cannot read ${name} ${path}.`, { cause: error });
  }
}

/** @throws Failure `config.invalid` when the key cannot be read, or sites could not find its public part */
function openSigner(
  { signingKeyFile, signatureAgent }: Config["scan"],
  now: () => number,
  alarm: (text: string) => void,
): RequestSigner | undefined {
  if (signingKeyFile === null) return undefined;
  if (signatureAgent === null)
    throw new Failure("config.invalid", "scan.signing_key_file needs scan.signature_agent, where sites find its key.");
  const pem = readSetting("scan.signing_key_file", signingKeyFile);
  const exposed = exposedKey(signingKeyFile);
  if (exposed) alarm(`${exposed.detail} ${exposed.remedy}`);
  return createRequestSigner({ pem, agent: signatureAgent, now });
}

export const SCHEMA_VERSIONS: SchemaVersions = { database: SCHEMA_VERSION, stack_index: STACK_FORMAT };

interface SearchOptions {
  readonly store: Store;
  readonly dataDir: string;
  readonly inMemory: boolean;
  /** Where snapshots of the index are kept. */
  readonly objects: ObjectStore | undefined;
  readonly snapshotEveryMs: number;
  readonly clock: () => Date;
  readonly log: LogHandlers;
}

/**
 * The search index and the embedding models. Both are opened when first needed: they load native libraries of hundreds
 * of megabytes, which scans do without.
 */
function openSearch({ store, dataDir, inMemory, objects, snapshotEveryMs, clock, log }: SearchOptions) {
  const unpackDir = join(dataDir, "native");
  const modelStore = join(dataDir, "models");
  const available = createAvailableModels(modelStore, unpackDir);
  const builtIn = lazy(() => openBuiltInEncoder({ unpackDir }));
  const backend = openSearchBackend({
    dataDir,
    unpackDir,
    inMemory,
    modelById: available.getById,
    builtIn: builtIn.get,
    async chosen() {
      try {
        const model = await available.get(await chosenModelName(store.settings));
        await model.check();
        return model;
      } catch (error) {
        if (!(error instanceof Failure) || !error.code.startsWith("model.")) throw error;
        // Backups may not contain custom models: the built-in one is used until they are added again.
        return available.builtIn;
      }
    },
    requeue: () => store.outbox.requeueAll(),
    clock,
  });
  const current = {
    encoder: async () => (await backend.get()).encoder(),
    index: async () => (await backend.get()).index,
  };
  const lock = createWriterLock(join(dataDir, "index-writer.sqlite"), () => store.outbox.release());
  const indexer = createIndexer({
    ...current,
    lock,
    outbox: store.outbox,
    caseStudies: store.caseStudies,
    onError: log.taskFailed,
  });
  const migration = createModelMigration({
    settings: store.settings,
    models: available,
    backend,
    indexer,
    lock,
    builtIn: builtIn.get,
    onError: log.taskFailed,
  });
  const snapshots =
    objects &&
    store.shared &&
    createIndexSnapshots({
      dir: join(dataDir, "index"),
      store: objects,
      records: store.indexSnapshots,
      claims: store.shared.claims,
      indexer,
      index: current.index,
      outbox: store.outbox,
      everyMs: snapshotEveryMs,
      clock,
      onError: log.taskFailed,
      onNote: log.note ?? (() => {}),
    });
  const index = createIndexService({
    dataDir: inMemory ? undefined : dataDir,
    indexer,
    outbox: store.outbox,
    migration,
    snapshots,
    check: backend.checkIndex,
    warm: backend.warm,
    onError: log.taskFailed,
    onAlarm: log.alarm,
  });
  const sharedModels =
    store.shared && store.sharedModels && !inMemory
      ? createSharedModels({
          repository: store.sharedModels,
          objects,
          claims: store.shared.claims,
          identity: store.identity,
          store: modelStore,
          isUsed: async ({ name, id }) =>
            (await chosenModelName(store.settings)) === name || (id !== undefined && (await backend.model()) === id),
          onArrival: () => index.wake(),
          onError: log.taskFailed,
          onNote: log.note ?? (() => {}),
        })
      : undefined;
  const models = createModelService({
    caseStudies: store.caseStudies,
    available,
    migration,
    backend,
    modelStore,
    unpackDir,
    inMemory,
    builtIn: builtIn.get,
    shared: sharedModels,
    onError: log.taskFailed,
    wakeIndexWorker() {
      index.wake();
      return index.isMaintained();
    },
  });
  return {
    index,
    models,
    sharedModels,
    snapshotProblem(): string | null {
      const error = snapshots?.state().snapshot_error ?? null;
      return error === null ? null : `Without a snapshot of the search index: ${error}`;
    },
    /** A node without an index fetches the chosen model before it builds one. */
    async joinModels(signal: AbortSignal, onWait: (reason: string) => void): Promise<void> {
      if (sharedModels && (await backend.model()) === undefined)
        await sharedModels.join(migration.chosenName, signal, onWait);
    },
    /** What searches currently use. */
    current,
    search: createSearch({
      caseStudies: store.caseStudies,
      use: backend.use,
      fallback: {
        storedWords: createStoredWords(store.caseStudies),
        pending: index.pending,
        watchSearch: index.watchSearch,
      },
    }),
    builtInEncoder: builtIn.get,
    async close() {
      await backend.close();
      await (await builtIn.opened())?.close();
    },
  };
}

/** @throws Failure `config.invalid` when no domain may sign up */
function signUpPolicyOf({ accounts: { signUp, signUpDomains } }: Config): SignUpPolicy {
  if (signUp === "domains" && signUpDomains.length === 0)
    throw new Failure("config.invalid", "accounts.sign_up = domains needs accounts.sign_up_domains.");
  return { signUp, signUpDomains };
}

/** Where people open the console, without a slash at its end. */
export function consoleUrlOf({ server: { publicUrl, host, port } }: Config): string {
  if (publicUrl !== null) return publicUrl.replace(/\/+$/, "");
  const name = ["0.0.0.0", "::"].includes(host) ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Sign-in at the configured identity provider. @throws Failure `config.invalid` */
function openProvider(config: Config, settings: NetworkSettings, now: () => number) {
  const { issuer, clientId, clientSecret, scopes, roleClaim, roles, emails } = config.operators.oidc;
  if (issuer === null) return undefined;
  const refuse = (message: string) => {
    throw new Failure("config.invalid", `operators.oidc.issuer ${message}`);
  };
  const url = URL.parse(issuer);
  if (url === null || `${url.username}${url.password}${url.search}${url.hash}` !== "")
    return refuse("is not an address without user, query and fragment.");
  // A provider decides who is an operator: nobody may change what it says on the way.
  if (url.protocol !== "https:" && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname))
    return refuse("needs https, except on this machine.");
  if (config.server.publicUrl === null) return refuse("needs server.public_url, to which the provider returns.");
  if (clientId === null) return refuse("needs operators.oidc.client_id.");
  if ((roleClaim === null) !== (roles.length === 0))
    return refuse("needs operators.oidc.role_claim and operators.oidc.roles together, or neither.");
  const network = openProviderFetch(url.origin, settings);
  const redirectUrl = `${consoleUrlOf(config)}${CALLBACK_PATH}`;
  const signIn = createOidcSignIn(
    { issuer, clientId, clientSecret, scopes, roleClaim, roles, emails, redirectUrl },
    network,
    now,
  );
  return { signIn, close: network.close };
}

/** A digest that is computed when it is first needed: of everything that decides which tools a scan detects. */
function digestOf(inputs: readonly unknown[]): () => string {
  let digest: string | undefined;
  return () => (digest ??= createHash("sha256").update(JSON.stringify(inputs)).digest("hex"));
}

/** @throws Failure `config.invalid` */
function openSnapshotStore({ index, database }: Config, settings: NetworkSettings): ObjectStore | undefined {
  const { snapshotUrl: url, snapshotRegion: region, snapshotKeyId: keyId, snapshotSecret: secret } = index;
  if (url === null) return undefined;
  if (database.url === null)
    throw new Failure("config.invalid", "index.snapshot_url needs database.url: one machine alone has no use for it.");
  return openObjectStore({ url, region, keyId, secret }, settings);
}

const mailerOf = ({ smtp }: Config, extraCa: string | null) =>
  smtp.url === null ? undefined : openMailer({ url: smtp.url, from: smtp.from ?? "", extraCa, timeoutMs: 30_000 });

/** Characters of the problem of a node. */
const MAX_PROBLEM = 1_000;
/** One processor is for the service; each process takes up to 640 MiB. */
const MAX_SCAN_PROCESSES = 4;

export interface ServicesOptions {
  readonly config: Config;
  readonly version: string;
  /** Of the product, for site owners. */
  readonly page?: string | null | undefined;
  readonly log: LogHandlers;
  /** Writes nothing to disk. */
  readonly inMemory?: boolean | undefined;
  /**
   * Reads what strangers send in other processes, with limits of time and memory. For a service; a command that ends by
   * itself would wait for their start.
   */
  readonly isolated?: boolean | undefined;
  /** Does not use the custom fingerprints in the database. */
  readonly withoutInstalled?: boolean | undefined;
}

/**
 * Builds the application from its configuration: database, network client, services.
 *
 * @throws Failure `store.unusable`, `config.invalid`
 */
export async function openServices({
  config,
  version,
  page = null,
  log,
  inMemory = false,
  isolated = false,
  withoutInstalled = false,
}: ServicesOptions): Promise<Services> {
  const note = log.note ?? (() => {});
  const now = Date.now;
  const clock = () => new Date(now());
  const industries = loadBuiltInIndustries();
  const settings = networkSettings(config, version, page);
  const objects = openSnapshotStore(config, settings);
  /** What the operator should look after on this node, which other nodes list. */
  const problems: ((() => string | null) | undefined)[] = [];
  // The first heartbeat comes later than the catalogue.
  let rules = () => "";
  const store = await openStore({
    dataDir: inMemory ? ":memory:" : config.dataDir,
    postgres:
      inMemory || config.database.url === null
        ? undefined
        : { url: config.database.url, maxConnections: config.database.maxConnections },
    version,
    // An index that cannot be read is a fault of its own, and stops no heartbeat.
    contents: {
      rules: () => rules(),
      problem: () =>
        problems
          .map((problem) => problem?.() ?? null)
          .filter((problem) => problem !== null)
          .join(" ")
          .slice(0, MAX_PROBLEM) || null,
      model: async () => (await findPointer(join(config.dataDir, "index")).catch(() => null))?.model,
    },
    keepSnapshots: config.scan.keepSnapshots,
    industryNames: industries.nameBySlug,
    onNodeError: (error) => log.taskFailed("renewing this node's row in the database", error),
  });
  const usesInstalled = !inMemory && !withoutInstalled;
  const opened = await (async () => {
    const installed = usesInstalled ? await unpackInstalled(store.installedFingerprints, config.dataDir) : undefined;
    const folders = [...(installed === undefined ? [] : [installed]), ...config.fingerprints.dir];
    return { installed, folders, catalogue: await openCatalogue(folders, note) };
  })().catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const { folders, catalogue } = opened;
  rules = digestOf([version, config.scan.minConfidence, config.sources, [...catalogue.tools.values()]]);
  const usage = withUnwrittenUsage(store.usage);
  const optOuts = await createOptOutService({
    repository: store.optOuts,
    file: config.scan.optOutsFile,
    onError: log.taskFailed,
  });
  const signer = openSigner(config.scan, now, (text) => log.alarm?.(text));
  // Webhooks and the operator's own servers are no scans: opt-outs and signatures are not for them.
  const scanSettings = { ...settings, optOuts, signer };
  const network = openNetworkClient(scanSettings);

  const scanProcesses = isolated
    ? createScanProcesses({
        ...SCAN_PROCESSES,
        folders,
        scanners: SCANNERS,
        processes: Math.min(Math.max(availableParallelism() - 1, 1), MAX_SCAN_PROCESSES),
        onBug: log.scannerFailed,
      })
    : undefined;
  const detection = createDetectionService({
    network,
    dataSources: config.sources,
    catalogue,
    scans: store.scans,
    discovery: store.discovery,
    feedback: store.feedback,
    settings: config.scan,
    optOuts,
    agent: `casefile ${version}`,
    rules,
    now,
    onBug: log.scannerFailed,
    onUnsaved: (error) => log.taskFailed("storing the result of a scan", error),
    processes: scanProcesses,
    claims:
      store.shared &&
      createScanClaims(store.shared.claims, store.node, (error) => log.taskFailed("claiming a scan", error)),
    onScan: log.scanFinished ?? (() => {}),
  });
  const {
    index,
    models,
    sharedModels,
    joinModels,
    snapshotProblem,
    search,
    current,
    builtInEncoder,
    close: closeSearch,
  } = openSearch({
    store,
    dataDir: config.dataDir,
    inMemory,
    objects,
    snapshotEveryMs: config.index.snapshotEveryMs,
    clock,
    log,
  });
  let installedProblem: () => string | null = () => null;
  problems.push(sharedModels?.problem, snapshotProblem, () => installedProblem());
  const parseContext = createParseContext({ industries, outcomeMetrics: loadBuiltInOutcomeMetrics() });
  const engine = createStructureEngine({
    context: parseContext,
    toolNames: [...catalogue.tools.values()].map(({ name, aliases = [] }) => ({ name, aliases })),
    embed: async (texts) => (await builtInEncoder()).encode(texts, "passage"),
    languageModel:
      config.languageModel.url === null ? null : { ...config.languageModel, url: config.languageModel.url },
    network: settings,
    onNote: note,
  });
  const jobs = createJobService({
    jobs: store.jobs,
    concurrency: config.jobs.concurrency,
    clock,
    onError: log.taskFailed,
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
  const crawlClient = openNetworkClient({ ...scanSettings, ...CRAWL_NETWORK });
  const mailer = mailerOf(config, settings.extraCa);
  const extractor = createExtractor(isolated);
  const intake = createIntakeService({
    submissions: store.submissions,
    pages: store.pages,
    jobs: store.jobs,
    emails: store.emails,
    caseStudies: store.caseStudies,
    corrections: store.corrections,
    client: crawlClient,
    optOuts,
    takeTurn: store.shared?.takeTurn,
    crawlLimits: {
      maxPages: config.crawl.maxPages,
      maxBytes: config.crawl.maxBytes,
      perHostMs: config.crawl.delayMs,
      deadlineMs: config.crawl.deadlineMs,
    },
    recrawlDays: config.crawl.recrawlDays,
    autoApprove: config.crawl.autoApprove !== "off",
    extractor,
    engine: engine.engine,
    localEngine: engine.local,
    parseContext,
    mailer,
    clock,
    wakeWorker: jobs.wake,
    onChange: index.wake,
  });
  jobs.register(intake.jobFeature);
  const rereading = {
    caseStudies: store.caseStudies,
    corrections: store.corrections,
    settings: store.settings,
    jobs: store.jobs,
    parseContext,
    readOutcomes: createOutcomeReader(parseContext.outcomeMetrics),
    onChange: index.wake,
  };
  jobs.register(createRereadJobs(rereading));
  jobs.register(
    createRenewal({
      detection,
      scans: store.scans,
      settings: store.settings,
      jobs: store.jobs,
      rules,
      onError: log.taskFailed,
    }),
  );
  jobs.register(backups.schedule);
  const watches = createWatchService({
    watches: store.watches,
    webhooks: store.webhooks,
    falsePositives: store.feedback.ofDomain,
    detection,
    optOuts,
    network: openWebhookNetwork(settings),
    requires: (toolId) => catalogue.tools.get(toolId)?.requires ?? [],
    rules,
    allowedReservedTlds: config.scan.allowedReservedTlds,
    everyHours: config.watch.everyHours,
    concurrency: config.watch.concurrency,
    clock,
    onError: log.taskFailed,
  });

  const batches = createBatchService({
    batches: store.batches,
    detection,
    notify: watches.notifyBatchFinished,
    findWebhook: watches.findWebhook,
    concurrency: config.batch.concurrency,
    keepDays: config.batch.keepDays,
    clock,
    onError: log.taskFailed,
  });
  jobs.register(batches.maintenance);

  jobs.register(
    createClaimChecks({
      caseStudies: store.caseStudies,
      scans: store.scans,
      jobs: store.jobs,
      detection,
      checkDays: config.claims.checkDays,
      clock,
    }),
  );

  const links = createVendorLinks({
    settings: store.settings,
    table: loadBuiltInVendorTools(),
    tools: catalogue.tools,
  });
  const claims = createClaimService({
    links,
    tools: catalogue.tools,
    companies: store.companies,
    scans: store.scans,
    detection,
  });

  const caseStudies = createCaseStudyService({
    caseStudies: store.caseStudies,
    companies: store.companies,
    corrections: store.corrections,
    pages: store.pages,
    search,
    claims,
    pending: index.pending,
    beforeSearch: index.restoreIfLost,
    parseContext,
    ask: engine.ask,
    onNote: note,
    onChange: index.wake,
  });

  const stack = createStackService({
    stack: store.stack,
    scans: store.scans,
    feedback: store.feedback,
    catalogue,
    allowedReservedTlds: config.scan.allowedReservedTlds,
    minConfidence: config.scan.minConfidence,
    onError: log.taskFailed,
  });

  const operator = createOperator(
    store.settings,
    inMemory ? undefined : join(config.dataDir, "operator-token"),
    store.operators.audit,
  );
  const operators = createOperatorService({
    operators: store.operators,
    operator,
    mailer,
    consoleUrl: consoleUrlOf(config),
    isPublic: config.server.publicUrl !== null,
    auditDays: config.operators.auditDays,
    clock,
    onError: log.taskFailed,
  });
  jobs.register(operators.maintenance);
  const provider = openProvider(config, settings, now);
  const keeping =
    opened.installed === undefined
      ? undefined
      : keepInUse(opened.installed, (error) =>
          log.taskFailed("marking the copy of custom fingerprints as used", error),
        );

  return {
    version,
    claims,
    categories: [...catalogue.categories.values()],
    detection,
    fingerprints: createFingerprintService({ catalogue, ownFolders: config.fingerprints.dir, ...store }),
    async shareContent({ signal, onWait, restart, turnSeconds }) {
      const { shared } = store;
      if (!shared || inMemory) return { stop: async () => {} };
      await joinModels(signal, onWait);
      const worker = sharedModels?.startWorker();
      const watch = watchInstalled({
        repository: store.installedFingerprints,
        dataDir: config.dataDir,
        used: opened.installed === undefined ? undefined : basename(opened.installed),
        check: async (folder) =>
          void (await openCatalogue([...(folder === undefined ? [] : [folder]), ...config.fingerprints.dir], () => {})),
        claimTurn: () => shared.claims.claim("restart with other fingerprints", store.node.id, turnSeconds),
        restart,
        onError: log.taskFailed,
      });
      installedProblem = watch.problem;
      return {
        async stop() {
          await watch.stop();
          await worker?.stop();
        },
      };
    },
    ingest: createIngestService({
      ingests: store.ingests,
      settings: () => ({
        folders,
        minConfidence: config.scan.minConfidence,
        rules: rules(),
      }),
    }),
    caseStudies,
    prospects: createProspectService({
      detection,
      caseStudies: store.caseStudies,
      companies: store.companies,
      search: caseStudies.search,
      claims,
      parseContext,
      tools: catalogue.tools,
      links,
      stack,
      categories: [...catalogue.categories.values()],
      ask: engine.ask,
      stored: storedOf(detection),
    }),
    companies: createCompanyService({
      companies: store.companies,
      caseStudies: store.caseStudies,
      claims,
      industries,
      onChange: index.wake,
    }),
    index,
    intake,
    jobs,
    starter: createStarterService({
      repository: store.starter,
      context: parseContext,
      loadBuiltIn: async () => (await import("./casestudies/starter/packed.ts")).loadBuiltInStarter(),
      enabled: config.starter.enabled && !inMemory,
      onChange: index.wake,
    }),
    models,
    watches,
    batches,
    stack,
    backups,
    optOuts,
    privacy: createPrivacyService({
      queries: store.queries,
      removeFromStack: store.stack.removeIn,
      removeCaseStudies: store.caseStudies.remove,
      clock,
      onChange: index.wake,
    }),
    signer,
    health: {
      schema: SCHEMA_VERSIONS,
      pool: store.pool,
      ...createReadiness({
        database: store,
        index,
        intake,
        alarms: [
          () => [installedProblem()].filter((problem) => problem !== null),
          models.alarms,
          backups.schedule.alarms,
          watches.alarms,
          store.nodeAlarms,
        ],
        onError: log.taskFailed,
      }),
      ...createStatsService(
        store.shared ? cachedStats(store.stats) : store.stats,
        [...catalogue.tools.values()],
        version,
      ),
      ...createDoctor({
        database: store,
        outbox: store.outbox,
        stats: store.stats,
        ...current,
        intake,
        unpackDir: join(config.dataDir, "native"),
        damagedNatives,
        resolvers: config.net.resolvers,
        contact: config.scan.contact,
        browserUrl: config.scan.browserUrl,
        signingKeyFile: config.scan.signingKeyFile,
        schema: SCHEMA_VERSIONS,
        sources: config.sources,
        network,
        clock,
      }),
    },
    activity: createActivity({ activity: store.activity, jobs: store.jobs, clock, onError: log.taskFailed }),
    accounts: createAccounts(
      { keys: store.keys, usage },
      { monthlyLimit: config.accounts.monthlyLimit, signUpPolicy: signUpPolicyOf(config), clock },
    ),
    operator,
    operators,
    oidc: provider?.signIn,
    clientLimits: store.shared
      ? createSharedClientLimits(store.shared, config.accounts.keylessPerHour)
      : createClientLimits({ perHour: config.accounts.keylessPerHour, clock }),
    nodes: store.nodes,
    async close() {
      detection.stop();
      scanProcesses?.close();
      await keeping?.stop();
      await backups.close();
      watches.close();
      crawlClient.close();
      mailer?.close();
      provider?.close();
      extractor.close();
      await engine.close();
      await closeSearch();
      network.close();
      await usage.flush().catch((error) => log.taskFailed("writing the usage of keys", error));
      await store.close();
    },
  };
}
