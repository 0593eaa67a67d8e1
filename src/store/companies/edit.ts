import type { Kysely, Transaction } from "kysely";
import type { Industry } from "../../vocabulary/case-study.ts";
import { Failure } from "../../vocabulary/failure.ts";
import { enqueue } from "../outbox.ts";
import { folded, industryKey } from "../studies/folded.ts";
import type { Tables } from "../tables.ts";
import { FOLDED_CHARACTERS, learn } from "./keep.ts";

export interface CompanyChange {
  readonly name?: string;
  /** Lower case, words with dashes. */
  readonly slug?: string;
  readonly domain?: string | null;
  readonly industry?: Industry | null;
  readonly logo_url?: string | null;
}

/**
 * Changes a company; its case studies are indexed anew, for the index holds the slug and passages carry the name.
 *
 * @throws Failure `company.not_found`, `company.exists` when another one has the slug
 */
export async function editCompany(
  queries: Kysely<Tables>,
  slug: string,
  change: CompanyChange,
  now: string,
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    const row = await rowOf(transaction, slug);
    const { industry, ...plain } = change;
    if (change.slug !== undefined && change.slug !== row.slug && (await findRow(transaction, change.slug))) {
      throw new Failure("company.exists", `Another company has the slug ${change.slug}; merge the two instead.`);
    }
    const next = { ...row, ...plain };
    await transaction
      .updateTable("companies")
      .set({
        ...plain,
        name_folded: [...folded(next.name)].slice(0, FOLDED_CHARACTERS).join(""),
        ...(industry === undefined
          ? {}
          : {
              industry_raw: industry?.raw ?? null,
              industry_slug: industry?.slug ?? null,
              industry_key: industry && industryKey(industry),
            }),
        updated_at: now,
      })
      .where("id", "=", row.id)
      .execute();
    await transaction.deleteFrom("company_trigrams").where("company_id", "=", row.id).execute();
    await learn(transaction, row.id, next);
    const sites = { company_name: next.name, company_slug: next.slug, company_domain: next.domain };
    await transaction.updateTable("sites").set(sites).where("company_slug", "=", row.slug).execute();
    if (next.slug !== row.slug || next.name !== row.name) await indexAnew(transaction, row.id, now);
  });
}

/**
 * Gives all that one company has to another one, which keeps what is known of it, and forgets the first. Answers how
 * many case studies moved.
 *
 * @throws Failure `company.not_found`
 */
export async function mergeCompanies(
  queries: Kysely<Tables>,
  from: string,
  into: string,
  now: string,
): Promise<number> {
  return await queries.transaction().execute(async (transaction) => {
    const [left, kept] = [await rowOf(transaction, from), await rowOf(transaction, into)];
    if (left.id === kept.id) throw new Failure("company.exists", "Name two different companies to merge.");
    const { numUpdatedRows } = await transaction
      .updateTable("case_studies")
      .set({ company_id: kept.id })
      .where("company_id", "=", left.id)
      .executeTakeFirst();
    await transaction
      .updateTable("companies")
      .set({ domain: kept.domain ?? left.domain, logo_url: kept.logo_url ?? left.logo_url, updated_at: now })
      .where("id", "=", kept.id)
      .execute();
    const sites = { company_name: kept.name, company_slug: kept.slug, company_domain: kept.domain ?? left.domain };
    await transaction.updateTable("sites").set(sites).where("company_slug", "=", left.slug).execute();
    await transaction.deleteFrom("companies").where("id", "=", left.id).execute();
    await indexAnew(transaction, kept.id, now);
    return Number(numUpdatedRows);
  });
}

const findRow = (transaction: Transaction<Tables>, slug: string) =>
  transaction.selectFrom("companies").selectAll().where("slug", "=", slug.toLowerCase()).executeTakeFirst();

async function rowOf(transaction: Transaction<Tables>, slug: string) {
  const row = await findRow(transaction, slug);
  if (row) return row;
  throw new Failure(
    "company.not_found",
    `No company has the slug ${slug.slice(0, 100)}; search companies to find it.`,
    {
      unknown: [slug],
    },
  );
}

async function indexAnew(transaction: Transaction<Tables>, company: number, now: string): Promise<void> {
  const rows = await transaction
    .updateTable("case_studies")
    .set((eb) => ({ revision: eb("revision", "+", 1), indexed_at: null, updated_at: now }))
    .where("company_id", "=", company)
    .returning("id")
    .execute();
  await enqueue(
    transaction,
    "upsert",
    rows.map(({ id }) => id),
    now,
  );
}
