import type { Kysely, Transaction } from "kysely";
import { inChunks } from "../../db/cursor.ts";
import type { Tables } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { urlKey } from "../keys.ts";
import { type CaseStudy, completeOutcome, type Provenance } from "../types.ts";

export interface StudyVersion {
  readonly revision: number;
  readonly replaced_at: string;
  readonly study: CaseStudy;
}

/** Operator corrections, field provenance and former versions of case studies. */
export interface CorrectionRepository {
  /** Corrected values by field name. They override later crawls until they are removed. */
  of(caseStudyId: string): Promise<Readonly<Record<string, unknown>>>;
  /** Corrected values by the given address; addresses without corrections are absent. */
  at(urls: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>;
  save(caseStudyId: string, values: Readonly<Record<string, unknown>>, transaction: Transaction<Tables>): Promise<void>;
  /** Removing a correction that does not exist is a no-op. */
  remove(caseStudyId: string, field: string, transaction: Transaction<Tables>): Promise<void>;
  /**
   * The version before the first correction of this field; undefined when the field was not corrected, or when the
   * correction changed nothing.
   */
  before(caseStudyId: string, field: string): Promise<CaseStudy | undefined>;
  provenanceOf(caseStudyId: string): Promise<readonly Provenance[]>;
  /** Replaces the stored provenance. */
  saveProvenance(caseStudyId: string, provenance: readonly Provenance[]): Promise<void>;
  /** Newest first. */
  versionsOf(caseStudyId: string): Promise<readonly StudyVersion[]>;
}

export function createCorrectionRepository(queries: Kysely<Tables>, clock: () => Date): CorrectionRepository {
  return {
    async of(caseStudyId) {
      const rows = await queries
        .selectFrom("corrections")
        .select(["field", "value"])
        .where("case_study_id", "=", caseStudyId)
        .orderBy("field")
        .execute();
      return Object.fromEntries(rows.map(({ field, value }) => [field, JSON.parse(value)]));
    },

    async at(urls) {
      const rows = await inChunks(urls.map(urlKey), (chunk) =>
        queries
          .selectFrom("corrections")
          .innerJoin("case_studies", "case_studies.id", "corrections.case_study_id")
          .select(["case_studies.url_key", "corrections.field", "corrections.value"])
          .where("case_studies.url_key", "in", chunk)
          .execute(),
      );
      const found = Map.groupBy(rows, ({ url_key }) => url_key);
      return new Map(
        urls.flatMap((url) => {
          const fields = found.get(urlKey(url));
          return fields
            ? [[url, Object.fromEntries(fields.map(({ field, value }) => [field, JSON.parse(value)]))]]
            : [];
        }),
      );
    },

    async save(caseStudyId, values, transaction) {
      for (const [field, value] of Object.entries(values)) {
        const changed = { value: JSON.stringify(value) };
        await transaction
          .insertInto("corrections")
          .values({ case_study_id: caseStudyId, field, ...changed, corrected_at: clock().toISOString() })
          // `corrected_at` keeps the time of the first correction: versions replaced since then may contain corrections.
          .onConflict((conflict) => conflict.columns(["case_study_id", "field"]).doUpdateSet(changed))
          .execute();
      }
    },

    async remove(caseStudyId, field, transaction) {
      await transaction
        .deleteFrom("corrections")
        .where("case_study_id", "=", caseStudyId)
        .where("field", "=", field)
        .execute();
    },

    async before(caseStudyId, field) {
      const row = await queries
        .selectFrom("study_versions")
        .innerJoin("corrections", "corrections.case_study_id", "study_versions.case_study_id")
        .select("study_versions.content")
        .where("study_versions.case_study_id", "=", caseStudyId)
        .where("corrections.field", "=", field)
        .whereRef("study_versions.replaced_at", ">=", "corrections.corrected_at")
        .orderBy("study_versions.revision")
        .limit(1)
        .executeTakeFirst();
      return row && storedRecord(row.content);
    },

    provenanceOf: (caseStudyId) =>
      queries
        .selectFrom("provenance")
        .select(["pointer", "engine", "sentence", "confidence"])
        .where("case_study_id", "=", caseStudyId)
        .orderBy("pointer")
        .execute(),

    saveProvenance: (caseStudyId, provenance) =>
      inTransaction(queries, `provenance ${caseStudyId}`, async (transaction) => {
        await transaction.deleteFrom("provenance").where("case_study_id", "=", caseStudyId).execute();
        if (provenance.length === 0) return;
        await transaction
          .insertInto("provenance")
          .values(provenance.map((one) => ({ case_study_id: caseStudyId, ...one })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }),

    async versionsOf(caseStudyId) {
      const rows = await queries
        .selectFrom("study_versions")
        .select(["revision", "replaced_at", "content"])
        .where("case_study_id", "=", caseStudyId)
        .orderBy("revision", "desc")
        .execute();
      return rows.map(({ revision, replaced_at, content }) => ({
        revision,
        replaced_at,
        study: storedRecord(content),
      }));
    },
  };
}

/** A replaced version, which an earlier release may have stored with fewer fields. */
function storedRecord(content: string): CaseStudy {
  const study = JSON.parse(content);
  return { ...study, outcomes: study.outcomes.map(completeOutcome) };
}
