const OUTCOME = {
  metric: "Processing time",
  value: 40,
  unit: "%",
  direction: "decrease",
  text: "Loan applications are processed in 40% less time.",
};

const STUDY = {
  id: "harbourline-northgate",
  title: "Northgate Bank leaves its mainframe in nine months",
  url: "https://harbourline.example/customers/northgate",
  company: { name: "Harbourline", slug: "harbourline" },
  client: { name: "Northgate Bank", domain: "northgate.example" },
  industry: "Financial Services",
  country: "NO",
  summary: "A regional bank moved its loan book from a mainframe to Harbourline Ledger.",
  challenge: "Each change of the loan book took a quarter.",
  solution: "Harbourline Ledger took over one product at a time, alongside the mainframe.",
  outcomes: [OUTCOME],
  products: ["Harbourline Ledger"],
  tools: ["Kafka"],
  quote: { text: "We change a rate in a day now.", person: "Ingrid Moe", role: "Head of Lending" },
  published_at: "2024-03-18",
  language: "en",
  indexed_at: "2026-05-04T12:00:00.000Z",
  origin: "submitted",
};

const RESULT = {
  ...STUDY,
  score: 0.82,
  passage: "The bank moved off its mainframe in nine months.",
  highlights: [
    [4, 8],
    [27, 36],
  ],
};

const COMPANY = {
  name: "Harbourline",
  slug: "harbourline",
  domain: "harbourline.example",
  industry: "Software",
  logo_url: null,
  total_case_studies: 12,
};

const DATED = {
  id: STUDY.id,
  title: STUDY.title,
  client: STUDY.client.name,
  industry: STUDY.industry,
  published_at: STUDY.published_at,
};

const AT = "2026-05-04T12:00:00.000Z";
const PAGE = { limit: 20 };

const KEY = {
  id: "key_7w2m9x4tq0c1k5r8z3vb",
  email: "ana@brightpine.example",
  hint: "mple",
  monthly_limit: 1_000,
  used_this_month: 59,
  created_at: AT,
  revoked_at: null,
};
const ISSUED = {
  api_key: "cf_live_0000000000000000000000000000000000example",
  email: KEY.email,
  monthly_limit: 1_000,
  created_at: AT,
};
const SUBMISSION = {
  id: "sub_4tq0c7w1m9x2k5r8z3vb",
  company_name: "Harbourline",
  company_slug: "harbourline",
  company_domain: "harbourline.example",
  case_study_url: "https://harbourline.example/customers",
  contact_email: "ana@harbourline.example",
  state: "review",
  reason: null,
  approved_by: null,
  preview: {
    listing_title: "Customers of Harbourline",
    listing_url: "https://harbourline.example/customers/",
    found: 12,
    samples: [{ url: STUDY.url, title: STUDY.title, summary: STUDY.summary }],
    notes: ["The page lists its case studies on two pages."],
    looked_at: AT,
  },
  counts: { found: 12, structured: 0, indexed: 0 },
  received_at: AT,
  updated_at: AT,
};
const JOB = {
  id: 42,
  kind: "crawl",
  state: "dead",
  attempts: 5,
  max_attempts: 5,
  last_error: "The page could not be read.",
  run_after: AT,
  created_at: AT,
  updated_at: AT,
  payload: { submission: SUBMISSION.id },
};
const MODEL = {
  name: "minilm",
  state: "idle",
  id: "minilm-0a1b2c3d4e5f",
  description: "The mean of the tokens, read from model_qint8_avx512.onnx.",
  dimensions: 384,
  max_tokens: 256,
  size: 23_438_617,
  licence: "apache-2.0",
};
const DETAIL = {
  study: STUDY,
  origin: "submitted",
  body: "The bank moved off its mainframe in nine months.",
  provenance: [
    { pointer: "/client/name", engine: "local", sentence: "Northgate Bank is a regional bank.", confidence: 0.9 },
  ],
  corrections: { country: "NO" },
  versions: [],
  page: {
    url: STUDY.url,
    state: "structured",
    reason: null,
    etag: '"5e1f"',
    last_modified: null,
    content_hash: "9b2d6c",
    fetched_at: AT,
    gone_at: null,
  },
};
const REVIEWED = {
  id: STUDY.id,
  title: STUDY.title,
  url: STUDY.url,
  company: STUDY.company,
  client: STUDY.client,
  industry: STUDY.industry,
  published_at: STUDY.published_at,
  origin: STUDY.origin,
  least_sure: { pointer: "/client/name", confidence: 0.9 },
  corrected: ["country"],
};
const FEEDBACK = {
  domain: "brightpine.example",
  tool_id: "postbox",
  tool: "Postbox",
  rules: ["postbox/mx"],
  note: "They left it last year.",
  reported_at: AT,
};
const TOOL = {
  ...{ id: "postbox", name: "Postbox", aliases: [], vendor: "Postbox Works", website: "https://postbox.example/" },
  ...{ category: "Email", roles: ["mailbox"], product_of: null, implies: [], excludes: [], requires: [] },
  rules: [
    {
      ...{ id: "mx", see: ["dns.mx"], match: { host: "mx.postbox.example" } },
      ...{ strength: "certain", means: "runs", why: "mail for the domain is delivered there", own: false },
    },
  ],
  domains: 1,
  latest: [
    {
      ...{ domain: "brightpine.example", scanned_at: AT, confidence: 0.97 },
      evidence: [
        {
          ...{ source: "mail-dns", signal: "dns.mx", value: "mx.postbox.example" },
          ...{ location: "brightpine.example MX", rule: "postbox/mx", strength: "certain" },
        },
      ],
    },
  ],
};
const BACKUP = "casefile-2026-05-04T12-00-00Z.tar.zst";
const ofSubmission = { parameters: { id: SUBMISSION.id } };

