import { type FilterNames, nearSlugs, otherIndustries } from "../filter-names.ts";
import { plain } from "./table.ts";

const MOST_NEAR = 3;
const MOST_INDUSTRIES = 50;
const MOST_SHOWN = 100;

/** Says of each filter that names nothing what there is in its place. For a search that found nothing. */
export async function filterFaults(
  { company, industry }: { readonly company?: string | undefined; readonly industry?: string | undefined },
  names: FilterNames,
): Promise<string[]> {
  const faults: string[] = [];
  if (company !== undefined) {
    const shown = plain(company.slice(0, MOST_SHOWN));
    const near = await nearSlugs(names, company, { q: shown, limit: MOST_NEAR });
    const instead = near?.length ? `did you mean ${near.join(", ")}?` : "all of them: casefile companies";
    if (near) faults.push(`No company has the slug ${shown}; ${instead}`);
  }
  if (industry !== undefined) {
    const others = (await otherIndustries(names, industry)) ?? [];
    const there = others.slice(0, MOST_INDUSTRIES).map((one) => plain(one.slug ?? one.industry));
    const shown = plain(industry.slice(0, MOST_SHOWN));
    if (there.length > 0)
      faults.push(`No case study is of an industry called ${shown}; there are: ${there.join(", ")}`);
  }
  return faults;
}
