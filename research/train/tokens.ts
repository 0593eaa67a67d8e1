import type { Pairs } from "./pair-files.ts";
import { learnVocabulary, pieceIds } from "./vocabulary.ts";

/** The sides of all pairs as token ids, without unknown tokens. */
export interface TokenisedPairs {
  readonly count: number;
  readonly vocabulary: readonly string[];
  readonly text: Uint16Array;
  /** Where each side starts in `text`; one more than there are sides. */
  readonly starts: Uint32Array;
  /** Where each pair comes from: a place in `origins`. */
  readonly origin: Uint16Array;
  readonly origins: readonly string[];
  /** Occurrences of each token. */
  readonly frequency: Float64Array;
}

const UNKNOWN = 1;

/** Learns the vocabulary from the pairs and writes them in it. */
export function tokenise(pairs: Pairs, size: { readonly size: number; readonly wholeWords: number }): TokenisedPairs {
  const vocabulary = learnVocabulary(pairs.words, pairs.weights, size);
  const ids = new Map(vocabulary.map((token, id) => [token, id]));
  const pieces = pairs.words.map((word) => pieceIds(word, ids).filter((id) => id !== UNKNOWN));
  let length = 0;
  for (const word of pairs.text) length += pieces[word]!.length;
  const text = new Uint16Array(length);
  const starts = new Uint32Array(pairs.starts.length);
  const frequency = new Float64Array(vocabulary.length);
  let at = 0;
  for (let side = 0; side + 1 < pairs.starts.length; side += 1) {
    starts[side] = at;
    for (let word = pairs.starts[side]!; word < pairs.starts[side + 1]!; word += 1)
      for (const id of pieces[pairs.text[word]!]!) {
        text[at] = id;
        frequency[id]! += 1;
        at += 1;
      }
  }
  starts[pairs.count * 2] = at;
  return { count: pairs.count, vocabulary, text, starts, origin: pairs.origin, origins: pairs.origins, frequency };
}

/** A number for a side's text: equal for equal texts. */
export function sideHash({ text, starts }: TokenisedPairs, side: number): bigint {
  const part = text.subarray(starts[side]!, starts[side + 1]!);
  return Bun.hash.wyhash(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
}