/** What the operator asks and is answered. */
const OPERATOR_EXAMPLES: Readonly<Record<string, Example>> = {
  listKeys: { parameters: PAGE, answer: { keys: [KEY], total: 1, next_cursor: null } },
  revokeKey: { parameters: { key: KEY.email }, answer: { ...KEY, revoked_at: AT } },
  reissueKey: { parameters: { key: KEY.email }, answer: ISSUED },
  limitKey: {
    parameters: { key: KEY.email },
    body: { monthly_limit: 5_000 },
    answer: { ...KEY, monthly_limit: 5_000 },
  },
  listSubmissions: {
    parameters: { state: "review", ...PAGE },
    answer: { submissions: [SUBMISSION], total: 1, next_cursor: null },
  },
  getSubmission: { ...ofSubmission, answer: SUBMISSION },
  editSubmission: {
    ...ofSubmission,
    body: { company_domain: "harbourline.example" },
    answer: SUBMISSION,
  },
  approveSubmission: { ...ofSubmission, answer: { ...SUBMISSION, state: "crawling", approved_by: "operator" } },
  rejectSubmission: {
    ...ofSubmission,
    body: { reason: "The page lists no case studies." },
    answer: { ...SUBMISSION, state: "rejected", reason: "The page lists no case studies." },
  },
  retrySubmission: { ...ofSubmission, answer: { ...SUBMISSION, state: "crawling", approved_by: "operator" } },
  listJobs: {
    parameters: { state: "dead", kind: "crawl", ...PAGE },
    answer: { jobs: [JOB], total: 1, next_cursor: null },
  },
  retryJob: { parameters: { id: String(JOB.id) }, answer: { ...JOB, state: "waiting", attempts: 0 } },
  listMails: {
    parameters: { state: "failed", submission: SUBMISSION.id, ...PAGE },
    answer: {
      mails: [
        {
          id: 7,
          submission_id: SUBMISSION.id,
          event: "received",
          recipient: SUBMISSION.contact_email,
          subject: "Your case studies were received",
          state: "failed",
          last_error: "The mail server refused the address.",
          created_at: AT,
          sent_at: null,
        },
      ],
      total: 1,
      next_cursor: null,
    },
  },
  reviewCaseStudies: {
    parameters: { company: STUDY.company.slug, order: "least-sure", ...PAGE },
    answer: { case_studies: [REVIEWED], total: 1, next_cursor: null },
  },
  inspectCaseStudy: { parameters: { id: STUDY.id }, answer: DETAIL },
  correctCaseStudy: { parameters: { id: STUDY.id }, body: { country: "NO" }, answer: DETAIL },
  takeBackCorrection: { parameters: { id: STUDY.id, field: "country" }, answer: { ...DETAIL, corrections: {} } },
  removeCaseStudy: { parameters: { id: STUDY.id } },
  listCompanies: {
    parameters: { q: "harborline", ...PAGE },
    answer: { companies: [COMPANY], total: 1, next_cursor: null },
  },
  inspectCompany: { parameters: { slug: COMPANY.slug }, answer: COMPANY },
  editCompany: { parameters: { slug: COMPANY.slug }, body: { domain: "harbourline.example" }, answer: COMPANY },
  mergeCompanies: { parameters: { slug: "harbour-line" }, body: { into: "harbourline" }, answer: COMPANY },
  listFeedback: { parameters: PAGE, answer: { feedback: [FEEDBACK], total: 1, next_cursor: null } },
  reportFalse: {
    body: { domain: "brightpine.example", tool: "Postbox", note: "They left it last year." },
    answer: FEEDBACK,
  },
  takeBackFeedback: { parameters: { domain: "brightpine.example", tool: "Postbox" }, answer: FEEDBACK },
  listFingerprints: {
    parameters: { q: "post", ...PAGE },
    answer: {
      fingerprints: [{ id: TOOL.id, name: TOOL.name, category: TOOL.category, rules: 1, own: false }],
      total: 1,
      next_cursor: null,
    },
  },
  explainFingerprint: { parameters: { tool: "Postbox" }, answer: TOOL },
  listUnknown: {
    parameters: { kind: "script", ...PAGE },
    answer: {
      unknown: [
        {
          ...{ kind: "script", value: "stranger.example", example: "cdn.stranger.example" },
          ...{ companies: 14, domain: "brightpine.example", last_seen: AT },
        },
      ],
    },
  },
  sourceHealth: {
    answer: {
      scans: 200,
      sources: [
        {
          source: "certificate-logs",
          phase: "subdomains",
          services: [{ setting: "sources.certificate_logs", state: "on", host: "crt.sh" }],
          ...{ ok: 171, empty: 4, timeout: 22, failed: 3, skipped: 0 },
          median_ms: 2_140,
          last_fault: {
            ...{ domain: "brightpine.example", scanned_at: AT },
            ...{ status: "timeout", detail: "No answer in time." },
          },
        },
      ],
    },
  },
  createBackup: {
    answer: {
      name: BACKUP,
      size: 4_812_544,
      sha256: "5b41362bc82b7f3d56edc5a306db22105707d01ff4819e26faef9724a2d406c9",
      created_at: AT,
    },
  },
  listModels: {
    answer: {
      models: [{ ...MODEL, name: "built-in", id: "casefile-static-3bca501f", state: "used" }, MODEL],
      total: 2,
      next_cursor: null,
      progress: { model: MODEL.name, embedded: 8_000, of: 12_000 },
    },
  },
  useModel: { parameters: { name: MODEL.name }, answer: { ...MODEL, state: "next" } },
  listBackups: {
    answer: {
      backups: [{ name: BACKUP, kind: "manual", size: 4_812_544, created_at: AT }],
      total: 1,
      next_cursor: null,
    },
  },
  downloadBackup: { parameters: { name: BACKUP } },
};

