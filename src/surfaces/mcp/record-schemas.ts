import { type TSchema, Type } from "@sinclair/typebox";
import { ORIGINS } from "../../vocabulary/case-study.ts";
import { SCORE_TEXT } from "../study-view.ts";

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = nullable(Type.String());
const number = nullable(Type.Number());

const studyFields = {
  id: Type.String(),
  title: Type.String(),
  url: Type.String({ description: "Address of the original: cite it." }),
  company: Type.Object(
    { name: Type.String(), slug: Type.String() },
    { description: "The vendor that tells the story." },
  ),
  client: Type.Object({ name: text, domain: text }, { description: "The customer that it is about." }),
  industry: text,
  country: nullable(Type.String({ description: "ISO 3166-1 alpha-2." })),
  summary: text,
  challenge: text,
  solution: text,
  outcomes: Type.Array(
    Type.Object({
      metric: Type.String(),
      value: number,
      unit: text,
      direction: Type.Union([Type.Literal("increase"), Type.Literal("decrease"), Type.Literal("absolute")]),
      text: Type.String({ description: "As the vendor states it." }),
    }),
  ),
  products: Type.Array(Type.String()),
  tools: Type.Array(Type.String()),
  quote: nullable(Type.Object({ text, person: text, role: text })),
  published_at: nullable(Type.String({ description: "ISO date." })),
  language: text,
  indexed_at: text,
  origin: Type.Union(ORIGINS.map((origin) => Type.Literal(origin))),
};

export const study = Type.Object(studyFields);

export const hit = Type.Object({
  ...studyFields,
  score: Type.Number({ minimum: 0, maximum: 1, description: SCORE_TEXT }),
  passage: Type.String({ description: "The text that matches best." }),
  highlights: Type.Array(Type.Array(Type.Integer()), { description: "Where the query's terms stand in `passage`." }),
});

export const companyFields = {
  name: Type.String(),
  slug: Type.String({ description: "What other tools take." }),
  domain: text,
  industry: text,
  logo_url: text,
  total_case_studies: Type.Integer(),
};
export const company = Type.Object(companyFields);

export const topIndustries = Type.Array(
  Type.Object({ industry: Type.String(), case_studies: Type.Integer(), share: Type.Number() }),
);
export const topClients = Type.Array(
  Type.Object({ client: Type.String(), domain: text, case_studies: Type.Integer() }),
);

export const analysis = Type.Object({
  company,
  total_case_studies: Type.Integer(),
  top_industries: topIndustries,
  top_clients: topClients,
  top_outcomes: Type.Array(
    Type.Object({
      metric: Type.String(),
      case_studies: Type.Integer(),
      median: number,
      unit: text,
      direction: Type.String(),
      examples: Type.Array(
        Type.Object({ case_study_id: Type.String(), client: text, value: number, text: Type.String() }),
      ),
    }),
  ),
});

export const techStack = Type.Object({
  tools_detected: Type.Integer(),
  tools: Type.Array(Type.Object({ tool: Type.String(), category: Type.String() })),
  by_category: Type.Record(Type.String(), Type.Array(Type.String())),
  scanned_at: Type.String({ description: "ISO 8601 UTC." }),
});

export { nullable };
