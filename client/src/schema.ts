// Generated from the OpenAPI document by `npm run generate:client`. Do not edit.

export type Analysis = {
  readonly company: Company;
  readonly total_case_studies: number;
  readonly top_industries: readonly {
    readonly industry: string;
    readonly case_studies: number;
    readonly share: number;
  }[];
  readonly top_clients: readonly {
    readonly client: string;
    readonly domain: string | null;
    readonly case_studies: number;
  }[];
  readonly top_outcomes: readonly {
    readonly metric: string;
    readonly case_studies: number;
    readonly median: number | null;
    readonly unit: string | null;
    readonly direction: string;
    readonly examples: readonly {
      readonly case_study_id: string;
      readonly client: string | null;
      readonly value: number | null;
      readonly text: string;
    }[];
  }[];
};

export type BatchRequest = {
  readonly queries: readonly {
    /** Natural language, 1 to 1,000 characters after trimming. */
    readonly query: string;
    /** Name, slug or synonym of an industry, any case. */
    readonly industry?: string | undefined;
    readonly company?: string | undefined;
    /** Default 5. */
    readonly limit?: number | undefined;
  }[];
};

export type BatchResults = {
  readonly results: readonly SearchResults[];
};

export type CaseStudy = {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly company: {
    readonly name: string;
    readonly slug: string;
  };
  readonly client: {
    readonly name: string | null;
    readonly domain: string | null;
  };
  readonly industry: string | null;
  readonly country: string | null;
  readonly summary: string | null;
  readonly challenge: string | null;
  readonly solution: string | null;
  readonly outcomes: readonly {
    readonly metric: string;
    /** Amount of the change, or the level reached; `text` says which. */
    readonly value: number | null;
    readonly unit: string | null;
    readonly direction: "increase" | "decrease" | "absolute";
    readonly text: string;
  }[];
  readonly products: readonly string[];
  readonly tools: readonly string[];
  readonly quote: {
    /** `null` where a record names only the speaker. */
    readonly text: string | null;
    readonly person: string | null;
    readonly role: string | null;
  } | null;
  readonly published_at: string | null;
  readonly language: string | null;
  readonly indexed_at: string | null;
  /** How it was added: built in, crawled from a submission, or imported from a file. */
  readonly origin: "starter" | "submitted" | "imported";
};

export type CaseStudyList = {
  readonly case_studies: readonly CaseStudy[];
  readonly total: number;
  readonly next_cursor: string | null;
};

export type Company = {
  readonly name: string;
  readonly slug: string;
  readonly domain: string | null;
  readonly industry: string | null;
  readonly logo_url: string | null;
  readonly total_case_studies: number;
};

export type CompanyList = {
  readonly companies: readonly Company[];
  readonly total: number;
  readonly next_cursor: string | null;
};

export type CompanyWithCaseStudies = {
  readonly name: string;
  readonly slug: string;
  readonly domain: string | null;
  readonly industry: string | null;
  readonly logo_url: string | null;
  readonly total_case_studies: number;
  readonly case_studies: readonly CaseStudy[];
};

export type CompareRequest = {
  /** Slugs, each once. */
  readonly companies: readonly string[];
  /** Name, slug or synonym of an industry, any case. */
  readonly industry?: string | undefined;
  /** Default 5. */
  readonly limit_per_company?: number | undefined;
};

export type Comparison = {
  readonly industry: string | null;
  readonly companies: readonly {
    readonly company: Company;
    readonly total_case_studies: number;
    readonly case_studies: readonly CaseStudy[];
    readonly top_industries: readonly {
      readonly industry: string;
      readonly case_studies: number;
      readonly share: number;
    }[];
    readonly notable_clients: readonly {
      readonly client: string;
      readonly domain: string | null;
      readonly case_studies: number;
    }[];
  }[];
};

export type DatedCaseStudy = {
  readonly id: string;
  readonly title: string;
  readonly client: string | null;
  readonly industry: string | null;
  readonly published_at: string | null;
};

export type Enrichment = {
  readonly domain: string;
  readonly tools_detected: number;
  readonly tools: readonly Tool[];
  readonly by_category: Readonly<Record<string, readonly string[]>>;
  readonly sources?:
    | readonly {
        readonly source: string;
        readonly status: "ok" | "empty" | "timeout" | "failed" | "skipped";
        readonly duration_ms: number;
        readonly detail: string | null;
      }[]
    | undefined;
  readonly scanned_at?: string | undefined;
  readonly duration_ms?: number | undefined;
  readonly cached?: boolean | undefined;
};

export type Evidence = {
  /** Id of the data source. */
  readonly source: string;
  /** Kind of signal. */
  readonly signal: string;
  /** Matched value; tokens are cut to a recognisable prefix. */
  readonly value: string;
  /** Where it was found. */
  readonly location: string;
  /** TOOL/RULE of the catalogue. */
  readonly rule: string;
  readonly strength: "weak" | "strong" | "certain";
};

export type Industries = {
  /** Most case studies first. */
  readonly industries: readonly {
    /** Name in case studies and filters. */
    readonly industry: string;
    /** `null` when the industry is not in the taxonomy. */
    readonly slug: string | null;
    readonly case_studies: number;
  }[];
};

