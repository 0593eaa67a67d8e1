import { createRandom, type Random, shuffle } from "../random.ts";
import { createJudge } from "./contrast-graph.ts";
import { createOptimiser } from "./optimiser.ts";
import { sideHash, type TokenisedPairs } from "./tokens.ts";

export interface Course {
  readonly epochs: number;
  readonly batch: number;
  readonly rate: number;
  readonly seed: number;
  readonly dimensions: number;
  report(what: string): void;
}

/** Tokens of a side that are summed: a long passage says what it is about early on. */
const MAX_TOKENS = 96;
/** A token that stands in both sides gives the answer away; without it the model must learn likeness of meaning. */
const DROP_SHARED = 0.3;
const DROP_ANY = 0.1;
const WARM_UP = 0.05;
const SAME = -1e4;

/** Trains the table, in place, until the two texts of a pair lie nearer to each other than to others' texts. */
export async function contrast(table: Float32Array, pairs: TokenisedPairs, course: Course): Promise<void> {
  const { batch, dimensions, epochs, rate, seed, report } = course;
  const random = createRandom(seed);
  const judge = await createJudge(batch, dimensions);
  const optimiser = createOptimiser(table, dimensions);
  const usable = Uint32Array.from({ length: pairs.count }, (_, pair) => pair).filter(
    (pair) => lengthOf(pairs, 2 * pair) > 0 && lengthOf(pairs, 2 * pair + 1) > 0,
  );
  const perEpoch = Math.floor(usable.length / batch);
  const steps = Math.floor(perEpoch * epochs);
  let mean = 0;
  for (let step = 0; step < steps; step += 1) {
    if (step % perEpoch === 0) shuffle(usable, random);
    const at = (step % perEpoch) * batch;
    const chosen = usable.subarray(at, at + batch);
    const sides = [...chosen].map((pair) => takeTokens(pairs, pair, random));
    const left = sums(
      table,
      sides.map(([a]) => a),
      dimensions,
    );
    const right = sums(
      table,
      sides.map(([, b]) => b),
      dimensions,
    );
    const verdict = await judge.judge(left.vectors, right.vectors, sameTexts(pairs, chosen));
    spread(
      optimiser.add,
      sides.map(([a]) => a),
      left,
      verdict.left,
      dimensions,
    );
    spread(
      optimiser.add,
      sides.map(([, b]) => b),
      right,
      verdict.right,
      dimensions,
    );
    optimiser.step(rate * pace(step / steps));
    mean = step === 0 ? verdict.loss : 0.98 * mean + 0.02 * verdict.loss;
    if (step % 200 === 199) report(`step ${step + 1} of ${steps}, loss ${mean.toFixed(3)}`);
  }
}

/** Rises over the first steps, then falls to nothing in a straight line. */
const pace = (done: number) => (done < WARM_UP ? done / WARM_UP : (1 - done) / (1 - WARM_UP));
const lengthOf = ({ starts }: TokenisedPairs, side: number) => starts[side + 1]! - starts[side]!;

function takeTokens(pairs: TokenisedPairs, pair: number, random: Random): readonly [number[], number[]] {
  const [a = [], b = []] = [2 * pair, 2 * pair + 1].map((side) => {
    const start = pairs.starts[side]!;
    return [...pairs.text.subarray(start, Math.min(pairs.starts[side + 1]!, start + MAX_TOKENS))];
  });
  const shared = new Set(a);
  const left = a.filter(() => random() >= DROP_ANY);
  const right = b.filter((token) => random() >= DROP_ANY && !(shared.has(token) && random() < DROP_SHARED));
  return [left.length > 0 ? left : a, right.length > 0 ? right : b];
}

interface Sums {
  /** Of length 1. */
  readonly vectors: Float32Array;
  readonly lengths: Float64Array;
}

function sums(table: Float32Array, sides: readonly (readonly number[])[], dimensions: number): Sums {
  const vectors = new Float32Array(sides.length * dimensions);
  const lengths = new Float64Array(sides.length);
  for (const [row, tokens] of sides.entries()) {
    const to = row * dimensions;
    for (const token of tokens) {
      const from = token * dimensions;
      for (let index = 0; index < dimensions; index += 1) vectors[to + index]! += table[from + index]!;
    }
    let square = 0;
    for (let index = 0; index < dimensions; index += 1) square += vectors[to + index]! ** 2;
    const length = Math.max(Math.sqrt(square), 1e-6);
    lengths[row] = length;
    for (let index = 0; index < dimensions; index += 1) vectors[to + index]! /= length;
  }
  return { vectors, lengths };
}

/** Hands each text's gradient, taken back through the division by its length, to each of its tokens. */
function spread(
  add: (token: number, gradient: Float32Array) => void,
  sides: readonly (readonly number[])[],
  { vectors, lengths }: Sums,
  gradients: Float32Array,
  dimensions: number,
): void {
  const own = new Float32Array(dimensions);
  for (const [row, tokens] of sides.entries()) {
    const at = row * dimensions;
    let along = 0;
    for (let index = 0; index < dimensions; index += 1) along += vectors[at + index]! * gradients[at + index]!;
    for (let index = 0; index < dimensions; index += 1)
      own[index] = (gradients[at + index]! - along * vectors[at + index]!) / lengths[row]!;
    for (const token of tokens) add(token, own);
  }
}

/** Far below nothing where another pair of the batch has the same text on a side: it is no wrong answer. */
function sameTexts(pairs: TokenisedPairs, chosen: Uint32Array): Float32Array {
  const batch = chosen.length;
  const apart = new Float32Array(batch * batch);
  for (const side of [0, 1]) {
    const rows = new Map<bigint, number[]>();
    for (const [row, pair] of chosen.entries()) {
      const hash = sideHash(pairs, 2 * pair + side);
      const others = rows.get(hash) ?? [];
      for (const other of others) {
        apart[row * batch + other] = SAME;
        apart[other * batch + row] = SAME;
      }
      rows.set(hash, [...others, row]);
    }
  }
  return apart;
}
