import fc from "fast-check";
import type { Operation } from "../../../src/reference/openapi.ts";

export interface Input {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly object[];
  readonly items?: object;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Long texts find no more faults than short ones, and are slow. */
const LONG = 80;

const day = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Values that match a schema. */
export function fitting(schema: object, resolved: (part: object) => object): fc.Arbitrary<unknown> {
  const shape: Shape = resolved(schema);
  const of = (inner: object) => fitting(inner, resolved);
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map(of));
  switch (shape.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: shape.minimum ?? -1_000, max: shape.maximum ?? 1_000 });
    case "number":
      return fc.double({ min: shape.minimum ?? -1e6, max: shape.maximum ?? 1e6, noNaN: true });
    case "array":
      return fc.array(of(shape.items ?? {}), {
        minLength: shape.minItems ?? 0,
        maxLength: Math.min(shape.maxItems ?? 3, 10),
      });
    case "object":
      return objects(shape, of);
    default:
      return texts(shape);
  }
}

function objects(shape: Shape, of: (inner: object) => fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  const fields = Object.fromEntries(Object.entries(shape.properties ?? {}).map(([name, inner]) => [name, of(inner)]));
  return fc
    .record(fields, { requiredKeys: [...(shape.required ?? [])] })
    .filter((value) => Object.keys(value).length >= (shape.minProperties ?? 0));
}

function texts({ pattern, format, minLength = 0, maxLength = LONG }: Shape): fc.Arbitrary<string> {
  if (format === "date") return day;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, LONG)) };
  return fc.oneof(
    fc.string(bounds),
    fc.string({ ...bounds, unit: "binary" }).filter((text) => text.isWellFormed()),
  );
}

/** Inputs that are valid for an operation; `known` are existing values by parameter or field. */
export function inputsOf(
  operation: Operation,
  known: Readonly<Record<string, readonly unknown[]>>,
  resolved: (part: object) => object,
): fc.Arbitrary<Input> {
  const parameters = operation.parameters ?? [];
  const either = (name: string, schema: object) =>
    known[name]
      ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known[name]) }, fitting(schema, resolved))
      : fitting(schema, resolved);
  const those = (place: string) =>
    fc.record(
      Object.fromEntries(
        parameters.filter((one) => one.in === place).map(({ name, schema }) => [name, either(name, schema)]),
      ),
      { requiredKeys: parameters.filter((one) => one.in === place && one.required).map(({ name }) => name) },
    );
  const [media] = Object.values(operation.requestBody?.content ?? {});
  const body = media?.schema
    ? fc.oneof(fc.constant(media.example), { weight: 3, arbitrary: bodiesOf(media.schema, known, resolved) })
    : fc.constant(undefined);
  return fc.record({ path: those("path"), query: those("query"), body });
}

/** Bodies whose fields are sometimes existing values. */
function bodiesOf(
  schema: object,
  known: Readonly<Record<string, readonly unknown[]>>,
  resolved: (part: object) => object,
): fc.Arbitrary<unknown> {
  const { properties = {} }: Shape = resolved(schema);
  const led = Object.keys(properties).filter((name) => known[name]);
  const leading = fc.record(Object.fromEntries(led.map((name) => [name, fc.constantFrom(...(known[name] ?? []))])), {
    requiredKeys: [],
  });
  return fc.tuple(fitting(schema, resolved), leading).map(([body, better]) => ({ ...Object(body), ...better }));
}

/** Invalid inputs of an operation with a JSON body, derived from valid ones. */
export const spoiltBodies = (body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(null, [], 0, "text", true, {}),
    body.map((value) => ({ ...Object(value), no_such_field: 1 })),
    fc
      .tuple(body, fc.nat(9), fc.constantFrom<unknown>(null, {}, [[]], -1.5, "x".repeat(5_000)))
      .map(([value, place, worse]) => {
        const names = Object.keys(Object(value));
        const name = names[place % Math.max(1, names.length)] ?? "no_such_field";
        return { ...Object(value), [name]: worse };
      }),
  );
