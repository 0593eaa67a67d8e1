import { Failure } from "../core/errors.ts";
import { quoted } from "../core/text.ts";
import { decodeCursor, encodeCursor, type Page } from "../db/cursor.ts";
import { readFileRecords } from "../tabular/read-records.ts";
import { answerOf, MAX_CITATIONS, type StudyAnswer } from "./answer/answer.ts";
import { composeAnswer } from "./answer/compose-answer.ts";
import type { Claim, ClaimedStudy, ClaimReader, ClaimStatus } from "./claims.ts";
import type { CompanyRepository } from "./companies/repository.ts";
import { type CountedFacets, createFacetCounter } from "./facet-counts.ts";
import { createFilters } from "./filters.ts";
import { type ExportedStudy, exportStudies } from "./import/export-file.ts";
import { type ImportSummary, importStudies } from "./import/import-file.ts";
import { mergeWithStored } from "./import/merge.ts";
import type { PassageFilter } from "./index/passage-memory.ts";
import type { CrawledPage, PageRepository } from "./intake/repository.ts";
import { isProblems, type ParseContext, parseRecord } from "./record.ts";
import type { CaseStudyRepository, CountedIndustry, ResolvedFilter, ReviewedStudy } from "./repository.ts";
import {
  applyCorrections,
  correct,
  type StudyCorrections,
  studyNotFound,
  takeBackCorrection,
  withCorrections,
} from "./review/corrections.ts";
import type { CorrectionRepository, StudyVersion } from "./review/repository.ts";
import type { Search } from "./search/search.ts";
import type { AskModel } from "./structure/language-model/model-client.ts";
import type {
  CaseStudy,
  Company,
  ListFilter,
  PageOptions,
  Provenance,
  ReviewOrder,
  SearchMode,
  StudyFilter,
  StudyResults,
} from "./types.ts";

export interface StudyPage extends Page {
  readonly case_studies: readonly CaseStudy[];
}

type SearchFilter = Pick<StudyFilter, "company" | "industry" | "country" | "tool">;

export interface StudyQuery {
  /** 1–1,000 characters after trimming. */
  readonly query: string;
  /** 1–50, by default 5. */
  readonly limit?: number | undefined;
  /** By default hybrid. */
  readonly mode?: SearchMode | undefined;
  readonly filter?: SearchFilter;
  /** Of the best 50 results, those whose claim has this status. */
  readonly claim?: ClaimStatus | undefined;
}

export interface StudyQuestion extends Omit<StudyQuery, "mode" | "claim"> {
  /** Whether a configured language model composes an answer from the passages; by default it does. */
  readonly compose?: boolean | undefined;
}

interface ReviewFilter {
  /** Company slug. */
  readonly company?: string | undefined;
  /** Name, slug or synonym of an industry, any case. */
  readonly industry?: string | undefined;
  /** Whether the operator corrected a field. */
  readonly corrected?: boolean | undefined;
  /** By default `least-sure`. */
  readonly order?: ReviewOrder | undefined;
}

interface ReviewPage extends Page {
  readonly case_studies: readonly ReviewedStudy[];
}

/** A case study with provenance, corrections, former versions and the page it was extracted from. */
export interface StudyDetail {
  readonly study: CaseStudy;
  readonly origin: string;
  /** The text from which the fields were extracted. */
  readonly body: string | null;
  readonly provenance: readonly Provenance[];
  readonly corrections: Readonly<Record<string, unknown>>;
  readonly versions: readonly StudyVersion[];
  /** The crawled page; null for case studies that were not crawled. */
  readonly page: CrawledPage | null;
}