const WATCHED_AT = "2026-05-04T12:00:00.000Z";
const BEFORE = "2026-04-27T11:40:00.000Z";

const WATCH = {
  domain: "brightpine.example",
  every_hours: 168,
  paused: false,
  tools_detected: 12,
  last_scan_at: WATCHED_AT,
  last_outcome: "changed",
  last_error: null,
  next_scan_at: "2026-05-11T14:10:00.000Z",
  created_at: "2026-04-20T09:00:00.000Z",
};
const CHANGE = {
  change: "appeared",
  domain: WATCH.domain,
  tool_id: "postbox",
  tool: "Postbox",
  category: "Email",
  confidence: 0.95,
  evidence: "dns.mx mx1.postbox.example",
  at: WATCHED_AT,
  previous_at: BEFORE,
  first_seen: WATCHED_AT,
  last_seen: WATCHED_AT,
};
const WEBHOOK = {
  id: "wh_7w2m9x4tq0c1k5r8z3vb",
  url: "https://hooks.brightpine.example/casefile",
  state: "active",
  created_at: BEFORE,
  last_success_at: WATCHED_AT,
};
/** Of no installation. */
const SECRET = `whsec_${Buffer.from("an example, and no secret at all").toString("base64")}`;
const DELIVERY = {
  id: "msg_2KWPBgLlAfxdpx2AI54pPJ85",
  webhook_id: WEBHOOK.id,
  type: "domain.tools_changed",
  state: "waiting",
  attempts: 2,
  last_status: 503,
  last_error: "It answered 503.",
  next_attempt_at: "2026-05-04T12:35:00.000Z",
  created_at: WATCHED_AT,
};
const ofWatch = { parameters: { domain: WATCH.domain } };
const ofWebhook = { parameters: { webhook: WEBHOOK.id } };

