import { Type } from "@sinclair/typebox";
import { EXCLUSIONS, FACT_SOURCES, proofsWithoutClaims } from "../prospects/proof.ts";
import { POINTS } from "../prospects/proof-formula.ts";
import { nullable, study, studyText } from "./records.ts";
import { closed, count, defineTool, industry, joined, line, plural, slug } from "./tool.ts";

const MOST_PROOFS = 20;
const factSource = nullable(Type.Union(FACT_SOURCES.map((source) => Type.Literal(source))));

export const findProof = defineTool({
  name: "find_proof_for_company",
  title: "Find proof for a company",
  description:
    "Returns the case studies that would convince a company, best first, each with factual reasons: tools that both name, the same industry or country, a migration from a tool that the company uses, an answer to the question. Uses the stored result of a scan; a company without one is scanned (up to 15 seconds). Give `vendor` to find what one vendor could send.",
  input: Type.Object(
    {
      domain: Type.String({ minLength: 1, maxLength: 2_048, description: "The company's domain, such as acme.com." }),
      vendor: Type.Optional(slug("Slug of the vendor that sells, as find_companies returns it.")),
      question: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1_000, description: "What the company wants, in natural language." }),
      ),
      industry: Type.Optional(industry("The company's industry, where its case studies do not say it")),
      limit: Type.Optional(count(MOST_PROOFS, 5, "Case studies")),
    },
    closed,
  ),
  output: Type.Object({
    prospect: Type.Object({
      domain: Type.String(),
      industry: nullable(Type.String()),
      industry_from: factSource,
      country: nullable(Type.String()),
      country_from: factSource,
      tools_detected: Type.Integer(),
      scanned_at: Type.String({ description: "ISO 8601 UTC." }),
      stale_reason: Type.Optional(Type.String()),
    }),
    vendor: nullable(Type.String()),
    question: nullable(Type.String()),
    proofs: Type.Array(
      Type.Object({
        case_study: study,
        score: Type.Number({ minimum: 0, maximum: 1, description: "Orders the proofs of one company." }),
        reasons: Type.Array(
          Type.Object({
            kind: Type.Union(Object.keys(POINTS).map((kind) => Type.Literal(kind))),
            text: Type.String(),
            value: Type.String(),
            sentence: nullable(Type.String({ description: "The sentence of the case study that supports it." })),
            field: Type.String(),
            points: Type.Number(),
          }),
        ),
      }),
      { description: "Best first." },
    ),
    case_studies: Type.Integer({ description: "Case studies that were compared." }),
    excluded: Type.Array(
      Type.Object({
        reason: Type.Union(EXCLUSIONS.map((reason) => Type.Literal(reason))),
        detail: Type.String(),
        case_studies: Type.Integer(),
      }),
    ),
  }),
  openWorld: true,
  units: () => 1,
  async run({ prospects }, { domain, limit = 5, ...request }, { signal }) {
    const found = await prospects.proofs(domain, { ...request, limit, signal });
    const { prospect, proofs, excluded } = found;
    const facts = joined(
      [plural(prospect.tools_detected, "tool"), prospect.industry, prospect.country].map(
        (fact) => fact && line(fact, 100),
      ),
    );
    const text = [
      `${line(prospect.domain, 300)} (${facts}): ${plural(proofs.length, "case study", "case studies")} to send.`,
      ...proofs.flatMap(({ case_study, reasons }) => [
        studyText(case_study),
        ...reasons.map(
          (reason) =>
            `  Reason: ${line(reason.text, 200)}${reason.sentence === null ? "" : ` "${line(reason.sentence)}"`}`,
        ),
      ]),
      ...excluded.map(({ case_studies, detail }) => `${case_studies} excluded: ${detail}`),
    ].join("\n");
    return { data: proofsWithoutClaims(found), text };
  },
});
