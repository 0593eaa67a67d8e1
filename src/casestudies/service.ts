import { Failure } from "../core/errors.ts";
import type { Store } from "../store.ts";
import type { CompanyAnalysis, CompanyTimeline } from "./companies/analysis.ts";
import type { CompanyPage, ComparedCompany } from "./companies/repository.ts";
import { type ExportedStudy, exportStudies } from "./import/export-file.ts";
import { type ImportSummary, importStudies } from "./import/import-file.ts";
import { readFileRecords } from "./import/read-file.ts";
import {
  type Indexer,
  type IndexerState,
  type IndexWork,
  type IndexWorker,
  MANY_CHANGES,
  startIndexWorker,
} from "./index/indexer.ts";
import type { PassageFilter } from "./index/passage-table.ts";
import { applyCorrections } from "./intake/corrections.ts";
import { isProblems, type ParseContext, parseRecord } from "./record.ts";
import type { CountedIndustry, ResolvedFilter, ReviewedStudy } from "./repository.ts";
import type { Ranking } from "./search/search.ts";
import { createStudySearch, type StudySearchParts } from "./search/study-search.ts";
import type { Industries } from "./taxonomy/taxonomy.ts";
import type { CaseStudy, Company, Industry, ReviewOrder, SearchMode, StudyFilter, StudyHit } from "./types.ts";

interface ReviewQuestion {
  /** Company slug. */
  readonly company?: string;
  /** Name, slug or synonym of an industry, any case. */
  readonly industry?: string;
  /** Whether the operator corrected a field. */
  readonly corrected?: boolean;
  /** By default `least-sure`. */
  readonly order?: ReviewOrder;
}

interface ReviewedPage {
  readonly case_studies: readonly ReviewedStudy[];
  readonly total: number;
  readonly next_cursor: string | null;
}

interface StudyReviewService {
  /** Case studies as a reviewer chooses among them. @throws Failure `cursor.invalid` */
  reviewStudies(
    question: ReviewQuestion,
    page?: { readonly limit?: number; readonly cursor?: string },
  ): Promise<ReviewedPage>;
  /** Industries that at least one case study is of, those of most first. */
  listIndustries(): Promise<readonly CountedIndustry[]>;
}

const REVIEW_PAGE = 20;

function createStudyReview(
  { caseStudies }: Pick<Store, "caseStudies">,
  /** What a filter's industry stands for. */
  industriesOf: (text: string) => readonly Industry[],
): StudyReviewService {
  return {
    async reviewStudies({ industry, order = "least-sure", ...filter }, { limit = REVIEW_PAGE, cursor } = {}) {
      const { studies, ...page } = await caseStudies.listForReview(
        industry === undefined ? filter : { ...filter, industries: industriesOf(industry) },
        { order, limit, ...(cursor === undefined ? {} : { cursor }) },
      );
      return { case_studies: studies, ...page };
    },
    listIndustries: () => caseStudies.industries(),
  };
}

export interface PageOptions {
  /** 1–100, by default 20. */
  readonly limit?: number;
  /** Opaque: the `next_cursor` of the page before. */
  readonly cursor?: string;
}

