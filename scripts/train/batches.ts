import { type Random, shuffle } from "../random.ts";
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

/** The batches of one epoch in random order, each of `batch` pairs; what does not fill a batch is left out. */
export function planBatches(
  { count, origin, origins }: Pick<TokenisedPairs, "count" | "origin" | "origins">,
  { batch, random, isUsable, repeats, group = () => "" }: BatchPlan,
): Uint32Array[] {
  const times = origins.map(repeats);
  const groups = origins.map(group);
  const members = new Map<string, number[]>();
  for (let pair = 0; pair < count; pair += 1) {
    if (!isUsable(pair)) continue;
    const wanted = times[origin[pair]!]!;
    const drawn = Math.floor(wanted) + (random() < wanted % 1 ? 1 : 0);
    const name = groups[origin[pair]!]!;
    const group = members.get(name) ?? [];
    for (let time = 0; time < drawn; time += 1) group.push(pair);
    members.set(name, group);
  }
  const batches: Uint32Array[] = [];
  for (const group of members.values()) {
    const shuffled = Uint32Array.from(group);
    shuffle(shuffled, random);
    for (let at = 0; at + batch <= shuffled.length; at += batch) batches.push(shuffled.subarray(at, at + batch));
  }
  const order = Uint32Array.from(batches.keys());
  shuffle(order, random);
  return [...order].map((index) => batches[index]!);
}
