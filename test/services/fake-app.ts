import { createClientLimits } from "../../src/accounts/client-limits.ts";
import { createAccounts, createOperator, type SignUpPolicy } from "../../src/accounts/service.ts";
import { createBackupService } from "../../src/backup/service.ts";
import { createBatchService } from "../../src/batches/service.ts";
import { createCompanyService } from "../../src/casestudies/companies/service.ts";
import { createIndexer } from "../../src/casestudies/index/indexer.ts";
import { createIndexService } from "../../src/casestudies/index/service.ts";
import { createParseContext } from "../../src/casestudies/record.ts";
import { createSearch } from "../../src/casestudies/search/search.ts";
import { createCaseStudyService } from "../../src/casestudies/service.ts";
import type { StarterSet } from "../../src/casestudies/starter/records.ts";
import { createStarterService } from "../../src/casestudies/starter/service.ts";
import type { AskModel } from "../../src/casestudies/structure/language-model/model-client.ts";
import { loadBuiltInIndustries, loadBuiltInOutcomeMetrics } from "../../src/casestudies/taxonomy/packed.ts";
import type { Services } from "../../src/compose.ts";
import { SCHEMA_VERSIONS } from "../../src/compose.ts";
import { PUBLIC_SOURCES } from "../../src/core/data-sources.ts";
import { parseDomain } from "../../src/core/domain.ts";
import { Failure } from "../../src/core/errors.ts";
import { readCapture } from "../../src/detection/captures/read-capture.ts";
import { loadCheckedCatalogue } from "../../src/detection/fingerprints/catalogue.ts";
import { createFingerprintService } from "../../src/detection/fingerprints/service.ts";
import type { Fingerprint } from "../../src/detection/fingerprints/types.ts";
import { readRecentScans, readSourceHealth } from "../../src/detection/history.ts";
import { createEnrichmentPresenter } from "../../src/detection/presenter.ts";
import { SCANNERS } from "../../src/detection/scanners/registry.ts";
import { type DetectionService, type EnrichOptions, storedResult } from "../../src/detection/service.ts";
import type { EnrichedDetection, Enrichment, Step } from "../../src/detection/types.ts";
import { stringifySnapshot } from "../../src/detection/visit/snapshot-file.ts";
import { createActivity } from "../../src/health/activity.ts";
import { createReadiness } from "../../src/health/readiness.ts";
import { createStatsService } from "../../src/health/stats.ts";
import { createIngestService } from "../../src/ingest/service.ts";
import { createJobService } from "../../src/jobs/service.ts";
import type { Mailer } from "../../src/net/mailer.ts";
import { createPolicy } from "../../src/net/policy.ts";
import type { OidcSignIn } from "../../src/operators/oidc.ts";
import { createOperatorService } from "../../src/operators/service.ts";
import { createOptOutService } from "../../src/privacy/opt-outs.ts";
import { createPrivacyService } from "../../src/privacy/stored-data.ts";
import { createProspectService } from "../../src/prospects/prospects.ts";
import { createClaimService, storedOf } from "../../src/prospects/service.ts";
import { createVendorLinks } from "../../src/prospects/vendor-tools.ts";
import { createStackService } from "../../src/stack/service.ts";
import { openStore, type Store } from "../../src/store.ts";
import { createWatchService } from "../../src/watches/service.ts";
import { toolOf } from "../detection/fingerprints/record-of.ts";
import { fakeEncoder, fakeIndex } from "./fake-index.ts";
import { type FakeIntakeOptions, fakeIntake } from "./fake-intake.ts";
import { fakeModels } from "./fake-models.ts";

export const SCANNED_AT = "2026-05-04T12:00:00.000Z";

/** The text of an internal error, which no response may contain. */
export const SECRET = "SQLITE_BUSY at /var/lib/casefile/casefile.sqlite";

export function seenOf(tool: string, category: string, rest: Partial<EnrichedDetection> = {}): EnrichedDetection {
  return {
    id: tool.toLowerCase(),
    tool,
    category,
    vendor: `${tool} Works`,
    website: `https://${tool.toLowerCase()}.test/`,
    version: null,
    confidence: 0.9,
    means: "runs",
    evidence: [
      {
        source: "home-page",
        signal: "html.script",
        value: `https://cdn.${tool.toLowerCase()}.test/loader.js`,
        location: "https://brightpine.test/",
        rule: `${tool.toLowerCase()}/loader`,
        strength: "strong",
      },
    ],
    first_seen: "2026-05-01T00:00:00.000Z",
    last_seen: SCANNED_AT,
    product_of: null,
    roles: [],
    ...rest,
  };
}

