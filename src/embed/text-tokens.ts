import { Tokenizer } from "@huggingface/tokenizers";
import { Failure } from "../vocabulary/failure.ts";

/** Turns text into the numbers of a model's tokens. */
export interface TextTokens {
  /** Ids with the model's special tokens, cut to the limit so that the closing special tokens stay. */
  encode(text: string): readonly number[];
  /** Tokens of the whole text, special ones not counted. */
  count(text: string): number;
}

/** No token that carries meaning is longer on average; more characters than this per token are not looked at. */
const CHARACTERS_PER_TOKEN = 32;

/**
 * @param json the text of a `tokenizer.json`
 * @param maxTokens the limit, special tokens included
 * @throws Failure `model.invalid` when the library cannot read it
 */
export function openTokens(json: string, maxTokens: number): TextTokens {
  const tokenizer = read(json);
  const idsOf = (text: string, special: boolean) => tokenizer.encode(text, { add_special_tokens: special }).ids;
  const [bare, dressed] = [idsOf("a", false), idsOf("a", true)];
  const extra = dressed.length - bare.length;
  if (extra < 0 || extra >= maxTokens) throw unreadable();
  // Where the text's own ids stand among the special ones tells how many close the text.
  const opening = Math.max(
    dressed.findIndex((_, at) => bare.every((id, offset) => dressed[at + offset] === id)),
    0,
  );
  const closing = dressed.slice(opening + bare.length);
  return {
    encode(text) {
      const ids = idsOf(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN), true);
      return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - closing.length), ...closing];
    },
    count: (text) => idsOf(text, false).length,
  };
}

function read(json: string): Tokenizer {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null) throw unreadable();
    return new Tokenizer(parsed, {});
  } catch {
    // The library and the parser tell of their own insides; the caller can only bring another file.
    throw unreadable();
  }
}

const unreadable = () =>
  new Failure(
    "model.invalid",
    "The model's tokenizer.json is of a kind that cannot be read here; choose another model.",
  );
