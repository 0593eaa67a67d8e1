import { Failure } from "../core/errors.ts";

interface Field {
  readonly field: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Yields the length-delimited fields of a protobuf message; number fields are skipped.
 *
 * @throws Failure `model.invalid`
 */
export function* fieldsOf(content: Uint8Array, start: number, end: number): Generator<Field> {
  let at = start;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 10; shift += 1) {
      const byte = content[at];
      if (byte === undefined || at >= end) throw notOnnx();
      at += 1;
      value += (byte & 127) * 2 ** (7 * shift);
      if (byte < 128) return value;
    }
    throw notOnnx();
  };
  while (at < end) {
    const tag = varint();
    const wire = tag % 8;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = varint();
      if (length > end - at) throw notOnnx();
      yield { field: Math.floor(tag / 8), from: at, to: at + length };
      at += length;
    } else throw notOnnx();
    if (at > end) throw notOnnx();
  }
}

export const textOf = (content: Uint8Array, from: number, to: number) =>
  new TextDecoder().decode(content.subarray(from, to));

export const notOnnx = () =>
  new Failure("model.invalid", "The model's file is not an ONNX model; export or download it again.");

/** The numbers of the fields that lead to the constants of a graph, in `onnx.proto3`. */
const [GRAPH, CONSTANT, NAME, CONTENT] = [7, 5, 8, 9];

/** The bytes of the constants of a graph, by name; those that keep them elsewhere are missing. */
export function constantsOf(model: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const constants = new Map<string, Uint8Array>();
  const fields = (field: number, within: Omit<Field, "field">) =>
    [...fieldsOf(model, within.from, within.to)].filter((each) => each.field === field);
  for (const graph of fields(GRAPH, { from: 0, to: model.length }))
    for (const constant of fields(CONSTANT, graph)) {
      const [name] = fields(NAME, constant);
      const [content] = fields(CONTENT, constant);
      if (name && content) constants.set(textOf(model, name.from, name.to), model.subarray(content.from, content.to));
    }
  return constants;
}
