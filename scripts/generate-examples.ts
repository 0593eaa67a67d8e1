import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMAND } from "../src/accounts/roles.ts";
import { loadBuiltInIndustries } from "../src/casestudies/taxonomy/packed.ts";
import type { ToolChange } from "../src/detection/compare.ts";
import type { Evidence } from "../src/detection/types.ts";
import type { Example, OpenApi, Operation } from "../src/reference/openapi.ts";
import { openStore } from "../src/store.ts";
import { ruleOf, toolOf } from "../test/detection/fingerprints/record-of.ts";
import { open } from "../test/http/opened.ts";
import { enrichmentOf, seenOf } from "../test/services/fake-app.ts";
import { HARBOURLINE } from "../test/services/fake-intake.ts";
import { fill } from "../test/services/study-records.ts";

/** Records the examples of the OpenAPI document: `npm run generate:examples`. */

const AT = "2026-05-04T12:00:00.000Z";
const WEEK_BEFORE = "2026-04-27T12:00:00.000Z";
const DOMAIN = "brightpine.example";
const PAGE = { limit: 20 };
/** Durations differ in each run. */
const ACTIVITY = { requests: 412, errors: 1, scans: 96, latency_p50_ms: 48, latency_p95_ms: 3_120, queue_depth: 7 };

const NODE = {
  ...{ id: "3d1f0f5e-8a0b-4c57-9a51-6f7c1b2e4d90", host: "casefile-1", version: "0.1.0", own: true },
  ...{ started_at: WEEK_BEFORE, seen_at: AT, waiting: 0, working: 2, clock_ahead_ms: 4 },
  rules: "5e0f6a7c2b1d4e8f9a3b6c7d8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b",
  model: "casefile-static-b5355104",
  problem: null,
  clock_off: false,
};

const BRACKWATER = `# How Brackwater cut waiting time

Brackwater is a Dutch online retailer that sells garden tools in four countries. Its engineers run PipeDock in production and cut waiting time by 40%, from five days to three. Since the migration the team answers every customer on the same day, and nobody works at night.`;

interface Request {
  /** By name, of the path and the query. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** The part of a text to show. */
  readonly excerpt?: RegExp;
  /** Fields of the answer that differ in each run, with the value to show. */
  readonly shown?: Readonly<Record<string, unknown>>;
}

