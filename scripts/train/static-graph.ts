import { onnxModel } from "./onnx.ts";

/** A table of token vectors as bytes: row × scale gives the vector back to within half a step. */
export interface Table {
  readonly rows: number;
  readonly dimensions: number;
  readonly values: Int8Array;
  readonly scales: Float32Array;
  /** Of the texts of the training, how many have each row's token, 0–1. */
  readonly shares: Float32Array;
}

/** Rounds each row to 8 bits with a scale of its own. */
export function quantise(table: Float32Array, shares: Float32Array, dimensions: number): Table {
  const rows = table.length / dimensions;
  const values = new Int8Array(table.length);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const cells = table.subarray(row * dimensions, (row + 1) * dimensions);
    const largest = cells.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const scale = largest / 127;
    scales[row] = scale;
    if (scale > 0)
      for (const [index, value] of cells.entries()) values[row * dimensions + index] = Math.round(value / scale);
  }
  return { rows, dimensions, values, scales, shares };
}

/**
 * A whole encoder as one graph: the rows of the tokens, scaled, summed where the mask is 1, brought to length 1.
 * A text without a known token gives the zero vector. Inputs `input_ids` and `attention_mask` (int64, batch × tokens),
 * output `embedding` (float, batch × dimensions).
 *
 * For late interaction it compares tokens one by one: inputs `query_tokens` and `passage_tokens` (int64, any number),
 * outputs `likeness` (float, query tokens × passage tokens: the cosine of their rows), `share` and `length` (float, query
 * tokens: how many of the training's texts have them, and how long their rows are).
 */
export function staticEncoderModel({ rows, dimensions, values, scales, shares }: Table): Uint8Array {
  return onnxModel({
    name: "static-encoder",
    inputs: [
      { name: "input_ids", type: "int64", shape: ["batch", "tokens"] },
      { name: "attention_mask", type: "int64", shape: ["batch", "tokens"] },
      { name: "query_tokens", type: "int64", shape: ["asked"] },
      { name: "passage_tokens", type: "int64", shape: ["told"] },
    ],
    outputs: [
      { name: "embedding", type: "float", shape: ["batch", dimensions] },
      { name: "likeness", type: "float", shape: ["asked", "told"] },
      { name: "share", type: "float", shape: ["asked"] },
      { name: "length", type: "float", shape: ["asked"] },
    ],
    constants: [
      { name: "table", shape: [rows, dimensions], data: values },
      { name: "scales", shape: [rows], data: scales },
      { name: "shares", shape: [rows], data: shares },
      { name: "last_axis", shape: [1], data: BigInt64Array.of(-1n) },
      { name: "token_axis", shape: [1], data: BigInt64Array.of(1n) },
      { name: "least", shape: [1], data: Float32Array.of(1e-12) },
    ],
    nodes: [
      { op: "Gather", inputs: ["table", "input_ids"], outputs: ["bytes"], attributes: { axis: 0 } },
      { op: "Cast", inputs: ["bytes"], outputs: ["steps"], attributes: { to: 1 } },
      { op: "Gather", inputs: ["scales", "input_ids"], outputs: ["scale"], attributes: { axis: 0 } },
      { op: "Cast", inputs: ["attention_mask"], outputs: ["mask"], attributes: { to: 1 } },
      { op: "Mul", inputs: ["scale", "mask"], outputs: ["masked"] },
      { op: "Unsqueeze", inputs: ["masked", "last_axis"], outputs: ["weights"] },
      { op: "Mul", inputs: ["steps", "weights"], outputs: ["vectors"] },
      { op: "ReduceSum", inputs: ["vectors", "token_axis"], outputs: ["sum"], attributes: { keepdims: 0 } },
      { op: "Mul", inputs: ["sum", "sum"], outputs: ["squares"] },
      { op: "ReduceSum", inputs: ["squares", "last_axis"], outputs: ["square"], attributes: { keepdims: 1 } },
      { op: "Sqrt", inputs: ["square"], outputs: ["root"] },
      { op: "Max", inputs: ["root", "least"], outputs: ["divisor"] },
      { op: "Div", inputs: ["sum", "divisor"], outputs: ["embedding"] },
      ...directions("query_tokens"),
      ...directions("passage_tokens"),
      { op: "Transpose", inputs: ["passage_tokens_direction"], outputs: ["columns"] },
      { op: "MatMul", inputs: ["query_tokens_direction", "columns"], outputs: ["likeness"] },
      { op: "Gather", inputs: ["shares", "query_tokens"], outputs: ["share"], attributes: { axis: 0 } },
      { op: "Squeeze", inputs: ["query_tokens_length", "last_axis"], outputs: ["query_steps"] },
      { op: "Gather", inputs: ["scales", "query_tokens"], outputs: ["query_scale"], attributes: { axis: 0 } },
      { op: "Mul", inputs: ["query_steps", "query_scale"], outputs: ["length"] },
    ],
  });
}

/** The rows of single tokens, each of length 1. */
function directions(tokens: string) {
  const name = (what: string) => `${tokens}_${what}`;
  return [
    { op: "Gather", inputs: ["table", tokens], outputs: [name("bytes")], attributes: { axis: 0 } },
    { op: "Cast", inputs: [name("bytes")], outputs: [name("steps")], attributes: { to: 1 } },
    { op: "Mul", inputs: [name("steps"), name("steps")], outputs: [name("squares")] },
    {
      op: "ReduceSum",
      inputs: [name("squares"), "last_axis"],
      outputs: [name("square")],
      attributes: { keepdims: 1 },
    },
    { op: "Sqrt", inputs: [name("square")], outputs: [name("length")] },
    { op: "Max", inputs: [name("length"), "least"], outputs: [name("divisor")] },
    { op: "Div", inputs: [name("steps"), name("divisor")], outputs: [name("direction")] },
  ];
}
