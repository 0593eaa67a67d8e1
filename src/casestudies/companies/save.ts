import type { Transaction } from "kysely";
import { normaliseName } from "../../core/text.ts";
import { inChunks } from "../../db/cursor.ts";
import type { CompanyRow, Tables } from "../../db/schema.ts";
import { industryColumns } from "../keys.ts";
import type { NewCompany } from "../types.ts";
import { companyTrigrams } from "./search.ts";

type Fields = Pick<CompanyRow, "name" | "domain" | "logo_url" | "industry_raw" | "industry_slug" | "industry_key">;

/** Characters of a name's sort key. Cursors carry it, so it is bounded. */
const MAX_NAME_KEY = 200;

/** The sort key of a company's name. */
export const nameKey = (name: string): string => [...normaliseName(name)].slice(0, MAX_NAME_KEY).join("");

/**
 * Creates missing companies and fills empty fields of existing ones; fields that have a value stay.
 *
 * @returns ids by slug
 */
export async function saveCompanies(
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
    const fields = given.reduce<Fields | undefined>(withMissingFields, row);
    if (!fields) continue;
    if (!row) {
      const { id } = await transaction
        .insertInto("companies")
        .values({ ...fields, slug, name_folded: nameKey(fields.name), created_at: now, updated_at: now })
        .returning("id")
        .executeTakeFirstOrThrow();
      ids.set(slug, id);
      await saveSearchTerms(transaction, id, { ...fields, slug });
    } else {
      ids.set(slug, row.id);
      if (!isSame(row, fields)) {
        const { domain, logo_url, industry_raw, industry_slug, industry_key } = fields;
        await transaction
          .updateTable("companies")
          .set({ domain, logo_url, industry_raw, industry_slug, industry_key, updated_at: now })
          .where("id", "=", row.id)
          .execute();
        await saveSearchTerms(transaction, row.id, { ...fields, slug });
      }
    }
  }
  return ids;
}

function withMissingFields(known: Fields | undefined, given: NewCompany): Fields {
  const { industry_raw, industry_slug, industry_key } =
    known && known.industry_raw !== null ? known : industryColumns(given.industry);
  return {
    name: known?.name ?? given.name,
    domain: known?.domain ?? (given.domain?.toLowerCase() || null),
    logo_url: known?.logo_url ?? given.logo_url,
    industry_raw,
    industry_slug,
    industry_key,
  };
}

const isSame = (a: Fields, b: Fields) =>
  a.domain === b.domain && a.logo_url === b.logo_url && a.industry_raw === b.industry_raw;

/** Saves the trigrams by which a company is found. */
export async function saveSearchTerms(
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