/** One request per operation id. They are sent in this order, so an answer shows what the requests before it changed. */
const requests = (
  submission: string,
  webhook: string,
  backup: string,
  session: string,
  [finished, open]: readonly [string, string],
): Readonly<Record<string, Request>> => ({
  getHealth: {},
  getReadiness: {},
  getMetrics: { excerpt: /# HELP casefile_scans_running .*\n.*\n.*\n/ },
  getStats: {},

  enrich: { parameters: { domain: DOMAIN, max_age: 86_400, min_confidence: "likely" } },
  enrichStream: { parameters: { domain: DOMAIN, max_age: 86_400, min_confidence: "likely" } },
  createBatch: {
    body: {
      domains: [{ domain: DOMAIN, account: "A-17" }, "quarrystone.example"],
      max_age: 604_800,
      sources: "light",
      name: "Customers",
    },
  },
  listBatches: { parameters: { limit: 1 } },
  getBatch: { parameters: { id: finished } },
  batchResults: { parameters: { id: finished, limit: 2 } },
  pauseBatch: { parameters: { id: open } },
  resumeBatch: { parameters: { id: open } },
  cancelBatch: { parameters: { id: open } },
  retryBatch: { parameters: { id: finished } },
  getHistory: { parameters: { domain: DOMAIN, since: "2026-01-01", until: "2026-12-31" } },
  listTools: { parameters: { q: "post", category: "Email", ...PAGE } },
  getTool: { parameters: { tool: "postbox" } },
  listToolCompanies: { parameters: { tool: "postbox", min_confidence: "likely", sort: "domain", ...PAGE } },
  listDomains: { parameters: { q: "bright", tool: "postbox", top_level: "example", sort: "scanned_at", ...PAGE } },
  searchDomains: {
    body: { all: [{ tool: "postbox", seen_since: "2026-01-01" }], top_level: ["example"], sort: "domain", limit: 20 },
  },

  findProof: {
    parameters: { domain: DOMAIN },
    body: { vendor: "tidewell", industry: "logistics", question: "lower fuel cost", limit: 1 },
  },
  getBrief: { parameters: { domain: DOMAIN, vendor: "quayline", industry: "banking", format: "json" } },
  listGaps: { parameters: { domain: DOMAIN, industry: "banking" } },
  listRivals: { parameters: { slug: "tidewell" } },

  listCaseStudies: {
    parameters: { company: "tidewell", industry: "banking", country: "NO", published_after: "2024-12-31", ...PAGE },
  },
  getCaseStudy: { parameters: { id: "tidewell-brightpine", include: "claim" } },
  searchCaseStudies: {
    body: { query: "bank that moved from a mainframe to the cloud", limit: 1, mode: "hybrid" },
  },
  answerFromCaseStudies: { body: { query: "bank that moved from a mainframe to the cloud", limit: 3 } },
  searchCaseStudiesBatch: {
    body: {
      queries: [
        { query: "bank that moved from a mainframe to the cloud", limit: 1 },
        { query: "fewer returns in online retail", industry: "retail" },
      ],
    },
  },
  readCaseStudy: { body: { url: "https://quayline.example/stories/brackwater", content: BRACKWATER } },
  listIndustries: {},
  findCompanies: { parameters: { q: "tidwell", industry: "cloud", ...PAGE } },
  getCompany: { parameters: { slug: "quarrystone", include: "claims" } },
  analyseCompany: { parameters: { slug: "tidewell" } },
  companyTimeline: { parameters: { slug: "tidewell" } },
  compareCompanies: { body: { companies: ["tidewell", "quayline"], industry: "banking", limit_per_company: 1 } },

  getActivity: {
    parameters: { range: "7d" },
    shown: { total: ACTIVITY, points: [{ start_at: AT, ...ACTIVITY }] },
  },
  listNodes: { shown: { nodes: [NODE] } },
  listKeys: { parameters: PAGE },
  issueKey: { body: { email: `ben@${DOMAIN}` } },
  limitKey: { parameters: { key: `ben@${DOMAIN}` }, body: { monthly_limit: 5_000 } },
  reissueKey: { parameters: { key: `ben@${DOMAIN}` } },
  revokeKey: { parameters: { key: `ben@${DOMAIN}` } },

  listJobs: { parameters: { state: "dead", kind: "preview", ...PAGE } },
  retryJob: { parameters: { id: "2" } },
  listSubmissions: { parameters: { state: "review", ...PAGE } },
  getSubmission: { parameters: { id: submission } },
  editSubmission: { parameters: { id: submission }, body: { company_domain: "harbourline.example" } },
  rejectSubmission: { parameters: { id: submission }, body: { reason: "The page lists no case studies." } },
  retrySubmission: { parameters: { id: submission } },
  approveSubmission: { parameters: { id: submission } },
  submitCaseStudies: {
    body: {
      company_name: "Quarrystone",
      case_study_url: "https://quarrystone.example/cases",
      contact_email: "tom@quarrystone.example",
    },
  },
  listMails: { parameters: { state: "failed", submission, ...PAGE } },

  correctCaseStudy: { parameters: { id: "tidewell-brightpine" }, body: { country: "NO" } },
  reviewCaseStudies: { parameters: { company: "tidewell", order: "least-sure", ...PAGE } },
  inspectCaseStudy: { parameters: { id: "tidewell-brightpine" } },
  takeBackCorrection: { parameters: { id: "tidewell-brightpine", field: "country" } },
  removeCaseStudy: { parameters: { id: "tidewell-unnamed" } },
  listCompanies: { parameters: { q: "tidwell", ...PAGE } },
  inspectCompany: { parameters: { slug: "tidewell" } },
  editCompany: { parameters: { slug: "quarrystone" }, body: { industry: "education" } },
  setVendorTools: { parameters: { slug: "tidewell" }, body: { tools: ["postbox"] } },
  getVendorTools: { parameters: { slug: "tidewell" } },
  resetVendorTools: { parameters: { slug: "tidewell" } },
  mergeCompanies: { parameters: { slug: "quarrystone" }, body: { into: "quayline" } },

  reportFalse: { body: { domain: DOMAIN, tool: "Postbox", note: "They left it last year." } },
  addOptOut: { body: { pattern: "quarrystone.example", note: "asked by email on 2026-05-04" } },
  listOptOuts: { parameters: PAGE },
  exportData: { parameters: { subject: "nobody@quarrystone.example" } },
  eraseData: {
    parameters: { subject: "nobody@quarrystone.example", case_studies: "false" },
    shown: { sha256: "5f0e3a1c9b7d24e8a6c1f3b5d7092e4c6a8b0d1f3e5c7a9b2d4f6081a3c5e7f9" },
  },
  removeOptOut: { parameters: { pattern: "quarrystone.example" } },
  listFeedback: { parameters: PAGE },
  takeBackFeedback: { parameters: { domain: DOMAIN, tool: "Postbox" } },
  listFingerprints: { parameters: { q: "post", ...PAGE } },
  explainFingerprint: { parameters: { tool: "Postbox" } },
  listUnknown: { parameters: { kind: "script", ...PAGE } },
  sourceHealth: {},

  createBackup: { shown: { size: 4_812_544 } },
  listBackups: { shown: { size: 4_812_544 } },
  downloadBackup: { parameters: { name: backup } },
  listModels: {},
  useModel: { parameters: { name: "minilm" } },

  watchDomain: { parameters: { domain: DOMAIN }, body: { every_hours: 24 } },
  listWatches: { parameters: PAGE },
  listChanges: { parameters: { domain: DOMAIN, since: "2026-05-01", ...PAGE } },
  unwatchDomain: { parameters: { domain: DOMAIN } },
  listWebhooks: {},
  addWebhook: { body: { url: `https://automation.${DOMAIN}/casefile` } },
  listDeliveries: { parameters: { webhook, state: "waiting", ...PAGE } },
  testWebhook: { parameters: { webhook } },
  rotateWebhook: { parameters: { webhook } },
  removeWebhook: { parameters: { webhook } },

  inviteOperator: { body: { name: "Bo Quarry", role: "reviewer", email: "bo@brightpine.example" } },
  createSignInLink: { parameters: { operator: "Bo Quarry" } },
  setOperatorRole: { parameters: { operator: "Bo Quarry" }, body: { role: "reader" } },
  listOperators: {},
  removeOperator: { parameters: { operator: "Bo Quarry" } },
  listSessions: {},
  listAudit: { parameters: { operator: "Ana Bright", limit: 20 } },
  revokeSession: { parameters: { session } },

  // The last one with the key.
  rotateKey: {},
});

/** What differs in each run, with the value to show: ids, and keys and secrets of no installation. */
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/^key_\w{16,}$/, "key_7w2m9x4tq0c1k5r8z3vb"],
  [/^batch_\w{16,}$/, "batch_m9x4tq0c1k7w2r8z3vb5"],
  [/^sub_\w{16,}$/, "sub_4tq0c7w1m9x2k5r8z3vb"],
  [/^wh_\w{16,}$/, "wh_7w2m9x4tq0c1k5r8z3vb"],
  [/^op_\w{16}$/, "op_7w2m9x4tq0c1k5r8"],
  [/^ses_\w{16}$/, "ses_4tq0c7w1m9x2k5r8"],
  [/#link=\w{40}$/, "http://casefile.test/operator#link=7w2m9x4tq0c1k5r8z3vb"],
  [/^msg_\w+$/, "msg_2KWPBgLlAfxdpx2AI54pPJ85"],
  [/^cf_live_\w+$/, "cf_live_0000000000000000000000000000000000example"],
  [/^whsec_.+$/, `whsec_${Buffer.from("an example, and no secret at all").toString("base64")}`],
];
const RANDOM_FIELDS: Readonly<Record<string, unknown>> = {
  hint: "mple",
  sha256: "5b41362bc82b7f3d56edc5a306db22105707d01ff4819e26faef9724a2d406c9",
};

