import { expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { faultText } from "../../src/core/errors.ts";

const text = Type.String({ minLength: 1, maxLength: 3 });
const form = Type.Object({ query: text }, { additionalProperties: false, minProperties: 1 });

test.each<[TSchema, unknown, string]>([
  [form, {}, "Give at least one field."],
  [Type.Object({ query: text }), {}, "It is required."],
  [form, { query: "a", qury: "a" }, "Unknown field; remove it."],
  [form, [], "Give an object."],
  [text, 5, "Give a string."],
  [text, "", "Give a non-empty string."],
  [text, "abcd", "Give a string of at most 3 characters."],
  [Type.Boolean(), "yes", "Give true or false."],
  [Type.Integer(), 1.5, "Give a whole number."],
  [Type.Number(), "1", "Give a number."],
  [Type.Integer({ minimum: 1 }), 0, "Give 1 or more."],
  [Type.Integer({ maximum: 50 }), 51, "Give 50 at most."],
  [Type.Array(text), {}, "Give a list."],
  [Type.Array(text, { minItems: 1 }), [], "Give at least 1."],
  [Type.Array(text, { maxItems: 1 }), ["a", "b"], "Give at most 1."],
])("a value that %p refuses gets advice", (schema, value, advice) => {
  expect(faultText(Value.Errors(schema, value).First()?.message ?? "")).toBe(advice);
});

test("an unknown message is returned unchanged", () => {
  expect(faultText("Expected something else")).toBe("Expected something else");
});
