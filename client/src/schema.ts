// Generated from the OpenAPI document by `npm run generate:client`. Do not edit.

export interface paths {
  readonly "/v1/stats": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Count companies, case studies and tools */
    readonly get: operations["getStats"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/keys": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Issue an API key */
    readonly post: operations["issueKey"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/keys/rotate": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Replace the API key by a new one with the same limit and usage */
    readonly post: operations["rotateKey"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/submit": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Submit a company's case-study page for review, crawling and indexing */
    readonly post: operations["submitCaseStudies"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/casestudies": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List case studies, newest first */
    readonly get: operations["listCaseStudies"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/casestudies/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a case study */
    readonly get: operations["getCaseStudy"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/casestudies/semantic": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Search case studies by meaning */
    readonly post: operations["searchCaseStudies"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/casestudies/answer": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Cite the passages that answer a question */
    readonly post: operations["answerFromCaseStudies"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/casestudies/batch": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Run up to ten searches in one call; each counts as one request */
    readonly post: operations["searchCaseStudiesBatch"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/casestudies/read": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Read the fields of a case study from a page that you send, at most 8 MiB; nothing is stored or requested */
    readonly post: operations["readCaseStudy"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/industries": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the industries that have case studies */
    readonly get: operations["listIndustries"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/companies": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List and search companies */
    readonly get: operations["findCompanies"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/companies/{slug}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A company with its case studies */
    readonly get: operations["getCompany"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/companies/{slug}/analysis": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Top industries, clients and outcomes of a company */
    readonly get: operations["analyseCompany"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/companies/{slug}/timeline": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** A company's case studies by month, oldest first */
    readonly get: operations["companyTimeline"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/compare": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Compare up to five companies */
    readonly post: operations["compareCompanies"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/prospects/{domain}/proof": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Find the case studies that would convince a company */
    readonly post: operations["findProof"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/prospects/{domain}/brief": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a brief about a company */
    readonly get: operations["getBrief"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/prospects/{domain}/gaps": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the tools that peers of a company use and it does not */
    readonly get: operations["listGaps"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/companies/{slug}/rivals": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List a vendor's rivals, and whose clients are seen using whose tools */
    readonly get: operations["listRivals"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich/{domain}/history": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Show since when a company uses each tool, and what changed */
    readonly get: operations["getHistory"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/tools": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List tools with the number of companies that use them */
    readonly get: operations["listTools"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/tools/{tool}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a tool */
    readonly get: operations["getTool"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/tools/{tool}/companies": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the companies that use a tool */
    readonly get: operations["listToolCompanies"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/domains": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the scanned companies */
    readonly get: operations["listDomains"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/domains/search": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Search companies by the tools that they use */
    readonly post: operations["searchDomains"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich/batches": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List your batches, newest first */
    readonly get: operations["listBatches"];
    readonly put?: never;
    /** Scan a list of domains in the background; the list is JSON, NDJSON or CSV, at most 100,000 rows and 16 MiB. A repeated `Idempotency-Key` starts nothing */
    readonly post: operations["createBatch"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich/batches/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Show the progress of a batch */
    readonly get: operations["getBatch"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich/batches/{id}/results": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the results of a batch in the order of the list, also while it runs: a page of JSON, or with `format` all as NDJSON, CSV or Parquet, one row for each company or tool */
    readonly get: operations["batchResults"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich/batches/{id}/pause": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Start no further scan of a batch */
    readonly post: operations["pauseBatch"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich/batches/{id}/resume": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Continue a paused batch */
    readonly post: operations["resumeBatch"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich/batches/{id}/cancel": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** End a batch; its results stay, and domains without a result do not count */
    readonly post: operations["cancelBatch"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich/batches/{id}/retry": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Scan the failed domains of a finished batch again */
    readonly post: operations["retryBatch"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich/{domain}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the tools that a company uses */
    readonly get: operations["enrich"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v1/enrich-stream/{domain}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Stream the tools of a company as they are detected */
    readonly get: operations["enrichStream"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    readonly Analysis: {
      readonly company: components["schemas"]["Company"];
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
        /** @description Middle of `figures` like values; `null` without a number or where they cannot be compared. */
        readonly median: number | null;
        readonly unit: string | null;
        readonly direction: string;
        /** @description `change`: by how much it changed. `level`: how much it is. `qualitative`: no figure. `null`: unknown. */
        readonly kind: "change" | "level" | "qualitative" | null;
        /** @description Whether it is good for the client; `null` when it is unknown. */
        readonly better: boolean | null;
        /** @description Number of figures of which `median` is the middle: sizes of a change, if there are any. */
        readonly figures: number;
        /** @description What was measured, the most frequent first; at most three. */
        readonly nouns: readonly string[];
        readonly examples: readonly {
          readonly case_study_id: string;
          readonly client: string | null;
          readonly value: number | null;
          readonly text: string;
        }[];
      }[];
    };
    readonly Answer: {
      readonly query: string;
      /** @description A short answer in the words of the configured language model. Each of its figures, names and quotes is in a passage that the sentence cites. Absent without a language model. */
      readonly composed?: {
        /** @description Empty when the model wrote none that the passages support. */
        readonly sentences: readonly {
          readonly text: string;
          /** @description `number` of each passage that supports it. */
          readonly citations: readonly number[];
        }[];
        /** @description Sentences that say more than the passages that they cite, and are omitted. */
        readonly dropped: number;
        /** @description Why the language model was not used, or not for everything. */
        readonly fallback: string | null;
      };
      /** @description The group of the best passage first. */
      readonly groups: readonly {
        /** @description What its passages measure, such as `cost`; `null` for those without an outcome. */
        readonly claim: string | null;
        /** @description Best first. */
        readonly citations: readonly {
          /** @description From 1, over all groups. */
          readonly number: number;
          /** @description One to three sentences of the case study, verbatim. */
          readonly sentence: string;
          /** @description Start and end of each matching term in `sentence`. */
          readonly highlights: readonly (readonly number[])[];
          readonly id: string;
          readonly title: string;
          /** @description Of the original. */
          readonly url: string;
          readonly company: {
            readonly name: string;
            readonly slug: string;
          };
          readonly client: {
            readonly name: string | null;
            readonly domain: string | null;
          };
          readonly published_at: string | null;
          /** @description The figure that the sentence states, such as `−42%`, and what it measures. */
          readonly figure: {
            readonly text: string;
            readonly measured: string;
          } | null;
          /** @description `null` where results were not rated, as by keyword only. */
          readonly relevance: "strong" | "good" | null;
          /** @description Other case studies with nearly the same sentence. */
          readonly also_in: readonly {
            readonly id: string;
            readonly url: string;
          }[];
        }[];
      }[];
      /** @description Present when no case study answers the question well. */
      readonly no_answer?: boolean;
      /** @description Present when the query could not be answered as its mode says, such as by keyword only. */
      readonly degraded?: {
        /** @description One sentence. */
        readonly reason: string;
      };
      /** @description Present while the search index is behind: results may be missing. */
      readonly index?: {
        /** @description Case studies that are not in the search index yet. */
        readonly pending: number;
      };
    };
    readonly AnswerRequest: {
      /** @description Natural language, 1 to 1,000 characters after trimming. */
      readonly query: string;
      /** @description Passages at most. Default 8. */
      readonly limit?: number;
      /** @description Name, slug or synonym of an industry, any case. */
      readonly industry?: string;
      readonly company?: string;
      /** @description Country of the client: ISO 3166-1 alpha-2 code or English name, any case. */
      readonly country?: string;
      /** @description A tool that the case study names, in any case. */
      readonly tool?: string;
      /** @description Whether a configured language model composes an answer from the passages, which takes its time. Default true. */
      readonly compose?: boolean;
    };
    readonly Batch: {
      readonly id: string;
      readonly name: string | null;
      readonly state: "running" | "paused" | "cancelled" | "done";
      /** @description Rows of the list. */
      readonly total: number;
      /** @description Distinct domains, which count against the quota. */
      readonly domains: number;
      /** @description Further columns of the list. */
      readonly columns: readonly string[];
      /** @description Null for all. */
      readonly sources: readonly string[] | null;
      readonly progress: {
        readonly waiting: number;
        readonly running: number;
        readonly done: number;
        /** @description By the code of the failure. */
        readonly failed: {
          readonly [key: string]: number;
        };
        readonly skipped: {
          readonly invalid: number;
          readonly duplicate: number;
          readonly cancelled: number;
        };
      };
      readonly estimated_end: string | null;
      /** Format: date-time */
      readonly created_at: string;
      readonly finished_at: string | null;
    };
    readonly BatchList: {
      readonly batches: readonly components["schemas"]["Batch"][];
      readonly total: number;
      readonly next_cursor: string | null;
    };
    readonly BatchRequest: {
      readonly queries: readonly {
        /** @description Natural language, 1 to 1,000 characters after trimming. */
        readonly query: string;
        /** @description Name, slug or synonym of an industry, any case. */
        readonly industry?: string;
        readonly company?: string;
        /** @description Country of the client: ISO 3166-1 alpha-2 code or English name, any case. */
        readonly country?: string;
        /** @description A tool that the case study names, in any case. */
        readonly tool?: string;
        /** @description Default 5. */
        readonly limit?: number;
      }[];
    };
    readonly BatchResult: {
      /** @description As given. */
      readonly input: string;
      /** @description The further columns. */
      readonly columns?: {
        readonly [key: string]: string;
      };
      readonly domain: string | null;
      readonly status: "waiting" | "done" | "failed" | "invalid" | "cancelled";
      /** @description Of the failure. */
      readonly code?: string;
      /** @description The failure in one sentence. */
      readonly detail?: string;
      readonly tools_detected?: number;
      readonly tools?: readonly components["schemas"]["Tool"][];
      readonly by_category?: {
        readonly [key: string]: readonly string[];
      };
      /** @description Domains that the company loads from, allows or uses in DNS and that belong to no known tool; 300 at most. */
      readonly third_parties?: readonly components["schemas"]["ThirdParty"][];
      readonly sources?: readonly {
        readonly source: string;
        readonly status: "ok" | "empty" | "timeout" | "failed" | "skipped";
        readonly duration_ms: number;
        readonly detail: string | null;
        /**
         * Format: date-time
         * @description The newest recording that the data source read; only in a result that joins recordings of different dates.
         */
        readonly observed_at?: string;
      }[];
      /**
       * @description Only when the result is older than requested and could not be renewed.
       * @constant
       */
      readonly stale?: true;
      /** @description Why it could not be renewed, in one sentence. */
      readonly stale_reason?: string;
      /** Format: date-time */
      readonly scanned_at?: string;
      readonly duration_ms?: number;
      readonly cached?: boolean;
    };
    readonly BatchResults: {
      readonly results: readonly components["schemas"]["SearchResults"][];
    };
    readonly Brief: {
      /** @description The company, and the vendor by its name. */
      readonly title: string;
      readonly prospect: components["schemas"]["Prospect"];
      readonly vendor: string | null;
      readonly question: string | null;
      readonly sections: readonly {
        readonly id: "summary" | "proofs" | "rivals" | "changes" | "stack";
        readonly title: string;
        readonly groups: readonly {
          readonly title: string;
          readonly url: string | null;
          readonly statements: readonly {
            readonly text: string;
            /** @description Copied letter for letter from a source. */
            readonly quote: string | null;
            /** @description Numbers of its sources. */
            readonly sources: readonly number[];
          }[];
        }[];
      }[];
      readonly sources: readonly {
        readonly number: number;
        readonly kind: "scan" | "history" | "case_study" | "request";
        /** @description The stored sentence or record. */
        readonly text: string;
        readonly url: string | null;
        readonly location: string | null;
        readonly case_study_id: string | null;
      }[];
      readonly phrased_by: "template" | "language-model";
      /** @description Why a language model was not used, or not for everything. */
      readonly fallback: string | null;
      /** @description Statements that said more than their sources, and are omitted. */
      readonly dropped: number;
    };
    readonly CaseStudy: {
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
        /** @description Amount of the change, or the level reached; `text` says which. */
        readonly value: number | null;
        readonly unit: string | null;
        readonly direction: "increase" | "decrease" | "absolute";
        readonly text: string;
        /** @description What was measured, such as `outage time`; `metric` groups it. */
        readonly noun: string | null;
        /** @description `change`: by how much it changed. `level`: how much it is. `qualitative`: no figure. `null`: unknown. */
        readonly kind: "change" | "level" | "qualitative" | null;
        /** @description The figure before, in `unit`, where it is stated. */
        readonly from: number | null;
        /** @description The figure after, in `unit`, where it is stated. */
        readonly to: number | null;
        /** @description Whether it is good for the client; `null` when it is unknown. */
        readonly better: boolean | null;
        /** @description The source's own words; `null` when they are not known or may not be shown. */
        readonly sentence: string | null;
      }[];
      readonly products: readonly string[];
      readonly tools: readonly string[];
      readonly quote: {
        /** @description `null` where a record names only the speaker. */
        readonly text: string | null;
        readonly person: string | null;
        readonly role: string | null;
      } | null;
      readonly published_at: string | null;
      readonly language: string | null;
      readonly indexed_at: string | null;
      /** @description How it was added: built in, crawled from a submission, or imported from a file. */
      readonly origin: "starter" | "submitted" | "imported";
    };
    readonly CaseStudyList: {
      readonly case_studies: readonly components["schemas"]["CaseStudyWithClaim"][];
      readonly total: number;
      readonly next_cursor: string | null;
    };
    readonly CaseStudyWithClaim: {
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
        /** @description Amount of the change, or the level reached; `text` says which. */
        readonly value: number | null;
        readonly unit: string | null;
        readonly direction: "increase" | "decrease" | "absolute";
        readonly text: string;
        /** @description What was measured, such as `outage time`; `metric` groups it. */
        readonly noun: string | null;
        /** @description `change`: by how much it changed. `level`: how much it is. `qualitative`: no figure. `null`: unknown. */
        readonly kind: "change" | "level" | "qualitative" | null;
        /** @description The figure before, in `unit`, where it is stated. */
        readonly from: number | null;
        /** @description The figure after, in `unit`, where it is stated. */
        readonly to: number | null;
        /** @description Whether it is good for the client; `null` when it is unknown. */
        readonly better: boolean | null;
        /** @description The source's own words; `null` when they are not known or may not be shown. */
        readonly sentence: string | null;
      }[];
      readonly products: readonly string[];
      readonly tools: readonly string[];
      readonly quote: {
        /** @description `null` where a record names only the speaker. */
        readonly text: string | null;
        readonly person: string | null;
        readonly role: string | null;
      } | null;
      readonly published_at: string | null;
      readonly language: string | null;
      readonly indexed_at: string | null;
      /** @description How it was added: built in, crawled from a submission, or imported from a file. */
      readonly origin: "starter" | "submitted" | "imported";
      readonly claim?: components["schemas"]["Claim"];
    };
    /** @description What stored scans of the client say about the case study. Absent unless requested. */
    readonly Claim: {
      /** @description `corroborated`: the newest stored report has confirmed evidence that the client set up the vendor's tool. `replaced`: every data source able to see it was checked without seeing it, and a tool of the same category is seen. `not_seen`: the same without such a tool; it may be used all the same. `cannot_be_seen`: the product leaves no public sign. `not_checked`: there is no stored report, a data source able to see it was not checked, the product is not known, or what is seen does not prove that the client itself uses it. */
      readonly status: "corroborated" | "replaced" | "not_seen" | "cannot_be_seen" | "not_checked";
      readonly since: string | null;
      readonly evidence: {
        /** @description The vendor's tool; with `replaced`, the tool of the same category. */
        readonly tool: string;
        readonly category: string;
        /** @description What the evidence means, such as `runs` or `verified-once`. */
        readonly means: string;
        readonly signal: string;
        readonly value: string;
        readonly location: string;
        /** @description The case study names a product that the catalogue does not distinguish from the vendor's other ones. */
        readonly spans_products: boolean;
      } | null;
      readonly checked_at: string | null;
    };
    /** @description Clients whose domain is known, by the status of the vendor's claim. Absent unless requested. */
    readonly ClaimCounts: {
      readonly clients: number;
      readonly corroborated: number;
      readonly replaced: number;
      readonly not_seen: number;
      readonly cannot_be_seen: number;
      readonly not_checked: number;
    };
    readonly Company: {
      readonly name: string;
      readonly slug: string;
      readonly domain: string | null;
      readonly industry: string | null;
      readonly logo_url: string | null;
      readonly total_case_studies: number;
    };
    readonly CompanyHistory: {
      readonly domain: string;
      /** Format: date-time */
      readonly first_scanned_at: string;
      /** Format: date-time */
      readonly last_scanned_at: string;
      /** @description Scans and recordings that the history is made from. */
      readonly observations: number;
      /** @description By category, then name. */
      readonly tools: readonly components["schemas"]["ToolHistory"][];
      /** @description Oldest first. */
      readonly changes: readonly components["schemas"]["HistoryChange"][];
    };
    readonly CompanyList: {
      readonly companies: readonly components["schemas"]["Company"][];
      readonly total: number;
      readonly next_cursor: string | null;
    };
    readonly CompanyWithCaseStudies: {
      readonly name: string;
      readonly slug: string;
      readonly domain: string | null;
      readonly industry: string | null;
      readonly logo_url: string | null;
      readonly total_case_studies: number;
      readonly case_studies: readonly components["schemas"]["CaseStudy"][];
      readonly claims?: components["schemas"]["ClaimCounts"];
    };
    readonly CompareRequest: {
      /** @description Slugs, each once. */
      readonly companies: readonly string[];
      /** @description Name, slug or synonym of an industry, any case. */
      readonly industry?: string;
      /** @description Default 5. */
      readonly limit_per_company?: number;
    };
    readonly Comparison: {
      readonly industry: string | null;
      readonly companies: readonly {
        readonly company: components["schemas"]["Company"];
        readonly total_case_studies: number;
        readonly case_studies: readonly components["schemas"]["CaseStudy"][];
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
    readonly DatedCaseStudy: {
      readonly id: string;
      readonly title: string;
      readonly client: string | null;
      readonly industry: string | null;
      readonly published_at: string | null;
    };
    readonly DomainList: {
      readonly domains: readonly components["schemas"]["StackDomain"][];
      readonly total: number;
      readonly next_cursor: string | null;
      /** @description Only while scans wait to be indexed. */
      readonly index?: {
        /** @description Companies whose newest scans are not in the answer yet. */
        readonly pending: number;
      };
    };
    readonly DomainSearch: {
      /** @description All of these hold. */
      readonly all?: readonly (string | components["schemas"]["StackCondition"])[];
      /** @description At least one of these holds. */
      readonly any?: readonly (string | components["schemas"]["StackCondition"])[];
      /** @description None of these holds. */
      readonly none?: readonly (string | components["schemas"]["StackCondition"])[];
      /** @description Minimum confidence. Default 0.5. */
      readonly min_confidence?: number;
      /** @description Any of these top-level domains. */
      readonly top_level?: readonly string[];
      /** @description Start of the domain. */
      readonly prefix?: string;
      /** @description Newest scan since: a date or timestamp, ISO 8601, included. */
      readonly scanned_since?: string;
      /** @description Newest scan until: a date or timestamp, ISO 8601, included. */
      readonly scanned_until?: string;
      /** @enum {string} */
      readonly sort?: "domain" | "scanned_at" | "tools";
      /** @description Page size. Default 20. */
      readonly limit?: number;
      /** @description `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly EnrichBatchResults: {
      readonly results: readonly components["schemas"]["BatchResult"][];
      readonly next_cursor: string | null;
    };
    readonly Enrichment: {
      readonly domain: string;
      readonly tools_detected: number;
      readonly tools: readonly components["schemas"]["Tool"][];
      readonly by_category: {
        readonly [key: string]: readonly string[];
      };
      /** @description Domains that the company loads from, allows or uses in DNS and that belong to no known tool; 300 at most. */
      readonly third_parties?: readonly components["schemas"]["ThirdParty"][];
      readonly sources?: readonly {
        readonly source: string;
        readonly status: "ok" | "empty" | "timeout" | "failed" | "skipped";
        readonly duration_ms: number;
        readonly detail: string | null;
        /**
         * Format: date-time
         * @description The newest recording that the data source read; only in a result that joins recordings of different dates.
         */
        readonly observed_at?: string;
      }[];
      /**
       * @description Only when the result is older than requested and could not be renewed.
       * @constant
       */
      readonly stale?: true;
      /** @description Why it could not be renewed, in one sentence. */
      readonly stale_reason?: string;
      /** Format: date-time */
      readonly scanned_at?: string;
      readonly duration_ms?: number;
      readonly cached?: boolean;
    };
    readonly Evidence: {
      /** @description Id of the data source. */
      readonly source: string;
      /** @description Kind of signal. */
      readonly signal: string;
      /** @description Matched value; tokens are cut to a recognisable prefix. */
      readonly value: string;
      /** @description Where it was found. */
      readonly location: string;
      /** @description TOOL/RULE of the catalogue. */
      readonly rule: string;
      readonly strength: "weak" | "strong" | "certain";
    };
    readonly Gaps: {
      readonly prospect: components["schemas"]["Prospect"];
      /** @description Companies of the same industry with a stored report; empty where the operator hides which companies were scanned (`stack.operator_only`). */
      readonly peers: readonly string[];
      /** @description Categories of which the company uses nothing first, then by the number of peers. */
      readonly gaps: readonly {
        readonly category: string;
        /** @description Peers that use a tool of the category. */
        readonly companies: number;
        /** @description Tools of the category that the company uses. */
        readonly uses: readonly string[];
        readonly tools: readonly {
          readonly tool_id: string;
          readonly tool: string;
          /** @description Peers that use it. */
          readonly companies: number;
          /** @description Their domains, the first 50; empty where the operator hides which companies were scanned (`stack.operator_only`). */
          readonly domains: readonly string[];
        }[];
      }[];
    };
    /** @description The change happened between `previous_at` and `at`. */
    readonly HistoryChange: {
      readonly change: "appeared" | "disappeared";
      readonly tool_id: string;
      readonly tool: string;
      readonly category: string;
      readonly confidence: number;
      /** @description The best evidence in one line, when the tool was last detected. */
      readonly evidence: string;
      /** Format: date-time */
      readonly previous_at: string;
      /** Format: date-time */
      readonly at: string;
    };
    readonly Industries: {
      /** @description Most case studies first. */
      readonly industries: readonly {
        /** @description Name in case studies and filters. */
        readonly industry: string;
        /** @description `null` when the industry is not in the taxonomy. */
        readonly slug: string | null;
        readonly case_studies: number;
      }[];
    };
    readonly IssuedKey: {
      /** @description Shown only once; the service stores a hash. */
      readonly api_key: string;
      readonly email: string;
      readonly monthly_limit: number;
      /** Format: date-time */
      readonly created_at: string;
    };
    readonly KeyRequest: {
      /**
       * @description Email address that the key is issued to.
       * @example ana@brightpine.example
       */
      readonly email: string;
    };
    readonly MatchedSignal: {
      readonly kind: "script" | "txt" | "cname";
      readonly value: string;
    };
    readonly MatchedTool: {
      readonly tool_id: string;
      readonly tool: string;
      readonly category: string;
      readonly state: "in_use" | "gone";
      /** @description When it was last detected. */
      readonly confidence: number;
      /** Format: date */
      readonly first_seen: string;
      /** Format: date */
      readonly last_seen: string;
      /** @description An earlier scan was able to see the tool and did not, so it is in use since `first_seen`; otherwise it may be older. */
      readonly appeared: boolean;
      /** @description The first scan without it; of a tool in use, when it was gone before. Only with conditions on when tools appeared or went. */
      readonly gone_since: string | null;
    };
    readonly NewBatch: {
      /** @description Domains or URLs, or objects whose further fields are kept. */
      readonly domains: readonly (
        | string
        | {
            readonly [key: string]: unknown;
          }
      )[];
      readonly max_age?: number | "any";
      /**
       * @description `light` (DNS records and the home page), or ids of data sources, separated by commas: mail-dns, mail-policy, verifications, dkim, mail-names, tenants, home-page, browser, tag-manager, bundles, site-files, addresses, zone, certificate, aliases, certificate-logs, subdomain-pages, job-boards, disclosure-pages, well-known. Default: all.
       * @example light
       */
      readonly sources?: string;
      /** @description Id or URL of a registered webhook, which gets a signed message at the end. */
      readonly webhook?: string;
      /** @description Shown in the list of batches. */
      readonly name?: string;
      /** @description Column or field with the domain; by default one with a usual name (domain, website, url), else the first. */
      readonly column?: string;
    };
    readonly PageToRead: {
      /**
       * @description The page: HTML, Markdown or PDF, at most 8 MiB. What it is, its content and `name` say.
       * @example # How Brackwater cut waiting time
       */
      readonly content: string;
      /**
       * @description Address where the page was published. It is not requested.
       * @example https://quayline.example/stories/brackwater
       */
      readonly url: string;
      /** @enum {string} */
      readonly encoding?: "text" | "base64";
      /** @description File name, such as `story.md`. */
      readonly name?: string;
      /** @description Name of the vendor; by default derived from the address. */
      readonly company?: string;
    };
    /** @description RFC 9457 problem details. */
    readonly Problem: {
      /** @example urn:casefile:problem:domain.invalid */
      readonly type: string;
      readonly title: string;
      readonly status: number;
      readonly detail: string;
      readonly code: string;
      readonly request_id: string;
      readonly errors?: readonly {
        readonly pointer: string;
        readonly detail: string;
      }[];
      /** @description Unknown slugs. */
      readonly unknown?: readonly string[];
    };
    readonly ProofRequest: {
      /** @description Slug of the vendor that sells; by default all vendors. */
      readonly vendor?: string;
      /** @description What the company wants: natural language, 1 to 1,000 characters after trimming. */
      readonly question?: string;
      /** @description The company's industry: name, slug or synonym. By default that of its case studies. */
      readonly industry?: string;
      /** @description The company's country: ISO 3166-1 alpha-2 code or English name. By default that of its case studies, else of its top-level domain. */
      readonly country?: string;
      /** @description Default 10. */
      readonly limit?: number;
      /** @description Maximum age of the stored result in seconds; 0 forces a new scan. By default every stored result is accepted, and only a company without one is scanned. */
      readonly max_age?: number;
    };
    readonly Proofs: {
      readonly prospect: components["schemas"]["Prospect"];
      readonly vendor: string | null;
      readonly question: string | null;
      readonly proofs: readonly {
        readonly case_study: components["schemas"]["CaseStudyWithClaim"];
        /** @description 0 to 1, best first. Scores order the proofs of one company and do not measure relevance; docs/prospects.md has the formula. */
        readonly score: number;
        /** @description Most points first. */
        readonly reasons: readonly {
          readonly kind:
            | "same_industry"
            | "related_industry"
            | "same_tool"
            | "migrated_from"
            | "same_outcome"
            | "answers_question"
            | "same_country";
          /** @description One sentence. */
          readonly text: string;
          /** @description What company and case study share. */
          readonly value: string;
          /** @description The sentence of the case study that supports it; `null` where only a field states it. */
          readonly sentence: string | null;
          /** @description JSON pointer of what supports it; `/body` is the text of its page. */
          readonly field: string;
          readonly points: number;
        }[];
      }[];
      /** @description Case studies of the vendor, or of all vendors. */
      readonly case_studies: number;
      /** @description Why the others are not among the proofs. */
      readonly excluded: readonly {
        readonly reason:
          | "own_case_study"
          | "own_product"
          | "other_vendor"
          | "nothing_in_common"
          | "ranked_lower"
          | "not_read";
        readonly detail: string;
        readonly case_studies: number;
      }[];
    };
    readonly Prospect: {
      readonly domain: string;
      readonly industry: string | null;
      /** @description Where it is known from; `null` when it is unknown. */
      readonly industry_from: "request" | "case_study" | "vendor" | "top_level_domain" | null;
      readonly country: string | null;
      /** @description Where it is known from; `null` when it is unknown. */
      readonly country_from: "request" | "case_study" | "vendor" | "top_level_domain" | null;
      readonly tools_detected: number;
      /** Format: date-time */
      readonly scanned_at: string;
      /** @description Why an older stored result could not be renewed. */
      readonly stale_reason?: string;
    };
    /** @description Each field as it was read; `null` where the page does not say. */
    readonly ReadCaseStudy: {
      readonly url: string;
      readonly company: {
        readonly name: string;
        readonly slug: string;
      };
      readonly title: {
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      };
      readonly client: {
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
        readonly domain: string | null;
        /** @description The likeliest names where the client is not certain. */
        readonly candidates: readonly {
          readonly value: string;
          readonly confidence: number;
        }[];
      };
      readonly industry: {
        /** @description Name in the taxonomy. */
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
        readonly slug: string | null;
      };
      readonly country: {
        /** @description ISO 3166-1 alpha-2 code. */
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      };
      readonly summary: {
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      };
      readonly challenge: {
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      };
      readonly solution: {
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      };
      readonly outcomes: readonly {
        readonly value: {
          readonly metric: string;
          /** @description Amount of the change, or the level reached; `text` says which. */
          readonly value: number | null;
          readonly unit: string | null;
          readonly direction: "increase" | "decrease" | "absolute";
          readonly text: string;
          /** @description What was measured, such as `outage time`; `metric` groups it. */
          readonly noun: string | null;
          /** @description `change`: by how much it changed. `level`: how much it is. `qualitative`: no figure. `null`: unknown. */
          readonly kind: "change" | "level" | "qualitative" | null;
          /** @description The figure before, in `unit`, where it is stated. */
          readonly from: number | null;
          /** @description The figure after, in `unit`, where it is stated. */
          readonly to: number | null;
          /** @description Whether it is good for the client; `null` when it is unknown. */
          readonly better: boolean | null;
          /** @description The source's own words; `null` when they are not known or may not be shown. */
          readonly sentence: string | null;
        } | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      }[];
      readonly products: readonly {
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      }[];
      readonly tools: readonly {
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      }[];
      readonly quote: {
        readonly value: {
          readonly text: string | null;
          readonly person: string | null;
          readonly role: string | null;
        } | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      };
      readonly published_at: {
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      };
      readonly language: {
        readonly value: string | null;
        /** @description The page's sentence that states it; `null` when no single sentence does. */
        readonly sentence: string | null;
        readonly confidence: number | null;
      };
      readonly fallback: string | null;
    };
    readonly Receipt: {
      readonly submission_id: string;
      readonly company_name: string;
      readonly case_study_url: string;
      /** Format: date-time */
      readonly received_at: string;
      /** @description What happens next. */
      readonly message: string;
    };
    readonly Rivals: {
      readonly vendor: {
        readonly name: string;
        readonly slug: string;
      };
      readonly tools: readonly string[];
      readonly categories: readonly string[];
      /** @description Clients in the vendor's case studies with a stored report. */
      readonly clients_checked: number;
      /** @description Vendors with a tool of the same category, most seen clients first. */
      readonly rivals: readonly {
        readonly company: {
          readonly name: string;
          readonly slug: string;
        };
        /** @description Its tools in the same categories. */
        readonly tools: readonly string[];
        readonly categories: readonly string[];
        /** @description Clients in its case studies with a stored report. */
        readonly clients_checked: number;
        /** @description Its clients that are seen using the vendor's tool. */
        readonly clients_using_vendor: readonly {
          /** @description `null` where the operator hides which companies were scanned (`stack.operator_only`). */
          readonly domain: string | null;
          /** @description Ids of the case studies that name it; empty where the operator hides which companies were scanned (`stack.operator_only`). */
          readonly case_studies: readonly string[];
          /** @description The tool that is seen. */
          readonly tool: string;
          readonly category: string;
          /** Format: date-time */
          readonly first_seen: string;
          /** Format: date-time */
          readonly last_seen: string;
        }[];
        /** @description The vendor's clients that are seen using its tool. */
        readonly vendor_clients_using_rival: readonly {
          /** @description `null` where the operator hides which companies were scanned (`stack.operator_only`). */
          readonly domain: string | null;
          /** @description Ids of the case studies that name it; empty where the operator hides which companies were scanned (`stack.operator_only`). */
          readonly case_studies: readonly string[];
          /** @description The tool that is seen. */
          readonly tool: string;
          readonly category: string;
          /** Format: date-time */
          readonly first_seen: string;
          /** Format: date-time */
          readonly last_seen: string;
        }[];
      }[];
    };
    readonly SearchRequest: {
      /** @description Natural language, 1 to 1,000 characters after trimming. */
      readonly query: string;
      /** @description Default 5. */
      readonly limit?: number;
      /** @description Name, slug or synonym of an industry, any case. */
      readonly industry?: string;
      readonly company?: string;
      /** @description Country of the client: ISO 3166-1 alpha-2 code or English name, any case. */
      readonly country?: string;
      /** @description A tool that the case study names, in any case. */
      readonly tool?: string;
      /** @enum {string} */
      readonly mode?: "hybrid" | "semantic" | "keyword";
      /** @enum {string} */
      readonly claim?: "corroborated" | "replaced" | "not_seen" | "cannot_be_seen" | "not_checked";
      /**
       * @description Adds `claim` to each case study whose client's domain is known; to lists not where the operator hides which companies were scanned (`stack.operator_only`).
       * @constant
       */
      readonly include?: "claim";
    };
    readonly SearchResults: {
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
          /** @description Amount of the change, or the level reached; `text` says which. */
          readonly value: number | null;
          readonly unit: string | null;
          readonly direction: "increase" | "decrease" | "absolute";
          readonly text: string;
          /** @description What was measured, such as `outage time`; `metric` groups it. */
          readonly noun: string | null;
          /** @description `change`: by how much it changed. `level`: how much it is. `qualitative`: no figure. `null`: unknown. */
          readonly kind: "change" | "level" | "qualitative" | null;
          /** @description The figure before, in `unit`, where it is stated. */
          readonly from: number | null;
          /** @description The figure after, in `unit`, where it is stated. */
          readonly to: number | null;
          /** @description Whether it is good for the client; `null` when it is unknown. */
          readonly better: boolean | null;
          /** @description The source's own words; `null` when they are not known or may not be shown. */
          readonly sentence: string | null;
        }[];
        readonly products: readonly string[];
        readonly tools: readonly string[];
        readonly quote: {
          /** @description `null` where a record names only the speaker. */
          readonly text: string | null;
          readonly person: string | null;
          readonly role: string | null;
        } | null;
        readonly published_at: string | null;
        readonly language: string | null;
        readonly indexed_at: string | null;
        /** @description How it was added: built in, crawled from a submission, or imported from a file. */
        readonly origin: "starter" | "submitted" | "imported";
        /** @description 0 to 1, best first. Scores order the results of one query and do not measure relevance: `relevance` does. */
        readonly score: number;
        /** @description Whether the record answers the query: `strong` very likely, `good` likely, `weak` hardly; weak ones come last. Null where it was not rated: in keyword mode, and with models other than the built-in one. */
        readonly relevance: "strong" | "good" | "weak" | null;
        /** @description 0 to 1: of results with this value, about this share answers their query, measured on questions about other vendors. Null like `relevance`. */
        readonly probability: number | null;
        /** @description The best-matching text. */
        readonly passage: string;
        /** @description Start and end of each matching term in `passage`. */
        readonly highlights: readonly (readonly number[])[];
        /** @description Present when other case studies have nearly the same text: they are not results themselves, as of a story that two vendors publish. */
        readonly also_in?: readonly {
          readonly id: string;
          readonly url: string;
        }[];
      }[];
      /** @description Present when all results are `weak`: probably no record answers the query. */
      readonly no_good_match?: boolean;
      /** @description Present when the query could not be answered as its mode says, such as by keyword only. */
      readonly degraded?: {
        /** @description One sentence. */
        readonly reason: string;
      };
      /** @description Present while the search index is behind: results may be missing. */
      readonly index?: {
        /** @description Case studies that are not in the search index yet. */
        readonly pending: number;
      };
    };
    readonly SearchResultsWithClaims: {
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
          /** @description Amount of the change, or the level reached; `text` says which. */
          readonly value: number | null;
          readonly unit: string | null;
          readonly direction: "increase" | "decrease" | "absolute";
          readonly text: string;
          /** @description What was measured, such as `outage time`; `metric` groups it. */
          readonly noun: string | null;
          /** @description `change`: by how much it changed. `level`: how much it is. `qualitative`: no figure. `null`: unknown. */
          readonly kind: "change" | "level" | "qualitative" | null;
          /** @description The figure before, in `unit`, where it is stated. */
          readonly from: number | null;
          /** @description The figure after, in `unit`, where it is stated. */
          readonly to: number | null;
          /** @description Whether it is good for the client; `null` when it is unknown. */
          readonly better: boolean | null;
          /** @description The source's own words; `null` when they are not known or may not be shown. */
          readonly sentence: string | null;
        }[];
        readonly products: readonly string[];
        readonly tools: readonly string[];
        readonly quote: {
          /** @description `null` where a record names only the speaker. */
          readonly text: string | null;
          readonly person: string | null;
          readonly role: string | null;
        } | null;
        readonly published_at: string | null;
        readonly language: string | null;
        readonly indexed_at: string | null;
        /** @description How it was added: built in, crawled from a submission, or imported from a file. */
        readonly origin: "starter" | "submitted" | "imported";
        readonly claim?: components["schemas"]["Claim"];
        /** @description 0 to 1, best first. Scores order the results of one query and do not measure relevance: `relevance` does. */
        readonly score: number;
        /** @description Whether the record answers the query: `strong` very likely, `good` likely, `weak` hardly; weak ones come last. Null where it was not rated: in keyword mode, and with models other than the built-in one. */
        readonly relevance: "strong" | "good" | "weak" | null;
        /** @description 0 to 1: of results with this value, about this share answers their query, measured on questions about other vendors. Null like `relevance`. */
        readonly probability: number | null;
        /** @description The best-matching text. */
        readonly passage: string;
        /** @description Start and end of each matching term in `passage`. */
        readonly highlights: readonly (readonly number[])[];
        /** @description Present when other case studies have nearly the same text: they are not results themselves, as of a story that two vendors publish. */
        readonly also_in?: readonly {
          readonly id: string;
          readonly url: string;
        }[];
      }[];
      /** @description Present when all results are `weak`: probably no record answers the query. */
      readonly no_good_match?: boolean;
      /** @description Present when the query could not be answered as its mode says, such as by keyword only. */
      readonly degraded?: {
        /** @description One sentence. */
        readonly reason: string;
      };
      /** @description Present while the search index is behind: results may be missing. */
      readonly index?: {
        /** @description Case studies that are not in the search index yet. */
        readonly pending: number;
      };
    };
    /** @description Exactly one of tool, category, script, txt and cname. */
    readonly StackCondition: {
      /** @description Id, name or alias. */
      readonly tool?: string;
      /** @description Any tool of this category. */
      readonly category?: string;
      /** @description Host of a script, with its subdomains. */
      readonly script?: string;
      /** @description Start of a verification record in DNS, before its token. */
      readonly txt?: string;
      /** @description Host that the company's hosts are aliases of, with its subdomains. */
      readonly cname?: string;
      /** @description Minimum confidence. Default 0.5. */
      readonly min_confidence?: number;
      /** @description Seen since: a date or timestamp, ISO 8601, included. */
      readonly seen_since?: string;
      /** @description Seen until: a date or timestamp, ISO 8601, included. */
      readonly seen_until?: string;
      /** @description Appeared since: a date or timestamp, ISO 8601, included. */
      readonly appeared_since?: string;
      /** @description Appeared until: a date or timestamp, ISO 8601, included. */
      readonly appeared_until?: string;
      /** @description Gone since: a date or timestamp, ISO 8601, included. */
      readonly gone_since?: string;
      /** @description Gone until: a date or timestamp, ISO 8601, included. */
      readonly gone_until?: string;
    };
    readonly StackDomain: {
      readonly domain: string;
      /** Format: date-time */
      readonly scanned_at: string;
      readonly first_scanned_at: string | null;
      /** @description In the newest result, as `GET /v1/enrich/{domain}` counts them. */
      readonly tools_detected: number;
      /** @description The tools that the question asks for: those in use, and those that are gone with conditions on when tools appeared or went. */
      readonly matched: readonly components["schemas"]["MatchedTool"][];
      /** @description The raw signals that the question asks for. */
      readonly signals: readonly components["schemas"]["MatchedSignal"][];
    };
    readonly StartedBatch: {
      /** @description The same as `id`. */
      readonly batch_id: string;
      readonly id: string;
      readonly name: string | null;
      readonly state: "running" | "paused" | "cancelled" | "done";
      /** @description Rows of the list. */
      readonly total: number;
      /** @description Distinct domains, which count against the quota. */
      readonly domains: number;
      /** @description Further columns of the list. */
      readonly columns: readonly string[];
      /** @description Null for all. */
      readonly sources: readonly string[] | null;
      readonly progress: {
        readonly waiting: number;
        readonly running: number;
        readonly done: number;
        /** @description By the code of the failure. */
        readonly failed: {
          readonly [key: string]: number;
        };
        readonly skipped: {
          readonly invalid: number;
          readonly duplicate: number;
          readonly cancelled: number;
        };
      };
      readonly estimated_end: string | null;
      /** Format: date-time */
      readonly created_at: string;
      readonly finished_at: string | null;
    };
    readonly Stats: {
      readonly companies: number;
      readonly case_studies: number;
      /** @description Case studies by origin: built in, submitted and crawled, or imported from files. */
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
    readonly StreamEvent: {
      /** @description identity, website, hosting, subdomains, hiring, disclosures, then complete. */
      readonly phase: string;
      readonly tools_detected: number;
      readonly tools: readonly {
        readonly tool: string;
        readonly category: string;
      }[];
      readonly by_category: {
        readonly [key: string]: readonly string[];
      };
      /**
       * @description Only when the result is older than requested and could not be renewed.
       * @constant
       */
      readonly stale?: true;
      /** @description Why it could not be renewed, in one sentence. */
      readonly stale_reason?: string;
      /** Format: date-time */
      readonly scanned_at?: string;
      readonly done: boolean;
    };
    readonly SubmissionRequest: {
      /** @example Harbourline */
      readonly company_name: string;
      /**
       * @description Page that lists the company's case studies.
       * @example https://harbourline.example/customers
       */
      readonly case_study_url: string;
      /**
       * @description Address that is notified of each step.
       * @example ana@harbourline.example
       */
      readonly contact_email: string;
    };
    readonly ThirdParty: {
      /** @description Registered domain. */
      readonly domain: string;
      /** @description Its hosts that were seen, five at most. */
      readonly hosts: readonly string[];
      readonly seen: readonly {
        /** @description Kind of signal. */
        readonly signal: string;
        /** @description Where it was found first. */
        readonly location: string;
      }[];
    };
    readonly Timeline: {
      readonly company: components["schemas"]["Company"];
      readonly timeline: readonly {
        /** @example 2024-03 */
        readonly period: string;
        readonly case_studies: readonly components["schemas"]["DatedCaseStudy"][];
      }[];
      readonly undated: readonly components["schemas"]["DatedCaseStudy"][];
    };
    readonly Tool: {
      readonly tool: string;
      readonly category: string;
      /** @description Only with include=evidence, as are the fields below. */
      readonly confidence?: number;
      readonly level?: "confirmed" | "likely" | "possible";
      readonly vendor?: string;
      readonly website?: string;
      readonly version?: string | null;
      /** Format: date-time */
      readonly first_seen?: string;
      /** Format: date-time */
      readonly last_seen?: string;
      readonly product_of?: string | null;
      readonly roles?: readonly string[];
      readonly evidence?: readonly components["schemas"]["Evidence"][];
    };
    readonly ToolDetail: {
      readonly id: string;
      readonly name: string;
      readonly category: string;
      /** @description Scanned companies that use it with a confidence of at least 0.5. */
      readonly companies: number;
      readonly first_seen: string | null;
      readonly last_seen: string | null;
      readonly vendor: string | null;
      readonly website: string | null;
      readonly aliases: readonly string[];
      /** @description Only while scans wait to be indexed. */
      readonly index?: {
        /** @description Companies whose newest scans are not in the answer yet. */
        readonly pending: number;
      };
    };
    readonly ToolHistory: {
      readonly tool_id: string;
      readonly tool: string;
      readonly category: string;
      /** @description `unconfirmed`: missed by one scan, or last seen under other fingerprints, so that its absence says nothing. */
      readonly state: "in_use" | "unconfirmed" | "gone";
      /** @description When it was last detected. */
      readonly confidence: number;
      /** @description Times of use, oldest first. */
      readonly intervals: readonly components["schemas"]["ToolInterval"][];
    };
    readonly ToolInterval: {
      /** Format: date-time */
      readonly first_seen: string;
      /** Format: date-time */
      readonly last_seen: string;
      /** @description The last scan before it that was able to see the tool and did not; null when there is none. */
      readonly absent_before: string | null;
      /** @description The first scan after it that was able to see the tool and did not; null while it is in use. */
      readonly missing_since: string | null;
      /** @description When a further scan confirmed that the tool is gone. */
      readonly gone_at: string | null;
    };
    readonly ToolList: {
      readonly tools: readonly components["schemas"]["UsedTool"][];
      readonly total: number;
      readonly next_cursor: string | null;
      /** @description Only while scans wait to be indexed. */
      readonly index?: {
        /** @description Companies whose newest scans are not in the answer yet. */
        readonly pending: number;
      };
    };
    readonly UsedTool: {
      readonly id: string;
      readonly name: string;
      readonly category: string;
      /** @description Scanned companies that use it with a confidence of at least 0.5. */
      readonly companies: number;
      readonly first_seen: string | null;
      readonly last_seen: string | null;
    };
    /**
     * @description Later releases may add codes.
     * @enum {string}
     */
    readonly ProblemCode:
      | "backup.invalid"
      | "backup.not_found"
      | "batch.conflict"
      | "batch.invalid"
      | "batch.not_found"
      | "browser.unavailable"
      | "company.exists"
      | "company.invalid"
      | "company.not_found"
      | "correction.invalid"
      | "correction.not_found"
      | "cursor.invalid"
      | "dns.unreachable"
      | "domain.invalid"
      | "domain.not_found"
      | "domain.opted_out"
      | "domain.reserved"
      | "email.invalid"
      | "feedback.not_found"
      | "history.not_found"
      | "host.refused"
      | "industry.not_found"
      | "internal"
      | "job.not_found"
      | "key.exists"
      | "key.invalid"
      | "key.not_found"
      | "key.sign_up_closed"
      | "model.conflict"
      | "model.invalid"
      | "model.not_found"
      | "model.unavailable"
      | "operator.conflict"
      | "operator.forbidden"
      | "operator.invalid"
      | "operator.malformed"
      | "operator.not_found"
      | "operator.only"
      | "opt_out.invalid"
      | "opt_out.not_found"
      | "origin.refused"
      | "query.invalid"
      | "quota.exceeded"
      | "rate.exceeded"
      | "request.invalid"
      | "request.media_type"
      | "request.not_acceptable"
      | "request.not_json"
      | "request.too_large"
      | "route.method"
      | "route.not_found"
      | "service.draining"
      | "service.overloaded"
      | "service.unready"
      | "session.not_found"
      | "sign_in.invalid_link"
      | "sign_in.unavailable"
      | "snapshot.invalid"
      | "snapshot.not_found"
      | "stack.operator_only"
      | "store.unusable"
      | "study.not_found"
      | "submission.conflict"
      | "submission.invalid"
      | "submission.not_found"
      | "tool.not_found"
      | "watch.limit"
      | "watch.not_found"
      | "webhook.exists"
      | "webhook.invalid"
      | "webhook.limit"
      | "webhook.not_found";
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Analysis = components["schemas"]["Analysis"];
export type Answer = components["schemas"]["Answer"];
export type AnswerRequest = components["schemas"]["AnswerRequest"];
export type Batch = components["schemas"]["Batch"];
export type BatchList = components["schemas"]["BatchList"];
export type BatchRequest = components["schemas"]["BatchRequest"];
export type BatchResult = components["schemas"]["BatchResult"];
export type BatchResults = components["schemas"]["BatchResults"];
export type Brief = components["schemas"]["Brief"];
export type CaseStudy = components["schemas"]["CaseStudy"];
export type CaseStudyList = components["schemas"]["CaseStudyList"];
export type CaseStudyWithClaim = components["schemas"]["CaseStudyWithClaim"];
export type Claim = components["schemas"]["Claim"];
export type ClaimCounts = components["schemas"]["ClaimCounts"];
export type Company = components["schemas"]["Company"];
export type CompanyHistory = components["schemas"]["CompanyHistory"];
export type CompanyList = components["schemas"]["CompanyList"];
export type CompanyWithCaseStudies = components["schemas"]["CompanyWithCaseStudies"];
export type CompareRequest = components["schemas"]["CompareRequest"];
export type Comparison = components["schemas"]["Comparison"];
export type DatedCaseStudy = components["schemas"]["DatedCaseStudy"];
export type DomainList = components["schemas"]["DomainList"];
export type DomainSearch = components["schemas"]["DomainSearch"];
export type EnrichBatchResults = components["schemas"]["EnrichBatchResults"];
export type Enrichment = components["schemas"]["Enrichment"];
export type Evidence = components["schemas"]["Evidence"];
export type Gaps = components["schemas"]["Gaps"];
export type HistoryChange = components["schemas"]["HistoryChange"];
export type Industries = components["schemas"]["Industries"];
export type IssuedKey = components["schemas"]["IssuedKey"];
export type KeyRequest = components["schemas"]["KeyRequest"];
export type MatchedSignal = components["schemas"]["MatchedSignal"];
export type MatchedTool = components["schemas"]["MatchedTool"];
export type NewBatch = components["schemas"]["NewBatch"];
export type PageToRead = components["schemas"]["PageToRead"];
export type Problem = components["schemas"]["Problem"];
export type ProofRequest = components["schemas"]["ProofRequest"];
export type Proofs = components["schemas"]["Proofs"];
export type Prospect = components["schemas"]["Prospect"];
export type ReadCaseStudy = components["schemas"]["ReadCaseStudy"];
export type Receipt = components["schemas"]["Receipt"];
export type Rivals = components["schemas"]["Rivals"];
export type SearchRequest = components["schemas"]["SearchRequest"];
export type SearchResults = components["schemas"]["SearchResults"];
export type SearchResultsWithClaims = components["schemas"]["SearchResultsWithClaims"];
export type StackCondition = components["schemas"]["StackCondition"];
export type StackDomain = components["schemas"]["StackDomain"];
export type StartedBatch = components["schemas"]["StartedBatch"];
export type Stats = components["schemas"]["Stats"];
export type StreamEvent = components["schemas"]["StreamEvent"];
export type SubmissionRequest = components["schemas"]["SubmissionRequest"];
export type ThirdParty = components["schemas"]["ThirdParty"];
export type Timeline = components["schemas"]["Timeline"];
export type Tool = components["schemas"]["Tool"];
export type ToolDetail = components["schemas"]["ToolDetail"];
export type ToolHistory = components["schemas"]["ToolHistory"];
export type ToolInterval = components["schemas"]["ToolInterval"];
export type ToolList = components["schemas"]["ToolList"];
export type UsedTool = components["schemas"]["UsedTool"];
export type ProblemCode = components["schemas"]["ProblemCode"];
export type $defs = Record<string, never>;
export interface operations {
  readonly getStats: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Counts. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Stats"];
        };
      };
    };
  };
  readonly issueKey: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["KeyRequest"];
      };
    };
    readonly responses: {
      /** @description The key, shown only once. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["IssuedKey"];
        };
      };
    };
  };
  readonly rotateKey: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The new key, shown only once. The previous one no longer works. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["IssuedKey"];
        };
      };
    };
  };
  readonly submitCaseStudies: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["SubmissionRequest"];
      };
    };
    readonly responses: {
      /** @description Received. While it is pending, the same page has the same id. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Receipt"];
        };
      };
    };
  };
  readonly listCaseStudies: {
    readonly parameters: {
      readonly query?: {
        readonly company?: string;
        /** @description Name, slug or synonym of an industry, any case. */
        readonly industry?: string;
        /** @description Name or domain of the client. */
        readonly client?: string;
        /** @description Country of the client: ISO 3166-1 alpha-2 code or English name, any case. */
        readonly country?: string;
        /** @description ISO date, inclusive. */
        readonly published_after?: string;
        /** @description ISO date, inclusive. */
        readonly published_before?: string;
        /** @description A tool that the case study names, in any case. */
        readonly tool?: string;
        readonly figures?: "true" | "false";
        readonly claim?: "corroborated" | "replaced" | "not_seen" | "cannot_be_seen" | "not_checked";
        /** @description Adds `claim` to each case study whose client's domain is known; to lists not where the operator hides which companies were scanned (`stack.operator_only`). */
        readonly include?: "claim";
        /** @description Page size. Default 20. */
        readonly limit?: number;
        /** @description `next_cursor` of the previous page. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of the list. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["CaseStudyList"];
        };
      };
    };
  };
  readonly getCaseStudy: {
    readonly parameters: {
      readonly query?: {
        /** @description Adds `claim` to each case study whose client's domain is known; to lists not where the operator hides which companies were scanned (`stack.operator_only`). */
        readonly include?: "claim";
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The record. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["CaseStudyWithClaim"];
        };
      };
    };
  };
  readonly searchCaseStudies: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["SearchRequest"];
      };
    };
    readonly responses: {
      /** @description Results, best first. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["SearchResultsWithClaims"];
        };
      };
    };
  };
  readonly answerFromCaseStudies: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["AnswerRequest"];
      };
    };
    readonly responses: {
      /** @description Passages, grouped by what they claim, and an answer composed from them where a language model is configured. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Answer"];
        };
      };
    };
  };
  readonly searchCaseStudiesBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["BatchRequest"];
      };
    };
    readonly responses: {
      /** @description One result set for each query, in their order. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["BatchResults"];
        };
      };
    };
  };
  readonly readCaseStudy: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["PageToRead"];
      };
    };
    readonly responses: {
      /** @description Each field with its value, sentence and confidence. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["ReadCaseStudy"];
        };
      };
    };
  };
  readonly listIndustries: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description All industries, most case studies first. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Industries"];
        };
      };
    };
  };
  readonly findCompanies: {
    readonly parameters: {
      readonly query?: {
        /** @description Name, slug or domain; small typos are tolerated. */
        readonly q?: string;
        /** @description Name, slug or synonym of an industry, any case. */
        readonly industry?: string;
        /** @description Page size. Default 20. */
        readonly limit?: number;
        /** @description `next_cursor` of the previous page. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of the list. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["CompanyList"];
        };
      };
    };
  };
  readonly getCompany: {
    readonly parameters: {
      readonly query?: {
        /** @description Adds how many clients have each claim status. */
        readonly include?: "claims";
      };
      readonly header?: never;
      readonly path: {
        readonly slug: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A company with its case studies */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["CompanyWithCaseStudies"];
        };
      };
    };
  };
  readonly analyseCompany: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly slug: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Top industries, clients and outcomes of a company */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Analysis"];
        };
      };
    };
  };
  readonly companyTimeline: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly slug: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A company's case studies by month, oldest first */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Timeline"];
        };
      };
    };
  };
  readonly compareCompanies: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CompareRequest"];
      };
    };
    readonly responses: {
      /** @description In the order of the request. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Comparison"];
        };
      };
    };
  };
  readonly findProof: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Company domain, also as a URL; the answer is for its registrable domain. */
        readonly domain: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ProofRequest"];
      };
    };
    readonly responses: {
      /** @description Best first, each with the facts that it shares with the company. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Proofs"];
        };
      };
    };
  };
  readonly getBrief: {
    readonly parameters: {
      readonly query?: {
        /** @description Slug of the vendor that sells; by default all vendors. */
        readonly vendor?: string;
        /** @description What the company wants: natural language, 1 to 1,000 characters after trimming. */
        readonly question?: string;
        /** @description The company's industry: name, slug or synonym. By default that of its case studies. */
        readonly industry?: string;
        /** @description The company's country: ISO 3166-1 alpha-2 code or English name. By default that of its case studies, else of its top-level domain. */
        readonly country?: string;
        /** @description Maximum age of the stored result in seconds; 0 forces a new scan. By default every stored result is accepted, and only a company without one is scanned. */
        readonly max_age?: number;
        readonly format?: "json" | "markdown" | "html";
      };
      readonly header?: never;
      readonly path: {
        /** @description Company domain, also as a URL; the answer is for its registrable domain. */
        readonly domain: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Its tools, what changed, rival products and five case studies, each statement with its sources. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Brief"];
          readonly "text/markdown": string;
          readonly "text/html": string;
        };
      };
    };
  };
  readonly listGaps: {
    readonly parameters: {
      readonly query?: {
        /** @description The company's industry: name, slug or synonym. By default that of its case studies. */
        readonly industry?: string;
        /** @description Label of the only category. */
        readonly category?: string;
        /** @description Maximum age of the stored result in seconds; 0 forces a new scan. By default every stored result is accepted, and only a company without one is scanned. */
        readonly max_age?: number;
      };
      readonly header?: never;
      readonly path: {
        /** @description Company domain, also as a URL; the answer is for its registrable domain. */
        readonly domain: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Peers are companies of the same industry with a stored report. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Gaps"];
        };
      };
    };
  };
  readonly listRivals: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly slug: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description From stored reports; nothing is scanned. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Rivals"];
        };
      };
    };
  };
  readonly getHistory: {
    readonly parameters: {
      readonly query?: {
        /** @description Changes since: a date or timestamp, ISO 8601, included. */
        readonly since?: string;
        /** @description Changes until: a date or timestamp, ISO 8601, included. */
        readonly until?: string;
      };
      readonly header?: never;
      readonly path: {
        /** @description Company domain. */
        readonly domain: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description From all stored scans and recordings; nothing is scanned. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["CompanyHistory"];
        };
      };
    };
  };
  readonly listTools: {
    readonly parameters: {
      readonly query?: {
        /** @description Part of a name, an alias or an id. */
        readonly q?: string;
        /** @description Label of a category, any case. */
        readonly category?: string;
        /** @description Page size. Default 20. */
        readonly limit?: number;
        /** @description `next_cursor` of the previous page. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Most companies first. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["ToolList"];
        };
      };
    };
  };
  readonly getTool: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        /** @description Id, name or alias. */
        readonly tool: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The tool. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["ToolDetail"];
        };
      };
    };
  };
  readonly listToolCompanies: {
    readonly parameters: {
      readonly query?: {
        /** @description Minimum confidence: `confirmed` (0.8), `likely` (0.5, the default), `possible` (0.2), or a number from 0 to 1. */
        readonly min_confidence?: string;
        readonly sort?: "domain" | "scanned_at" | "tools";
        readonly format?: "ndjson" | "csv" | "parquet";
        /** @description Page size. Default 20. */
        readonly limit?: number;
        /** @description `next_cursor` of the previous page. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path: {
        /** @description Id, name or alias. */
        readonly tool: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description By domain, or a file with `format`. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["DomainList"];
          readonly "application/x-ndjson": string;
          readonly "text/csv": string;
          readonly "application/vnd.apache.parquet": string;
        };
      };
    };
  };
  readonly listDomains: {
    readonly parameters: {
      readonly query?: {
        /** @description Start of the domain. */
        readonly q?: string;
        /** @description Uses this tool: id, name or alias. */
        readonly tool?: string;
        /** @description Does not use this tool. */
        readonly not?: string;
        /** @description Uses a tool of this category. */
        readonly category?: string;
        /** @description Top-level domain, such as `de`. */
        readonly top_level?: string;
        /** @description Newest scan since: a date or timestamp, ISO 8601, included. */
        readonly scanned_since?: string;
        /** @description Newest scan until: a date or timestamp, ISO 8601, included. */
        readonly scanned_until?: string;
        /** @description Minimum confidence: `confirmed` (0.8), `likely` (0.5, the default), `possible` (0.2), or a number from 0 to 1. */
        readonly min_confidence?: string;
        readonly sort?: "domain" | "scanned_at" | "tools";
        readonly format?: "ndjson" | "csv" | "parquet";
        /** @description Page size. Default 20. */
        readonly limit?: number;
        /** @description `next_cursor` of the previous page. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description By domain, or a file with `format`. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["DomainList"];
          readonly "application/x-ndjson": string;
          readonly "text/csv": string;
          readonly "application/vnd.apache.parquet": string;
        };
      };
    };
  };
  readonly searchDomains: {
    readonly parameters: {
      readonly query?: {
        readonly format?: "ndjson" | "csv" | "parquet";
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["DomainSearch"];
      };
    };
    readonly responses: {
      /** @description By domain, or a file with `format`. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["DomainList"];
          readonly "application/x-ndjson": string;
          readonly "text/csv": string;
          readonly "application/vnd.apache.parquet": string;
        };
      };
    };
  };
  readonly listBatches: {
    readonly parameters: {
      readonly query?: {
        /** @description Page size. Default 20. */
        readonly limit?: number;
        /** @description `next_cursor` of the previous page. */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of batches. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["BatchList"];
        };
      };
    };
  };
  readonly createBatch: {
    readonly parameters: {
      readonly query?: {
        /** @description Maximum age of a stored result in seconds, or `any`; 0 forces new scans. Default 86400, and 3600 for a result with a data source that timed out. */
        readonly max_age?: string;
        /** @description `light` (DNS records and the home page), or ids of data sources, separated by commas: mail-dns, mail-policy, verifications, dkim, mail-names, tenants, home-page, browser, tag-manager, bundles, site-files, addresses, zone, certificate, aliases, certificate-logs, subdomain-pages, job-boards, disclosure-pages, well-known. Default: all. */
        readonly sources?: string;
        /** @description Id or URL of a registered webhook, which gets a signed message at the end. */
        readonly webhook?: string;
        /** @description Shown in the list of batches. */
        readonly name?: string;
        /** @description Column or field with the domain; by default one with a usual name (domain, website, url), else the first. */
        readonly column?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["NewBatch"];
      };
    };
    readonly responses: {
      /** @description The batch. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["StartedBatch"];
        };
      };
    };
  };
  readonly getBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The batch. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Batch"];
        };
      };
    };
  };
  readonly batchResults: {
    readonly parameters: {
      readonly query?: {
        /** @description Page size. Default 20. */
        readonly limit?: number;
        /** @description `next_cursor` of the previous page. */
        readonly cursor?: string;
        readonly format?: "ndjson" | "csv" | "parquet";
        readonly rows?: "companies" | "tools";
        readonly status?: "waiting" | "done" | "failed" | "invalid" | "cancelled";
        /** @description As for `GET /v1/enrich/{domain}`; not for tables. */
        readonly include?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of results, or a file. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["EnrichBatchResults"];
          readonly "application/x-ndjson": string;
          readonly "text/csv": string;
          readonly "application/vnd.apache.parquet": string;
        };
      };
    };
  };
  readonly pauseBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The batch. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Batch"];
        };
      };
    };
  };
  readonly resumeBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The batch. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Batch"];
        };
      };
    };
  };
  readonly cancelBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The batch. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Batch"];
        };
      };
    };
  };
  readonly retryBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The batch. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Batch"];
        };
      };
    };
  };
  readonly enrich: {
    readonly parameters: {
      readonly query?: {
        /** @description `evidence`, `sources`, `third_parties`, or several, separated by commas. */
        readonly include?: string;
        /** @description Maximum age of a stored result in seconds; 0 forces a new scan, `any` accepts every stored result. Default 86400, and 3600 for a result with a data source that timed out. When a scan cannot succeed, an older stored result is returned with `stale`. */
        readonly max_age?: number | "any";
        /** @description Minimum confidence of the returned tools: `confirmed` (0.8), `likely` (0.5), `possible` (0.2), or a number from 0 to 1. Default: the configured `scan.min_confidence`, 0.5. `include=evidence` adds the `confidence` and `level` of each tool. */
        readonly min_confidence?: string;
      };
      readonly header?: never;
      readonly path: {
        /** @description Company domain, also as a URL; the answer is for its registrable domain. */
        readonly domain: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The tools, sorted by category, then name. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Enrichment"];
        };
      };
    };
  };
  readonly enrichStream: {
    readonly parameters: {
      readonly query?: {
        /** @description Maximum age of a stored result in seconds; 0 forces a new scan, `any` accepts every stored result. Default 86400, and 3600 for a result with a data source that timed out. When a scan cannot succeed, an older stored result is returned with `stale`. */
        readonly max_age?: number | "any";
        /** @description Minimum confidence of the returned tools: `confirmed` (0.8), `likely` (0.5), `possible` (0.2), or a number from 0 to 1. Default: the configured `scan.min_confidence`, 0.5. `include=evidence` adds the `confidence` and `level` of each tool. */
        readonly min_confidence?: string;
      };
      readonly header?: never;
      readonly path: {
        /** @description Company domain, also as a URL; the answer is for its registrable domain. */
        readonly domain: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Server-sent events; the last has `done: true`. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "text/event-stream": components["schemas"]["StreamEvent"];
        };
      };
    };
  };
}

