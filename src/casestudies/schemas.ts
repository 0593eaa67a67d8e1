import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { wholeNumber } from "../http/schemas.ts";
import { ORIGINS } from "./types.ts";
import { SCORE_TEXT } from "./view.ts";

const closed = { additionalProperties: false };
const nullable = <T extends ReturnType<typeof t.String> | ReturnType<typeof t.Number>>(schema: T) =>
  t.Union([schema, t.Null()]);
const text = nullable(t.String());
const day = t.String({ format: "date", description: "ISO date, inclusive.", error: "Give a date as YYYY-MM-DD." });

const MAX_SLUG = 200;
const slug = t.String({ minLength: 1, maxLength: MAX_SLUG });
const industry = t.String({
  minLength: 1,
  maxLength: 200,
  description: "Name, slug or synonym of an industry, any case.",
});
const cursor = t.String({ minLength: 1, maxLength: 1_000, description: "`next_cursor` of the page before." });
const pageLimit = wholeNumber({ minimum: 1, maximum: 100, pattern: "^(?:[1-9]\\d?|100)$", description: "Default 20." });

export const studiesQuery = t.Object(
  {
    company: t.Optional(slug),
    industry: t.Optional(industry),
    client: t.Optional(t.String({ minLength: 1, maxLength: 300, description: "Name or domain of the client." })),
    country: t.Optional(
      t.String({
        pattern: "^[A-Za-z]{2}$",
        description: "ISO 3166-1 alpha-2.",
        error: "Give a country's two letters, such as DE.",
      }),
    ),
    published_after: t.Optional(day),
    published_before: t.Optional(day),
    limit: t.Optional(pageLimit),
    cursor: t.Optional(cursor),
  },
  closed,
);

export const companiesQuery = t.Object(
  {
    q: t.Optional(
      t.String({
        minLength: 1,
        maxLength: 200,
        description: "Name, slug or domain; small typing errors are forgiven.",
      }),
    ),
    industry: t.Optional(industry),
    limit: t.Optional(pageLimit),
    cursor: t.Optional(cursor),
  },
  closed,
);

/** Longer than 1,000 so that what trimming brings into bounds is not refused. */
const query = t.String({
  minLength: 1,
  maxLength: 4_000,
  description: "Natural language, 1 to 1,000 characters after trimming.",
  error: "Give 1 to 1,000 characters.",
});
const resultLimit = Type.Integer({ minimum: 1, maximum: 50, description: "Default 5." });

export const semanticBody = t.Object(
  {
    query,
    limit: t.Optional(resultLimit),
    industry: t.Optional(industry),
    company: t.Optional(slug),
    mode: t.Optional(t.Union([t.Literal("hybrid"), t.Literal("semantic"), t.Literal("keyword")])),
  },
  { ...closed, title: "SearchRequest" },
);

export const batchBody = t.Object(
  {
    queries: t.Array(
      t.Object(
        { query, industry: t.Optional(industry), company: t.Optional(slug), limit: t.Optional(resultLimit) },
        closed,
      ),
      { minItems: 1, maxItems: 10 },
    ),
  },
  { ...closed, title: "BatchRequest" },
);

export const compareBody = t.Object(
  {
    companies: t.Array(slug, { minItems: 1, maxItems: 5, description: "Slugs, each once." }),
    industry: t.Optional(industry),
    limit_per_company: t.Optional(Type.Integer({ minimum: 1, maximum: 50, description: "Default 5." })),
  },
  { ...closed, title: "CompareRequest" },
);

export const studyParam = t.Object({ id: t.String({ minLength: 1, maxLength: 300 }) });
export const companyParam = t.Object({ slug });

export const studyFields = {
  id: t.String(),
  title: t.String(),
  url: t.String(),
  company: t.Object({ name: t.String(), slug: t.String() }),
  client: t.Object({ name: text, domain: text }),
  industry: text,
  country: text,
  summary: text,
  challenge: text,
  solution: text,
  outcomes: t.Array(
    t.Object({
      metric: t.String(),
      value: t.Union([t.Number(), t.Null()], {
        description: "By how much it changed, or the level that it reached: `text` says which.",
      }),
      unit: text,
      direction: t.Union([t.Literal("increase"), t.Literal("decrease"), t.Literal("absolute")]),
      text: t.String(),
    }),
  ),
  products: t.Array(t.String()),
  tools: t.Array(t.String()),
  quote: t.Union([
    t.Object({
      text: t.Union([t.String(), t.Null()], { description: "`null` where a record tells who is quoted and not what." }),
      person: text,
      role: text,
    }),
    t.Null(),
  ]),
  published_at: text,
  language: text,
  indexed_at: text,
  origin: t.Union(
    ORIGINS.map((origin) => t.Literal(origin)),
    { description: "How it came here: with the program, by a submission that was crawled, or from a file." },
  ),
};

export const studySchema = t.Object(studyFields, { title: "CaseStudy" });
export const studyListSchema = t.Object(
  {
    case_studies: t.Array(studySchema),
    total: Type.Integer(),
    next_cursor: text,
  },
  { title: "CaseStudyList" },
);

export const resultsSchema = t.Object(
  {
    query: t.String(),
    results: t.Array(
      t.Object({
        ...studyFields,
        score: t.Number({ minimum: 0, maximum: 1, description: SCORE_TEXT }),
        passage: t.String({ description: "The best-matching text." }),
        highlights: t.Array(t.Array(Type.Integer()), {
          description: "Start and end of each matching term in `passage`.",
        }),
      }),
    ),
  },
  { title: "SearchResults" },
);
export const batchSchema = t.Object({ results: t.Array(resultsSchema) }, { title: "BatchResults" });

export const industriesSchema = t.Object(
  {
    industries: t.Array(
      t.Object({
        industry: t.String({ description: "As case studies name it, and as filters take it." }),
        slug: t.Union([t.String(), t.Null()], {
          description: "`null` where the word is the source's own and in no taxonomy.",
        }),
        case_studies: Type.Integer(),
      }),
      { description: "Those of most case studies first." },
    ),
  },
  { title: "Industries" },
);

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
export const companySchema = t.Object(
  { ...companyFields, case_studies: t.Array(studySchema) },
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
        median: nullable(t.Number()),
        unit: text,
        direction: t.String(),
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