/** What the operator asks of watched domains, and is answered. */
const WATCH_EXAMPLES: Readonly<Record<string, Example>> = {
  listWatches: { parameters: PAGE, answer: { watches: [WATCH], total: 1, next_cursor: null } },
  watchDomain: { ...ofWatch, body: { every_hours: 24 }, answer: { ...WATCH, every_hours: 24 } },
  unwatchDomain: { ...ofWatch, answer: WATCH },
  listChanges: {
    parameters: { domain: WATCH.domain, since: "2026-05-01", ...PAGE },
    answer: { changes: [CHANGE], total: 1, next_cursor: null },
  },
  listWebhooks: { answer: { webhooks: [WEBHOOK], total: 1, next_cursor: null } },
  addWebhook: { body: { url: WEBHOOK.url }, answer: { ...WEBHOOK, last_success_at: null, secret: SECRET } },
  removeWebhook: { ...ofWebhook, answer: WEBHOOK },
  rotateWebhook: { ...ofWebhook, answer: { ...WEBHOOK, secret: SECRET } },
  testWebhook: {
    ...ofWebhook,
    answer: {
      ...DELIVERY,
      ...{ type: "webhook.test", state: "delivered", attempts: 1, last_status: 204 },
      ...{ last_error: null, next_attempt_at: null },
    },
  },
  listDeliveries: {
    parameters: { webhook: WEBHOOK.id, state: "waiting", ...PAGE },
    answer: { deliveries: [DELIVERY], total: 1, next_cursor: null },
  },
};

/** What an operation is asked and answered, with invented companies. */
interface Example {
  /** By name, of the path and the query. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Absent when the answer has no body. */
  readonly answer?: unknown;
  /** Of an answer that refuses without being a problem. */
  readonly refusal?: unknown;
}

const TOOLS = {
  tools_detected: 3,
  tools: [
    { tool: "Google Analytics", category: "Analytics" },
    { tool: "Google Workspace", category: "Email" },
    { tool: "Stripe", category: "Payments" },
  ],
  by_category: { Analytics: ["Google Analytics"], Email: ["Google Workspace"], Payments: ["Stripe"] },
};
const TOP_INDUSTRIES = [{ industry: "Financial Services", case_studies: 7, share: 0.58 }];
const TOP_CLIENTS = [{ client: "Northgate Bank", domain: "northgate.example", case_studies: 2 }];

const EVENT = { phase: "complete", ...TOOLS, done: true };