/** Sends one request per operation to a service with test data, and returns the requests and their answers. */
export async function recordExamples(): Promise<Record<string, Example>> {
  const dataDir = await mkdtemp(join(tmpdir(), "casefile-examples-"));
  const service = await filledService(dataDir);
  try {
    const document: OpenApi = JSON.parse(await (await service.ask("/openapi.json")).text());
    const operations = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [operation.operationId, { path, method, operation }]),
      ),
    );
    const examples: Record<string, Example> = {};
    for (const [id, request] of Object.entries(
      requests(service.submission, service.webhook, service.backup, service.session, service.batches),
    )) {
      const found = operations.get(id);
      if (!found) throw new Error(`No operation has the id ${id}.`);
      const access = isKeyed(found.operation) ? { key: service.key } : { operator: service.token };
      const address = addressOf(found.path, request);
      const response = await service.ask(address, {
        method: found.method.toUpperCase(),
        json: request.body,
        ...access,
      });
      if (!response.ok) throw new Error(`${id} was answered with ${response.status}: ${await response.text()}`);
      const { parameters, body } = request;
      const answer = await answerOf(response, request);
      examples[id] = stable({ parameters, body, answer }, { ...RANDOM_FIELDS, ...request.shown });
    }
    service.lifecycle.state = "starting";
    const refusal = await (await service.ask("/readyz")).json();
    return { ...examples, getReadiness: { ...examples.getReadiness, refusal } };
  } finally {
    await service.app.close();
    await rm(dataDir, { recursive: true });
  }
}

