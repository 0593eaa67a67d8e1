import { type Static, Type } from "@sinclair/typebox";
import type { StudyQuery } from "../casestudies/service.ts";
import type { StudyResults } from "../casestudies/types.ts";
import { NO_GOOD_MATCH_TEXT, noticesOf, resultsView, withPointers } from "../casestudies/view.ts";
import { Failure } from "../core/errors.ts";
import { hit, studyText } from "./records.ts";
import { backlog, closed, count, country, defineTool, degraded, industry, line, query, slug, tool } from "./tool.ts";

const MOST_QUERIES = 10;
const BY_DEFAULT = 5;

const company = slug("Only of this vendor: its slug, as find_companies returns it.");
const ofIndustry = industry("Only clients of this industry");
const limit = count(50, BY_DEFAULT, "Results of a query");

const noGoodMatch = Type.Optional(Type.Boolean({ description: NO_GOOD_MATCH_TEXT }));

const input = Type.Object(
  {
    query: Type.Optional(query),
    queries: Type.Optional(
      Type.Array(
        Type.Object(
          {
            query,
            industry: Type.Optional(ofIndustry),
            company: Type.Optional(company),
            country,
            tool,
            limit: Type.Optional(limit),
          },
          closed,
        ),
        {
          minItems: 1,
          maxItems: MOST_QUERIES,
          description: "Up to ten queries instead of `query`; each counts as one request.",
        },
      ),
    ),
    industry: Type.Optional(ofIndustry),
    company: Type.Optional(company),
    country,
    tool,
    mode: Type.Optional(
      Type.Union([Type.Literal("hybrid"), Type.Literal("semantic"), Type.Literal("keyword")], {
        description: "semantic (by meaning), keyword (by words) or hybrid (both, the default).",
      }),
    ),
    limit: Type.Optional(limit),
  },
  closed,
);

export const searchCaseStudies = defineTool({
  name: "search_case_studies",
  title: "Search case studies",
  description:
    "Searches published case studies by meaning and returns the matching passage, outcomes and the URL to cite. Give `query`, or `queries` for up to ten at once; `industry`, `company`, `country`, `tool` and `limit` at the top level apply to each query that does not set them. `relevance` says whether a result answers the query (strong, good, weak); with `no_good_match`, say that nothing fits.",
  input,
  output: Type.Object({
    results: Type.Array(
      Type.Object({
        query: Type.String(),
        results: Type.Array(hit),
        no_good_match: noGoodMatch,
        degraded,
        index: backlog,
      }),
      {
        description: "One for each query, in their order; results best first.",
      },
    ),
  }),
  openWorld: false,
  units: ({ queries }) => queries?.length ?? 1,
  async run({ caseStudies }, args, { signal }) {
    const questions = questionsOf(args);
    const answers = await withPointers(caseStudies.search(questions, signal), (place) =>
      args.queries ? `/queries${place}` : place.replace(/^\/0/, ""),
    );
    const texts = [...answers.map(answerText), ...new Set(answers.flatMap(noticesOf))];
    return { data: { results: answers.map(resultsView) }, text: texts.join("\n\n") };
  },
});

/** @throws Failure `query.invalid` unless exactly one of `query` and `queries` is given, which a schema for all clients cannot say */
function questionsOf({ query: one, queries, mode, ...shared }: Static<typeof input>): StudyQuery[] {
  if ((one === undefined) === (queries === undefined)) {
    throw new Failure("query.invalid", "Give either `query` or `queries`.");
  }
  const asked = queries ?? [{ query: one ?? "" }];
  return asked.map((each) => {
    const { query: text, limit: most, ...filter } = { ...shared, ...each };
    return { query: text, filter, ...(most === undefined ? {} : { limit: most }), ...(mode ? { mode } : {}) };
  });
}

function answerText({ query: asked, hits }: StudyResults): string {
  if (hits.length === 0) return `"${line(asked, 200)}": nothing found. Try other words, or use fewer filters.`;
  return [
    `"${line(asked, 200)}":`,
    ...hits.map(({ study, score, relevance, passage }) =>
      [
        studyText(study, relevance ? `${relevance.level} match` : `score ${score.toFixed(2)}`),
        ...(passage.text ? [`  "${line(passage.text)}"`] : []),
      ].join("\n"),
    ),
  ].join("\n");
}