export type IssuedKey = {
  /** Shown only once; the service stores a hash. */
  readonly api_key: string;
  readonly email: string;
  readonly monthly_limit: number;
  readonly created_at: string;
};

export type KeyRequest = {
  /** Email address that the key is issued to. */
  readonly email: string;
};

/** RFC 9457 problem details. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors?:
    | readonly {
        readonly pointer: string;
        readonly detail: string;
      }[]
    | undefined;
  /** Unknown slugs. */
  readonly unknown?: readonly string[] | undefined;
};

export type Receipt = {
  readonly submission_id: string;
  readonly company_name: string;
  readonly case_study_url: string;
  readonly received_at: string;
  /** What happens next. */
  readonly message: string;
};

export type SearchRequest = {
  /** Natural language, 1 to 1,000 characters after trimming. */
  readonly query: string;
  /** Default 5. */
  readonly limit?: number | undefined;
  /** Name, slug or synonym of an industry, any case. */
  readonly industry?: string | undefined;
  readonly company?: string | undefined;
  readonly mode?: "hybrid" | "semantic" | "keyword" | undefined;
};

export type SearchResults = {
  readonly query: string;
  readonly results: readonly {
    readonly id: string;
    readonly title: string;
    readonly url: string;
    readonly company: {
      readonly name: string;
      readonly slug: string;
    };
    readonly client: {
      readonly name: string | null;
      readonly domain: string | null;
    };
    readonly industry: string | null;
    readonly country: string | null;
    readonly summary: string | null;
    readonly challenge: string | null;
    readonly solution: string | null;
    readonly outcomes: readonly {
      readonly metric: string;
      /** Amount of the change, or the level reached; `text` says which. */
      readonly value: number | null;
      readonly unit: string | null;
      readonly direction: "increase" | "decrease" | "absolute";
      readonly text: string;
    }[];
    readonly products: readonly string[];
    readonly tools: readonly string[];
    readonly quote: {
      /** `null` where a record names only the speaker. */
      readonly text: string | null;
      readonly person: string | null;
      readonly role: string | null;
    } | null;
    readonly published_at: string | null;
    readonly language: string | null;
    readonly indexed_at: string | null;
    /** How it was added: built in, crawled from a submission, or imported from a file. */
    readonly origin: "starter" | "submitted" | "imported";
    /** 0 to 1, best first. Scores order the results of one query and do not measure relevance: a query without a good match has high scores too, so read the passage. */
    readonly score: number;
    /** The best-matching text. */
    readonly passage: string;
    /** Start and end of each matching term in `passage`. */
    readonly highlights: readonly (readonly number[])[];
  }[];
};

export type Stats = {
  readonly companies: number;
  readonly case_studies: number;
  /** Case studies by origin: built in, submitted and crawled, or imported from files. */
  readonly by_origin: {
    readonly starter: number;
    readonly submitted: number;
    readonly imported: number;
  };
  readonly industries: number;
  readonly tools: number;
  readonly categories: number;
  readonly domains_enriched: number;
  readonly updated_at: string | null;
  readonly version: string;
};

export type StreamEvent = {
  /** identity, website, hosting, subdomains, hiring, disclosures, then complete. */
  readonly phase: string;
  readonly tools_detected: number;
  readonly tools: readonly {
    readonly tool: string;
    readonly category: string;
  }[];
  readonly by_category: Readonly<Record<string, readonly string[]>>;
  readonly done: boolean;
};

export type SubmissionRequest = {
  readonly company_name: string;
  /** Page that lists the company's case studies. */
  readonly case_study_url: string;
  /** Address that is notified of each step. */
  readonly contact_email: string;
};

export type Timeline = {
  readonly company: Company;
  readonly timeline: readonly {
    readonly period: string;
    readonly case_studies: readonly DatedCaseStudy[];
  }[];
  readonly undated: readonly DatedCaseStudy[];
};

export type Tool = {
  readonly tool: string;
  readonly category: string;
  /** Only with include=evidence, as are the fields below. */
  readonly confidence?: number | undefined;
  readonly vendor?: string | undefined;
  readonly website?: string | undefined;
  readonly version?: string | null | undefined;
  readonly first_seen?: string | undefined;
  readonly last_seen?: string | undefined;
  readonly product_of?: string | null | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly evidence?: readonly Evidence[] | undefined;
};

