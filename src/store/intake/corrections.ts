import type { Kysely, Transaction } from "kysely";
import type { CaseStudy } from "../../vocabulary/case-study.ts";
import type { Provenance } from "../../vocabulary/structured-study.ts";
import { inChunks } from "../studies/in-chunks.ts";
import { urlKey } from "../studies/url-key.ts";
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
  /** The same of what is kept under addresses, by the address as it was given; of those that were not corrected, nothing. */
  at(urls: readonly string[]): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>>;
  keep(caseStudyId: string, values: Readonly<Record<string, unknown>>, transaction: Transaction<Tables>): Promise<void>;
  /** A correction that is not there is taken back too. */
  takeBack(caseStudyId: string, field: string, transaction: Transaction<Tables>): Promise<void>;
  /**
   * What the case study said before this field was corrected for the first time; undefined when it was not, or when the
   * correction changed nothing.
   */
  before(caseStudyId: string, field: string): Promise<CaseStudy | undefined>;
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

    async keep(caseStudyId, values, transaction) {
      for (const [field, value] of Object.entries(values)) {
        const told = { value: JSON.stringify(value) };
        await transaction
          .insertInto("corrections")
          .values({ case_study_id: caseStudyId, field, ...told, corrected_at: clock().toISOString() })
          // The time of the first one stays: it tells what was read from what was corrected before.
          .onConflict((conflict) => conflict.columns(["case_study_id", "field"]).doUpdateSet(told))
          .execute();
      }
    },

    async takeBack(caseStudyId, field, transaction) {
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
      return row && JSON.parse(row.content);
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
