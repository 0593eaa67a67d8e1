import type { InferResult, Kysely } from "kysely";
import { inChunks, queryByList } from "../db/cursor.ts";
import type { Tables } from "../db/schema.ts";
import type { CaseStudy, Outcome, Quote } from "./types.ts";

/** Display names of the taxonomy's industries by slug. An industry without a name is shown by its slug. */
export type IndustryNames = ReadonlyMap<string, string>;

/** Display name of an industry: the taxonomy's name, else the source's own word. */
export const industryName = (
  row: { readonly industry_slug: string | null; readonly industry_raw: string | null },
  names: IndustryNames,
): string | null =>
  row.industry_slug === null ? row.industry_raw : (names.get(row.industry_slug) ?? row.industry_slug);

/** The case studies of these row numbers, in their order; numbers that do not exist are skipped. */
export async function recordsOf(
  queries: Kysely<Tables>,
  numbers: readonly number[],
  names: IndustryNames,
): Promise<CaseStudy[]> {
  const records = await recordsByNumber(queries, numbers, names);
  return numbers.flatMap((number) => records.get(number) ?? []);
}

/** Two queries, however many there are. */
export async function recordsByNumber(
  queries: Kysely<Tables>,
  numbers: readonly number[],
  names: IndustryNames,
): Promise<ReadonlyMap<number, CaseStudy>> {
  const rows = await inChunks(numbers, (chunk) => rowsBy(queries, "case_studies.number", chunk).execute());
  const outcomes = await inChunks(numbers, (chunk) => outcomeRows(queries, chunk).execute());
  const byStudy = outcomesOf(outcomes);
  return new Map(rows.map((row) => [row.number, recordOf(row, byStudy.get(row.number) ?? [], names)]));
}

/** A case study with the similarity hash of its whole text. */
export interface FingerprintedStudy {
  readonly study: CaseStudy;
  readonly fingerprint: string;
}

/** Returns a reader of case studies by their ids; those that do not exist are missing. */
export function createRecordReader(queries: Kysely<Tables>, names: IndustryNames) {
  const rowsById = queryByList(queries, (ids: readonly string[]) => rowsBy(queries, "case_studies.id", ids));
  const outcomesByNumber = queryByList(queries, (numbers: readonly number[]) => outcomeRows(queries, numbers));
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, FingerprintedStudy>> => {
    const rows = await rowsById(ids);
    const outcomes = outcomesOf(await outcomesByNumber(rows.map(({ number }) => number)));
    return new Map(
      rows.map((row) => [
        row.id,
        { study: recordOf(row, outcomes.get(row.number) ?? [], names), fingerprint: row.fingerprint },
      ]),
    );
  };
}

const rowsBy = <Column extends "case_studies.number" | "case_studies.id">(
  queries: Kysely<Tables>,
  column: Column,
  values: readonly (Column extends "case_studies.id" ? string : number)[],
) =>
  queries
    .selectFrom("case_studies")
    .innerJoin("companies", "companies.id", "case_studies.company_id")
    .leftJoin("clients", "clients.id", "case_studies.client_id")
    .where(column, "in", values as never)
    .select([
      "case_studies.number",
      "case_studies.id",
      "case_studies.title",
      "case_studies.url",
      "companies.name as company_name",
      "companies.slug as company_slug",
      "clients.name as client_name",
      "clients.domain as client_domain",
      "case_studies.industry_slug",
      "case_studies.industry_raw",
      "case_studies.country",
      "case_studies.summary",
      "case_studies.challenge",
      "case_studies.solution",
      "case_studies.products",
      "case_studies.tools",
      "case_studies.quote_text",
      "case_studies.quote_person",
      "case_studies.quote_role",
      "case_studies.published_at",
      "case_studies.language",
      "case_studies.indexed_at",
      "case_studies.origin",
      "case_studies.fingerprint",
    ]);

type RecordRow = InferResult<ReturnType<typeof rowsBy>>[number];

function recordOf(row: RecordRow, outcomes: readonly Outcome[], names: IndustryNames): CaseStudy {
  return {
    id: row.id,
    title: row.title,
    url: row.url,
    company: { name: row.company_name, slug: row.company_slug },
    client: { name: row.client_name, domain: row.client_domain },
    industry: industryName(row, names),
    country: row.country,
    summary: row.summary,
    challenge: row.challenge,
    solution: row.solution,
    outcomes,
    products: JSON.parse(row.products),
    tools: JSON.parse(row.tools),
    quote: quoteOf(row),
    published_at: row.published_at,
    language: row.language,
    indexed_at: row.indexed_at,
    origin: row.origin,
  };
}

/** A quote may name its speaker without a text. */
function quoteOf({ quote_text, quote_person, quote_role }: RecordRow): Quote | null {
  if (quote_text === null && quote_person === null && quote_role === null) return null;
  return { text: quote_text, person: quote_person, role: quote_role };
}

const outcomeRows = (queries: Kysely<Tables>, numbers: readonly number[]) =>
  queries
    .selectFrom("outcomes")
    .selectAll()
    .where("study_number", "in", numbers)
    .orderBy("study_number")
    .orderBy("position");

function outcomesOf(rows: InferResult<ReturnType<typeof outcomeRows>>): ReadonlyMap<number, readonly Outcome[]> {
  const byStudy = Map.groupBy(rows, (row) => row.study_number);
  return new Map(
    [...byStudy].map(([number, those]) => [
      number,
      those.map(({ study_number: _, position: __, from_value: from, to_value: to, is_better, ...outcome }) => {
        const { metric, value, unit, direction, text, noun, kind, sentence } = outcome;
        const better = is_better === null ? null : is_better === 1;
        return { metric, value, unit, direction, text, noun, kind, from, to, better, sentence };
      }),
    ]),
  );
}
