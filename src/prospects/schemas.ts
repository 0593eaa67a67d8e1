import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { claimedStudySchema, industry, slug } from "../casestudies/schemas.ts";
import { closed, instant, oneOf, text, wholeNumber } from "../http/schemas.ts";
import { BRIEF_FORMATS } from "./brief-format.ts";
import { BRIEF_SECTIONS } from "./brief-sections.ts";
import { EXCLUSIONS, FACT_SOURCES } from "./proof.ts";
import { POINTS } from "./proof-formula.ts";

export const vendorParam = t.Object({ slug });

const toolIds = t.Array(t.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 50,
  description: "Ids of fingerprints; an empty list says that the product leaves no public sign.",
});

export const vendorToolsBody = t.Object({ tools: toolIds }, { ...closed, title: "VendorToolsEdit" });

export const vendorToolsSchema = t.Object(
  {
    vendor: t.String({ description: "Slug." }),
    tools: toolIds,
    origin: t.Union([t.Literal("operator"), t.Literal("table"), t.Literal("names")], {
      description:
        "Who linked them: the operator, the table of the release, or the equal names of vendor and fingerprint.",
    }),
  },
  { title: "VendorTools" },
);

export const prospectParam = t.Object({
  domain: t.String({
    minLength: 1,
    maxLength: 2_048,
    description: "Company domain, also as a URL; the answer is for its registrable domain.",
    examples: ["brightpine.com"],
  }),
});

const vendor = { ...slug, description: "Slug of the vendor that sells; by default all vendors." };
const question = t.String({
  minLength: 1,
  maxLength: 4_000,
  description: "What the company wants: natural language, 1 to 1,000 characters after trimming.",
  error: "Give 1 to 1,000 characters.",
});
const country = t.String({
  minLength: 1,
  maxLength: 100,
  description:
    "The company's country: ISO 3166-1 alpha-2 code or English name. By default that of its case studies, else of its top-level domain.",
});
const ownIndustry = {
  ...industry,
  description: "The company's industry: name, slug or synonym. By default that of its case studies.",
};
const MAX_AGE_TEXT =
  "Maximum age of the stored result in seconds; 0 forces a new scan. By default every stored result is accepted, and only a company without one is scanned.";

export const proofBody = t.Object(
  {
    vendor: t.Optional(vendor),
    question: t.Optional(question),
    industry: t.Optional(ownIndustry),
    country: t.Optional(country),
    limit: t.Optional(Type.Integer({ minimum: 1, maximum: 50, description: "Default 10." })),
    max_age: t.Optional(Type.Integer({ minimum: 0, maximum: 99_999_999, description: MAX_AGE_TEXT })),
  },
  { ...closed, title: "ProofRequest" },
);

const maxAge = t.Optional(
  wholeNumber({ minimum: 0, maximum: 99_999_999, pattern: "^\\d{1,8}$", description: MAX_AGE_TEXT }),
);

export const briefQuery = t.Object(
  {
    vendor: t.Optional(vendor),
    question: t.Optional(question),
    industry: t.Optional(ownIndustry),
    country: t.Optional(country),
    max_age: maxAge,
    format: t.Optional({
      ...oneOf(BRIEF_FORMATS),
      description: "By default the type that `Accept` prefers, else JSON.",
    }),
  },
  closed,
);

export const gapsQuery = t.Object(
  {
    industry: t.Optional(ownIndustry),
    category: t.Optional(t.String({ minLength: 1, maxLength: 100, description: "Label of the only category." })),
    max_age: maxAge,
  },
  closed,
);

const factSource = t.Union([...FACT_SOURCES.map((source) => t.Literal(source)), t.Null()], {
  description: "Where it is known from; `null` when it is unknown.",
});
const prospectSchema = t.Object(
  {
    domain: t.String(),
    industry: text,
    industry_from: factSource,
    country: text,
    country_from: factSource,
    tools_detected: Type.Integer(),
    scanned_at: instant,
    stale_reason: t.Optional(t.String({ description: "Why an older stored result could not be renewed." })),
  },
  { title: "Prospect" },
);

const SCORE_TEXT =
  "0 to 1, best first. Scores order the proofs of one company and do not measure relevance; docs/prospects.md has the formula.";

const KINDS = Object.keys(POINTS).map((kind) => t.Literal(kind));

