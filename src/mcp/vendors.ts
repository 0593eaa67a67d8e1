import { Type } from "@sinclair/typebox";
import { Failure } from "../core/errors.ts";
import {
  company,
  companyFields,
  companyText,
  nullable,
  study,
  studyText,
  topClients,
  topIndustries,
} from "./records.ts";
import { closed, count, defineTool, industry, joined, line, plural, slug } from "./tool.ts";

const MOST_COMPANIES = 5;
/** Case studies of one company in one result. */
const MOST_STUDIES = 20;

export const compareVendors = defineTool({
  name: "compare_vendors",
  title: "Compare vendors",
  description:
    "Compares up to five vendors: number of case studies, industries, clients and the newest case studies. With `industry`, only case studies and clients of that industry count.",
  input: Type.Object(
    {
      companies: Type.Array(slug("Slug of a vendor, as find_companies returns it."), {
        minItems: 1,
        maxItems: MOST_COMPANIES,
        description: "No duplicates.",
      }),
      industry: Type.Optional(industry("Only case studies of this industry")),
      limit_per_company: Type.Optional(count(50, 5, "Case studies per vendor")),
    },
    closed,
  ),
  output: Type.Object({
    industry: nullable(Type.String()),
    companies: Type.Array(
      Type.Object({
        company,
        total_case_studies: Type.Integer({ description: "Of the given industry, if any." }),
        case_studies: Type.Array(study),
        top_industries: topIndustries,
        notable_clients: topClients,
      }),
    ),
  }),
  openWorld: false,
  units: () => 1,
  async run({ companies }, { companies: slugs, industry: ofIndustry, limit_per_company }) {
    const folded = slugs.map((one) => one.toLowerCase());
    if (new Set(folded).size < folded.length) {
      throw new Failure("query.invalid", "`companies` contains a duplicate; give each slug once.");
    }
    const compared = await companies.compare(slugs, {
      ...(ofIndustry === undefined ? {} : { industry: ofIndustry }),
      ...(limit_per_company === undefined ? {} : { limitPerCompany: limit_per_company }),
    });
    const texts = compared.companies.map((one) => {
      const industries = one.top_industries.map((top) => `${line(top.industry, 100)} ${top.case_studies}`).join(", ");
      const clients = one.notable_clients.map((top) => line(top.client, 100)).join(", ");
      return [
        companyText(one.company),
        ...(ofIndustry === undefined
          ? []
          : [`In ${line(ofIndustry, 100)}: ${plural(one.total_case_studies, "case study", "case studies")}`]),
        ...(industries ? [`Industries: ${industries}`] : []),
        ...(clients ? [`Clients: ${clients}`] : []),
        ...one.case_studies.map((each) => studyText(each)),
      ].join("\n");
    });
    return { data: { ...compared }, text: texts.join("\n\n") };
  },
});

export const getCompany = defineTool({
  name: "get_company",
  title: "Look up a vendor",
  description: `Returns one vendor with its ${MOST_STUDIES} newest case studies. Takes a slug; find_companies finds it by name or domain.`,
  input: Type.Object({ slug: slug("Slug of the vendor, such as acme.") }, closed),
  output: Type.Object({ ...companyFields, case_studies: Type.Array(study) }),
  openWorld: false,
  units: () => 1,
  async run({ companies }, { slug: asked }) {
    const { case_studies, ...found } = await companies.get(asked);
    const shown = case_studies.slice(0, MOST_STUDIES);
    const rest = found.total_case_studies - shown.length;
    return {
      data: { ...found, case_studies: shown },
      text: [
        companyText(found),
        ...shown.map((one) => studyText(one)),
        ...(rest > 0
          ? [`${rest} more: search_case_studies with company "${line(found.slug, 200)}" finds those on a topic.`]
          : []),
      ].join("\n"),
    };
  },
});

export const findCompanies = defineTool({
  name: "find_companies",
  title: "Find vendors",
  description:
    "Finds vendors with case studies by name, slug or domain (small typos are tolerated) or by industry, and returns their slugs, which other tools require. Without arguments, lists all vendors by name.",
  input: Type.Object(
    {
      q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "A name, a slug or a domain." })),
      industry: Type.Optional(industry("Only vendors of this industry")),
      limit: Type.Optional(count(100, 20, "Companies")),
    },
    closed,
  ),
  output: Type.Object({
    companies: Type.Array(company, { description: "Best match first." }),
    total: Type.Integer({ description: "Number of matches." }),
  }),
  openWorld: false,
  units: () => 1,
  async run({ companies: vendors }, { limit, ...filter }) {
    const { companies, total } = await vendors.find(filter, { limit });
    const of = joined([filter.q && `"${line(filter.q, 100)}"`, filter.industry && line(filter.industry, 100)], " in ");
    const text =
      companies.length === 0
        ? `No vendor found${of && ` for ${of}`}. Try part of the name, omit industry, or call get_company_analysis with a domain, which works for any company.`
        : [
            `${companies.length} of ${plural(total, "vendor")}${of && ` for ${of}`}:`,
            ...companies.map((one) => `- ${companyText(one)}`),
          ].join("\n");
    return { data: { companies, total }, text };
  },
});
