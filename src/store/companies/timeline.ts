import type { Kysely } from "kysely";
import type { Company } from "../../vocabulary/case-study.ts";
import { type IndustryNames, industryName } from "../studies/records.ts";
import type { Tables } from "../tables.ts";

export interface TimelineEntry {
  readonly id: string;
  readonly title: string;
  /** The client's name, else its domain. */
  readonly client: string | null;
  readonly industry: string | null;
  readonly published_at: string | null;
}

export interface CompanyTimeline {
  readonly company: Company;
  /** Months that have a case study, oldest first; `period` is `YYYY-MM`. */
  readonly timeline: readonly { readonly period: string; readonly case_studies: readonly TimelineEntry[] }[];
  readonly undated: readonly TimelineEntry[];
}

export async function timelineOf(
  queries: Kysely<Tables>,
  companyId: number,
  names: IndustryNames,
): Promise<Pick<CompanyTimeline, "timeline" | "undated">> {
  const rows = await queries
    .selectFrom("case_studies")
    .leftJoin("clients", "clients.id", "case_studies.client_id")
    .where("case_studies.company_id", "=", companyId)
    .select([
      "case_studies.id",
      "case_studies.title",
      (eb) => eb.fn.coalesce("clients.name", "clients.domain").as("client"),
      "case_studies.industry_slug",
      "case_studies.industry_raw",
      "case_studies.published_at",
    ])
    .orderBy("case_studies.published_order")
    .orderBy("case_studies.id")
    .execute();
  const byPeriod = Map.groupBy(
    rows.map((row): TimelineEntry => {
      const { id, title, client, published_at } = row;
      return { id, title, client, industry: industryName(row, names), published_at };
    }),
    ({ published_at }) => published_at?.slice(0, 7),
  );
  return {
    timeline: [...byPeriod].flatMap(([period, case_studies]) =>
      period === undefined ? [] : [{ period, case_studies }],
    ),
    undated: byPeriod.get(undefined) ?? [],
  };
}
