import { Type } from "@sinclair/typebox";
import { t } from "elysia";
import { wholeNumber } from "../schemas.ts";

export const closed = { additionalProperties: false };
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
