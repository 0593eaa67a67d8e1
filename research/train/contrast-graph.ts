import { InferenceSession, Tensor } from "onnxruntime-node";
import { onnxModel } from "./onnx.ts";

/** The loss of a batch of pairs, and the gradients of its vectors. */
export interface Verdict {
  readonly loss: number;
  /** Gradients by the vectors of either side, batch × dimensions. */
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export interface Judge {
  /**
   * @param left vectors of length 1, batch × dimensions; `right` likewise
   * @param apart added to the batch × batch likenesses: 0, or far below where two pairs are the same
   */
  judge(left: Float32Array, right: Float32Array, apart: Float32Array): Promise<Verdict>;
}

/** Similarities are between −1 and 1: without a scale the softmax would hardly separate them. */
const SCALE = 20;

/**
 * The contrastive loss within a batch, in both directions, and its gradient. A graph, since the
 * runtime multiplies matrices twenty times as fast as a loop; in one thread, so that it adds up in one order.
 */
export async function createJudge(batch: number, dimensions: number): Promise<Judge> {
  const session = await InferenceSession.create(graph(batch, dimensions), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
  });
  return {
    async judge(left, right, apart) {
      const side = (data: Float32Array) => new Tensor("float32", data, [batch, dimensions]);
      const found = await session.run({
        left: side(left),
        right: side(right),
        apart: new Tensor("float32", apart, [batch, batch]),
      });
      return {
        loss: floats(found.loss)[0] ?? Number.NaN,
        left: floats(found.left_gradient),
        right: floats(found.right_gradient),
      };
    },
  };
}

function floats(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error("the graph gave no numbers");
  return tensor.data;
}

function graph(batch: number, dimensions: number): Uint8Array {
  const side = (name: string) => ({ name, type: "float" as const, shape: [batch, dimensions] });
  const same = new Float32Array(batch * batch);
  for (let index = 0; index < batch; index += 1) same[index * batch + index] = 1;
  const scalar = (name: string, value: number) => ({ name, shape: [1], data: Float32Array.of(value) });
  return onnxModel({
    name: "contrast",
    inputs: [side("left"), side("right"), { name: "apart", type: "float", shape: [batch, batch] }],
    outputs: [side("left_gradient"), side("right_gradient"), { name: "loss", type: "float", shape: [1, 1] }],
    constants: [
      { name: "same", shape: [batch, batch], data: same },
      scalar("scale", SCALE),
      scalar("step", SCALE / (2 * batch)),
      scalar("two", 2),
      scalar("least", 1e-30),
      scalar("share", -1 / (2 * batch)),
      { name: "axes", shape: [2], data: BigInt64Array.of(0n, 1n) },
    ],
    nodes: [
      { op: "Transpose", inputs: ["right"], outputs: ["right_columns"] },
      { op: "MatMul", inputs: ["left", "right_columns"], outputs: ["likeness"] },
      { op: "Mul", inputs: ["likeness", "scale"], outputs: ["scaled"] },
      { op: "Add", inputs: ["scaled", "apart"], outputs: ["logits"] },
      { op: "Softmax", inputs: ["logits"], outputs: ["by_row"], attributes: { axis: 1 } },
      { op: "Softmax", inputs: ["logits"], outputs: ["by_column"], attributes: { axis: 0 } },
      { op: "Add", inputs: ["by_row", "by_column"], outputs: ["both"] },
      { op: "Mul", inputs: ["same", "two"], outputs: ["wanted"] },
      { op: "Sub", inputs: ["both", "wanted"], outputs: ["error"] },
      { op: "Mul", inputs: ["error", "step"], outputs: ["pull"] },
      { op: "MatMul", inputs: ["pull", "right"], outputs: ["left_gradient"] },
      { op: "Transpose", inputs: ["pull"], outputs: ["pull_columns"] },
      { op: "MatMul", inputs: ["pull_columns", "left"], outputs: ["right_gradient"] },
      { op: "Mul", inputs: ["by_row", "by_column"], outputs: ["product"] },
      { op: "Max", inputs: ["product", "least"], outputs: ["safe"] },
      { op: "Log", inputs: ["safe"], outputs: ["logs"] },
      { op: "Mul", inputs: ["logs", "same"], outputs: ["own"] },
      { op: "ReduceSum", inputs: ["own", "axes"], outputs: ["total"], attributes: { keepdims: 1 } },
      { op: "Mul", inputs: ["total", "share"], outputs: ["loss"] },
    ],
  });
}
