import { createRandom } from "../../scripts/random.ts";
import { wordsOf } from "./words.ts";

/** Pairs as numbers: side `2·i` and `2·i + 1` are the two texts of pair `i`. */
export interface Pairs {
  readonly count: number;
  /** Distinct words, in order of first sight. */
  readonly words: readonly string[];
  /** Occurrences of each word; those of dictionary pairs count several times, since they carry everyday language. */
  readonly weights: Float64Array;
  /** Words of all sides, one after the other. */
  readonly text: Uint32Array;
  /** Where each side starts in `text`; one more than there are sides. */
  readonly starts: Uint32Array;
  /** Where each pair comes from: a place in `origins`. */
  readonly origin: Uint16Array;
  /** As the third field names them: `source:kind`. */
  readonly origins: readonly string[];
}

/** Two texts that belong together, and where they come from. */
export type TextPair = readonly [string, string, string];

const MAX_WORDS = 128;
/** Words of the dictionary and of the lexicon are whole in the vocabulary, although they are rare in texts. */
const LEXICAL_WEIGHT = 20;
const LEXICAL = /^wn:|:gloss$|^lexicon:/;
/** Dated handbooks that would outweigh the rest: every other pair is enough. */
const HALVED = /DynamicsAX2012|msftdynamicsgp/;

/** A source whose licence is not known teaches nothing. */
const LEFT_OUT = /^PlaidCloud/;

/** Lines of `a TAB b TAB source:kind`, plain or zstd. */
export async function* pairsOfFile(file: string): AsyncGenerator<TextPair, void, void> {
  const raw = await Bun.file(file).bytes();
  const data = file.endsWith(".zst") ? Bun.zstdDecompressSync(raw) : raw;
  const decoder = new TextDecoder();
  for (let from = 0; from < data.length; ) {
    const end = data.indexOf(10, from);
    const line = decoder.decode(data.subarray(from, end < 0 ? data.length : end));
    from = end < 0 ? data.length : end + 1;
    const [a, b, origin = ""] = line.split("\t");
    if (a && b) yield [a, b, origin];
  }
}

/** Writes pairs as numbers. A side is cut at 128 words. */
export async function readPairs(sources: readonly AsyncIterable<TextPair>[], seed: number): Promise<Pairs> {
  const random = createRandom(seed);
  const ids = new Map<string, number>();
  const originIds = new Map<string, number>();
  const weights = growing((size) => new Float64Array(size));
  const text = growing((size) => new Uint32Array(size));
  const starts = growing((size) => new Uint32Array(size));
  const origins = growing((size) => new Uint16Array(size));
  for (const source of sources)
    for await (const [a, b, origin] of source) {
      if (LEFT_OUT.test(origin) || (HALVED.test(origin) && random() < 0.5)) continue;
      const weight = LEXICAL.test(origin) ? LEXICAL_WEIGHT : 1;
      for (const side of [a, b]) {
        starts.push(text.length());
        for (const word of wordsOf(side).slice(0, MAX_WORDS)) {
          let id = ids.get(word);
          if (id === undefined) {
            id = ids.size;
            ids.set(word, id);
            weights.push(0);
          }
          weights.view()[id]! += weight;
          text.push(id);
        }
      }
      const known = originIds.get(origin) ?? originIds.size;
      originIds.set(origin, known);
      origins.push(known);
    }
  starts.push(text.length());
  return {
    count: origins.length(),
    words: [...ids.keys()],
    weights: weights.take(),
    text: text.take(),
    starts: starts.take(),
    origin: origins.take(),
    origins: [...originIds.keys()],
  };
}

interface NumberArray {
  [index: number]: number;
  readonly length: number;
  set(source: ArrayLike<number>): void;
}

/** A typed array that doubles when it is full. */
function growing<A extends NumberArray & { slice(from: number, to: number): A }>(make: (size: number) => A) {
  let items = make(1 << 16);
  let used = 0;
  return {
    push(value: number): void {
      if (used === items.length) {
        const larger = make(items.length * 2);
        larger.set(items);
        items = larger;
      }
      items[used] = value;
      used += 1;
    },
    length: () => used,
    view: () => items,
    take: () => items.slice(0, used),
  };
}
