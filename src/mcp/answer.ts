import { Type } from "@sinclair/typebox";
import { MAX_CITATIONS, type StudyAnswer } from "../casestudies/answer/answer.ts";
import { answerView, NO_ANSWER_TEXT, noticesOf, withoutIndex, withPointers } from "../casestudies/view.ts";
import { nullable } from "./records.ts";
import {
  backlog,
  closed,
  count,
  country,
  defineTool,
  degraded,
  industry,
  joined,
  line,
  plural,
  query,
  slug,
  tool,
} from "./tool.ts";

const text = nullable(Type.String());

export const answerQuestion = defineTool({
  name: "answer_question",
  title: "Answer a question from case studies",
  description:
    "Returns the passages of case studies that answer a question, each verbatim with its client, vendor, figure and the URL to cite, grouped by what they claim. Case studies that hardly answer are omitted; with `no_answer`, say that no case study answers. Use search_case_studies for whole records.",
  input: Type.Object(
    {
      query,
      industry: Type.Optional(industry("Only clients of this industry")),
      company: Type.Optional(slug("Only of this vendor: its slug, as find_companies returns it.")),
      country,
      tool,
      limit: Type.Optional(count(MAX_CITATIONS, MAX_CITATIONS, "Passages at most", 3)),
    },
    closed,
  ),
  output: Type.Object({
    query: Type.String(),
    groups: Type.Array(
      Type.Object({
        claim: nullable(Type.String({ description: "What its passages measure; null for those without an outcome." })),
        citations: Type.Array(
          Type.Object({
            number: Type.Integer({ description: "From 1, over all groups." }),
            sentence: Type.String({ description: "One to three sentences of the case study, verbatim." }),
            highlights: Type.Array(Type.Array(Type.Integer()), {
              description: "Start and end of each matching term in `sentence`.",
            }),
            id: Type.String(),
            title: Type.String(),
            url: Type.String({ description: "URL of the original; cite it." }),
            company: Type.Object(
              { name: Type.String(), slug: Type.String() },
              { description: "The vendor that publishes it." },
            ),
            client: Type.Object({ name: text, domain: text }, { description: "The customer it is about." }),
            published_at: nullable(Type.String({ description: "ISO date." })),
            figure: nullable(
              Type.Object(
                { text: Type.String(), measured: Type.String() },
                { description: "The figure that the sentence states, and what it measures." },
              ),
            ),
            relevance: Type.Union([Type.Literal("strong"), Type.Literal("good"), Type.Null()], {
              description: "Null where results were not rated, as by keyword only.",
            }),
            also_in: Type.Array(Type.Object({ id: Type.String(), url: Type.String() }), {
              description: "Other case studies with nearly the same sentence.",
            }),
          }),
          { description: "Best first." },
        ),
      }),
      { description: "The group of the best passage first." },
    ),
    no_answer: Type.Optional(Type.Boolean({ description: NO_ANSWER_TEXT })),
    degraded,
    index: backlog,
  }),
  openWorld: false,
  units: () => 1,
  async run({ caseStudies }, { query: question, limit, ...filter }, { signal }) {
    const answering = caseStudies.answer({ query: question, limit, filter, compose: false }, signal);
    const answer = await withPointers(answering, withoutIndex);
    return { data: answerView(answer), text: [answerText(answer), ...noticesOf(answer)].join("\n\n") };
  },
});

/** Each passage with its figure, vendor, client and address, under what it claims. */
function answerText({ query: question, groups, noAnswer }: StudyAnswer): string {
  const about = `"${line(question, 200)}":`;
  if (noAnswer)
    return `${about} no case study answers this well. Try other words, omit industry, company, country or tool, or call search_case_studies for the nearest.`;
  return [
    about,
    ...groups.flatMap(({ claim, citations }) => [
      ...(claim === null ? [] : [`${line(claim, 100)}:`]),
      ...citations.map(({ sentence, figure, company, client, url, id, also_in }) => {
        const whom = client.name ?? client.domain;
        const facts = joined([
          `${line(company.name, 100)}${whom ? ` for ${line(whom, 100)}` : ""}`,
          figure && `${line(figure.measured, 100)} ${line(figure.text, 60)}`,
          also_in.length > 0 ? `also in ${plural(also_in.length, "other")}` : null,
        ]);
        return `- "${line(sentence, 600)}"\n  ${facts}\n  ${line(url, 500)} (id ${line(id, 300)})`;
      }),
    ]),
  ].join("\n");
}