export interface StudyPage {
  readonly case_studies: readonly CaseStudy[];
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface StudyQuestion {
  /** 1–1,000 characters after trimming. */
  readonly query: string;
  /** 1–50, by default 5. */
  readonly limit?: number;
  /** By default hybrid. */
  readonly mode?: SearchMode;
  readonly filter?: Pick<StudyFilter, "company" | "industry">;
}

export interface StudyAnswer {
  /** As it was asked, trimmed. */
  readonly query: string;
  readonly hits: readonly StudyHit[];
}

interface Comparison {
  readonly industry: string | null;
  readonly companies: readonly ComparedCompany[];
}

export interface CaseStudyService extends StudyReviewService {
  /** Newest first. @throws Failure `cursor.invalid` */
  listStudies(filter: StudyFilter, page?: PageOptions): Promise<StudyPage>;
  /** @throws Failure `study.not_found` */
  getStudy(id: string): Promise<CaseStudy>;
  /**
   * One answer for each question, in order; they are embedded together.
   *
   * @throws Failure `query.invalid`, all or none; its pointers are into `questions`: `/3/query`
   */
  searchStudies(questions: readonly StudyQuestion[], signal?: AbortSignal): Promise<readonly StudyAnswer[]>;
  findCompanies(filter: { q?: string; industry?: string }, page?: PageOptions): Promise<CompanyPage>;
  /** With its newest case studies, a hundred at most. @throws Failure `company.not_found` */
  getCompany(slug: string): Promise<Company & { readonly case_studies: readonly CaseStudy[] }>;
  /** @throws Failure `company.not_found` */
  analyseCompany(slug: string): Promise<CompanyAnalysis>;
  /** @throws Failure `company.not_found` */
  companyTimeline(slug: string): Promise<CompanyTimeline>;
  /** In the order of the slugs, 1–5 distinct ones. @throws Failure `company.not_found` with what is unknown */
  compareCompanies(
    slugs: readonly string[],
    options?: { industry?: string; limitPerCompany?: number },
  ): Promise<Comparison>;
  /** Keeps the good records of a file and names the bad ones; then brings them into the index. */
  importStudies(
    file: StudyFile,
    options?: { onProgress?: (done: ImportSummary) => void; signal?: AbortSignal },
  ): Promise<ImportSummary>;
  /** Every case study as text, as it is taken. */
  exportStudies(format: "jsonl" | "csv"): AsyncGenerator<string>;
  /** Brings what waits into the index. Answers how many. */
  indexStudies(options?: IndexWork): Promise<number>;
  /** Builds the index anew from the store while searches go on with the old one. */
  reindex(options?: IndexWork): Promise<number>;
  /** What waits for the index, and whether its upkeep fails. */
  indexState(): Promise<IndexState>;
  /** From now on keeps the index up to date by itself, as a service does. Stop it before the application is closed. */
  startUpkeep(): ServiceIndexWorker;
}

interface ServiceIndexWorker extends IndexWorker {
  /**
   * Another process keeps up the same data directory. Each piece of background work is done by one of them: whichever
   * has its lease, or for the index the lock of its writer.
   */
  readonly isShared: boolean;
}

interface StudyFile {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface IndexState extends IndexerState {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

interface StudyParts {
  readonly store: Pick<Store, "caseStudies" | "companies" | "corrections" | "outbox">;
  readonly indexer: Indexer;
  /** Lends what answers searches. Opened when first needed: a user who never searches pays nothing for it. */
  readonly lend: StudySearchParts["lend"];
  readonly industries: Industries;
  readonly tools: ParseContext;
  readonly onError: (what: string, error: unknown) => void;
  readonly ranking?: Ranking;
}

/** How a service keeps the index: other processes import into the same directory: the service finds out by looking. */
export const UPKEEP = { everyMs: 5_000, optimiseEveryMs: 600_000 } as const;

const PAGE = 20;
const RESULTS = 5;
const MOST_OF_A_COMPANY = 100;
const MOST_QUERY = 1_000;

export function createCaseStudyService(parts: StudyParts): CaseStudyService {
  const { store, industries, indexer } = parts;
  const search = createStudySearch({
    store,
    lend: parts.lend,
    ...(parts.ranking ? { ranking: parts.ranking } : {}),
  });

  /** What a filter's industry stands for: slugs of the taxonomy, or the word itself, which then is compared raw. */
  const industriesOf = (raw: string): readonly Industry[] =>
    industries.slugsFor(raw)?.map((slug) => ({ raw, slug })) ?? [{ raw, slug: null }];
  const resolved = ({ industry, ...filter }: StudyFilter): ResolvedFilter =>
    industry === undefined ? filter : { ...filter, industries: industriesOf(industry) };
  const passageFilter = ({ company, industry }: StudyFilter = {}): PassageFilter => ({
    ...(company === undefined ? {} : { company: company.toLowerCase() }),
    ...(industry === undefined ? {} : { industries: namesOf(industry) }),
  });
  /** As the index files them; "retail and fashion" stands for both. */
  const namesOf = (text: string) => {
    const slugs = industries.slugsFor(text);
    const names = slugs ? slugs.map((slug) => industries.nameBySlug.get(slug) ?? slug) : [text.trim()];
    return names.map((name) => name.toLowerCase());
  };

  return {
    ...createStudyReview(store, industriesOf),

    async listStudies(filter, { limit = PAGE, cursor } = {}) {
      const page = await store.caseStudies.list(resolved(filter), {
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      return { case_studies: page.studies, total: page.total, next_cursor: page.next_cursor };
    },

    async getStudy(id) {
      const study = await store.caseStudies.find(id);
      if (!study) throw new Failure("study.not_found", "No case study has this id; search or list to find one.");
      return study;
    },

    async searchStudies(questions, signal) {
      const asked = questions.map(({ query }) => query.trim());
      const problems = asked.flatMap((query, at) =>
        query.length >= 1 && query.length <= MOST_QUERY
          ? []
          : [{ pointer: `/${at}/query`, detail: "Give 1 to 1,000 characters." }],
      );
      if (problems.length > 0) throw new Failure("query.invalid", "A query has 1 to 1,000 characters.", { problems });
      const hits = await search(
        questions.map(({ limit = RESULTS, mode = "hybrid", filter }, at) => ({
          query: asked[at] ?? "",
          limit,
          mode,
          filter: passageFilter(filter),
        })),
        signal,
      );
      return asked.map((query, at) => ({ query, hits: hits[at] ?? [] }));
    },

    findCompanies: ({ q, industry }, { limit = PAGE, cursor } = {}) =>
      store.companies.search({
        limit,
        ...(q === undefined ? {} : { q }),
        ...(industry === undefined ? {} : { industries: industriesOf(industry) }),
        ...(cursor === undefined ? {} : { cursor }),
      }),

    async getCompany(slug) {
      const company = await store.companies.find(slug);
      if (!company) {
        throw new Failure("company.not_found", "No company has this slug; search the companies to find it.", {
          unknown: [slug],
        });
      }
      const { studies } = await store.caseStudies.list({ company: company.slug }, { limit: MOST_OF_A_COMPANY });
      return { ...company, case_studies: studies };
    },

    analyseCompany: (slug) => store.companies.analysis(slug),
    companyTimeline: (slug) => store.companies.timeline(slug),

    async compareCompanies(slugs, { industry, limitPerCompany = RESULTS } = {}) {
      const companies = await store.companies.compare(slugs, {
        limitPerCompany,
        ...(industry === undefined ? {} : { industries: industriesOf(industry) }),
      });
      return { industry: industry ?? null, companies };
    },

    importStudies: ({ name, content }, { onProgress, signal } = {}) =>
      importStudies({
        records: readFileRecords(content, name),
        parse: (raw, onIgnored) => asTheUsers(parseRecord(raw, parts.tools, onIgnored)),
        save: async (batch) =>
          await store.caseStudies.save(await applyCorrections(store.corrections, parts.tools, batch)),
        ...(onProgress ? { onProgress } : {}),
        ...(signal ? { signal } : {}),
      }),

    exportStudies: (format) => exportStudies({ page: pagesOf(store), format }),

    async indexStudies(options) {
      const done = await indexer.drain(options);
      if (done >= MANY_CHANGES) await indexer.optimise();
      return done;
    },

    reindex: (options) => indexer.rebuild(options),

    startUpkeep: () => ({ ...startIndexWorker(indexer, { ...UPKEEP, onError: parts.onError }), isShared: false }),

    async indexState() {
      const [waiting, oldestSeconds] = await Promise.all([store.outbox.depth(), store.outbox.oldestSeconds()]);
      return { ...indexer.state(), waiting, oldestSeconds };
    },
  };
}

/** What a file brings is its user's, also where an export tells of what came with the program: no upgrade changes it. */
const asTheUsers = (read: ReturnType<typeof parseRecord>): ReturnType<typeof parseRecord> =>
  isProblems(read) || read.origin !== "starter" ? read : { ...read, origin: "imported" };

/** The store tells case studies in the order in which they came; an export asks for one page after the other. */
function pagesOf({
  caseStudies,
  companies,
}: StudyParts["store"]): (after: string | null, size: number) => Promise<ExportedStudy[]> {
  const batches = caseStudies.each();
  const known = new Map<string, Promise<Company | undefined>>();
  const companyOf = (slug: string) => {
    const found = known.get(slug) ?? companies.find(slug);
    known.set(slug, found);
    return found;
  };
  return async () => {
    const { value, done } = await batches.next();
    if (done || !value) return [];
    return Promise.all(
      value.map(async ({ study, origin, licence, body, industry_raw }) => {
        const company = await companyOf(study.company.slug);
        return {
          ...study,
          company: {
            ...study.company,
            domain: company?.domain ?? null,
            industry: company?.industry ?? null,
            logo_url: company?.logo_url ?? null,
          },
          origin,
          licence,
          body,
          industry_raw,
        };
      }),
    );
  };
}
