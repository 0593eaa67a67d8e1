import type { TextPair } from "./pair-files.ts";

/** A thesaurus names whatever comes to mind; the nearest few are paraphrases. */
const NEAREST = 6;
const IN_A_PAIR = 3;
const PLAIN = /^[a-z][a-z' -]*$/;
const MOST_WORDS = 3;

/**
 * Pairs of a thesaurus whose lines are a word and, after commas, what is like it (as the Moby Thesaurus): each word with
 * those that name it as well, nearest first by how many of their neighbours they share (Jaccard), three to a pair.
 */
export async function* thesaurusPairs(file: string): AsyncGenerator<TextPair, void, void> {
  const likes = new Map<string, Set<string>>();
  for (const line of (await Bun.file(file).text()).split("\n")) {
    const [word = "", ...others] = line.split(",").map((part) => part.trim().toLowerCase());
    const known = likes.get(word) ?? new Set();
    for (const other of others) if (other !== "" && other !== word) known.add(other);
    likes.set(word, known);
  }
  for (const [word, around] of [...likes].sort(byName)) {
    if (!isPlain(word)) continue;
    const near = [...around]
      .filter((other) => isPlain(other) && likes.get(other)?.has(word))
      .map((other) => [other, overlap(around, likes.get(other)!)] as const)
      .sort((a, b) => b[1] - a[1] || byName(a, b))
      .slice(0, NEAREST)
      .map(([other]) => other);
    for (let at = 0; at < near.length; at += IN_A_PAIR)
      yield [word, near.slice(at, at + IN_A_PAIR).join(", "), "thesaurus"];
  }
}

const isPlain = (word: string) => PLAIN.test(word) && word.split(" ").length <= MOST_WORDS;
const byName = (a: readonly [string, unknown], b: readonly [string, unknown]) => (a[0] < b[0] ? -1 : 1);

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const one of a) if (b.has(one)) both += 1;
  return both / (a.size + b.size - both);
}
