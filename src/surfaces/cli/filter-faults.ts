import { plain } from "./table.ts";

/** What a filter can name, wherever it is kept. */
export interface Named {
  findCompanies(
    filter: { q: string },
    page: { limit: number },
  ): Promise<{ readonly companies: readonly { readonly slug: string }[] }>;
  listStudies(filter: { industry: string }, page: { limit: number }): Promise<{ readonly total: number }>;
  /** Those of most case studies first. */
  listIndustries(): Promise<readonly { readonly industry: string; readonly slug: string | null }[]>;
}

const MOST_NEAR = 3;
const MOST_INDUSTRIES = 50;
const MOST_SHOWN = 100;

/** Says of each filter that names nothing what there is in its place. For a search that found nothing. */
export async function filterFaults(
  { company, industry }: { readonly company?: string | undefined; readonly industry?: string | undefined },
  named: Named,
): Promise<string[]> {
  const faults: string[] = [];
  if (company !== undefined) {
    const shown = plain(company.slice(0, MOST_SHOWN));
    const found = await named.findCompanies({ q: shown }, { limit: MOST_NEAR });
    const near = found.companies.map(({ slug }) => slug);
    const instead = near.length > 0 ? `did you mean ${near.join(", ")}?` : "all of them: casefile companies";
    if (!near.includes(company.toLowerCase())) faults.push(`No company has the slug ${shown}; ${instead}`);
  }
  if (industry !== undefined && (await named.listStudies({ industry }, { limit: 1 })).total === 0) {
    const names = (await named.listIndustries())
      .slice(0, MOST_INDUSTRIES)
      .map((one) => plain(one.slug ?? one.industry));
    const shown = plain(industry.slice(0, MOST_SHOWN));
    if (names.length > 0)
      faults.push(`No case study is of an industry called ${shown}; there are: ${names.join(", ")}`);
  }
  return faults;
}
