import { Failure } from "../../vocabulary/failure.ts";

/** What a field of a message holds, where weights may lie below it: ONNX's own numbers, from `onnx.proto3`. */
const BELOW = {
  model: { 7: "graph", 20: "training", 25: "function" },
  training: { 1: "graph", 2: "graph" },
  graph: { 1: "node", 5: "tensor", 15: "sparse" },
  node: { 5: "attribute" },
  attribute: { 5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse" },
  function: { 7: "node", 11: "attribute" },
  sparse: { 1: "tensor", 2: "tensor" },
  tensor: { 13: "external" },
  external: {},
} as const satisfies Record<string, Readonly<Record<number, string>>>;

type Message = keyof typeof BELOW;

/** Graphs within graphs; real ones have two or three. */
const MAX_DEPTH = 48;
const MAX_LOCATION_BYTES = 1_000;
const MAX_LOCATIONS = 64;

/**
 * The files that an ONNX file keeps weights in beside itself, as it names them: anything may stand there.
 *
 * @throws Failure `model.invalid` when it is no ONNX file
 */
export function externalFiles(content: Uint8Array): string[] {
  const found = new Set<string>();
  let graphs = 0;
  const walk = (message: Message, start: number, end: number, depth: number): void => {
    if (depth > MAX_DEPTH) throw notOnnx();
    const below: Readonly<Record<number, Message>> = BELOW[message];
    let key = "";
    for (const { field, from, to } of fieldsOf(content, start, end)) {
      const kind = below[field];
      if (message === "external") {
        if (to - from > MAX_LOCATION_BYTES) throw notOnnx();
        if (field === 1) key = textOf(content, from, to);
        if (field === 2 && key === "location") found.add(textOf(content, from, to));
        if (found.size > MAX_LOCATIONS) throw notOnnx();
      } else if (kind !== undefined) {
        if (message === "model" && kind === "graph") graphs += 1;
        walk(kind, from, to, depth + 1);
      }
    }
  };
  walk("model", 0, content.length, 0);
  if (graphs !== 1) throw notOnnx();
  return [...found];
}

interface Field {
  readonly field: number;
  readonly from: number;
  readonly to: number;
}

/** The fields of a protobuf message that hold bytes; numbers are passed over. */
function* fieldsOf(content: Uint8Array, start: number, end: number): Generator<Field> {
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

const textOf = (content: Uint8Array, from: number, to: number) => new TextDecoder().decode(content.subarray(from, to));

const notOnnx = () => new Failure("model.invalid", "The model's file is no ONNX model; export or download it again.");
