import type { Kysely } from "kysely";
import type { Company } from "../../vocabulary/case-study.ts";
import { inChunks } from "../studies/in-chunks.ts";
import { type IndustryNames, industryName } from "../studies/records.ts";
import type { Tables } from "../tables.ts";

export interface CompanyRecord {
  readonly id: number;
  readonly company: Company;
}

const companyQuery = (queries: Kysely<Tables>) =>
  queries
    .selectFrom("companies")
    .selectAll("companies")
    .select(({ selectFrom }) =>
      selectFrom("case_studies")
        .whereRef("company_id", "=", "companies.id")
        .select((eb) => eb.fn.countAll<number>().as("studies"))
        .as("studies"),
    );

type Row = Awaited<ReturnType<ReturnType<typeof companyQuery>["execute"]>>[number];

const recordOf = (row: Row, names: IndustryNames): CompanyRecord => ({
  id: row.id,
  company: {
    name: row.name,
    slug: row.slug,
    domain: row.domain,
    industry: industryName(row, names),
    logo_url: row.logo_url,
    total_case_studies: row.studies ?? 0,
  },
});

/** In the order of the slugs, without those that do not exist. Slugs are lower case; any case is understood. */
export async function companiesBySlug(
  queries: Kysely<Tables>,
  slugs: readonly string[],
  names: IndustryNames,
): Promise<readonly CompanyRecord[]> {
  const wanted = slugs.map((slug) => slug.toLowerCase());
  const rows = await inChunks(wanted, (chunk) => companyQuery(queries).where("slug", "in", chunk).execute());
  const records = new Map(rows.map((row) => [row.slug, recordOf(row, names)]));
  return wanted.flatMap((slug) => records.get(slug) ?? []);
}
