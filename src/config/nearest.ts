/**
 * The candidate that was probably meant by a mistyped name: one that ends in the whole of it (`port` for
 * `server.port`), or one that few letters tell apart. Letter case is ignored.
 */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const word = typed.toLowerCase().slice(0, 100);
  const last = candidates.find((candidate) => /^[._-]/.test(endAfter(candidate.toLowerCase(), word) ?? ""));
  if (last) return last;
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return ranked && ranked.distance <= Math.max(2, Math.floor(word.length / 4)) ? ranked.candidate : undefined;
}

const endAfter = (candidate: string, word: string) =>
  candidate.endsWith(word) ? candidate.slice(-word.length - 1) : undefined;

/** Letters to add, drop or replace to make one word of the other (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
