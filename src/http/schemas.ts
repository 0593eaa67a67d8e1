import { Type } from "@sinclair/typebox";
import { t } from "elysia";

/** Unknown fields and parameters are refused, so that a typo is never silently ignored. */
export const closed = { additionalProperties: false };

interface WholeNumber {
  readonly minimum: number;
  readonly maximum: number;
  /** The same range for its text. */
  readonly pattern: string;
  readonly description: string;
}

/**
 * A whole number in a query, which is text until a handler reads it: Elysia's own loses the parameter's name when the
 * number is out of range. The reference shows `integer` in its place.
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
  unknown: t.Optional(t.Array(t.String(), { description: "Slugs that no company has." })),
});

/** A change that changes nothing is a typo. */
export const someOf = { ...closed, minProperties: 1 };

export const text = t.Union([t.String(), t.Null()]);
export const instant = t.String({ format: "date-time" });
export const maybeInstant = t.Union([instant, t.Null()]);
export const total = Type.Integer();

/** One of a few words; its refusal names them. */
export const oneOf = <Word extends string>(words: readonly Word[]) =>
  t.Union(
    words.map((word) => t.Literal(word)),
    { error: `Give one of ${words.join(", ")}.` },
  );

export const pageQuery = {
  limit: t.Optional(
    wholeNumber({ minimum: 1, maximum: 100, pattern: "^([1-9]\\d?|100)$", description: "On one page. Default 20." }),
  ),
  cursor: t.Optional(t.String({ minLength: 1, maxLength: 1_000, description: "`next_cursor` of the page before." })),
};

/** What a query says of the page that is wanted. */
export const pageOf = ({ limit, cursor }: { limit?: string | undefined; cursor?: string | undefined }) => ({
  ...(limit ? { limit: Number(limit) } : {}),
  ...(cursor ? { cursor } : {}),
});