/** A service with something of everything, at a fixed time. */
async function filledService(dataDir: string) {
  const clock = () => new Date(AT);
  const store = await openStore({ dataDir, clock, industryNames: loadBuiltInIndustries().nameBySlug });
  const rule = ruleOf(
    { host: "mx.postbox.example" },
    { id: "mx", see: "dns.mx", strength: "certain", why: "email for the domain is delivered there" },
  );
  const postbox = toolOf([rule], {
    id: "postbox",
    name: "Postbox",
    vendor: "Postbox Works",
    website: "https://postbox.example/",
    category: "email",
    role: "mailbox",
  });
  const { app, ask, lifecycle } = await open({
    store,
    dataDir,
    clock,
    monthlyLimit: 1_000,
    givesUp: ["preview"],
    fingerprints: [postbox],
    // Only answers have a model's words in the examples.
    ask: async ({ page }) => {
      const isQuestion = page.includes("\nQuestion: ");
      const text = "Northgate Savings moved its ledger from a mainframe to the cloud.";
      return { text: JSON.stringify({ sentences: isQuestion ? [{ text, sources: [1] }] : [] }) };
    },
  });
  await fill(app);

  const { id: submission } = await app.intake.submit(HARBOURLINE);
  await app.jobs.startWorker().stop();
  const [email = 0] = await store.emails.waiting();
  await store.emails.begin(email);
  await store.emails.refused(email, "The mail server refused the address.", true);

  const evidence: Evidence = {
    source: "mail-dns",
    signal: "dns.mx",
    value: "mx.postbox.example",
    location: `${DOMAIN} MX`,
    rule: "postbox/mx",
    strength: "certain",
  };
  const { sources, duration_ms } = enrichmentOf(DOMAIN);
  const detections = [seenOf("Postbox", "Email", { evidence: [evidence], confidence: 0.97 })];
  await store.scans.save({
    domain: DOMAIN,
    report: { domain: DOMAIN, detections, sources, scanned_at: AT, duration_ms },
  });
  const stranger = { kind: "script", value: "stranger.example", example: "cdn.stranger.example" } as const;
  await store.discovery.replace(DOMAIN, AT, [stranger]);

  await app.watches.watch(DOMAIN);
  const scan = {
    outcome: "changed",
    toolsDetected: 1,
    baseline: {},
    needsVerification: false,
    intervalFactor: 1,
  } as const;
  const change: ToolChange = {
    change: "appeared",
    tool_id: "postbox",
    tool: "Postbox",
    category: "Email",
    confidence: 0.97,
    evidence: "dns.mx mx.postbox.example",
  };
  await store.watches.recordScan(DOMAIN, { ...scan, at: WEEK_BEFORE, changes: [] }, async () => {});
  await store.watches.recordScan(DOMAIN, { ...scan, at: AT, changes: [change] }, async () => {});
  const { id: webhook } = await app.watches.addWebhook(`https://hooks.${DOMAIN}/casefile`);
  const delivery = "msg_2KWPBgLlAfxdpx2AI54pPJ85";
  await store.webhooks.enqueue([{ id: delivery, webhook, type: "domain.tools_changed", body: "{}" }]);
  await store.webhooks.recordAttempt(delivery, {
    attempts: 2,
    state: "waiting",
    status: 503,
    error: "It answered 503.",
    retryInSeconds: 1_800,
  });
  await app.models.add({ dir: "minilm" });

  const { token } = await app.operator.ensureOperatorToken();
  const { link } = await app.operators.invite({ name: "Ana Bright", role: "admin" }, COMMAND);
  const client = { address: "192.0.2.7", agent: "Mozilla/5.0", session: "" };
  await app.operators.signInByLink(link?.split("#link=")[1] ?? "", client);
  const [session] = (await app.operators.listSessions()).sessions;
  const { api_key: key } = await app.accounts.issue(`ana@${DOMAIN}`);
  const owner = { owner: `ana@${DOMAIN}` };
  const finished = await app.batches.create(owner, [
    { input: DOMAIN, cells: { account: "A-17" } },
    { input: "missing.test", cells: { account: "A-18" } },
  ]);
  const worker = app.batches.startWorker();
  for await (const _ of await app.batches.results(owner, finished.id, { follow: new AbortController().signal }));
  await worker.stop();
  const waiting = await app.batches.create(owner, [{ input: "quarrystone.example" }]);
  const batches = [finished.id, waiting.id] as const;
  return {
    app,
    ask,
    lifecycle,
    token,
    key,
    submission,
    webhook,
    batches,
    session: session?.id ?? "",
    backup: "manual-20260504T120000000Z.tar.zst",
  };
}

