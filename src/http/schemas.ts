import { Type } from "@sinclair/typebox";
import { t } from "elysia";

/** Unknown fields and parameters are refused, so that no typo is silently ignored. */
export const closed = { additionalProperties: false };

interface WholeNumber {
  readonly minimum: number;
  readonly maximum: number;
  /** The same range as a regular expression. */
  readonly pattern: string;
  readonly description: string;
}

/**
 * A whole number in a query string. Elysia's numeric type loses the parameter's name in the error when the number is out
 * of range, so this is text with a pattern; the OpenAPI document shows `integer` instead.
 */
export const wholeNumber = ({ minimum, maximum, pattern, description }: WholeNumber) =>
  t.String({
    pattern,
    error: `Give a whole number from ${minimum} to ${maximum}.`,
    integer: { type: "integer", minimum, maximum, description },
  });

export const noQuery = t.Object({}, closed);

export const problemSchema = t.Object({
  type: t.String({ examples: ["urn:casefile:problem:domain.invalid"] }),
  title: t.String(),
  status: Type.Integer(),
  detail: t.String(),
  code: t.String(),
  request_id: t.String(),
  errors: t.Optional(t.Array(t.Object({ pointer: t.String(), detail: t.String() }))),
  unknown: t.Optional(t.Array(t.String(), { description: "Unknown slugs." })),
});

/** An empty change is refused as a mistake. */
export const someOf = { ...closed, minProperties: 1 };

export const text = t.Union([t.String(), t.Null()]);
export const instant = t.String({ format: "date-time" });
export const maybeInstant = t.Union([instant, t.Null()]);
export const total = Type.Integer();

/** One of the given words; the error lists them. */
export const oneOf = <Word extends string>(words: readonly Word[]) =>
  t.Union(
    words.map((word) => t.Literal(word)),
    { error: `Give one of ${words.join(", ")}.` },
  );

export const pageQuery = {
  limit: t.Optional(
    wholeNumber({ minimum: 1, maximum: 100, pattern: "^([1-9]\\d?|100)$", description: "Page size. Default 20." }),
  ),
  cursor: t.Optional(t.String({ minLength: 1, maxLength: 1_000, description: "`next_cursor` of the previous page." })),
};

/** The page options of a query. */
export const pageOf = ({ limit, cursor }: { limit?: string | undefined; cursor?: string | undefined }) => ({
  ...(limit ? { limit: Number(limit) } : {}),
  ...(cursor ? { cursor } : {}),
});
