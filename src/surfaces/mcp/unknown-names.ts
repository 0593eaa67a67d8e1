import type { StudyFilter } from "../../vocabulary/case-study.ts";
import { type FilterNames, nearSlugs, otherIndustries } from "../filter-names.ts";
import { line } from "./line.ts";

type Names = Pick<StudyFilter, "company" | "industry">;

const MOST_NEAR = 5;
/** Letters that a word shares from its start with one that it is a misspelling or another form of. */
const STEM = 4;

/**
 * Says which names of a filter nothing here has, and what is near; empty when all are known. A model would take an empty
 * answer for proof that there is no such case study.
 */
export function unknownNames(names: FilterNames) {
  const ofCompany = remembered(async (slug) => {
    const slugs = await nearSlugs(names, slug, { limit: MOST_NEAR });
    if (!slugs) return "";
    const near = slugs.map((one) => line(one, 200)).join(", ");
    return `No vendor here has the slug "${line(slug, 200)}"${near ? `; near ones: ${near}` : "; find_companies tells slugs"}.`;
  });

  const ofIndustry = remembered(async (name) => {
    const known = (await otherIndustries(names, name))?.map(({ industry }) => industry);
    if (!known) return "";
    const near = known.filter((industry) => stemsOf(name).some((stem) => stemsOf(industry).includes(stem)));
    const shown = (near.length > 0 ? near : known).slice(0, MOST_NEAR).map((industry) => line(industry, 100));
    const others = `; ${near.length > 0 ? "near ones" : "those of most case studies"}: ${shown.join(", ")}`;
    return `No case study here is of the industry "${line(name, 200)}"${shown.length > 0 ? others : ""}.`;
  });

  return async ({ company, industry }: Names): Promise<string> => {
    const texts = await Promise.all([ofCompany(company), ofIndustry(industry)]);
    return texts.filter((text) => text !== "").join(" ");
  };
}

const stemsOf = (name: string) =>
  (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length >= STEM)
    .map((word) => word.slice(0, STEM));

/** Queries of one call mostly share their filter. */
function remembered(tell: (name: string) => Promise<string>): (name: string | undefined) => Promise<string> {
  const told = new Map<string, Promise<string>>();
  return async (name) => {
    if (name === undefined) return "";
    const said = told.get(name) ?? tell(name);
    told.set(name, said);
    return await said;
  };
}
