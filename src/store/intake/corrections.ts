import type { Kysely } from "kysely";
import type { CaseStudy } from "../../vocabulary/case-study.ts";
import type { Provenance } from "../../vocabulary/structured-study.ts";
import type { Tables } from "../tables.ts";

export interface StudyVersion {
  readonly revision: number;
  readonly replaced_at: string;
  readonly study: CaseStudy;
}

/** What an operator corrected, why each field says what it says, and what a case study said before. */
export interface Corrections {
  /** Values by field name. They hold until they are taken back, whatever a later crawl reads. */
  of(caseStudyId: string): Promise<Readonly<Record<string, unknown>>>;
  keep(caseStudyId: string, values: Readonly<Record<string, unknown>>): Promise<void>;
  takeBack(caseStudyId: string, field: string): Promise<boolean>;
  provenanceOf(caseStudyId: string): Promise<readonly Provenance[]>;
  /** In place of what was kept before. */
  keepProvenance(caseStudyId: string, provenance: readonly Provenance[]): Promise<void>;
  /** Newest first. */
  versionsOf(caseStudyId: string): Promise<readonly StudyVersion[]>;
}

export function correctionsIn(queries: Kysely<Tables>, clock: () => Date): Corrections {
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

    keep: (caseStudyId, values) =>
      queries.transaction().execute(async (transaction) => {
        for (const [field, value] of Object.entries(values)) {
          const told = { value: JSON.stringify(value), corrected_at: clock().toISOString() };
          await transaction
            .insertInto("corrections")
            .values({ case_study_id: caseStudyId, field, ...told })
            .onConflict((conflict) => conflict.columns(["case_study_id", "field"]).doUpdateSet(told))
            .execute();
        }
      }),

    async takeBack(caseStudyId, field) {
      const { numDeletedRows } = await queries
        .deleteFrom("corrections")
        .where("case_study_id", "=", caseStudyId)
        .where("field", "=", field)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    provenanceOf: (caseStudyId) =>
      queries
        .selectFrom("provenance")
        .select(["pointer", "engine", "sentence", "confidence"])
        .where("case_study_id", "=", caseStudyId)
        .orderBy("pointer")
        .execute(),

    keepProvenance: (caseStudyId, provenance) =>
      queries.transaction().execute(async (transaction) => {
        await transaction.deleteFrom("provenance").where("case_study_id", "=", caseStudyId).execute();
        if (provenance.length === 0) return;
        await transaction
          .insertInto("provenance")
          .values(provenance.map((told) => ({ case_study_id: caseStudyId, ...told })))
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
      return rows.map(({ revision, replaced_at, content }) => ({ revision, replaced_at, study: JSON.parse(content) }));
    },
  };
}
