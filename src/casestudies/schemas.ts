import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, maybeInstant, oneOf, pageQuery, text } from "../http/schemas.ts";
import { MAX_CITATIONS } from "./answer/answer.ts";
import { CLAIM_STATUSES } from "./claims.ts";
import { ORIGINS, OUTCOME_KINDS } from "./types.ts";
import {
  ALSO_IN_TEXT,
  NO_ANSWER_TEXT,
  NO_GOOD_MATCH_TEXT,
  PROBABILITY_TEXT,
  RELEVANCE_TEXT,
  SCORE_TEXT,
} from "./view.ts";

export const nullable = <T extends ReturnType<typeof t.String> | ReturnType<typeof t.Number>>(schema: T) =>
  t.Union([schema, t.Null()]);
const day = t.String({ format: "date", description: "ISO date, inclusive.", error: "Give a date as YYYY-MM-DD." });

export const slug = t.String({ minLength: 1, maxLength: 200 });
export const industry = t.String({
  minLength: 1,
  maxLength: 200,
  description: "Name, slug or synonym of an industry, any case.",
});
const country = t.String({
  minLength: 1,
  maxLength: 100,
  description: "Country of the client: ISO 3166-1 alpha-2 code or English name, any case.",
});
const tool = t.String({
  minLength: 1,
  maxLength: 120,
  description: "A tool that the case study names, in any case.",
});
const includeClaim = t.Literal("claim", {
  description:
    "Adds `claim` to each case study whose client's domain is known; to lists not where the operator hides which companies were scanned (`stack.operator_only`).",
  error: "Give claim, or nothing.",
});
export const studyQuery = t.Object({ include: t.Optional(includeClaim) }, closed);
export const studiesQuery = t.Object(
  {
    company: t.Optional(slug),
    industry: t.Optional(industry),
    client: t.Optional(t.String({ minLength: 1, maxLength: 300, description: "Name or domain of the client." })),
    country: t.Optional(country),
    published_after: t.Optional(day),
    published_before: t.Optional(day),
    tool: t.Optional(tool),
    figures: t.Optional({
      ...oneOf(["true", "false"]),
      description: "`true`: only case studies with an outcome that has a figure.",
    }),
    claim: t.Optional({
      ...oneOf(CLAIM_STATUSES),
      description:
        "Only case studies whose claim has this status; see the schema `Claim`. 403 where the operator hides which companies were scanned (`stack.operator_only`).",
    }),
    include: t.Optional(includeClaim),
    ...pageQuery,
  },
  closed,
);

/** Up to 4,000 characters, because the limit of 1,000 applies after trimming. */
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
    country: t.Optional(country),
    tool: t.Optional(tool),
    mode: t.Optional(t.Union([t.Literal("hybrid"), t.Literal("semantic"), t.Literal("keyword")])),
    claim: t.Optional({
      ...oneOf(CLAIM_STATUSES),
      description:
        "Of the best 50 results, only those whose claim has this status; see the schema `Claim`. 403 where the operator hides which companies were scanned (`stack.operator_only`).",
    }),
    include: t.Optional(includeClaim),
  },
  { ...closed, title: "SearchRequest" },
);

export const answerBody = t.Object(
  {
    query,
    limit: t.Optional(
      Type.Integer({ minimum: 3, maximum: MAX_CITATIONS, description: "Passages at most. Default 8." }),
    ),
    industry: t.Optional(industry),
    company: t.Optional(slug),
    country: t.Optional(country),
    tool: t.Optional(tool),
    compose: t.Optional(
      t.Boolean({
        description:
          "Whether a configured language model composes an answer from the passages, which takes its time. Default true.",
      }),
    ),
  },
  { ...closed, title: "AnswerRequest" },
);

export const batchBody = t.Object(
  {
    queries: t.Array(
      t.Object(
        {
          query,
          industry: t.Optional(industry),
          company: t.Optional(slug),
          country: t.Optional(country),
          tool: t.Optional(tool),
          limit: t.Optional(resultLimit),
        },
        closed,
      ),
      { minItems: 1, maxItems: 10 },
    ),
  },
  { ...closed, title: "BatchRequest" },
);