export function enrichmentOf(domain: string, rest: Partial<Enrichment> = {}): Enrichment {
  return {
    domain,
    detections: [
      seenOf("Gauge", "Analytics", { version: "4.2" }),
      seenOf("Meter", "Analytics"),
      seenOf("Postbox", "Email"),
    ],
    sources: [
      { source: "home-page", status: "ok", duration_ms: 12, detail: null },
      { source: "mail-dns", status: "timeout", duration_ms: 900, detail: "No answer in time." },
    ],
    scanned_at: SCANNED_AT,
    duration_ms: 950,
    cached: false,
    ...rest,
  };
}

/** Waits forever, or until the caller aborts. */
const forever = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** Domains whose scan fails or never ends. */
const REFUSALS: Readonly<Record<string, (signal: AbortSignal | undefined) => unknown>> = {
  "missing.test": () => new Failure("domain.not_found", "missing.test does not exist in DNS; check its spelling."),
  "silent.test": () => new Failure("dns.unreachable", "DNS gave no answer.", { retryAfterSeconds: 30 }),
  "busy.test": () => new Failure("service.overloaded", "Too many scans run at once.", { retryAfterSeconds: 5 }),
  "broken.test": () => new Error(SECRET),
  "hanging.test": forever,
};

export type FakeScans = Omit<DetectionService, "recentScans" | "sourceHealth" | "stored"> &
  Partial<Pick<DetectionService, "stored">>;

/** Scans without network access, and a record of their calls. */
export function fakeVerbs() {
  const calls: { domain: string; options: EnrichOptions }[] = [];
  const begin = async (input: string, options: EnrichOptions = {}) => {
    const { name } = parseDomain(input, ["test", "example"]);
    calls.push({ domain: name, options });
    const refused = await REFUSALS[name]?.(options.signal);
    if (refused) throw refused;
    return enrichmentOf(name, { cached: name === "stored.test" });
  };
  async function* steps(enrichment: Enrichment, signal: AbortSignal | undefined): AsyncGenerator<Step> {
    if (!enrichment.cached) {
      yield { phase: "identity", detections: [seenOf("Postbox", "Email")] };
      if (enrichment.domain === "stalling.test") await forever(signal);
      if (enrichment.domain === "breaking.test") throw new Error(SECRET);
      yield { phase: "website", detections: enrichment.detections };
    }
    yield { phase: "complete", enrichment };
  }
  const verbs: FakeScans = {
    enrich: begin,
    enrichSteps: async (input, options = {}) => steps(await begin(input, options), options.signal),
    domainOf: (input) => parseDomain(input, ["test", "example"]).name,
    async capture(input, { onProgress } = {}) {
      const { domain } = await begin(input);
      onProgress?.({ phase: "identity", detections: [], possible: [] });
      return {
        format: "casefile-snapshot",
        version: 1,
        domain,
        captured_at: SCANNED_AT,
        origin: "casefile 0",
        ...{ dns: [], http: [], certificates: [], requests: [], zone: false },
      };
    },
    read: readCapture,
    analyse: async ({ domain }) => enrichmentOf(domain),
    renew: async () => {},
    replay: async (input) => enrichmentOf(parseDomain(input, ["test"]).name),
    scansRunning: () => 0,
    icons: async () => new Map(),
    write: stringifySnapshot,
    recordedDomains: async () => [],
    stop() {},
  };
  return { verbs, calls };
}

const catalogueOf = (tools: readonly Fingerprint[]) =>
  loadCheckedCatalogue({
    categories: [
      { id: "analytics", label: "Analytics", area: "analytics and tracking" },
      { id: "email", label: "Email", area: "email and identity" },
    ],
    tools,
  });
const WIDGET_AND_GADGET = catalogueOf([toolOf([]), toolOf([], { id: "gadget", name: "Gadget" })]);

