/** Reciprocal rank fusion of lists, best first, as users of engines without a hybrid mode do it. */
export function fuseRanks<T>(lists: readonly (readonly T[])[]): T[] {
  const scores = new Map<T, number>();
  for (const list of lists) {
    list.forEach((item, rank) => {
      scores.set(item, (scores.get(item) ?? 0) + 1 / (60 + rank));
    });
  }
  return [...scores].sort((a, b) => b[1] - a[1]).map(([item]) => item);
}

export const firstDistinct = (items: readonly string[], count: number): string[] => [...new Set(items)].slice(0, count);
