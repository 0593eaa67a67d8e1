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

/** Rounds each row to 8 bits with a scale per row. */
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
      { name: "lengths", shape: [rows], data: lengthsOf({ rows, dimensions, values, scales }) },
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
      ...rowsOf("query_tokens"),
      ...rowsOf("passage_tokens"),
      {
        op: "Gemm",
        inputs: ["query_tokens_steps", "passage_tokens_steps"],
        outputs: ["products"],
        attributes: { transB: 1 },
      },
      { op: "Mul", inputs: ["products", "passage_tokens_step"], outputs: ["measured"] },
      { op: "Unsqueeze", inputs: ["query_tokens_step", "last_axis"], outputs: ["query_column"] },
      { op: "Mul", inputs: ["measured", "query_column"], outputs: ["likeness"] },
      { op: "Gather", inputs: ["shares", "query_tokens"], outputs: ["share"], attributes: { axis: 0 } },
      { op: "Gather", inputs: ["lengths", "query_tokens"], outputs: ["length"], attributes: { axis: 0 } },
    ],
  });
}

/** The rows of single tokens as bytes, and how much of the row's length one of their steps is. */
function rowsOf(tokens: string) {
  const name = (what: string) => `${tokens}_${what}`;
  const gather = (from: string, what: string) => ({
    op: "Gather",
    inputs: [from, tokens],
    outputs: [name(what)],
    attributes: { axis: 0 },
  });
  return [
    gather("table", "bytes"),
    { op: "Cast", inputs: [name("bytes")], outputs: [name("steps")], attributes: { to: 1 } },
    gather("scales", "scale"),
    gather("lengths", "length"),
    { op: "Max", inputs: [name("length"), "least"], outputs: [name("divisor")] },
    { op: "Div", inputs: [name("scale"), name("divisor")], outputs: [name("step")] },
  ];
}

function lengthsOf({ rows, dimensions, values, scales }: Omit<Table, "shares">): Float32Array {
  return Float32Array.from({ length: rows }, (_, row) => {
    const cells = values.subarray(row * dimensions, (row + 1) * dimensions);
    return Math.sqrt(cells.reduce((sum, value) => sum + value * value, 0)) * scales[row]!;
  });
}