const isKeyed = ({ security }: Operation) => security.some((way) => "key" in way);

function addressOf(path: string, { parameters = {} }: Request): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (!path.includes(`{${name}}`)) query.set(name, String(value));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parameters[name])));
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** The JSON of an answer, the last event of a stream, or the text; undefined for a file and for no body. */
async function answerOf(response: Response, { excerpt = /.*/s }: Request): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (type === "application/zstd") await response.body?.cancel();
  if (type === "" || type === "application/zstd") return undefined;
  const text = await response.text();
  if (type.startsWith("text/event-stream")) {
    const data = text.split("\n").filter((line) => line.startsWith("data: "));
    return JSON.parse(data.at(-1)?.slice("data: ".length) ?? "null");
  }
  return type.startsWith("application/json") ? JSON.parse(text) : excerpt.exec(text)?.[0];
}

function stable<Value>(example: Value, fields: Readonly<Record<string, unknown>>): Value {
  return JSON.parse(JSON.stringify(example), (name, value) => {
    if (name in fields) return fields[name];
    return typeof value === "string" ? (RANDOM.find(([pattern]) => pattern.test(value))?.[1] ?? value) : value;
  });
}

if (import.meta.main) {
  const path = join(import.meta.dir, "../src/reference/examples.json");
  await writeFile(path, JSON.stringify(await recordExamples(), null, 2));
  await Bun.spawn(["npx", "biome", "format", "--write", path], { stdout: "ignore", stderr: "inherit" }).exited;
}
