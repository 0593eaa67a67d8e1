/**
 * How many letters must be added, left out, changed, or swapped with their neighbour to make one word of the other.
 *
 * @param most the answer is `most + 1` for everything farther apart
 */
export function editDistance(from: string, to: string, most: number): number {
  const a = [...from];
  const b = [...to];
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = b.map((_, index) => index).concat(b.length);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const added = Math.min(last[j] ?? 0, row[j - 1] ?? 0) + 1;
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? most) + 1 : changed;
      row.push(Math.min(changed, added, swapped));
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}
