import type { Transaction } from "kysely";
import type { NewCompany } from "../../vocabulary/case-study.ts";
import { folded, industryKey } from "../studies/folded.ts";
import { inChunks } from "../studies/in-chunks.ts";
import type { CompanyRow, Tables } from "../tables.ts";
import { companyTrigrams } from "./trigrams.ts";

type Fields = Pick<CompanyRow, "name" | "domain" | "logo_url" | "industry_raw" | "industry_slug" | "industry_key">;

/** Cursors carry it, and nobody tells two names apart after so much. */
export const FOLDED_CHARACTERS = 200;

/**
 * Makes the companies that are missing, and fills in what was not known of the others; what is known stays.
 *
 * @returns ids by slug
 */
export async function keepCompanies(
  transaction: Transaction<Tables>,
  companies: readonly NewCompany[],
  now: string,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  const bySlug = Map.groupBy(companies, ({ slug }) => slug);
  const stored = await inChunks([...bySlug.keys()], (chunk) =>
    transaction.selectFrom("companies").selectAll().where("slug", "in", chunk).execute(),
  );
  const known = new Map(stored.map((row) => [row.slug, row]));
  for (const [slug, given] of bySlug) {
    const row = known.get(slug);
    const fields = given.reduce<Fields | undefined>(filledIn, row);
    if (!fields) continue;
    if (!row) {
      const name_folded = [...folded(fields.name)].slice(0, FOLDED_CHARACTERS).join("");
      const { id } = await transaction
        .insertInto("companies")
        .values({ ...fields, slug, name_folded, created_at: now, updated_at: now })
        .returning("id")
        .executeTakeFirstOrThrow();
      ids.set(slug, id);
      await learn(transaction, id, { ...fields, slug });
    } else {
      ids.set(slug, row.id);
      if (!same(row, fields)) {
        const { domain, logo_url, industry_raw, industry_slug, industry_key } = fields;
        await transaction
          .updateTable("companies")
          .set({ domain, logo_url, industry_raw, industry_slug, industry_key, updated_at: now })
          .where("id", "=", row.id)
          .execute();
        await learn(transaction, row.id, { ...fields, slug });
      }
    }
  }
  return ids;
}

function filledIn(known: Fields | undefined, given: NewCompany): Fields {
  const industry =
    known && known.industry_raw !== null
      ? known
      : {
          industry_raw: given.industry?.raw ?? null,
          industry_slug: given.industry?.slug ?? null,
          industry_key: given.industry ? industryKey(given.industry) : null,
        };
  return {
    name: known?.name ?? given.name,
    domain: known?.domain ?? (given.domain?.toLowerCase() || null),
    logo_url: known?.logo_url ?? given.logo_url,
    industry_raw: industry.industry_raw,
    industry_slug: industry.industry_slug,
    industry_key: industry.industry_key,
  };
}

const same = (a: Fields, b: Fields) =>
  a.domain === b.domain && a.logo_url === b.logo_url && a.industry_raw === b.industry_raw;

/** What the company is found by. */
export async function learn(
  transaction: Transaction<Tables>,
  company_id: number,
  company: { name: string; slug: string; domain: string | null },
): Promise<void> {
  const rows = [...companyTrigrams(company)].map((trigram) => ({ trigram, company_id }));
  if (rows.length === 0) return;
  await transaction
    .insertInto("company_trigrams")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
