import { createRandom, type Random } from "../../scripts/random.ts";
import { createBatches } from "./batches.ts";
import { createJudge } from "./contrast-graph.ts";
import { createOptimiser } from "./optimiser.ts";
import { sideHash, type TokenisedPairs } from "./tokens.ts";

export interface Course {
  readonly epochs: number;
  readonly batch: number;
  readonly rate: number;
  readonly seed: number;
  readonly dimensions: number;
  /** How often a pair of this origin is read in an epoch; 0.5 is every other time, by chance. */
  repeats(origin: string): number;
  /** Pairs of one group are contrasted with each other; by default all are mixed. */
  group?(origin: string): string;
  report(what: string): void;
}

/** Tokens of a side that are summed: a long passage states its subject early. */
const MAX_TOKENS = 96;
/** A token in both sides reveals the answer; without it the model must learn similarity of meaning. */
const DROP_SHARED = 0.3;
const DROP_ANY = 0.1;
const WARM_UP = 0.05;
const SAME = -1e4;

/** Trains the table in place, so that the two texts of a pair move closer to each other than to other texts. */
export async function contrast(table: Float32Array, pairs: TokenisedPairs, course: Course): Promise<void> {
  const { batch, dimensions, epochs, rate, seed, report } = course;
  const random = createRandom(seed);
  const judge = await createJudge(batch, dimensions);
  const optimiser = createOptimiser(table, dimensions);
  const sides = [createSide(batch, dimensions), createSide(batch, dimensions)] as const;
  const isUsable = (pair: number) => lengthOf(pairs, 2 * pair) > 0 && lengthOf(pairs, 2 * pair + 1) > 0;
  const nextEpoch = createBatches(pairs, { ...course, isUsable, random });
  let left = epochs > 0 ? nextEpoch() : [];
  const steps = Math.floor(left.length * epochs);
  let mean = 0;
  for (let step = 0; step < steps; step += 1) {
    if (left.length === 0) left = nextEpoch();
    const chosen = left.shift()!;
    const [one, other] = sides;
    takeTokens(pairs, chosen, sides, random);
    for (const side of sides) sumRows(table, side, dimensions);
    const verdict = await judge.judge(one.vectors, other.vectors, sameTexts(pairs, chosen));
    spread(optimiser.add, one, verdict.left, dimensions);
    spread(optimiser.add, other, verdict.right, dimensions);
    optimiser.step(rate * pace(step / steps));
    mean = step === 0 ? verdict.loss : 0.98 * mean + 0.02 * verdict.loss;
    if (step % 200 === 199) report(`step ${step + 1} of ${steps}, loss ${mean.toFixed(3)}`);
  }
}

/** Rises over the first steps, then falls to nothing in a straight line. */
const pace = (done: number) => (done < WARM_UP ? done / WARM_UP : (1 - done) / (1 - WARM_UP));
const lengthOf = ({ starts }: TokenisedPairs, side: number) => starts[side + 1]! - starts[side]!;

/** One side of a batch: the tokens of text `r` lie from `starts[r]` to `starts[r + 1]`. */
interface Side {
  readonly tokens: Uint16Array;
  readonly starts: Uint32Array;
  /** Batch × dimensions, of length 1. */
  readonly vectors: Float32Array;
  /** Before they were brought to 1. */
  readonly lengths: Float64Array;
}

const createSide = (batch: number, dimensions: number): Side => ({
  tokens: new Uint16Array(batch * MAX_TOKENS),
  starts: new Uint32Array(batch + 1),
  vectors: new Float32Array(batch * dimensions),
  lengths: new Float64Array(batch),
});

/** Writes the tokens of the chosen pairs, without those that chance drops; a text is never dropped whole. */
function takeTokens(
  { text, starts }: TokenisedPairs,
  chosen: Uint32Array,
  [left, right]: readonly [Side, Side],
  random: Random,
): void {
  const isLeft = new Set<number>();
  for (const [row, pair] of chosen.entries()) {
    isLeft.clear();
    for (const [at, side] of [left, right].entries()) {
      const from = starts[2 * pair + at]!;
      const to = Math.min(starts[2 * pair + at + 1]!, from + MAX_TOKENS);
      const first = side.starts[row]!;
      let next = first;
      for (let index = from; index < to; index += 1) {
        const token = text[index]!;
        if (at === 0) isLeft.add(token);
        if (random() < DROP_ANY || (at === 1 && isLeft.has(token) && random() < DROP_SHARED)) continue;
        side.tokens[next] = token;
        next += 1;
      }
      if (next === first) {
        side.tokens.set(text.subarray(from, to), first);
        next = first + to - from;
      }
      side.starts[row + 1] = next;
    }
  }
}

function sumRows(table: Float32Array, { tokens, starts, vectors, lengths }: Side, dimensions: number): void {
  vectors.fill(0);
  for (let row = 0; row < lengths.length; row += 1) {
    const to = row * dimensions;
    for (let at = starts[row]!; at < starts[row + 1]!; at += 1) {
      const from = tokens[at]! * dimensions;
      for (let index = 0; index < dimensions; index += 1) vectors[to + index]! += table[from + index]!;
    }
    let square = 0;
    for (let index = to; index < to + dimensions; index += 1) square += vectors[index]! * vectors[index]!;
    const length = Math.max(Math.sqrt(square), 1e-6);
    lengths[row] = length;
    for (let index = to; index < to + dimensions; index += 1) vectors[index]! /= length;
  }
}

/** Hands each text's gradient, taken back through the division by its length, to each of its tokens. */
function spread(
  add: (token: number, gradient: Float32Array) => void,
  { tokens, starts, vectors, lengths }: Side,
  gradients: Float32Array,
  dimensions: number,
): void {
  const own = new Float32Array(dimensions);
  for (let row = 0; row < lengths.length; row += 1) {
    const at = row * dimensions;
    let along = 0;
    for (let index = at; index < at + dimensions; index += 1) along += vectors[index]! * gradients[index]!;
    for (let index = 0; index < dimensions; index += 1)
      own[index] = (gradients[at + index]! - along * vectors[at + index]!) / lengths[row]!;
    for (let token = starts[row]!; token < starts[row + 1]!; token += 1) add(tokens[token]!, own);
  }
}

/** A large negative value where another pair of the batch has the same text on a side: it is not a wrong answer. */
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