/** Problem codes; later releases may add codes. */
export type ProblemCode =
  | "request.not_json"
  | "key.invalid"
  | "operator.invalid"
  | "operator.only"
  | "origin.refused"
  | "domain.not_found"
  | "snapshot.not_found"
  | "key.not_found"
  | "tool.not_found"
  | "feedback.not_found"
  | "model.not_found"
  | "company.not_found"
  | "submission.not_found"
  | "job.not_found"
  | "correction.not_found"
  | "study.not_found"
  | "backup.not_found"
  | "watch.not_found"
  | "webhook.not_found"
  | "route.not_found"
  | "route.method"
  | "request.not_acceptable"
  | "key.exists"
  | "model.conflict"
  | "company.exists"
  | "submission.conflict"
  | "watch.limit"
  | "webhook.exists"
  | "webhook.limit"
  | "request.too_large"
  | "request.media_type"
  | "domain.invalid"
  | "domain.reserved"
  | "snapshot.invalid"
  | "email.invalid"
  | "company.invalid"
  | "submission.invalid"
  | "correction.invalid"
  | "query.invalid"
  | "cursor.invalid"
  | "backup.invalid"
  | "webhook.invalid"
  | "request.invalid"
  | "quota.exceeded"
  | "rate.exceeded"
  | "internal"
  | "dns.unreachable"
  | "store.unusable"
  | "model.invalid"
  | "model.unavailable"
  | "service.draining"
  | "service.overloaded"
  | "service.unready";

/** Parameters, body and 2xx response of each operation. */
export interface Operations {
  readonly analyseCompany: {
    readonly path: {
      readonly slug: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: Analysis;
  };
  readonly companyTimeline: {
    readonly path: {
      readonly slug: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: Timeline;
  };
  readonly compareCompanies: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: CompareRequest;
    readonly answer: Comparison;
  };
  readonly enrich: {
    readonly path: {
      /** Company domain, also as a URL; the answer is for its registrable domain. */
      readonly domain: string;
    };
    readonly query: {
      /** `evidence`, `sources`, or both, separated by a comma. */
      readonly include?: string | undefined;
      /** Maximum age of a stored result in seconds; 0 forces a new scan. Default 86400. */
      readonly max_age?: number | undefined;
    };
    readonly body: undefined;
    readonly answer: Enrichment;
  };
  readonly enrichStream: {
    readonly path: {
      /** Company domain, also as a URL; the answer is for its registrable domain. */
      readonly domain: string;
    };
    readonly query: {
      /** Maximum age of a stored result in seconds; 0 forces a new scan. Default 86400. */
      readonly max_age?: number | undefined;
    };
    readonly body: undefined;
    readonly answer: StreamEvent;
  };
  readonly findCompanies: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      /** Name, slug or domain; small typos are tolerated. */
      readonly q?: string | undefined;
      /** Name, slug or synonym of an industry, any case. */
      readonly industry?: string | undefined;
      /** Page size. Default 20. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: CompanyList;
  };
  readonly getCaseStudy: {
    readonly path: {
      readonly id: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: CaseStudy;
  };
  readonly getCompany: {
    readonly path: {
      readonly slug: string;
    };
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: CompanyWithCaseStudies;
  };
  readonly getStats: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: Stats;
  };
  readonly issueKey: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: KeyRequest;
    readonly answer: IssuedKey;
  };
  readonly listCaseStudies: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: {
      readonly company?: string | undefined;
      /** Name, slug or synonym of an industry, any case. */
      readonly industry?: string | undefined;
      /** Name or domain of the client. */
      readonly client?: string | undefined;
      /** ISO 3166-1 alpha-2. */
      readonly country?: string | undefined;
      /** ISO date, inclusive. */
      readonly published_after?: string | undefined;
      /** ISO date, inclusive. */
      readonly published_before?: string | undefined;
      /** Page size. Default 20. */
      readonly limit?: number | undefined;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: CaseStudyList;
  };
  readonly listIndustries: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: undefined;
    readonly answer: Industries;
  };
  readonly searchCaseStudies: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: SearchRequest;
    readonly answer: SearchResults;
  };
  readonly searchCaseStudiesBatch: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: BatchRequest;
    readonly answer: BatchResults;
  };
  readonly submitCaseStudies: {
    readonly path: Readonly<Record<string, never>>;
    readonly query: Readonly<Record<string, never>>;
    readonly body: SubmissionRequest;
    readonly answer: Receipt;
  };
}

/** Method and path of each operation. */
export const OPERATIONS: { readonly [Id in keyof Operations]: { readonly method: string; readonly path: string } } = {
  analyseCompany: { method: "GET", path: "/v1/companies/{slug}/analysis" },
  companyTimeline: { method: "GET", path: "/v1/companies/{slug}/timeline" },
  compareCompanies: { method: "POST", path: "/v1/compare" },
  enrich: { method: "GET", path: "/v1/enrich/{domain}" },
  enrichStream: { method: "GET", path: "/v1/enrich-stream/{domain}" },
  findCompanies: { method: "GET", path: "/v1/companies" },
  getCaseStudy: { method: "GET", path: "/v1/casestudies/{id}" },
  getCompany: { method: "GET", path: "/v1/companies/{slug}" },
  getStats: { method: "GET", path: "/v1/stats" },
  issueKey: { method: "POST", path: "/v1/keys" },
  listCaseStudies: { method: "GET", path: "/v1/casestudies" },
  listIndustries: { method: "GET", path: "/v1/industries" },
  searchCaseStudies: { method: "POST", path: "/v1/casestudies/semantic" },
  searchCaseStudiesBatch: { method: "POST", path: "/v1/casestudies/batch" },
  submitCaseStudies: { method: "POST", path: "/v1/submit" },
};
