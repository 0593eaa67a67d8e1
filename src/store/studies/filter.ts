import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Industry, StudyFilter } from "../../vocabulary/case-study.ts";
import type { Tables } from "../tables.ts";
import { folded, industryKey } from "./folded.ts";

/** A filter whose industry was looked up in the taxonomy before: one word may stand for several. */
export interface ResolvedFilter extends Omit<StudyFilter, "industry"> {
  readonly industries?: readonly Industry[];
}

/** The condition on `case_studies` that a filter stands for. */
export function matching(filter: ResolvedFilter) {
  return (eb: ExpressionBuilder<Tables, "case_studies">): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [];
    if (filter.company !== undefined) {
      const company = eb
        .selectFrom("companies")
        .select("companies.id")
        .where("slug", "=", filter.company.toLowerCase());
      conditions.push(eb("company_id", "=", company));
    }
    if (filter.industries !== undefined) conditions.push(eb("industry_key", "in", filter.industries.map(industryKey)));
    if (filter.client !== undefined) {
      const name = folded(filter.client);
      const clients = eb
        .selectFrom("clients")
        .select("clients.id")
        .where((client) => client.or([client("name_folded", "=", name), client("domain_folded", "=", name)]));
      // Domain-less and nameless clients have an empty column, which is no match.
      conditions.push(name === "" ? eb.lit(false) : eb("client_id", "in", clients));
    }
    if (filter.country !== undefined) conditions.push(eb("country", "=", filter.country.toUpperCase()));
    // The column that the indexes hold; in it what is undated comes before every day.
    if (filter.publishedAfter !== undefined) conditions.push(eb("published_order", ">=", filter.publishedAfter));
    if (filter.publishedBefore !== undefined) {
      conditions.push(eb("published_order", ">", ""), eb("published_order", "<=", filter.publishedBefore));
    }
    return eb.and(conditions);
  };
}
