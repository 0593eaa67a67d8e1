/** Numbers of a text's tokens, special ones not counted. */
export type ReadText = (text: string) => readonly number[];

const KNOWN_WORDS = 50_000;
/** Longer ones are seldom met again. */
const MOST_LETTERS = 32;
const BLANK = 32;
/** Of the second hash: Fowler, Noll and Vo's of 32 bits. The first is the sum of letters by powers of 31. */
const [FNV_OFFSET, FNV_PRIME] = [0x811c9dc5 | 0, 0x01000193];

/**
 * The same numbers as of the whole text, many times as fast: most words of a text have been seen before, and most of the
 * others are a known word beside punctuation.
 *
 * @param apart whether what stands between two blanks may be cut at its punctuation
 */
export function wordwise(read: ReadText, apart: (word: string) => boolean): ReadText {
  const ofPart = remembering(read, KNOWN_WORDS);
  const ofWord = (word: string) => (apart(word) ? partsOf(word).flatMap(ofPart) : read(word));
  const known = createWordTable(KNOWN_WORDS);
  return (text) => {
    const ids: number[] = [];
    // Other white space is the library's matter, as a part of what stands between two blanks.
    for (let from = 0, to = 0; from < text.length; from = to + 1) {
      let [one, other] = [0, FNV_OFFSET];
      for (to = from; to < text.length; to += 1) {
        const letter = text.charCodeAt(to);
        if (letter === BLANK) break;
        one = (Math.imul(one, 31) + letter) | 0;
        other = Math.imul(other ^ letter, FNV_PRIME);
      }
      if (to === from || known.appendTo(ids, one, other)) continue;
      const word = text.slice(from, to);
      const found = ofWord(word);
      if (word.length <= MOST_LETTERS) known.add(one, other, found);
      for (const id of found) ids.push(id);
    }
    return ids;
  };
}

const partsOf = (word: string): string[] => word.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/g) ?? [];

/** When as many are known as may be, all are forgotten: what is asked for often is soon known again. */
function remembering(read: ReadText, most: number): ReadText {
  const known = new Map<string, readonly number[]>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const ids = read(text);
    if (text.length > MOST_LETTERS) return ids;
    if (known.size >= most) known.clear();
    known.set(text, ids);
    return ids;
  };
}

/** In the table's cells of a word: two hashes, where its numbers begin, and how many there are; none marks a free place. */
const [ONE, OTHER, BEGIN, COUNT, CELLS] = [0, 1, 2, 3, 4];

/**
 * Words by two hashes of 32 bits, by which no two of a million words are ever seen to agree. Numbers side by side, since
 * the time goes into memory that is far away: with a `Map` of strings a text takes four times as long.
 */
function createWordTable(most: number) {
  const places = 2 ** Math.ceil(Math.log2(most * 2));
  const cells = new Int32Array(places * CELLS);
  let numbers = new Int32Array(most * 2);
  let [size, used] = [0, 0];
  const placeOf = (one: number, other: number) => (one ^ (other >>> 11)) & (places - 1);
  return {
    /** Whether the word was known. */
    appendTo(ids: number[], one: number, other: number): boolean {
      for (let place = placeOf(one, other); ; place = (place + 1) & (places - 1)) {
        const cell = place * CELLS;
        const count = cells[cell + COUNT]!;
        if (count === 0) return false;
        if (cells[cell + ONE] !== one || cells[cell + OTHER] !== other) continue;
        const begin = cells[cell + BEGIN]!;
        for (let at = begin; at < begin + count; at += 1) ids.push(numbers[at]!);
        return true;
      }
    },
    add(one: number, other: number, ids: readonly number[]) {
      if (ids.length === 0) return;
      if (size >= most) {
        cells.fill(0);
        [size, used] = [0, 0];
      }
      if (used + ids.length > numbers.length) {
        const more = new Int32Array(numbers.length * 2);
        more.set(numbers);
        numbers = more;
      }
      let place = placeOf(one, other);
      while (cells[place * CELLS + COUNT] !== 0) place = (place + 1) & (places - 1);
      cells.set([one, other, used, ids.length], place * CELLS);
      numbers.set(ids, used);
      used += ids.length;
      size += 1;
    },
  };
}