interface StudyFile {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface CaseStudyService {
  /** Newest first. @throws Failure `cursor.invalid`, `company.not_found`, `industry.not_found`, `query.invalid` */
  list(filter: ListFilter, page?: PageOptions): Promise<StudyPage>;
  /** What the stored scans of each client say, by the id of the case study. Starts no scan. */
  claimsOf(studies: readonly ClaimedStudy[]): Promise<ReadonlyMap<string, Claim>>;
  /** @throws Failure `study.not_found` */
  get(id: string): Promise<CaseStudy>;
  /**
   * Returns one result set for each query, in order; the queries are embedded together.
   *
   * @throws Failure `query.invalid` for the texts of all queries at once or for an unknown country, `company.not_found` or
   *   `industry.not_found`, with pointers into `queries`: `/3/query`
   */
  search(queries: readonly StudyQuery[], signal?: AbortSignal): Promise<readonly StudyResults[]>;
  /** The passages that answer a question, grouped by what they claim. @throws Failure as `search` does */
  answer(question: StudyQuestion, signal?: AbortSignal): Promise<StudyAnswer>;
  /** Industries that have case studies, most case studies first. */
  listIndustries(): Promise<readonly CountedIndustry[]>;
  /**
   * Values to filter a list by, with their numbers; kept for a minute, or until a case study changes.
   *
   * @throws Failure as `list` does
   */
  facets(filter: ListFilter, options?: { readonly claims?: boolean }): Promise<CountedFacets>;
  /**
   * Imports the valid records of a file and reports the invalid ones. Index them with `IndexService.indexNow`.
   *
   * A stored case study of the same address keeps the fields that the file lacks or leaves empty, unless `replace` is set.
   */
  importFile(
    file: StudyFile,
    options?: { replace?: boolean; onProgress?: (done: ImportSummary) => void; signal?: AbortSignal },
  ): Promise<ImportSummary>;
  /** Every case study as text that can be imported. */
  exportAll(format: "jsonl" | "csv", onProgress?: (count: number) => void): AsyncGenerator<string>;
  /** Case studies to review. @throws Failure `cursor.invalid` */
  review(filter: ReviewFilter, page?: PageOptions): Promise<ReviewPage>;
  /** @throws Failure `study.not_found` */
  getDetail(id: string): Promise<StudyDetail>;
  /** Corrections override later crawls. @throws Failure `study.not_found`, `correction.invalid` */
  correct(id: string, values: StudyCorrections): Promise<StudyDetail>;
  /** Restores a field's former value. @throws Failure `study.not_found`, `correction.not_found` */
  takeBackCorrection(id: string, field: string): Promise<StudyDetail>;
  /** Removes a case study; the page it was extracted from is not indexed again. @throws Failure `study.not_found` */
  remove(id: string): Promise<void>;
}

export interface CaseStudyServiceOptions {
  readonly caseStudies: CaseStudyRepository;
  readonly companies: Pick<CompanyRepository, "find" | "search">;
  readonly corrections: CorrectionRepository;
  readonly pages: Pick<PageRepository, "list" | "markStructured">;
  readonly search: Search;
  readonly claims: ClaimReader;
  /** Number of case studies that wait for the search index. */
  readonly pending: () => Promise<number>;
  /** Runs before each search. */
  readonly beforeSearch?: (signal: AbortSignal | undefined) => Promise<void>;
  readonly parseContext: ParseContext;
  /** Composes answers; null without a language model. */
  readonly ask: AskModel | null;
  /** Receives one sentence for each problem of a composed answer. */
  readonly onNote: (note: string) => void;
  /** Called after case studies were queued for the index. */
  readonly onChange: () => void;
}

const PAGE = 20;
const RESULTS = 5;
/** Results of a search at most. */
const MAX_RESULTS = 50;
const MAX_QUERY = 1_000;

export function createCaseStudyService(options: CaseStudyServiceOptions): CaseStudyService {
  const { caseStudies, companies, corrections, pages, search, beforeSearch, parseContext, onChange } = options;
  const { industries } = parseContext;

  const countFacets = createFacetCounter(options);
  const { resolve } = createFilters({ companies, caseStudies, industries, parseCountry: parseContext.parseCountry });
  /** @throws Failure as `resolve` does */
  const passageFilter = async (filter: SearchFilter, pointer: string): Promise<PassageFilter> => {
    const { company, country, among } = await resolve(filter, pointer);
    return {
      company: company?.toLowerCase(),
      industries: filter.industry === undefined ? undefined : indexedIndustryNames(filter.industry),
      country,
      studies: among && (await caseStudies.idsOf(among)),
    };
  };
  /** The index holds display names in lower case; a text such as "retail and fashion" names several. */
  const indexedIndustryNames = (text: string) => {
    const slugs = industries.slugsFor(text);
    const names = slugs ? slugs.map((slug) => industries.nameBySlug.get(slug) ?? slug) : [text.trim()];
    return names.map((name) => name.toLowerCase());
  };

  const getDetail = async (id: string): Promise<StudyDetail> => {
    const stored = await caseStudies.detail(id);
    if (!stored) throw studyNotFound(id);
    const { study, origin, body } = stored;
    const corrected = await corrections.of(study.id);
    return {
      study,
      origin,
      body,
      provenance: withCorrections(await corrections.provenanceOf(study.id), Object.keys(corrected)),
      corrections: corrected,
      versions: await corrections.versionsOf(study.id),
      page: (await pages.list({ caseStudyId: study.id }))[0] ?? null,
    };
  };

  const searchAll = async (
    queries: readonly StudyQuery[],
    signal: AbortSignal | undefined,
  ): Promise<readonly StudyResults[]> => {
    await beforeSearch?.(signal);
    const trimmed = queries.map(({ query }) => query.trim());
    const problems = trimmed.flatMap((query, at) =>
      query.length >= 1 && query.length <= MAX_QUERY
        ? []
        : [{ pointer: `/${at}/query`, detail: `Invalid query ${quoted(query)}: give 1 to 1,000 characters.` }],
    );
    if (problems.length > 0) throw new Failure("query.invalid", "A query has 1 to 1,000 characters.", { problems });
    const filters: PassageFilter[] = [];
    for (const [at, { filter = {} }] of queries.entries()) filters.push(await passageFilter(filter, `/${at}`));
    const answers = await search(
      queries.map(({ limit = RESULTS, mode = "hybrid", claim }, at) => ({
        query: trimmed[at] ?? "",
        // A claim is no column of the index.
        limit: claim === undefined ? limit : MAX_RESULTS,
        mode,
        filter: filters[at] ?? {},
      })),
      signal,
    );
    const pending = await options.pending();
    const results: StudyResults[] = [];
    for (const [at, { claim, limit = RESULTS }] of queries.entries()) {
      const { hits, ...answer } = answers[at] ?? { hits: [], noGoodMatch: false, degraded: null };
      const checked = claim === undefined ? undefined : await options.claims.of(hits.map(({ study }) => study));
      const shown = checked
        ? hits.filter(({ study }) => checked.get(study.id)?.status === claim).slice(0, limit)
        : hits;
      results.push({ query: trimmed[at] ?? "", ...answer, hits: shown, pending });
    }
    return results;
  };

  return {
    async list({ claim, ...filter }, { limit = PAGE, cursor } = {}) {
      if (claim !== undefined) return await listByClaim(options, await resolve(filter), claim, { limit, cursor });
      const { studies, ...page } = await caseStudies.list(await resolve(filter), { limit, cursor });
      return { case_studies: studies, ...page };
    },

    async get(id) {
      const study = await caseStudies.find(id);
      if (!study) throw studyNotFound(id);
      return study;
    },

    search: searchAll,

    async answer({ limit = MAX_CITATIONS, compose = true, ...question }, signal) {
      const [results = { query: question.query, hits: [], degraded: null, pending: 0 }] = await searchAll(
        [{ ...question, limit }],
        signal,
      );
      const { query, degraded, pending } = results;
      const answer = answerOf(results);
      const { ask, onNote } = options;
      const isComposed = compose && ask !== null && !answer.noAnswer;
      const composed = isComposed ? await composeAnswer({ ask, onNote }, query, answer.groups, signal) : null;
      return { query, ...answer, composed, degraded, pending };
    },

    claimsOf: (studies) => options.claims.of(studies),

    listIndustries: () => caseStudies.industries(),
    facets: async ({ claim, ...filter }, { claims = false } = {}) =>
      await countFacets(JSON.stringify(filter), (version) => resolve(filter, "", version), { claims, claim }),

    importFile: ({ name, content }, { replace = false, ...work } = {}) =>
      importStudies({
        records: readFileRecords(content, name),
        parse: (raw, onIgnored) => asUserRecord(parseRecord(raw, parseContext, onIgnored)),
        async save(batch) {
          const merged = await mergeWithStored(caseStudies, parseContext, batch, replace);
          const studies = await applyCorrections(
            corrections,
            parseContext,
            merged.map(({ study }) => study),
          );
          const results = await caseStudies.save(studies);
          return results.map((result, at) => ({ ...merged[at], ...result }));
        },
        ...work,
      }),

    exportAll: (format, onProgress) => exportStudies({ page: exportPages(caseStudies, companies), format, onProgress }),

    async review({ corrected, order = "least-sure", ...filter }, { limit = PAGE, cursor } = {}) {
      const { studies, ...page } = await caseStudies.listForReview(
        { ...(await resolve(filter)), corrected },
        { order, limit, cursor },
      );
      return { case_studies: studies, ...page };
    },

    getDetail,

    async correct(id, values) {
      await correct(options, id, values);
      onChange();
      return await getDetail(id);
    },

    async takeBackCorrection(id, field) {
      await takeBackCorrection(options, id, field);
      onChange();
      return await getDetail(id);
    },

    async remove(id) {
      const { study, page } = await getDetail(id);
      if (page) await pages.markStructured(page.url, { refused: "The operator removed the case study of this page." });
      await caseStudies.remove([study.id]);
      onChange();
    },
  };
}

const CLAIMS = "case studies by claim";

/** A claim is no column, so every match is checked before the page is cut. @throws Failure `cursor.invalid` */
async function listByClaim(
  { caseStudies, claims }: Pick<CaseStudyServiceOptions, "caseStudies" | "claims">,
  filter: ResolvedFilter,
  status: ClaimStatus,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<StudyPage> {
  const listed = await caseStudies.claimed(filter);
  const checked = await claims.of(listed);
  const matches = listed.filter(({ id }) => checked.get(id)?.status === status);
  const [date, after] = cursor === undefined ? [] : decodeCursor(CLAIMS, ["string", "string"], cursor);
  const rest =
    date === undefined || after === undefined
      ? matches
      : matches.filter(({ published_order, id }) => published_order < date || (published_order === date && id > after));
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  return {
    case_studies: await caseStudies.byIds(shown.map(({ id }) => id)),
    total: matches.length,
    next_cursor: last && rest.length > limit ? encodeCursor(CLAIMS, [last.published_order, last.id]) : null,
  };
}

/** Imported records belong to the user, even those exported with the origin `starter`: upgrades do not change them. */
const asUserRecord = (parsed: ReturnType<typeof parseRecord>): ReturnType<typeof parseRecord> =>
  isProblems(parsed) || parsed.origin !== "starter" ? parsed : { ...parsed, origin: "imported" };

/** Returns the next page of all case studies, with company details, at each call. */
function exportPages(
  caseStudies: CaseStudyRepository,
  companies: Pick<CompanyRepository, "find">,
): () => Promise<ExportedStudy[]> {
  const batches = caseStudies.each();
  const cached = new Map<string, Promise<Company | undefined>>();
  const companyOf = (slug: string) => {
    const company = cached.get(slug) ?? companies.find(slug);
    cached.set(slug, company);
    return company;
  };
  return async () => {
    const { value, done } = await batches.next();
    if (done || !value) return [];
    return await Promise.all(
      value.map(async ({ study, origin, licence, body, industry_raw }) => {
        const { domain = null, industry = null, logo_url = null } = (await companyOf(study.company.slug)) ?? {};
        return {
          ...study,
          company: { ...study.company, domain, industry, logo_url },
          origin,
          licence,
          body,
          industry_raw,
        };
      }),
    );
  };
}
