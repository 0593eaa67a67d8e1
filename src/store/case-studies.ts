import type { Kysely } from "kysely";
import type { CaseStudy, NewCaseStudy, Origin } from "../vocabulary/case-study.ts";
import { cursorOf, placeIn } from "./studies/cursor.ts";
import { matching, type ResolvedFilter } from "./studies/filter.ts";
import { inChunks } from "./studies/in-chunks.ts";
import { type CountedIndustry, countIndustries } from "./studies/industries.ts";
import { type IndustryNames, recordsByNumber, recordsOf } from "./studies/records.ts";
import { removeStudies } from "./studies/remove.ts";
import { listForReview, type ReviewFilter, type ReviewOptions, type ReviewPage } from "./studies/reviewed.ts";
import { samplePassageIds } from "./studies/sample.ts";
import { isAt, type SaveOptions, type SaveResult, saveStudies } from "./studies/save.ts";
import type { Tables } from "./tables.ts";

export type { ResolvedFilter } from "./studies/filter.ts";
export type { CountedIndustry } from "./studies/industries.ts";
export type { IndustryNames } from "./studies/records.ts";
export type { SaveOptions, SaveResult } from "./studies/save.ts";

export interface PageOptions {
  readonly limit: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

export interface StudyPage {
  readonly studies: readonly CaseStudy[];
  /** All that match, on every page. */
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface StoredPassage {
  /** Never used twice, not even when the passage is gone. */
  readonly id: number;
  readonly case_study_id: string;
  /** From 0, within its case study. */
  readonly position: number;
  readonly heading: string | null;
  readonly text: string;
  /** Of its case study. */
  readonly title: string;
  readonly client: string | null;
  /** The source's own word. */
  readonly industry: string | null;
  readonly summary: string | null;
}

/** A case study with what only the index needs. */
export interface ExportedStudy {
  /** Where to go on after it. */
  readonly number: number;
  readonly study: CaseStudy;
  readonly revision: number;
  readonly origin: Origin;
  readonly licence: string | null;
  readonly body: string | null;
  /** The industry as the source wrote it. */
  readonly industry_raw: string | null;
}

/** Case studies. Whatever changes one notes it in the outbox in the same transaction. */
export interface CaseStudies {
  /**
   * Saves a batch, all or nothing, and answers for each in order. The same address, however written, is the same case
   * study: it is updated when anything of it differs. A new one whose text is nearly that of another of the same
   * company and client is a duplicate and is not stored. An id that another address has gets a suffix. The company and
   * the client are made when they are missing; what is known of a company stays, and what is not is filled in.
   *
   * Blocks other writers while it runs: give some hundred at once.
   *
   * @throws RangeError when a fingerprint is not 16 hex digits
   */
  save(batch: readonly NewCaseStudy[], options?: SaveOptions): Promise<readonly SaveResult[]>;
  find(id: string): Promise<CaseStudy | undefined>;
  /** With what only the index needs. */
  detail(id: string): Promise<ExportedStudy | undefined>;
  /** In the order of the ids, without those that do not exist. */
  byIds(ids: readonly string[]): Promise<readonly CaseStudy[]>;
  /**
   * Newest first, undated last.
   *
   * @throws Failure `cursor.invalid`
   */
  list(filter: ResolvedFilter, page: PageOptions): Promise<StudyPage>;
  /** As a reviewer chooses among them. @throws Failure `cursor.invalid` */
  listForReview(filter: ReviewFilter, options: ReviewOptions): Promise<ReviewPage>;
  count(filter?: ResolvedFilter): Promise<number>;
  /** Those of most case studies first. */
  industries(): Promise<readonly CountedIndustry[]>;
  /** All that match, in no order. */
  ids(filter: ResolvedFilter): Promise<readonly string[]>;
  /** The passages of all that match, ascending. */
  passageIds(filter: ResolvedFilter): Promise<readonly number[]>;
  /** By case study and position; a case study that does not exist has none. */
  passagesOf(ids: readonly string[]): Promise<readonly StoredPassage[]>;
  /** In the order of the ids, without those that do not exist. */
  passages(ids: readonly number[]): Promise<readonly StoredPassage[]>;
  /** The id of the newest passage; 0 without any. */
  newestPassage(): Promise<number>;
  /** About `most` passages, evenly spread over all, the same ones as long as nothing is added. */
  sample(most: number): Promise<readonly StoredPassage[]>;
  /** All, in the order in which they came, `size` at a time; others may write between two batches. */
  each(after?: number, size?: number): AsyncGenerator<readonly ExportedStudy[], void, void>;
  /** Removes case studies, and companies and clients that none is left of. Answers how many there were. */
  remove(ids: readonly string[]): Promise<number>;
  /** Says that `model` has embedded these revisions; one that was changed meanwhile stays unindexed. */
  markIndexed(revisions: readonly { readonly id: string; readonly revision: number }[], model: string): Promise<void>;
}

const LIST = "case studies";

export function caseStudiesIn(queries: Kysely<Tables>, names: IndustryNames, clock: () => Date): CaseStudies {
  const byIds = async (ids: readonly string[]) => {
    const rows = await inChunks(ids, (chunk) =>
      queries.selectFrom("case_studies").select(["id", "number"]).where("id", "in", chunk).execute(),
    );
    const numbers = new Map(rows.map(({ id, number }) => [id, number]));
    return await recordsOf(
      queries,
      ids.flatMap((id) => numbers.get(id) ?? []),
      names,
    );
  };

  const count = async (filter: ResolvedFilter = {}) => {
    const { total } = await queries
      .selectFrom("case_studies")
      .where(matching(filter))
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return total;
  };

  const storedPassages = queries
    .selectFrom("passages")
    .innerJoin("case_studies", "case_studies.number", "passages.study_number")
    .leftJoin("clients", "clients.id", "case_studies.client_id")
    .select([
      "passages.id",
      "case_studies.id as case_study_id",
      "passages.position",
      "passages.heading",
      "passages.text",
      "case_studies.title",
      "clients.name as client",
      "case_studies.industry_raw as industry",
      "case_studies.summary",
    ]);

  const passages = async (ids: readonly number[]) => {
    const rows = await inChunks(ids, (chunk) => storedPassages.where("passages.id", "in", chunk).execute());
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };

  return {
    byIds,
    count,

    save: (batch, { keepVersions = false, over, also } = {}) =>
      queries.transaction().execute(async (transaction) => {
        if (over && !(await isAt(transaction, over))) return [];
        await also?.(transaction);
        return await saveStudies(transaction, batch, { names, keepVersions, now: clock().toISOString() });
      }),

    async find(id) {
      return (await byIds([id]))[0];
    },

    async detail(id) {
      const row = await queries
        .selectFrom("case_studies")
        .select(["number", "revision", "origin", "licence", "body", "industry_raw"])
        .where("id", "=", id)
        .executeTakeFirst();
      const study = row && (await byIds([id]))[0];
      return study && { ...row, study };
    },

    async list(filter, { limit, cursor }) {
      let page = queries
        .selectFrom("case_studies")
        .select(["number", "published_order", "id"])
        .where(matching(filter))
        .orderBy("published_order", "desc")
        .orderBy("id")
        .limit(limit + 1);
      if (cursor !== undefined) {
        const [day, id] = placeIn(LIST, ["string", "string"], cursor);
        // The first half lets the index be entered at the day.
        page = page
          .where("published_order", "<=", day)
          .where((eb) => eb.or([eb("published_order", "<", day), eb("id", ">", id)]));
      }
      const rows = await page.execute();
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        studies: await recordsOf(
          queries,
          shown.map(({ number }) => number),
          names,
        ),
        total: await count(filter),
        next_cursor: rows.length > limit && last ? cursorOf(LIST, [last.published_order, last.id]) : null,
      };
    },

    listForReview: (filter, options) => listForReview(queries, names, filter, options),
    industries: () => countIndustries(queries, names),

    async ids(filter) {
      const rows = await queries.selectFrom("case_studies").select("id").where(matching(filter)).execute();
      return rows.map(({ id }) => id);
    },

    async passageIds(filter) {
      const rows = await queries
        .selectFrom("passages")
        .select("id")
        .where("study_number", "in", (eb) => eb.selectFrom("case_studies").select("number").where(matching(filter)))
        .execute();
      return rows.map(({ id }) => id).sort((a, b) => a - b);
    },

    passagesOf: (ids) =>
      inChunks([...new Set(ids)], (chunk) =>
        storedPassages
          .where("case_studies.id", "in", chunk)
          .orderBy("case_studies.number")
          .orderBy("passages.position")
          .execute(),
      ),

    passages,

    async newestPassage() {
      const newest = await queries
        .selectFrom("passages")
        .select("id")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      return newest?.id ?? 0;
    },

    sample: async (most) => await passages(await samplePassageIds(queries, most)),

    async *each(after = 0, size = 200) {
      let last = after;
      for (;;) {
        const rows = await queries
          .selectFrom("case_studies")
          .select(["number", "revision", "origin", "licence", "body", "industry_raw"])
          .where("number", ">", last)
          .orderBy("number")
          .limit(size)
          .execute();
        if (rows.length === 0) return;
        last = rows.at(-1)?.number ?? last;
        const records = await recordsByNumber(
          queries,
          rows.map(({ number }) => number),
          names,
        );
        // One that was removed between the two queries is left out.
        yield rows.flatMap((row) => {
          const study = records.get(row.number);
          return study ? [{ ...row, study }] : [];
        });
      }
    },

    remove: (ids) =>
      queries.transaction().execute((transaction) => removeStudies(transaction, ids, clock().toISOString())),

    markIndexed: (revisions, model) =>
      queries.transaction().execute(async (transaction) => {
        const now = clock().toISOString();
        for (const { id, revision } of revisions) {
          const row = await transaction
            .updateTable("case_studies")
            // An index that is made anew, as after a restore, finds nothing that was not found before.
            .set((eb) => ({ indexed_at: eb.fn.coalesce("indexed_at", eb.val(now)) }))
            .where("id", "=", id)
            .where("revision", "=", revision)
            .returning("number")
            .executeTakeFirst();
          if (!row) continue;
          const embedding = { model, revision, embedded_at: now };
          await transaction
            .insertInto("embeddings")
            .values({ study_number: row.number, ...embedding })
            .onConflict((conflict) => conflict.columns(["study_number", "model"]).doUpdateSet(embedding))
            .execute();
        }
      }),
  };
}
