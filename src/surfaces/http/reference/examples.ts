import { OPERATOR_EXAMPLES } from "./operator-examples.ts";
import { COMPANY, DATED, OUTCOME, RESULT, STUDY } from "./study-examples.ts";
import { WATCH_EXAMPLES } from "./watch-examples.ts";

/** What an operation is asked and answered, with invented companies. */
export interface Example {
  /** By name, of the path and the query. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Absent when the answer has no body. */
  readonly answer?: unknown;
  /** Of an answer that refuses without being a problem. */
  readonly refusal?: unknown;
}

const PAGE = { limit: 20 };
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

/** By operation. One that is missing here is told by a test. */
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
      message: "The page will be reviewed before anything is indexed; the contact address is told of each step.",
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
