import { Tokenizer } from "@huggingface/tokenizers";
import { Failure } from "../vocabulary/failure.ts";
import { wordwise } from "./wordwise.ts";

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
  const { tokenizer, isWordwise, apart } = read(json);
  const whole = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const idsOf = isWordwise ? wordwise(whole, apart) : whole;
  const bare = whole("a");
  const dressed = tokenizer.encode("a", { add_special_tokens: true }).ids;
  const extra = dressed.length - bare.length;
  if (extra < 0 || extra >= maxTokens) throw unreadable();
  // Where the text's own ids stand among the special ones tells how many open and how many close a text.
  const opening = Math.max(
    dressed.findIndex((_, at) => bare.every((id, offset) => dressed[at + offset] === id)),
    0,
  );
  const [before, after] = [dressed.slice(0, opening), dressed.slice(opening + bare.length)];
  return {
    encode(text) {
      const ids = idsOf(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN));
      const kept = ids.length > maxTokens - extra ? ids.slice(0, maxTokens - extra) : ids;
      return extra === 0 ? kept : [...before, ...kept, ...after];
    },
    count: (text) => idsOf(text).length,
  };
}

/** A kind whose words never look beyond white space, so that each can be read alone. */
function readsWordByWord({ pre_tokenizer, model, added_tokens }: TokenizerFile): boolean {
  return (
    pre_tokenizer?.type === "BertPreTokenizer" &&
    model?.type === "WordPiece" &&
    (added_tokens ?? []).every(({ content, lstrip, rstrip }) => !lstrip && !rstrip && !/\s/.test(content ?? " "))
  );
}

/** Words of ASCII letters, digits and punctuation, which a pre-tokenizer of this kind always cuts out one by one. */
function takenApart({ normalizer, added_tokens }: TokenizerFile): (word: string) => boolean {
  if (normalizer && normalizer.type !== "BertNormalizer") return () => false;
  const whole = (added_tokens ?? []).map(({ content }) => content ?? "");
  return (word) => /^[!-~]+$/.test(word) && !whole.some((token) => word.includes(token));
}

interface TokenizerFile {
  readonly normalizer?: { readonly type?: string } | null;
  readonly pre_tokenizer?: { readonly type?: string } | null;
  readonly model?: { readonly type?: string } | null;
  readonly added_tokens?: readonly {
    readonly content?: string;
    readonly lstrip?: boolean;
    readonly rstrip?: boolean;
  }[];
}

interface Reader {
  readonly tokenizer: Tokenizer;
  readonly isWordwise: boolean;
  readonly apart: (word: string) => boolean;
}

function read(json: string): Reader {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed !== "object" || parsed === null) throw unreadable();
    return { tokenizer: new Tokenizer(parsed, {}), isWordwise: readsWordByWord(parsed), apart: takenApart(parsed) };
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