export interface FakeAppOptions extends FakeIntakeOptions {
  readonly dataDir?: string;
  readonly monthlyLimit?: number;
  readonly keylessPerHour?: number;
  /** Sends sign-in links. */
  readonly linkMailer?: Pick<Mailer, "send">;
  /** Sign-in at an identity provider. */
  readonly oidc?: OidcSignIn;
  readonly signUpPolicy?: SignUpPolicy;
  readonly clock?: () => Date;
  readonly verbs?: FakeScans;
  /** A store that already has data. */
  readonly store?: Store;
  /** The catalogue of fingerprints; by default two tools without rules. */
  readonly fingerprints?: readonly Fingerprint[];
  /** A language model; none by default. */
  readonly ask?: AskModel;
  readonly onNote?: (note: string) => void;
  /** The built-in starter data; empty by default. */
  readonly starter?: StarterSet;
}

const industries = loadBuiltInIndustries();
/** Weights for tests, so that expected scores do not change when the product's weights are tuned. */
const SHARES = {
  keyword: { keyword: 1, semantic: 0, interaction: 0 },
  semantic: { keyword: 0, semantic: 1, interaction: 0 },
  hybrid: { keyword: 0.5, semantic: 0.5, interaction: 0 },
};
const RANKING = {
  further: { keyword: [0.1, 0.05], semantic: [0.1, 0.05], interaction: [] },
  plain: SHARES,
  compared: SHARES,
};
const tools = createParseContext({ industries, outcomeMetrics: loadBuiltInOutcomeMetrics() });

/**
 * An application with real keys, quotas, operator, submissions and case studies on a real store, fake scans and
 * crawls, and a search that compares words.
 */
