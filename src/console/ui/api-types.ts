import type { Static } from "@sinclair/typebox";
import type { issuedKeySchema, keyEntrySchema } from "../../accounts/schemas.ts";
import type { batchListSchema, batchResultsSchema } from "../../batches/routes.ts";
import type {
  analysisSchema,
  companyListSchema,
  companySchema,
  compareSchema,
  timelineSchema,
} from "../../casestudies/companies/schemas.ts";
import type { readStudySchema, receiptSchema } from "../../casestudies/intake/schemas.ts";
import type { reviewSchema, studyDetailSchema } from "../../casestudies/review/schemas.ts";
import type {
  answerSchema,
  claimedStudySchema,
  industriesSchema,
  resultsSchema,
  studyListSchema,
  studySchema,
} from "../../casestudies/schemas.ts";
import type { explanationSchema } from "../../detection/fingerprints/schemas.ts";
import type { EvidenceReason } from "../../detection/fingerprints/service.ts";
import type { enrichmentSchema, healthSchema, streamEventSchema } from "../../detection/schemas.ts";
import type { Detection } from "../../detection/types.ts";
import type { activitySchema, statsSchema } from "../../health/schemas.ts";
import type { problemSchema } from "../../http/schemas.ts";
import type { domainListSchema, searchBody, toolListSchema, toolSchema } from "../../stack/schemas.ts";
import type { CompanyHistory } from "../../stack/types.ts";

/** Derived from the API schemas, so that a page that ignores a change of a response does not compile. */
export type Enrichment = Static<typeof enrichmentSchema>;
export type Tool = Enrichment["tools"][number];
export type StreamEvent = Static<typeof streamEventSchema>;
export type Source = NonNullable<Enrichment["sources"]>[number];
export type Stats = Static<typeof statsSchema>;
export type Activity = Static<typeof activitySchema>;
export type IssuedKey = Static<typeof issuedKeySchema>;
export type KeyEntry = Static<typeof keyEntrySchema>;
export type Receipt = Static<typeof receiptSchema>;
export type ReadStudy = Static<typeof readStudySchema>;
export type ProblemBody = Static<typeof problemSchema>;
export type Study = Static<typeof studySchema>;
export type StudyWithClaim = Static<typeof claimedStudySchema>;
export type Outcome = Study["outcomes"][number];
export type BatchList = Static<typeof batchListSchema>;
export type Batch = BatchList["batches"][number];
export type BatchResults = Static<typeof batchResultsSchema>;
export type BatchResult = BatchResults["results"][number];
export type UsedTools = Static<typeof toolListSchema>;
export type UsedTool = UsedTools["tools"][number];
export type ToolDetail = Static<typeof toolSchema>;
export type StackDomains = Static<typeof domainListSchema>;
export type StackDomain = StackDomains["domains"][number];
export type StackSearch = Static<typeof searchBody>;
export type StudyList = Static<typeof studyListSchema>;
export type Results = Static<typeof resultsSchema>;
export type Result = Results["results"][number];
export type Answer = Static<typeof answerSchema>;
export type CompanyList = Static<typeof companyListSchema>;
export type CompanyRecord = CompanyList["companies"][number];
export type CompanyWithStudies = Static<typeof companySchema>;
export type Analysis = Static<typeof analysisSchema>;
export type Timeline = Static<typeof timelineSchema>;
export type Industries = Static<typeof industriesSchema>;
export type Comparison = Static<typeof compareSchema>;

/** The parts that pages show of the case studies that would convince a company, `Proofs` of the API. */
export interface Proofs {
  readonly prospect: { readonly industry: string | null; readonly country: string | null };
  readonly proofs: readonly {
    readonly case_study: StudyWithClaim;
    readonly reasons: readonly {
      readonly kind: string;
      readonly text: string;
      readonly value: string;
      readonly sentence: string | null;
    }[];
  }[];
  readonly case_studies: number;
}

/** A case study with its provenance, corrections and source text. */
export type StudyDetail = Static<typeof studyDetailSchema>;
/** A case study in the review list. */
export type ReviewedStudy = Static<typeof reviewSchema>["case_studies"][number];

export type ToolExplanation = Static<typeof explanationSchema>;
export type SourceHealth = Static<typeof healthSchema>;

export interface ServiceInfo {
  readonly sign_up: "open" | "domains" | "closed";
  readonly sign_up_domains: readonly string[];
  readonly version: string;
  /** Whether only the operator may know which companies were scanned. */
  readonly index_hidden: boolean;
  readonly stats: Stats;
  readonly areas: readonly { readonly area: string; readonly categories: readonly string[] }[];
  /** Descriptions by kind of signal. */
  readonly signals: Readonly<Record<string, string>>;
  /** Recorded scans of fictional companies, which need no key. */
  readonly examples: readonly string[];
  /** Of the first example; null when there is none. */
  readonly preview: {
    readonly domain: string;
    readonly tools_detected: number;
    readonly tools: readonly {
      readonly tool: string;
      readonly category: string;
      readonly confidence: number;
      readonly level: NonNullable<Tool["level"]>;
      readonly proof: string;
    }[];
  } | null;
  readonly case_studies: readonly Study[];
}

export interface Changes {
  readonly domain: string;
  readonly tools_detected: number;
  readonly scanned_at: string;
  readonly previous_at: string | null;
  readonly appeared: readonly { readonly tool: string; readonly category: string }[];
  readonly gone: readonly { readonly tool: string; readonly category: string }[];
  /** Missed by one scan; gone if the next one misses them too. */
  readonly missed: readonly { readonly tool: string; readonly category: string }[];
}

export interface Usage {
  readonly email: string;
  readonly limit: number;
  readonly remaining: number;
  readonly reset_seconds: number;
}

export interface Overview {
  readonly stats: Stats;
  readonly alarms: readonly string[];
  readonly jobs: Readonly<Record<string, number>>;
  readonly mails: Readonly<Record<string, number>>;
  readonly mail_configured: boolean;
  readonly submissions: Readonly<Record<string, number>>;
  readonly waiting_for_index: number;
  readonly scans_running: number;
}

/** A stored result, and what the page adds to it. */
export interface Lookup {
  /** The company's own icon as a `data:` URL. */
  readonly icon: string | null;
  readonly result: Enrichment;
  /** In the order of the result's tools. */
  readonly about: readonly {
    readonly id: string;
    readonly means: Detection["means"];
    /** In the order of the tool's evidence. */
    readonly reasons: readonly (EvidenceReason | null)[];
  }[];
  /** With the time of each observation, oldest first. */
  readonly history: (CompanyHistory & { readonly observed_at: readonly string[] }) | null;
}

/** The companies that were scanned last. */
export interface Companies {
  readonly companies: readonly {
    readonly domain: string;
    readonly scanned_at: string;
    readonly first_scanned_at: string | null;
    readonly tools_detected: number;
  }[];
  readonly total: number;
}

/** Names that match what is typed. */
export interface Suggestions {
  readonly companies: readonly { readonly domain: string; readonly tools_detected: number }[];
  readonly tools: readonly { readonly id: string; readonly tool: string; readonly category: string }[];
  readonly vendors: readonly { readonly slug: string; readonly name: string; readonly case_studies: number }[];
  /** The tool with the most similar name; only when no tool matches. */
  readonly closest: { readonly id: string; readonly tool: string; readonly category: string } | null;
}