export const proofsSchema = t.Object(
  {
    prospect: prospectSchema,
    vendor: text,
    question: text,
    proofs: t.Array(
      t.Object({
        case_study: claimedStudySchema,
        score: t.Number({ minimum: 0, maximum: 1, description: SCORE_TEXT }),
        reasons: t.Array(
          t.Object({
            kind: t.Union(KINDS),
            text: t.String({ description: "One sentence." }),
            value: t.String({ description: "What company and case study share." }),
            sentence: t.Union([t.String(), t.Null()], {
              description: "The sentence of the case study that supports it; `null` where only a field states it.",
            }),
            field: t.String({ description: "JSON pointer of what supports it; `/body` is the text of its page." }),
            points: t.Number(),
          }),
          { description: "Most points first." },
        ),
      }),
    ),
    case_studies: Type.Integer({ description: "Case studies of the vendor, or of all vendors." }),
    excluded: t.Array(
      t.Object({
        reason: t.Union(EXCLUSIONS.map((reason) => t.Literal(reason))),
        detail: t.String(),
        case_studies: Type.Integer(),
      }),
      { description: "Why the others are not among the proofs." },
    ),
  },
  { title: "Proofs" },
);

export const briefSchema = t.Object(
  {
    title: t.String({ description: "The company, and the vendor by its name." }),
    prospect: prospectSchema,
    vendor: text,
    question: text,
    sections: t.Array(
      t.Object({
        id: t.Union(BRIEF_SECTIONS.map((id) => t.Literal(id))),
        title: t.String(),
        groups: t.Array(
          t.Object({
            title: t.String(),
            url: text,
            statements: t.Array(
              t.Object({
                text: t.String(),
                quote: t.Union([t.String(), t.Null()], { description: "Copied letter for letter from a source." }),
                sources: t.Array(Type.Integer(), { description: "Numbers of its sources." }),
              }),
            ),
          }),
        ),
      }),
    ),
    sources: t.Array(
      t.Object({
        number: Type.Integer(),
        kind: t.Union(["scan", "history", "case_study", "request"].map((kind) => t.Literal(kind))),
        text: t.String({ description: "The stored sentence or record." }),
        url: text,
        location: text,
        case_study_id: text,
      }),
    ),
    phrased_by: t.Union([t.Literal("template"), t.Literal("language-model")]),
    fallback: t.Union([t.String(), t.Null()], {
      description: "Why a language model was not used, or not for everything.",
    }),
    dropped: Type.Integer({ description: "Statements that said more than their sources, and are omitted." }),
  },
  { title: "Brief" },
);

const HIDDEN_TEXT = "where the operator hides which companies were scanned (`stack.operator_only`).";

export const gapsSchema = t.Object(
  {
    prospect: prospectSchema,
    peers: t.Array(t.String(), {
      description: `Companies of the same industry with a stored report; empty ${HIDDEN_TEXT}`,
    }),
    gaps: t.Array(
      t.Object({
        category: t.String(),
        companies: Type.Integer({ description: "Peers that use a tool of the category." }),
        uses: t.Array(t.String(), { description: "Tools of the category that the company uses." }),
        tools: t.Array(
          t.Object({
            tool_id: t.String(),
            tool: t.String(),
            companies: Type.Integer({ description: "Peers that use it." }),
            domains: t.Array(t.String(), { description: `Their domains, the first 50; empty ${HIDDEN_TEXT}` }),
          }),
        ),
      }),
      { description: "Categories of which the company uses nothing first, then by the number of peers." },
    ),
  },
  { title: "Gaps" },
);

const seenClients = t.Array(
  t.Object({
    domain: t.Union([t.String(), t.Null()], { description: `\`null\` ${HIDDEN_TEXT}` }),
    case_studies: t.Array(t.String(), { description: `Ids of the case studies that name it; empty ${HIDDEN_TEXT}` }),
    tool: t.String({ description: "The tool that is seen." }),
    category: t.String(),
    first_seen: instant,
    last_seen: instant,
  }),
);

export const rivalsSchema = t.Object(
  {
    vendor: t.Object({ name: t.String(), slug: t.String() }),
    tools: t.Array(t.String()),
    categories: t.Array(t.String()),
    clients_checked: Type.Integer({ description: "Clients in the vendor's case studies with a stored report." }),
    rivals: t.Array(
      t.Object({
        company: t.Object({ name: t.String(), slug: t.String() }),
        tools: t.Array(t.String(), { description: "Its tools in the same categories." }),
        categories: t.Array(t.String()),
        clients_checked: Type.Integer({ description: "Clients in its case studies with a stored report." }),
        clients_using_vendor: { ...seenClients, description: "Its clients that are seen using the vendor's tool." },
        vendor_clients_using_rival: {
          ...seenClients,
          description: "The vendor's clients that are seen using its tool.",
        },
      }),
      { description: "Vendors with a tool of the same category, most seen clients first." },
    ),
  },
  { title: "Rivals" },
);
