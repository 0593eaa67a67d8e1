/** Writes ONNX files: the few messages of `onnx.proto3` that a small graph needs, in protobuf's wire format. */

const ELEMENT = { float: 1, int8: 3, int64: 7 } as const;
export type ElementType = keyof typeof ELEMENT;

/** A dimension is a number, or a name when it varies. */
export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (number | string)[];
}

export interface Constant {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array | Int8Array | BigInt64Array;
}

export interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Integers only: the graphs here need no other attribute. */
  readonly attributes?: Readonly<Record<string, number>>;
}

export interface Graph {
  readonly name: string;
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  readonly constants: readonly Constant[];
  readonly nodes: readonly Node[];
}

const IR_VERSION = 8;
const OPSET = 17;

/** The bytes of an ONNX model of opset 17. Raw tensor data is little-endian, as every supported machine is. */
export function onnxModel(graph: Graph): Uint8Array {
  return join([
    number(1, IR_VERSION),
    text(2, "casefile"),
    message(7, graphBody(graph)),
    message(8, [text(1, ""), number(2, OPSET)]),
  ]);
}

function graphBody({ name, inputs, outputs, constants, nodes }: Graph): Uint8Array[] {
  return [
    ...nodes.map(({ op, inputs, outputs, attributes }) =>
      message(1, [
        ...inputs.map((input) => text(1, input)),
        ...outputs.map((output) => text(2, output)),
        text(4, op),
        ...Object.entries(attributes ?? {}).map(([key, value]) =>
          message(5, [text(1, key), number(3, value), number(20, 2)]),
        ),
      ]),
    ),
    text(2, name),
    ...constants.map(({ name, shape, data }) =>
      message(5, [
        ...shape.map((size) => number(1, size)),
        number(2, elementOf(data)),
        text(8, name),
        bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)),
      ]),
    ),
    ...inputs.map((input) => message(11, valueBody(input))),
    ...outputs.map((output) => message(12, valueBody(output))),
  ];
}

function valueBody({ name, type, shape }: Value): Uint8Array[] {
  const dimensions = shape.map((size) => message(1, [typeof size === "number" ? number(1, size) : text(2, size)]));
  return [text(1, name), message(2, [message(1, [number(1, ELEMENT[type]), message(2, dimensions)])])];
}

function elementOf(data: Constant["data"]): number {
  if (data instanceof Float32Array) return ELEMENT.float;
  return data instanceof Int8Array ? ELEMENT.int8 : ELEMENT.int64;
}

/** Negative integers take ten bytes, in two's complement. */
function varint(value: number): number[] {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...out, Number(rest)];
}

const number = (field: number, value: number) => Uint8Array.from([...varint(field << 3), ...varint(value)]);
const bytes = (field: number, content: Uint8Array) =>
  join([Uint8Array.from([...varint((field << 3) | 2), ...varint(content.length)]), content]);
const text = (field: number, content: string) => bytes(field, new TextEncoder().encode(content));
const message = (field: number, parts: readonly Uint8Array[]) => bytes(field, join(parts));

function join(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
