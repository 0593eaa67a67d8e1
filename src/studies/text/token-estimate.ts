/** Tokens of a text as the model counts them, without the marks of its start and end. */
export type CountTokens = (text: string) => number;

/**
 * About as many tokens as a word-piece model makes, at no cost and with no model at hand: a word is one for each eight
 * letters begun, a mark or a sign of another script one each. Measured on the sentences of English case studies against
 * our own model's tokenizer: 7 % more in all, for a passage between 14 % fewer and 25 % more.
 */
export const estimateTokens: CountTokens = (text) => {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[\p{L}\p{M}]+|\p{N}+|[^\p{L}\p{N}\s]/gu)) {
    tokens += isAscii(piece) ? Math.ceil(piece.length / LETTERS) : piece.length;
  }
  return tokens;
};

const LETTERS = 8;
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);