export async function openFakeApp(options: FakeAppOptions = {}): Promise<Services> {
  const { dataDir = ":memory:", monthlyLimit = 1_000, keylessPerHour = 20, clock = () => new Date() } = options;
  const store = options.store ?? (await openStore({ dataDir, clock, industryNames: industries.nameBySlug }));
  const catalogue = options.fingerprints ? catalogueOf(options.fingerprints) : WIDGET_AND_GADGET;
  const encoder = fakeEncoder();
  const index = fakeIndex();
  const indexer = createIndexer({
    lock: { acquire: async () => true, release() {} },
    outbox: store.outbox,
    caseStudies: store.caseStudies,
    encoder: async () => encoder,
    index: async () => index,
    onError(_, error) {
      throw error;
    },
  });
  const models = fakeModels();
  const optOuts = await createOptOutService({ repository: store.optOuts, file: null, onError() {} });
  const intake = fakeIntake(store, tools, clock, optOuts, options);
  const detection = options.verbs ?? fakeVerbs().verbs;
  const sources = {
    ...PUBLIC_SOURCES,
    tagManager: null,
    microsoftRealm: "https://realm.internal.test/{domain}?key=s3cret",
  };
  const indexService = createIndexService({
    dataDir: undefined,
    indexer,
    outbox: store.outbox,
    onError(_, error) {
      throw error;
    },
  });
  const backups = createBackupService({
    database: store,
    jobs: store.jobs,
    dataDir: dataDir === ":memory:" ? undefined : dataDir,
    version: "1.2.3",
    clock,
    everyHours: 0,
    keep: 7,
    models: true,
  });
  const watches = createWatchService({
    watches: store.watches,
    webhooks: store.webhooks,
    falsePositives: store.feedback.ofDomain,
    detection,
    network: {
      policy: createPolicy({ allowCidrs: [], extraPorts: [] }),
      http: async (url) => {
        const code = url.endsWith("/broken") ? 500 : 204;
        const final = { method: "POST", url, status: "ok", code, headers: [], body: "" } as const;
        return { hops: [final], final };
      },
      close() {},
    },
    requires: () => [],
    rules: () => "",
    allowedReservedTlds: ["test", "example"],
    optOuts,
    everyHours: 168,
    concurrency: 1,
    clock,
    onError() {},
  });
  const batches = createBatchService({
    batches: store.batches,
    detection,
    notify: watches.notifyBatchFinished,
    findWebhook: watches.findWebhook,
    concurrency: 2,
    keepDays: 30,
    clock,
    onError(_, error) {
      throw error;
    },
  });
  const presenter = createEnrichmentPresenter({ catalogue, ...store, minConfidence: 0.5 });
  const stored = { scans: store.scans, present: presenter.present, allowedReservedTlds: ["test", "example"] };
  const history = {
    scans: store.scans,
    falsePositives: store.feedback.ofDomain,
    requires: () => [],
    toolsDetected: async (domain: string) => (await storedResult(stored, domain))?.detections.length ?? 0,
  };
  const links = createVendorLinks({ settings: store.settings, table: {}, tools: catalogue.tools });
  const claims = createClaimService({
    links,
    tools: catalogue.tools,
    companies: store.companies,
    scans: store.scans,
    detection: { stored: (domain) => storedResult(stored, domain) },
  });
  const caseStudies = createCaseStudyService({
    caseStudies: store.caseStudies,
    companies: store.companies,
    corrections: store.corrections,
    pages: store.pages,
    search: createSearch({
      caseStudies: store.caseStudies,
      use: (work) => work({ index, encoder: async () => encoder }),
      ranking: RANKING,
    }),
    claims,
    pending: indexService.pending,
    parseContext: tools,
    ask: options.ask ?? null,
    onNote: options.onNote ?? (() => {}),
    onChange() {},
  });
  const stack = createStackService({
    stack: store.stack,
    scans: store.scans,
    feedback: store.feedback,
    catalogue,
    allowedReservedTlds: ["test", "example"],
    minConfidence: 0.5,
    onError() {},
  });
  const operator = createOperator(store.settings, undefined, store.operators.audit);
  return {
    ingest: createIngestService({
      ingests: store.ingests,
      settings: () => ({ folders: [], minConfidence: 0.5, rules: "" }),
    }),
    version: "1.2.3",
    claims,
    categories: [...catalogue.categories.values()],
    detection: {
      ...detection,
      stored: options.verbs?.stored ?? ((domain) => storedResult(stored, domain)),
      recentScans: (limit) => readRecentScans(history, limit),
      sourceHealth: () => readSourceHealth(store.scans, SCANNERS, sources),
    },
    fingerprints: createFingerprintService({ catalogue, ...store }),
    caseStudies,
    prospects: createProspectService({
      detection,
      caseStudies: store.caseStudies,
      companies: store.companies,
      search: caseStudies.search,
      claims,
      parseContext: tools,
      tools: catalogue.tools,
      links,
      stack,
      categories: [...catalogue.categories.values()],
      ask: options.ask ?? null,
      stored: storedOf({ stored: (domain) => storedResult(stored, domain) }),
    }),
    companies: createCompanyService({
      companies: store.companies,
      caseStudies: store.caseStudies,
      claims,
      industries,
      onChange() {},
    }),
    index: indexService,
    intake,
    jobs: {
      ...createJobService({ jobs: store.jobs, concurrency: 1, clock, onError() {} }),
      startWorker: intake.startWorker,
    },
    starter: createStarterService({
      repository: store.starter,
      context: tools,
      loadBuiltIn: async () => ({ version: "one", set: options.starter ?? { vendors: [], records: {} } }),
      enabled: true,
      onChange() {},
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
      onChange() {},
    }),
    health: {
      schema: SCHEMA_VERSIONS,
      pool: store.pool,
      ...createReadiness({
        database: store,
        index: indexService,
        intake,
        alarms: [models.alarms, backups.schedule.alarms, watches.alarms],
        onError: () => {},
      }),
      ...createStatsService(store.stats, [...catalogue.tools.values()], "1.2.3"),
      // Commands get their checks from the fake host.
      async *diagnose() {},
    },
    activity: createActivity({
      activity: store.activity,
      jobs: store.jobs,
      clock,
      onError(_, error) {
        throw error;
      },
    }),
    accounts: createAccounts(store, {
      monthlyLimit,
      clock,
      ...(options.signUpPolicy ? { signUpPolicy: options.signUpPolicy } : {}),
    }),
    operator,
    operators: createOperatorService({
      operators: store.operators,
      operator,
      mailer: options.linkMailer,
      consoleUrl: "http://casefile.test",
      isPublic: true,
      auditDays: 365,
      clock,
      onError() {},
    }),
    ...(options.oidc ? { oidc: options.oidc } : {}),
    clientLimits: createClientLimits({ perHour: keylessPerHour, clock }),
    nodes: store.nodes,
    shareContent: async () => ({ stop: async () => {} }),
    async close() {
      detection.stop();
      await store.close();
    },
  };
}
