import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { closed, instant, maybeInstant, oneOf, pageQuery, someOf, text, total } from "../../http/schemas.ts";
import { outcomeReading, studyFields, studySchema } from "../schemas.ts";
import { ENGINES, REVIEW_ORDERS } from "../types.ts";

export const studyDetailSchema = t.Object(
  {
    study: studySchema,
    origin: t.String(),
    body: t.Union([t.String({ description: "The text from which the fields were extracted." }), t.Null()]),
    provenance: t.Array(
      t.Object({
        pointer: t.String({ description: "JSON pointer into `study`." }),
        engine: oneOf(ENGINES),
        sentence: text,
        confidence: t.Number({ minimum: 0, maximum: 1 }),
      }),
    ),
    corrections: t.Record(t.String(), t.Unknown(), { description: "Values corrected by the operator, by field." }),
    versions: t.Array(t.Object({ revision: Type.Integer(), replaced_at: instant, study: studySchema })),
    page: t.Union([
      t.Object({
        url: t.String(),
        state: oneOf(["fetched", "structured", "refused", "gone"]),
        reason: text,
        etag: text,
        last_modified: text,
        content_hash: text,
        fetched_at: instant,
        gone_at: maybeInstant,
      }),
      t.Null(),
    ]),
  },
  { title: "CaseStudyDetail" },
);

export const reviewQuery = t.Object(
  {
    company: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Slug." })),
    industry: t.Optional(t.String({ minLength: 1, maxLength: 200, description: "Name, slug or synonym, any case." })),
    corrected: t.Optional(oneOf(["yes", "no"])),
    order: t.Optional(
      t.Union(
        REVIEW_ORDERS.map((order) => t.Literal(order)),
        {
          description: "`least-sure`, the default: lowest confidence first. `newest`: last added first.",
          error: `Give one of ${REVIEW_ORDERS.join(", ")}.`,
        },
      ),
    ),
    ...pageQuery,
  },
  closed,
);
export const reviewSchema = t.Object(
  {
    case_studies: t.Array(
      t.Object({
        id: t.String(),
        title: t.String(),
        url: t.String(),
        company: studyFields.company,
        client: studyFields.client,
        industry: text,
        published_at: text,
        origin: studyFields.origin,
        least_sure: t.Union(
          [
            t.Object({
              pointer: t.String({ description: "JSON pointer into the case study." }),
              confidence: t.Number({ minimum: 0, maximum: 1 }),
            }),
            t.Null(),
          ],
          {
            description:
              "The uncorrected field with the lowest confidence; `null` for case studies that were not extracted from a page.",
          },
        ),
        corrected: t.Array(t.String({ description: "Name of a field." })),
      }),
    ),
    total,
    next_cursor: text,
  },
  { title: "ReviewList" },
);
export const correctedParam = t.Object({
  id: t.String({ minLength: 1, maxLength: 300 }),
  field: t.String({ minLength: 1, maxLength: 40, description: "Name of a corrected field." }),
});

const { outcomes, quote, ...plainFields } = studyFields;
const orNull = (fields: string) => ({
  description: "`null` clears the field.",
  error: `Give ${fields}, or null.`,
});
export const correctionBody = t.Object(
  {
    title: t.Optional(plainFields.title),
    client: t.Optional(t.Union([t.Object(plainFields.client.properties, closed), t.Null()], orNull("name and domain"))),
    industry: t.Optional(plainFields.industry),
    country: t.Optional(plainFields.country),
    summary: t.Optional(plainFields.summary),
    challenge: t.Optional(plainFields.challenge),
    solution: t.Optional(plainFields.solution),
    outcomes: t.Optional(
      t.Union(
        [
          t.Array(
            t.Object({ ...outcomes.items.properties, ...t.Partial(t.Object(outcomeReading)).properties }, closed),
          ),
          t.Null(),
        ],
        orNull("a list of outcomes with metric, value, unit, direction and text"),
      ),
    ),
    products: t.Optional(t.Union([plainFields.products, t.Null()], orNull("a list of names"))),
    tools: t.Optional(t.Union([plainFields.tools, t.Null()], orNull("a list of names"))),
    quote: t.Optional(
      t.Union([t.Object(quote.anyOf[0].properties, closed), t.Null()], orNull("text, person and role")),
    ),
    published_at: t.Optional(plainFields.published_at),
    language: t.Optional(plainFields.language),
  },
  { ...someOf, title: "Correction" },
);
