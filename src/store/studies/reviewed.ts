import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { CaseStudy, ReviewOrder } from "../../vocabulary/case-study.ts";
import type { Tables } from "../tables.ts";
import { cursorOf, placeIn } from "./cursor.ts";
import { matching, type ResolvedFilter } from "./filter.ts";
import { type IndustryNames, recordsOf } from "./records.ts";

export interface ReviewFilter extends Pick<ResolvedFilter, "company" | "industries"> {
  /** Whether the operator corrected a field of it. */
  readonly corrected?: boolean;
}

/** A case study as a reviewer chooses it. */
export interface ReviewedStudy {
  readonly study: CaseStudy;
  /** Of what an engine read and nobody corrected: where it was least sure, 0–1. Null when no engine read it. */
  readonly least_sure: { readonly pointer: string; readonly confidence: number } | null;
  /** Names of the fields that the operator corrected, by name. */
  readonly corrected: readonly string[];
}

export interface ReviewPage {
  readonly studies: readonly ReviewedStudy[];
  /** All that match, on every page. */
  readonly total: number;
  readonly next_cursor: string | null;
}

export interface ReviewOptions {
  readonly order: ReviewOrder;
  readonly limit: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** Beyond every confidence: what nobody judged comes last. */
const UNJUDGED = 2;

/** @throws Failure `cursor.invalid`, also for one of another order */
export async function listForReview(
  queries: Kysely<Tables>,
  names: IndustryNames,
  { corrected, ...filter }: ReviewFilter,
  { order, limit, cursor }: ReviewOptions,
): Promise<ReviewPage> {
  const list = `review ${order}`;
  const matched = queries
    .selectFrom("case_studies")
    .where(matching(filter))
    .$if(corrected !== undefined, (query) =>
      query.where(({ exists, not, selectFrom }) => {
        const corrections = exists(
          selectFrom("corrections").select("field").whereRef("corrections.case_study_id", "=", "case_studies.id"),
        );
        return corrected ? corrections : not(corrections);
      }),
    );
  const { total } = await matched.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();

  const ranked = queries.selectFrom(
    matched
      .select((eb) => [
        "case_studies.number",
        "case_studies.id",
        (order === "newest" ? eb.lit(0) : eb.fn.coalesce(leastConfidence(eb), eb.lit(UNJUDGED))).as("rank"),
      ])
      .as("ranked"),
  );
  let page = ranked
    .select(["number", "id", "rank"])
    .orderBy("rank")
    .orderBy("number", "desc")
    .limit(limit + 1);
  if (cursor !== undefined) {
    const [rank, number] = placeIn(list, ["number", "number"], cursor);
    page = page.where((eb) =>
      eb.or([eb("rank", ">", rank), eb.and([eb("rank", "=", rank), eb("number", "<", number)])]),
    );
  }
  const rows = await page.execute();
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    studies: await reviewed(queries, names, shown),
    total,
    next_cursor: rows.length > limit && last ? cursorOf(list, [last.rank, last.number]) : null,
  };
}

/** Of one case study, and of what nobody corrected. */
const leastConfidence = ({ selectFrom }: ExpressionBuilder<Tables, "case_studies">) =>
  selectFrom("provenance")
    .select((eb) => eb.fn.min<number | null>("confidence").as("confidence"))
    .whereRef("provenance.case_study_id", "=", "case_studies.id")
    .where("engine", "!=", "operator")
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("corrections")
            .select("field")
            .whereRef("corrections.case_study_id", "=", "provenance.case_study_id")
            // `/client/name` is of the field `client`.
            .where(sql<boolean>`instr(provenance.pointer || '/', '/' || corrections.field || '/') = 1`),
        ),
      ),
    );

async function reviewed(
  queries: Kysely<Tables>,
  names: IndustryNames,
  rows: readonly { readonly number: number; readonly id: string }[],
): Promise<ReviewedStudy[]> {
  const ids = rows.map(({ id }) => id);
  const numbers = rows.map(({ number }) => number);
  const studies = await recordsOf(queries, numbers, names);
  const corrections = await queries
    .selectFrom("corrections")
    .select(["case_study_id", "field"])
    .where("case_study_id", "in", ids)
    .orderBy("field")
    .execute();
  const provenance = await queries
    .selectFrom("provenance")
    .select(["case_study_id", "pointer", "confidence"])
    .where("case_study_id", "in", ids)
    .where("engine", "!=", "operator")
    .orderBy("confidence")
    .orderBy("pointer")
    .execute();
  return studies.map((study) => {
    const corrected = corrections.flatMap((row) => (row.case_study_id === study.id ? row.field : []));
    const least = provenance.find(
      ({ case_study_id, pointer }) => case_study_id === study.id && !corrected.includes(pointer.split("/")[1] ?? ""),
    );
    return {
      study,
      least_sure: least ? { pointer: least.pointer, confidence: least.confidence } : null,
      corrected,
    };
  });
}
