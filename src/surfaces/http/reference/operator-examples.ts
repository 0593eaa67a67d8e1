import type { Example } from "./examples.ts";
import { COMPANY, STUDY } from "./study-examples.ts";

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
export const OPERATOR_EXAMPLES: Readonly<Record<string, Example>> = {
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
