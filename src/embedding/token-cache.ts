import { compactIds, type NumberedMessage, type TokenIds } from "./interaction.ts";

/** About 100,000 passages: 170 tokens of two bytes, and the array that holds them. */
const MAX_BYTES = 48 * 1024 * 1024;
const ARRAY_BYTES = 120;

/**
 * Keeps the token ids of numbered texts, the last used ones of the last used collection: reading and tokenising them takes
 * longer than comparing them. Returns the numbers of texts that are missing, if any, else the ids of all.
 */
export function createTokenCache(encode: (text: string) => readonly number[], maxBytes = MAX_BYTES) {
  let owner: string | undefined;
  let kept = new Map<number, TokenIds>();
  let bytes = 0;
  const sizeOf = (tokens: TokenIds) => tokens.byteLength + ARRAY_BYTES;

  const keep = (number: number, tokens: TokenIds) => {
    kept.set(number, tokens);
    bytes += sizeOf(tokens);
    for (const [oldest, removed] of kept) {
      if (bytes <= maxBytes) break;
      kept.delete(oldest);
      bytes -= sizeOf(removed);
    }
  };

  return ({ collection, numbers, texts }: NumberedMessage) => {
    if (owner !== collection) {
      owner = collection;
      kept = new Map();
      bytes = 0;
    }
    const missing = numbers.filter((number) => !kept.has(number) && !texts.has(number));
    if (missing.length > 0) return { missing };
    // All of them before any is kept, which may remove another.
    const tokens = numbers.map((number) => kept.get(number) ?? compactIds(encode(texts.get(number) ?? "")));
    for (const [at, number] of numbers.entries()) {
      const known = kept.get(number);
      // The end of the map is the last used.
      if (known && kept.delete(number)) kept.set(number, known);
      else keep(number, tokens[at]!);
    }
    return { tokens };
  };
}