/** By operation id. A test reports operations without an example. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  enrich: {
    parameters: { domain: "harbourline.example", max_age: 86_400 },
    answer: { domain: "harbourline.example", ...TOOLS },
  },
  enrichStream: {
    parameters: { domain: "harbourline.example", max_age: 86_400 },
    answer: EVENT,
  },
  listCaseStudies: {
    parameters: { company: "harbourline", industry: "banking", country: "NO", published_after: "2024-01-01", ...PAGE },
    answer: { case_studies: [STUDY], total: 1, next_cursor: null },
  },
  getCaseStudy: { parameters: { id: STUDY.id }, answer: STUDY },
  searchCaseStudies: {
    body: { query: "bank that moved off its mainframe", limit: 5, industry: "banking", mode: "hybrid" },
    answer: { query: "bank that moved off its mainframe", results: [RESULT] },
  },
  searchCaseStudiesBatch: {
    body: {
      queries: [
        { query: "bank that moved off its mainframe", limit: 3 },
        { query: "fewer returns in online retail", industry: "retail", company: "harbourline" },
      ],
    },
    answer: {
      results: [
        { query: "bank that moved off its mainframe", results: [RESULT] },
        { query: "fewer returns in online retail", results: [] },
      ],
    },
  },
  listIndustries: {
    answer: {
      industries: [
        { industry: "Financial Services", slug: "financial-services", case_studies: 214 },
        { industry: "Zymurgy", slug: null, case_studies: 1 },
      ],
    },
  },
  findCompanies: {
    parameters: { q: "harborline", industry: "software", ...PAGE },
    answer: { companies: [COMPANY], total: 1, next_cursor: null },
  },
  getCompany: { parameters: { slug: COMPANY.slug }, answer: { ...COMPANY, case_studies: [STUDY] } },
  analyseCompany: {
    parameters: { slug: COMPANY.slug },
    answer: {
      company: COMPANY,
      total_case_studies: 12,
      top_industries: TOP_INDUSTRIES,
      top_clients: TOP_CLIENTS,
      top_outcomes: [
        {
          metric: OUTCOME.metric,
          case_studies: 4,
          median: 35,
          unit: OUTCOME.unit,
          direction: OUTCOME.direction,
          examples: [{ case_study_id: STUDY.id, client: STUDY.client.name, value: OUTCOME.value, text: OUTCOME.text }],
        },
      ],
    },
  },
  companyTimeline: {
    parameters: { slug: COMPANY.slug },
    answer: { company: COMPANY, timeline: [{ period: "2024-03", case_studies: [DATED] }], undated: [] },
  },
  compareCompanies: {
    body: { companies: ["harbourline", "quayline"], industry: "banking", limit_per_company: 3 },
    answer: {
      industry: "Financial Services",
      companies: [
        {
          company: COMPANY,
          total_case_studies: 12,
          case_studies: [STUDY],
          top_industries: TOP_INDUSTRIES,
          notable_clients: TOP_CLIENTS,
        },
        {
          company: {
            ...COMPANY,
            name: "Quayline",
            slug: "quayline",
            domain: "quayline.example",
            total_case_studies: 0,
          },
          total_case_studies: 0,
          case_studies: [],
          top_industries: [],
          notable_clients: [],
        },
      ],
    },
  },
  issueKey: {
    body: { email: "ana@brightpine.example" },
    answer: {
      api_key: "cf_live_0000000000000000000000000000000000example",
      email: "ana@brightpine.example",
      monthly_limit: 1_000,
      created_at: "2026-05-04T12:00:00.000Z",
    },
  },
  submitCaseStudies: {
    body: {
      company_name: "Harbourline",
      case_study_url: "https://harbourline.example/customers",
      contact_email: "ana@harbourline.example",
    },
    answer: {
      submission_id: "sub_4tq0c7w1m9x2k5r8z3vb",
      company_name: "Harbourline",
      case_study_url: "https://harbourline.example/customers",
      received_at: "2026-05-04T12:00:00.000Z",
      message: "The page will be reviewed before anything is indexed. The contact address is notified of each step.",
    },
  },
  getStats: {
    answer: {
      companies: 41,
      case_studies: 1_280,
      by_origin: { starter: 320, submitted: 900, imported: 60 },
      industries: 34,
      tools: 1_900,
      categories: 60,
      domains_enriched: 512,
      updated_at: "2026-05-04T12:00:00.000Z",
      version: "1.0.0",
    },
  },
  getHealth: { answer: { status: "ok", version: "1.0.0" } },
  getReadiness: {
    answer: { status: "ready", reason: null, alarms: [] },
    refusal: { status: "not ready", reason: "The service is starting.", alarms: [] },
  },
  getMetrics: { answer: "# TYPE casefile_scans_running gauge\ncasefile_scans_running 0\n" },
  ...OPERATOR_EXAMPLES,
  ...WATCH_EXAMPLES,
};
