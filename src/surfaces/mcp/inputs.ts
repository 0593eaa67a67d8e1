import { Type } from "@sinclair/typebox";

/** Unknown arguments are refused, so that a typo is never silently ignored. */
export const closed = { additionalProperties: false };

export const slug = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
export const count = (maximum: number, fallback: number, description: string) =>
  Type.Integer({ minimum: 1, maximum, description: `${description}; ${fallback} by default.` });
export const industry = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, description: `${description}: a name such as "Banking", any case.` });
export const query = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: "What you look for, in your own words: 1 to 1,000 characters.",
});
