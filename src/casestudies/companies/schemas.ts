import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, pageQuery, someOf, text } from "../../http/schemas.ts";
import { industry, nullable, outcomeReading, slug, studySchema } from "../schemas.ts";

/** Fields of a company as the operator may set them. */
export const companyName = t.String({
  minLength: 1,
  maxLength: 200,
  pattern: "\\S",
  error: "Give a name of 1 to 200 characters.",
});
export const companySlug = t.String({
  minLength: 1,
  maxLength: 80,
  description: "Lower-case letters and digits with dashes.",
});
export const companyDomain = t.Union(
  [t.String({ maxLength: 253, pattern: "^[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){1,9}$" }), t.Null()],
  { error: "Give a domain such as acme.com, or null." },
);

export const companiesQuery = t.Object(
  {
    q: t.Optional(
      t.String({
        minLength: 1,
        maxLength: 200,
        description: "Name, slug or domain; small typos are tolerated.",
      }),
    ),
    industry: t.Optional(industry),
    ...pageQuery,
  },
  closed,
);

export const compareBody = t.Object(
  {
    companies: t.Array(slug, { minItems: 1, maxItems: 5, description: "Slugs, each once." }),
    industry: t.Optional(industry),
    limit_per_company: t.Optional(Type.Integer({ minimum: 1, maximum: 50, description: "Default 5." })),
  },
  { ...closed, title: "CompareRequest" },
);

export const companyQuery = t.Object(
  {
    include: t.Optional(
      t.Literal("claims", {
        description: "Adds how many clients have each claim status.",
        error: "Give claims, or nothing.",
      }),
    ),
  },
  closed,
);
export const companyParam = t.Object({ slug });

export const companyFields = {
  name: t.String(),
  slug: t.String(),
  domain: text,
  industry: text,
  logo_url: text,
  total_case_studies: Type.Integer(),
};
export const companyRecord = t.Object(companyFields, { title: "Company" });
export const companyListSchema = t.Object(
  {
    companies: t.Array(companyRecord),
    total: Type.Integer(),
    next_cursor: text,
  },
  { title: "CompanyList" },
);
const claimCounts = t.Object(
  {
    clients: Type.Integer(),
    corroborated: Type.Integer(),
    replaced: Type.Integer(),
    not_seen: Type.Integer(),
    cannot_be_seen: Type.Integer(),
    not_checked: Type.Integer(),
  },
  {
    title: "ClaimCounts",
    description: "Clients whose domain is known, by the status of the vendor's claim. Absent unless requested.",
  },
);
export const companySchema = t.Object(
  { ...companyFields, case_studies: t.Array(studySchema), claims: t.Optional(claimCounts) },
  { title: "CompanyWithCaseStudies" },
);

const topIndustries = t.Array(t.Object({ industry: t.String(), case_studies: Type.Integer(), share: t.Number() }));
const topClients = t.Array(t.Object({ client: t.String(), domain: text, case_studies: Type.Integer() }));

export const analysisSchema = t.Object(
  {
    company: companyRecord,
    total_case_studies: Type.Integer(),
    top_industries: topIndustries,
    top_clients: topClients,
    top_outcomes: t.Array(
      t.Object({
        metric: t.String(),
        case_studies: Type.Integer(),
        median: t.Union([t.Number(), t.Null()], {
          description: "Middle of `figures` like values; `null` without a number or where they cannot be compared.",
        }),
        unit: text,
        direction: t.String(),
        kind: outcomeReading.kind,
        better: outcomeReading.better,
        figures: Type.Integer({
          description: "Number of figures of which `median` is the middle: sizes of a change, if there are any.",
        }),
        nouns: t.Array(t.String(), { description: "What was measured, the most frequent first; at most three." }),
        examples: t.Array(
          t.Object({ case_study_id: t.String(), client: text, value: nullable(t.Number()), text: t.String() }),
        ),
      }),
    ),
  },
  { title: "Analysis" },
);

const dated = t.Object(
  { id: t.String(), title: t.String(), client: text, industry: text, published_at: text },
  { title: "DatedCaseStudy" },
);
export const timelineSchema = t.Object(
  {
    company: companyRecord,
    timeline: t.Array(t.Object({ period: t.String({ examples: ["2024-03"] }), case_studies: t.Array(dated) })),
    undated: t.Array(dated),
  },
  { title: "Timeline" },
);

export const compareSchema = t.Object(
  {
    industry: text,
    companies: t.Array(
      t.Object({
        company: companyRecord,
        total_case_studies: Type.Integer(),
        case_studies: t.Array(studySchema),
        top_industries: topIndustries,
        notable_clients: topClients,
      }),
    ),
  },
  { title: "Comparison" },
);

export const companyBody = t.Object(
  {
    name: t.Optional(companyName),
    slug: t.Optional(companySlug),
    domain: t.Optional(companyDomain),
    industry: t.Optional(t.Union([t.String({ minLength: 1, maxLength: 200 }), t.Null()])),
    logo_url: t.Optional(
      t.Union([t.String({ maxLength: 2_048, pattern: "^https?://[^\\s]+$" }), t.Null()], {
        error: "Give an http or https address, or null.",
      }),
    ),
  },
  { ...someOf, title: "CompanyEdit" },
);
export const mergeBody = t.Object(
  { into: t.String({ minLength: 1, maxLength: 200, description: "Slug." }) },
  { ...closed, title: "Merge" },
);
