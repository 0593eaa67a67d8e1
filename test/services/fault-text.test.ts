import { expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type SchemaFault, schemaProblem } from "../../src/core/errors.ts";

const text = Type.String({ minLength: 1, maxLength: 3 });
const mode = Type.Union([Type.Literal("fast"), Type.Literal("slow")]);
const modes = Type.Object({ mode: Type.Union([mode, Type.Array(mode, { minItems: 1 })]) });
const form = Type.Object({ query: text }, { additionalProperties: false, minProperties: 1 });

test.each<[TSchema, unknown, string]>([
  [form, {}, "Give at least one field."],
  [Type.Object({ query: text }), {}, "It is required."],
  [form, { query: "a", qury: "a" }, 'Unknown field "qury": did you mean query?'],
  [form, [], "Give an object."],
  [text, 5, "Invalid value 5: give a string."],
  [text, "", 'Invalid value "": give a non-empty string.'],
  [text, "abcd", 'Invalid value "abcd": give a string of at most 3 characters.'],
  [Type.Boolean(), "yes", 'Invalid value "yes": give true or false.'],
  [Type.Integer(), 1.5, "Invalid value 1.5: give a whole number."],
  [Type.Number(), "1", 'Invalid value "1": give a number.'],
  [Type.Integer({ minimum: 1 }), 0, "Invalid value 0: give 1 or more."],
  [Type.Integer({ maximum: 50 }), 51, "Invalid value 51: give 50 at most."],
  [Type.Array(text), {}, "Give a list."],
  [Type.Array(text, { minItems: 1 }), [], "Give at least 1."],
  [Type.Array(text, { maxItems: 1 }), ["a", "b"], "Give at most 1."],
  [form, { query: "a", zzzzzzzz: "a" }, 'Unknown field "zzzzzzzz": remove it.'],
  [modes, { mode: "bad" }, 'Unknown mode "bad": use fast, slow or a list.'],
  [modes, { mode: ["fast", "bad"] }, 'Unknown mode "bad": use fast or slow.'],
  [modes, { mode: 5 }, "Unknown mode 5: use fast, slow or a list."],
  [modes, { mode: { a: 1 } }, "Unknown mode (an object): use fast, slow or a list."],
  [modes, { mode: [] }, "Give at least 1."],
  [Type.Object({ mode }), {}, "It is required."],
  [mode, `a\u001b[31m${"b".repeat(200)}`, `Unknown value "a [31m${"b".repeat(113)}…": use fast or slow.`],
  [Type.Literal(true), "yes", "Give true."],
  [Type.Union([text, Type.Null()]), 5, "Give a string or null."],
  [Type.Union([text, Type.Null()]), "abcd", 'Invalid value "abcd": give a string of at most 3 characters.'],
])("a value that %p refuses gets advice", (schema, value, advice) => {
  expect(schemaProblem(Value.Errors(schema, value).First() as SchemaFault).detail).toBe(advice);
});

test("an unknown message is returned unchanged", () => {
  expect(schemaProblem({ message: "Expected something else" }).detail).toBe("Expected something else");
});