/** Method and path of each operation. */
export const OPERATIONS: { readonly [Id in keyof operations]: { readonly method: string; readonly path: string } } = {
  analyseCompany: { method: "GET", path: "/v1/companies/{slug}/analysis" },
  answerFromCaseStudies: { method: "POST", path: "/v1/casestudies/answer" },
  batchResults: { method: "GET", path: "/v1/enrich/batches/{id}/results" },
  cancelBatch: { method: "POST", path: "/v1/enrich/batches/{id}/cancel" },
  companyTimeline: { method: "GET", path: "/v1/companies/{slug}/timeline" },
  compareCompanies: { method: "POST", path: "/v1/compare" },
  createBatch: { method: "POST", path: "/v1/enrich/batches" },
  enrich: { method: "GET", path: "/v1/enrich/{domain}" },
  enrichStream: { method: "GET", path: "/v1/enrich-stream/{domain}" },
  findCompanies: { method: "GET", path: "/v1/companies" },
  findProof: { method: "POST", path: "/v1/prospects/{domain}/proof" },
  getBatch: { method: "GET", path: "/v1/enrich/batches/{id}" },
  getBrief: { method: "GET", path: "/v1/prospects/{domain}/brief" },
  getCaseStudy: { method: "GET", path: "/v1/casestudies/{id}" },
  getCompany: { method: "GET", path: "/v1/companies/{slug}" },
  getHistory: { method: "GET", path: "/v1/enrich/{domain}/history" },
  getStats: { method: "GET", path: "/v1/stats" },
  getTool: { method: "GET", path: "/v1/tools/{tool}" },
  issueKey: { method: "POST", path: "/v1/keys" },
  listBatches: { method: "GET", path: "/v1/enrich/batches" },
  listCaseStudies: { method: "GET", path: "/v1/casestudies" },
  listDomains: { method: "GET", path: "/v1/domains" },
  listGaps: { method: "GET", path: "/v1/prospects/{domain}/gaps" },
  listIndustries: { method: "GET", path: "/v1/industries" },
  listRivals: { method: "GET", path: "/v1/companies/{slug}/rivals" },
  listToolCompanies: { method: "GET", path: "/v1/tools/{tool}/companies" },
  listTools: { method: "GET", path: "/v1/tools" },
  pauseBatch: { method: "POST", path: "/v1/enrich/batches/{id}/pause" },
  readCaseStudy: { method: "POST", path: "/v1/casestudies/read" },
  resumeBatch: { method: "POST", path: "/v1/enrich/batches/{id}/resume" },
  retryBatch: { method: "POST", path: "/v1/enrich/batches/{id}/retry" },
  rotateKey: { method: "POST", path: "/v1/keys/rotate" },
  searchCaseStudies: { method: "POST", path: "/v1/casestudies/semantic" },
  searchCaseStudiesBatch: { method: "POST", path: "/v1/casestudies/batch" },
  searchDomains: { method: "POST", path: "/v1/domains/search" },
  submitCaseStudies: { method: "POST", path: "/v1/submit" },
};