export const studyParam = t.Object({ id: t.String({ minLength: 1, maxLength: 300 }) });

/** The fields of an outcome that say how to read its figure. */
export const outcomeReading = {
  noun: t.Union([t.String({ maxLength: 120 }), t.Null()], {
    description: "What was measured, such as `outage time`; `metric` groups it.",
  }),
  kind: t.Union([...OUTCOME_KINDS.map((kind) => t.Literal(kind)), t.Null()], {
    description:
      "`change`: by how much it changed. `level`: how much it is. `qualitative`: no figure. `null`: unknown.",
  }),
  from: t.Union([t.Number(), t.Null()], { description: "The figure before, in `unit`, where it is stated." }),
  to: t.Union([t.Number(), t.Null()], { description: "The figure after, in `unit`, where it is stated." }),
  better: t.Union([t.Boolean(), t.Null()], {
    description: "Whether it is good for the client; `null` when it is unknown.",
  }),
  sentence: t.Union([t.String({ maxLength: 1_000 }), t.Null()], {
    description: "The source's own words; `null` when they are not known or may not be shown.",
  }),
};

export const outcomeSchema = t.Object({
  metric: t.String(),
  value: t.Union([t.Number(), t.Null()], {
    description: "Amount of the change, or the level reached; `text` says which.",
  }),
  unit: text,
  direction: t.Union([t.Literal("increase"), t.Literal("decrease"), t.Literal("absolute")]),
  text: t.String(),
  ...outcomeReading,
});

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
  outcomes: t.Array(outcomeSchema),
  products: t.Array(t.String()),
  tools: t.Array(t.String()),
  quote: t.Union([
    t.Object({
      text: t.Union([t.String(), t.Null()], { description: "`null` where a record names only the speaker." }),
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
    { description: "How it was added: built in, crawled from a submission, or imported from a file." },
  ),
};

export const claimSchema = t.Object(
  {
    status: t.Union(
      CLAIM_STATUSES.map((status) => t.Literal(status)),
      {
        description:
          "`corroborated`: the newest stored report has confirmed evidence that the client set up the vendor's tool. `replaced`: every data source able to see it was checked without seeing it, and a tool of the same category is seen. `not_seen`: the same without such a tool; it may be used all the same. `cannot_be_seen`: the product leaves no public sign. `not_checked`: there is no stored report, a data source able to see it was not checked, the product is not known, or what is seen does not prove that the client itself uses it.",
      },
    ),
    since: maybeInstant,
    evidence: t.Union([
      t.Object({
        tool: t.String({ description: "The vendor's tool; with `replaced`, the tool of the same category." }),
        category: t.String(),
        means: t.String({ description: "What the evidence means, such as `runs` or `verified-once`." }),
        signal: t.String(),
        value: t.String(),
        location: t.String(),
        spans_products: t.Boolean({
          description:
            "The case study names a product that the catalogue does not distinguish from the vendor's other ones.",
        }),
      }),
      t.Null(),
    ]),
    checked_at: maybeInstant,
  },
  { title: "Claim", description: "What stored scans of the client say about the case study. Absent unless requested." },
);
const claimField = { claim: t.Optional(claimSchema) };

export const studySchema = t.Object(studyFields, { title: "CaseStudy" });
export const claimedStudySchema = t.Object({ ...studyFields, ...claimField }, { title: "CaseStudyWithClaim" });
export const studyListSchema = t.Object(
  {
    case_studies: t.Array(claimedStudySchema),
    total: Type.Integer(),
    next_cursor: text,
  },
  { title: "CaseStudyList" },
);

export const indexBacklogSchema = t.Object(
  { pending: Type.Integer({ minimum: 1, description: "Case studies that are not in the search index yet." }) },
  { description: "Present while the search index is behind: results may be missing." },
);

const degradedField = t.Optional(
  t.Object(
    { reason: t.String({ description: "One sentence." }) },
    { description: "Present when the query could not be answered as its mode says, such as by keyword only." },
  ),
);

const resultsOf = (more: Partial<typeof claimField>) => ({
  query: t.String(),
  results: t.Array(
    t.Object({
      ...studyFields,
      ...more,
      score: t.Number({ minimum: 0, maximum: 1, description: SCORE_TEXT }),
      relevance: t.Union([t.Literal("strong"), t.Literal("good"), t.Literal("weak"), t.Null()], {
        description: RELEVANCE_TEXT,
      }),
      probability: t.Union([t.Number({ minimum: 0, maximum: 1 }), t.Null()], { description: PROBABILITY_TEXT }),
      passage: t.String({ description: "The best-matching text." }),
      highlights: t.Array(t.Array(Type.Integer()), {
        description: "Start and end of each matching term in `passage`.",
      }),
      also_in: t.Optional(t.Array(t.Object({ id: t.String(), url: t.String() }), { description: ALSO_IN_TEXT })),
    }),
  ),
  no_good_match: t.Optional(t.Boolean({ description: NO_GOOD_MATCH_TEXT })),
  degraded: degradedField,
  index: t.Optional(indexBacklogSchema),
});
export const resultsSchema = t.Object(resultsOf({}), { title: "SearchResults" });
export const claimedResultsSchema = t.Object(resultsOf(claimField), { title: "SearchResultsWithClaims" });
export const batchSchema = t.Object({ results: t.Array(resultsSchema) }, { title: "BatchResults" });

export const answerSchema = t.Object(
  {
    query: t.String(),
    composed: t.Optional(
      t.Object(
        {
          sentences: t.Array(
            t.Object({
              text: t.String(),
              citations: t.Array(Type.Integer(), { description: "`number` of each passage that supports it." }),
            }),
            { description: "Empty when the model wrote none that the passages support." },
          ),
          dropped: Type.Integer({
            description: "Sentences that say more than the passages that they cite, and are omitted.",
          }),
          fallback: t.Union([t.String(), t.Null()], {
            description: "Why the language model was not used, or not for everything.",
          }),
        },
        {
          description:
            "A short answer in the words of the configured language model. Each of its figures, names and quotes is in a passage that the sentence cites. Absent without a language model.",
        },
      ),
    ),
    groups: t.Array(
      t.Object({
        claim: t.Union([t.String(), t.Null()], {
          description: "What its passages measure, such as `cost`; `null` for those without an outcome.",
        }),
        citations: t.Array(
          t.Object({
            number: Type.Integer({ description: "From 1, over all groups." }),
            sentence: t.String({ description: "One to three sentences of the case study, verbatim." }),
            highlights: t.Array(t.Array(Type.Integer()), {
              description: "Start and end of each matching term in `sentence`.",
            }),
            id: t.String(),
            title: t.String(),
            url: t.String({ description: "Of the original." }),
            company: t.Object({ name: t.String(), slug: t.String() }),
            client: t.Object({ name: text, domain: text }),
            published_at: text,
            figure: t.Union([t.Object({ text: t.String(), measured: t.String() }), t.Null()], {
              description: "The figure that the sentence states, such as `−42%`, and what it measures.",
            }),
            relevance: t.Union([t.Literal("strong"), t.Literal("good"), t.Null()], {
              description: "`null` where results were not rated, as by keyword only.",
            }),
            also_in: t.Array(t.Object({ id: t.String(), url: t.String() }), {
              description: "Other case studies with nearly the same sentence.",
            }),
          }),
          { description: "Best first." },
        ),
      }),
      { description: "The group of the best passage first." },
    ),
    no_answer: t.Optional(t.Boolean({ description: NO_ANSWER_TEXT })),
    degraded: degradedField,
    index: t.Optional(indexBacklogSchema),
  },
  { title: "Answer" },
);

export const industriesSchema = t.Object(
  {
    industries: t.Array(
      t.Object({
        industry: t.String({ description: "Name in case studies and filters." }),
        slug: t.Union([t.String(), t.Null()], {
          description: "`null` when the industry is not in the taxonomy.",
        }),
        case_studies: Type.Integer(),
      }),
      { description: "Most case studies first." },
    ),
  },
  { title: "Industries" },
);
