/**
 * Groups texts for one run each: texts of like length stand together, and a group has no more than `maxTokens` tokens
 * with its padding (a single text may have more).
 *
 * @returns groups of indexes into `lengths`
 */
export function planBatches(lengths: readonly number[], maxTokens: number): number[][] {
  const order = [...lengths.keys()].sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  const batches: number[][] = [];
  let current: number[] = [];
  for (const index of order) {
    if (current.length > 0 && (current.length + 1) * lengths[index]! > maxTokens) {
      batches.push(current);
      current = [];
    }
    current.push(index);
  }
  if (current.length > 0) batches.push(current);
  return batches;
}
