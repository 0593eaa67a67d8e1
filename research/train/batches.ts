import { type Random, shuffle } from "../../scripts/random.ts";
import type { TokenisedPairs } from "./tokens.ts";

export interface BatchPlan {
  readonly batch: number;
  readonly random: Random;
  isUsable(pair: number): boolean;
  /** How often a pair of this origin is read; 0.5 is every other time, by chance. */
  repeats(origin: string): number;
  /** Pairs of one group share batches; by default all do. */
  group?(origin: string): string;
}

/**
 * Gives the batches of one epoch after another, each of `batch` pairs; an incomplete batch is dropped. Batches of
 * several groups follow each other in random order.
 */
export function createBatches(
  { count, origin, origins }: Pick<TokenisedPairs, "count" | "origin" | "origins">,
  { batch, random, isUsable, repeats, group = () => "" }: BatchPlan,
): () => Uint32Array[] {
  const times = origins.map(repeats);
  const groups = origins.map(group);
  const isWhole = times.every(Number.isInteger);
  let members: readonly Uint32Array[] = [];
  const drawn = (): Uint32Array[] => {
    const found = new Map<string, number[]>();
    for (let pair = 0; pair < count; pair += 1) {
      const wanted = times[origin[pair]!]!;
      if (wanted === 0 || !isUsable(pair)) continue;
      const rest = wanted % 1;
      const often = Math.floor(wanted) + (rest > 0 && random() < rest ? 1 : 0);
      const name = groups[origin[pair]!]!;
      const own = found.get(name) ?? [];
      for (let time = 0; time < often; time += 1) own.push(pair);
      found.set(name, own);
    }
    return [...found.values()].map((own) => Uint32Array.from(own));
  };
  return () => {
    if (members.length === 0 || !isWhole) members = drawn();
    const batches: Uint32Array[] = [];
    for (const own of members) {
      shuffle(own, random);
      for (let at = 0; at + batch <= own.length; at += batch) batches.push(own.slice(at, at + batch));
    }
    if (members.length < 2) return batches;
    const order = Uint32Array.from(batches.keys());
    shuffle(order, random);
    return [...order].map((index) => batches[index]!);
  };
}
