import { type TSchema, Type } from "@sinclair/typebox";
import type { CompanyAnalysis } from "../casestudies/companies/analysis.ts";
import { judgementOf, outcomeFigure, outcomeLine } from "../casestudies/outcome-text.ts";
import { type CaseStudy, type Company, ORIGINS, OUTCOME_KINDS } from "../casestudies/types.ts";
import { ALSO_IN_TEXT, PROBABILITY_TEXT, RELEVANCE_TEXT, SCORE_TEXT } from "../casestudies/view.ts";
import { joined, line, plural } from "./tool.ts";

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = nullable(Type.String());
const number = nullable(Type.Number());

const studyFields = {
  id: Type.String(),
  title: Type.String(),
  url: Type.String({ description: "URL of the original; cite it." }),
  company: Type.Object({ name: Type.String(), slug: Type.String() }, { description: "The vendor that publishes it." }),
  client: Type.Object({ name: text, domain: text }, { description: "The customer it is about." }),
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
      noun: nullable(Type.String({ description: "What was measured; `metric` groups it." })),
      kind: Type.Union([...OUTCOME_KINDS.map((kind) => Type.Literal(kind)), Type.Null()], {
        description: "By how much it changed, how much it is, or a result without a figure.",
      }),
      from: number,
      to: number,
      better: nullable(Type.Boolean({ description: "Whether it is good for the client." })),
      sentence: nullable(Type.String({ description: "The page's own words." })),
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
  relevance: Type.Union([Type.Literal("strong"), Type.Literal("good"), Type.Literal("weak"), Type.Null()], {
    description: RELEVANCE_TEXT,
  }),
  probability: Type.Union([Type.Number(), Type.Null()], { description: PROBABILITY_TEXT }),
  passage: Type.String({ description: "The best-matching text." }),
  highlights: Type.Array(Type.Array(Type.Integer()), { description: "Start and end of each query term in `passage`." }),
  also_in: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), url: Type.String() }), { description: ALSO_IN_TEXT }),
  ),
});

export const companyFields = {
  name: Type.String(),
  slug: Type.String({ description: "Identifies the vendor in other tools." }),
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
      kind: Type.Union([...OUTCOME_KINDS.map((kind) => Type.Literal(kind)), Type.Null()]),
      better: nullable(Type.Boolean()),
      figures: Type.Integer({ description: "Number of like figures, of which `median` is the middle." }),
      nouns: Type.Array(Type.String(), { description: "What was measured, the most frequent first." }),
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
  stale: Type.Optional(Type.Literal(true, { description: "A stored result that could not be renewed." })),
  stale_reason: Type.Optional(Type.String()),
});

const OUTCOMES = 3;

/** `- Title: Vendor for Client · Banking · NO · 2024-03-05`, its outcomes and its URL. */
export function studyText(study: CaseStudy, extra?: string): string {
  const { company, client } = study;
  const whom = client.name ?? client.domain;
  const facts = joined(
    [study.industry, study.country, study.published_at, extra].map((fact) => fact && line(fact, 100)),
  );
  const what = study.outcomes.slice(0, OUTCOMES).map((outcome) => outcomeText(outcome));
  return [
    `- ${line(study.title, 200)}: ${line(company.name, 100)}${whom ? ` for ${line(whom, 100)}` : ""}${facts && ` · ${facts}`}`,
    ...(what.length > 0 ? [`  Outcomes: ${what.join("; ")}`] : study.summary ? [`  ${line(study.summary)}`] : []),
    `  ${line(study.url, 500)} (id ${line(study.id, 300)})`,
  ].join("\n");
}

/** `outage time −88% (better): Total outage time fell by 88%.` */
function outcomeText(outcome: CaseStudy["outcomes"][number]): string {
  const text = line(outcome.text, 160);
  const figure = outcome.noun === null ? null : outcomeLine(outcome);
  return figure === null ? text : `${line(figure, 200)}: ${text}`;
}

/** `Tidewell (slug tidewell, tidewell.example, Cloud computing): 4 case studies` */
export function companyText({ name, slug, domain, industry, total_case_studies }: Company): string {
  const facts = joined(
    [`slug ${slug}`, domain, industry].map((fact) => fact && line(fact, 200)),
    ", ",
  );
  return `${line(name, 200)} (${facts}): ${plural(total_case_studies, "case study", "case studies")}`;
}

/** Industries, clients and outcomes, one line each. */
export function analysisText({ top_industries, top_clients, top_outcomes }: CompanyAnalysis): string[] {
  const industries = top_industries.map(({ industry, case_studies }) => `${line(industry, 100)} ${case_studies}`);
  const clients = top_clients.map(({ client, case_studies }) => `${line(client, 100)} ${case_studies}`);
  const outcomes = top_outcomes.map(
    ({ metric, median, unit, direction, kind, better, figures, nouns, case_studies }) => {
      const figure = outcomeFigure({ value: median, unit, direction, kind, text: "" });
      const facts = joined(
        [
          nouns.length === 0 ? null : nouns.map((noun) => line(noun, 80)).join("; "),
          direction === "absolute" ? null : direction,
          figure === null ? null : `${figures > 1 ? `median of ${figures} figures` : "figure"} ${line(figure, 60)}`,
          judgementOf({ better, kind, direction }),
          plural(case_studies, "story", "stories"),
        ],
        ", ",
      );
      return `${line(metric, 60)} (${facts})`;
    },
  );
  return [
    ...(industries.length > 0 ? [`Industries: ${industries.join(", ")}`] : []),
    ...(clients.length > 0 ? [`Clients: ${clients.join(", ")}`] : []),
    ...(outcomes.length > 0 ? [`Outcomes: ${outcomes.join(", ")}`] : []),
  ];
}
