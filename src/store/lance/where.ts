/** What narrows a search before anything is ranked. Several narrow together; an empty list lets nothing through. */
export interface PassageFilter {
  readonly company?: string;
  readonly industries?: readonly string[];
  readonly client?: string;
  readonly country?: string;
  /** ISO dates, inclusive. A case study without a date is not within any. */
  readonly publishedAfter?: string;
  readonly publishedBefore?: string;
  /** Ids of case studies. */
  readonly studies?: readonly string[];
}

/** The filter as Lance's SQL; undefined when it narrows nothing. */
export function whereOf(filter: PassageFilter): string | undefined {
  const parts = [
    filter.company !== undefined && `company = ${quoted(filter.company)}`,
    filter.industries && among("industry", filter.industries),
    filter.client !== undefined && `client = ${quoted(filter.client)}`,
    filter.country !== undefined && `country = ${quoted(filter.country)}`,
    filter.publishedAfter !== undefined && `published_at >= ${quoted(filter.publishedAfter)}`,
    filter.publishedBefore !== undefined && `published_at <= ${quoted(filter.publishedBefore)}`,
    filter.studies && among("study", filter.studies),
  ].filter((part) => typeof part === "string");
  return parts.length > 0 ? parts.join(" and ") : undefined;
}

/** No row when there are no values: `in ()` is no SQL. */
export function among(column: string, values: readonly string[]): string {
  return values.length > 0 ? `${column} in (${values.map(quoted).join(", ")})` : "false";
}

/** In Lance's SQL a quote is the only letter that a text must double; a backslash is itself. */
function quoted(value: string): string {
  return `'${value.toWellFormed().replaceAll("'", "''")}'`;
}
