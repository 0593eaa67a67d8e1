/** Longest run of words that two texts share. Words compare without case, punctuation and Markdown. */
export interface SharedRun {
  readonly words: number;
  readonly text: string;
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/\]\([^)]{0,2000}\)/g, " ")
    .match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];

/**
 * @param least runs shorter than this are not reported
 * @returns the longest run of words that occurs in both, or undefined
 */
export function findSharedRun(own: string, source: string, least: number): SharedRun | undefined {
  const mine = wordsOf(own);
  const theirs = wordsOf(source);
  const starts = new Map<string, number[]>();
  for (let at = 0; at + least <= theirs.length; at += 1) {
    const key = theirs.slice(at, at + least).join(" ");
    starts.set(key, [...(starts.get(key) ?? []), at]);
  }
  let longest: SharedRun | undefined;
  for (let at = 0; at + least <= mine.length; at += 1) {
    for (const start of starts.get(mine.slice(at, at + least).join(" ")) ?? []) {
      let words = least;
      while (at + words < mine.length && mine[at + words] === theirs[start + words]) words += 1;
      if (words > (longest?.words ?? 0)) longest = { words, text: mine.slice(at, at + words).join(" ") };
    }
  }
  return longest;
}
