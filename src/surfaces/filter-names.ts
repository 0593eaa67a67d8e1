/** What a filter can name, wherever it is kept. */
export interface FilterNames {
  findCompanies(
    filter: { q: string },
    page: { limit: number },
  ): Promise<{ readonly companies: readonly { readonly slug: string }[] }>;
  listStudies(filter: { industry: string }, page: { limit: number }): Promise<{ readonly total: number }>;
  /** Those of most case studies first. */
  listIndustries(): Promise<readonly { readonly industry: string; readonly slug: string | null }[]>;
}

/**
 * Slugs that are like one that no company has, best first; undefined where a company has it.
 *
 * @param q what is looked for: the slug, as far as it can be asked for
 */
export async function nearSlugs(
  names: Pick<FilterNames, "findCompanies">,
  slug: string,
  { q = slug, limit }: { readonly q?: string; readonly limit: number },
): Promise<readonly string[] | undefined> {
  const near = (await names.findCompanies({ q }, { limit })).companies.map((company) => company.slug);
  return near.includes(slug.toLowerCase()) ? undefined : near;
}

/** The industries that there are, where no case study is of this one; undefined where one is. */
export async function otherIndustries(names: Omit<FilterNames, "findCompanies">, industry: string) {
  const { total } = await names.listStudies({ industry }, { limit: 1 });
  return total > 0 ? undefined : await names.listIndustries();
}
