import { onnxModel } from "./onnx.ts";

/** A table of token vectors as bytes: row × scale gives the vector back to within half a step. */
export interface Table {
  readonly rows: number;
  readonly dimensions: number;
  readonly values: Int8Array;
  readonly scales: Float32Array;
}

/** Rounds each row to 8 bits with a scale of its own. */
export function quantise(table: Float32Array, dimensions: number): Table {
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
  return { rows, dimensions, values, scales };
}

/**
 * A whole encoder as one graph: the rows of the tokens, scaled, summed where the mask is 1, brought to length 1.
 * A text without a known token gives the zero vector. Inputs `input_ids` and `attention_mask` (int64, batch × tokens),
 * output `embedding` (float, batch × dimensions).
 */
export function staticEncoderModel({ rows, dimensions, values, scales }: Table): Uint8Array {
  return onnxModel({
    name: "static-encoder",
    inputs: [
      { name: "input_ids", type: "int64", shape: ["batch", "tokens"] },
      { name: "attention_mask", type: "int64", shape: ["batch", "tokens"] },
    ],
    outputs: [{ name: "embedding", type: "float", shape: ["batch", dimensions] }],
    constants: [
      { name: "table", shape: [rows, dimensions], data: values },
      { name: "scales", shape: [rows], data: scales },
      { name: "last_axis", shape: [1], data: BigInt64Array.of(-1n) },
      { name: "token_axis", shape: [1], data: BigInt64Array.of(1n) },
      { name: "least", shape: [1], data: Float32Array.of(1e-12) },
    ],
    nodes: [
      { op: "Gather", inputs: ["table", "input_ids"], outputs: ["bytes"], attributes: { axis: 0 } },
      { op: "Cast", inputs: ["bytes"], outputs: ["steps"], attributes: { to: 1 } },
      { op: "Gather", inputs: ["scales", "input_ids"], outputs: ["scale"], attributes: { axis: 0 } },
      { op: "Cast", inputs: ["attention_mask"], outputs: ["mask"], attributes: { to: 1 } },
      { op: "Mul", inputs: ["scale", "mask"], outputs: ["weight"] },
      { op: "Unsqueeze", inputs: ["weight", "last_axis"], outputs: ["weights"] },
      { op: "Mul", inputs: ["steps", "weights"], outputs: ["vectors"] },
      { op: "ReduceSum", inputs: ["vectors", "token_axis"], outputs: ["sum"], attributes: { keepdims: 0 } },
      { op: "Mul", inputs: ["sum", "sum"], outputs: ["squares"] },
      { op: "ReduceSum", inputs: ["squares", "last_axis"], outputs: ["square"], attributes: { keepdims: 1 } },
      { op: "Sqrt", inputs: ["square"], outputs: ["length"] },
      { op: "Max", inputs: ["length", "least"], outputs: ["divisor"] },
      { op: "Div", inputs: ["sum", "divisor"], outputs: ["embedding"] },
    ],
  });
}
